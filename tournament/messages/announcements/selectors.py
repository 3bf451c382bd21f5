"""Active announcements: all of them, at a table, to a player."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from tournament.base.engine.notices import Audience
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version
from tournament.messages.announcements.models import Announcement
from tournament.play.selectors.public import overview

Place = tuple[int, int]
"""Numbers of session and table."""


def active_announcements(tournament: Tournament) -> tuple[Announcement, ...]:
    """Return the active announcements, newest first."""
    now = timezone.now()
    return tuple(
        announcement
        for announcement in _not_cancelled(tournament)
        if announcement.ends_at is None or announcement.ends_at > now
    )


@by_version(64)
def _not_cancelled(tournament: Tournament) -> tuple[Announcement, ...]:
    return tuple(Announcement.objects.filter(tournament=tournament, cancelled_at=None))


def announcements_for_tables(
    tournament: Tournament, places: Collection[Place] = ()
) -> tuple[Announcement, ...]:
    """Return the active announcements to everybody and to these tables."""
    return tuple(
        announcement
        for announcement in active_announcements(tournament)
        if is_addressed_to(announcement, places)
    )


def is_addressed_to(announcement: Announcement, places: Collection[Place]) -> bool:
    """Whether it is for everybody, or for one of these tables."""
    return not announcement.tables or any(
        (announcement.session, table) in places for table in announcement.tables
    )


def announcements_for_player(player: Player) -> tuple[Announcement, ...]:
    """Return the active announcements to everybody and to the tables where the player sits."""
    announcements = active_announcements(player.tournament)
    if not any(announcement.tables for announcement in announcements):
        return announcements
    seats = Seat.objects.filter(player=player)
    places = set(seats.values_list("table__session__number", "table__number"))
    return announcements_for_tables(player.tournament, places)


def announcements_section(
    tournament: Tournament, _audience: Audience, table: Table | None, player: Player | None
) -> dict[str, Any]:
    """Return the context of public pages: `announcements`, and `place`, the query that refreshes them."""
    if player is not None:
        return {"announcements": announcements_for_player(player), "place": {"player": player.number}}
    if table is not None:
        place = {"session": table.session.number, "table": table.number}
        announcements = announcements_for_tables(tournament, [(place["session"], place["table"])])
        return {"announcements": announcements, "place": place}
    return {"announcements": announcements_for_tables(tournament), "place": {}}


def all_announcements(tournament: Tournament) -> QuerySet[Announcement]:
    """Return every announcement, newest first."""
    return tournament.announcements.select_related("made_by")


def session_for_tables(tournament: Tournament) -> int | None:
    """Return the number of the session whose tables are addressed: the running one, else the next, else the last."""
    now = overview(tournament)
    session = now.running or now.next or now.last_closed
    return session.number if session else None


def announcement_ends(tournament: Tournament) -> list[datetime]:
    """Return the times at which announcements end by themselves."""
    ends = (announcement.ends_at for announcement in _not_cancelled(tournament))
    return [end for end in ends if end is not None]


def places_by_player(tournament: Tournament) -> dict[int, set[Place]]:
    """Return the pk of each player → their tables in all sessions."""
    seats = Seat.objects.filter(table__session__tournament=tournament)
    places: dict[int, set[Place]] = defaultdict(set)
    for player, session, table in seats.values_list("player", "table__session__number", "table__number"):
        places[player].add((session, table))
    return places
