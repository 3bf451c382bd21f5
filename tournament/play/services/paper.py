"""Which tables keep their sheets on paper: all of an event, those of a session, or one."""

from __future__ import annotations

from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import refuse
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament


def keep_on_paper(
    tournament: Tournament,
    actor: Actor,
    on_paper: bool | None,
    *,
    session: int | None = None,
    table: int | None = None,
) -> None:
    """Say it of the whole event, of a `session`, or of one `table` of it; None for as the wider one does.

    Nothing that is recorded changes: it decides what the desk is asked for at tables where nothing is.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "kept_on_paper") as write:
        one = _place(write.tournament, session, table)
        wanted = bool(on_paper) if isinstance(one, Tournament) else on_paper
        if one.on_paper == wanted:
            write.unchanged()
            return
        one.on_paper = wanted
        one.save(update_fields=["on_paper"])
        write.data = {"on_paper": wanted}
        if session is not None:
            write.data |= {"session": session} | ({} if table is None else {"table": table})
    tournament.on_paper = write.tournament.on_paper


def _place(tournament: Tournament, session: int | None, table: int | None) -> Tournament | Session | Table:
    if session is None:
        return tournament
    found = tournament.sessions.filter(number=session).first()
    if found is None:
        raise refuse("no_such_session", "session", session=session)
    if table is None:
        return found
    seated = found.tables.filter(number=table).first()
    if seated is None:
        raise refuse("no_such_table", "table", table=table, session=session)
    return seated
