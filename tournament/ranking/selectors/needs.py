"""What a player needs for a better place at the table or a better rank."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from django.db.models import Prefetch

from tournament.base.engine.rules import DEFAULT_ORDER, HANDS_PER_SESSION, SHARED_PLACE, table_points
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version, hidden_from
from tournament.play.selectors.absences import place_flags
from tournament.ranking.engine.finals import NeededPoints, PlayerTotal, place_needs, rank_needs
from tournament.ranking.engine.standings import (
    Standing,
)
from tournament.ranking.selectors.ranking import Ranking


@dataclass(frozen=True)
class Goal:
    """A place or a rank, and the hands that reach it."""

    number: int
    self_drawn: int | None
    discards: tuple[tuple[tuple[Player, ...], int], ...]
    """(players whose discard is worth the same, points), the cheapest first; only discards that reach the goal."""
    behind: tuple[Player, int] | None = None
    """The player who has the place at the table now, and the difference in points."""

    @property
    def possible(self) -> bool:
        return self.self_drawn is not None or bool(self.discards)


@dataclass(frozen=True)
class PlayerNeeds:
    places: tuple[Goal, ...]
    """Every better place at the table, the first one first; empty for the leader."""
    compute_rank: Callable[[], Goal | None]

    @cached_property
    def rank(self) -> Goal | None:
        """Return the rank asked for; None without a rank, or where the criteria are not the default two.

        Computed when it is shown, since it compares all players.
        """
        return self.compute_rank()


def player_needs(ranking: Ranking, seat: Seat, rank: int | None = None) -> PlayerNeeds | None:
    """Return what the player at this seat needs, at the table as it is now; only players with a place there are rivals.

    None once the table has played or handed in its hands, where it records on paper, for an absent player, and if the
    scores are hidden from the ranking's audience.
    """
    if seat.table.session.number in hidden_from(ranking.audience, ranking.tournament):
        return None
    table, seats, has_place = _table_now(ranking.tournament, seat.table_id)
    if table.is_in or table.is_on_paper or table.hands_played >= HANDS_PER_SESSION or seat.stand_in:
        return None
    own = next(place for place, other in enumerate(seats) if other.pk == seat.pk)
    if not has_place[own]:
        return None
    scores = [other.game_points for other in seats]
    places = place_needs(scores, own, ranking.tournament.rules.scoring, placed=has_place)
    rivals = [other for other, counts in zip(seats, has_place, strict=True) if counts and other.pk != seat.pk]
    return PlayerNeeds(
        places=tuple(
            _goal(number, needs, seats, _place_holder(number, seats[own], rivals))
            for number, needs in places.items()
        ),
        compute_rank=partial(_rank_goal, ranking, seats, has_place, own, rank),
    )


@by_version(512)
def _table_now(tournament: Tournament, table_id: int) -> tuple[Table, list[Seat], list[bool]]:
    """Return a table with its seats and who takes a place there: its four players ask after every hand."""
    tables = Table.objects.select_related("session__tournament")
    table = tables.prefetch_related(Prefetch("seats", Seat.objects.select_related("player"))).get(pk=table_id)
    seats = list(table.seats.all())
    return table, seats, place_flags(table, seats)


def _place_holder(place: int, own: Seat, rivals: Sequence[Seat]) -> tuple[Player, int] | None:
    ahead = sorted(rivals, key=lambda seat: -seat.game_points)[place - 1]
    return ahead.player, ahead.game_points - own.game_points


def _rank_goal(
    ranking: Ranking, seats: Sequence[Seat], has_place: Sequence[bool], own: int, rank: int | None
) -> Goal | None:
    line = ranking.find(seats[own].player.number)
    criteria = tuple(key for key in ranking.tournament.rules.criteria if key != SHARED_PLACE)
    if criteria != DEFAULT_ORDER or line is None or line.standing.rank is None:
        return None
    session, tier = seats[own].table.session.number, line.standing.tier
    if len(tier) < sum(final.after_session < session for final in ranking.finals):
        return None  # The points that finalists carry over count only from the first hand of the final.
    standings = [
        row.standing
        for row in ranking.rows
        if row.standing.rank is not None and not row.standing.unranked_because
    ]
    above = sum(standing.tier < tier for standing in standings)
    goal = max(above + 1, rank or line.standing.rank - 1)
    same_tier = [standing for standing in standings if standing.tier == tier]
    at_the_table, others = _totals_without_table(ranking, seats, has_place, same_tier)
    if own not in at_the_table:
        return None
    needs = rank_needs(
        [seat.game_points for seat in seats],
        own,
        at_the_table,
        others,
        [goal - above],
        ranking.tournament.rules.scoring,
        ranking.tournament.rules.scale,
        placed=has_place,
    )
    return _goal(goal, needs[goal - above], seats)


def _totals_without_table(
    ranking: Ranking, seats: Sequence[Seat], has_place: Sequence[bool], ranked: Sequence[Standing]
) -> tuple[dict[int, PlayerTotal], list[PlayerTotal]]:
    """Return seat → total without this table, and the totals of everybody who is not credited with this table."""
    shares = table_points([seat.game_points for seat in seats], ranking.tournament.rules.scale, has_place)
    credits_player = ranking.tournament.rules.attendance.credits_player
    place_of = {
        seat.player.number: place
        for place, seat in enumerate(seats)
        if has_place[place] and (credits_player or not seat.stand_in)
    }
    session = seats[0].table.session.number
    counted = {
        standing.number for standing in ranked if any(score.session == session for score in standing.sessions)
    }
    has_begun = not counted.isdisjoint(place_of)
    at_the_table: dict[int, PlayerTotal] = {}
    others: list[PlayerTotal] = []
    for standing in ranked:
        total = PlayerTotal(standing.table_points, int(standing.game_points))
        place = place_of.get(standing.number)
        if place is not None and standing.number in counted:
            without = total.game_points - seats[place].game_points
            at_the_table[place] = PlayerTotal(total.table_points - shares[place], without)
        elif place is not None and not has_begun:
            at_the_table[place] = total
        else:
            others.append(total)
    return at_the_table, others


def _goal(
    number: int, needs: NeededPoints, seats: Sequence[Seat], behind: tuple[Player, int] | None = None
) -> Goal:
    return Goal(number, needs.self_drawn, _group_by_points(needs.discards, seats), behind)


def _group_by_points(
    discards: Mapping[int, int | None], seats: Sequence[Seat]
) -> tuple[tuple[tuple[Player, ...], int], ...]:
    """Return (players whose discard is worth the same, points), the cheapest first."""
    by_points: dict[int, list[Player]] = {}
    for seat, points in sorted(discards.items()):
        if points is not None:
            by_points.setdefault(points, []).append(seats[seat].player)
    return tuple((tuple(players), points) for points, players in sorted(by_points.items()))
