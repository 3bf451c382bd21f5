"""The ranking of players, teams and nations: the pages, and what moves on them while the live stream is followed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString

from tournament.base.access import Audience
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.changes import last_change
from tournament.ranking.selectors.groups import Kind, counted_members, group_rows
from tournament.ranking.selectors.ranking import ranking
from tournament.screens.selectors.ceremony import current_ceremony
from tournament.web.selectors.search import fits
from tournament.web.views.frame_public import (
    render_part,
    render_shared,
    tournament_html,
    tournament_page,
    tournament_part,
)


@dataclass(frozen=True)
class RankingFilter:
    """What a reader asked to see: players by words, country and team; `why`: what broke each tie, too."""

    q: str = ""
    country: str = ""
    team: str = ""
    why: str = ""

    @classmethod
    def of(cls, request: HttpRequest) -> RankingFilter:
        """`?q=&country=&team=&why=1`."""
        q, country, team = (request.GET.get(name, "").strip() for name in ("q", "country", "team"))
        return cls(q, country, team, "1" if request.GET.get("why") else "")

    def keeps(self, player: Player) -> bool:
        return (
            self.country in ("", player.country) and self.team in ("", player.team) and fits(player, self.q)
        )

    @property
    def is_filter(self) -> bool:
        return bool(self.q or self.country or self.team)

    @property
    def query(self) -> str:
        """As it stands in an address, the question mark included; empty for everything."""
        asked = {name: value for name, value in vars(self).items() if value}
        return f"?{urlencode(asked)}" if asked else ""

    @property
    def other_why(self) -> str:
        """The same players with what broke the ties, or without."""
        return RankingFilter(self.q, self.country, self.team, "" if self.why else "1").query or "?"


@tournament_page
def page(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """The whole page; complete without JavaScript."""
    wanted = RankingFilter.of(request)
    rows_at = reverse("ranking_rows", args=[tournament.slug]) + wanted.query
    return _page(request, tournament, audience, _moving(tournament, audience, wanted), rows_at)


@tournament_part
def rows(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """What moves on the page, by itself."""
    return HttpResponse(_moving(tournament, audience, RankingFilter.of(request)))


@tournament_page
def groups(request: HttpRequest, tournament: Tournament, audience: Audience, kind: Kind) -> HttpResponse:
    """Teams or nations, with their members."""
    rows_at = reverse(f"ranking_{kind}_rows", args=[tournament.slug])
    return _page(request, tournament, audience, _moving_groups(tournament, audience, kind), rows_at)


@tournament_part
def group_part(request: HttpRequest, tournament: Tournament, audience: Audience, kind: Kind) -> HttpResponse:
    """What moves there, by itself."""
    return HttpResponse(_moving_groups(tournament, audience, kind))


def _page(
    request: HttpRequest, tournament: Tournament, audience: Audience, content: SafeString, rows_at: str
) -> HttpResponse:
    context = {"content": content, "rows_at": rows_at}
    return tournament_html(request, "ranking/ranking", tournament, audience, context)


def _moving(tournament: Tournament, audience: Audience, wanted: RankingFilter) -> SafeString:
    def context() -> dict[str, Any]:
        ranked = ranking(tournament, audience)
        return {
            "ranking": ranked,
            "rows": [row for row in ranked.rows if wanted.keeps(row.player)],
            "wanted": wanted,
            "change": last_change(tournament, audience),
            "ceremony": current_ceremony(tournament),
            "kind": "players",
        }

    if wanted.is_filter:
        return render_part(tournament, audience, "ranking/_ranking.html", context)
    return render_shared(tournament, audience, "ranking/_ranking.html", context, wanted.why)


def _moving_groups(tournament: Tournament, audience: Audience, kind: Kind) -> SafeString:
    def context() -> dict[str, Any]:
        ranked = ranking(tournament, audience)
        return {
            "ranking": ranked,
            "groups": group_rows(ranked, kind),
            "counts": counted_members(kind),
            "change": last_change(tournament, audience),
            "ceremony": current_ceremony(tournament),
            "kind": kind,
        }

    return render_shared(tournament, audience, "ranking/_ranking_groups.html", context, kind)
