"""Papers for players: seat lists, schedule cards, score sheets, table numbers, badges and certificates."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import product
from typing import Any, Final

from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from scoring.engine import find_fan
from scoring.texts import fan_name, joined, rulebook_name
from tournament.base.countries import alpha_2, country_name
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import HANDS_PER_SESSION, dealer, prevalent_wind
from tournament.base.errors import Refused
from tournament.base.models.documents import CertificateDesign, DocumentJob
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.drafts import Draft, draft_from_template
from tournament.documents.exports.lists import name_sort_key
from tournament.documents.exports.paper import (
    PAPERS,
    Sheet,
    first_page_css,
    largest_size,
    page_css,
    size_class,
    sizes_css,
)
from tournament.documents.selectors import best_hand, design_of, rows_to_place
from tournament.documents.services import NO_SEATS_IN_SESSION
from tournament.play.selectors.public import SeatingChart, seating_chart
from tournament.play.selectors.timetable import Timetable, timetable
from tournament.play.selectors.totals import ListedHand
from tournament.play.texts.verdict import points_text
from tournament.players.selectors.check_in import expected_players
from tournament.prizes.models import Prize
from tournament.prizes.selectors import Winner, winners_of
from tournament.prizes.texts import ladder_text
from tournament.ranking.selectors.groups import group_rows
from tournament.ranking.selectors.ranking import Ranking, RankingRow, State, ranking
from tournament.web.display import qr_of
from tournament.web.texts.words import days_text, minus, table_points, time_text

# --- Papers of the seats ---


ROW_HEIGHT: Final[Mapping[str, float]] = {DocumentJob.Paper.A4: 8.5, DocumentJob.Paper.LETTER: 7.6}
"""Of a score sheet, in millimetres: it stays on one page with names of 80 characters and in two languages."""
CHART_LETTERS: Final[Mapping[str, str]] = dict(zip("ESWN", "ABCD", strict=True))
"""Starting wind → the player's letter in the chart of the rules' Appendix 2."""

ScheduleCard = tuple[Player, list[tuple[Session, datetime | None, Seat | None]]]
"""A player with their (session, start, seat)."""


@dataclass(frozen=True)
class HandLine:
    """A line of a score sheet. `round_wind`: only in the first hand of a round; `dealer`: a letter of the chart."""

    number: int
    round_wind: str
    dealer: str
    ends_round: bool


@dataclass(frozen=True)
class ScoreSheet:
    """The score sheet of a table. `seats`: in the order of their starting winds, East first."""

    table: Table
    seats: tuple[Seat, ...]
    starts_at: datetime | None
    code: SafeString | None
    """A QR code that opens this table."""

    @property
    def players(self) -> list[tuple[str, Seat]]:
        """Letter of the chart and seat."""
        return [(CHART_LETTERS[seat.wind], seat) for seat in self.seats]


@dataclass(frozen=True)
class SeatPapers:
    """The data of the templates that print seats. `site`: the public address of this server, or nothing."""

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
    def lines(self) -> list[HandLine]:
        """The sixteen hands of a session, by this tournament's seat rotation."""
        chart = self.tournament.rules.chart
        hands = range(1, HANDS_PER_SESSION + 1)
        winds = [prevalent_wind(hand) for hand in hands]
        return [
            HandLine(
                hand,
                winds[hand - 1] if hand == 1 or winds[hand - 1] != winds[hand - 2] else "",
                CHART_LETTERS[dealer(hand, chart)],
                hand == HANDS_PER_SESSION or winds[hand - 1] != winds[hand],
            )
            for hand in hands
        ]

    def score_sheets(self, number: int) -> list[ScoreSheet]:
        seated = next((entry for entry in self.chart.sessions if entry.session.number == number), None)
        return [
            ScoreSheet(table, seats, self.starts_at(number), self.qr_code("desk", number, table.number))
            for table, seats in (seated.tables if seated else ())
        ]

    @property
    def schedules(self) -> list[ScheduleCard]:
        """The cards of all players with a seat."""
        sessions = [entry.session for entry in self.chart.sessions]
        cards: list[ScheduleCard] = []
        for row in self.chart.players:
            if any(row.seats):
                seats = zip(sessions, row.seats, strict=True)
                times = [(session, self.starts_at(session.number), seat) for session, seat in seats]
                cards.append((row.player, times))
        return cards

    @property
    def schedule_rows(self) -> list[tuple[ScheduleCard, ...]]:
        """The cards in rows of two, as they are printed."""
        cards = self.schedules
        return [tuple(cards[at : at + 2]) for at in range(0, len(cards), 2)]

    @property
    def table_numbers(self) -> list[int]:
        numbers = {table.number for entry in self.chart.sessions for table, _seats in entry.tables}
        return sorted(numbers)

    @property
    def event_code(self) -> SafeString | None:
        """A QR code that opens the event's page."""
        return self.qr_code("tournament")

    def qr_code(self, url_name: str, *args: int) -> SafeString | None:
        """Return the QR code of one of the tournament's URLs; None while the server's address is unknown."""
        if not self.site:
            return None
        return qr_of(self.site.rstrip("/") + reverse(url_name, args=[self.tournament.slug, *args]), border=0)


def seat_papers(job: DocumentJob) -> SeatPapers:
    tournament = job.tournament
    return SeatPapers(tournament, seating_chart(tournament), timetable(tournament), job.site, timezone.now())


def seat_lists_context(papers: SeatPapers, job: DocumentJob) -> dict[str, object]:
    """Return the context of `documents/seats.html`: seats by player and by table, of the job's session or of all."""
    sessions = [entry.session for entry in papers.chart.sessions]
    shown = [
        entry
        for entry in papers.chart.sessions
        if entry.tables and job.session in (None, entry.session.number)
    ]
    pages = ["by-player", *(f"by-table-{entry.session.number}" for entry in shown)]
    return {
        "css": "\n".join([page_css(job.paper), *map(first_page_css, pages)]),
        "sessions": [
            {
                "heading": pgettext("column of a session", "S%(number)s") % {"number": session.number},
                "time": papers.starts_at(session.number),
            }
            for session in sessions
        ],
        "people": sorted(papers.chart.players, key=lambda row: name_sort_key(row.player)),
        "by_table": [
            {
                "session": entry.session,
                "tables": entry.tables,
                "time": papers.starts_at(entry.session.number),
            }
            for entry in shown
        ],
    }


def score_sheets_context(papers: SeatPapers, job: DocumentJob) -> dict[str, object]:
    """Return the context of `documents/score_sheets.html`. Raises Refused if the draw was undone since the request."""
    sheets = papers.score_sheets(job.session or 0)
    if not sheets:
        raise Refused(NO_SEATS_IN_SESSION("session", session=job.session or 0))
    rows = f".score-sheet .grid16 td {{ height: {ROW_HEIGHT[job.paper]}mm }}"
    css = f"{page_css(job.paper)} @page {{ margin-bottom: 11mm }} {rows}"
    table_points_sum = table_points(sum(papers.tournament.rules.scale))
    context = {"sheets": sheets, "session": sheets[0].table.session, "table_points_sum": table_points_sum}
    return context | {"css": css}


# --- Badges ---


BADGE_WIDTH: Final = 90
BADGE_HEIGHT: Final = 60
"""Millimetres, as in css/paper-badges.css; so are the boxes below."""
NAME_BOX: Final = (78.0, 26.0)
SECOND_NAME_BOX: Final = (78.0, 8.0)
"""A part of the box of the name."""
MAX_NAME_SIZE: Final = 30.0
MAX_SECOND_NAME_SIZE: Final = 16.0
AFFILIATION_BOX: Final = (53.0, 8.0)
MAX_AFFILIATION_SIZE: Final = 9.5
BADGES_PER_SHEET: Final = 8
CUT_MARKS: Final = "".join(
    f"M{max(x - 4, 0)} {y}H{min(x + 4, 2 * BADGE_WIDTH)}M{x} {max(y - 4, 0)}V{min(y + 4, 4 * BADGE_HEIGHT)}"
    for x, y in product(
        range(0, 2 * BADGE_WIDTH + 1, BADGE_WIDTH), range(0, 4 * BADGE_HEIGHT + 1, BADGE_HEIGHT)
    )
)
"""The path of a cross at each corner of a badge."""
TILES: Final = tuple(f"{number}{suit}" for suit in "mps" for number in range(1, 10))
"""The pictures on badges, by player number: neighbouring badges are easy to tell apart."""


@dataclass(frozen=True)
class Badge:
    player: Player

    @cached_property
    def size(self) -> float:
        width, height = NAME_BOX
        if self.player.second_name:
            height -= SECOND_NAME_BOX[1]
        return largest_size(self.player.full_name, width, height, MAX_NAME_SIZE)

    @property
    def size_class(self) -> str:
        return size_class(self.size)

    @cached_property
    def second_size(self) -> float:
        return largest_size(self.player.second_name, *SECOND_NAME_BOX, MAX_SECOND_NAME_SIZE)

    @property
    def second_class(self) -> str:
        return size_class(self.second_size)

    @property
    def affiliation_class(self) -> str:
        return size_class(self.affiliation_size)

    @property
    def tile(self) -> str:
        return TILES[(self.player.number - 1) % len(TILES)]

    @property
    def country(self) -> str:
        return country_name(self.player.country) if self.player.country else ""

    @property
    def affiliation(self) -> str:
        return self.player.club or self.player.team

    @cached_property
    def affiliation_size(self) -> float:
        return largest_size(self.affiliation, *AFFILIATION_BOX, MAX_AFFILIATION_SIZE)


@dataclass(frozen=True)
class BadgeSheet:
    """The badges of a page."""

    badges: tuple[Badge, ...]

    @property
    def pictures(self) -> Iterator[tuple[str, int, int, str, str]]:
        """Each badge's tile and flag: (path, x, y, width, height)."""
        for at, badge in enumerate(self.badges):
            left, top = at % 2 * BADGE_WIDTH, at // 2 * BADGE_HEIGHT
            yield f"tiles/{badge.tile}.svg", left + 76, top + 6, "8", "10.67"
            if flag := alpha_2(badge.player.country):
                yield f"vendor/flags/{flag}.svg", left + 78, top + 46, "6", "4.5"


def draft_badges(job: DocumentJob) -> Draft:
    """Draft the badges of all players who have not withdrawn, by number. Names are as large as they fit."""
    badges = [Badge(player) for player in expected_players(job.tournament).order_by("number")]
    timestamp = time_text(timezone.now())
    starts = range(0, len(badges), BADGES_PER_SHEET)
    sheets = [BadgeSheet(tuple(badges[at : at + BADGES_PER_SHEET])) for at in starts]
    event_size = largest_size(job.tournament.name, 66.0, 8.0, 9.0)
    sizes = [
        event_size,
        *(size for badge in badges for size in (badge.size, badge.second_size, badge.affiliation_size)),
    ]
    context = {
        "tournament": job.tournament,
        "sheets": sheets,
        "cuts": CUT_MARKS,
        "css": f"{page_css(job.paper)}\n{sizes_css(sizes)}",
        "event_size": size_class(event_size),
    }
    return draft_from_template("documents/badges.html", context, timestamp, pages=len(sheets) or 1)


# --- Certificates ---


INSET = 30.0
"""Left and right margin of a certificate in millimetres; css/paper-certificates.css has the same."""
FIRST_PLACES: Final = (
    gettext_lazy("1st place"),
    gettext_lazy("2nd place"),
    gettext_lazy("3rd place"),
    gettext_lazy("4th place"),
    gettext_lazy("5th place"),
    gettext_lazy("6th place"),
    gettext_lazy("7th place"),
    gettext_lazy("8th place"),
    gettext_lazy("9th place"),
    gettext_lazy("10th place"),
)
FURTHER_PLACES: Final = {
    1: gettext_lazy("%(place)sst place"),
    2: gettext_lazy("%(place)snd place"),
    3: gettext_lazy("%(place)srd place"),
}
"""Last digit → a place from the eleventh on; the others have the ending th."""


@dataclass(frozen=True)
class Certificate:
    """A certificate. `heading`: what it is for; `about`: who `name` is; `lines`: its details."""

    heading: str
    name: str
    about: str
    lines: Sequence[str]
    sheet: Sheet
    tiles: Any = None

    @property
    def name_class(self) -> str:
        return size_class(self.name_size)

    @cached_property
    def name_size(self) -> float:
        return largest_size(self.name, self.sheet.width - 2 * INSET, 30.0, 60.0)


def draft_certificates(job: DocumentJob) -> Draft:
    """Draft certificates for places, the best hand and prizes; with a note while the standings are not final."""
    tournament, design = job.tournament, design_of(job.tournament)
    current, sheet = ranking(tournament, Audience.STAFF), PAPERS[job.paper].landscape
    certificates = list(_certificates(current, design, sheet))
    width = sheet.width - 2 * INSET
    text_size = largest_size(design.text, width, 17.0, 12.0, minimum=6.5)
    event_size = largest_size(tournament.name, width, 15.0, 24.0)
    days = days_text(tournament.starts_on, tournament.ends_on)
    context = {
        "tournament": tournament,
        "certificates": certificates,
        "text": design.text,
        "text_size": size_class(text_size),
        "event_size": size_class(event_size),
        "sizes": sizes_css([text_size, event_size, *(certificate.name_size for certificate in certificates)]),
        "where": _joined(_("Mahjong Competition Rules"), tournament.venue, days),
        "picture": design.file,
        "provisional": _provisional_note(current),
        "sheet": sheet,
    }
    timestamp = time_text(timezone.now())
    return draft_from_template(
        "documents/certificates.html", context, timestamp, pages=len(certificates) or 1
    )


def _certificates(current: Ranking, design: CertificateDesign, sheet: Sheet) -> Iterator[Certificate]:
    """Yield the certificates that the organiser chose, then one for each other prize of who has none of these."""
    winners, rows = winners_of(current.tournament), rows_to_place(current, design.places)
    best = best_hand(current.tournament) if design.best_hand else None
    best_player = best.winner if best else None
    holders = {row.player for row in rows}
    of_hand = [
        winner
        for winner in winners
        if winner.player
        and winner.player == best_player
        and (winner.is_for_hand or winner.player not in holders)
    ]
    for row in rows:
        prizes = [winner for winner in winners if winner.player == row.player and winner not in of_hand]
        yield _certificate_of_place(row, len(current.rows), sheet, prizes)
    if best and best_player:
        holders.add(best_player)
        yield _certificate_of_hand(best, best_player, sheet, of_hand)
    left_out = {Prize.Kind.OVERALL} if design.best_hand else {Prize.Kind.OVERALL, Prize.Kind.BEST_HAND}
    for winner in winners:
        if winner.player not in holders and winner.kind not in left_out:
            yield _certificate_of_prize(winner, current, sheet)


def _prize_lines(winners: Sequence[Winner]) -> list[str]:
    return [_("Prize: {prize}").format(prize=joined(winner.text for winner in winners))] if winners else []


def _about(player: Player) -> str:
    """Return the name in another script, the team or club, and the country."""
    return _joined(player.second_name, player.team or player.club, country_name(player.country))


def _certificate_of_place(
    row: RankingRow, players: int, sheet: Sheet, prizes: Sequence[Winner]
) -> Certificate:
    details = (
        ngettext("of {n} player", "of {n} players", players).format(n=players),
        _("%(table_points)s table points") % {"table_points": table_points(row.standing.table_points)},
        _("%(game_points)s game points") % {"game_points": minus(row.standing.game_points)},
    )
    assert row.standing.rank is not None, "rows_to_place"
    lines = [_joined(*details), *_prize_lines(prizes)]
    heading = _place_text(row.standing.rank)
    return Certificate(heading, row.player.full_name, _about(row.player), lines, sheet)


def _joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def _place_text(place: int) -> str:
    """Return a place as it is read out: "1st place"."""
    if place <= len(FIRST_PLACES):
        return str(FIRST_PLACES[place - 1])
    text = FURTHER_PLACES.get(place % 10) if place % 100 not in (11, 12, 13) else None
    return str(text or _("%(place)sth place")) % {"place": place}


def _certificate_of_hand(
    hand: ListedHand, winner: Player, sheet: Sheet, prizes: Sequence[Winner]
) -> Certificate:
    fans = joined(fan_name(find_fan(fan["key"])) for fan in hand.fans)
    lines = [*filter(None, (points_text(hand.points), fans)), *_prize_lines(prizes)]
    return Certificate(_("Best hand"), winner.full_name, _about(winner), lines, sheet, hand.tiles)


def _certificate_of_prize(winner: Winner, current: Ranking, sheet: Sheet) -> Certificate:
    if winner.player:
        name, about = winner.player.full_name, _about(winner.player)
    else:
        (team,) = (row for row in group_rows(current, "teams") if row.standing.name == winner.name)
        name, about = (
            winner.name,
            _joined(*(member.player.full_name for member in team.members if member.counts)),
        )
    lines = [_place_text(winner.award.place), *_prize_lines([winner])]
    return Certificate(ladder_text(winner.award.ladder), name, about, lines, sheet)


def _provisional_note(current: Ranking) -> str:
    if current.state is State.FINAL:
        return ""
    return _("Not final yet: as of %(time)s") % {"time": time_text(timezone.now())}
