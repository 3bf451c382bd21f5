"""Two formats of matches on Botzone: the text of the PKU collection, and the log of the judge.

The PKU collection (`data.txt`, matches of people) has a line an event: `Match <id>`, `Wind 0..3`,
`Player <n> Deal …`, then `Draw`, `Play`, `Chi <middle tile>`, `Peng`, `Gang`, `AnGang`, `BuGang`, `Hu`, each perhaps
with `Ignore Player …`; `Fan <points> <name>*<times>+…` or `Huang`; `Score`.

The log is JSON: every turn is what the judge displayed. A claim carries the discard after it: `CHI` has the middle tile
of the chow as `tileCHI` and the discard as `tile`, `PENG` the discard as `tile`. `GANG` names the kind where it is a
concealed kong; a claimed one is of the last discard.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from scoring.engine.problems import problem_code
from scoring.games.deal import (
    BOTZONE,
    GAME_TILE,
    Act,
    Deal,
    Event,
    FourWalls,
    Recorded,
    UnreadableGame,
    chow_of_middle,
    tile,
    tiles,
    wind,
)

GAME_INCOMPLETE = problem_code("game_incomplete", "The record lacks something that its format has.")
GAME_LINE = problem_code("game_line", "“{said}” is nothing that happens in a game.")

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
                payments = tuple(int(figure) for figure in said if figure.lstrip("-").isdecimal())
            case ["Huang"]:
                pass
            case _:
                raise UnreadableGame(GAME_LINE(where, said=" ".join(words)[:40]))
    if sorted(hands) != [0, 1, 2, 3] or not prevalent:
        raise UnreadableGame(GAME_INCOMPLETE(identity))
    if recorded and payments and len(payments) == 4:
        recorded = Recorded(recorded.fans, recorded.points, payments)
    dealt = tuple(hands[seat] for seat in range(4))
    return Deal(identity, prevalent, dealt, FourWalls(WALL), tuple(events), recorded)


def _event(act: Act, seat: int, tile_name: str, where: str) -> Event:
    if act is not Act.CHOW:
        return Event(act, seat, tile_name)
    if not (chow := chow_of_middle(tile_name)):
        raise UnreadableGame(GAME_TILE(where, said=tile_name))
    return Event(act, seat, tile_name, chow)


def _seat(written: str, where: str) -> int:
    if written not in ("0", "1", "2", "3"):
        raise UnreadableGame(GAME_LINE(where, said=written[:20]))
    return int(written)


def fans(written: str, where: str) -> dict[str, int]:
    """`混一色*1+箭刻*1` by name."""
    times_by_name: dict[str, int] = {}
    for part in filter(None, written.split("+")):
        name, _, times = part.partition("*")
        if not (times or "1").isdecimal():
            raise UnreadableGame(GAME_LINE(where, said=part[:40]))
        times_by_name[name.strip()] = times_by_name.get(name.strip(), 0) + int(times or "1")
    return times_by_name


Shown = Mapping[str, Any]
Reader = Callable[[Shown, int, str, list[Event], str], list[Event]]
"""Display, seat, tile, what happened before, where → what it comes to."""


def is_botzone(data: object) -> bool:
    return any(True for _ in _shown(data))


def read_botzone(data: object, identity: str = "") -> list[Deal]:
    """The deal of a log, whole or in its short form."""
    shown = list(_shown(data))
    identity = _identity(data) or identity
    first = {message["action"]: message for message in reversed(shown)}
    if not {"INIT", "DEAL"} <= set(first):
        raise UnreadableGame(GAME_INCOMPLETE(identity))
    hands = first["DEAL"].get("hand")
    if not isinstance(hands, list) or len(hands) != 4:
        raise UnreadableGame(GAME_INCOMPLETE(identity))
    events, recorded = list[Event](), None
    for number, message in enumerate(shown, 1):
        where = f"{identity}, {number}"
        events += _events(message, events, where)
        if message["action"] == "HU":
            recorded = _recorded(message, where)
    dealt = tuple(tiles(hand, BOTZONE, identity) for hand in hands)
    prevalent = wind(first["INIT"].get("quan"), identity)
    return [Deal(identity, prevalent, dealt, FourWalls(WALL), tuple(events), recorded)]


def _shown(data: object) -> Iterator[Shown]:
    turns = data.get("logs") if isinstance(data, dict) else data
    for turn in turns if isinstance(turns, list) else ():
        output = turn.get("output") if isinstance(turn, dict) else None
        shown = output.get("display") if isinstance(output, dict) else None
        if isinstance(shown, dict) and isinstance(shown.get("action"), str):
            yield shown


def _identity(data: object) -> str:
    identity = data.get("_id") if isinstance(data, dict) else None
    return identity[:40] if isinstance(identity, str) else ""


def _events(shown: Shown, before: list[Event], where: str) -> list[Event]:
    action = shown["action"]
    if action not in _READERS:
        return []
    seat = shown.get("player")
    if type(seat) is not int or seat not in range(4):
        raise UnreadableGame(GAME_LINE(where, said=str(seat)[:20]))
    drawn = tile(shown["tile"], BOTZONE, where) if shown.get("tile") else ""
    return _READERS[action](shown, seat, drawn, before, where)


def _simply(act: Act) -> Reader:
    return lambda shown, seat, said, before, where: [Event(act, seat, said)]


def _chow(shown: Shown, seat: int, said: str, before: list[Event], where: str) -> list[Event]:
    chow = chow_of_middle(tile(shown.get("tileCHI"), BOTZONE, where))
    if not chow:
        raise UnreadableGame(GAME_TILE(where, said=str(shown.get("tileCHI"))[:20]))
    return [Event(Act.CHOW, seat, chow[1], chow), Event(Act.DISCARD, seat, said)]


def _pung(shown: Shown, seat: int, said: str, before: list[Event], where: str) -> list[Event]:
    return [Event(Act.PUNG, seat, before[-1].tile if before else ""), Event(Act.DISCARD, seat, said)]


def _kong(shown: Shown, seat: int, said: str, before: list[Event], where: str) -> list[Event]:
    drew = bool(before) and before[-1].act is Act.DRAW
    return [Event(Act.CONCEALED_KONG if drew else Act.KONG, seat, said)]


_READERS: Final[Mapping[str, Reader]] = {
    "DRAW": _simply(Act.DRAW),
    "PLAY": _simply(Act.DISCARD),
    "CHI": _chow,
    "PENG": _pung,
    "GANG": _kong,
    "BUGANG": _simply(Act.ADDED_KONG),
    "HU": _simply(Act.WIN),
}


def _recorded(shown: Shown, where: str) -> Recorded:
    fans: dict[str, int] = {}
    try:
        for fan in shown["fan"]:
            fans[str(fan["name"])] = fans.get(str(fan["name"]), 0) + int(fan["cnt"])
        return Recorded(fans, int(shown["fanCnt"]), tuple(int(fan) for fan in shown["score"]))
    except (KeyError, TypeError, ValueError):
        raise UnreadableGame(GAME_LINE(where, said="HU")) from None
