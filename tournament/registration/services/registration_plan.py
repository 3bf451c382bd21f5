"""The organiser's plan: when registration is open, how many may come, and what is asked of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.access.rights import Right
from tournament.base.errors import Refused, refuse
from tournament.base.models.registration import KeptPlaces, Question, RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.registration.selectors.registration_plan import (
    PlanWish,
    QuestionWish,
    plan_of,
    plan_problems,
    questions_problems,
    who_answered,
    wish_of,
)
from tournament.registration.services.registration_moves import fill_up


def set_plan(tournament: Tournament, actor: Actor, wish: PlanWish, *, site: str = "") -> RegistrationPlan:
    """Say what registration is to be; more places are given to who waits, if the plan says so.

    `site`: what links in letters begin with; left out, it stays.
    """
    access.require(actor, tournament, Right.ORGANISE)
    if found := plan_problems(wish):
        raise Refused(found)
    with log.write(tournament, actor, "registration_plan_set") as entry:
        old = plan_of(entry.tournament)
        if old and wish_of(old) == wish and site in ("", old.site):
            entry.unchanged()
            return old
        plan = old or RegistrationPlan(tournament=entry.tournament)
        plan.tournament = entry.tournament
        said = asdict(wish)
        kept = said.pop("kept")
        for name, value in said.items():
            setattr(plan, name, value)
        plan.site = site or plan.site
        plan.save()
        plan.kept.all().delete()
        KeptPlaces.objects.bulk_create(KeptPlaces(plan=plan, **one) for one in kept)
        entry.data = {"places": plan.places, "waiting_places": plan.waiting_places, "is_open": plan.is_open}
        fill_up(entry)
    return plan


def set_questions(
    tournament: Tournament, actor: Actor, wishes: Sequence[QuestionWish], *, drop_answers: bool = False
) -> list[Question]:
    """What is asked besides, in this order. A question that is left out is gone; where people have answered it, only
    with `drop_answers`, and their answers go with it."""
    access.require(actor, tournament, Right.ORGANISE)
    with log.write(tournament, actor, "registration_questions_set") as entry:
        plan = plan_of(entry.tournament)
        if plan is None:
            raise refuse("registration_not_planned")
        known = {one.pk: one for one in plan.questions.all()}
        if found := questions_problems(wishes, known):
            raise Refused(found)
        _drop([known[key] for key in known.keys() - {wish.key for wish in wishes}], drop_answers)
        questions = []
        for position, wish in enumerate(wishes, 1):
            one = known.get(wish.key or 0, Question(plan=plan))
            one.position, one.kind, one.is_required = position, wish.kind, wish.is_required
            one.text, one.choices = dict(wish.text), [dict(choice) for choice in wish.choices]
            one.save()
            questions.append(one)
        entry.data = {"questions": len(questions)}
    return questions


def _drop(left_out: Sequence[Question], drop_answers: bool) -> None:
    """They and what was answered to them; raises Refused with everybody's answers counted unless those may go."""
    answers = {one: who_answered(one).count() for one in sorted(left_out, key=lambda one: one.position)}
    refused = [
        Problem("question_answered", "drop_answers", {"number": question.position, "answers": count})
        for question, count in answers.items()
        if count and not drop_answers
    ]
    if refused:
        raise Refused(refused)
    for question in left_out:
        for one in who_answered(question):
            del one.answers[str(question.pk)]
            one.save(update_fields=["answers"])
        question.delete()
