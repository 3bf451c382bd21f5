"""Records of tziakcha.net: JSON whose `script` is base64 of zlib of JSON, or that inner JSON itself.

`w` the wall in hexadecimal, two digits a tile; `d` four dice; `i` the hand, 0 to 15; `a` what happened as
`[seat << 4 | act, data, milliseconds]`; `b` who won (bits 0–3), on whose tile (4–7) and who called it falsely (8–11);
`y[seat]` the fans; `s` the payments. Seats are those of the deal: 0 is East.
"""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import Any, Final

from scoring.engine.problems import problem_code
from scoring.games.deal import (
    FLOWER,
    GAME_INCOMPLETE,
    NUMBERED,
    SEATS,
    TZIAKCHA,
    Act,
    Deal,
    Event,
    OneWall,
    RecordedScore,
    UnreadableGame,
    tile,
    wind,
)

GAME_SCRIPT = problem_code("game_script", "The script of the record cannot be unpacked.")
GAME_TOO_LARGE = problem_code("game_too_large", "The script of the record unpacks to far more than a game.")

TILES: Final = 144
LARGEST: Final = 1_000_000
"""Bytes that a script may unpack to; a game of sixteen hands has a tenth of that."""

FANS: Final = NUMBERED["tziakcha"]
"""Its fans by their numbers."""


def is_tziakcha(data: object) -> bool:
    return isinstance(data, dict) and (
        isinstance(data.get("script"), str)
        or isinstance(data.get("records"), list)
        or {"w", "a"} <= data.keys()
    )


def read_tziakcha(data: Any, identity: str = "") -> list[Deal]:
    """Return the deals of a record or of a session of records."""
    if isinstance(data.get("records"), list):
        records = [record for record in data["records"] if is_tziakcha(record)]
        return [
            deal for n, record in enumerate(records, 1) for deal in read_tziakcha(record, f"{identity} {n}")
        ]
    own_id = data.get("id")
    identity = own_id[:40] if isinstance(own_id, str) else identity.strip()
    script = _unpack(data["script"], identity) if isinstance(data.get("script"), str) else data
    try:
        return [_deal(script, identity)]
    except (KeyError, TypeError, ValueError, IndexError):
        raise UnreadableGame(GAME_INCOMPLETE(identity)) from None


def _unpack(script: str, identity: str) -> Any:
    """Return the unpacked JSON of a script. Raises UnreadableGame for a decompression bomb before unpacking it."""
    try:
        packed = zlib.decompressobj()
        text = packed.decompress(base64.b64decode(script, validate=True), LARGEST)
        if packed.unconsumed_tail:
            raise UnreadableGame(GAME_TOO_LARGE(identity))
        return json.loads(text)
    except (binascii.Error, zlib.error, ValueError, RecursionError):
        raise UnreadableGame(GAME_SCRIPT(identity)) from None


def _deal(script: Mapping[str, Any], identity: str) -> Deal:
    order = _from_the_break(bytes.fromhex(script["w"][: 2 * TILES]), int(script["d"]), identity)
    dealt_hands: list[list[str]] = [[], [], [], []]
    at = 0
    for count in (4, 4, 4, 1):
        for hand in dealt_hands:
            hand += [tile(number, TZIAKCHA, identity) for number in order[at : at + count]]
            at += count
    events = [Event(Act.DRAW, 0, tile(order[at], TZIAKCHA, identity))]
    for number, (seat_and_act, data, *_when) in enumerate(script["a"], 1):
        events += _events(seat_and_act & 15, seat_and_act >> 4 & 3, data, events, f"{identity}, {number}")
        if events[-1].act is Act.WIN and not _is_winner(script, events[-1].seat):
            events.pop()  # called falsely: play goes on
        elif events[-1].act is Act.WIN:
            break
    winner = next((seat for seat in SEATS if _is_winner(script, seat)), None)
    recorded = None if winner is None else _recorded(script, winner)
    hands = tuple(tuple(hand) for hand in dealt_hands)
    prevalent = wind(int(script["i"]) // 4, identity)
    return Deal(identity, prevalent, hands, OneWall(TILES - 52), tuple(events), recorded)


def _from_the_break(wall: bytes, dice: int, identity: str) -> bytes:
    if len(wall) != TILES:
        raise UnreadableGame(GAME_INCOMPLETE(identity))
    die_1, die_2, die_3, die_4 = (dice >> shift & 15 for shift in (0, 4, 8, 12))
    start = ((12 - (die_1 + die_2 - 1)) % 4 * 36 + (die_1 + die_2 + die_3 + die_4) * 2) % TILES
    return wall[start:] + wall[:start]


def _is_winner(script: Mapping[str, Any], seat: int) -> bool:
    return bool(script["b"] >> seat & 1) and not script["b"] >> 8 + seat & 1


def _events(act: int, seat: int, data: int, before: list[Event], where: str) -> list[Event]:
    """Return the events of one action; none for a pass or a call that another one overtook."""
    if act == 7 or act == 2:
        tile_name = tile(data & 255, TZIAKCHA, where)
        return [Event(Act.DRAW if act == 7 else Act.DISCARD, seat, tile_name)]
    if act == 1:
        return [Event(Act.FLOWER, seat, FLOWER), Event(Act.DRAW, seat, tile(data & 255, TZIAKCHA, where))]
    own_turn = bool(before) and before[-1] == Event(Act.DRAW, seat, before[-1].tile)
    if act not in (3, 4, 5, 6) or (not data and not (act == 5 and own_turn)):
        return []  # a claim without data was overtaken; only a concealed kong of the first tile is recorded so too
    if act == 6:
        return [Event(Act.WIN, seat)]
    kind = tile((data & 63) << 2, TZIAKCHA, where)
    if act == 3:
        middle = (data & 63) << 2
        chow = tuple(
            tile(middle + step + (data >> 10 + at & 3), TZIAKCHA, where)
            for at, step in ((0, -4), (2, 0), (4, 4))
        )
        return [Event(Act.CHOW, seat, before[-1].tile, chow)]
    if act == 4:
        return [Event(Act.PUNG, seat, kind)]
    if data & 0x300 == 0x300:
        return [Event(Act.ADDED_KONG, seat, kind)]
    return [Event(Act.KONG if data >> 6 & 3 else Act.CONCEALED_KONG, seat, kind)]


def _recorded(script: Mapping[str, Any], winner: int) -> RecordedScore:
    entries = script["y"]
    entry = entries[winner] if isinstance(entries, list) else entries[str(winner)]
    fans = {FANS[int(number)]: (int(value) >> 8) + 1 for number, value in entry["t"].items()}
    payments = tuple(int(payment) for payment in script["s"]) if "s" in script else None
    return RecordedScore(fans, int(entry["f"]) if "f" in entry else None, payments)
