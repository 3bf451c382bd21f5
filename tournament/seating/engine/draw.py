"""The draw of a whole event: who sits where in every session, and the certificate that goes with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.engine.problems import Problem
from tournament.seating.engine.candidates import Candidate, candidates, costlier_candidates
from tournament.seating.engine.errors import SeatingError
from tournament.seating.engine.lots import Lots
from tournament.seating.engine.numbers import with_table_numbers
from tournament.seating.engine.plans import Seats, as_plan
from tournament.seating.engine.quality import Quality, count_repeats, measure, repeats_minimum
from tournament.seating.engine.relabel import improve, place_groups, relabelled
from tournament.seating.engine.requests import repeats_problem, size_problems, wish_problems
from tournament.seating.engine.search import repaired
from tournament.seating.engine.shapes import Sessions, meetings
from tournament.seating.engine.winds import with_winds
from tournament.seating.engine.wishes import Wishes


@dataclass(frozen=True, slots=True)
class Draw:
    """Session → tables in the order of their numbers → seats; the seed repeats it exactly."""

    players: tuple[int, ...]
    seed: str
    sessions: tuple[tuple[Seats, ...], ...]
    quality: Quality

    def to_json(self) -> dict[str, Any]:
        sessions = [{"tables": list(session)} for session in self.sessions]
        quality = self.quality.to_json()
        return {"players": len(self.players), "seed": self.seed, "sessions": sessions, "quality": quality}


def draw(
    players: Sequence[int],
    sessions: int,
    *,
    seed: str,
    teams: Mapping[int, str] | None = None,
    clubs: Mapping[int, str] | None = None,
    countries: Mapping[int, str] | None = None,
    forbidden: Collection[tuple[int, int]] = (),
    stay: Mapping[int, int] | None = None,
    teams_first: bool = True,
    no_repeats: bool = False,
) -> Draw:
    """Draw ``sessions`` sessions for the player numbers given; the same arguments always give the same draw.

    Nobody meets twice for as many sessions as that is known to be possible, and everybody has each starting
    wind once in every block of four sessions. Team-mates (player → team, empty for none) and ``forbidden``
    pairs do not meet, at the price of repeats if need be; without ``teams_first`` they meet as rarely as goes
    without costing a repeat. Club-mates and compatriots meet late and rarely.
    ``stay``: player → table number (from 1) that the player keeps throughout. With ``no_repeats`` a draw is
    refused that cannot meet these hard wishes without a repeat.

    Raises `SeatingError` with every problem: ``substitutes_needed`` {players, substitutes},
    ``too_few_players`` {players, least}, ``player_twice`` {player}, ``sessions_not_positive`` {sessions},
    ``player_unknown`` {player} (where: teams, forbidden, stay …), ``team_too_large`` {team, size, tables},
    ``pair_of_one`` {player}, ``table_unknown`` {table, tables}, ``table_shared`` {table, players},
    ``stay_impossible`` {player, table}: the player would have to meet another who keeps a table;
    ``repeats_unavoidable`` {sessions, most}: most is how many sessions go without; ``repeats_or_wishes``:
    without repeats team-mates or forbidden pairs would meet.
    """
    forbidden_pairs = {frozenset(pair) for pair in forbidden}
    wishes = Wishes(teams or {}, clubs or {}, countries or {}, forbidden_pairs)
    stays = stay or {}
    if problems := [*size_problems(players, sessions), *wish_problems(players, wishes, forbidden, stays)]:
        raise SeatingError(problems)
    lots = Lots(seed)
    wishes = wishes.staying(stays, sessions)
    seated = _best(players, sessions, wishes, teams_first and not no_repeats, lots)
    numbered = with_table_numbers(with_winds(seated, lots), lots, wishes.pins)
    if strayed := _strayed(numbered, wishes):
        raise SeatingError(strayed)
    quality = measure(
        numbered,
        teams=wishes.teams,
        clubs=wishes.clubs,
        countries=wishes.countries,
        forbidden=forbidden_pairs,
    )
    if no_repeats and (quality.repeats or quality.team_meetings or quality.forbidden_meetings):
        raise SeatingError([repeats_problem(len(players), sessions)])
    return Draw(tuple(players), seed, as_plan(numbered), quality)


def _strayed(numbered: Sessions, wishes: Wishes) -> list[Problem]:
    """A problem for each player who is not at the table that was to be kept."""
    strayed = {
        player: number + 1
        for (session, player), number in wishes.pins.items()
        if player not in numbered[session][number]
    }
    return [
        Problem("stay_impossible", "stay", {"player": player, "table": table})
        for player, table in strayed.items()
    ]


def _best(players: Sequence[int], sessions: int, wishes: Wishes, teams_first: bool, lots: Lots) -> Sessions:
    """The first design on which no hard wish is broken, else the one that breaks fewest; see `draw`."""
    hard, weights = wishes.weights(soft=False), wishes.weights()
    fewest = None
    for candidate in candidates(len(players), sessions):
        seated = _seated(candidate, players, wishes, weights, lots)
        rank = _broken(seated, hard), count_repeats(seated)
        fewest = min(fewest or (rank, seated), (rank, seated), key=lambda pair: pair[0])
        if not fewest[0][0]:
            break
    if fewest is None:
        raise AssertionError("every size has a design")
    if not fewest[0][0] or not teams_first:
        return fewest[1]
    return _at_a_price(fewest[1], players, wishes, lots)


def _at_a_price(best: Sessions, players: Sequence[int], wishes: Wishes, lots: Lots) -> Sessions:
    """Hard wishes met by allowing repeats: the fewest broken, then the fewest repeats, of several ways."""
    hard, weights = wishes.weights(soft=False), wishes.weights()
    starts = [best]
    for candidate in costlier_candidates(len(players), len(best)):
        starts.append(_seated(candidate, players, wishes, weights, lots))
    starts.sort(key=lambda seated: (_broken(seated, hard), count_repeats(seated)))
    least = repeats_minimum(len(players), len(best), sum(map(len, hard.values())) // 2)
    if not _broken(starts[0], hard) and count_repeats(starts[0]) == least:
        return starts[0]
    found = [starts[0], repaired(starts[0], hard, lots), repaired(best, hard, lots)]
    return min(found, key=lambda seated: (_broken(seated, hard), count_repeats(seated)))


def _broken(sessions: Sessions, hard: Mapping[int, Mapping[int, int]]) -> int:
    """Meetings that a hard wish forbids."""
    return sum(other in hard.get(one, ()) for _, one, other in meetings(sessions))


def _seated(
    candidate: Candidate,
    players: Sequence[int],
    wishes: Wishes,
    weights: Mapping[int, Mapping[int, int]],
    lots: Lots,
) -> Sessions:
    """Players drawn onto a design; sessions in drawn order, those with fewest soft meetings first."""
    design = tuple(lots.shuffled(candidate.sessions))
    labelling = place_groups(players, wishes, candidate.blocks, lots)
    seated = relabelled(design, improve(labelling, design, weights, lots))
    if not weights:
        return seated
    costs = Counter(dict.fromkeys(range(len(seated)), 0))
    for number, one, other in meetings(seated):
        costs[number] += weights.get(one, {}).get(other, 0)
    return tuple(seated[number] for number in sorted(costs, key=lambda number: costs[number]))
