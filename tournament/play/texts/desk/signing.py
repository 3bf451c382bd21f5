"""The desk's sentences of signing off and of appeals. {braces} are filled in by the script."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

WORDS: dict[str, str | Promise] = {
    "signatures": _("Signatures"),
    "sign_question": _("Do the four agree?"),
    "sign_hint": _("Each player taps their own score. A later change makes the signatures void."),
    "sign": _("Sign"),
    "signed_at": _("Signed {at}"),
    "sign_for": _("{name}: sign for {score}"),
    "sign_again": _("{reason}: sign again"),
    "take_signature_back": _("Take back"),
    "take_signature_back_of": _("Take back the signature of {name}"),
    "one_tp": _("1 table point"),
    "tp": _("{points} table points"),
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
    "open_appeal": _("Open the appeal"),
    "appeal_opened": _("Appeal opened"),
    "appeals_until": _("Appeals are possible until {until}."),
    "appeal_open": _("open"),
    "appeal_pending": _("granted, to be carried out"),
    "appeal_carried_out": _("granted and carried out"),
    "appeal_waived": _("granted, closed without a change"),
    "appeal_dismissed": _("dismissed"),
    "appeals_at_once": _("A question is raised and settled at once, before the next hand."),
    "to_carry_out": _("A granted appeal is to be carried out"),
    "to_rulings": _("To the rulings"),
    "under_appeal": _("Under appeal"),
    "result_final": _("The time for appeals is over. Changes need the organiser and a reason."),
}
