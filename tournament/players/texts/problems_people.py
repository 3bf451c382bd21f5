"""Codes → sentences about deleting, seats that somebody left, a start taken back, and signing in."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: dict[str, str | Promise] = {
    "start_has_a_record": _(
        "A hand, a penalty or an appeal is on record at table {table}, so the session stays begun."
    ),
    "seat_is_vacant": _(
        "{name} has withdrawn and has a seat at table {table}. Plan again, with a substitute if need be, or name a "
        "stand-in."
    ),
    "stand_in_name_missing": _("Who stands in? Write the name."),
    "nobody_missing": _("Nobody is missing: every table is full."),
    "player_has_played": _(
        "{name} has sat at a table in a session that began, so the results stay. Who stops playing withdraws."
    ),
    "player_in_a_final": _("{name} plays in a final. Take the final back first."),
    "player_has_seats": _(
        "{name} has seats in sessions still to come. Withdraw the player and plan these sessions again; "
        "without a seat the player can be deleted."
    ),
    # signing in
    "name_tried_again_and_again": _(
        "Somebody tries this name again and again. Wait {seconds} seconds and try once more."
    ),
    "sign_in_closed": _(
        "Too many wrong passwords or codes came from this address. Signing in from here is closed for {minutes} "
        "minutes."
    ),
    "secret_tried_too_often": _("Too many attempts. Wait {minutes} minutes and try again."),
    "second_factor_code_wrong": _("This is not the code that the app shows now."),
    "guessed_too_often": _(
        "Too many wrong ones came from this address. Wait {seconds} seconds and try once more."
    ),
    # a tournament
    "name_not_repeated": _("This is not the name of the tournament: “{name}”."),
}
