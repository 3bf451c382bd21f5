"""What a client sends of a hand, beside what was stored of it."""

from dataclasses import replace
from typing import Any

from tournament.base.engine.entries import WIN, HandEntry

SENT = HandEntry(
    WIN, 1, 2, {"concealed": ["1m"], "flowers": 2}, 30, override=" As I saw it. ", claimants=(3,)
)
ADDED = {"seat_wind": "E", "prevalent_wind": "S", "self_drawn": False}
STORED = replace(SENT, tiles={**(SENT.tiles or {}), **ADDED}, override="", absent=(4,))


def test_a_stored_hand_is_recognised_in_its_entry() -> None:
    assert SENT.repeats(STORED)
    assert replace(SENT, tiles=STORED.tiles, absent=(4,)).repeats(replace(STORED, override="As I saw it."))
    others: dict[str, Any] = {
        "winner": 3,
        "discarder": None,
        "points": 31,
        "fans": {"all_pungs": 1},
        "claimants": (),
        "absent": (3,),
        "tiles": None,
    }
    tiles = [
        {"concealed": ["1m"]},
        {**(SENT.tiles or {}), "flowers": 3},
        {**(SENT.tiles or {}), "robbing_kong": True},
    ]
    changed = [replace(SENT, **{name: value}) for name, value in others.items()]
    changed += [replace(SENT, tiles=other) for other in tiles]
    assert [entry for entry in changed if entry.repeats(STORED)] == []
    assert not replace(SENT, override="").repeats(replace(STORED, override="As I saw it."))
