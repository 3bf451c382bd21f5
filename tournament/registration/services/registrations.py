"""What people do themselves, without an account; how registrations move from one state to another, and the letters."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db.models import Max
from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Forbidden, Refused, TooMany, refuse
from tournament.base.limits import Limit
from tournament.base.models.people import Player
from tournament.base.models.registration import Registration, RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import link_by
from tournament.dues.services import come_to_owe
from tournament.messages.mail.post import post
from tournament.players.selectors.players import problems_of_all
from tournament.players.services.check_in import forget_stand_ins
from tournament.registration.engine import Candidate, Outcome, Places, moving_up, settled
from tournament.registration.selectors.plan import asked_by, holders, limits_of, line_of, plan_of, registering
from tournament.registration.selectors.registrations import (
    CONFIRM_WITHIN,
    PARTICULARS,
    Applicant,
    applicant_of,
    applicant_problems,
    by_numbers,
    entrant_of,
    has_begun,
    is_expired,
    plays_already,
    same_again,
    values_of,
)

State = Registration.State
LETTERS: Final = {
    State.UNCONFIRMED: "registration_confirm",
    State.PENDING: "registration_received",
    State.WAITING: "registration_waiting",
    State.ACCEPTED: "registration_accepted",
    State.DECLINED: "registration_declined",
    State.CANCELLED: "registration_cancelled",
}

FROM_ONE_ADDRESS: Final = Limit("registrations", most=150, within=3600)
"""A club that registers everybody from its own evening fits, a robot does not."""

TO_ONE_MAILBOX: Final = Limit("registration-letters", most=10, within=3600)
"""Nobody's mailbox is filled by somebody who knows its address; a family fits."""

OF_ONE_LINK: Final = Limit("registration-changes", most=60, within=3600)

OUTCOMES: Final = {
    Outcome.ACCEPTED: State.ACCEPTED,
    Outcome.PENDING: State.PENDING,
    Outcome.WAITING: State.WAITING,
    Outcome.FULL: State.DECLINED,
}


def register(
    tournament: Tournament,
    actor: Actor,
    applicant: Applicant,
    *,
    privacy_read: bool,
    address: str | None = None,
) -> Registration:
    """Take somebody's registration; it takes a place once it is confirmed by the link that is sent.

    Who is registered already is sent the link again. `address`: where it came from over the network, if it did.
    """
    if not access.can_see(actor, tournament):
        raise Forbidden("this tournament is not public")
    mailbox = hashlib.sha256(applicant.email.strip().casefold().encode()).hexdigest()[:24]
    if address is not None and (FROM_ONE_ADDRESS.is_passed(address) or TO_ONE_MAILBOX.is_passed(mailbox)):
        raise TooMany(Problem("registrations_too_many"), 600)
    with log.write(tournament, actor, "registration_made") as entry:
        now = registering(entry.tournament)
        if now.plan is None or not now.is_open:
            raise refuse("registration_not_open")
        problems = applicant_problems(applicant, asked_by(now.plan))
        if not privacy_read:
            problems.append(Problem("privacy_not_read", "privacy"))
        if problems:
            raise Refused(problems)
        name = (applicant.first_name, applicant.last_name)
        known = same_again(entry.tournament, name, applicant.email)
        if known is not None and not is_expired(known):
            known.tournament = entry.tournament
            entry.unchanged()
            tell([known])
            return known
        (registration,) = store(entry, [applicant], privacy_read=True)
        entry.data = {"registration": registration.number}
        tell([registration])
    return registration


def store(
    entry: log.Write, applicants: Sequence[Applicant], *, privacy_read: bool = False
) -> list[Registration]:
    """The rows of people who have been checked, unconfirmed, with the next numbers."""
    last = entry.tournament.registrations.aggregate(last=Max("number"))["last"] or 0
    now = timezone.now()
    return Registration.objects.bulk_create(
        Registration(
            tournament=entry.tournament,
            number=number,
            made_at=now,
            privacy_read_at=now if privacy_read else None,
            **values_of(applicant),
        )
        for number, applicant in enumerate(applicants, last + 1)
    )


def confirm_registration(registration: Registration, actor: Actor) -> Registration:
    """The address is theirs: now they get a place, wait, or are looked at. Idempotent."""
    with log.write(registration.tournament, actor, "registration_confirmed") as entry:
        (registration,) = by_numbers(entry.tournament, [registration.number])
        if registration.state != State.UNCONFIRMED:
            entry.unchanged()
            return registration
        if is_expired(registration):
            raise refuse("registration_link_expired")
        move(entry, [registration], _place_for(registration, plan_of(entry.tournament)))
        entry.data = {"registration": registration.number, "state": registration.state}
    return registration


def _place_for(registration: Registration, plan: RegistrationPlan | None) -> Registration.State:
    if plan is None:
        return State.PENDING
    candidate = Candidate(registration.number, registration.country, registration.club)
    taken, line = holders(registration.tournament), line_of(registration.tournament)
    return OUTCOMES[settled(limits_of(plan), taken, line, candidate, by_itself=plan.accepts_itself)]


def change_registration(registration: Registration, actor: Actor, applicant: Applicant) -> Registration:
    """What the person says now, but for the address, which their letters go to. A player is changed with them, until
    play begins; from then on names and clubs are the organiser's."""
    if OF_ONE_LINK.is_passed(registration.pk):
        raise TooMany(Problem("registrations_too_many"), 600)
    return _change(registration, actor, applicant, by_themselves=True)


def edit_registration(registration: Registration, actor: Actor, applicant: Applicant) -> Registration:
    """What the desk knows better."""
    access.require(actor, registration.tournament, Right.ADMIT)
    return _change(registration, actor, applicant, by_themselves=False)


def _change(
    registration: Registration, actor: Actor, applicant: Applicant, *, by_themselves: bool
) -> Registration:
    with log.write(registration.tournament, actor, "registration_changed") as entry:
        (registration,) = by_numbers(entry.tournament, [registration.number])
        if registration.state in (State.CANCELLED, State.DECLINED) and by_themselves:
            raise refuse("registration_over")
        if by_themselves:
            language = registration.language or applicant.language
            applicant = replace(applicant, email=registration.email, language=language)
        plan, was = plan_of(entry.tournament), values_of(applicant_of(registration))
        changed = [name for name, value in values_of(applicant).items() if value != was[name]]
        problems = applicant_problems(applicant, asked_by(plan) if plan else (), by_themselves=by_themselves)
        if by_themselves:
            problems += _fixed_by_now(registration, applicant, changed, plan)
        for name in changed:
            setattr(registration, name, getattr(applicant, name))
        if registration.player and not problems:
            problems += [
                Problem(problem.code, problem.where.partition(".")[2], problem.params)
                for problem in problems_of_all(
                    entry.tournament,
                    [entrant_of(registration, registration.player.number)],
                    [registration.player],
                )
            ]
        if problems:
            raise Refused(problems)
        if not changed:
            entry.unchanged()
            return registration
        registration.save(update_fields=changed)
        entry.data = {"registration": registration.number, "fields": changed}
        _change_player_too(entry, registration, changed)
        if by_themselves:
            tell([registration], "registration_changed")
    return registration


def _fixed_by_now(
    registration: Registration, applicant: Applicant, changed: Sequence[str], plan: RegistrationPlan | None
) -> list[Problem]:
    """What the person cannot change any more: who they play as, once play has begun, and whose kept place they have."""
    fixed = [name for name in changed if name in PARTICULARS]
    if registration.player and fixed and has_begun(registration.tournament):
        return [Problem("particulars_are_fixed", name) for name in fixed]
    if registration.state != State.ACCEPTED or plan is None or not {"country", "club"}.intersection(changed):
        return []
    others = [other for other in holders(registration.tournament) if other.number != registration.number]
    fits = Places.taken_by(limits_of(plan), others).fits(
        Candidate(registration.number, applicant.country, applicant.club)
    )
    return [] if fits else [Problem("place_is_kept", "country" if "country" in changed else "club")]


def _change_player_too(entry: log.Write, registration: Registration, changed: Sequence[str]) -> None:
    """The player they became stays in step."""
    same = [name for name in changed if name in PARTICULARS]
    if registration.player and same:
        for name in same:
            setattr(registration.player, name, getattr(registration, name))
        registration.player.save(update_fields=same)
        entry.data["player"] = registration.player.number
        entry.becomes("registered_changed")


def cancel_registration(registration: Registration, actor: Actor) -> Registration:
    """The person does not come; who waits first moves up, if the plan says so. Idempotent."""
    with log.write(registration.tournament, actor, "registration_cancelled") as entry:
        (registration,) = by_numbers(entry.tournament, [registration.number])
        if registration.state == State.CANCELLED:
            entry.unchanged()
            return registration
        had_place = registration.state == State.ACCEPTED
        move(entry, [registration], State.CANCELLED)
        entry.data |= {"registration": registration.number}
        if had_place:
            fill_up(entry)
    return registration


def forget_unconfirmed(now: datetime) -> int:
    """Delete those whose link has run out, in every tournament; so many were there."""
    late = Registration.objects.filter(state=Registration.State.UNCONFIRMED, made_at__lt=now - CONFIRM_WITHIN)
    gone = 0
    for tournament in Tournament.objects.filter(pk__in=late.values("tournament")):
        with log.write(tournament, Actor.system("hule"), "registration_expired") as entry:
            rows = late.filter(tournament=entry.tournament)
            entry.data = {"registrations": list(rows.order_by("number").values_list("number", flat=True))}
            gone += len(entry.data["registrations"])
            rows.delete()
    return gone


# --- Moving and telling ---


def move(
    entry: log.Write, people: Sequence[Registration], to: Registration.State, *, tells: bool = True
) -> None:
    """Put people into a state, note where they came from, and tell them. A player who loses the place withdraws."""
    if problems := [problem for registration in people if (problem := plays_already(registration, to))]:
        raise Refused(problems)
    came_from, now = {}, timezone.now()
    for registration in people:
        since = registration.waits_since
        came_from[str(registration.number)] = [registration.state, since and since.isoformat()]
        registration.state, registration.waits_since = to, now if to == State.WAITING else None
        registration.confirmed_at = registration.confirmed_at or now
    Registration.objects.bulk_update(people, ["state", "waits_since", "confirmed_at"])
    entry.data["came_from"] = entry.data.get("came_from", {}) | came_from
    if to == State.ACCEPTED:
        come_to_owe(entry.tournament, people)
    _take_players_along(entry, [registration.player for registration in people if registration.player], to)
    if tells:
        waited = {number for number, (state, _since) in came_from.items() if state == State.WAITING}
        tell(people, moved_up={int(number) for number in waited} if to == State.ACCEPTED else set())


def _take_players_along(entry: log.Write, players: Iterable[Player], to: Registration.State) -> None:
    is_here = to == State.ACCEPTED
    changing = [player for player in players if player.is_withdrawn == is_here]
    if not changing:
        return
    for player in changing:
        player.withdrawn_at = None if is_here else timezone.now()
        player.save(update_fields=["withdrawn_at"])
        if is_here:
            forget_stand_ins(player)
    entry.data["players_back" if is_here else "players_gone"] = [player.number for player in changing]
    if entry.action.startswith("registration_"):
        entry.becomes("registered_left")


def fill_up(entry: log.Write) -> None:
    """Who waits gets what has become free, where the plan says so; nobody once play has begun."""
    plan = plan_of(entry.tournament)
    if plan is None or not plan.moves_up_itself or has_begun(entry.tournament):
        return
    numbers = moving_up(limits_of(plan), holders(entry.tournament), line_of(entry.tournament))
    if numbers:
        entry.data["moved_up"] = numbers
        move(entry, by_numbers(entry.tournament, numbers), State.ACCEPTED)


def tell(people: Sequence[Registration], letter: str = "", *, moved_up: Iterable[int] = ()) -> None:
    """A letter to each about where they stand; `letter`: another one."""
    if not any(registration.email for registration in people):
        return
    tournament = people[0].tournament
    plan, line = plan_of(tournament), [candidate.number for candidate in line_of(tournament)]
    up = set(moved_up)
    for registration in people:
        kind = letter or (
            "registration_moved_up" if registration.number in up else LETTERS[State(registration.state)]
        )
        facts = _facts(registration, plan)
        if registration.number in line:
            facts["position"] = line.index(registration.number) + 1
        language = registration.language or "en"
        post(kind, registration.email, language, facts, tournament=tournament, registration=registration)


def _facts(registration: Registration, plan: RegistrationPlan | None) -> dict[str, object]:
    facts: dict[str, object] = {
        "name": registration.name,
        "tournament": registration.tournament.name,
        "link": link_by(plan, registration),
    }
    if plan and plan.closes_at:
        facts["closes"] = plan.closes_at.astimezone(registration.tournament.zone).date()
    return facts


def follow(players: Collection[Player]) -> None:
    """Copy what the organiser changed of players to their registrations. What was said last counts."""
    people = list(Registration.objects.filter(player__in=[player.pk for player in players]))
    changed: dict[int | None, Player] = {player.pk: player for player in players}
    for registration in people:
        for name in PARTICULARS:
            setattr(registration, name, getattr(changed[registration.player_id], name))
    Registration.objects.bulk_update(people, list(PARTICULARS))
