"""Delete contact data, and erase people."""

from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.engine.entries import ERASED, erase_text, erase_value
from tournament.base.errors import Forbidden, Refused
from tournament.base.models.people import Person, Player
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.base.validation import check
from tournament.messages.mail.models import Mail
from tournament.messages.webhooks.engine import KINDS_WITH_NAMES
from tournament.messages.webhooks.models import Delivery
from tournament.play.services.photos import delete_photos
from tournament.play.services.tables import fresh
from tournament.players.services.players import mark_namesakes
from tournament.privacy import texts as actions
from tournament.privacy.engine import mentions
from tournament.privacy.models import USUAL_DAYS, PrivacyPlan
from tournament.privacy.selectors import (
    Erasure,
    Subject,
    contact_deletion_time,
    erasable_players,
    erased_name,
    erasure_of,
    mails_with_text,
    photos_of,
    privacy_of,
    registrations_with_contacts,
    subject_of,
    tournaments_with_contacts,
)
from tournament.web.uploads import remove_file

PERSON_NOT_REPEATED = problem_code("person_not_repeated", "This is not the name: “{name}”.")

# --- Contact data ---


EMPTY_CONTACTS: dict[str, Any] = {"email": "", "message": "", "answers": {}}
WITHOUT_EVENT = Q(tournament=None, registration=None)
EMPTY_MAIL = {"to": "", "subject": "", "text": "", "error": ""}


def set_contact_retention(plan: PrivacyPlan, actor: Actor) -> PrivacyPlan:
    """Store how many days contact data is kept. Idempotent."""
    with log.write(plan.tournament, actor, actions.PRIVACY_SET, Right.ORGANISE) as entry:
        check(plan, exclude=["tournament"])
        stored = privacy_of(entry.tournament)
        if stored.contact_days == plan.contact_days:
            return entry.unchanged(stored)
        stored.contact_days = plan.contact_days
        stored.save()
        entry.data = {"days": stored.contact_days}
    return stored


def delete_contacts(tournament: Tournament, actor: Actor) -> PrivacyPlan:
    """Delete e-mail addresses, messages, answers, texts of mails and photographs now. Idempotent."""
    with log.write(tournament, actor, actions.CONTACTS_DELETED, Right.OWN) as entry:
        plan = privacy_of(entry.tournament)
        people = registrations_with_contacts(entry.tournament).update(**EMPTY_CONTACTS)
        mails = mails_with_text(entry.tournament)
        mails.filter(state=Mail.State.WAITING).update(state=Mail.State.NOT_SENT)
        n_mails = mails.update(**EMPTY_MAIL)
        entry.tournament.invitations.update(email="")
        n_photos = delete_photos(photos_of(entry.tournament))
        if not people + n_mails + n_photos:
            return entry.unchanged(plan)
        plan.deleted_at = timezone.now()
        plan.save()
        counts = {
            "deleted_people": F("deleted_people") + people,
            "deleted_letters": F("deleted_letters") + n_mails,
        }
        PrivacyPlan.objects.filter(pk=plan.pk).update(**counts)
        plan.refresh_from_db()
        entry.data = {"people": people, "letters": n_mails} | ({"photos": n_photos} if n_photos else {})
    return plan


def delete_old_contacts(actor: Actor, now: datetime) -> list[Tournament]:
    """Delete the contact data of tournaments whose retention is over; return these."""
    access.require_backup_manager(actor)
    Mail.objects.filter(WITHOUT_EVENT, posted_at__lt=now - timedelta(days=USUAL_DAYS)).delete()
    due = [
        tournament for tournament in tournaments_with_contacts() if contact_deletion_time(tournament) <= now
    ]
    for tournament in due:
        delete_contacts(tournament, actor)
    return due


# --- Erasure ---


EMPTY_REGISTRATION: dict[str, Any] = {
    "first_name": "",
    "second_name": "",
    "family_name_first": None,
    "country": "",
    "email": "",
    "ema_number": "",
    "club": "",
    "team": "",
    "changed_from": {},
    "message": "",
    "answers": {},
    "photos_agreed": False,
    "name_shown": False,
    "declines_messages": True,
}


def erase_player(player: Player, actor: Actor, *, name: str) -> Player:
    """Erase a player and their registration. `name`: the player's, as a confirmation.

    Names, contact data and texts about them are erased. Results stay, and so do country and team, which results depend
    on; the log's hash chain stays valid.
    """
    access.require(actor, player.tournament, Right.OWN)
    if player.erased_at is None:
        _check_name(name, fresh(Player.objects.all(), player).full_name)
    return _erase_in_event(player, actor)


@transaction.atomic
def erase_person(person: Person, actor: Actor, *, name: str) -> list[Player]:
    """Erase a person in all tournaments that the actor owns, all or none. `name`: the person's, as a confirmation.

    The person is deleted when no tournament is left. Raises Forbidden if the actor owns none of the tournaments.
    """
    own = erasable_players(person, actor).own
    if not own:
        raise Forbidden("the actor owns none of the person's tournaments")
    _check_name(name, person.name)
    return [_erase_in_event(player, actor) for player in own]


def _erase_in_event(player: Player, actor: Actor) -> Player:
    with log.write(player.tournament, actor, actions.PLAYER_ERASED, None) as entry:
        player = fresh(Player.objects.select_related("person"), player)
        if player.erased_at is not None:
            return entry.unchanged(player)
        subject = subject_of(entry.tournament, player, None)
        entry.data = {"player": player.number} | _erase_subject(subject)
        if subject.registration is not None:
            entry.data["registration"] = subject.registration.number
    return fresh(Player.objects.all(), player)


def _check_name(typed_name: str, name: str) -> None:
    if " ".join(typed_name.split()) != " ".join(name.split()):
        raise Refused(PERSON_NOT_REPEATED("name", name=name))


def erase_registration(registration: Registration, actor: Actor, *, name: str) -> Registration:
    """Erase a registration and its player. `name`: the registration's, as a confirmation."""
    tournament = registration.tournament
    with log.write(tournament, actor, actions.REGISTRATION_ERASED, Right.OWN) as entry:
        registration = fresh(Registration.objects.select_related("player__person"), registration)
        if registration.erased_at is not None:
            return entry.unchanged(registration)
        _check_name(name, registration.name)
        subject = subject_of(entry.tournament, None, registration)
        entry.data = {"registration": registration.number} | _erase_subject(subject)
        if subject.player is not None:
            entry.data["player"] = subject.player.number
    return fresh(Registration.objects.all(), registration)


def _erase_subject(subject: Subject) -> dict[str, int]:
    """Erase everything about a subject; return the log entry's data."""
    erasure = erasure_of(subject)
    _erase_texts(erasure)
    _erase_clocks(subject)
    if subject.player is not None:
        delete_photos(photos_of(subject.tournament).filter(table__seats__player=subject.player))
        _erase_ceremonies(subject.tournament, subject.player)
        _erase_player(subject.player)
        mark_namesakes(subject.tournament)
    if subject.registration is not None:
        _erase_registration(subject.registration)
    _delete_documents(subject.tournament)
    _delete_messages(subject)
    return {"texts_erased": sum(len(keys) for _entry, keys in erasure.entries)}


def _erase_texts(erasure: Erasure) -> None:
    for row, names in erasure.typed:
        for name in names:
            setattr(row, name, erase_value(getattr(row, name)))
        row.save(update_fields=names)
    for entry, keys in erasure.entries:
        for key in keys:
            entry.texts = erase_text(entry.texts, key)
        entry.save(update_fields=["texts"])


def _erase_clocks(subject: Subject) -> None:
    """Erase reasons for pauses that mention the subject."""
    for session in subject.tournament.sessions.exclude(pauses=[]):
        session.pauses = [
            pause | ({"reason": ERASED} if mentions(pause["reason"], subject.names) else {})
            for pause in session.pauses
        ]
        session.save(update_fields=["pauses"])


def _erase_ceremonies(tournament: Tournament, player: Player) -> None:
    """Replace the player's name in the results of ceremonies."""
    before, after = {player.full_name, player.numbered_name}, erased_name(player)
    for ceremony in tournament.ceremonies.all():
        ceremony.lines = [
            line
            | {"name": after if line["name"] in before else line["name"]}
            | {"about": " · ".join(after if part in before else part for part in line["about"].split(" · "))}
            for line in ceremony.lines
        ]
        ceremony.save(update_fields=["lines"])


def _erase_player(player: Player) -> None:
    person, keys = player.person, set(player.names_by_key)
    player.phones.all().delete()
    player.prizes.clear()
    player.first_name, player.last_name = "", erased_name(player)
    player.second_name = player.ema_number = player.club = ""
    player.family_name_first = None
    player.person, player.erased_at = None, timezone.now()
    player.save(
        update_fields=[
            *("first_name", "last_name", "second_name", "family_name_first"),
            *("ema_number", "club", "person", "erased_at"),
        ]
    )
    if person is not None:
        _delete_person(person, keys)


def _delete_person(person: Person, keys: set[str]) -> None:
    """Delete a person who has no other players, else the names, by `keys`, that they only had in this tournament."""
    others = {key for player in person.players.all() for key in player.names_by_key}
    if not others:
        person.merged.all().delete()
        person.delete()
    else:
        person.names.filter(key__in=keys - others).delete()


def _erase_registration(registration: Registration) -> None:
    """Erase a registration. It gets a new key, so that its link is no longer valid."""
    registration.mails.all().delete()
    for name, value in EMPTY_REGISTRATION.items():
        setattr(registration, name, value)
    registration.last_name, registration.key = f"Registration {registration.number}", uuid4()
    registration.erased_at = timezone.now()
    registration.save()


def _delete_documents(tournament: Tournament) -> None:
    """Delete the documents of the tournament, which contain names and can be created again."""
    for job in tournament.documents.exclude(file=""):
        transaction.on_commit(partial(remove_file, job))
        job.delete()


def _delete_messages(subject: Subject) -> None:
    """Delete webhook deliveries of kinds with names, and those that mention the subject."""
    deliveries = Delivery.objects.filter(webhook__tournament=subject.tournament)
    with_names = [
        delivery.pk
        for delivery in deliveries
        if delivery.kind in KINDS_WITH_NAMES or mentions(delivery.text, subject.names)
    ]
    deliveries.filter(pk__in=with_names).delete()
