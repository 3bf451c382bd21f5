"""The sentences of the desk's script for what is chosen: between two devices, a reason, a key; and for who moves."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

WORDS: dict[str, str | Promise] = {
    # two devices
    "conflict": _("Somebody else changed this table"),
    "conflict_hand": _("Hand {number} was saved at {at} by {by}. Yours differs. Which one is right?"),
    "conflict_other": _("{text} {by}, {at}. The scores here are up to date; save again."),
    "theirs": _("{by}, saved"),
    "yours": _("This device, not saved"),
    "take_theirs": _("Take theirs"),
    "keep_mine": _("Keep mine to review"),
    "two_devices": _("Two devices recorded this hand differently."),
    "same_saved": _("Hand {number} was already saved, just like yours."),
    # why a hand is corrected
    "why_misheard": _("Points misheard"),
    "why_winner": _("Wrong winner"),
    "why_discarder": _("Wrong discarder"),
    "why_tiles": _("Wrong tiles"),
    # a new wind round
    "new_round": _("{round} begins: change seats"),
    "sits_where": _("{name} sits where {other} sat"),
    "change_places": _("{one} and {two} change places"),
    "stays_put": _("{name} stays"),
    # by keyboard
    "keys": _("Keys"),
    "key_seats": _("the winner, then the discarder; the winner twice: self-drawn"),
    "key_digits": _("the points"),
    "key_draw": _("wash-out"),
    "key_foul": _("foul"),
    "key_enter": _("save, as soon as it is checked"),
    "key_escape": _("start over"),
    "key_tables": _("the open table before, the next one"),
    "key_legend": _("these keys"),
}
