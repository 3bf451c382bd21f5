"""The sentences of the desk's script about what was announced: by fans, against the tiles, by several at once."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

DECLARATION: dict[str, str | Promise] = {
    # fans
    "to_fans": _("Choose the fans"),
    "search_fans": _("Search: English, 简体, 繁體, pinyin, points"),
    "no_fan_found": _("No fan is called that."),
    "fans_picked": _("Fans picked"),
    "points_so_far": _("Points so far"),
    "short_of": _("{missing} short of {minimum}"),
    "once_more": _("{fan} once more"),
    "take_off": _("Take off {fan}"),
    "not_beside": _("No: not beside {fan}"),
    "not_beside_all": _("No: not beside all of these"),
    "only_self_drawn": _("No: only when self-drawn"),
    "only_discarded": _("No: only from another player’s tile"),
    "instead_of": _("instead of {fans}"),
    "one_each": _("one point each"),
    # what was announced, and the tiles
    "override": _("Count it all the same"),
    "override_why": _("Why does it count?"),
    "override_marked": _("marked wherever the hand is shown"),
    "overridden": _("overridden"),
    "as_announced": _("As it was announced."),
    "announced_and_tiles": _("Announced, and what the tiles come to"),
    "fan": _("Fan"),
    "announced_column": _("Announced"),
    "tiles_column": _("Tiles"),
    "which_counts": _("Which counts?"),
    "count_tiles": _("The tiles: {points}"),
    "count_announced": _("As announced: {points}"),
    "forget_announced": _("Nothing was announced"),
    "add_tiles": _("Add the tiles"),
    # several claim
    "others_claimed": _("Others claimed it too"),
    "tap_claimants": _("Tap who else claimed this tile."),
    "claimed_too": pgettext_lazy("the discard, besides the winner", "claimed"),
    "next_in_turn": _("{winner} is next in turn and wins; {also} claimed too."),
    "next_who_may_win": _("{winner} is next in turn of those who may win; {also} claimed too."),
}
