"""What people do themselves, without an account; how registrations move from one state to another, and the letters."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.db.models import Max
from django.utils import timezone

from scoring.engine.problems import Problem, problem_code
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.engine.text import mailbox_of
from tournament.base.errors import Forbidden, Refused, TooMany
from tournament.base.limits import Limit
from tournament.base.models.people import Player
from tournament.base.models.registration import Registration, RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import link_of
from tournament.dues.services import create_dues_for
from tournament.messages.mail import delivery
from tournament.messages.mail.outbox import queue_mail
from tournament.play.services.absences import forget_stand_ins
from tournament.players.selectors.players import problems_of_all
from tournament.registration import texts as actions
from tournament.registration.engine import Candidate, Outcome, Places, folded, moving_up, settled
from tournament.registration.selectors.plan import (
    asked_by,
    candidate_of,
    holders,
    limits_of,
    line_of,
    plan_of,
    registering,
)
from tournament.registration.selectors.registrations import (
    CONFIRM_WITHIN,
    PARTICULARS,
    SAID,
    by_numbers,
    entrant_of,
    has_begun,
    is_expired,
    plays_already,
    problems_with,
    same_again,
)

REGISTRATION_NOT_OPEN = problem_code("registration_not_open", "Registration is not open.")
REGISTRATIONS_TOO_MANY = problem_code(
    "registrations_too_many", "Too many registrations came from here. Try again in ten minutes."
)
PRIVACY_NOT_READ = problem_code(
    "privacy_not_read", "Say that you have read the privacy notice: without that nothing can be kept."
)
REGISTERED_ALREADY = problem_code(
    "registered_already",
    "Somebody of this name and address is registered already. Ask the organiser for your link.",
)
REGISTRATION_LINK_EXPIRED = problem_code(
    "registration_link_expired", "This link was good for three days. Register again."
)
REGISTRATION_OVER = problem_code(
    "registration_over", "This registration is over. Register again if you want to come."
)
PARTICULARS_ARE_FIXED = problem_code(
    "particulars_are_fixed", "Play has begun: the organiser can still change this."
)
PLACE_IS_KEPT = problem_code(
    "place_is_kept", "Your place is kept for who you are registered as. The organiser can change this."
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
"""From one address: nobody's mailbox is filled by somebody who knows it; a family fits."""
TO_ONE_MAILBOX_IN_ALL: Final = Limit("registration-letters-in-all", most=40, within=3600)
"""From all addresses: who has many still fills no mailbox."""

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
    registration: Registration,
    *,
    privacy_read: bool,
    address: str | None = None,
) -> Registration:
    """Take somebody's registration; it takes a place once it is confirmed by the link that is sent.

    Who is registered already is sent the link again. Without a mail server nobody can be asked whether the address is
    theirs: a registration is confirmed at once, and one that is there already is refused (`registered_already`).
    `address`: where it came from over the network, if it did.
    """
    if not access.can_see(actor, tournament):
        raise Forbidden("this tournament is not public")
    sends = delivery.is_configured()
    with log.write(tournament, actor, actions.REGISTRATION_MADE) as entry:
        now = registering(entry.tournament)
        if now.plan is None or not now.is_open:
            raise Refused(REGISTRATION_NOT_OPEN())
        problems = problems_with(registration, asked_by(now.plan))
        if not privacy_read:
            problems.append(PRIVACY_NOT_READ("privacy"))
        if problems:
            raise Refused(problems)
        if address is not None and _is_too_much(registration.email, address):
            raise TooMany(REGISTRATIONS_TOO_MANY(), 600)
        known = same_again(entry.tournament, registration)
        if known is not None and not is_expired(known):
            if not sends:
                raise Refused(REGISTERED_ALREADY("email"))
            known.tournament = entry.tournament
            entry.unchanged()
            tell([known])
            return known
        store(entry, [registration], privacy_read=True)
        entry.data = {"registration": registration.number}
        if sends:
            tell([registration])
    return registration if sends else confirm_registration(registration, actor)


def _is_too_much(email: str, address: str) -> bool:
    """Count a letter that is about to be posted; whether it is one too many."""
    mailbox = hashlib.sha256(mailbox_of(email).encode()).hexdigest()[:24]
    return (
        FROM_ONE_ADDRESS.is_passed(address)
        or TO_ONE_MAILBOX.is_passed(f"{mailbox}:{address}")
        or TO_ONE_MAILBOX_IN_ALL.is_passed(mailbox)
    )


def store(entry: log.Write, people: Sequence[Registration], *, privacy_read: bool = False) -> None:
    """Store people who have been checked, unconfirmed, with the next numbers."""
    last = entry.tournament.registrations.aggregate(last=Max("number"))["last"] or 0
    now = timezone.now()
    for number, registration in enumerate(people, last + 1):
        registration.tournament, registration.number, registration.made_at = entry.tournament, number, now
        registration.privacy_read_at = now if privacy_read else None
    Registration.objects.bulk_create(people)


def confirm_registration(registration: Registration, actor: Actor) -> Registration:
    """The address is theirs: now they get a place, wait, or are looked at. Idempotent."""
    with log.write(registration.tournament, actor, actions.REGISTRATION_CONFIRMED) as entry:
        (registration,) = by_numbers(entry.tournament, [registration.number])
        if registration.state != State.UNCONFIRMED:
            entry.unchanged()
            return registration
        if is_expired(registration):
            raise Refused(REGISTRATION_LINK_EXPIRED())
        move(entry, [registration], _place_for(registration, plan_of(entry.tournament)))
        entry.data = {"registration": registration.number, "state": registration.state}
    return registration


def _place_for(registration: Registration, plan: RegistrationPlan | None) -> Registration.State:
    if plan is None:
        return State.PENDING
    candidate = candidate_of(registration)
    taken, line = holders(registration.tournament), line_of(registration.tournament)
    return OUTCOMES[settled(limits_of(plan), taken, line, candidate, by_itself=plan.accepts_itself)]


def change_registration(registration: Registration, actor: Actor) -> Registration:
    """Store what the person says now, but for the address, which their letters go to. A player is changed with them,
    until play begins; from then on names and clubs are the organiser's."""
    if OF_ONE_LINK.is_passed(registration.pk):
        raise TooMany(REGISTRATIONS_TOO_MANY(), 600)
    return _change(registration, actor, by_themselves=True)


def edit_registration(registration: Registration, actor: Actor) -> Registration:
    """Store what the desk knows better, which also accepts what the person has changed by themselves."""
    access.require(actor, registration.tournament, Right.ADMIT)
    return _change(registration, actor, by_themselves=False)


def _change(edited: Registration, actor: Actor, *, by_themselves: bool) -> Registration:
    with log.write(edited.tournament, actor, actions.REGISTRATION_CHANGED) as entry:
        (registration,) = by_numbers(entry.tournament, [edited.number])
        if registration.state in (State.CANCELLED, State.DECLINED) and by_themselves:
            raise Refused(REGISTRATION_OVER())
        plan, was = plan_of(entry.tournament), {name: getattr(registration, name) for name in SAID}
        stays = {"email", "language" if registration.language else ""} if by_themselves else ()
        for name in SAID:
            if name not in stays:
                setattr(registration, name, getattr(edited, name))
        questions = asked_by(plan) if plan else ()
        problems = problems_with(registration, questions, by_themselves=by_themselves)
        changed = [name for name in SAID if getattr(registration, name) != was[name]]
        if by_themselves:
            problems += _fixed_by_now(registration, changed, plan)
        known = registration.changed_from
        registration.changed_from = _unaccepted(registration, was, plan) if by_themselves else {}
        if registration.player and not problems:
            problems += [
                problem.at(problem.where.partition(".")[2])
                for problem in problems_of_all(
                    entry.tournament,
                    [entrant_of(registration, registration.player.number)],
                    [registration.player],
                )
            ]
        if problems:
            raise Refused(problems)
        if not changed and registration.changed_from == known:
            entry.unchanged()
            return registration
        registration.save(update_fields=[*changed, "changed_from"])
        entry.data = {"registration": registration.number, "fields": changed}
        _change_player_too(entry, registration, changed)
        if by_themselves:
            tell([registration], "registration_changed")
    return registration


def _unaccepted(
    registration: Registration, was: Mapping[str, Any], plan: RegistrationPlan | None
) -> dict[str, str]:
    """What kept places go on counting of who has changed their country or club by themselves: they could move up into
    a place that is kept for others. What no kept place depends on is theirs to change, and so is everything before the
    registration is confirmed."""
    if plan is None or registration.state == State.UNCONFIRMED:
        return {}
    known = {"country": was["country"], "club": was["club"]} | registration.changed_from
    counted_by = {places.by for places in plan.kept.all()}
    return {
        name: value
        for name, value in known.items()
        if name in counted_by and folded(value) != folded(getattr(registration, name))
    }


def _fixed_by_now(
    registration: Registration, changed: Sequence[str], plan: RegistrationPlan | None
) -> list[Problem]:
    """What the person cannot change any more: who they play as, once play has begun, and whose kept place they have."""
    fixed = [name for name in changed if name in PARTICULARS]
    if registration.player and fixed and has_begun(registration.tournament):
        return [PARTICULARS_ARE_FIXED(name) for name in fixed]
    if registration.state != State.ACCEPTED or plan is None or not {"country", "club"}.intersection(changed):
        return []
    others = [other for other in holders(registration.tournament) if other.number != registration.number]
    fits = Places.taken_by(limits_of(plan), others).fits(
        Candidate(registration.number, registration.country, registration.club)
    )
    return [] if fits else [PLACE_IS_KEPT("country" if "country" in changed else "club")]


def _change_player_too(entry: log.Write, registration: Registration, changed: Sequence[str]) -> None:
    """The player they became stays in step."""
    same = [name for name in changed if name in PARTICULARS]
    if registration.player and same:
        for name in same:
            setattr(registration.player, name, getattr(registration, name))
        registration.player.save(update_fields=same)
        entry.data["player"] = registration.player.number
        entry.becomes(actions.REGISTERED_CHANGED)


def cancel_registration(registration: Registration, actor: Actor) -> Registration:
    """The person does not come; who waits first moves up, if the plan says so. Idempotent."""
    with log.write(registration.tournament, actor, actions.REGISTRATION_CANCELLED) as entry:
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
        with log.write(tournament, Actor.system("hule"), actions.REGISTRATION_EXPIRED) as entry:
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
        create_dues_for(entry.tournament, people)
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
    if entry.action is actions.REGISTRATION_CANCELLED:
        entry.becomes(actions.REGISTERED_LEFT)


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
        queue_mail(
            kind, registration.email, language, facts, tournament=tournament, registration=registration
        )


def _facts(registration: Registration, plan: RegistrationPlan | None) -> dict[str, object]:
    facts: dict[str, object] = {
        "name": registration.name,
        "tournament": registration.tournament.name,
        "link": link_of(registration),
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
        registration.changed_from = {}
    Registration.objects.bulk_update(people, [*PARTICULARS, "changed_from"])
