"""What is wrong with a registration, with the plan of it, and with what the desk decides."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REGISTRATION: dict[str, str | Promise] = {
    # who registers
    "registration_not_open": _("Registration is not open."),
    "registrations_too_many": _("Too many registrations came from here. Try again in ten minutes."),
    "privacy_not_read": _("Say that you have read the privacy notice: without that nothing can be kept."),
    "email_missing": _("Write your e-mail address: the link to confirm goes there."),
    "email_wrong": _("This is no e-mail address."),
    "answer_missing": _("Please answer this."),
    "question_answered": _("There are answers to question {number}: {answers}. Say that they may go."),
    "answer_unknown": _("This is none of the answers."),
    "registration_link_expired": _("This link was good for three days. Register again."),
    "registration_over": _("This registration is over. Register again if you want to come."),
    "particulars_are_fixed": _("Play has begun: the organiser can still change this."),
    "place_is_kept": _("Your place is kept for who you are registered as. The organiser can change this."),
    "registered_plays": _("Play has begun: whoever stops playing withdraws, at the desk."),
    "ema_number_of_other_country": _(
        "This EMA number was given in another country ({country}). That is no fault if you have moved."
    ),
    # the plan
    "registration_not_planned": _(
        "Say first how many places there are, and until when registration is open."
    ),
    "registration_ends_before_it_starts": _("Registration would close before it opens."),
    "places_out_of_range": _("A number from 0 to {most}; kept places from 1."),
    "kept_for_nobody": _("Kept for whom? Name a country or a club."),
    "kept_twice": _("Places for {value} are kept twice. Write one line."),
    "kept_more_than_places": _("{kept} places are kept, and there are fewer in all."),
    "questions_too_many": _("At most {most} questions can be asked."),
    "question_gone": _("Somebody else has removed this question in the meantime."),
    "question_kind_unknown": _("Choose what kind of answer it takes."),
    "question_empty": _("Write the question, in one language at least."),
    "question_choices": _("A choice needs 2 to {most} answers, one a line, as many in each language."),
    "question_too_long": _("At most {most} characters, in a language that Hule speaks."),
    # the desk
    "registration_unknown": _("There is no registration {number}."),
    "registration_step_unknown": _("Choose what is to be done."),
    "registration_step_gone": _("This step cannot be undone any more: somebody has moved on since."),
    "nobody_chosen": _("Nobody is left for whom that would change anything. Choose at least one."),
    "no_place_left": _(
        "There is no place left for {name}: all are taken, or those that are free are kept for others."
    ),
    "no_place_left_for_undo": _(
        "The places have been given to others in the meantime, so this cannot be undone."
    ),
    "waiting_list_full": _("The waiting list has room for {most}."),
}
