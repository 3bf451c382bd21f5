"""Who is counted as a player of a tournament, and seats that nobody would sit in."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from tournament.base.models.people import Player
from tournament.base.models.play import Absence, Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.ranking.engine.standings import TableResult

# --- Who is counted as a player of a tournament: one definition for every page, document and program ---


def _never_came() -> QuerySet[Absence]:
    """The seats that stayed empty, or were a stand-in's, from the gong on."""
    return Absence.objects.filter(arrived_at=None, taken_back_at=None)


def _played() -> Exists:
    """Whether the player sat at a table with a hand, or with totals from paper, in a session that began before they
    withdrew."""
    absent = _never_came().filter(table=OuterRef("table"), player=OuterRef("player"))
    return Exists(
        Seat.objects.filter(
            Q(table__hands_played__gt=0) | Q(table__counts_totals=True),
            ~Exists(absent),
            player=OuterRef("pk"),
            table__session__started_at__lte=OuterRef("withdrawn_at"),
        )
    )


def taking_part() -> QuerySet[Player]:
    """The players of every tournament who take part: all but substitutes and those who withdrew before they had
    played."""
    return Player.objects.filter(Q(withdrawn_at=None) | _played(), is_substitute=False)


def how_many_take_part() -> Coalesce:
    """To annotate tournaments with; counted one by one, for a count of joined rows groups by every column."""
    theirs = taking_part().filter(tournament=OuterRef("pk")).order_by().values("tournament")
    return Coalesce(Subquery(theirs.annotate(n=Count("pk")).values("n")), 0)


def players_of(tournament: Tournament) -> QuerySet[Player]:
    """Those of one tournament, by number."""
    return taking_part().filter(tournament=tournament)


def have_played(tournament: Tournament, results: Iterable[TableResult]) -> set[int]:
    """The numbers of the players who sat at one of these tables themselves: who is ranked is among them.

    A player who never came to the table has not played, unless a stand-in's result is theirs; one who left it has.
    """
    absences = _never_came().filter(table__session__tournament=tournament)
    absent = set(absences.values_list("table__session__number", "player__number"))
    return {
        seat.player
        for table in results
        for seat in table.seats
        if seat.placed or (table.session, seat.player) not in absent
    }


# --- Seats that nobody would sit in: the player has withdrawn, and no stand-in is named ---


def seats_left(session: Session) -> QuerySet[Seat]:
    """The seats of players who have withdrawn, stand-ins or not, in the order of the tables."""
    seats = Seat.objects.filter(table__session=session, player__withdrawn_at__isnull=False)
    return seats.select_related("player", "table").order_by("table__number", "id")


def vacant_seats(session: Session) -> QuerySet[Seat]:
    """Those of them without a stand-in: with one of these a session does not start."""
    return seats_left(session).filter(stand_in="")
