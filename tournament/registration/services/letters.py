"""What people who registered are told by letter: where they stand, and what their link opens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tournament.base.models.registration import Registration, RegistrationPlan
from tournament.messages.mail.post import post
from tournament.registration.selectors.links import link_by
from tournament.registration.selectors.registration_plan import line_of, plan_of

State = Registration.State
LETTERS: Final = {
    State.UNCONFIRMED: "registration_confirm",
    State.PENDING: "registration_received",
    State.WAITING: "registration_waiting",
    State.ACCEPTED: "registration_accepted",
    State.DECLINED: "registration_declined",
    State.CANCELLED: "registration_cancelled",
}


def tell(people: Sequence[Registration], letter: str = "", *, moved_up: Iterable[int] = ()) -> None:
    """A letter to each about where they stand; `letter`: another one."""
    if not any(one.email for one in people):
        return
    tournament = people[0].tournament
    plan, line = plan_of(tournament), [one.number for one in line_of(tournament)]
    up = set(moved_up)
    for one in people:
        about = letter or ("registration_moved_up" if one.number in up else LETTERS[State(one.state)])
        facts = _facts(one, plan)
        if one.number in line:
            facts["position"] = line.index(one.number) + 1
        post(about, one.email, one.language or "en", facts, tournament=tournament, registration=one)


def _facts(one: Registration, plan: RegistrationPlan | None) -> dict[str, object]:
    facts: dict[str, object] = {
        "name": one.name,
        "tournament": one.tournament.name,
        "link": link_by(plan, one),
    }
    if plan and plan.closes_at:
        facts["closes"] = plan.closes_at.astimezone(one.tournament.zone).date()
    return facts
