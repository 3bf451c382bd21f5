"""The standings as a document: what stands on the sheet, gathered before anything is laid out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.texts import joined_parts, rulebook_name
from tournament.base.access import Audience
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.columns import Cell, Kind, Layout, fit
from tournament.documents.exports.notes import notes
from tournament.documents.exports.paper import PAPERS
from tournament.documents.exports.standings_table import columns
from tournament.ranking.selectors.ranking import Ranking, State, ranking
from tournament.web.texts.days import days_text, time_text

STATES = {
    State.FINAL: gettext_lazy("final"),
    State.PUBLISHED: gettext_lazy("published"),
    State.PROVISIONAL: gettext_lazy("provisional"),
}


@dataclass(frozen=True)
class StandingsSheet:
    """Everything the template prints. `version` is the one the figures stand on: the publication's, when they are
    still those that were published, else the tournament's."""

    ranking: Ranking
    version: int
    made_at: datetime
    notes: tuple[str, ...]
    layout: Layout

    @property
    def tournament(self) -> Tournament:
        return self.ranking.tournament

    @property
    def state(self) -> State:
        return self.ranking.state

    @property
    def title(self) -> str:
        if self.state is State.FINAL:
            return _("Final standings")
        if self.ranking.is_provisional or not self.ranking.sessions:
            return _("Provisional standings")
        title = _("Standings after session %(number)s")
        if self.state is State.PROVISIONAL:
            title = _("Provisional standings after session %(number)s")
        return title % {"number": self.ranking.after}

    @property
    def state_name(self) -> str:
        return str(STATES[self.state])

    @property
    def days(self) -> str:
        return days_text(self.tournament.starts_on, self.tournament.ends_on)

    @property
    def place_and_days(self) -> str:
        return joined_parts(filter(None, (self.tournament.venue, self.days)))

    @property
    def size(self) -> str:
        """16 players, 5 sessions of 120 minutes."""
        players = len(self.ranking.rows)
        sessions = self.tournament.sessions_planned
        parts = (
            ngettext("%(n)s player", "%(n)s players", players) % {"n": players},
            ngettext(
                "%(n)s session of %(minutes)s minutes", "%(n)s sessions of %(minutes)s minutes", sessions
            )
            % {"n": sessions, "minutes": self.tournament.minutes},
        )
        return joined_parts(parts)

    @property
    def rulebook(self) -> str:
        return _("Rulebook {name}").format(name=rulebook_name(self.tournament.rules.scoring))

    @property
    def made(self) -> str:
        return time_text(self.made_at)

    @property
    def rows(self) -> list[tuple[str, list[tuple[Kind, Cell]]]]:
        """The lines, each with its classes."""
        return [
            (f"{'tie ' * row.tied_with_next}{'cut' * row.above_the_cut}", cells)
            for row, cells in zip(self.ranking.rows, self.layout.lines, strict=True)
        ]


def standings_sheet(tournament: Tournament, paper: str) -> StandingsSheet:
    """The standings as they are now, on paper of this name, all of one version: a write in the meantime begins it
    anew."""
    while True:
        tournament.refresh_from_db()
        now = ranking(tournament, Audience.STAFF)
        layout = fit(partial(columns, now), PAPERS[paper])
        sheet = StandingsSheet(now, version_of(now), timezone.now(), tuple(notes(now)), layout)
        if Tournament.objects.filter(pk=tournament.pk, version=tournament.version).exists():
            return sheet


def version_of(now: Ranking) -> int:
    published = now.publication
    return published.version if published and now.is_as_published else now.version
