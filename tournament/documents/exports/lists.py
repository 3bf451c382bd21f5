"""Lists for those who work at an event: the door, the till, and each umpire's tables with the fouls overleaf."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.texts import joined
from scoring.texts.folding import folded
from tournament.base.engine.money import ZERO
from tournament.base.models.documents import DocumentJob
from tournament.documents.exports.card_fouls import card_fouls
from tournament.documents.exports.columns import Column, Kind
from tournament.documents.exports.drafts import Draft
from tournament.documents.exports.listing import Part, column, listing, table
from tournament.dues.selectors.dues import accounts_of, all_owed, owed_by_player
from tournament.dues.texts.money import STANDINGS, figure
from tournament.events.selectors.timetable import timetable
from tournament.players.selectors.check_in import awaited
from tournament.staff.selectors.rota import Line, rota_of
from tournament.web.texts.days import time_of_day, when

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
        owed = [figure(amount) if amount > 0 else "" for amount in open_ones]
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
        column(Kind.SESSION, _("Due"), [figure(one.owed) for one in found]),
        column(Kind.SESSION, _("Paid"), [figure(one.balance.paid) for one in found]),
        column(Kind.TOTAL, _("Still to pay"), [figure(one.balance.open) for one in found]),
        column(Kind.TEXT, _("State"), [STANDINGS[one.standing] for one in found]),
    ]
    sums = accounts_of(found).by_fee.values()
    notes = (
        _("Together: due %(due)s, paid %(paid)s, open %(open)s.")
        % {
            "due": figure(sum((one.owed for one in sums), start=ZERO)),
            "paid": figure(sum((one.paid for one in sums), start=ZERO)),
            "open": figure(sum((one.open for one in sums), start=ZERO)),
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
