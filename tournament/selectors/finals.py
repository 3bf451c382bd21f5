"""Who plays in which session once there are finals."""

from __future__ import annotations

from django.db.models import QuerySet

from tournament.models import Final, Player, Session, Tournament


def final_of(tournament: Tournament, session: int) -> Final | None:
    """The final that a session belongs to; None when it is for everybody."""
    return tournament.finals.filter(after_session__lt=session).last()


def players_in(tournament: Tournament, session: int) -> QuerySet[Player]:
    """The players who are to play a session: the finalists, or everybody, without those who have withdrawn."""
    here = tournament.players.filter(withdrawn_at=None)
    final = final_of(tournament, session)
    return here if final is None else here.filter(number__in=final.numbers)


def may_have_finals(tournament: Tournament) -> bool:
    """Whether a final can be set up now: after the newest session closed, none being played."""
    newest = tournament.sessions.exclude(state=Session.State.PLANNED).last()
    if newest is None or newest.state != Session.State.CLOSED:
        return False
    return not tournament.finals.filter(after_session=newest.number).exists()


def last_for_everybody(tournament: Tournament) -> int | None:
    """The last session before the first final; None when there is no final."""
    first = tournament.finals.first()
    return first.after_session if first else None
