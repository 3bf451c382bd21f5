"""Deals in the formats of other programs, as those programs write them (docs/api/games.md has the sources)."""

import base64
import json
import zlib
from collections import defaultdict
from typing import Any

from scoring.engine import WINDS
from scoring.games import Act, Deal, Event
from scoring.games.deal import BOTZONE, FLOWER, SALASASA, TZIAKCHA
from scoring.games.tziakcha import FANS

OUR_BOTZONE = {tile: str(name) for name, tile in BOTZONE.items() if tile != FLOWER}
OUR_SALASASA = {tile: name for name, tile in SALASASA.items()}
_PKU = {
    Act.DRAW: "Draw",
    Act.DISCARD: "Play",
    Act.CHOW: "Chi",
    Act.PUNG: "Peng",
    Act.KONG: "Gang",
    Act.CONCEALED_KONG: "AnGang",
    Act.ADDED_KONG: "BuGang",
    Act.WIN: "Hu",
}


def pku(deal: Deal) -> str:
    lines = [f"Match {deal.identity}", f"Wind {WINDS.index(deal.prevalent)}"]
    lines += [
        f"Player {n} Deal {' '.join(OUR_BOTZONE[t] for t in hand)}" for n, hand in enumerate(deal.hands)
    ]
    for event in deal.events:
        tile = event.chow[1] if event.chow else event.tile
        lines.append(f"Player {event.seat} {_PKU[event.act]} {OUR_BOTZONE[tile]}")
    if deal.recorded:
        match_fans = "+".join(f"{name}*{times}" for name, times in deal.recorded.fans.items())
        lines += [f"Fan {deal.recorded.points} {match_fans}", "Score 0 0 0 0"]
    return "\n".join(lines)


def botzone(deal: Deal) -> str:
    displays: list[dict[str, Any]] = [
        {"action": "INIT", "quan": WINDS.index(deal.prevalent)},
        {"action": "DEAL", "hand": [[OUR_BOTZONE[tile] for tile in hand] for hand in deal.hands]},
    ]
    skip = False
    for event, after in zip(deal.events, [*deal.events[1:], None], strict=True):
        if skip:
            skip = False
            continue
        if event.act in (Act.CHOW, Act.PUNG):
            assert after is not None
            display = {"action": "PENG", "player": event.seat, "tile": OUR_BOTZONE[after.tile]}
            displays.append(
                display | ({"action": "CHI", "tileCHI": OUR_BOTZONE[event.chow[1]]} if event.chow else {})
            )
            skip = True
        elif event.act is not Act.WIN:
            displays.append(
                {"action": _BOTZONE[event.act], "player": event.seat, "tile": OUR_BOTZONE[event.tile]}
            )
    if deal.recorded:
        fans = [{"name": name, "cnt": times, "value": 1} for name, times in deal.recorded.fans.items()]
        end = {"fan": fans, "fanCnt": deal.recorded.points, "score": [0, 0, 0, 0]}
        displays.append({"action": "HU", "player": deal.events[-1].seat} | end)
    return json.dumps({"logs": [{"output": {"display": display}} for display in displays]})


_BOTZONE = {
    Act.DRAW: "DRAW",
    Act.DISCARD: "PLAY",
    Act.KONG: "GANG",
    Act.CONCEALED_KONG: "GANG",
    Act.ADDED_KONG: "BUGANG",
}


class _Numbers:
    """Each of the 144 tiles has its number, and is there once."""

    def __init__(self) -> None:
        self.free: dict[str, list[int]] = defaultdict(list)
        for number, tile in TZIAKCHA.items():
            self.free[tile].append(int(str(number)))

    def take(self, tile: str) -> int:
        return self.free[tile].pop(0)


def tziakcha(deal: Deal) -> str:
    """The wall is broken at its first tile: dice 1 1 0 0 of an East that counts to itself."""
    numbers = _Numbers()
    hands = [[numbers.take(tile) for tile in hand] for hand in deal.hands]
    order = [
        tile for at, n in ((0, 4), (4, 4), (8, 4), (12, 1)) for hand in hands for tile in hand[at : at + n]
    ]
    first, *events = deal.events
    order.append(numbers.take(first.tile))
    rest = [number for free in numbers.free.values() for number in free]
    wall = order + rest
    break_at = (12 - 1) % 4 * 36 + 2 * 2
    wall = wall[-break_at:] + wall[:-break_at]
    acts = []
    for before, event, after in zip([first, *events], events, [*events[1:], None], strict=False):
        if before.act is not Act.FLOWER:  # whose replacement stands with it
            acts += _tziakcha_act(event, after)
    winner = deal.events[-1].seat
    recorded = deal.recorded
    assert recorded is not None
    assert recorded.points is not None
    entry = {
        "f": recorded.points,
        "t": {FANS.index(_theirs(name)): (1 | n - 1 << 8) for name, n in recorded.fans.items()},
    }
    script = {
        "w": bytes(wall).hex(),
        "d": 1 | 1 << 4,
        "i": WINDS.index(deal.prevalent) * 4,
        "a": acts,
        "b": 1 << winner,
        "y": [entry if seat == winner else {} for seat in range(4)],
        "p": [{"n": "nickname", "i": "address"}] * 4,
    }
    packed = base64.b64encode(zlib.compress(json.dumps(script).encode())).decode()
    return json.dumps({"id": deal.identity, "script": packed})


def _theirs(name: str) -> str:
    return {"坎张": "嵌张", "单钓将": "单钓"}.get(name, name)


def _number(tile: str) -> int:
    return next(int(str(number)) for number, our_tile in TZIAKCHA.items() if our_tile == tile)


def _tziakcha_act(event: Event, after: Event | None) -> list[list[int]]:
    tile = _number(event.tile) if event.tile else 0
    if event.act is Act.FLOWER:
        assert after is not None
        return [[event.seat << 4 | 1, _number(after.tile), 0]]
    codes = {
        Act.DRAW: (7, tile),
        Act.DISCARD: (2, tile),
        Act.PUNG: (4, tile >> 2 | 3 << 6),
        Act.KONG: (5, tile >> 2 | 3 << 6),
        Act.CONCEALED_KONG: (5, tile >> 2),
        Act.ADDED_KONG: (5, tile >> 2 | 0x300),
        Act.WIN: (6, 1),
    }
    if event.act is Act.CHOW:
        return [[event.seat << 4 | 3, _number(event.chow[1]) >> 2 | 1 << 6, 0]]
    act, data = codes[event.act]
    return [[event.seat << 4 | act, data, 0]]


def salasasa(deal: Deal, dealer: int = 2) -> str:
    """Players are numbered from somebody who is not East, to see that nobody counts on it."""
    tiles = {
        f"p{(dealer + seat) % 4}_tiles": [OUR_SALASASA[t] for t in hand]
        for seat, hand in enumerate(deal.hands)
    }
    first, *events = deal.events
    tiles[f"p{dealer}_tiles"].append(OUR_SALASASA[first.tile])
    ticks: list[list[Any]] = []
    before = first
    for event in events:
        ticks.append(_tick(event, before, dealer))
        before = event
    if recorded := deal.recorded:
        fans = [name if times == 1 else f"{name}*{times}" for name, times in recorded.fans.items()]
        ticks[-1] = ["hu_self", (deal.events[-1].seat + dealer) % 4, recorded.points, fans, [0, 0, 0, 0]]
    ticks.append(["end"])
    round_data = {
        "current_round": WINDS.index(deal.prevalent) * 4 + 1,
        "dealer_index": dealer,
        "start_player_index": dealer,
        "tiles_list": [51],
        "action_ticks": ticks,
    }
    title = {"rule": "guobiao", "p0_name": "nickname"}
    return json.dumps({"game_title": title, "game_round": {"round_index_1": round_data | tiles}})


def _tick(event: Event, before: Event, dealer: int) -> list[Any]:
    tile = OUR_SALASASA.get(event.tile, 0)
    player = (event.seat + dealer) % 4
    if event.act is Act.DRAW:
        kong = before.act in (Act.KONG, Act.CONCEALED_KONG, Act.ADDED_KONG)
        return ["bd", tile, player] if before.act is Act.FLOWER else ["gd" if kong else "d", tile]
    if event.act is Act.CHOW:
        from_hand = [OUR_SALASASA[tile_of_chow] for tile_of_chow in event.chow if tile_of_chow != event.tile]
        return ["cm", tile, player, *from_hand]
    return {
        Act.FLOWER: ["bh", tile, player, "T"],
        Act.DISCARD: ["c", tile, "T"],
        Act.PUNG: ["p", tile, player, tile, tile],
        Act.KONG: ["g", tile, player, tile, tile, tile],
        Act.CONCEALED_KONG: ["ag", tile, "T", tile, tile, tile, tile],
        Act.ADDED_KONG: ["jg", tile, "T"],
        Act.WIN: [],
    }[event.act]
