"""Keeping how play went in a session from the public, and telling it again."""

from __future__ import annotations

from collections.abc import Collection

from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.play.services.sessions import go_past
from tournament.play.services.tables import fresh


def hide_results(session: Session, actor: Actor) -> Session:
    """From now on the public is not told how play went in this session: before, while or after it is played."""
    access.require_organiser(actor, session.tournament)
    with log.write(session.tournament, actor, "results_hidden") as entry:
        session = fresh(Session.objects.select_related("tournament"), session)
        if session.hidden:
            entry.unchanged()
            return session
        session.hidden = True
        session.save(update_fields=["hidden"])
        entry.data = {"sessions": [session.number]}
    return session


def show_results(session: Session, actor: Actor, *, reason: str = "") -> Session:
    """Open the results of one session."""
    open_results(session.tournament, actor, [session.number], reason=reason)
    session.refresh_from_db(fields=["hidden"])
    return session


def open_results(
    tournament: Tournament,
    actor: Actor,
    sessions: Collection[int] | None = None,
    *,
    reason: str = "",
    seen: Collection[str] | None = None,
) -> list[int]:
    """Tell everybody how play went in these hidden sessions, or in all of them; gives their numbers.

    `reason`, `seen`: as `go_past` has them, where something is still open in those that are closed.
    """
    access.require(actor, tournament, Right.RULE)
    with log.write(tournament, actor, "results_opened") as entry:
        hidden = entry.tournament.sessions.filter(hidden=True)
        if sessions is not None:
            hidden = hidden.filter(number__in=sessions)
        opened = list(hidden.order_by("number").values_list("number", flat=True))
        if not opened:
            entry.unchanged()
            return []
        closed = list(hidden.filter(state=Session.State.CLOSED).order_by("number"))
        entry.data = {"sessions": opened} | go_past(entry.tournament, closed, reason, seen)
        hidden.update(hidden=False)
    return opened
