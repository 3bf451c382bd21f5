"""The official forms of a session: foul record and tabulation, filled with what is known and ruled for the rest.

Halls keep both on paper; the layout is our own. Before the session they are blank but for names and tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from penalties.engine import Sanction
from penalties.models import Penalty
from penalties.texts import name_in, sanction_text
from scoring.texts import joined_parts
from tournament.base.access import Audience, name_of
from tournament.base.errors import refuse
from tournament.base.models.documents import DocumentJob
from tournament.base.models.play import Seat, Session
from tournament.documents.exports.columns import Cell, Column, Kind
from tournament.documents.exports.drafts import Draft
from tournament.documents.exports.listing import Part, column, listing, table
from tournament.documents.exports.notes import hidden_note
from tournament.fouls.selectors.penalties import PenaltyFilter, list_penalties
from tournament.ranking.selectors.session_standings import SessionRow, session_rows
from tournament.web.texts.figures import minus, table_points
from tournament.web.texts.winds import wind_character

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
