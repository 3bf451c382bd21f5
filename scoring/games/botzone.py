"""The log of Botzone's judge, JSON: every turn is what the judge displayed.

A claim carries the discard after it: `CHI` has the middle tile of the chow as `tileCHI` and the discard as `tile`,
`PENG` the discard as `tile`. `GANG` names the kind where it is a concealed kong; a claimed one is of the last discard.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from scoring.games.deal import Act, Deal, Event, FourWalls, Recorded, UnreadableGame, wind
from scoring.games.pku import WALL
from scoring.games.tiles import BOTZONE, chow_of_middle, tile, tiles

Shown = Mapping[str, Any]
Reader = Callable[[Shown, int, str, list[Event], str], list[Event]]
"""Display, seat, tile, what happened before, where → what it comes to."""


def is_botzone(data: object) -> bool:
    return any(True for _ in _shown(data))


def read_botzone(data: object, identity: str = "") -> list[Deal]:
    """The deal of a log, whole or in its short form."""
    shown = list(_shown(data))
    identity = _identity(data) or identity
    first = {one["action"]: one for one in reversed(shown)}
    if not {"INIT", "DEAL"} <= set(first):
        raise UnreadableGame("game_incomplete", identity)
    hands = first["DEAL"].get("hand")
    if not isinstance(hands, list) or len(hands) != 4:
        raise UnreadableGame("game_incomplete", identity)
    events, recorded = list[Event](), None
    for number, one in enumerate(shown, 1):
        where = f"{identity}, {number}"
        events += _events(one, events, where)
        if one["action"] == "HU":
            recorded = _recorded(one, where)
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
    said = data.get("_id") if isinstance(data, dict) else None
    return said[:40] if isinstance(said, str) else ""


def _events(shown: Shown, before: list[Event], where: str) -> list[Event]:
    action = shown["action"]
    if action not in _READERS:
        return []
    seat = shown.get("player")
    if type(seat) is not int or seat not in range(4):
        raise UnreadableGame("game_line", where, said=str(seat)[:20])
    said = tile(shown["tile"], BOTZONE, where) if shown.get("tile") else ""
    return _READERS[action](shown, seat, said, before, where)


def _simply(act: Act) -> Reader:
    return lambda shown, seat, said, before, where: [Event(act, seat, said)]


def _chow(shown: Shown, seat: int, said: str, before: list[Event], where: str) -> list[Event]:
    chow = chow_of_middle(tile(shown.get("tileCHI"), BOTZONE, where))
    if not chow:
        raise UnreadableGame("game_tile", where, said=str(shown.get("tileCHI"))[:20])
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
        for one in shown["fan"]:
            fans[str(one["name"])] = fans.get(str(one["name"]), 0) + int(one["cnt"])
        return Recorded(fans, int(shown["fanCnt"]), tuple(int(one) for one in shown["score"]))
    except (KeyError, TypeError, ValueError):
        raise UnreadableGame("game_line", where, said="HU") from None
