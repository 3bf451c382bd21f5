"""Problem codes of the scoring engine → sentences, in the language of the moment."""

from __future__ import annotations

from collections import defaultdict

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.engine.fans import find_fan
from scoring.engine.problems import Problem
from scoring.engine.reading import Form
from scoring.texts.names import fan_name, form_name
from scoring.texts.tiles import CODES, tile_name

SENTENCES: dict[str, str | Promise] = {
    "not_a_hand": _("This is not a hand."),
    "not_json": _("Line {line} is not JSON."),
    "missing": _("“{where}” is missing."),
    "not_yes_or_no": _("“{where}” is answered with true or false."),
    "not_a_list": _("“{where}” is a list."),
    "not_a_tile": _("This is not a tile."),
    "unknown_tile": _("There is no tile “{tile}”."),
    "not_a_wind": _("This is not a wind."),
    "unknown_wind": _("There is no wind “{wind}”: E, S, W or N."),
    "not_a_number": _("“{where}” is a number."),
    "flowers_out_of_range": _("There are {most} flowers in a set; {flowers} cannot be."),
    "flower_twice": _("Each season and each flower is there only once."),
    "flowers_differ": _("The hand has {flowers} flowers, but {named} are named."),
    "unknown_flower": _("There is no season or flower “{flower}”."),
    "wins_out_of_range": _("Wins in a row are 1 to {most}; {wins} cannot be."),
    "too_many_melds": _("A hand has at most four melds; here are {count}."),
    "not_a_meld": _("This is not a meld."),
    "unknown_meld": _("There is no meld “{type}”: chow, pung or kong."),
    "concealed_meld": _("Only a kong can be concealed."),
    "meld_size": _("A {type} has {expected} tiles, not {count}."),
    "meld_not_alike": _("The tiles of a {type} are all the same."),
    "chow_of_honours": _("Winds and dragons make no chow."),
    "chow_across_suits": _("A chow stays within one suit."),
    "chow_not_in_sequence": _("A chow is three numbers in sequence."),
    "tile_count": _("A winning hand has {expected} tiles, a kong counted as three; here are {count}."),
    "too_many_tiles": _("There are too many tiles: {count}."),
    "five_of_a_kind": _("There are only four tiles of each kind; here are {count} of {tile}."),
    "winning_tile_not_held": _("The winning tile {tile} is not among the concealed tiles."),
    "robbing_self_drawn": _("A robbed kong is won from another player, not self-drawn."),
    "robbing_with_last_tile": _("After a kong of the last tile nothing can be robbed."),
    "robbing_with_replacement": _("A robbed tile is not a replacement tile."),
    "robbed_tile_held": _(
        "The robbed {tile} cannot be in the hand a second time: the other three were a pung."
    ),
    "replacement_not_drawn": _("A replacement tile is drawn, not discarded."),
    "replacement_without_kong": _("A replacement tile follows a kong, and there is none in this hand."),
    "last_of_kind_held": _("{tile} is not the last of its kind: another one is concealed in this hand."),
    "original_not_dealt": _("An original hand is East’s as dealt: drawn, and without a meld."),
    "not_easts_first_discard": _(
        "Only another player wins with East’s first discard: neither drawn nor robbed, and without a meld."
    ),
    "standing_too_early": _("A standing hand is declared after the player’s first discard."),
    "first_and_last_tile": _("A hand won at once is not won with the last tile of the wall."),
    "tiles_and_points": _("Give either the tiles or the points."),
    "winner_without_points": _("What did the winning hand score? Give its points or its tiles."),
    "flowers_without_tiles": _("Seasons and flowers are in the points already; give them with tiles alone."),
    "not_a_win": _("These tiles are not a winning hand."),
    "unreadable": _("“{text}” at character {position} is no tile and no circumstance."),
    "misplaced_mark": _("“{text}” at character {position} does not belong there."),
    "meld_not_closed": _("The meld that opens at character {position} does not close."),
    "no_winning_tile": _("The winning tile is missing: write + and the tile."),
    "tile_after_winning_tile": _(
        "Only one tile may follow the +; “{text}” at character {position} is one more."
    ),
    "unknown_circumstance": _("There is no circumstance “{text}” (character {position})."),
    "unknown_fan": _("There is no fan “{fan}” in this rulebook."),
    "fan_too_often": _("{fan} cannot count {times} times in a hand: at most {most}."),
    "fan_excluded": _("{fan} does not count beside {by}."),
    "fan_needs_self_draw": _("{fan} needs a self-drawn tile; this hand was won from a discard."),
    "fan_needs_discard": _("{fan} needs another player’s tile; this hand was self-drawn."),
    "fan_never_so_often": _("No hand won like this counts {fan} so often."),
    "fans_apart": _("No hand won like this counts {fan} beside {by}."),
    "fans_apart_three": _("No hand won like this counts {by}, {other} and {fan} together."),
    "fans_never_together": _("No hand won like this counts all of these fans."),
    "fan_lacking": _("A hand with these fans, won like this, also counts {fan}."),
    "fan_lacking_either": _("A hand with these fans, won like this, also counts {fan} or {by}."),
    "fan_lacking_for_instance": _(
        "A hand with these fans, won like this, counts one more: {fan} or {by}, for instance."
    ),
    "fans_lacking": _("A hand with these fans, won like this, counts more of them: {fan}, for instance."),
    "game_format": _("This is no record of a game in a format that is known here."),
    "game_rule": _("This game was played by other rules: “{said}”."),
    "game_incomplete": _("The record lacks something that its format has."),
    "game_script": _("The script of the record cannot be unpacked."),
    "game_too_large": _("The script of the record unpacks to far more than a game."),
    "game_line": _("“{said}” is nothing that happens in a game."),
    "game_tile": _("“{said}” is no tile of this format."),
    "game_wind": _("“{said}” is no round’s wind."),
    "game_impossible": _("This cannot have happened: {tile} was not there."),
    "game_hand": _("The tiles that were left cannot be a hand."),
}
FANS_OF = ("fan", "by", "other")
"""Params that hold the key of a fan, said by its name."""
MELD_TYPES = ("chow", "pung", "kong")
"""What `type` holds of a meld that is known, said by its name."""


def problem_sentence(problem: Problem) -> str:
    """The sentence for a problem; KeyError for a code without one."""
    params = defaultdict(str, {"where": problem.where, **problem.params})
    params |= {name: _fan_named(str(params[name])) for name in FANS_OF if name in params}
    if params["type"] in MELD_TYPES:
        params["type"] = form_name(Form(params["type"]))
    if params["tile"] in CODES:
        params["tile"] = tile_name(str(params["tile"]))
    return str(SENTENCES[problem.code]).format_map(params)


def _fan_named(key: str) -> str:
    try:
        return fan_name(find_fan(key))
    except KeyError:  # the problem may be just that
        return key
