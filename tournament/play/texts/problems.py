"""Sentences about the problems of play, by code: absences, totals from paper, and how a session ends."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

ABSENCES: dict[str, str | Promise] = {
    "already_absent": _("{name} is noted as absent already."),
    "absent_has_played": _("{name} has played hand {hand} here, and so is not missing."),
    "seat_empty": _(
        "The seat of player {player} is empty: nobody wins, discards or claims there. Name a stand-in, or note that "
        "the player is here."
    ),
    "seat_empty_too_early": _(
        "{name} is missing, and the others wait until minute {minutes}. Let them begin, and say why; or note that "
        "{name} is here."
    ),
    "begun_reason_missing": _("Say why the others do not wait."),
    "foul_in_empty_seat": _(
        "The seat of player {player} is empty in this hand: nobody fouls or suffers there. Who is missing can be late."
    ),
    "stand_in_too_early": _(
        "The others start without the player after {minutes} minutes, or when the umpire lets them begin before."
    ),
    "stand_in_seated": _("Somebody is playing for {name} already."),
    "not_missing": _("Player {player} is not noted as missing."),
    "still_missing": _("{name} is noted as missing: note the arrival, and the seat is free again."),
    "no_stand_in": _("Nobody is playing for {name}."),
}

TOTALS: dict[str, str | Promise] = {
    "total_missing": _("This total is missing: three are needed, the fourth follows."),
    "totals_not_zero": _("The four totals come to {sum}; they have to come to 0."),
    "totals_sum": _(
        "The four totals come to {sum}; with the penalties at this table they have to come to {right}."
    ),
    "total_too_large": _("Sixteen hands cannot bring {points}: {most} is the most there can be."),
    "total_unlikely": _("{points} is unlikely. If the sheet has it, confirm it; else type it anew."),
    "total_not_whole": _("“{text}” is not a whole number, such as 12 or -34."),
    "count_missing": _("Type this one too, 0 for none; or leave all four empty."),
    "count_out_of_range": _("This is 0 to {hands}."),
    "hands_out_of_range": _("A sheet has 1 to {hands} hands."),
    "wins_too_many": _("{wins} wins in {hands} hands cannot be: a hand has one winner."),
    "deal_ins_too_many": _("{deal_ins} deal-ins cannot be with {wins} wins."),
    "best_without_win": _("Who has the best hand has won one."),
    "best_incomplete": _("The best hand has a winner and points: give both, or neither."),
    "best_out_of_range": _("A hand has 1 to {most} points."),
    "totals_there_already": _("Table {table} has totals already. Correct them, with a reason."),
    "table_has_hands": _(
        "At table {table} hands are recorded ({hands}): its totals follow from them. Nothing was changed."
    ),
    "no_totals": _("Table {table} has no totals yet."),
    "set_aside_reason_missing": _("Say why: the table’s score changes."),
    "totals_needed": _(
        "Session {session} is closed and no hand is written down: correct the totals instead."
    ),
    "second_is_first": _("You typed table {table} yourself. Somebody else reads the sheet a second time."),
    "second_there_already": _("The second reading of table {table} waits to be settled."),
    "nothing_to_settle": _("Nothing is left to settle at table {table}."),
    "choice_missing": _("Which is right? Choose a reading, or type the totals."),
    "totals_columns_missing": _("A column with player numbers and one with points are needed."),
    "totals_line_without_player": _("“{text}” is no player number."),
    "totals_player_not_seated": _("Player {player} has no seat at a table of yours in this session."),
    "totals_player_twice": _("Player {player} stands in row {row} too: nobody plays at two tables."),
    "totals_player_elsewhere": _("Player {player} sits at table {table}, not at {given}."),
    "totals_differ": _("Session {session}, table {table}: two readings of the sheet differ."),
}

CLOSING: dict[str, str | Promise] = {
    # extra time, the clock, calls, appeals and their rulings
    "particular_out_of_range": _("From {least} to {most}."),
    "extra_time_out_of_range": _("Extra time is 0 to {most} minutes."),
    "cancel_reason_missing": _("Say why the penalty is cancelled."),
    "extra_time_reason_missing": _("Say why this table plays longer."),
    "clock_reason_missing": _("Say why."),
    "clock_not_paused": _("The clock of session {session} is not paused."),
    "clock_is_over": _("The time of session {session} is up: give the hall more time instead."),
    "clock_before_the_last_pause": _("A pause begins after the one before."),
    "call_topic_missing": _("Say what it is about."),
    "call_again_soon": _("An umpire has just been at table {table}. Call again in a minute."),
    "calls_too_many": _("Too many calls came from here. Raise your hand instead."),
    "call_taken_already": _("Somebody else is already on the way to table {table}."),
    "appeals_are_over": _("Appeals against session {session} could be made until {until}."),
    "appeals_at_once": _("Play has gone on: here a question is raised at once, before the next hand."),
    "appeal_text_missing": _("Say what the appeal is about."),
    "appeal_about_both": _("An appeal is against a hand or against a penalty, not both."),
    "penalty_unknown": _("There is no such penalty at this table, or it is cancelled already."),
    "ruling_missing": _("Say what is decided, and why."),
    "appeal_ruled_already": _("This appeal has been ruled already."),
    "ruled_by_who_decided": _(
        "You took the decision that this appeal is against. Another umpire or the organiser rules on it."
    ),
    "alone_because_missing": _(
        "You took the decision that this appeal is against. Say why nobody else can rule on it."
    ),
    "nothing_to_carry_out": _("Nothing is left to carry out of this ruling."),
    "waiver_reason_missing": _("Say why nothing is changed, or what was done instead."),
    # before a session is closed, standings are published, results opened
    "appeal_not_ruled": _("Session {session}, table {table}: the appeal of {name} is not ruled."),
    "ruling_not_carried_out": _(
        "Session {session}, table {table}: the appeal of {name} is granted and not carried out."
    ),
    "call_still_open": _("Session {session}, table {table}: an umpire is called and not done there."),
    "lateness_not_given": _(
        "Session {session}, table {table}: {name} was late, in minute {minutes}, and has no penalty for it."
    ),
    "sheet_not_signed": _("Session {session}, table {table}: not signed by {names}."),
    "hands_after_time": _(
        "Session {session}, table {table}: saved after the time was up, in minute {minute} of {minutes}: hand {hands}."
    ),
}
