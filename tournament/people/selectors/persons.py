"""People across tournaments, as everybody may know them, and two of them at one table."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, Exists, OuterRef, QuerySet

from tournament.base.access import Actor, visible_tournaments
from tournament.base.models.people import Person, Player
from tournament.base.models.play import Hand, Seat, Session, Table
from tournament.base.models.tournament import Publication, Tournament
from tournament.people.selectors.known_people import sought
from tournament.play.selectors.totals import Dearest, Statistics, dearest, noted_at

# --- Persons ---
# People across tournaments, as everybody may know them: from public tournaments, without sessions that are hidden.


BEST: Final = 3
"""So many of the dearest hands are shown."""
FOUND: Final = 50
"""So many people are listed."""


@dataclass(frozen=True)
class Entry:
    """One tournament of theirs. Rank and points as they were published; None where nothing was."""

    player: Player
    rank: int | None
    of: int
    table_points: str
    game_points: int
    is_final: bool

    @property
    def tournament(self) -> Tournament:
        return self.player.tournament


@dataclass(frozen=True)
class PersonPage:
    """All that is known of a person, the newest tournament first."""

    person: Person
    entries: tuple[Entry, ...]
    statistics: Statistics
    fans: Mapping[str, int]
    """Key → in how many hands won."""
    best: tuple[Dearest, ...]
    met: tuple[tuple[Person, int], ...]
    """Other people, with at how many tables; the most often met first."""


def public_players() -> QuerySet[Player]:
    """Whose results anybody may put together: no private tournament, none that is invented."""
    everybody = Actor.of(None)
    return Player.objects.filter(tournament__in=visible_tournaments(everybody).filter(is_trial=False))


def public_people(among: QuerySet[Person] | None = None) -> QuerySet[Person]:
    """Those who have played in public, of `among` or of everybody. That is asked last: it costs the most for each."""
    played = public_players().filter(person=OuterRef("pk"))
    everybody = Person.objects.all() if among is None else among
    return everybody.filter(merged_into=None).filter(Exists(played))


def find_people(wanted: str) -> list[Person]:
    """By every word of a name of theirs, or the whole EMA number; nobody who has asked not to be shown."""
    found = public_people(Person.objects.filter(sought(wanted), is_hidden=False))
    return list(found.order_by("last_name", "first_name", "pk")[:FOUND])


def tournaments_of(people: Sequence[Person]) -> Mapping[int, int]:
    """Person's key → at how many tournaments they have played."""
    rows = public_players().filter(person__in=people).order_by().values_list("person").annotate(Count("pk"))
    return dict(rows)


def person_page(person: Person) -> PersonPage:
    """The same number of queries however many tournaments there are."""
    players = list(
        public_players()
        .filter(person=person)
        .select_related("tournament")
        .defer("tournament__rules_snapshot")
        .order_by("-tournament__starts_on", "-pk")
    )
    seats = _persons_seats(players)
    hands = _hands(players, seats)
    keys = {player.pk for player in players}
    won = [hand for hand in hands if hand["winner"] in keys]
    return PersonPage(
        person=person,
        entries=_entries(players, seats),
        statistics=_statistics(hands, won, keys),
        fans=Counter(fan["key"] for hand in won for fan in hand["fans"]),
        best=_best(won, players, seats),
        met=_met(keys, seats),
    )


def shown_seats() -> QuerySet[Seat]:
    """Of sessions that have begun and whose results the public is told."""
    return Seat.objects.filter(table__session__hidden=False).exclude(
        table__session__state=Session.State.PLANNED
    )


def _persons_seats(players: Sequence[Player]) -> list[Seat]:
    found = shown_seats().filter(player__in=players)
    return list(found.select_related("table__session").order_by("table__session__number"))


def _hands(players: Sequence[Player], seats: Sequence[Seat]) -> list[dict[str, Any]]:
    """The hands they have sat through themselves: not those of an empty seat, nor of a stand-in."""
    numbers = {player.pk: player.number for player in players}
    mine = {seat.table_id: seat for seat in seats}
    rows = Hand.objects.filter(table__in=mine, is_current=True).values(
        "id", "table", "number", "winner", "discarder", "points", "fans", "absent"
    )
    return [dict(row) for row in rows if _was_there(row, mine[row["table"]], numbers)]


def _was_there(hand: Mapping[str, Any], seat: Seat, numbers: Mapping[int, int]) -> bool:
    by_stand_in = seat.stand_in_from is not None and hand["number"] >= seat.stand_in_from
    return not by_stand_in and numbers[seat.player_id] not in hand["absent"]


def _statistics(
    hands: Sequence[Mapping[str, Any]], won: Sequence[Mapping[str, Any]], keys: set[int]
) -> Statistics:
    dealt_in = [hand for hand in hands if hand["discarder"] in keys]
    return Statistics(
        hands=len(hands),
        won=len(won),
        self_drawn=sum(hand["discarder"] is None for hand in won),
        dealt_in=len(dealt_in),
        won_points=sum(hand["points"] for hand in won),
        dealt_in_points=sum(hand["points"] for hand in dealt_in),
    )


def _best(
    won: Sequence[Mapping[str, Any]], players: Sequence[Player], seats: Sequence[Seat]
) -> tuple[Dearest, ...]:
    """The dearest, the earliest of equals first, then those that are only noted: not where a stand-in sat, too, who may
    have won it."""
    keys = [hand["id"] for hand in sorted(won, key=lambda hand: (-hand["points"], hand["id"]))[:BEST]]
    found = Hand.objects.select_related("table__session__tournament", "winner", "discarder")
    by_key = found.defer("table__session__tournament__rules_snapshot").in_bulk(keys)
    alone = [seat.table_id for seat in seats if seat.stand_in_from is None]
    noted = noted_at(Table.objects.filter(pk__in=alone), players)
    return tuple(dearest([by_key[key] for key in keys], noted)[:BEST])


def _entries(players: Sequence[Player], seats: Sequence[Seat]) -> tuple[Entry, ...]:
    published = _published(players)
    played: dict[int, int] = defaultdict(int)
    for seat in seats:
        played[seat.player_id] += seat.game_points
    return tuple(_entry(player, published.get(player.tournament_id), played[player.pk]) for player in players)


def _entry(player: Player, told: Publication | None, points: int) -> Entry:
    row = next((row for row in told.rows if row["number"] == player.number), None) if told else None
    if told is None or row is None:
        return Entry(player, None, 0, "", points, False)
    return Entry(player, row["rank"], len(told.rows), row["table_points"], row["game_points"], told.is_final)


def _published(players: Sequence[Player]) -> dict[int, Publication]:
    """Tournament → the newest standings that were published, none that a hidden session is in."""
    events = {player.tournament_id for player in players}
    hidden: dict[int, int] = {}
    for event, number in Session.objects.filter(tournament__in=events, hidden=True).values_list(
        "tournament", "number"
    ):
        hidden[event] = min(number, hidden.get(event, number))
    found = {}
    for one in Publication.objects.filter(tournament__in=events).order_by("version"):
        if one.after_session < hidden.get(one.tournament_id, one.after_session + 1):
            found[one.tournament_id] = one
    return found


def _met(keys: set[int], seats: Sequence[Seat]) -> tuple[tuple[Person, int], ...]:
    tables = [seat.table_id for seat in seats]
    others = Seat.objects.filter(table__in=tables, player__person__isnull=False).exclude(player__in=keys)
    people: dict[int, Person] = {}
    times: Counter[int] = Counter()
    for seat in others.select_related("player__person"):
        person = seat.player.person
        assert person is not None
        people[person.pk] = person
        times[person.pk] += 1
    order = sorted(times.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple((people[key], n) for key, n in order)


# --- Two people at one table: every table they shared, and what one won of the other ---


@dataclass(frozen=True)
class Together:
    """A table at which both sat, with the game points of each there."""

    table: Table
    one: Seat
    other: Seat

    @property
    def ahead(self) -> int:
        """1 where the one made more points there, −1 the other, 0 neither."""
        return (self.one.game_points > self.other.game_points) - (
            self.one.game_points < self.other.game_points
        )


@dataclass(frozen=True)
class HeadToHead:
    one: Person
    other: Person
    tables: tuple[Together, ...]
    """The newest first."""
    won_off: tuple[int, int]
    """Hands that each won by the other's discard."""

    @property
    def ahead(self) -> tuple[int, int]:
        """At how many tables each made more points."""
        return tuple(sum(each.ahead == who for each in self.tables) for who in (1, -1))  # type: ignore[return-value]

    @property
    def points(self) -> tuple[int, int]:
        return sum(each.one.game_points for each in self.tables), sum(
            each.other.game_points for each in self.tables
        )


def head_to_head(one: Person, other: Person) -> HeadToHead:
    """In three queries."""
    mine, theirs = _head_to_head_seats(one), _head_to_head_seats(other)
    shared = [Together(mine[table].table, mine[table], theirs[table]) for table in mine if table in theirs]
    shared.sort(key=lambda each: (each.table.session.tournament.starts_on, each.table.pk), reverse=True)
    return HeadToHead(one, other, tuple(shared), _won_off(shared))


def _head_to_head_seats(person: Person) -> Mapping[int, Seat]:
    """Table → their seat there."""
    found = shown_seats().filter(player__in=public_players().filter(person=person))
    found = found.select_related("table__session__tournament", "player")
    return {seat.table_id: seat for seat in found.defer("table__session__tournament__rules_snapshot")}


def _won_off(shared: Sequence[Together]) -> tuple[int, int]:
    mine = {each.one.player_id for each in shared}
    theirs = {each.other.player_id for each in shared}
    pairs = list(
        Hand.objects.filter(
            table__in=[each.table.pk for each in shared], is_current=True, winner__in=mine | theirs
        ).values_list("winner", "discarder")
    )
    return (
        sum(winner in mine and discarder in theirs for winner, discarder in pairs),
        sum(winner in theirs and discarder in mine for winner, discarder in pairs),
    )
