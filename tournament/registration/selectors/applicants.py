"""What somebody says who wants to play, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from scoring.engine.problems import Problem
from tournament.base.models.registration import Question, Registration
from tournament.players.engine import other_country
from tournament.players.selectors.entrants import Entrant, problems_of

LONGEST_MESSAGE: Final = 2000
LONGEST_ANSWER: Final = 500
PARTICULARS: Final = ("last_name", "first_name", "country", "ema_number", "club", "team")
"""What a registration and the player it becomes have in common."""

Answer = str | int | bool


@dataclass(frozen=True)
class Applicant:
    """What is said of somebody who wants to play. `answers`: a question's key as text → what was answered."""

    last_name: str
    first_name: str = ""
    country: str = ""
    email: str = ""
    ema_number: str = ""
    club: str = ""
    team: str = ""
    message: str = ""
    answers: Mapping[str, Answer] = field(default_factory=dict)
    language: str = ""
    photos_agreed: bool = False
    name_shown: bool = False


def applicant_of(registration: Registration) -> Applicant:
    return Applicant(**{one.name: getattr(registration, one.name) for one in fields(Applicant)})


def values_of(applicant: Applicant) -> dict[str, Any]:
    """As the registration's row has them."""
    return asdict(applicant) | {"answers": dict(applicant.answers)}


def entrant_of(registration: Registration, number: int | None = None) -> Entrant:
    """The player that a registration becomes."""
    return Entrant(**{name: getattr(registration, name) for name in PARTICULARS}, number=number)


def applicant_problems(
    applicant: Applicant, questions: Sequence[Question] = (), *, by_themselves: bool = True
) -> list[Problem]:
    """Every fault; `where` is the field, of an answer "q<key>". `by_themselves`: then an address for letters is needed,
    and an answer to whatever has to be answered; the organiser enters whom they know."""
    found = [
        *problems_of(Entrant(**{name: getattr(applicant, name) for name in PARTICULARS})),
        *_email_problems(applicant.email, by_themselves),
    ]
    if (length := len(applicant.message)) > LONGEST_MESSAGE:
        found.append(Problem("text_too_long", "message", {"length": length, "most": LONGEST_MESSAGE}))
    known = {str(question.pk) for question in questions}
    found += [Problem("answer_unknown", f"q{key}") for key in applicant.answers if key not in known]
    for question in questions:
        answer = applicant.answers.get(str(question.pk))
        if problem := _answer_problem(question, answer, by_themselves):
            found.append(problem)
    return found


def _email_problems(email: str, is_needed: bool) -> list[Problem]:
    if not email:
        return [Problem("email_missing", "email")] if is_needed else []
    try:
        validate_email(email)
    except ValidationError:
        return [Problem("email_wrong", "email")]
    return [Problem("email_wrong", "email")] if len(email) > 254 else []


def _answer_problem(question: Question, answer: Answer | None, is_needed: bool) -> Problem | None:
    where = f"q{question.pk}"
    if answer is None or answer == "":
        return Problem("answer_missing", where) if is_needed and question.is_required else None
    if question.kind == Question.Kind.CHOICE:
        is_one = isinstance(answer, int) and not isinstance(answer, bool)
        return (
            None if is_one and 0 <= int(answer) < len(question.choices) else Problem("answer_unknown", where)
        )
    if question.kind == Question.Kind.YES_NO:
        return None if isinstance(answer, bool) else Problem("answer_unknown", where)
    if not isinstance(answer, str) or "\x00" in answer:
        return Problem("answer_unknown", where)
    if len(answer) > LONGEST_ANSWER:
        return Problem("text_too_long", where, {"length": len(answer), "most": LONGEST_ANSWER})
    return None


def warnings_of(registration: Registration) -> list[Problem]:
    """What is odd and may well be right."""
    other = other_country(registration.ema_number, registration.country)
    return [Problem("ema_number_of_other_country", "ema_number", {"country": other})] if other else []
