"""Who sits where, on paper: seats of the event, a card for each player, a score sheet and a number for each table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from scoring.texts import rulebook_name
from scoring.texts.folding import folded
from tournament.base.engine.rotation import HANDS_PER_SESSION, dealer, prevalent_wind
from tournament.base.errors import refuse
from tournament.base.models.documents import DocumentJob
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.paper import opening_css, page_css
from tournament.events.selectors.timetable import Timetable, timetable
from tournament.play.selectors.public import PlayerSeats, SeatingChart, seating_chart
from tournament.web.display.qr import qr_of

ROW: Final[Mapping[str, float]] = {DocumentJob.Paper.A4: 8.5, DocumentJob.Paper.LETTER: 7.6}
"""Of a score sheet, in millimetres: names of eighty letters in its heads leave it on one page, in two languages too."""
LETTERS: Final[Mapping[str, str]] = dict(zip("ESWN", "ABCD", strict=True))
"""Starting wind → the letter a player has in the chart of the rules' Appendix 2."""


Card = tuple[Player, list[tuple[Session, datetime | None, Seat | None]]]
"""Who, and when and where they sit, session by session."""


@dataclass(frozen=True)
class Line:
    """One hand of a score sheet: the round's wind in the first hand of a round, and who deals by letter."""

    number: int
    round_wind: str
    dealer: str
    ends_round: bool


@dataclass(frozen=True)
class ScoreSheet:
    """The sheet of one table. `seats`: from East, as they begin."""

    table: Table
    seats: tuple[Seat, ...]
    starts_at: datetime | None
    code: SafeString | None
    """Opens exactly this table."""

    @property
    def players(self) -> list[tuple[str, Seat]]:
        """Letter of the chart → who has it."""
        return [(LETTERS[seat.wind], seat) for seat in self.seats]


@dataclass(frozen=True)
class SeatPapers:
    """What the templates of the seats print."""

    tournament: Tournament
    chart: SeatingChart
    timetable: Timetable
    site: str
    made_at: datetime

    @property
    def rulebook(self) -> str:
        return rulebook_name(self.tournament.rules.scoring)

    def starts_at(self, session: int) -> datetime | None:
        entry = self.timetable.of(session)
        return entry.starts_at if entry else None

    @property
    def lines(self) -> list[Line]:
        """The sixteen hands of a session by this tournament's chart."""
        chart = self.tournament.rules.chart
        hands = range(1, HANDS_PER_SESSION + 1)
        winds = [prevalent_wind(hand) for hand in hands]
        return [
            Line(
                hand,
                winds[hand - 1] if hand == 1 or winds[hand - 1] != winds[hand - 2] else "",
                LETTERS[dealer(hand, chart)],
                hand == HANDS_PER_SESSION or winds[hand - 1] != winds[hand],
            )
            for hand in hands
        ]

    def score_sheets(self, number: int) -> list[ScoreSheet]:
        found = next((one for one in self.chart.sessions if one.session.number == number), None)
        return [
            ScoreSheet(table, seats, self.starts_at(number), self.code_of("desk", number, table.number))
            for table, seats in (found.tables if found else ())
        ]

    @property
    def schedules(self) -> list[Card]:
        """Player → where they sit, session by session; nobody without a seat."""
        sessions = [one.session for one in self.chart.sessions]
        found = []
        for one in self.chart.players:
            if any(one.seats):
                seats = zip(sessions, one.seats, strict=True)
                found.append(
                    (one.player, [(each, self.starts_at(each.number), seat) for each, seat in seats])
                )
        return found

    @property
    def schedule_rows(self) -> list[tuple[Card, ...]]:
        """The same as they lie on the paper, two beside each other."""
        cards = self.schedules
        return [tuple(cards[at : at + 2]) for at in range(0, len(cards), 2)]

    @property
    def table_numbers(self) -> list[int]:
        numbers = {table.number for one in self.chart.sessions for table, _seats in one.tables}
        return sorted(numbers)

    @property
    def event_code(self) -> SafeString | None:
        """Leads to the event's page, where everybody finds their own seat."""
        return self.code_of("tournament")

    def code_of(self, name: str, *where: int) -> SafeString | None:
        if not self.site:
            return None
        return qr_of(self.site.rstrip("/") + reverse(name, args=[self.tournament.slug, *where]), border=0)


def seat_papers(job: DocumentJob) -> SeatPapers:
    """The seats as they are now."""
    tournament = job.tournament
    return SeatPapers(tournament, seating_chart(tournament), timetable(tournament), job.site, timezone.now())


def score_sheets(papers: SeatPapers, job: DocumentJob) -> dict[str, object]:
    """The sheets of the job's session; refused where its seats were taken back meanwhile."""
    sheets = papers.score_sheets(job.session or 0)
    if not sheets:
        raise refuse("no_seats_in_session", "session", session=job.session or 0)
    rows = f".score-sheet .grid16 td {{ height: {ROW[job.paper]}mm }}"
    css = f"{page_css(job.paper)} @page {{ margin-bottom: 11mm }} {rows}"
    return {"sheets": sheets, "session": sheets[0].table.session, "css": css}


def seat_lists(papers: SeatPapers, job: DocumentJob) -> dict[str, object]:
    """By player, in the order of their names, and by table, session for session, or of the job's alone."""
    sessions = [one.session for one in papers.chart.sessions]
    shown = [one for one in papers.chart.sessions if one.tables and job.session in (None, one.session.number)]
    pages = ["by-player", *(f"by-table-{one.session.number}" for one in shown)]
    return {
        "css": "\n".join([page_css(job.paper), *map(opening_css, pages)]),
        "sessions": [
            {
                "heading": pgettext("column of a session", "S%(number)s") % {"number": each.number},
                "time": papers.starts_at(each.number),
            }
            for each in sessions
        ],
        "people": sorted(papers.chart.players, key=_by_name),
        "by_table": [
            {"session": one.session, "tables": one.tables, "time": papers.starts_at(one.session.number)}
            for one in shown
        ],
    }


def _by_name(one: PlayerSeats) -> tuple[str, str, int]:
    """As at the door: letters with marks among those without."""
    player = one.player
    return folded(player.last_name), folded(player.first_name), player.number
