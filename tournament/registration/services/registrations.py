"""Register, confirm, change and cancel without an account; changes of state, and their letters."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.db.models import Max
from django.utils import timezone

from scoring.engine.problems import Problem, problem_code
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.engine.names import name_key
from tournament.base.engine.text import mailbox_of
from tournament.base.errors import Forbidden, Refused, TooMany
from tournament.base.limits import Limit
from tournament.base.models.log import Write
from tournament.base.models.people import Player
from tournament.base.models.registration import CANCELLED_STATES, Registration, RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import registration_url
from tournament.dues.models import Fee
from tournament.dues.selectors import list_ledgers, payment_facts
from tournament.dues.services import create_due_at_registration, create_dues_for
from tournament.messages.mail import delivery
from tournament.messages.mail.outbox import queue_mail
from tournament.play.services.absences import clear_stand_ins
from tournament.players.selectors.players import problems_of_entrants
from tournament.registration import texts as actions
from tournament.registration.engine import Candidate, Outcome, Places, outcome_of, promotable
from tournament.registration.selectors.plan import (
    candidate_of,
    closes_at_draw,
    gives_places,
    has_begun,
    holders,
    is_over,
    limits_of,
    moves_up,
    plan_of,
    questions_of,
    quota_country,
    registration_status,
    waiting_list,
)
from tournament.registration.selectors.registrations import (
    CONFIRM_WITHIN,
    EDITABLE_FIELDS,
    SHARED_FIELDS,
    entrant_of,
    find_duplicate,
    is_expired,
    registration_problems,
    registrations_by_number,
    withdrawal_problem,
)

REGISTRATION_NOT_OPEN = problem_code("registration_not_open", "Registration is not open.")
REGISTRATIONS_TOO_MANY = problem_code(
    "registrations_too_many", "Too many registrations came from here. Try again in ten minutes."
)
PRIVACY_NOT_READ = problem_code(
    "privacy_not_read", "Confirm that you have read the privacy notice: without this nothing can be stored."
)
REGISTERED_ALREADY = problem_code(
    "registered_already",
    "Someone with this name and address is already registered. Ask the organiser for your link.",
)
REGISTRATION_LINK_EXPIRED = problem_code(
    "registration_link_expired", "This link was valid for three days. Register again."
)
REGISTRATION_OVER = problem_code(
    "registration_over", "This registration is no longer active. Register again if you want to come."
)
PARTICULARS_ARE_FIXED = problem_code(
    "particulars_are_fixed", "Play has begun: the organiser can still change this."
)
PLACE_IS_KEPT = problem_code(
    "place_is_reserved",
    "Your place is reserved for the person you registered as. The organiser can change this.",
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

PER_ADDRESS: Final = Limit("registrations", maximum=150, within=3600)
"""By IP address; enough for a club that registers all its members."""

PER_MAILBOX_AND_ADDRESS: Final = Limit("registration-letters", maximum=10, within=3600)
"""By e-mail address and IP address, so that nobody floods another person's mailbox; enough for a family."""
PER_MAILBOX: Final = Limit("registration-letters-in-all", maximum=40, within=3600)
"""By e-mail address, against floods from several IP addresses."""
PER_CONFIRMED_MAILBOX_AND_ADDRESS: Final = Limit("registration-letters-confirmed", maximum=2, within=3600)
"""Beyond `PER_MAILBOX` for an e-mail address that was confirmed: others cannot use up what its owner may send."""

PER_LINK: Final = Limit("registration-changes", maximum=60, within=3600)

STATE_OF_OUTCOME: Final = {
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
    fee: Fee | None = None,
) -> Registration:
    """Store a registration and send the link that confirms it; a duplicate is only sent its link again.

    `fee`: the price that was chosen; without it the proposed one.

    Without a mail server it is confirmed at once, and a duplicate is refused (`registered_already`). `address`: the
    client's IP address, for limits. Raises Forbidden, Refused and TooMany.
    """
    if not access.can_see(actor, tournament):
        raise Forbidden("this tournament is not public")
    is_mail_configured = delivery.is_configured()
    with log.write(tournament, actor, actions.REGISTRATION_CREATED, None) as entry:
        status = registration_status(entry.tournament)
        if status.plan is None or not status.is_open:
            raise Refused(REGISTRATION_NOT_OPEN())
        problems = registration_problems(registration, questions_of(status.plan))
        if not privacy_read:
            problems.append(PRIVACY_NOT_READ("privacy"))
        if problems:
            raise Refused(problems)
        if address is not None and _exceeds_limits(registration.email, address):
            raise TooMany(REGISTRATIONS_TOO_MANY(), 600)
        duplicate = find_duplicate(entry.tournament, registration)
        if duplicate is not None and not is_expired(duplicate):
            if not is_mail_configured:
                raise Refused(REGISTERED_ALREADY("email"))
            duplicate.tournament = entry.tournament
            entry.mark_unchanged()
            send_letters([duplicate])
            return duplicate
        store_registrations(entry, [registration], privacy_read=True)
        create_due_at_registration(registration, fee)
        entry.data = {"registration": registration.number}
        if is_mail_configured:
            send_letters([registration])
    return registration if is_mail_configured else confirm_registration(registration, actor)


def _exceeds_limits(email: str, address: str) -> bool:
    """Count a letter towards the limits; return whether it exceeds one."""
    mailbox = hashlib.sha256(mailbox_of(email).encode()).hexdigest()[:24]
    place = f"{mailbox}:{address}"
    if PER_ADDRESS.exceeded_by(address) or PER_MAILBOX_AND_ADDRESS.exceeded_by(place):
        return True
    if not PER_MAILBOX.exceeded_by(mailbox):
        return False
    confirmed = Registration.objects.filter(email__iexact=email).exclude(confirmed_at=None)
    return not confirmed.exists() or PER_CONFIRMED_MAILBOX_AND_ADDRESS.exceeded_by(place)


def store_registrations(entry: Write, people: Sequence[Registration], *, privacy_read: bool = False) -> None:
    """Store validated registrations, unconfirmed, with the next numbers."""
    last = entry.tournament.registrations.aggregate(last=Max("number"))["last"] or 0
    now = timezone.now()
    for number, registration in enumerate(people, last + 1):
        registration.tournament, registration.number, registration.made_at = entry.tournament, number, now
        registration.privacy_read_at = now if privacy_read else None
    Registration.objects.bulk_create(people)


def confirm_registration(registration: Registration, actor: Actor) -> Registration:
    """Confirm a registration, which gives it a place or another state. Idempotent."""
    with log.write(registration.tournament, actor, actions.REGISTRATION_CONFIRMED, None) as entry:
        (registration,) = registrations_by_number(entry.tournament, [registration.number])
        if registration.state != State.UNCONFIRMED:
            return entry.unchanged(registration)
        if is_expired(registration):
            raise Refused(REGISTRATION_LINK_EXPIRED())
        if is_over(entry.tournament):
            raise Refused(REGISTRATION_NOT_OPEN())
        set_state(entry, [registration], _place_for(registration, plan_of(entry.tournament)))
        entry.data = {"registration": registration.number, "state": registration.state}
    return registration


def _place_for(registration: Registration, plan: RegistrationPlan | None) -> Registration.State:
    if plan is None:
        return State.PENDING
    candidate = candidate_of(registration)
    accepted, waiting = holders(registration.tournament), waiting_list(registration.tournament)
    outcome = outcome_of(limits_of(plan), accepted, waiting, candidate, is_automatic=gives_places(plan))
    return STATE_OF_OUTCOME[outcome]


def change_registration(registration: Registration, actor: Actor) -> Registration:
    """Store a person's own changes, except of the e-mail address. Their player is changed too, until play begins."""
    if PER_LINK.exceeded_by(registration.pk):
        raise TooMany(REGISTRATIONS_TOO_MANY(), 600)
    return _change(registration, actor, is_self_service=True)


def edit_registration(registration: Registration, actor: Actor) -> Registration:
    """Store the desk's changes, which also approves the person's own."""
    access.require(actor, registration.tournament, Right.ADMIT)
    return _change(registration, actor, is_self_service=False)


def _change(edited: Registration, actor: Actor, *, is_self_service: bool) -> Registration:
    with log.write(edited.tournament, actor, actions.REGISTRATION_CHANGED, None) as entry:
        (registration,) = registrations_by_number(entry.tournament, [edited.number])
        if registration.state in CANCELLED_STATES and is_self_service:
            raise Refused(REGISTRATION_OVER())
        plan = plan_of(entry.tournament)
        before = {name: getattr(registration, name) for name in EDITABLE_FIELDS}
        fixed = {"email", "language" if registration.language else ""} if is_self_service else ()
        for name in EDITABLE_FIELDS:
            if name not in fixed:
                setattr(registration, name, getattr(edited, name))
        questions = questions_of(plan) if plan else ()
        problems = registration_problems(registration, questions, is_self_service=is_self_service)
        changed = [name for name in EDITABLE_FIELDS if getattr(registration, name) != before[name]]
        if is_self_service:
            problems += _fixed_field_problems(registration, changed, plan)
        changed_from = registration.changed_from
        registration.changed_from = _unapproved_values(registration, before, plan) if is_self_service else {}
        if registration.player and not problems:
            problems += [
                problem.at(problem.where.partition(".")[2])
                for problem in problems_of_entrants(
                    entry.tournament,
                    [entrant_of(registration, registration.player.number)],
                    {0: registration.player},
                )
            ]
        if problems:
            raise Refused(problems)
        if not changed and registration.changed_from == changed_from:
            return entry.unchanged(registration)
        registration.save(update_fields=[*changed, "changed_from"])
        entry.data = {"registration": registration.number, "fields": changed}
        _update_player(entry, registration, changed)
        if is_self_service:
            send_letters([registration], "registration_changed")
    return registration


def _unapproved_values(
    registration: Registration, before: Mapping[str, Any], plan: RegistrationPlan | None
) -> dict[str, str]:
    """Return the old country and club that still count for reserved places, if the person has changed them.

    Otherwise they could get a place that is reserved for others. Values that no reserved place depends on need no
    approval, nor do changes before the registration is confirmed.
    """
    if plan is None or registration.state == State.UNCONFIRMED:
        return {}
    approved = {"country": before["country"], "club": before["club"]} | registration.changed_from
    reserved_by = {places.by for places in plan.reservations.all()}
    return {
        name: value
        for name, value in approved.items()
        if name in reserved_by and name_key(value) != name_key(getattr(registration, name))
    }


def _fixed_field_problems(
    registration: Registration, changed: Sequence[str], plan: RegistrationPlan | None
) -> list[Problem]:
    """Return problems of changes that only the organiser can make: shared fields once play has begun, and the country
    or club of a reserved place."""
    fixed = [name for name in changed if name in SHARED_FIELDS]
    if registration.player and fixed and has_begun(registration.tournament):
        return [PARTICULARS_ARE_FIXED(name) for name in fixed]
    if registration.state != State.ACCEPTED or plan is None or not {"country", "club"}.intersection(changed):
        return []
    others = [other for other in holders(registration.tournament) if other.number != registration.number]
    fits = Places.occupied_by(limits_of(plan), others).fits(
        Candidate(
            registration.number,
            quota_country(registration.country, registration.ema_number),
            registration.club,
        )
    )
    return [] if fits else [PLACE_IS_KEPT("country" if "country" in changed else "club")]


def _update_player(entry: Write, registration: Registration, changed: Sequence[str]) -> None:
    """Copy changed fields to the registration's player."""
    shared = [name for name in changed if name in SHARED_FIELDS]
    if registration.player and shared:
        for name in shared:
            setattr(registration.player, name, getattr(registration, name))
        registration.player.save(update_fields=shared)
        entry.data["player"] = registration.player.number
        entry.change_action(actions.REGISTERED_PLAYER_CHANGED)


def cancel_registration(registration: Registration, actor: Actor) -> Registration:
    """Cancel a registration, and promote from the waiting list if the plan does. Idempotent."""
    with log.write(registration.tournament, actor, actions.REGISTRATION_CANCELLED, None) as entry:
        (registration,) = registrations_by_number(entry.tournament, [registration.number])
        if registration.state == State.CANCELLED:
            return entry.unchanged(registration)
        had_place = registration.state == State.ACCEPTED
        set_state(entry, [registration], State.CANCELLED)
        entry.data |= {"registration": registration.number}
        if had_place:
            promote_from_waiting_list(entry)
    return registration


def delete_expired(now: datetime) -> int:
    """Delete registrations that were not confirmed in time, in every tournament; return how many."""
    expired = Registration.objects.filter(
        state=Registration.State.UNCONFIRMED, made_at__lt=now - CONFIRM_WITHIN
    )
    count = 0
    for tournament in Tournament.objects.filter(pk__in=expired.values("tournament")):
        with log.write(tournament, Actor.system("hule"), actions.REGISTRATION_EXPIRED, None) as entry:
            rows = expired.filter(tournament=entry.tournament)
            entry.data = {"registrations": list(rows.order_by("number").values_list("number", flat=True))}
            count += len(entry.data["registrations"])
            rows.delete()
    return count


# --- States and letters ---


def set_state(
    entry: Write, people: Sequence[Registration], to: Registration.State, *, notify: bool = True
) -> None:
    """Set the state of registrations, log the old ones, and notify people. A player who loses the place withdraws."""
    if problems := [problem for registration in people if (problem := withdrawal_problem(registration, to))]:
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
    follow_state(entry, [registration.player for registration in people if registration.player], to)
    if notify:
        waited = {int(number) for number, (state, _since) in came_from.items() if state == State.WAITING}
        send_letters(people, promoted=waited if to == State.ACCEPTED else ())


def follow_state(entry: Write, players: Iterable[Player], to: Registration.State) -> None:
    """Withdraw players whose registrations get this state, or let them play again."""
    is_here = to == State.ACCEPTED
    changing = [player for player in players if player.is_withdrawn == is_here]
    if not changing:
        return
    for player in changing:
        player.withdrawn_at = None if is_here else timezone.now()
        player.save(update_fields=["withdrawn_at"])
        if is_here:
            clear_stand_ins(player)
    entry.data["players_back" if is_here else "players_gone"] = [player.number for player in changing]
    if entry.action is actions.REGISTRATION_CANCELLED:
        entry.change_action(actions.REGISTERED_PLAYER_WITHDRAWN)


def promote_from_waiting_list(entry: Write) -> None:
    """Give free places to those on the waiting list, if they move up by themselves."""
    plan = plan_of(entry.tournament)
    if plan is None or not moves_up(plan):
        return
    numbers = promotable(limits_of(plan), holders(entry.tournament), waiting_list(entry.tournament))
    if numbers:
        entry.data["moved_up"] = numbers
        set_state(entry, registrations_by_number(entry.tournament, numbers), State.ACCEPTED)


def close_at_draw(entry: Write) -> None:
    """Close registration as part of a draw, after which a new place would change the seats."""
    plan = plan_of(entry.tournament)
    if plan is not None and closes_at_draw(entry.tournament):
        plan.is_open = False
        plan.save(update_fields=["is_open"])
        entry.data["registration_closed"] = True


def send_letters(people: Sequence[Registration], letter: str = "", *, promoted: Collection[int] = ()) -> None:
    """Queue the letter of each registration's state, or `letter`. `promoted`: numbers from the waiting list."""
    if not any(registration.email for registration in people):
        return
    tournament = people[0].tournament
    plan, waiting = plan_of(tournament), [candidate.number for candidate in waiting_list(tournament)]
    has_new_places = any(registration.state == State.ACCEPTED for registration in people)
    ledgers = list_ledgers(tournament) if has_new_places else []
    owing = {ledger.due.registration_id: ledger for ledger in ledgers}
    for registration in people:
        state_letter = LETTERS[State(registration.state)]
        key = letter or ("registration_moved_up" if registration.number in promoted else state_letter)
        facts = _facts(registration, plan) | payment_facts(owing.get(registration.pk))
        if registration.number in waiting:
            facts["position"] = waiting.index(registration.number) + 1
        language = registration.language or "en"
        queue_mail(key, registration.email, language, facts, tournament=tournament, registration=registration)


def _facts(registration: Registration, plan: RegistrationPlan | None) -> dict[str, object]:
    facts: dict[str, object] = {
        "name": registration.name,
        "tournament": registration.tournament.name,
        "link": registration_url(registration),
    }
    if plan and plan.closes_at:
        facts["closes"] = plan.closes_at.astimezone(registration.tournament.zone).date()
    return facts


def copy_from_players(players: Collection[Player]) -> None:
    """Copy the shared fields of changed players to their registrations, which also approves them."""
    registrations = list(Registration.objects.filter(player__in=[player.pk for player in players]))
    by_pk: dict[int | None, Player] = {player.pk: player for player in players}
    for registration in registrations:
        for name in SHARED_FIELDS:
            setattr(registration, name, getattr(by_pk[registration.player_id], name))
        registration.changed_from = {}
    Registration.objects.bulk_update(registrations, [*SHARED_FIELDS, "changed_from"])
