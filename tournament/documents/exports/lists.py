"""The official forms of a session, and lists for those who work at an event: the door, the till, the umpires."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from penalties.engine import Sanction
from penalties.models import Penalty
from penalties.texts import name_in, sanction_text
from scoring.texts import folded, joined, joined_parts
from tournament.base.access import Audience
from tournament.base.engine.money import ZERO
from tournament.base.errors import refuse
from tournament.base.models.documents import DocumentJob
from tournament.base.models.log import name_of
from tournament.base.models.play import Seat, Session
from tournament.documents.exports.card import card_fouls
from tournament.documents.exports.drafts import Draft, Part, column, figures_column, listing, table
from tournament.documents.exports.paper import Cell, Column, Kind
from tournament.documents.exports.standings import hidden_note
from tournament.dues.selectors import accounts_of, all_owed, owed_by_player
from tournament.dues.texts import STANDINGS
from tournament.fouls.selectors import PenaltyFilter, list_penalties
from tournament.play.selectors.timetable import timetable
from tournament.players.selectors.check_in import awaited
from tournament.ranking.selectors.standings import SessionRow, session_rows
from tournament.staff.selectors import Line, rota_of
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
    in_session = PenaltyFilter(session=_session(job).number)
    penalties = list(list_penalties(job.tournament, Audience.STAFF, in_session).order_by("given_at", "id"))
    columns = [
        _ruled_column(Kind.SESSION, _("Table"), [str(penalty.table.number) for penalty in penalties]),
        _ruled_column(Kind.SESSION, _("Hand"), [str(penalty.hand_number or "") for penalty in penalties]),
        _ruled_column(
            Kind.NAME,
            _("Player"),
            [f"{penalty.player.number} {penalty.player.name}" for penalty in penalties],
        ),
        Column(Kind.TEXT, (_("Foul"),), (*(_foul_cell(penalty) for penalty in penalties), *_blank())),
        _ruled_column(
            Kind.TEXT,
            _("Sanction"),
            [sanction_text(Sanction.from_json(penalty.sanction)) for penalty in penalties],
        ),
        _ruled_column(
            Kind.TEXT,
            _("Umpire"),
            [name_of(penalty.given_by) if penalty.given_by else "" for penalty in penalties],
        ),
        _ruled_column(Kind.TEXT, _("Signature"), [ROOM] * len(penalties)),
    ]
    notes = tuple(hidden_note(job.tournament, {job.session or 0}))
    signs = (_("Head umpire"),)
    return Part(
        title, table(columns, job), about=_place_and_minutes(job), notes=notes, signs=signs, is_form=True
    )


def _foul_cell(penalty: Penalty) -> Cell:
    name = name_in(penalty.tournament.rules.fouls, penalty.foul)
    return Cell.of(name, _("cancelled")) if penalty.is_cancelled else Cell.of(name)


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
    rows = [row_of.get(seat.player.number) for seat in seats]
    fines = [
        fine_of[seat.table.number, seat.player.number] if row else None
        for seat, row in zip(seats, rows, strict=True)
    ]
    columns = [
        column(Kind.TOTAL, _("Table"), [seat.table.number for seat in seats]),
        column(Kind.SESSION, _("Seat"), [wind_character(seat.wind) for seat in seats]),
        column(Kind.SESSION, _("No."), [seat.player.number for seat in seats]),
        column(Kind.NAME, _("Player"), [seat.player.name for seat in seats]),
        _figures(
            _("From hands"), rows, [_without_fine(row, fine) for row, fine in zip(rows, fines, strict=True)]
        ),
        _figures(_("Penalties"), rows, [minus(fine) for fine in fines]),
        _figures(_("Game points"), rows, [minus(row.score.game_points) if row else "" for row in rows]),
        _figures(_("Place"), rows, [str(row.score.place or "–") if row else "" for row in rows]),
        _figures(
            _("Table points"), rows, [table_points(row.score.table_points) if row else "" for row in rows]
        ),
    ]
    classes = tuple(KEPT.get(seat.wind, "") for seat in seats)
    notes = (
        *hidden_note(job.tournament, {session.number}),
        _("The hands of a table sum to 0, its table points to %(sum)s.")
        % {"sum": table_points(sum(job.tournament.rules.scale))},
    )
    signs = (_("Scorer"), _("Head umpire"))
    return Part(
        title, table(columns, job), classes, _place_and_minutes(job), notes=notes, signs=signs, is_form=True
    )


def _ruled_column(kind: Kind, heading: str, texts: Sequence[str]) -> Column:
    return Column(kind, (heading,), (*map(Cell.of, texts), *_blank(ROOM if kind.wraps else "")))


def _blank(text: str = ROOM) -> list[Cell]:
    return [Cell.of(text)] * BLANK_LINES


def _figures(heading: str, rows: Sequence[SessionRow | None], texts: Sequence[str]) -> Column:
    return figures_column(heading, texts, [row is not None and row.score.provisional for row in rows])


def _without_fine(row: SessionRow | None, fine: int | None) -> str:
    return minus(row.score.game_points - (fine or 0)) if row else ""


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
        raise refuse("no_seats_in_session", "session", session=job.session or 0)
    return session


def _place_and_minutes(job: DocumentJob) -> tuple[str, ...]:
    tournament = job.tournament
    minutes = _("%(n)s minutes") % {"n": tournament.minutes}
    return tuple(filter(None, (tournament.venue, joined_parts([minutes]))))


# --- Lists for those who work ---


BOX = "☐"
TICK = "☑"


def check_in_list(job: DocumentJob) -> Draft:
    """Everybody who is expected, by name, with a box to tick."""
    title = _("Check-in list")
    players = sorted(
        awaited(job.tournament),
        key=lambda player: (folded(player.last_name), folded(player.first_name), player.number),
    )
    owing = owed_by_player(job.tournament)
    open_amounts = [owing[player.pk].balance.open if player.pk in owing else ZERO for player in players]
    columns: list[Column] = [
        column(Kind.TOTAL, _("Here"), [TICK if player.checked_in_at else BOX for player in players]),
        column(Kind.SESSION, _("No."), [player.number for player in players]),
        column(Kind.NAME, _("Player"), [player.name for player in players]),
    ]
    for heading, texts in (
        (_("Country"), [player.country for player in players]),
        (_("Team"), [player.team for player in players]),
        (_("Club"), [player.club for player in players]),
        (_("EMA no."), [player.ema_number for player in players]),
    ):
        if any(texts):
            columns.append(column(Kind.TEXT, heading, texts))
    if any(amount > 0 for amount in open_amounts):
        amounts = [amount_text(amount) if amount > 0 else "" for amount in open_amounts]
        columns.append(column(Kind.SESSION, _("Owes"), amounts))
    times = [time_of_day(player.checked_in_at) if player.checked_in_at else "" for player in players]
    columns.append(column(Kind.SESSION, _("Came"), times))
    count = ngettext("%(n)s player", "%(n)s players", len(players)) % {"n": len(players)}
    return listing(job, title, [Part(title, table(columns, job), about=(count,))])


def dues_list(job: DocumentJob) -> Draft:
    """Who owes what and who has paid, by name, with the sums."""
    title = _("Dues list")
    all_dues = all_owed(job.tournament)
    currency = all_dues[0].account.currency if all_dues else ""
    columns = [
        column(Kind.NAME, _("Name"), [owed.name for owed in all_dues]),
        column(Kind.TEXT, _("Fee"), [owed.due.fee.name if owed.due.fee else "" for owed in all_dues]),
        column(Kind.TEXT, _("Reference"), [owed.due.reference or "" for owed in all_dues]),
        column(Kind.SESSION, _("Due"), [amount_text(owed.owed) for owed in all_dues]),
        column(Kind.SESSION, _("Paid"), [amount_text(owed.balance.paid) for owed in all_dues]),
        column(Kind.TOTAL, _("Still to pay"), [amount_text(owed.balance.open) for owed in all_dues]),
        column(Kind.TEXT, _("State"), [STANDINGS[owed.standing] for owed in all_dues]),
    ]
    sums = accounts_of(all_dues).by_fee.values()
    notes = (
        _("Together: due %(due)s, paid %(paid)s, open %(open)s.")
        % {
            "due": amount_text(sum((fee.owed for fee in sums), start=ZERO)),
            "paid": amount_text(sum((fee.paid for fee in sums), start=ZERO)),
            "open": amount_text(sum((fee.open for fee in sums), start=ZERO)),
        },
    )
    texts = () if all_dues else (_("Nobody owes anything."),)
    about = (currency,) if currency else ()
    return listing(
        job,
        title,
        [
            Part(
                title,
                table(columns, job) if all_dues else None,
                about=about,
                texts=texts,
                notes=notes if all_dues else (),
            )
        ],
    )


def umpires(job: DocumentJob) -> Draft:
    """A sheet for each umpire of the rota: their tables by session; on its back the fouls."""
    title = _("Umpires’ tables")
    lines = [line for line in rota_of(job.tournament).lines if line.load_in(job.session)]
    parts = [part for line in lines for part in _umpires_sheet(job, line)]
    if not parts:
        parts = [Part(title, texts=(_("The rota is not made yet: nobody has a table."),))]
    return listing(job, title, parts)


def _umpires_sheet(job: DocumentJob, line: Line) -> Iterator[Part]:
    times = timetable(job.tournament)
    mine = sorted(entry for entry in line.tables.items() if job.session in (None, entry[0]))
    entries = [(times.of(session), session, tables) for session, tables in mine]
    columns = [
        column(Kind.TOTAL, _("Session"), [session for _entry, session, _tables in entries]),
        column(
            Kind.TEXT,
            _("Starts"),
            [when(entry.starts_at, job.tournament) if entry else "" for entry, _session, _tables in entries],
        ),
        column(Kind.NAME, _("Tables"), [_tables_of(tables) for _entry, _session, tables in entries]),
    ]
    yield Part(line.name, table(columns, job, turns=False), about=(_("Umpire"),))
    fouls = card_fouls(job.tournament.rules.fouls)
    overleaf = [
        column(Kind.NAME, _("Foul"), [foul.name for foul in fouls]),
        column(Kind.TEXT, _("Sanction"), [foul.costs for foul in fouls]),
    ]
    note = _(
        "Figures are points. They are paid to nobody unless it says to whom; an arrow leads to the next time."
    )
    yield Part(_("Fouls"), table(overleaf, job, turns=False), about=(line.name,), notes=(note,))


def _tables_of(tables: list[int] | None) -> str:
    if tables is None:
        return _("plays")
    return joined([str(table) for table in tables]) or "–"
