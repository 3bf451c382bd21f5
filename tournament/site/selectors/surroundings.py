"""What stands around every public page of a tournament: the links, what staff alone see, what is being said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tournament.base.access import Audience
from tournament.base.models.people import Player
from tournament.base.models.play import Session, Table
from tournament.base.models.registration import RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import hidden_sessions
from tournament.fouls.selectors import penalties_of
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.selectors import heard_at, heard_by


@dataclass(frozen=True)
class Surroundings:
    session: Session | None
    """The one people want to look at: being played, else the last one closed, else the first."""
    has_penalties: bool
    """Whether there are penalties that everybody may see."""
    hidden: tuple[int, ...]
    """For staff: the sessions whose results the public does not see."""
    heard: tuple[Announcement, ...]
    """What is said to the readers of the page."""
    is_registering: bool = False
    """Whether people register, or did, and play has not begun."""
    place: Mapping[str, int] = field(default_factory=dict)
    """Who they are: {"player"}, {"session", "table"}, or everybody."""


def surroundings(
    tournament: Tournament, audience: Audience, *, table: Table | None = None, player: Player | None = None
) -> Surroundings:
    """Those of a page; of the page of a table, or of a player, with what is said there."""
    heard, place = _said(tournament, table, player)
    hidden = sorted(hidden_sessions(tournament)) if audience is Audience.STAFF else ()
    has_penalties = tournament.penalties_public and penalties_of(tournament, audience).exists()
    session = _session(tournament)
    return Surroundings(
        session, has_penalties, tuple(hidden), heard, _is_registering(tournament, session), place
    )


def _is_registering(tournament: Tournament, session: Session | None) -> bool:
    has_begun = session is not None and session.state != Session.State.PLANNED
    return not has_begun and RegistrationPlan.objects.filter(tournament=tournament).exists()


def _said(
    tournament: Tournament, table: Table | None, player: Player | None
) -> tuple[tuple[Announcement, ...], dict[str, int]]:
    if player is not None:
        return heard_by(player), {"player": player.number}
    if table is not None:
        at = (table.session.number, table.number)
        return heard_at(tournament, [at]), {"session": at[0], "table": at[1]}
    return heard_at(tournament), {}


def _session(tournament: Tournament) -> Session | None:
    sessions = list(tournament.sessions.all())
    for state in (Session.State.RUNNING, Session.State.CLOSED):
        if found := [session for session in sessions if session.state == state]:
            return found[-1]
    return sessions[0] if sessions else None
