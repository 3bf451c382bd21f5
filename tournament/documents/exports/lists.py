"""Official forms of a session, and lists for check-in, treasurer and umpires."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from penalties.models import Penalty
from scoring.texts import folded, joined
from tournament.base.engine.money import ZERO
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.models.documents import DocumentJob
from tournament.base.models.log import name_of
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session
from tournament.documents.exports.card import card_fouls
from tournament.documents.exports.drafts import Draft, Part, draft_listing, fit_table
from tournament.documents.exports.paper import Cell
from tournament.documents.exports.standings import DASH, hidden_session_notes
from tournament.documents.services import NO_SEATS_IN_SESSION
from tournament.dues.exports import DUES
from tournament.dues.selectors import ledgers_by_player, list_ledgers, totals_of
from tournament.fouls.exports import PENALTIES, foul_name
from tournament.fouls.selectors import list_penalties
from tournament.play.selectors.timetable import timetable
from tournament.players.exports.lists import PLAYERS
from tournament.players.selectors.check_in import expected_players
from tournament.ranking.engine.standings import SessionScore
from tournament.ranking.selectors.ranking import session_rows
from tournament.staff.selectors import RotaLine, rota_of
from tournament.web.exports.lists import Column, Kind
from tournament.web.texts.words import amount_text, minus, table_points, time_of_day, when, wind_character

# --- The official forms of a session ---


ROW_CLASSES: Final = {"E": "group keep-with-next", "S": "keep-with-next", "W": "keep-with-next"}
"""Starting wind → CSS classes that keep the four rows of a table on one page."""
BLANK_ROWS: Final = 16
"""Rows for fouls written down by hand."""
SIGNATURE_SPACE: Final = "\u2003" * 7


def draft_foul_record(job: DocumentJob) -> Draft:
    """Draft the foul record: every penalty of the session so far, and blank rows for more."""
    title = _("Foul record of session %(number)s") % {"number": job.session}
    return draft_listing(job, title, [_foul_record_part(job, title)])


def _foul_record_part(job: DocumentJob, title: str) -> Part:
    penalties = list_penalties(job.tournament, Audience.STAFF, table__session=_session(job))
    columns = [
        *(PENALTIES.column("table"), PENALTIES.column("hand")),
        Column(
            "player",
            _("Player"),
            lambda penalty: f"{penalty.player.number} {penalty.player.full_name}",
            Kind.NAME,
        ),
        *(FOUL, PENALTIES.column("sanction")),
        Column("umpire", _("Umpire"), lambda penalty: name_of(penalty.given_by) if penalty.given_by else ""),
        Column("signature", _("Signature"), lambda penalty: SIGNATURE_SPACE),
    ]
    layout = fit_table(
        list(map(_with_blank_rows, columns)),
        [*penalties.order_by("given_at", "id"), *[None] * BLANK_ROWS],
        job,
    )
    notes = tuple(hidden_session_notes(job.tournament, {job.session or 0}))
    signatures = (_("Chief umpire"),)
    details = _venue_and_minutes(job)
    return Part(title, layout, details=details, notes=notes, signatures=signatures, is_form=True)


def _with_blank_rows(column: Column) -> Column:
    """Return the column for rows that may be None, with space to write in."""
    blank = SIGNATURE_SPACE if column.kind.wraps else ""
    return replace(column, value=lambda penalty: column.value(penalty) if penalty else blank)


FOUL: Final = replace(
    PENALTIES.column("foul"),
    value=lambda penalty: Cell.of(foul_name(penalty), *[_("cancelled")] * penalty.is_cancelled),
)


def draft_tabulation(job: DocumentJob) -> Draft:
    """Draft the paper of points so far: game points, penalties, place and table points of each seat."""
    title = _("Points so far, session %(number)s") % {"number": job.session}
    return draft_listing(job, title, [_tabulation_part(job, title)])


def _tabulation_part(job: DocumentJob, title: str) -> Part:
    session = _session(job)
    seats = list(
        Seat.objects.filter(table__session=session)
        .select_related("player", "table")
        .order_by("table__number", "id")
    )
    row_of = {row.player.number: row for row in session_rows(job.tournament, Audience.STAFF, session.number)}
    penalty_points_of = _penalty_points(session)

    def total(text: Callable[[Seat, SessionScore], str]) -> Callable[[Seat], str]:
        """Return the value of a column; blank before the table has begun."""

        def figure(seat: Seat) -> str:
            row = row_of.get(seat.player.number)
            return text(seat, row.score) if row else ""

        return figure

    def penalty_points(seat: Seat) -> int:
        return penalty_points_of[seat.table.number, seat.player.number]

    columns = [
        Column("table", _("Table"), lambda seat: seat.table.number, Kind.TOTAL),
        Column("seat", _("Seat"), lambda seat: wind_character(seat.wind), Kind.FIGURE),
        Column("number", _("No."), lambda seat: seat.player.number, Kind.FIGURE),
        Column("name", _("Player"), lambda seat: seat.player.name, Kind.NAME),
        Column(
            "from_hands",
            _("From hands"),
            total(lambda seat, score: minus(score.game_points - penalty_points(seat))),
            Kind.TOTAL,
        ),
        Column(
            "penalties", _("Penalties"), total(lambda seat, score: minus(penalty_points(seat))), Kind.TOTAL
        ),
        Column(
            "game_points", _("Game points"), total(lambda seat, score: minus(score.game_points)), Kind.TOTAL
        ),
        Column("place", _("Place"), total(lambda seat, score: str(score.place or DASH)), Kind.TOTAL),
        Column(
            "table_points",
            _("Table points"),
            total(lambda seat, score: table_points(score.table_points)),
            Kind.TOTAL,
        ),
    ]
    classes = tuple(ROW_CLASSES.get(seat.wind, "") for seat in seats)
    notes = (
        *hidden_session_notes(job.tournament, {session.number}),
        _("The hands of a table add up to 0, its table points to %(sum)s.")
        % {"sum": table_points(sum(job.tournament.rules.scale))},
    )
    signatures = (_("Scorer"), _("Chief umpire"))
    layout = fit_table(columns, seats, job)
    details = _venue_and_minutes(job)
    return Part(title, layout, classes, details, notes=notes, signatures=signatures, is_form=True)


def _penalty_points(session: Session) -> Counter[tuple[int, int]]:
    """Return (table, player) → the points that penalties gave or took."""
    points_of: Counter[tuple[int, int]] = Counter()
    for penalty in Penalty.objects.filter(table__session=session, cancelled_at=None).select_related("table"):
        for number, points in penalty.effects_at_table.items():
            points_of[penalty.table.number, int(number)] += points
    return points_of


def _session(job: DocumentJob) -> Session:
    """Return the job's session. Raises Refused if its draw was undone since the request."""
    session = job.tournament.sessions.filter(number=job.session or 0).first()
    if session is None:
        raise Refused(NO_SEATS_IN_SESSION("session", session=job.session or 0))
    return session


def _venue_and_minutes(job: DocumentJob) -> tuple[str, ...]:
    tournament = job.tournament
    return tuple(filter(None, (tournament.venue, _("%(n)s minutes") % {"n": tournament.minutes})))


# --- Lists for staff ---


def name_sort_key(player: Player) -> tuple[str, str, int]:
    """Return a key to sort by name, ignoring accents."""
    return folded(player.last_name), folded(player.first_name), player.number


BOX = "☐"
TICK = "☑"


def draft_check_in_list(job: DocumentJob) -> Draft:
    """Draft the list of all expected players by name, with a box to tick."""
    title = _("Check-in list")
    players = sorted(expected_players(job.tournament), key=name_sort_key)
    open_amounts = {
        pk: amount_text(due.balance.open)
        for pk, due in ledgers_by_player(job.tournament).items()
        if due.balance.open > 0
    }
    columns = [
        Column("here", _("Present"), lambda player: TICK if player.checked_in_at else BOX, Kind.TOTAL),
        Column("number", _("No."), lambda player: player.number, Kind.FIGURE),
        Column("name", _("Player"), lambda player: player.name, Kind.NAME),
        *(PLAYERS.column(name) for name in ("country", "team", "club")),
        Column("ema_number", _("EMA no."), lambda player: player.ema_number),
        Column("owes", _("Unpaid"), lambda player: open_amounts.get(player.pk, ""), Kind.FIGURE),
        Column(
            "came",
            _("Arrived"),
            lambda player: time_of_day(player.checked_in_at) if player.checked_in_at else "",
            Kind.FIGURE,
        ),
    ]
    columns = [
        column
        for column in columns
        if column.name in ("here", "number", "name", "came") or any(map(column.value, players))
    ]
    count = ngettext("%(n)s player", "%(n)s players", len(players)) % {"n": len(players)}
    return draft_listing(job, title, [Part(title, fit_table(columns, players, job), details=(count,))])


def draft_dues_list(job: DocumentJob) -> Draft:
    """Draft the list of dues, paid and open amounts by name, with their sums."""
    title = _("List of payments")
    ledgers = list_ledgers(job.tournament)
    if not ledgers:
        return draft_listing(job, title, [Part(title, texts=(_("Nobody has anything to pay."),))])
    currency = ledgers[0].account.currency
    columns = [
        DUES.column("name"),
        DUES.column("category"),
        DUES.column("reference"),
        Column("owed", _("Price"), lambda ledger: amount_text(ledger.owed), Kind.FIGURE),
        Column("paid", _("Paid"), lambda ledger: amount_text(ledger.balance.paid), Kind.FIGURE),
        Column("open", _("Unpaid"), lambda ledger: amount_text(ledger.balance.open), Kind.TOTAL),
        replace(DUES.column("standing"), label=_("State")),
    ]
    sums = totals_of(ledgers).by_fee.values()
    notes = (
        _("Total: %(due)s to pay, %(paid)s paid, %(open)s unpaid.")
        % {
            "due": amount_text(sum((fee.owed for fee in sums), start=ZERO)),
            "paid": amount_text(sum((fee.paid for fee in sums), start=ZERO)),
            "open": amount_text(sum((fee.open for fee in sums), start=ZERO)),
        },
    )
    part = Part(title, fit_table(columns, ledgers, job), details=(currency,), notes=notes)
    return draft_listing(job, title, [part])


def draft_umpires_tables(job: DocumentJob) -> Draft:
    """Draft a sheet for each umpire of the rota: their tables by session on the front, the fouls on the back."""
    title = _("Umpires’ tables")
    lines = [line for line in rota_of(job.tournament).lines if line.load_in(job.session)]
    parts = [part for line in lines for part in _umpire_parts(job, line)]
    if not parts:
        parts = [Part(title, texts=(_("There is no rota yet."),))]
    return draft_listing(job, title, parts)


def _umpire_parts(job: DocumentJob, line: RotaLine) -> Iterator[Part]:
    times = timetable(job.tournament)

    def starts(session: int) -> str:
        entry = times.of(session)
        return when(entry.starts_at, job.tournament) if entry else ""

    tables_by_session = sorted(entry for entry in line.tables.items() if job.session in (None, entry[0]))
    columns = [
        Column("session", _("Session"), lambda session_and_tables: session_and_tables[0], Kind.TOTAL),
        Column("starts", _("Starts"), lambda session_and_tables: starts(session_and_tables[0])),
        Column(
            "tables", _("Tables"), lambda session_and_tables: _tables_text(session_and_tables[1]), Kind.NAME
        ),
    ]
    yield Part(
        line.name, fit_table(columns, tables_by_session, job, can_rotate=False), details=(_("Umpire"),)
    )
    fouls = card_fouls(job.tournament.rules.fouls)
    foul_columns = [
        Column("foul", _("Foul"), lambda foul: foul.name, Kind.NAME),
        Column("costs", _("Sanction"), lambda foul: foul.costs),
    ]
    note = _(
        "Figures are points. They are paid to nobody unless a recipient is named; an arrow leads to the next offence."
    )
    yield Part(
        _("Fouls"), fit_table(foul_columns, fouls, job, can_rotate=False), details=(line.name,), notes=(note,)
    )


def _tables_text(tables: list[int] | None) -> str:
    if tables is None:
        return _("plays")
    return joined([str(table) for table in tables]) or DASH
