"""What a player needs in the session being played: places at the table, and a rank overall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournament.base.engine.criteria import DEFAULT_ORDER, SHARED_PLACE
from tournament.base.engine.rotation import HANDS_PER_SESSION
from tournament.base.engine.table_points import table_points
from tournament.base.models.people import Player
from tournament.base.models.play import Seat
from tournament.base.selectors.embargo import keeps_back
from tournament.play.selectors.absences import placed
from tournament.ranking.engine.needs import Needs, Total, place_needs, rank_needs
from tournament.ranking.engine.standings import Standing
from tournament.ranking.selectors.ranking import Ranking


@dataclass(frozen=True)
class Goal:
    """A place or a rank, and the ways to it."""

    number: int
    self_drawn: int | None
    discards: tuple[tuple[tuple[Player, ...], int], ...]
    """(players whose discard is worth the same, points), the cheapest first; nobody whose discard is no way."""
    behind: tuple[Player, int] | None = None
    """Who has the place at the table now, and by how much."""

    @property
    def possible(self) -> bool:
        return self.self_drawn is not None or bool(self.discards)


@dataclass(frozen=True)
class WhatYouNeed:
    places: tuple[Goal, ...]
    """Every better place at the table, the first one first; none for who leads."""
    rank: Goal | None
    """The rank asked for; None for who is not ranked, or where other criteria than the usual two rank."""


def what_you_need(ranking: Ranking, seat: Seat, rank: int | None = None) -> WhatYouNeed | None:
    """What it takes from this seat; None once the table has played or handed in its hands, where it keeps them on
    paper, for an absent player, and where the ranking's audience is not told the scores. Only who has a place at the
    table is in the way."""
    table = seat.table
    if (
        keeps_back(ranking.audience, table.session)
        or table.is_in
        or table.is_on_paper
        or table.hands_played >= HANDS_PER_SESSION
        or seat.stand_in
    ):
        return None
    seats = list(table.seats.all())
    own = next(place for place, each in enumerate(seats) if each.pk == seat.pk)
    has_place = placed(table, seats)
    if not has_place[own]:
        return None
    scores = [each.game_points for each in seats]
    places = place_needs(scores, own, ranking.tournament.rules.scoring, placed=has_place)
    rivals = [each for each, counts in zip(seats, has_place, strict=True) if counts and each.pk != seat.pk]
    return WhatYouNeed(
        places=tuple(
            _goal(number, needs, seats, _behind(number, seats[own], rivals))
            for number, needs in places.items()
        ),
        rank=_rank(ranking, seats, has_place, own, rank),
    )


def _behind(place: int, own: Seat, rivals: Sequence[Seat]) -> tuple[Player, int] | None:
    ahead = sorted(rivals, key=lambda seat: -seat.game_points)[place - 1]
    return ahead.player, ahead.game_points - own.game_points


def _rank(
    ranking: Ranking, seats: Sequence[Seat], has_place: Sequence[bool], own: int, wanted: int | None
) -> Goal | None:
    line = ranking.find(seats[own].player.number)
    usual = tuple(key for key in ranking.tournament.rules.criteria if key != SHARED_PLACE) == DEFAULT_ORDER
    if not usual or line is None or line.standing.rank is None:
        return None
    session, tier = seats[own].table.session.number, line.standing.tier
    if len(tier) < sum(final.after_session < session for final in ranking.finals):
        return None  # what finalists carry counts from the first hand of the final on
    standings = [row.standing for row in ranking.rows if row.standing.rank is not None]
    above = sum(each.tier < tier for each in standings)
    goal = max(above + 1, wanted or line.standing.rank - 1)
    here, others = _totals(ranking, seats, has_place, [each for each in standings if each.tier == tier])
    if own not in here:
        return None
    needs = rank_needs(
        [seat.game_points for seat in seats],
        own,
        here,
        others,
        [goal - above],
        ranking.tournament.rules.scoring,
        ranking.tournament.rules.scale,
        placed=has_place,
    )
    return _goal(goal, needs[goal - above], seats)


def _totals(
    ranking: Ranking, seats: Sequence[Seat], has_place: Sequence[bool], ranked: Sequence[Standing]
) -> tuple[dict[int, Total], list[Total]]:
    """Seat → total without this table, and everybody else's: who is not credited with it is one of the others."""
    shares = table_points([seat.game_points for seat in seats], ranking.tournament.rules.scale, has_place)
    place_of = {seat.player.number: place for place, seat in enumerate(seats) if has_place[place]}
    session = seats[0].table.session.number
    counted = {each.number for each in ranked if _has_score(each, session)}
    has_begun = not counted.isdisjoint(place_of)
    here: dict[int, Total] = {}
    others: list[Total] = []
    for each in ranked:
        total = Total(each.table_points, int(each.game_points))
        place = place_of.get(each.number)
        if place is not None and each.number in counted:
            without = total.game_points - seats[place].game_points
            here[place] = Total(total.table_points - shares[place], without)
        elif place is not None and not has_begun:
            here[place] = total
        else:
            others.append(total)
    return here, others


def _has_score(standing: Standing, session: int) -> bool:
    return any(score.session == session for score in standing.sessions)


def _goal(number: int, needs: Needs, seats: Sequence[Seat], behind: tuple[Player, int] | None = None) -> Goal:
    return Goal(number, needs.self_drawn, _same(needs.discards, seats), behind)


def _same(
    discards: Mapping[int, int | None], seats: Sequence[Seat]
) -> tuple[tuple[tuple[Player, ...], int], ...]:
    """Players whose discards are worth the same, together."""
    by_points: dict[int, list[Player]] = {}
    for seat, points in sorted(discards.items()):
        if points is not None:
            by_points.setdefault(points, []).append(seats[seat].player)
    return tuple((tuple(players), points) for points, players in sorted(by_points.items()))
