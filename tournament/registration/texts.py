"""Registration in words: answers, the log, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from scoring.texts import joined
from tournament.base.models.registration import Question, Registration
from tournament.web.texts.log import Data, LogWords, also, rows, says

SHOWN = 5
"""So many names are written out."""

rows(
    {
        "registration_made": gettext_lazy("Registered, to be confirmed: {registrant}."),
        "registration_changed": gettext_lazy("Registration changed: {registrant}."),
        "registration_cancelled": gettext_lazy("Registration cancelled: {registrant}."),
        "registered_changed": gettext_lazy("Registration changed, and player {player} with it."),
        "registered_left": gettext_lazy("Registration cancelled: {registrant} withdrew."),
    }
)
"""Entries name people by their registration's number; who that is now is looked up when it is read."""
STATES = {
    Registration.State.PENDING: gettext_lazy("Registration confirmed, to be looked at: {registrant}."),
    Registration.State.WAITING: gettext_lazy("Registration confirmed, on the waiting list: {registrant}."),
    Registration.State.ACCEPTED: gettext_lazy("Registration confirmed, with a place: {registrant}."),
    Registration.State.DECLINED: gettext_lazy(
        "Registration confirmed when everything was full: {registrant}."
    ),
}

DECIDED = {
    Registration.State.ACCEPTED: gettext_lazy("Given a place: {names}."),
    Registration.State.WAITING: gettext_lazy("Put on the waiting list: {names}."),
    Registration.State.DECLINED: gettext_lazy("Declined: {names}."),
    Registration.State.CANCELLED: gettext_lazy("Cancelled by the desk: {names}."),
}
STEPS = {
    "registrations_added": gettext_lazy("Registered by the desk: {names}."),
    "registrations_entered": gettext_lazy("Entered as players: {names}."),
    "registrations_undone": gettext_lazy("Step taken back, as before: {names}."),
}


def _names(words: LogWords, numbers: list[int]) -> str:
    """The first of them, and how many more."""
    names = joined(map(words.registrant, numbers[:SHOWN]))
    if (more := len(numbers) - SHOWN) <= 0:
        return names
    text = ngettext("{names} and {n} more", "{names} and {n} more", more)
    return text.format(names=names, n=more)


def _say_step(action: str) -> None:
    @says(action)
    def say(words: LogWords, data: Data) -> str:
        return str(STEPS[action]).format(names=_names(words, data["registrations"]))


for _action in STEPS:
    _say_step(_action)


@says("registrations_moved")
def _moved(words: LogWords, data: Data) -> str:
    return str(DECIDED[Registration.State(data["to"])]).format(names=_names(words, data["registrations"]))


@says("registration_confirmed")
def _confirmed(words: LogWords, data: Data) -> str:
    return words.fill(STATES[Registration.State(data["state"])], data)


@says("registration_expired")
def _expired(words: LogWords, data: Data) -> str:
    n = len(data["registrations"])
    text = ngettext(
        "{n} registration that was not confirmed is gone.",
        "{n} registrations that were not confirmed are gone.",
        n,
    )
    return text.format(n=n)


@says("registration_plan_set")
def _plan_set(words: LogWords, data: Data) -> str:
    if not data["is_open"]:
        return _("Registration is closed.")
    if data["places"] is None:
        return _("Registration planned, with a place for everybody.")
    text = ngettext(
        "Registration planned, with {n} place.", "Registration planned, with {n} places.", data["places"]
    )
    return text.format(n=data["places"])


@says("registration_questions_set")
def _questions_set(words: LogWords, data: Data) -> str:
    text = ngettext(
        "{n} question asked at registration.", "{n} questions asked at registration.", data["questions"]
    )
    return text.format(n=data["questions"])


@also
def _moved_up(words: LogWords, data: Data) -> str:
    """Who got a place that became free."""
    numbers = data.get("moved_up", ())
    return (
        _("Moved up from the waiting list: {names}.").format(names=_names(words, numbers)) if numbers else ""
    )


REGISTRATION: dict[str, str | Promise] = {
    # who registers
    "registration_not_open": gettext_lazy("Registration is not open."),
    "registrations_too_many": gettext_lazy(
        "Too many registrations came from here. Try again in ten minutes."
    ),
    "privacy_not_read": gettext_lazy(
        "Say that you have read the privacy notice: without that nothing can be kept."
    ),
    "email_missing": gettext_lazy("Write your e-mail address: the link to confirm goes there."),
    "email_wrong": gettext_lazy("This is no e-mail address."),
    "answer_missing": gettext_lazy("Please answer this."),
    "question_answered": gettext_lazy(
        "There are answers to question {number}: {answers}. Say that they may go."
    ),
    "answer_unknown": gettext_lazy("This is none of the answers."),
    "registration_link_expired": gettext_lazy("This link was good for three days. Register again."),
    "registration_over": gettext_lazy("This registration is over. Register again if you want to come."),
    "particulars_are_fixed": gettext_lazy("Play has begun: the organiser can still change this."),
    "place_is_kept": gettext_lazy(
        "Your place is kept for who you are registered as. The organiser can change this."
    ),
    "registered_plays": gettext_lazy("Play has begun: whoever stops playing withdraws, at the desk."),
    "ema_number_of_other_country": gettext_lazy(
        "This EMA number was given in another country ({country}). That is no fault if you have moved."
    ),
    # the plan
    "registration_not_planned": gettext_lazy(
        "Say first how many places there are, and until when registration is open."
    ),
    "registration_ends_before_it_starts": gettext_lazy("Registration would close before it opens."),
    "places_out_of_range": gettext_lazy("A number from 0 to {most}; kept places from 1."),
    "kept_for_nobody": gettext_lazy("Kept for whom? Name a country or a club."),
    "kept_twice": gettext_lazy("Places for {value} are kept twice. Write one line."),
    "kept_more_than_places": gettext_lazy("{kept} places are kept, and there are fewer in all."),
    "questions_too_many": gettext_lazy("At most {most} questions can be asked."),
    "question_gone": gettext_lazy("Somebody else has removed this question in the meantime."),
    "question_kind_unknown": gettext_lazy("Choose what kind of answer it takes."),
    "question_empty": gettext_lazy("Write the question, in one language at least."),
    "question_choices": gettext_lazy(
        "A choice needs 2 to {most} answers, one a line, as many in each language."
    ),
    "question_too_long": gettext_lazy("At most {most} characters, in a language that Hule speaks."),
    # the desk
    "registration_unknown": gettext_lazy("There is no registration {number}."),
    "registration_step_unknown": gettext_lazy("Choose what is to be done."),
    "registration_step_gone": gettext_lazy(
        "This step cannot be undone any more: somebody has moved on since."
    ),
    "nobody_chosen": gettext_lazy("Nobody is left for whom that would change anything. Choose at least one."),
    "no_place_left": gettext_lazy(
        "There is no place left for {name}: all are taken, or those that are free are kept for others."
    ),
    "no_place_left_for_undo": gettext_lazy(
        "The places have been given to others in the meantime, so this cannot be undone."
    ),
    "waiting_list_full": gettext_lazy("The waiting list has room for {most}."),
}


def in_language(texts: Mapping[str, str]) -> str:
    """A text of the organiser's in the reader's language, else in the first that there is."""
    candidates = [texts.get(get_language() or ""), *(texts.get(code) for code, _name in settings.LANGUAGES)]
    return next((text for text in candidates if text), "")


def answers_of(registration: Registration, questions: Iterable[Question]) -> list[tuple[str, str]]:
    """Question and answer, of those that were answered, in the language of the moment."""
    pairs = [(in_language(question.text), answer_to(question, registration)) for question in questions]
    return [(text, answer) for text, answer in pairs if answer]


def answer_to(question: Question, registration: Registration) -> str:
    """What somebody answered; "" for nothing."""
    answer = registration.answers.get(str(question.pk), "")
    if isinstance(answer, bool):
        return _("yes") if answer else _("no")
    if isinstance(answer, int):
        return in_language(question.choices[answer]) if answer < len(question.choices) else ""
    return str(answer)


def step_title(step: str, n: int) -> str:
    """What is asked before a step over n people."""
    return _STEPS[step](n) % {"n": n}


def done_text(step: str, n: int) -> str:
    """What is said after it."""
    return _DONE[step](n) % {"n": n}


_STEPS = {
    "accept": lambda n: ngettext("Give %(n)s person a place?", "Give %(n)s people a place?", n),
    "move_up": lambda n: ngettext("Let %(n)s person move up?", "Let %(n)s people move up?", n),
    "wait": lambda n: ngettext(
        "Put %(n)s person on the waiting list?", "Put %(n)s people on the waiting list?", n
    ),
    "decline": lambda n: ngettext("Decline %(n)s person?", "Decline %(n)s people?", n),
    "cancel": lambda n: ngettext("Cancel %(n)s registration?", "Cancel %(n)s registrations?", n),
    "enter": lambda n: ngettext("Enter %(n)s person as a player?", "Enter %(n)s people as players?", n),
}
_DONE = {
    "accept": lambda n: ngettext("%(n)s person has a place.", "%(n)s people have a place.", n),
    "move_up": lambda n: ngettext("%(n)s person moved up.", "%(n)s people moved up.", n),
    "wait": lambda n: ngettext(
        "%(n)s person is on the waiting list.", "%(n)s people are on the waiting list.", n
    ),
    "decline": lambda n: ngettext("%(n)s person is declined.", "%(n)s people are declined.", n),
    "cancel": lambda n: ngettext("%(n)s registration is cancelled.", "%(n)s registrations are cancelled.", n),
    "enter": lambda n: ngettext("%(n)s person is a player now.", "%(n)s people are players now.", n),
}
