"""Generates a believable tournament of any size from a seed, as a transcript: players, seats, hands and fouls.

Pure: the same arguments give the same transcript. `tournament.exchange.transcripts.transcript` plays it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from random import Random
from typing import Any, Final

from tournament.base.engine.entries import DRAW, WIN, HandEntry
from tournament.base.engine.rules import prevalent_wind, rules_named, seat_wind
from tournament.demo.hands import WinContext, winning_hand
from tournament.demo.pace import days_of, minutes_of_hands
from tournament.demo.people import DATA, InventedPerson, invent_people, read_table
from tournament.exchange.transcripts.reading import Transcript, TranscriptSession
from tournament.exchange.transcripts.score_sheet import Sheet, SheetPenalty
from tournament.play.engine.statements import Accusation
from tournament.players.selectors.players import Entrant
from tournament.seating.engine.draw import DrawInputs

RULEBOOK: Final = "mcr"
MINUTES: Final = 120
"""Of a session."""

WASH_OUT = 0.13
SELF_DRAWN = 0.37
FOULS: Final = (45, 35, 15, 5)
"""Tables out of a hundred with 0, 1, 2, 3 fouls."""
MAX_LATE_MINUTES: Final = 4
"""Minutes: no hand is over before."""
FOUL_KINDS: Final[Mapping[str, int]] = {
    "empty_call": 6,
    "touching_wall": 5,
    "exposed_tile": 4,
    "late_pung": 3,
    "false_hu": 3,
    "rules_violation": 3,
    "late": 3,
    "wrong_tile_count": 2,
    "false_claim": 2,
    "shown_tiles": 1,
    "knocked_tiles": 1,
}


def venues(seed: str) -> list[dict[str, str]]:
    """Return the rows of data/events.tsv in random order."""
    rows = read_table("events")
    return Random(f"hule-demo/venue/{seed}").sample(rows, len(rows))


def generate(
    players: int,
    sessions: int,
    seed: str,
    day: date,
    until: int | None = None,
    event: Mapping[str, str] | None = None,
) -> Transcript:
    """Return a tournament of `players`, a multiple of four, played up to session `until`. Raises SeatingError.

    `event`: a row of data/events.tsv, or the first of `venues`. The seats are those that `draw_inputs` gives.
    """
    random = Random(f"hule-demo/{seed}/{players}/{sessions}")
    event = event or venues(seed)[0]
    entrants = tuple(_entrants(random, invent_people(random, players, home=event["country"])))
    skill = {entrant.number or 0: random.lognormvariate(0, 0.35) for entrant in entrants}
    plan = draw_inputs(entrants, sessions, seed).draw().sessions
    sessions_played = sessions if until is None else until
    return Transcript(
        {
            "name": f"{event['name']} {day.year}",
            "venue": event["venue"],
            "time_zone": event["zone"],
            "starts_on": day,
            "ends_on": day + timedelta(days=days_of(sessions) - 1),
            "rulebook": RULEBOOK,
            "sessions_planned": sessions,
            "minutes": MINUTES,
        },
        entrants,
        tuple(
            TranscriptSession(
                tuple(
                    _sheet(random, dict(seats), skill, len(minutes_of_hands(seed, number, table, MINUTES)))
                    if number <= sessions_played
                    else Sheet(dict(seats), (), ())
                    for table, seats in enumerate(tables, 1)
                )
            )
            for number, tables in enumerate(plan, 1)
        ),
    )


def code_word(seed: str) -> str:
    """Return the code word of the draw: six numbers, as in a lottery."""
    numbers = sorted(Random(f"hule-demo/draw/{seed}").sample(range(1, 50), 6))
    return " · ".join(map(str, numbers))


def draw_inputs(entrants: Sequence[Entrant], sessions: int, seed: str) -> DrawInputs:
    """Return what the seats are drawn from; team-mates meet as rarely as possible without a repeat."""
    return DrawInputs(
        players=tuple(entrant.number or 0 for entrant in entrants),
        sessions=sessions,
        seed=code_word(seed),
        teams={entrant.number or 0: entrant.team for entrant in entrants if entrant.team},
    )


def _entrants(random: Random, people: Sequence[InventedPerson]) -> Iterator[Entrant]:
    teams = _teams(random, people)
    for number, person in enumerate(people, 1):
        yield Entrant(
            person.last_name,
            person.first_name,
            person.club.country,
            ema_number=person.ema_number,
            team=teams.get(number, ""),
            number=number,
            club=person.club.name,
        )


def _teams(random: Random, people: Sequence[InventedPerson]) -> dict[int, str]:
    """Return player number → team: four compatriots where possible; in a large event half of the players have one."""
    names = (DATA / "teams.txt").read_text("utf-8").splitlines()
    numbers = sorted(range(1, len(people) + 1), key=lambda number: people[number - 1].club.country)
    size = min(4, len(people) // 4)  # a team of more players than tables cannot be seated
    groups = [numbers[start : start + size] for start in range(0, len(numbers), size)]
    count = len(groups) if len(groups) <= 4 else min(len(groups) // 2, len(names))
    teams = zip(random.sample(names, count), random.sample(groups, count), strict=True)
    return {number: name for name, group in teams for number in group}


def _sheet(random: Random, seats: dict[str, int], skill: Mapping[int, float], count: int) -> Sheet:
    hands = tuple(_hand(random, seats, skill, number) for number in range(1, count + 1))
    fouls = [_foul(random, seats, hands) for _ in range(random.choices(range(len(FOULS)), FOULS)[0])]
    fouls.sort(key=lambda foul: foul.hand_number or 0)
    penalties = (SheetPenalty(foul, max((foul.hand_number or 0) - 1, 0)) for foul in fouls)
    return Sheet(seats, hands, tuple(penalties))


def _hand(random: Random, seats: Mapping[str, int], skill: Mapping[int, float], number: int) -> HandEntry:
    if random.random() < WASH_OUT:
        return HandEntry(DRAW)
    start = random.choices(list(seats), [skill[player] for player in seats.values()])[0]
    winner = seats[start]
    self_drawn = random.random() < SELF_DRAWN
    rules = rules_named(RULEBOOK)
    tiles = winning_hand(
        random,
        WinContext(seat_wind(start, number, rules.chart), prevalent_wind(number), self_drawn),
        rules.scoring,
    )
    return HandEntry(WIN, winner, None if self_drawn else _discarder(random, seats, skill, winner), tiles)


def _discarder(random: Random, seats: Mapping[str, int], skill: Mapping[int, float], winner: int) -> int:
    """Return a random loser; less skilled players discard the winning tile more often."""
    others = [player for player in seats.values() if player != winner]
    return random.choices(others, [1 / skill[player] for player in others])[0]


def _foul(random: Random, seats: Mapping[str, int], hands: tuple[HandEntry, ...]) -> Accusation:
    """Return a foul in one of the hands, by a player who did not win it: most fouls cost the hand."""
    kind = random.choices(list(FOUL_KINDS), list(FOUL_KINDS.values()))[0]
    number = random.randint(1, len(hands))
    candidates = [player for player in seats.values() if player != hands[number - 1].winner]
    player = random.choice(candidates)
    if kind == "late":
        return Accusation(player, kind, details={"minutes": random.randint(1, MAX_LATE_MINUTES)})
    details: dict[str, Any] = {}
    victim = None
    match kind:
        case "rules_violation":
            details["points"] = random.choice((5, 5, 10, 20))
        case "knocked_tiles":
            details["points"] = random.choice((5, 10, 20))
            victim = random.choice([other for other in seats.values() if other != player])
        case "shown_tiles":
            details["hu_was_valid"] = random.random() < 0.6
        case "touching_wall":
            details["tile_seen"] = random.random() < 0.3
    return Accusation(player, kind, hand_number=number, victim=victim, details=details)
