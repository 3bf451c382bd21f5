"""Registrations in words: what somebody answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.conf import settings
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from tournament.base.models.registration import Question, Registration


def in_language(texts: Mapping[str, str]) -> str:
    """A text of the organiser's in the reader's language, else in the first that there is."""
    said = [texts.get(get_language() or ""), *(texts.get(code) for code, _name in settings.LANGUAGES)]
    return next((text for text in said if text), "")


def answers_of(registration: Registration, questions: Iterable[Question]) -> list[tuple[str, str]]:
    """Question and answer, of those that were answered, in the language of the moment."""
    said = [(in_language(one.text), answer_to(one, registration)) for one in questions]
    return [(question, answer) for question, answer in said if answer]


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
