"""The reading of a hand as the calculator shows it: its sets numbered, named and laid out."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from scoring.engine import Fan, Form, Group, Hand, Reading, Score
from scoring.texts import form_name, joined_parts
from tournament.words.tiles import Placed, lay_meld

WAITS = (Fan.EDGE_WAIT, Fan.CLOSED_WAIT, Fan.SINGLE_WAIT)
_BY_FORM = tuple(Form)


def reading(score: Score) -> list[dict[str, Any]]:
    """The sets and the pair: [{"caption", "tiles", "no"}]; none for tiles that don't win."""
    if score.reading is None:
        return []
    won = won_in(score)
    return [
        {
            "caption": _caption(no, group, place == won),
            "tiles": laid(group, score.hand if place == won else None),
        }
        for place, (no, group) in enumerate(zip(numbers(score.reading), score.reading.groups, strict=True))
    ]


def numbers(found: Reading) -> list[int | None]:
    """What each group is called: sets by number, None for the pair and for single tiles."""
    counted = iter(range(1, 8))
    in_pairs = all(group.form is Form.PAIR for group in found.groups)
    return [
        None if group.form is Form.SINGLES or (group.form is Form.PAIR and not in_pairs) else next(counted)
        for group in found.groups
    ]


def won_in(score: Score) -> int | None:
    """The place of the group that the winning tile completed: that of the wait that counts, else the likeliest."""
    assert score.reading is not None
    for line in score.fans:
        if line.fan in WAITS and line.groups and line.groups[0]:
            return line.groups[0][0]
    groups = score.reading.groups
    own = [
        place
        for place, group in enumerate(groups)
        if _is_own(group) and score.hand.winning_tile in group.tiles
    ]
    return min(own, key=lambda place: _BY_FORM.index(groups[place].form), default=None)


def _is_own(group: Group) -> bool:
    return group.concealed and group.form is not Form.KONG


def _caption(no: int | None, group: Group, won: bool) -> str:
    words = [form_name(group.form)]
    if not group.concealed:
        words.append(_("claimed"))
    elif group.form is Form.KONG:
        words.append(_("concealed"))
    if won:
        words.append(_("winning tile"))
    text = joined_parts(words)
    return text if no is None else f"{no} · {text}"


def laid(group: Group, hand: Hand | None = None) -> list[Placed]:
    """A group as it lies; with `hand`, one tile is marked as the winning one."""
    if group.form is Form.KONG or not group.concealed:
        return list(lay_meld({"tiles": group.tiles, "concealed": group.concealed}))
    tiles = [Placed(tile) for tile in group.tiles]
    if hand is not None:
        last = len(tiles) - 1 - group.tiles[::-1].index(hand.winning_tile)
        tiles[last] = Placed(hand.winning_tile, win=True)
    return tiles
