"""Codes → sentences about people across tournaments."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PERSONS: dict[str, str | Promise] = {
    "nobody_to_link": _("Player {player} or that person is not there any more. Look at the list again."),
    "no_linking_to_undo": _("There is nothing to take back."),
    "person_with_this_ema_number": _("Somebody with the EMA number {ema_number} is known already."),
    "person_twice": _("{name} would be in this tournament twice."),
    "merge_with_oneself": _("Choose two different people."),
    "merged_already": _("One of the two has been merged meanwhile. Look again."),
    "two_ema_numbers": _("They have different EMA numbers, {one} and {other}: two numbers are two people."),
    "both_at_one_event": _("Both have played at {tournament}: nobody plays twice at one tournament."),
    "merged_since": _("They were merged with somebody else since. Take that back first."),
}
