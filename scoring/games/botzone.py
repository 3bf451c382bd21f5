"""Two formats of matches on Botzone: the text of the PKU collection, and the log of the judge.

The PKU collection (`data.txt`, matches of people) has a line an event: `Match <id>`, `Wind 0..3`,
`Player <n> Deal …`, then `Draw`, `Play`, `Chi <middle tile>`, `Peng`, `Gang`, `AnGang`, `BuGang`, `Hu`, each perhaps
with `Ignore Player …`; `Fan <points> <name>*<times>+…` or `Huang`; `Score`.

The log is JSON: every turn is what the judge displayed. A claim carries the discard after it: `CHI` has the middle tile
of the chow as `tileCHI` and the discard as `tile`, `PENG` the discard as `tile`. `GANG` names the kind where it is a
concealed kong; a claimed one is of the last discard.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from scoring.games.deal import (
    BOTZONE,
    GAME_INCOMPLETE,
    GAME_LINE,
    GAME_TILE,
    SEATS,
    Act,
    Deal,
    Event,
    FourWalls,
    RecordedScore,
    UnreadableGame,
    chow_of_middle,
    fans,
    tile,
    tiles,
    wind,
)

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
_ACTS_IN_LOG: Final = {name.upper(): act for name, act in _ACTS.items() if name != "AnGang"}


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
                events.append(_event(_ACTS[act], _read_seat(seat, where), value, where))
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


def _event(act: Act, seat: int, value: object, where: str) -> Event:
    """Return an event with the tile that the record names; for a chow its middle one."""
    tile_name = tile(value, BOTZONE, where)
    chow = chow_of_middle(tile_name) if act is Act.CHOW else ()
    if act is Act.CHOW and not chow:
        raise UnreadableGame(GAME_TILE(where, text=str(value)))
    return Event(act, seat, tile_name, chow)


def _read_seat(value: str, where: str) -> int:
    if value not in ("0", "1", "2", "3"):
        raise UnreadableGame(GAME_LINE(where, text=value[:20]))
    return int(value)


Display = Mapping[str, Any]


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
    if action not in _ACTS_IN_LOG:
        return []
    seat, act = display.get("player"), _ACTS_IN_LOG[action]
    if type(seat) is not int or seat not in SEATS:
        raise UnreadableGame(GAME_LINE(where, text=str(seat)[:20]))
    tile_name = tile(display["tile"], BOTZONE, where) if display.get("tile") else ""
    last = before[-1] if before else None
    if act is Act.CHOW:
        return [_event(act, seat, display.get("tileCHI"), where), Event(Act.DISCARD, seat, tile_name)]
    if act is Act.PUNG:
        return [Event(act, seat, last.tile if last else ""), Event(Act.DISCARD, seat, tile_name)]
    if act is Act.KONG and last and last.act is Act.DRAW:
        act = Act.CONCEALED_KONG
    return [Event(act, seat, tile_name)]


def _recorded(display: Display, where: str) -> RecordedScore:
    times: Counter[str] = Counter()
    try:
        for fan in display["fan"]:
            times[str(fan["name"])] += int(fan["cnt"])
        return RecordedScore(times, int(display["fanCnt"]), tuple(int(fan) for fan in display["score"]))
    except (KeyError, TypeError, ValueError):
        raise UnreadableGame(GAME_LINE(where, text="HU")) from None
