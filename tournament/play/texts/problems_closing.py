"""Sentences about how a session ends: extra time, calls, appeals and their rulings, and the closing check."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

CLOSING: dict[str, str | Promise] = {
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
"""Code → sentence; a part of `tournament.web.texts.problems.SENTENCES`."""
