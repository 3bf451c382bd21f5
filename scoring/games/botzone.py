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
    RecordedScore,
    UnreadableGame,
    chow_of_middle,
    tile,
    tiles,
    wind,
)

GAME_INCOMPLETE = problem_code("game_incomplete", "The record is missing something that its format requires.")
GAME_LINE = problem_code("game_line", "“{text}” is not an event of a game.")

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
            case ["Wind", value]:
                prevalent = wind(int(value) if value.isdecimal() else value, where)
            case ["Player", seat, "Deal", *hand]:
                hands[_read_seat(seat, where)] = tiles(hand, BOTZONE, where)
            case ["Player", seat, act, value, *_ignored] if act in _ACTS:
                events.append(_event(_ACTS[act], _read_seat(seat, where), tile(value, BOTZONE, where), where))
            case ["Fan", points, *value]:
                recorded = RecordedScore(
                    fans(" ".join(value), where), int(points) if points.isdecimal() else None
                )
            case ["Score", *value]:
                payments = tuple(int(figure) for figure in value if figure.lstrip("-").isdecimal())
            case ["Huang"]:
                pass
            case _:
                raise UnreadableGame(GAME_LINE(where, text=" ".join(words)[:40]))
    if sorted(hands) != [0, 1, 2, 3] or not prevalent:
        raise UnreadableGame(GAME_INCOMPLETE(identity))
    if recorded and payments and len(payments) == 4:
        recorded = RecordedScore(recorded.fans, recorded.points, payments)
    dealt_hands = tuple(hands[seat] for seat in range(4))
    return Deal(identity, prevalent, dealt_hands, FourWalls(WALL), tuple(events), recorded)


def _event(act: Act, seat: int, tile_name: str, where: str) -> Event:
    if act is not Act.CHOW:
        return Event(act, seat, tile_name)
    if not (chow := chow_of_middle(tile_name)):
        raise UnreadableGame(GAME_TILE(where, text=tile_name))
    return Event(act, seat, tile_name, chow)


def _read_seat(value: str, where: str) -> int:
    if value not in ("0", "1", "2", "3"):
        raise UnreadableGame(GAME_LINE(where, text=value[:20]))
    return int(value)


def fans(text: str, where: str) -> dict[str, int]:
    """Return the times of each fan by name from `混一色*1+箭刻*1`."""
    times_by_name: dict[str, int] = {}
    for part in filter(None, text.split("+")):
        name, _, times = part.partition("*")
        if not (times or "1").isdecimal():
            raise UnreadableGame(GAME_LINE(where, text=part[:40]))
        times_by_name[name.strip()] = times_by_name.get(name.strip(), 0) + int(times or "1")
    return times_by_name


Display = Mapping[str, Any]
Reader = Callable[[Display, int, str, list[Event], str], list[Event]]
"""(display, seat, tile, events before, where) → events."""


def is_botzone(data: object) -> bool:
    return any(True for _ in _displays(data))


def read_botzone(data: object, identity: str = "") -> list[Deal]:
    """Return the deal of a log, whole or in its short form."""
    displays = list(_displays(data))
    identity = _identity(data) or identity
    first = {display["action"]: display for display in reversed(displays)}
    if not {"INIT", "DEAL"} <= set(first):
        raise UnreadableGame(GAME_INCOMPLETE(identity))
    hands = first["DEAL"].get("hand")
    if not isinstance(hands, list) or len(hands) != 4:
        raise UnreadableGame(GAME_INCOMPLETE(identity))
    events, recorded = list[Event](), None
    for number, display in enumerate(displays, 1):
        where = f"{identity}, {number}"
        events += _events(display, events, where)
        if display["action"] == "HU":
            recorded = _recorded(display, where)
    dealt = tuple(tiles(hand, BOTZONE, identity) for hand in hands)
    prevalent = wind(first["INIT"].get("quan"), identity)
    return [Deal(identity, prevalent, dealt, FourWalls(WALL), tuple(events), recorded)]


def _displays(data: object) -> Iterator[Display]:
    turns = data.get("logs") if isinstance(data, dict) else data
    for turn in turns if isinstance(turns, list) else ():
        output = turn.get("output") if isinstance(turn, dict) else None
        display = output.get("display") if isinstance(output, dict) else None
        if isinstance(display, dict) and isinstance(display.get("action"), str):
            yield display


def _identity(data: object) -> str:
    identity = data.get("_id") if isinstance(data, dict) else None
    return identity[:40] if isinstance(identity, str) else ""


def _events(display: Display, before: list[Event], where: str) -> list[Event]:
    action = display["action"]
    if action not in _READERS:
        return []
    seat = display.get("player")
    if type(seat) is not int or seat not in range(4):
        raise UnreadableGame(GAME_LINE(where, text=str(seat)[:20]))
    tile_name = tile(display["tile"], BOTZONE, where) if display.get("tile") else ""
    return _READERS[action](display, seat, tile_name, before, where)


def _simple_reader(act: Act) -> Reader:
    return lambda display, seat, tile_name, before, where: [Event(act, seat, tile_name)]


def _chow(display: Display, seat: int, discard: str, before: list[Event], where: str) -> list[Event]:
    chow = chow_of_middle(tile(display.get("tileCHI"), BOTZONE, where))
    if not chow:
        raise UnreadableGame(GAME_TILE(where, text=str(display.get("tileCHI"))[:20]))
    return [Event(Act.CHOW, seat, chow[1], chow), Event(Act.DISCARD, seat, discard)]


def _pung(display: Display, seat: int, discard: str, before: list[Event], where: str) -> list[Event]:
    return [Event(Act.PUNG, seat, before[-1].tile if before else ""), Event(Act.DISCARD, seat, discard)]


def _kong(display: Display, seat: int, tile_name: str, before: list[Event], where: str) -> list[Event]:
    drew = bool(before) and before[-1].act is Act.DRAW
    return [Event(Act.CONCEALED_KONG if drew else Act.KONG, seat, tile_name)]


_READERS: Final[Mapping[str, Reader]] = {
    "DRAW": _simple_reader(Act.DRAW),
    "PLAY": _simple_reader(Act.DISCARD),
    "CHI": _chow,
    "PENG": _pung,
    "GANG": _kong,
    "BUGANG": _simple_reader(Act.ADDED_KONG),
    "HU": _simple_reader(Act.WIN),
}


def _recorded(display: Display, where: str) -> RecordedScore:
    fans: dict[str, int] = {}
    try:
        for fan in display["fan"]:
            fans[str(fan["name"])] = fans.get(str(fan["name"]), 0) + int(fan["cnt"])
        return RecordedScore(fans, int(display["fanCnt"]), tuple(int(fan) for fan in display["score"]))
    except (KeyError, TypeError, ValueError):
        raise UnreadableGame(GAME_LINE(where, text="HU")) from None
