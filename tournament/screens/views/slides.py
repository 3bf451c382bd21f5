"""The pages of a screen: what each kind of slide is drawn from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from tournament.base.access import Audience
from tournament.base.access.own_address import own_address
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.embargo import keeps_back
from tournament.messages.announcements.selectors import standing
from tournament.play.selectors.clock import clock_of
from tournament.play.selectors.public import overview
from tournament.play.selectors.tables import session_tables
from tournament.ranking.selectors.best_hand import best_hand
from tournament.ranking.selectors.groups import GroupRow, group_rows
from tournament.ranking.selectors.ranking import Ranking, ranking
from tournament.ranking.selectors.ranking_rows import RankingRow
from tournament.screens.engine.screens import Kind, Slide
from tournament.screens.selectors.ceremony import current_ceremony, podium_of
from tournament.screens.selectors.screens import (
    NAMES_A_PAGE,
    TABLES_A_PAGE,
    begins_at,
    rows_a_page,
    session_seated,
)
from tournament.screens.views.missing_slide import missing_slide
from tournament.screens.views.puzzle_slide import puzzle_slide
from tournament.web.display.qr import public_qr
from tournament.web.texts.order import by_name
from tournament.web.views.frame_public import render_part, render_shared

Context = dict[str, Any]
T = TypeVar("T")
USUAL_TILES = 15
"""Of a winning hand; with more kongs its tiles are drawn smaller."""
PUBLIC: Final = Audience.PUBLIC
"""A screen hangs in the hall, whoever has opened it."""
MOST_OPEN = 60
"""So many numbers of open tables fit."""


def draw(tournament: Tournament, slide: Slide, request: HttpRequest) -> SafeString:
    """The slide's content; what changes only with the tournament is drawn once a version."""
    template = f"screens/hall/_{TEMPLATES.get(slide.kind, slide.kind.value)}.html"
    here = {"slide": slide, "kind": slide.kind.value}
    if slide.kind is Kind.WELCOME:
        return render_part(tournament, PUBLIC, template, lambda: here | _welcome(tournament, request))
    if slide.kind is Kind.MISSING:
        return render_part(
            tournament, PUBLIC, template, lambda: here | missing_slide(tournament, slide, request)
        )
    if slide.kind is Kind.PUZZLE:
        return render_part(tournament, PUBLIC, template, lambda: here | puzzle_slide(tournament, request))
    if slide.kind is Kind.CLOCK:
        return render_part(tournament, PUBLIC, template, lambda: here | _clock(tournament))
    make = CONTEXTS[slide.kind]
    about = (slide.kind.value, str(slide.page))
    return render_shared(tournament, PUBLIC, template, lambda: here | make(tournament, slide), *about)


def _of_page(rows: Sequence[T], slide: Slide, size: int) -> Sequence[T]:
    return rows[(slide.page - 1) * size : slide.page * size]


def _names(tournament: Tournament, slide: Slide) -> Context:
    now = overview(tournament)
    session = session_seated(now)
    seats = Seat.objects.filter(table__session=session).select_related("table", "player")
    found = sorted(seats, key=lambda seat: by_name(seat.player.name))
    return {
        "stage": now,
        "session": session,
        "seats": _of_page(found, slide, NAMES_A_PAGE),
        "few": len(found) <= 24,
        "very_few": len(found) <= 16,
        "begins": begins_at(tournament, now),
    }


def _tables(tournament: Tournament, slide: Slide) -> Context:
    now = overview(tournament)
    session = session_seated(now)
    tables = list(Table.objects.filter(session=session).prefetch_related("seats__player"))
    return {
        "stage": now,
        "session": session,
        "tables": _of_page(tables, slide, TABLES_A_PAGE),
        "few": len(tables) <= 4,
        "begins": begins_at(tournament, now),
    }


def _clock(tournament: Tournament) -> Context:
    now = overview(tournament)
    session = now.running
    tables = session_tables(session, PUBLIC) if session else []
    longer = [one.table for one in tables if one.table.extra_minutes and not one.is_in]
    return {
        "stage": now,
        "session": session,
        "clock": clock_of(session) if session else None,
        "longer": [(table, clock_of(session, table)) for table in longer] if session else (),
        "begins": begins_at(tournament, now),
        "now": timezone.now(),
    }


def _progress(tournament: Tournament, slide: Slide) -> Context:
    now = overview(tournament)
    session = now.running
    tables = session_tables(session, PUBLIC) if session else []
    still = [each.table.number for each in tables if not each.is_in]
    return {
        "stage": now,
        "session": session,
        "is_hidden": session is not None and keeps_back(PUBLIC, session),
        "tables_in": len(tables) - len(still),
        "tables": len(tables),
        "still": still[:MOST_OPEN],
        "more": len(still[MOST_OPEN:]),
        **_time(session),
    }


def _ranking(tournament: Tournament, slide: Slide) -> Context:
    ranked = ranking(tournament, PUBLIC)
    size = rows_a_page(len(ranked.rows))
    rows = _of_page(ranked.rows, slide, size)
    return _ranked(ranked, rows, size) | {"rows": rows}


def _groups(tournament: Tournament, slide: Slide) -> Context:
    ranked = ranking(tournament, PUBLIC)
    rows = group_rows(ranked, "teams" if slide.kind is Kind.TEAMS else "nations")
    size = rows_a_page(len(rows))
    shown = _of_page(rows, slide, size)
    return _ranked(ranked, shown, size) | {"groups": shown}


def _ranked(ranked: Ranking, rows: Sequence[RankingRow] | Sequence[GroupRow], size: int) -> Context:
    return {
        "ranking": ranked,
        "per_column": size // 2,
        "has_shares": any(row.standing.table_points.denominator > 1 for row in rows),
        "has_hundreds": any((row.standing.rank or 0) > 99 for row in rows),
        **_time(ranked.running),
    }


def _time(session: Session | None) -> Context:
    return {"clock": clock_of(session) if session else None}


def _best(tournament: Tournament, slide: Slide) -> Context:
    hand = best_hand(tournament, PUBLIC)
    tiles = hand.tiles if hand and hand.tiles else {"concealed": [], "melds": []}
    length = len(tiles["concealed"]) + sum(len(meld["tiles"]) for meld in tiles.get("melds", ()))
    return {"hand": hand, "is_long": length > USUAL_TILES}


def _announcement(tournament: Tournament, slide: Slide) -> Context:
    said = standing(tournament)
    return {"said": said[min(slide.page, len(said)) - 1] if said else None}


def _welcome(tournament: Tournament, request: HttpRequest) -> Context:
    address = own_address(request) + reverse("tournament", args=[tournament.slug])
    return {"address": address, "code": public_qr(address)}


def _ceremony(tournament: Tournament, slide: Slide) -> Context:
    ceremony = current_ceremony(tournament)
    return {"stage": podium_of(ceremony) if ceremony else None}


TEMPLATES = {Kind.TEAMS: "groups", Kind.NATIONS: "groups", Kind.CEREMONY: "ceremony_slide"}
CONTEXTS: dict[Kind, Callable[[Tournament, Slide], Context]] = {
    Kind.NAMES: _names,
    Kind.TABLES: _tables,
    Kind.PROGRESS: _progress,
    Kind.RANKING: _ranking,
    Kind.TEAMS: _groups,
    Kind.NATIONS: _groups,
    Kind.BEST: _best,
    Kind.ANNOUNCEMENTS: _announcement,
    Kind.CEREMONY: _ceremony,
}
