"""The official forms of a session, and lists for those who work at an event: the door, the till, the umpires."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from penalties.models import Penalty
from scoring.texts import folded, joined
from tournament.base.access import Audience
from tournament.base.engine.money import ZERO
from tournament.base.errors import Refused
from tournament.base.models.documents import DocumentJob
from tournament.base.models.log import name_of
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session
from tournament.documents.exports.card import card_fouls
from tournament.documents.exports.drafts import Draft, Part, listing, table
from tournament.documents.exports.paper import Cell
from tournament.documents.exports.standings import NOTHING, hidden_note
from tournament.documents.services import NO_SEATS_IN_SESSION
from tournament.dues.exports import DUES
from tournament.dues.selectors import ledgers_by_player, list_ledgers, totals_of
from tournament.fouls.exports import PENALTIES, foul_name
from tournament.fouls.selectors import list_penalties
from tournament.play.selectors.timetable import timetable
from tournament.players.exports.lists import PLAYERS
from tournament.players.selectors.check_in import expected_players
from tournament.ranking.engine.standings import SessionScore
from tournament.ranking.selectors.standings import session_rows
from tournament.staff.selectors import Line, rota_of
from tournament.web.exports.lists import Column, Kind
from tournament.web.texts.words import amount_text, minus, table_points, time_of_day, when, wind_character

# --- The official forms of a session ---


KEPT: Final = {"E": "group kept", "S": "kept", "W": "kept"}
"""Starting wind → the classes of its line: the four of a table stay together."""
BLANK_LINES: Final = 16
"""Fouls that may still be written down by hand."""
ROOM: Final = "\u2003" * 7
"""As wide as a signature."""


def foul_record(job: DocumentJob) -> Draft:
    """Make the foul record: every penalty of the session, and lines for more.

    Halls keep it and the tabulation on paper; the layout is our own. Before the session both are blank but for names
    and tables.
    """
    title = _("Foul record of session %(number)s") % {"number": job.session}
    return listing(job, title, [foul_part(job, title)])


def foul_part(job: DocumentJob, title: str) -> Part:
    penalties = list_penalties(job.tournament, Audience.STAFF, table__session=_session(job))
    columns = [
        *(PENALTIES.column("table"), PENALTIES.column("hand")),
        Column(
            "player",
            _("Player"),
            lambda penalty: f"{penalty.player.number} {penalty.player.name}",
            Kind.NAME,
        ),
        *(FOUL, PENALTIES.column("sanction")),
        Column("umpire", _("Umpire"), lambda penalty: name_of(penalty.given_by) if penalty.given_by else ""),
        Column("signature", _("Signature"), lambda penalty: ROOM),
    ]
    layout = table(
        list(map(_ruled, columns)), [*penalties.order_by("given_at", "id"), *[None] * BLANK_LINES], job
    )
    notes = tuple(hidden_note(job.tournament, {job.session or 0}))
    signs = (_("Chief umpire"),)
    return Part(title, layout, about=_place_and_minutes(job), notes=notes, signs=signs, is_form=True)


def _ruled(column: Column) -> Column:
    """With room to write in, in the lines of no penalty."""
    blank = ROOM if column.kind.wraps else ""
    return replace(column, value=lambda penalty: column.value(penalty) if penalty else blank)


FOUL: Final = replace(
    PENALTIES.column("foul"),
    value=lambda penalty: Cell.of(foul_name(penalty), *[_("cancelled")] * penalty.is_cancelled),
)


def tabulation(job: DocumentJob) -> Draft:
    """Each table with its four players: game points, penalties, place and table points."""
    title = _("Tabulation of session %(number)s") % {"number": job.session}
    return listing(job, title, [_tabulation(job, title)])


def _tabulation(job: DocumentJob, title: str) -> Part:
    session = _session(job)
    seats = list(
        Seat.objects.filter(table__session=session)
        .select_related("player", "table")
        .order_by("table__number", "id")
    )
    row_of = {row.player.number: row for row in session_rows(job.tournament, Audience.STAFF, session.number)}
    fine_of = _fines_at_tables(job, session)

    def total(text: Callable[[Seat, SessionScore], str]) -> Callable[[Seat], Cell]:
        """What the seat came to; nothing before it has begun."""

        def cell(seat: Seat) -> Cell:
            row = row_of.get(seat.player.number)
            return Cell.of(text(seat, row.score), may_change=row.score.provisional) if row else Cell.of("")

        return cell

    def fine(seat: Seat) -> int:
        return fine_of[seat.table.number, seat.player.number]

    columns = [
        Column("table", _("Table"), lambda seat: seat.table.number, Kind.TOTAL),
        Column("seat", _("Seat"), lambda seat: wind_character(seat.wind), Kind.FIGURE),
        Column("number", _("No."), lambda seat: seat.player.number, Kind.FIGURE),
        Column("name", _("Player"), lambda seat: seat.player.name, Kind.NAME),
        Column(
            "from_hands",
            _("From hands"),
            total(lambda seat, score: minus(score.game_points - fine(seat))),
            Kind.TOTAL,
        ),
        Column("penalties", _("Penalties"), total(lambda seat, score: minus(fine(seat))), Kind.TOTAL),
        Column(
            "game_points", _("Game points"), total(lambda seat, score: minus(score.game_points)), Kind.TOTAL
        ),
        Column("place", _("Place"), total(lambda seat, score: str(score.place or NOTHING)), Kind.TOTAL),
        Column(
            "table_points",
            _("Table points"),
            total(lambda seat, score: table_points(score.table_points)),
            Kind.TOTAL,
        ),
    ]
    classes = tuple(KEPT.get(seat.wind, "") for seat in seats)
    notes = (
        *hidden_note(job.tournament, {session.number}),
        _("The hands of a table sum to 0, its table points to %(sum)s.")
        % {"sum": table_points(sum(job.tournament.rules.scale))},
    )
    signs = (_("Scorer"), _("Chief umpire"))
    layout = table(columns, seats, job)
    return Part(title, layout, classes, _place_and_minutes(job), notes=notes, signs=signs, is_form=True)


def _fines_at_tables(job: DocumentJob, session: Session) -> Counter[tuple[int, int]]:
    """(table, player) → the points that penalties gave or took there."""
    fines: Counter[tuple[int, int]] = Counter()
    for penalty in Penalty.objects.filter(table__session=session, cancelled_at=None).select_related("table"):
        for number, points in penalty.effects_at_table.items():
            fines[penalty.table.number, int(number)] += points
    return fines


def _session(job: DocumentJob) -> Session:
    """Refused where its seats were taken back meanwhile."""
    session = job.tournament.sessions.filter(number=job.session or 0).first()
    if session is None:
        raise Refused(NO_SEATS_IN_SESSION("session", session=job.session or 0))
    return session


def _place_and_minutes(job: DocumentJob) -> tuple[str, ...]:
    tournament = job.tournament
    return tuple(filter(None, (tournament.venue, _("%(n)s minutes") % {"n": tournament.minutes})))


# --- Lists for those who work ---


def as_at_the_door(player: Player) -> tuple[str, str, int]:
    """Sort by name: letters with marks among those without."""
    return folded(player.last_name), folded(player.first_name), player.number


BOX = "☐"
TICK = "☑"


def check_in_list(job: DocumentJob) -> Draft:
    """Everybody who is expected, by name, with a box to tick."""
    title = _("Check-in list")
    players = sorted(expected_players(job.tournament), key=as_at_the_door)
    owes = {
        pk: amount_text(due.balance.open)
        for pk, due in ledgers_by_player(job.tournament).items()
        if due.balance.open > 0
    }
    columns = [
        Column("here", _("Here"), lambda player: TICK if player.checked_in_at else BOX, Kind.TOTAL),
        Column("number", _("No."), lambda player: player.number, Kind.FIGURE),
        Column("name", _("Player"), lambda player: player.name, Kind.NAME),
        *(PLAYERS.column(name) for name in ("country", "team", "club")),
        Column("ema_number", _("EMA no."), lambda player: player.ema_number),
        Column("owes", _("Owes"), lambda player: owes.get(player.pk, ""), Kind.FIGURE),
        Column(
            "came",
            _("Came"),
            lambda player: time_of_day(player.checked_in_at) if player.checked_in_at else "",
            Kind.FIGURE,
        ),
    ]
    needed = [
        column
        for column in columns
        if column.name in ("here", "number", "name", "came") or any(map(column.value, players))
    ]
    count = ngettext("%(n)s player", "%(n)s players", len(players)) % {"n": len(players)}
    return listing(job, title, [Part(title, table(needed, players, job), about=(count,))])


def dues_list(job: DocumentJob) -> Draft:
    """Who owes what and who has paid, by name, with the sums."""
    title = _("Dues list")
    ledgers = list_ledgers(job.tournament)
    if not ledgers:
        return listing(job, title, [Part(title, texts=(_("Nobody owes anything."),))])
    currency = ledgers[0].account.currency
    columns = [
        DUES.column("name"),
        replace(DUES.column("category"), label=_("Fee")),
        DUES.column("reference"),
        Column("owed", _("Due"), lambda owes: amount_text(owes.owed), Kind.FIGURE),
        Column("paid", _("Paid"), lambda owes: amount_text(owes.balance.paid), Kind.FIGURE),
        Column("open", _("Still to pay"), lambda owes: amount_text(owes.balance.open), Kind.TOTAL),
        replace(DUES.column("standing"), label=_("State")),
    ]
    sums = totals_of(ledgers).by_fee.values()
    notes = (
        _("Together: due %(due)s, paid %(paid)s, open %(open)s.")
        % {
            "due": amount_text(sum((fee.owed for fee in sums), start=ZERO)),
            "paid": amount_text(sum((fee.paid for fee in sums), start=ZERO)),
            "open": amount_text(sum((fee.open for fee in sums), start=ZERO)),
        },
    )
    return listing(job, title, [Part(title, table(columns, ledgers, job), about=(currency,), notes=notes)])


def umpires(job: DocumentJob) -> Draft:
    """A sheet for each umpire of the rota: their tables by session; on its back the fouls."""
    title = _("Umpires’ tables")
    lines = [line for line in rota_of(job.tournament).lines if line.load_in(job.session)]
    parts = [part for line in lines for part in _umpires_sheet(job, line)]
    if not parts:
        parts = [Part(title, texts=(_("There is no rota yet."),))]
    return listing(job, title, parts)


def _umpires_sheet(job: DocumentJob, line: Line) -> Iterator[Part]:
    times = timetable(job.tournament)

    def starts(session: int) -> str:
        entry = times.of(session)
        return when(entry.starts_at, job.tournament) if entry else ""

    mine = sorted(entry for entry in line.tables.items() if job.session in (None, entry[0]))
    columns = [
        Column("session", _("Session"), lambda session_and_tables: session_and_tables[0], Kind.TOTAL),
        Column("starts", _("Starts"), lambda session_and_tables: starts(session_and_tables[0])),
        Column(
            "tables", _("Tables"), lambda session_and_tables: _tables_of(session_and_tables[1]), Kind.NAME
        ),
    ]
    yield Part(line.name, table(columns, mine, job, turns=False), about=(_("Umpire"),))
    fouls = card_fouls(job.tournament.rules.fouls)
    overleaf = [
        Column("foul", _("Foul"), lambda foul: foul.name, Kind.NAME),
        Column("costs", _("Sanction"), lambda foul: foul.costs),
    ]
    note = _(
        "Figures are points. They are paid to nobody unless a recipient is named; an arrow leads to the next offence."
    )
    yield Part(_("Fouls"), table(overleaf, fouls, job, turns=False), about=(line.name,), notes=(note,))


def _tables_of(tables: list[int] | None) -> str:
    if tables is None:
        return _("plays")
    return joined([str(table) for table in tables]) or "–"
