"""Texts of the desk's script, which fills in their {braces}."""

from collections.abc import Callable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from scoring.texts import problem_template
from tournament.play.engine.judge import DEAD_HAND

# --- Choices ---


CHOICE_TEXTS: dict[str, str | Promise] = {
    # two devices
    "conflict": _("Someone else changed this table"),
    "conflict_hand": _("Hand {number} was saved at {at} by {by}. Yours differs. Which one is right?"),
    "conflict_other": _("{text} {by}, {at}. The scores here are up to date; save again."),
    "theirs": _("{by}, saved"),
    "yours": _("This device, not saved"),
    "take_theirs": _("Use theirs"),
    "keep_mine": _("Keep mine for review"),
    "two_devices": _("Two devices recorded this hand differently."),
    "same_saved": _("Hand {number} was already saved, just like yours."),
    # why a hand is corrected
    "why_misheard": _("Points misheard"),
    "why_winner": _("Wrong winner"),
    "why_discarder": _("Wrong discarder"),
    "why_tiles": _("Wrong tiles"),
    # a new wind round
    "new_round": _("{round} begins. Change seats as the picture shows."),
    # by keyboard
    "keys": _("Keyboard shortcuts"),
    "key_seats": _("the winner, then the discarder; the winner twice: self-drawn"),
    "key_digits": _("the points"),
    "key_draw": _("wash-out"),
    "key_foul": _("foul"),
    "key_enter": _("save (after the check)"),
    "key_escape": _("start over"),
    "key_tables": _("previous or next open table"),
    "key_legend": _("keyboard shortcuts"),
}


DISPUTE_TEXTS: dict[str, str | Promise] = {
    "disputed": _("Disputed"),
    "disputed_hand": _("Disputed hand"),
    "refer_hand": _("Refer hand {number} to the committee"),
    "who_claims": _("Who claims hand {number}?"),
    "plays_on": _("The table plays on. The hand scores nothing until the ruling."),
    "what_claims": _("What each side claims"),
    "photographs": _("Photographs and claims"),
    "tiles_stay": _("The tiles entered are kept: {count} of 14."),
    "save_disputed": _("Save hand {number} · to be ruled on"),
    "write_claims": _("Write down the claims"),
    "to_be_ruled": _("To be ruled on"),
    "claimed_by": _("Claimed by {names}"),
    "who_rules": _("The chief umpire or the organiser records the ruling."),
    "rule": _("Rule"),
    "rule_on_hand": _("Rule on hand {number}"),
}


# --- Clock ---


CLOCK_TEXTS: dict[str, str | Promise] = {
    "left": pgettext_lazy("minutes that are left", "left"),
    "gong": _("Gong"),
    "gong_here": _("Sound and vibration on"),
    "gong_why": _("This device rings at the warning and when the time is up."),
    "paused": pgettext_lazy("the clock", "paused"),
    "clock_paused": _("The clock of the hall is paused."),
    "clock_paused_why": _(
        "No time is lost: the end is postponed by the length of the pause. Hands can still be recorded."
    ),
    "time_up": _("The time is up"),
    "after_time": _("after time"),
    "saved_after_time": _("Saved after time"),
    "saved_after_time_why": _(
        "Saved in minute {minute} of {minutes}. The organiser is notified before the session is closed."
    ),
    "last_hand_void": _("When time is up, the current hand is abandoned and does not count."),
    "last_hand_counts": _(
        "When time is up, the current hand is finished and counts; no new hand is started."
    ),
    "finished_before": _("Was this hand finished before the gong?"),
    "begun_before": _("Had this hand begun before the gong?"),
    "in_time": _("Yes, save it"),
    "not_in_time": _("No, it does not count"),
    "back_to_hand": _("Back to the hand"),
    "hand_not_saved": _("This hand does not count, and is not saved."),
    "call_umpire": _("Call an umpire"),
    "extra_time": _("Extra time"),
    "give_extra_time": _("Give extra time"),
    "extra_time_question": _("How many minutes longer than the hall?"),
    "extra_time_hint": _("In total, for this table only; 0 cancels it."),
    "extra_time_why": _("Reason"),
    "extra_time_kept": _("recorded in the log"),
    "extra_time_give": _("Set the extra time"),
    "extra_time_set": _("Extra time set"),
}


# --- Announcements ---


DECLARATION_TEXTS: dict[str, str | Promise] = {
    # fans
    "to_fans": _("Choose the fans"),
    "search_fans": _("Name, pinyin or points"),
    "no_fan_found": _("No fans match."),
    "fans_picked": _("Fans picked"),
    "points_so_far": _("Points so far"),
    "short_of": _("{missing} short of {minimum}"),
    "once_more": _("Add {fan} again"),
    "take_off": _("Remove {fan}"),
    "not_beside": _("No: not combined with {fan}"),
    "not_beside_all": _("No: not combined with all of these"),
    "only_self_drawn": _("No: only when self-drawn"),
    "only_discarded": _("No: only from another player’s tile"),
    "instead_of": _("instead of {fans}"),
    "one_each": _("one point each"),
    # what was announced, and the tiles
    "override": _("Count it anyway"),
    "override_why": _("Why does it count?"),
    "override_marked": _("marked wherever the hand is shown"),
    "overridden": _("overridden"),
    "as_announced": _("As it was announced."),
    "announced_and_tiles": _("Announced points and points of the tiles"),
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
    "next_who_may_win": _("{winner} is next in turn among those who may win; {also} claimed too."),
}


# --- Absences ---


LATENESS_TEXTS: dict[str, str | Promise] = {
    "empty_seat": _("Player missing"),
    "seats_empty": _("Table {table} · player missing"),
    "whose_seat": _("Whose seat is empty?"),
    "whose_seat_why": _("Time counts from the gong. The penalty follows the foul book."),
    "who_leaves": _("Who is replaced by a stand-in?"),
    "absent_name": _("{name} · absent"),
    "late_line": _("late by {clock} · {amount} so far"),
    "so_far": _("{amount} so far"),
    "by_minute": _("Amount due by minute"),
    "next_amount": _("{amount} at {clock}, in {left}"),
    "is_here": _("{name} is here · {amount}"),
    "not_missing": _("{name} was here in time"),
    "show_late": _("Show"),
    "came_late": _("{name} came late, in minute {minutes}"),
    "came_late_why": _("The penalty has not been given yet."),
    "to_penalty": _("Record penalty"),
    "others_wait": _("The others wait until minute {minutes}, unless you let them start."),
    "begin_why": _("Why do they start?"),
    "begin_without": _("Start without {name}"),
    "begun_without": _("They start without waiting: {reason}"),
    "does_not_come": _("{name} does not come · {amount}"),
    "no_show_fined": _("The penalty for the whole session is given."),
    "seat_is_empty": _("empty seat"),
    "vacated_why": _("The seat is empty until somebody plays in it."),
    "seat_was_empty": _("{name}’s seat was empty"),
    "stand_in_why": _(
        "The others may start. An empty seat cannot win, discard or claim: name a stand-in, or "
        "play on without one."
    ),
    "stand_in_name": _("Who is the stand-in?"),
    "start_with_stand_in": _("Start with a stand-in"),
    "withdrawn": _("withdrawn"),
    "stand_in": _("stand-in plays"),
    "stand_in_is": _("stand-in: {name}"),
    "seated_again": _("{name} plays again"),
    "to_stand_in": _("Stand-in"),
    "stand_in_nobodys": _("A stand-in’s hands are scored as usual, but the stand-in takes no place."),
    "stand_in_players": _("A stand-in’s hands are scored as usual; the result is the absent player’s."),
    "stand_in_stand_ins": _(
        "A stand-in’s hands are scored as usual. A stand-in takes a place only for a player who was missing before the "
        "first hand."
    ),
}


# --- Signing and appeals ---


SIGNING_TEXTS: dict[str, str | Promise] = {
    "signatures": _("Signatures"),
    "show_signatures": _("Show the signatures"),
    "sign_question": _("Do the four agree?"),
    "sign_hint": _("Each player taps their own score. A later change makes the signatures void."),
    "sign": _("Sign"),
    "signed_at": _("Signed {at}"),
    "disagree": _("I do not agree"),
    "disagree_of": _("{name} does not agree"),
    "sign_for": _("{name}: sign for {score}"),
    "sign_again": _("{reason}: sign again"),
    "cancel_signature": _("Revoke"),
    "cancel_signature_of": _("Revoke the signature of {name}"),
    "signed_by_all": _("Signed by all four."),
    "signed_by_nobody": _("Nobody has signed."),
    "not_signed_by": _("Not signed: {names}."),
    "list_comma": pgettext_lazy("between the items of a list", ", "),
    "handed_in_by": _("Handed in {at} by {by}."),
    # appeals
    "appeals": _("Appeals"),
    "appeal": _("Appeal"),
    "who_appeals": _("Who appeals?"),
    "about_hand": _("Against what?"),
    "whole_sheet": _("The whole sheet"),
    "penalty_of": _("Penalty of {name}: {foul}"),
    "against_penalty": _("against a penalty"),
    "appeal_text": _("In the player’s words"),
    "open_appeal": _("Open appeal"),
    "appeal_opened": _("Appeal opened"),
    "appeals_until": _("Appeals are possible until {until}."),
    "appeal_open": _("open"),
    "appeal_pending": _("granted, to be carried out"),
    "appeal_carried_out": _("granted and carried out"),
    "appeal_waived": _("granted, closed without a change"),
    "appeal_dismissed": _("dismissed"),
    "appeals_at_once": _("Questions are raised and settled at once, before the next hand."),
    "appeal_deposit": _("Deposit for an appeal: {deposit}"),
    "to_carry_out": _("A granted appeal is to be carried out"),
    "to_rulings": _("Show appeals"),
    "under_appeal": _("Under appeal"),
    "result_final": _("The time for appeals is over. Changes need the organiser and a reason."),
}


# --- Table and everything else ---


DESK_TEXTS: dict[str, str | Promise] = DECLARATION_TEXTS | {
    # the bar
    "back": _("Back"),
    "all_tables": _("All tables"),
    "table": _("Table {table}"),
    "session_of": _("Session {session} of {sessions}"),
    "all_saved": _("All saved"),
    "not_saved": _("Not saved"),
    "not_saved_yet": _("Not saved yet"),
    "unsaved_correction": _("Unsaved correction"),
    "saving": _("Saving"),
    # without a network
    "no_network": _("No connection"),
    "no_network_why": _(
        "Keep going: hands are stored on this device and sent as soon as you are back online."
    ),
    "waits_here": _("Saved on this device; it is sent automatically when possible. Carry on."),
    "some_wait": _("{count} waiting"),
    "waits": _("waiting"),
    "waits_unchecked": _("waiting, not checked yet"),
    "all_sent": _("All sent"),
    "hand_waits": _("Hand {number} saved on this device"),
    "penalty_waits": _("Penalty saved on this device"),
    "sanction_later": _("No connection: the penalty is calculated when it is sent."),
    "sanction_here": _("Calculated on this device: there is no connection."),
    "discretion": _("at the umpire’s discretion"),
    "unsent": _("not sent yet"),
    "scores_unsent": _("including entries not sent yet"),
    "scores_without_hand": _("Hand {number} is not in the scores yet: it is counted when it is sent."),
    "scores_without_penalty": _(
        "The penalty of {name} is not in the scores yet: it is calculated when it is sent."
    ),
    "waiting_first": _("Unsent entries must be sent first"),
    "waiting_first_why": _("They are sent automatically when there is a connection."),
    "checked_later": _("You can save it anyway: it is checked when it is sent."),
    "won_from": _("{winner} from {discarder}"),
    "won_self": _("{winner}, self-drawn"),
    # the table
    "hand_of": _("Hand {number} of {hands}"),
    "dealer": _("Dealer"),
    "seat_dealer": _("{wind}, dealer"),
    "who_won": _("Who won hand {number}?"),
    "tap_winner": _("Tap the winner, then the discarder. Tap the winner twice for self-drawn."),
    "who_discarded": _("Who discarded?"),
    "tap_discarder": _("Tap the discarder, or the winner again for self-drawn."),
    "wins": _("wins"),
    "discarded": _("discarded"),
    "self_drawn": _("Self-drawn"),
    "wash_out": _("Wash-out"),
    "foul": _("Foul"),
    "score_sheet": _("Score sheet"),
    "help": _("Help"),
    "start_over": _("Start over"),
    "to_tiles": _("Enter the tiles"),
    "nobody_won": _("Nobody won hand {number}"),
    "save_wash_out": _("Save hand {number} · wash-out"),
    "replace_wash_out": _("Replace hand {number} · wash-out"),
    "last_hands": _("Last hands"),
    "correct": _("Edit"),
    "sum_zero": _("The four scores add up to 0."),
    "sum_unpaid": _("The four scores add up to {sum}. Penalties paid to nobody: {points}."),
    "hand_saved": _("Hand {number} saved"),
    "hand_replaced": _("Hand {number} replaced"),
    # the table cannot be played at
    "not_started": _("Session {session} has not started"),
    "not_started_way_on": _("Hands can be recorded from the gong on; the organiser starts the session."),
    "closed": _("Session {session} is closed"),
    "closed_way_on": _("Only the organiser can still correct hands."),
    "full": _("All {hands} hands are recorded"),
    "full_way_on": _("Check the scores with the players, then hand the table in."),
    "is_in": _("Table {table} has been handed in"),
    "is_in_way_on": _("No more hands. Reopen the table to record another one."),
    "hand_in": _("Hand in table {table}"),
    "sign_and_hand_in": _("Sign and hand in"),
    "hand_in_unsigned": _("Hand in without all signatures"),
    "hand_in_question": _("Hand in table {table} after {played} of {hands} hands?"),
    "hand_in_why": _("Do this when time is up. Unfinished hands do not count."),
    "keep_playing": _("Keep playing"),
    "reopen": _("Reopen"),
    "table_points": _("Table points"),
    "undo": _("Undo"),
    "undo_label": _("Undo hand {number}"),
    "hand_undone": _("Hand {number} undone"),
    "put_away": _("Close this notice"),
    # points
    "by": _("How to record"),
    "by_points": _("Points"),
    "by_fans": _("Fans"),
    "by_tiles": _("Tiles"),
    "points_hint": _("points, flowers included"),
    "large_figure": _("More than {points} points are rare. Is this correct?"),
    "large_yes": _("Yes, {points} points"),
    "clear": _("Clear"),
    "delete_digit": _("Delete the last digit"),
    "announced": _("as announced, without tiles"),
    # tiles
    "wins_title": _("{name} wins"),
    "from_player": _("from {name}"),
    "hand_from": _("Hand {number} · from {name}"),
    "hand_self_drawn": _("Hand {number} · self-drawn"),
    "correct_title": _("Correct hand {number}"),
    "the_hand": _("The hand, {count} of 14 tiles"),
    "to_go": _("{count} to go; the last one is the winning tile"),
    "won_on": _("Won on {tile}; tap to change"),
    "tap_to_remove": _("Tap a tile to remove it."),
    "remove_tile": _("Remove {tile}"),
    "mark_winner": _("Won on {tile}"),
    "change_tiles": _("Change tiles"),
    "done": _("Done"),
    "change_who": _("Change who won"),
    "one_flower_less": _("Flower −1"),
    "circumstances": _("Circumstances"),
    "last_of_kind": _("Last of its kind"),
    "last_tile_of_wall": _("Last tile of wall"),
    "replacement": _("After a kong"),
    "robbing_kong": _("Robbing a kong"),
    "next_tap": _("Next tap adds"),
    "tile": pgettext_lazy("a single tile, on the keyboard", "Tile"),
    "chow": _("Chow"),
    "pung": _("Pung"),
    "kong": _("Kong"),
    "concealed_kong": _("Concealed kong"),
    "concealed_kong_short": pgettext_lazy("concealed kong, on a narrow key", "Concealed"),
    "chow_hint": _("Tap the lowest tile of the chow."),
    "characters": _("Characters"),
    "dots": _("Dots"),
    "bamboos": _("Bamboos"),
    "honours": _("Honours"),
    "flower_key": _("Flower +1"),
    "delete_last": _("Delete the last tile"),
    "with_tiles": pgettext_lazy("points with these tiles", "with"),
    "nothing_yet": _("The score appears from the twelfth tile on."),
    "no_way": _("No tile can complete this hand."),
    "counting": _("Counting"),
    "points": _("Points"),
    "not_counted": _("Not counted: {fans}"),
    "another_fan": _("another {fan}"),
    "new_tab": _("in a new tab"),
    "not_winning": _("These tiles are not a winning hand"),
    "not_winning_why": _(
        "They make neither four sets and a pair nor a special hand. Check them, or record a false hu."
    ),
    "false_hu": _("Record a false hu"),
    "payments": _("Payments"),
    # correcting
    "what_changes": _("What changes"),
    "rank": _("Rank"),
    "was": _("Was"),
    "will_be": _("Will be"),
    "scores_now": _("Scores now"),
    "reason": _("Reason"),
    "reason_kept": _("recorded in the log with both versions"),
    "keep_it": _("Keep it"),
    "keep_points": _("Keep {points}"),
    "nothing_changes": _("Nothing changes: this is the hand as it is recorded."),
    # the sheet
    "hands": pgettext_lazy("a list", "Hands"),
    "no_hands": _("No hands yet."),
    "penalties": _("Penalties"),
    "no_penalties": _("No penalties."),
    "version_by": _("Saved {at} by {by}"),
    "version_at": _("Saved {at}"),
    "versions": _("Earlier versions"),
    "versions_n": _("Earlier versions: {n}"),
    "foul_and_sanction": _("{foul}: {sanction}"),
    "in_hand": _("hand {number}"),
    "paid_to_nobody": _("{points} paid to nobody"),
    "cancel": pgettext_lazy("a penalty or payment", "Cancel"),
    "cancel_penalty": _("Cancel this penalty"),
    "cancelled": _("Cancelled by {by}: {reason}"),
    "cancel_why": _("Why is it cancelled?"),
    "cancel_kept": _("The penalty stays in the record; its points return."),
    "keep_penalty": _("Keep it"),
    "hand_title": _("Hand {number}"),
    "self_check": _("Running scores"),
    # fouls
    "stays": _("Table {table} · hand {number} stays as it is"),
    "who_what": _("Player and foul"),
    "close": _("Close"),
    "player": _("Player"),
    "search": _("Search"),
    "no_foul_found": _("No fouls match."),
    "other_foul": _("Another foul"),
    "ladder": _("For each repeat"),
    "source": _("Source: {source}"),
    "which_hand": _("In which hand?"),
    "hand_now": _("Hand {number}, now"),
    "no_hand": _("Outside a hand"),
    "minutes": _("Minutes late"),
    "how_many": _("How many points?"),
    "from_to": _("Any whole number from {minimum} to {maximum}"),
    "victim": _("Who was the injured party?"),
    "hu_was_valid": _("Was the hu valid?"),
    "yes": _("Yes"),
    "no": _("No"),
    "circumstance": _("How did it happen?"),
    "a_warning": _("Warning"),
    "change_sanction": _("Change the sanction (with a reason)"),
    "choose_sanction": _("Choose the sanction"),
    "as_in_book": _("As in the foul book"),
    "no_points": pgettext_lazy("points of a penalty", "none"),
    "another_amount": _("Another amount"),
    "paid_to": _("Paid to"),
    "paid_nobody": pgettext_lazy("points of a penalty", "nobody"),
    "paid_each_opponent": _("each of the others"),
    "paid_victim": _("one of the others"),
    "what_else": _("Other sanctions"),
    "grave_question": _("This ends the player’s session or tournament. Impose it?"),
    "because": _("Why not as in the foul book?"),
    "umpire_needed": _("Only an umpire can do this, not a scorer or the card of a table."),
    "because_kept": _("recorded with the penalty"),
    "not_as_in_book": _("Differs from the foul book."),
    "book_says": _("The foul book says: {sanction}."),
    "note": _("Note"),
    "note_hint": _("optional, for the record"),
    "give": _("Give the penalty"),
    "penalise": _("Penalise {name}: {sanction}"),
    "choose_player": _("Choose the player."),
    "choose_foul": _("Choose the foul."),
    "penalty_given": _("Penalty given"),
    "penalty_undo": _("Undo the penalty of {name}"),
    "penalty_undone": _("Penalty undone"),
    "penalty_cancelled": _("Penalty cancelled"),
    # when it does not go as it should
    "unreachable": _("Not saved: no connection"),
    "unreachable_why": _("Everything you entered is still here. Try again when the network is back."),
    "unchecked": _("No connection: the tiles cannot be counted now"),
    "try_again": _("Try again"),
    "broken": _("That did not work"),
    "broken_why": _("The server had a fault; nothing was changed. What you entered is still here."),
    "sign_in": _("Sign in"),
    "someone": _("another device"),
}


COUNTED_TEXTS: dict[str, Callable[[int], str]] = {
    "points_n": lambda n: ngettext("{points} point", "{points} points", n),
    "save_hand": lambda n: ngettext(
        "Save hand {number} · {points} point", "Save hand {number} · {points} points", n
    ),
    "replace_hand": lambda n: ngettext(
        "Replace hand {number} · {points} point", "Replace hand {number} · {points} points", n
    ),
    "tp": lambda n: ngettext("{points} table point", "{points} table points", n),
    "flowers": lambda n: ngettext("{count} flower", "{count} flowers", n),
    "hand_in_early": lambda n: ngettext("Hand in after {played} hand", "Hand in after {played} hands", n),
    "search_fouls": lambda n: ngettext("{count} foul, any language", "{count} fouls, any language", n),
    "last_minutes": lambda n: ngettext("The last {minutes} minute", "The last {minutes} minutes", n),
    "stand_in_now": lambda n: ngettext("{minutes} minute is over", "{minutes} minutes are over", n),
    "extra_time_now": lambda n: ngettext(
        "This table plays {minutes} minute longer than the hall.",
        "This table plays {minutes} minutes longer than the hall.",
        n,
    ),
}


def desk_texts() -> dict[str, str | list[str]]:
    """Return all texts of the desk's script by key; one with a number in it as [singular, plural]."""
    sentences = DESK_TEXTS | CHOICE_TEXTS | DISPUTE_TEXTS | CLOCK_TEXTS | SIGNING_TEXTS | LATENESS_TEXTS
    sentences |= {"dead_hand": problem_template(DEAD_HAND.code)}
    return {key: str(text) for key, text in sentences.items()} | counted_texts(COUNTED_TEXTS)


def counted_texts(plurals: Mapping[str, Callable[[int], str]]) -> dict[str, list[str]]:
    """Return [singular, plural] by key."""
    return {key: [plural(1), plural(2)] for key, plural in plurals.items()}
