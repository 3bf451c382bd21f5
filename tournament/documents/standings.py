"""The standings as a document: what stands on the sheet, gathered before anything is laid out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.access import Audience
from tournament.documents.figures import days_text, in_a_row, time_text
from tournament.documents.notes import notes
from tournament.models import Tournament
from tournament.selectors.ranking import Ranking, ranking

PORTRAIT_SESSIONS = 8
"""With more sessions than this their columns need the long side of the paper."""
ROWS_A_PAGE = {False: 22, True: 18}
"""Landscape → players that fit on a page, to tell beforehand how many pages there will be."""

STATES = {
    "final": gettext_lazy("final"),
    "published": gettext_lazy("published"),
    "provisional": gettext_lazy("provisional"),
}


@dataclass(frozen=True)
class StandingsSheet:
    """Everything the template prints. `version` is the one the figures stand on: the publication's, when they are
    still those that were published, else the tournament's."""

    ranking: Ranking
    version: int
    state: str
    """A key of STATES."""
    made_at: datetime
    notes: tuple[str, ...]

    @property
    def tournament(self) -> Tournament:
        return self.ranking.tournament

    @property
    def title(self) -> str:
        if self.state == "final":
            return _("Final standings")
        if self.ranking.is_provisional or not self.ranking.sessions:
            return _("Provisional standings")
        return _("Standings after session %(number)s") % {"number": self.ranking.sessions[-1].number}

    @property
    def state_name(self) -> str:
        return str(STATES[self.state])

    @property
    def days(self) -> str:
        return days_text(self.tournament.starts_on, self.tournament.ends_on)

    @property
    def place_and_days(self) -> str:
        return in_a_row(self.tournament.venue, self.days)

    @property
    def size(self) -> str:
        """16 players, 5 sessions of 120 minutes."""
        players = len(self.ranking.rows)
        sessions = self.tournament.sessions_planned
        return in_a_row(
            ngettext("%(n)s player", "%(n)s players", players) % {"n": players},
            ngettext(
                "%(n)s session of %(minutes)s minutes", "%(n)s sessions of %(minutes)s minutes", sessions
            )
            % {"n": sessions, "minutes": self.tournament.minutes},
        )

    @property
    def rulebook(self) -> str:
        scoring = self.tournament.rules.scoring
        return _("Rulebook %(key)s, %(name)s") % {"key": scoring.key, "name": scoring.name}

    @property
    def made(self) -> str:
        return time_text(self.made_at)

    @property
    def is_landscape(self) -> bool:
        return len(self.ranking.sessions) > PORTRAIT_SESSIONS

    @property
    def pages_expected(self) -> int:
        return -(-len(self.ranking.rows) // ROWS_A_PAGE[self.is_landscape]) or 1

    @property
    def has_countries(self) -> bool:
        return any(row.player.country for row in self.ranking.rows)

    @property
    def has_ema_numbers(self) -> bool:
        return any(row.player.ema_number for row in self.ranking.rows)


def standings_sheet(tournament: Tournament) -> StandingsSheet:
    """The standings as they are now, all of one version: a write in the meantime begins it anew."""
    while True:
        tournament.refresh_from_db()
        now = ranking(tournament, Audience.STAFF)
        state, version = _state(now)
        sheet = StandingsSheet(now, version, state, timezone.now(), tuple(notes(now)))
        if Tournament.objects.filter(pk=tournament.pk, version=tournament.version).exists():
            return sheet


def _state(now: Ranking) -> tuple[str, int]:
    published = now.publication
    if published is None or not now.is_published or now.changed_since_publication:
        return "provisional", now.version
    return "final" if published.is_final else "published", published.version
