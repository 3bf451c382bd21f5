"""The plan of registration: whether it is open, what it asks, how many places are taken, and what is wrong with one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final, Protocol

from django.conf import settings
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.base.engine.text import is_chinese
from tournament.base.models.registration import Question, Registration, RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version
from tournament.registration.engine import Candidate, Kept, Limits, Places, folded
from tournament.web.texts.words import is_country

MOST_PLACES: Final = 9999
MOST_QUESTIONS, MOST_CHOICES = 20, 20
LONGEST_TEXT: Final = 200


class Phase(StrEnum):
    """Whether somebody can register now, and why not."""

    NONE = "none"
    COMING = "coming"
    OPEN = "open"
    FULL = "full"
    OVER = "over"
    CLOSED = "closed"


class Switched(Protocol):
    """What opens and closes by its switch and, while that is on, by its times."""

    @property
    def is_open(self) -> bool: ...
    @property
    def opens_at(self) -> datetime | None: ...
    @property
    def closes_at(self) -> datetime | None: ...


@dataclass(frozen=True)
class PlanWish:
    """What an organiser says of registration; the questions are said apart."""

    is_open: bool = True
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    places: int | None = None
    waiting_places: int | None = None
    accepts_itself: bool = False
    moves_up_itself: bool = True
    list_is_public: bool = True
    kept: tuple[Kept, ...] = ()


@dataclass(frozen=True)
class QuestionWish:
    """A question as it is to be. `key`: of one that there is, so that its answers stay; None: a new one.

    `text`: language → the question; `choices`: of a choice, language → the choices in their order.
    """

    kind: str
    text: Mapping[str, str]
    choices: Sequence[Mapping[str, str]] = ()
    is_required: bool = False
    key: int | None = None


@dataclass(frozen=True)
class Registering:
    """How registration stands, for everybody."""

    plan: RegistrationPlan | None
    phase: Phase
    taken: int = 0
    waiting: int = 0
    left: int | None = None
    left_open: int | None = None
    kept: tuple[tuple[Kept, int], ...] = field(default=())
    """Each of the kept ones, and how many of them nobody has."""

    @property
    def is_open(self) -> bool:
        return self.phase is Phase.OPEN

    @property
    def must_wait(self) -> bool:
        """Whether all places are taken."""
        return self.left == 0


def plan_of(tournament: Tournament) -> RegistrationPlan | None:
    return (
        RegistrationPlan.objects.filter(tournament=tournament).prefetch_related("kept", "questions").first()
    )


def limits_of(plan: RegistrationPlan) -> Limits:
    kept = tuple(Kept(places.by, places.value, places.places) for places in plan.kept.all())
    return Limits(plan.places, plan.waiting_places, kept)


def wish_of(plan: RegistrationPlan) -> PlanWish:
    """The plan as it could be said again."""
    same = {name: getattr(plan, name) for name in PlanWish.__dataclass_fields__ if name != "kept"}
    return PlanWish(**same, kept=limits_of(plan).kept)


def holders(tournament: Tournament) -> list[Candidate]:
    """Those who have a place, who came first first. Who withdrew as a player leaves theirs to another."""
    accepted = tournament.registrations.filter(state=Registration.State.ACCEPTED, player__withdrawn_at=None)
    return candidates(accepted.order_by("number"))


def how_many_have_a_place() -> Coalesce:
    """To annotate tournaments with."""
    theirs = Registration.objects.filter(
        tournament=OuterRef("pk"), state=Registration.State.ACCEPTED, player__withdrawn_at=None
    )
    return Coalesce(Subquery(theirs.order_by().values("tournament").annotate(n=Count("pk")).values("n")), 0)


def takes_registrations(tournament: Tournament) -> bool:
    """Whether registration is open by its switch and its times; there may be no place left."""
    plan = getattr(tournament, "registration_plan", None)
    return plan is not None and phase_at(plan, timezone.now()) is Phase.OPEN


def line_of(tournament: Tournament) -> list[Candidate]:
    """The waiting list in its order."""
    waiting = tournament.registrations.filter(state=Registration.State.WAITING)
    return candidates(waiting.order_by("waits_since", "number"))


def candidates(registrations: Iterable[Registration]) -> list[Candidate]:
    return [
        Candidate(registration.number, registration.country, registration.club)
        for registration in registrations
    ]


def registering(tournament: Tournament) -> Registering:
    """How registration stands now."""
    plan = plan_of(tournament)
    if plan is None:
        return Registering(None, Phase.NONE)
    limits = limits_of(plan)
    places, waiting = Places.taken_by(limits, holders(tournament)), len(line_of(tournament))
    is_full = places.left == 0 and limits.waiting is not None and waiting >= limits.waiting
    kept = tuple(zip(limits.kept, places.left_kept, strict=True))
    phase = phase_at(plan, timezone.now())
    phase = Phase.FULL if is_full and phase is Phase.OPEN else phase
    return Registering(plan, phase, places.taken, waiting, places.left, places.left_open, kept)


def phase_at(plan: Switched, now: datetime) -> Phase:
    """By its switch and its times alone; there may be no place left."""
    if not plan.is_open:
        return Phase.CLOSED
    if plan.opens_at and now < plan.opens_at:
        return Phase.COMING
    if plan.closes_at and now >= plan.closes_at:
        return Phase.OVER
    return Phase.OPEN


def moments_of(tournament: Tournament) -> list[datetime]:
    """When it opens and closes by itself."""
    times = RegistrationPlan.objects.filter(tournament=tournament).values_list("opens_at", "closes_at")
    return [moment for pair in times for moment in pair if moment is not None]


def asked_by(plan: RegistrationPlan) -> list[Question]:
    return list(plan.questions.all())


def who_answered(question: Question) -> QuerySet[Registration]:
    return Registration.objects.filter(
        tournament=question.plan.tournament_id, answers__has_key=str(question.pk)
    )


def plan_problems(wanted: PlanWish) -> list[Problem]:
    """Everything wrong with a plan; `where` is the field, of kept places "kept.<index>"."""
    problems = []
    if wanted.opens_at and wanted.closes_at and wanted.closes_at <= wanted.opens_at:
        problems.append(Problem("registration_ends_before_it_starts", "closes_at"))
    for name in ("places", "waiting_places"):
        if not 0 <= (getattr(wanted, name) or 0) <= MOST_PLACES:
            problems.append(Problem("places_out_of_range", name, {"most": MOST_PLACES}))
    seen = set()
    for index, kept in enumerate(wanted.kept):
        where, key = f"kept.{index}", (kept.by, folded(kept.value))
        if kept.by not in ("country", "club") or not kept.value.strip() or len(kept.value) > 80:
            problems.append(Problem("kept_for_nobody", where))
        elif kept.by == "country" and not is_country(kept.value):
            problems.append(Problem("unknown_country", where, {"country": kept.value}))
        if not 1 <= kept.places <= MOST_PLACES:
            problems.append(Problem("places_out_of_range", where, {"most": MOST_PLACES}))
        if key in seen:
            problems.append(Problem("kept_twice", where, {"value": kept.value}))
        seen.add(key)
    n_kept = sum(kept.places for kept in wanted.kept)
    if wanted.kept and (wanted.places is None or n_kept > wanted.places):
        problems.append(Problem("kept_more_than_places", "places", {"kept": n_kept}))
    return problems


def questions_problems(wishes: Sequence[QuestionWish], known: Iterable[int]) -> list[Problem]:
    """Everything wrong with the questions; `where` is "<index>.<field>"."""
    keys, problems = set(known), []
    if len(wishes) > MOST_QUESTIONS:
        problems.append(Problem("questions_too_many", "", {"most": MOST_QUESTIONS}))
    for index, question in enumerate(wishes):
        if question.key is not None and question.key not in keys:
            problems.append(Problem("question_gone", f"{index}.text"))
        if question.kind not in Question.Kind.values:
            problems.append(Problem("question_kind_unknown", f"{index}.kind"))
        if not any(text.strip() for text in question.text.values()):
            problems.append(Problem("question_empty", f"{index}.text"))
        if question.kind == Question.Kind.CHOICE and not 2 <= len(question.choices) <= MOST_CHOICES:
            problems.append(Problem("question_choices", f"{index}.choices", {"most": MOST_CHOICES}))
        texts = [*question.text.items(), *(pair for choice in question.choices for pair in choice.items())]
        if any(len(text) > LONGEST_TEXT or code not in dict(settings.LANGUAGES) for code, text in texts):
            problems.append(Problem("question_too_long", f"{index}.text", {"most": LONGEST_TEXT}))
    return problems


# --- Who is coming ---


@dataclass(frozen=True)
class Coming:
    """Somebody with a place, as everybody may see them: by name, or by initials."""

    name: str
    country: str
    club: str


def places_taken(tournament: Tournament) -> Registering | None:
    """How many places are taken, for `components/places.html`; None where there is no registration."""
    now = registering(tournament)
    return None if now.plan is None else now


@by_version(64)
def who_is_coming(tournament: Tournament) -> tuple[Coming, ...]:
    """Who has a place, by country and name; whoever has not agreed to be named stands there with initials."""
    holders_shown = tournament.registrations.filter(
        state=Registration.State.ACCEPTED, player__withdrawn_at=None, erased_at=None
    )
    people = [
        Coming(_shown_name(holder), holder.country, holder.club if holder.name_shown else "")
        for holder in holders_shown
    ]
    return tuple(sorted(people, key=lambda person: (person.country, person.name.casefold())))


def _shown_name(registration: Registration) -> str:
    if registration.name_shown:
        return registration.name
    return initials(registration.first_name, registration.last_name)


def initials(first_name: str, last_name: str) -> str:
    """
    >>> initials("Anna", "van Dijk"), initials("伟", "张")
    ('A. v. D.', '张〇')
    """
    if is_chinese(first_name) and is_chinese(last_name):
        return f"{last_name[0]}〇"
    return " ".join(f"{word[0]}." for word in f"{first_name} {last_name}".split())
