"""What is being announced: to everybody, at a table, to a player."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from tournament.base.access import Audience
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version
from tournament.messages.announcements.models import Announcement
from tournament.play.selectors.public import overview

Place = tuple[int, int]
"""Session and table."""


def standing(tournament: Tournament) -> tuple[Announcement, ...]:
    """All that is being said, to whomever; the newest first."""
    now = timezone.now()
    return tuple(
        announcement
        for announcement in _not_withdrawn(tournament)
        if announcement.ends_at is None or announcement.ends_at > now
    )


@by_version(64)
def _not_withdrawn(tournament: Tournament) -> tuple[Announcement, ...]:
    return tuple(Announcement.objects.filter(tournament=tournament, withdrawn_at=None))


def heard_at(tournament: Tournament, places: Collection[Place] = ()) -> tuple[Announcement, ...]:
    """What is said to everybody and at these tables."""
    return tuple(announcement for announcement in standing(tournament) if is_for(announcement, places))


def is_for(announcement: Announcement, places: Collection[Place]) -> bool:
    """Whether it is said to everybody, or at one of these tables."""
    return not announcement.tables or any(
        (announcement.session, table) in places for table in announcement.tables
    )


def heard_by(player: Player) -> tuple[Announcement, ...]:
    """What is said to everybody and at the tables where the player sits."""
    announcements = standing(player.tournament)
    if not any(announcement.tables for announcement in announcements):
        return announcements
    seats = Seat.objects.filter(player=player)
    places = set(seats.values_list("table__session__number", "table__number"))
    return heard_at(player.tournament, places)


def announcements_section(
    tournament: Tournament, _audience: Audience, table: Table | None, player: Player | None
) -> dict[str, Any]:
    """For the frame of public pages: what is said to its readers, and who these are ("place", empty for everybody)."""
    if player is not None:
        return {"announcements": heard_by(player), "place": {"player": player.number}}
    if table is not None:
        session = table.session.number
        place = {"session": session, "table": table.number}
        return {"announcements": heard_at(tournament, [(session, table.number)]), "place": place}
    return {"announcements": heard_at(tournament), "place": {}}


def announcements_of(tournament: Tournament) -> QuerySet[Announcement]:
    """All that was ever said, the newest first."""
    return tournament.announcements.select_related("made_by")


def session_spoken_of(tournament: Tournament) -> int | None:
    """Whose tables are meant: those of the session being played, else of the next, else of the last."""
    now = overview(tournament)
    session = now.running or now.next or now.last_closed
    return session.number if session else None


def ends_of(tournament: Tournament) -> list[datetime]:
    """The moments at which announcements of a tournament end by themselves."""
    ends = (announcement.ends_at for announcement in _not_withdrawn(tournament))
    return [end for end in ends if end is not None]


def places_of_all(tournament: Tournament) -> dict[int, set[Place]]:
    """Say where every player sits, over all sessions, by the player's pk."""
    seats = Seat.objects.filter(table__session__tournament=tournament)
    places: dict[int, set[Place]] = defaultdict(set)
    for player, session, table in seats.values_list("player", "table__session__number", "table__number"):
        places[player].add((session, table))
    return places
