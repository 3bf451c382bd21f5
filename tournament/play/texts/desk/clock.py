"""The desk's sentences of the clock. {braces} are filled in by the script."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

WORDS: dict[str, str | Promise] = {
    "left": pgettext_lazy("minutes that are left", "left"),
    "gong": _("Gong"),
    "gong_here": _("Sound and vibration on"),
    "gong_why": _("This device rings at the warning and when the time is up."),
    "paused": pgettext_lazy("the clock", "paused"),
    "clock_paused": _("The clock of the hall is paused."),
    "clock_paused_why": _("No time is lost: the end moves by the pause. What is played can be written down."),
    "last_minutes": _("The last {minutes} minutes"),
    "time_up": _("The time is up"),
    "after_time": _("after time"),
    "saved_after_time": _("Saved after the time was up"),
    "saved_after_time_why": _(
        "It was saved in minute {minute} of {minutes}. The organiser is told before the session is closed."
    ),
    "last_hand_void": _("At time, the hand under way is not finished and does not count."),
    "last_hand_counts": _("At time, the hand under way is finished and counts; no other begins."),
    "call_umpire": _("Call an umpire"),
    "hand_in_now": _("Hand in"),
    "extra_time": _("Extra time"),
    "extra_time_question": _("How many minutes longer than the hall?"),
    "extra_time_hint": _("In all, for this table alone; 0 takes them back."),
    "extra_time_why": _("Why?"),
    "extra_time_kept": _("kept in the log"),
    "extra_time_give": _("Set the extra time"),
    "extra_time_set": _("Extra time set"),
    "extra_time_now": _("This table plays {minutes} minutes longer than the hall."),
}
