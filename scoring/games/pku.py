"""The text of the PKU collection (`data.txt`, Botzone matches of people), a line an event.

`Match <id>`, `Wind 0..3`, `Player <n> Deal …`, then `Draw`, `Play`, `Chi <middle tile>`, `Peng`, `Gang`, `AnGang`,
`BuGang`, `Hu`, each perhaps with `Ignore Player …`; `Fan <points> <name>*<times>+…` or `Huang`; `Score`.
"""

from collections.abc import Iterator
from typing import Final

from scoring.games.deal import Act, Deal, Event, FourWalls, Recorded, UnreadableGame, wind
from scoring.games.tiles import BOTZONE, chow_of_middle, tile, tiles

WALL: Final = 21
"""Tiles each player has to draw."""

_ACTS: Final = {
    "Draw": Act.DRAW,
    "Play": Act.DISCARD,
    "Chi": Act.CHOW,
    "Peng": Act.PUNG,
    "Gang": Act.KONG,
    "AnGang": Act.CONCEALED_KONG,
    "BuGang": Act.ADDED_KONG,
    "Hu": Act.WIN,
}


def is_pku(text: str) -> bool:
    return text.lstrip("\ufeff \r\n").startswith("Match ")


def read_pku(text: str) -> list[Deal]:
    """Every deal of a text."""
    return [_deal(identity, lines) for identity, lines in _matches(text)]


def _matches(text: str) -> Iterator[tuple[str, list[list[str]]]]:
    identity, lines = "", list[list[str]]()
    for line in text.lstrip("\ufeff").splitlines():
        words = line.split()
        if words[:1] == ["Match"] and len(words) == 2:
            if identity:
                yield identity, lines
            identity, lines = words[1][:40], []
        elif words:
            lines.append(words)
    if identity:
        yield identity, lines


def _deal(identity: str, lines: list[list[str]]) -> Deal:
    hands: dict[int, tuple[str, ...]] = {}
    prevalent, events, recorded, payments = "", list[Event](), None, None
    for number, words in enumerate(lines, 1):
        where = f"{identity}, {number}"
        match words:
            case ["Wind", said]:
                prevalent = wind(int(said) if said.isdecimal() else said, where)
            case ["Player", seat, "Deal", *hand]:
                hands[_seat(seat, where)] = tiles(hand, BOTZONE, where)
            case ["Player", seat, act, said, *_ignored] if act in _ACTS:
                events.append(_event(_ACTS[act], _seat(seat, where), tile(said, BOTZONE, where), where))
            case ["Fan", points, *said]:
                recorded = Recorded(fans(" ".join(said), where), int(points) if points.isdecimal() else None)
            case ["Score", *said]:
                payments = tuple(int(one) for one in said if one.lstrip("-").isdecimal())
            case ["Huang"]:
                pass
            case _:
                raise UnreadableGame("game_line", where, said=" ".join(words)[:40])
    if sorted(hands) != [0, 1, 2, 3] or not prevalent:
        raise UnreadableGame("game_incomplete", identity)
    if recorded and payments and len(payments) == 4:
        recorded = Recorded(recorded.fans, recorded.points, payments)
    dealt = tuple(hands[seat] for seat in range(4))
    return Deal(identity, prevalent, dealt, FourWalls(WALL), tuple(events), recorded)


def _event(act: Act, seat: int, said: str, where: str) -> Event:
    if act is not Act.CHOW:
        return Event(act, seat, said)
    if not (chow := chow_of_middle(said)):
        raise UnreadableGame("game_tile", where, said=said)
    return Event(act, seat, said, chow)


def _seat(said: str, where: str) -> int:
    if said not in ("0", "1", "2", "3"):
        raise UnreadableGame("game_line", where, said=said[:20])
    return int(said)


def fans(said: str, where: str) -> dict[str, int]:
    """`混一色*1+箭刻*1` by name."""
    found: dict[str, int] = {}
    for part in filter(None, said.split("+")):
        name, _, times = part.partition("*")
        if not (times or "1").isdecimal():
            raise UnreadableGame("game_line", where, said=part[:40])
        found[name.strip()] = found.get(name.strip(), 0) + int(times or "1")
    return found
