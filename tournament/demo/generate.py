"""Generates a believable tournament of any size from a seed, as a transcript: players, seats, hands and fouls.

Pure: the same arguments give the same transcript. `tournament.exchange.transcripts.transcript` plays it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

from tournament.base.engine.entries import DRAW, WIN, HandEntry
from tournament.base.engine.rules import HANDS_PER_SESSION, Rules, prevalent_wind, rules_named, seat_wind
from tournament.demo.hands import WinContext, winning_hand
from tournament.exchange.transcripts.reading import Transcript, TranscriptSession
from tournament.exchange.transcripts.score_sheet import Sheet, SheetPenalty
from tournament.play.engine.statements import Accusation
from tournament.players.selectors.players import Entrant
from tournament.seating.engine.draw import draw

EVENTS: Final = (
    ("Open de Lyon", "Salle Molière"),
    ("Trofeo di Firenze", "Circolo Santa Croce"),
    ("Øresund Open", "Kulturhuset, København"),
    ("Dutch Open", "De Kargadoor, Utrecht"),
    ("Белые ночи · White Nights", "Дом культуры, Санкт-Петербург"),
    ("西湖杯 West Lake Cup", "杭州国际博览中心"),
    ("Kupa Budapest", "Marczibányi téri Művelődési Központ"),
    ("Wiener Mahjong-Tage", "Haus der Begegnung"),
)
TEAMS: Final = (
    *("Red Dragons", "Green Dragons", "White Dragons", "East Wind", "South Wind", "West Wind", "North Wind"),
    *("Plum Blossoms", "Orchids", "Chrysanthemums", "Bamboo Grove", "Knitted Straight", "Nine Gates"),
    *("Thirteen Orphans", "Moon from the Sea", "Last Tile"),
)
SESSIONS_A_DAY: Final = 4

_NAMES_FILE: Final = Path(__file__).parent / "data" / "names.txt"

WASH_OUT = 0.13
SELF_DRAWN = 0.37
FULL_SESSION = 0.7
"""Share of tables that play all sixteen hands in time."""
FOULS: Final = (58, 29, 10, 3)
"""Tables out of a hundred with 0, 1, 2, 3 fouls."""
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


def generate(players: int, sessions: int, seed: str, day: date, until: int | None = None) -> Transcript:
    """Return a tournament of `players`, a multiple of four, played up to session `until`. Raises SeatingError."""
    random = Random(f"hule-demo/{seed}/{players}/{sessions}")
    particulars = _particulars(random, sessions, day)
    entrants = tuple(_entrants(random, players))
    skill = {entrant.number or 0: random.lognormvariate(0, 0.35) for entrant in entrants}
    plan = draw([entrant.number or 0 for entrant in entrants], sessions, seed=seed).sessions
    rules = rules_named(particulars["rulebook"])
    sessions_played = sessions if until is None else until
    return Transcript(
        particulars,
        entrants,
        tuple(
            TranscriptSession(
                tuple(
                    _sheet(random, dict(seats), skill, rules, number <= sessions_played) for seats in tables
                )
            )
            for number, tables in enumerate(plan, 1)
        ),
    )


def _particulars(random: Random, sessions: int, day: date) -> dict[str, Any]:
    name, venue = random.choice(EVENTS)
    return {
        "name": f"{name} {day.year}",
        "venue": venue,
        "starts_on": day,
        "ends_on": day + timedelta(days=(sessions - 1) // SESSIONS_A_DAY),
        "rulebook": "mcr",
        "sessions_planned": sessions,
        "minutes": random.choice((90, 105, 120)),
    }


def _entrants(random: Random, players: int) -> Iterator[Entrant]:
    teams = [team for team in random.sample(TEAMS, len(TEAMS)) for _ in range(4)][: players // 2]
    members = random.sample([*teams, *[""] * (players - len(teams))], players)
    for number, name in enumerate(islice(shuffled_names(random), players), 1):
        yield Entrant(
            name.last,
            name.first,
            name.country.code,
            ema_number=_ema_number(random, name, number),
            team=members[number - 1],
            number=number,
        )


def _ema_number(random: Random, name: PersonName, number: int) -> str:
    """Return an EMA number for most players of EMA countries; the last four digits keep them unique."""
    if not name.country.ema or random.random() < 0.15:
        return ""
    return f"{random.randint(1, 26):02d}{random.randint(0, 99):02d}{number:04d}"


def _sheet(
    random: Random, seats: dict[str, int], skill: Mapping[int, float], rules: Rules, is_played: bool
) -> Sheet:
    if not is_played:
        return Sheet(seats, (), ())
    count = HANDS_PER_SESSION if random.random() < FULL_SESSION else random.randint(9, HANDS_PER_SESSION - 1)
    hands = tuple(_hand(random, seats, skill, rules, number) for number in range(1, count + 1))
    fouls = [_foul(random, seats, hands) for _ in range(random.choices(range(len(FOULS)), FOULS)[0])]
    fouls.sort(key=lambda foul: foul.hand_number or 0)
    return Sheet(seats, hands, tuple(map(SheetPenalty, fouls)))


def _hand(
    random: Random, seats: Mapping[str, int], skill: Mapping[int, float], rules: Rules, number: int
) -> HandEntry:
    if random.random() < WASH_OUT:
        return HandEntry(DRAW)
    start = random.choices(list(seats), [skill[player] for player in seats.values()])[0]
    winner = seats[start]
    self_drawn = random.random() < SELF_DRAWN
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
        return Accusation(player, kind, details={"minutes": random.randint(2, 18)})
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


@dataclass(frozen=True)
class CountryNames:
    """A country's names. `share` is its weight in the field; `ema` whether it is an EMA member."""

    code: str
    share: int
    ema: bool
    given_names: tuple[str, ...]
    family_names: tuple[str, ...]


@dataclass(frozen=True)
class PersonName:
    first: str
    last: str
    country: CountryNames


def shuffled_names(random: Random) -> Iterator[PersonName]:
    """Yield all 5,664 different names, countries in proportion to their shares."""
    remaining = {country: _shuffled_names(random, country) for country in countries()}
    while remaining:
        country = random.choices(list(remaining), [country.share for country in remaining])[0]
        first, last = remaining[country].pop()
        yield PersonName(first, last, country)
        if not remaining[country]:
            del remaining[country]


@cache
def countries() -> tuple[CountryNames, ...]:
    """Return the countries of data/names.txt, in its order."""
    lines = [
        line for line in _NAMES_FILE.read_text("utf-8").splitlines() if line and not line.startswith("#")
    ]
    return tuple(_country_names(*lines[start : start + 3]) for start in range(0, len(lines), 3))


def _country_names(head: str, given_names: str, family_names: str) -> CountryNames:
    code, share, ema = head.split()
    return CountryNames(code, int(share), ema == "EMA", _names_in(given_names), _names_in(family_names))


def _names_in(line: str) -> tuple[str, ...]:
    return tuple(name.replace("_", " ") for name in line.split())


def _shuffled_names(random: Random, country: CountryNames) -> list[tuple[str, str]]:
    """Return every combination of first and family name, shuffled."""
    pairs = [(first, last) for first in country.given_names for last in country.family_names]
    return random.sample(pairs, len(pairs))
