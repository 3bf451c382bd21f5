"""The official forms of a session, and lists for those who work at an event."""

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
from tournament.documents.exports.drafts import Draft, Part, column, listing, table
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

# --- Forms ---
# The official forms of a session: foul record and tabulation, filled with what is known and ruled for the rest.
#
# Halls keep both on paper; the layout is our own. Before the session they are blank but for names and tables.


KEPT: Final = {"E": "group kept", "S": "kept", "W": "kept"}
"""Starting wind → the classes of its line: the four of a table stay together."""
BLANK_LINES: Final = 16
"""Fouls that may still be written down by hand."""
ROOM: Final = "\u2003" * 7
"""As wide as a signature."""


def foul_record(job: DocumentJob) -> Draft:
    """Every penalty of the session, and lines for more."""
    title = _("Foul record of session %(number)s") % {"number": job.session}
    return listing(job, title, [foul_part(job, title)])


def tabulation(job: DocumentJob) -> Draft:
    """Each table with its four players: game points, penalties, place and table points."""
    title = _("Tabulation of session %(number)s") % {"number": job.session}
    return listing(job, title, [_tabulation(job, title)])


def foul_part(job: DocumentJob, title: str) -> Part:
    wanted = PenaltyFilter(session=_session(job).number)
    found = list(list_penalties(job.tournament, Audience.STAFF, wanted).order_by("given_at", "id"))
    columns = [
        _ruled(Kind.SESSION, _("Table"), [str(one.table.number) for one in found]),
        _ruled(Kind.SESSION, _("Hand"), [str(one.hand_number or "") for one in found]),
        _ruled(Kind.NAME, _("Player"), [f"{one.player.number} {one.player.name}" for one in found]),
        Column(Kind.TEXT, (_("Foul"),), (*(_foul(one) for one in found), *_blank())),
        _ruled(Kind.TEXT, _("Sanction"), [sanction_text(Sanction.from_json(one.sanction)) for one in found]),
        _ruled(Kind.TEXT, _("Umpire"), [name_of(one.given_by) if one.given_by else "" for one in found]),
        _ruled(Kind.TEXT, _("Signature"), [ROOM for _one in found]),
    ]
    notes = tuple(hidden_note(job.tournament, {job.session or 0}))
    signs = (_("Head umpire"),)
    return Part(title, table(columns, job), about=_about(job), notes=notes, signs=signs, is_form=True)


def _foul(one: Penalty) -> Cell:
    name = name_in(one.tournament.rules.fouls, one.foul)
    return Cell.of(name, _("cancelled")) if one.is_cancelled else Cell.of(name)


def _ruled(kind: Kind, heading: str, texts: Sequence[str]) -> Column:
    return Column(kind, (heading,), (*map(Cell.of, texts), *_blank(ROOM if kind.wraps else "")))


def _blank(text: str = ROOM) -> list[Cell]:
    return [Cell.of(text)] * BLANK_LINES


def _tabulation(job: DocumentJob, title: str) -> Part:
    session = _session(job)
    seats = list(
        Seat.objects.filter(table__session=session)
        .select_related("player", "table")
        .order_by("table__number", "id")
    )
    known = {row.player.number: row for row in session_rows(job.tournament, Audience.STAFF, session.number)}
    fined = _fined(job, session)
    rows = [known.get(seat.player.number) for seat in seats]
    taken = [
        fined[seat.table.number, seat.player.number] if row else None
        for seat, row in zip(seats, rows, strict=True)
    ]
    columns = [
        column(Kind.TOTAL, _("Table"), [seat.table.number for seat in seats]),
        column(Kind.SESSION, _("Seat"), [wind_character(seat.wind) for seat in seats]),
        column(Kind.SESSION, _("No."), [seat.player.number for seat in seats]),
        column(Kind.NAME, _("Player"), [seat.player.name for seat in seats]),
        _figures(_("From hands"), rows, [_without(row, fine) for row, fine in zip(rows, taken, strict=True)]),
        _figures(_("Penalties"), rows, [minus(fine) for fine in taken]),
        _figures(_("Game points"), rows, [minus(row.score.game_points) if row else "" for row in rows]),
        _figures(_("Place"), rows, [str(row.score.place or "–") if row else "" for row in rows]),
        _figures(
            _("Table points"), rows, [table_points(row.score.table_points) if row else "" for row in rows]
        ),
    ]
    classes = tuple(KEPT.get(seat.wind, "") for seat in seats)
    notes = (
        *hidden_note(job.tournament, {session.number}),
        _("The hands of a table sum to 0, its table points to %(sum)s.") % {"sum": _scale(job)},
    )
    signs = (_("Scorer"), _("Head umpire"))
    return Part(title, table(columns, job), classes, _about(job), notes=notes, signs=signs, is_form=True)


def _figures(heading: str, rows: Sequence[SessionRow | None], texts: Sequence[str]) -> Column:
    changing = [row is not None and row.score.provisional for row in rows]
    cells = (Cell.of(text, may_change=change) for text, change in zip(texts, changing, strict=True))
    return Column(Kind.TOTAL, (heading,), tuple(cells))


def _without(row: SessionRow | None, fine: int | None) -> str:
    return minus(row.score.game_points - (fine or 0)) if row else ""


def _fined(job: DocumentJob, session: Session) -> Counter[tuple[int, int]]:
    """(table, player) → the points that penalties gave or took there."""
    found: Counter[tuple[int, int]] = Counter()
    for penalty in Penalty.objects.filter(table__session=session, cancelled_at=None).select_related("table"):
        for number, points in penalty.effects_at_table.items():
            found[penalty.table.number, int(number)] += points
    return found


def _scale(job: DocumentJob) -> str:
    return table_points(sum(job.tournament.rules.scale))


def _session(job: DocumentJob) -> Session:
    """Refused where its seats were taken back meanwhile."""
    found = job.tournament.sessions.filter(number=job.session or 0).first()
    if found is None:
        raise refuse("no_seats_in_session", "session", session=job.session or 0)
    return found


def _about(job: DocumentJob) -> tuple[str, ...]:
    one = job.tournament
    minutes = _("%(n)s minutes") % {"n": one.minutes}
    return tuple(filter(None, (one.venue, joined_parts([minutes]))))


# --- Lists ---
# Lists for those who work at an event: the door, the till, and each umpire's tables with the fouls overleaf.


BOX = "☐"
TICK = "☑"


def check_in_list(job: DocumentJob) -> Draft:
    """Everybody who is expected, by name, with a box to tick."""
    title = _("Check-in list")
    players = sorted(
        awaited(job.tournament), key=lambda one: (folded(one.last_name), folded(one.first_name), one.number)
    )
    owing = owed_by_player(job.tournament)
    open_ones = [owing[one.pk].balance.open if one.pk in owing else ZERO for one in players]
    columns: list[Column] = [
        column(Kind.TOTAL, _("Here"), [TICK if one.checked_in_at else BOX for one in players]),
        column(Kind.SESSION, _("No."), [one.number for one in players]),
        column(Kind.NAME, _("Player"), [one.name for one in players]),
    ]
    for heading, texts in (
        (_("Country"), [one.country for one in players]),
        (_("Team"), [one.team for one in players]),
        (_("Club"), [one.club for one in players]),
        (_("EMA no."), [one.ema_number for one in players]),
    ):
        if any(texts):
            columns.append(column(Kind.TEXT, heading, texts))
    if any(amount > 0 for amount in open_ones):
        owed = [amount_text(amount) if amount > 0 else "" for amount in open_ones]
        columns.append(column(Kind.SESSION, _("Owes"), owed))
    times = [time_of_day(one.checked_in_at) if one.checked_in_at else "" for one in players]
    columns.append(column(Kind.SESSION, _("Came"), times))
    said = ngettext("%(n)s player", "%(n)s players", len(players)) % {"n": len(players)}
    return listing(job, title, [Part(title, table(columns, job), about=(said,))])


def dues_list(job: DocumentJob) -> Draft:
    """Who owes what and who has paid, by name, with the sums."""
    title = _("Dues list")
    found = all_owed(job.tournament)
    currency = found[0].account.currency if found else ""
    columns = [
        column(Kind.NAME, _("Name"), [one.name for one in found]),
        column(Kind.TEXT, _("Fee"), [one.due.fee.name if one.due.fee else "" for one in found]),
        column(Kind.TEXT, _("Reference"), [one.due.reference or "" for one in found]),
        column(Kind.SESSION, _("Due"), [amount_text(one.owed) for one in found]),
        column(Kind.SESSION, _("Paid"), [amount_text(one.balance.paid) for one in found]),
        column(Kind.TOTAL, _("Still to pay"), [amount_text(one.balance.open) for one in found]),
        column(Kind.TEXT, _("State"), [STANDINGS[one.standing] for one in found]),
    ]
    sums = accounts_of(found).by_fee.values()
    notes = (
        _("Together: due %(due)s, paid %(paid)s, open %(open)s.")
        % {
            "due": amount_text(sum((one.owed for one in sums), start=ZERO)),
            "paid": amount_text(sum((one.paid for one in sums), start=ZERO)),
            "open": amount_text(sum((one.open for one in sums), start=ZERO)),
        },
    )
    texts = () if found else (_("Nobody owes anything."),)
    about = (currency,) if currency else ()
    return listing(
        job,
        title,
        [
            Part(
                title,
                table(columns, job) if found else None,
                about=about,
                texts=texts,
                notes=notes if found else (),
            )
        ],
    )


def umpires(job: DocumentJob) -> Draft:
    """A sheet for each umpire of the rota: their tables by session; on its back the fouls."""
    title = _("Umpires’ tables")
    lines = [line for line in rota_of(job.tournament).lines if line.load_in(job.session)]
    parts = [part for line in lines for part in _sheet(job, line)]
    if not parts:
        parts = [Part(title, texts=(_("The rota is not made yet: nobody has a table."),))]
    return listing(job, title, parts)


def _sheet(job: DocumentJob, line: Line) -> Iterator[Part]:
    times = timetable(job.tournament)
    mine = sorted(each for each in line.tables.items() if job.session in (None, each[0]))
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
