"""What each player is handed: a card with seats, a badge, a certificate; and the papers of the tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, Final

from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.engine import find_fan
from scoring.texts import fan_name, joined, joined_parts, rulebook_name
from tournament.base.access import Audience
from tournament.base.countries import alpha_2, country_name
from tournament.base.engine.rules import HANDS_PER_SESSION, dealer, prevalent_wind
from tournament.base.errors import Refused
from tournament.base.models.documents import CertificateDesign, DocumentJob
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.drafts import Draft, draft
from tournament.documents.exports.lists import as_at_the_door
from tournament.documents.exports.paper import (
    PAPERS,
    Sheet,
    largest,
    opening_css,
    page_css,
    size_class,
    sizes_css,
)
from tournament.documents.exports.standings import version_of
from tournament.documents.selectors import dearest_hand, design_of, winners
from tournament.documents.services import NO_SEATS_IN_SESSION
from tournament.play.selectors.public import SeatingChart, seating_chart
from tournament.play.selectors.timetable import Timetable, timetable
from tournament.play.selectors.totals import ListedHand
from tournament.play.texts.verdict import points_text
from tournament.players.selectors.check_in import expected_players
from tournament.ranking.selectors.ranking import Ranking, State, ranking
from tournament.ranking.selectors.standings import RankingRow
from tournament.web.display import qr_of
from tournament.web.texts.words import days_text, minus, table_points, time_text

# --- Papers of the seats ---


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
        seated = next((entry for entry in self.chart.sessions if entry.session.number == number), None)
        return [
            ScoreSheet(table, seats, self.starts_at(number), self.code_of("desk", number, table.number))
            for table, seats in (seated.tables if seated else ())
        ]

    @property
    def schedules(self) -> list[Card]:
        """Player → where they sit, session by session; nobody without a seat."""
        sessions = [entry.session for entry in self.chart.sessions]
        cards: list[Card] = []
        for row in self.chart.players:
            if any(row.seats):
                seats = zip(sessions, row.seats, strict=True)
                times = [(session, self.starts_at(session.number), seat) for session, seat in seats]
                cards.append((row.player, times))
        return cards

    @property
    def schedule_rows(self) -> list[tuple[Card, ...]]:
        """The same as they lie on the paper, two beside each other."""
        cards = self.schedules
        return [tuple(cards[at : at + 2]) for at in range(0, len(cards), 2)]

    @property
    def table_numbers(self) -> list[int]:
        numbers = {table.number for entry in self.chart.sessions for table, _seats in entry.tables}
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
    """Gather the seats as they are now: what seat lists, cards, score sheets and table numbers are made of."""
    tournament = job.tournament
    return SeatPapers(tournament, seating_chart(tournament), timetable(tournament), job.site, timezone.now())


def seat_lists(papers: SeatPapers, job: DocumentJob) -> dict[str, object]:
    """By player, in the order of their names, and by table, session for session, or of the job's alone."""
    sessions = [entry.session for entry in papers.chart.sessions]
    shown = [
        entry
        for entry in papers.chart.sessions
        if entry.tables and job.session in (None, entry.session.number)
    ]
    pages = ["by-player", *(f"by-table-{entry.session.number}" for entry in shown)]
    return {
        "css": "\n".join([page_css(job.paper), *map(opening_css, pages)]),
        "sessions": [
            {
                "heading": pgettext("column of a session", "S%(number)s") % {"number": session.number},
                "time": papers.starts_at(session.number),
            }
            for session in sessions
        ],
        "people": sorted(papers.chart.players, key=lambda row: as_at_the_door(row.player)),
        "by_table": [
            {
                "session": entry.session,
                "tables": entry.tables,
                "time": papers.starts_at(entry.session.number),
            }
            for entry in shown
        ],
    }


def score_sheets(papers: SeatPapers, job: DocumentJob) -> dict[str, object]:
    """The sheets of the job's session; refused where its seats were taken back meanwhile."""
    sheets = papers.score_sheets(job.session or 0)
    if not sheets:
        raise Refused(NO_SEATS_IN_SESSION("session", session=job.session or 0))
    rows = f".score-sheet .grid16 td {{ height: {ROW[job.paper]}mm }}"
    css = f"{page_css(job.paper)} @page {{ margin-bottom: 11mm }} {rows}"
    return {"sheets": sheets, "session": sheets[0].table.session, "css": css}


# --- Badges ---


NAME: Final = (78.0, 26.0)
"""The box of the name, in millimetres; css/paper-badges.css has the badge's."""
NAME_SIZE: Final = 30.0
LINE: Final = (53.0, 8.0)
LINE_SIZE: Final = 9.5
WIDE: Final = 90
HIGH: Final = 60
A_SHEET: Final = 8
CUTS: Final = "".join(
    f"M{max(x - 4, 0)} {y}H{min(x + 4, 2 * WIDE)}M{x} {max(y - 4, 0)}V{min(y + 4, 4 * HIGH)}"
    for x, y in product(range(0, 2 * WIDE + 1, WIDE), range(0, 4 * HIGH + 1, HIGH))
)
"""A cross where badges meet, drawn once a sheet."""
TILES: Final = tuple(f"{number}{suit}" for suit in "mps" for number in range(1, 10))
"""One a player, in their turn: neighbours at the desk find their own."""


@dataclass(frozen=True)
class Badge:
    player: Player

    @cached_property
    def size(self) -> float:
        return largest(self.player.name, *NAME, NAME_SIZE)

    @property
    def size_class(self) -> str:
        return size_class(self.size)

    @property
    def line_class(self) -> str:
        return size_class(self.line_size)

    @property
    def tile(self) -> str:
        return TILES[(self.player.number - 1) % len(TILES)]

    @property
    def country(self) -> str:
        return country_name(self.player.country) if self.player.country else ""

    @property
    def line(self) -> str:
        """Where they come from beside their country: the club, or the team."""
        return self.player.club or self.player.team

    @cached_property
    def line_size(self) -> float:
        return largest(self.line, *LINE, LINE_SIZE)


@dataclass(frozen=True)
class BadgeSheet:
    """As many as there are on a side of paper."""

    badges: tuple[Badge, ...]

    @property
    def pictures(self) -> Iterator[tuple[str, int, int, str, str]]:
        """The tile in the upper corner of each badge, the flag in the lower one: path, x, y, width, height."""
        for at, badge in enumerate(self.badges):
            left, top = at % 2 * WIDE, at // 2 * HIGH
            yield f"tiles/{badge.tile}.svg", left + 76, top + 6, "8", "10.67"
            if flag := alpha_2(badge.player.country):
                yield f"vendor/flags/{flag}.svg", left + 78, top + 46, "6", "4.5"


def badges(job: DocumentJob) -> Draft:
    """Make a badge for everybody who plays, by number, eight a sheet; who has withdrawn needs none.

    The name stands as large as it fits, with number, flag, club and a tile.
    """
    all_badges = [Badge(player) for player in expected_players(job.tournament).order_by("number")]
    made_at = time_text(timezone.now())
    sheets = [BadgeSheet(tuple(all_badges[at : at + A_SHEET])) for at in range(0, len(all_badges), A_SHEET)]
    event_size = largest(job.tournament.name, 66.0, 8.0, 9.0)
    sizes = [event_size, *(size for badge in all_badges for size in (badge.size, badge.line_size))]
    context = {
        "tournament": job.tournament,
        "sheets": sheets,
        "cuts": CUTS,
        "css": f"{page_css(job.paper)}\n{sizes_css(sizes)}",
        "event_size": size_class(event_size),
    }
    return draft("documents/badges.html", context, made_at, pages=len(sheets) or 1)


# --- Certificates ---


INSET = 26.0
"""Left and right of what stands on a certificate, in millimetres; css/paper-certificates.css has the same."""


@dataclass(frozen=True)
class Certificate:
    """`heading`: for what; `lines`: what there is to say of it."""

    heading: str
    name: str
    lines: tuple[str, ...]
    sheet: Sheet
    tiles: Any = None

    @property
    def name_class(self) -> str:
        return size_class(self.name_size)

    @cached_property
    def name_size(self) -> float:
        return largest(self.name, self.sheet.width - 2 * INSET, 42.0, 40.0)


def certificates(job: DocumentJob) -> Draft:
    """Make one for each who came first, second or third, and one for the best hand, with its tiles.

    They are as the standings are now; what is not final yet says so.
    """
    tournament, design = job.tournament, design_of(job.tournament)
    now, sheet = ranking(tournament, Audience.STAFF), PAPERS[job.paper]
    all_certificates = [_certificate_of_place(row, sheet) for row in winners(now, design.places)]
    best = dearest_hand(tournament) if design.best_hand else None
    if best is not None and best.winner is not None:
        all_certificates.append(_certificate_of_hand(best, best.winner.name, sheet))
    wide = sheet.width - 2 * INSET
    text_size = largest(design.text, wide, 34.0, 13.0, least=6.5)
    event_size = largest(tournament.name, wide, 26.0, 24.0)
    context = {
        "tournament": tournament,
        "certificates": all_certificates,
        "text": design.text,
        "text_size": size_class(text_size),
        "event_size": size_class(event_size),
        "sizes": sizes_css(
            [text_size, event_size, *(certificate.name_size for certificate in all_certificates)]
        ),
        "where": joined_parts(
            filter(None, (tournament.venue, days_text(tournament.starts_on, tournament.ends_on)))
        ),
        "picture": _picture_address(design),
        "not_final": _not_final(now),
        "sheet": sheet,
    }
    made_at = time_text(timezone.now())
    return draft("documents/certificates.html", context, made_at, pages=len(all_certificates) or 1)


def _certificate_of_place(row: RankingRow, sheet: Sheet) -> Certificate:
    own = row.standing
    lines = _("%(table_points)s table points, %(game_points)s game points") % {
        "table_points": table_points(own.table_points),
        "game_points": minus(own.game_points),
    }
    heading = _("Place %(place)s") % {"place": own.rank}
    return Certificate(heading, row.player.name, (lines,), sheet)


def _certificate_of_hand(hand: ListedHand, name: str, sheet: Sheet) -> Certificate:
    fans = joined(fan_name(find_fan(fan["key"])) for fan in hand.fans)
    lines = tuple(filter(None, (points_text(hand.points), fans)))
    return Certificate(_("Best hand"), name, lines, sheet, hand.tiles)


def _not_final(now: Ranking) -> str:
    if now.state is State.FINAL:
        return ""
    return _("Not final yet: standings version %(version)s") % {"version": version_of(now)}


def _picture_address(design: CertificateDesign) -> str:
    """The file:// address of what is behind them; none where it was deleted by hand."""
    if not design.file or not design.file.storage.exists(str(design.file.name)):
        return ""
    return Path(design.file.path).resolve().as_uri()
