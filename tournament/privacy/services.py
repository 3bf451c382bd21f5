"""Contact data and its end, and erasing somebody."""

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
from tournament.base.engine.entries import ERASED, erased, without
from tournament.base.errors import Forbidden, Refused
from tournament.base.models.people import Person, Player
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.base.validation import check
from tournament.events.services import remove_file
from tournament.messages.mail.models import Mail
from tournament.messages.webhooks.engine import KINDS_WITH_NAMES
from tournament.messages.webhooks.models import Delivery
from tournament.people.selectors import name_key
from tournament.play.services.tables import fresh
from tournament.privacy import texts as actions
from tournament.privacy.engine import mentions
from tournament.privacy.models import USUAL_DAYS, PrivacyPlan
from tournament.privacy.selectors import (
    Erasure,
    Subject,
    called,
    contact_goes_at,
    erasure_of,
    holding_contacts,
    letters,
    privacy_of,
    reachable,
    subject_of,
    theirs_to_erase,
)

PERSON_NOT_REPEATED = problem_code("person_not_repeated", "This is not the name: “{name}”.")

# --- Contact data ---


NO_CONTACT: dict[str, Any] = {"email": "", "message": "", "answers": {}}
OF_NO_EVENT = Q(tournament=None, registration=None)
NO_LETTER = {"to": "", "subject": "", "text": "", "error": ""}


def keep_contacts(plan: PrivacyPlan, actor: Actor) -> PrivacyPlan:
    """Store how many days after the last one that is played contact data is kept. Idempotent."""
    access.require(actor, plan.tournament, Right.ORGANISE)
    with log.write(plan.tournament, actor, actions.PRIVACY_SET) as entry:
        check(plan, exclude=["tournament"])
        stored = privacy_of(entry.tournament)
        if stored.contact_days == plan.contact_days:
            entry.unchanged()
            return stored
        stored.contact_days = plan.contact_days
        stored.save()
        entry.data = {"days": stored.contact_days}
    return stored


def delete_contacts(tournament: Tournament, actor: Actor) -> PrivacyPlan:
    """E-mail addresses, messages, answers and letters go for good, whenever it is; numbers and results stay.

    With nothing left this is no write.
    """
    access.require(actor, tournament, Right.OWN)
    with log.write(tournament, actor, actions.CONTACTS_DELETED) as entry:
        plan = privacy_of(entry.tournament)
        people = reachable(entry.tournament).update(**NO_CONTACT)
        gone = letters(entry.tournament)
        gone.filter(state=Mail.State.WAITING).update(state=Mail.State.NOT_SENT)
        mails = gone.update(**NO_LETTER)
        entry.tournament.invitations.update(email="")
        if not people + mails:
            entry.unchanged()
            return plan
        plan.deleted_at = timezone.now()
        plan.save()
        counts = {
            "deleted_people": F("deleted_people") + people,
            "deleted_letters": F("deleted_letters") + mails,
        }
        PrivacyPlan.objects.filter(pk=plan.pk).update(**counts)
        plan.refresh_from_db()
        entry.data = {"people": people, "letters": mails}
    return plan


def delete_old_contacts(actor: Actor, now: datetime) -> list[Tournament]:
    """Where the time is over: what a worker that was away has missed, too. Those that lost some."""
    access.require_keeper(actor)
    Mail.objects.filter(OF_NO_EVENT, posted_at__lt=now - timedelta(days=USUAL_DAYS)).delete()
    due = [tournament for tournament in holding_contacts() if contact_goes_at(tournament) <= now]
    for tournament in due:
        delete_contacts(tournament, actor)
    return due


# --- Erasing somebody ---


NOTHING_OF_THEM: dict[str, Any] = {
    "first_name": "",
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
}


def erase_player(player: Player, actor: Actor, *, name: str) -> Player:
    """The player becomes "Player 12"; country and team stay, for results follow from them. With what they registered
    with. `name`: theirs, repeated, for it cannot be undone.

    Names, contact data and what was typed about them go, results stay, and the log's chain holds.
    """
    access.require(actor, player.tournament, Right.OWN)
    if player.erased_at is None:
        _check_repeated(name, fresh(Player.objects.all(), player).name)
    return _erase_in_event(player, actor)


@transaction.atomic
def erase_person(person: Person, actor: Actor, *, name: str) -> list[Player]:
    """At every tournament that is the actor's own, all or none, an entry in each one's log. Whoever asks to be erased
    means all of them; those of others their owners erase. Nobody is known once no tournament is left."""
    mine = theirs_to_erase(person, actor).mine
    if not mine:
        raise Forbidden("none of their tournaments is one's own")
    _check_repeated(name, person.name)
    return [_erase_in_event(player, actor) for player in mine]


def _erase_in_event(player: Player, actor: Actor) -> Player:
    with log.write(player.tournament, actor, actions.PLAYER_ERASED) as entry:
        player = fresh(Player.objects.select_related("person"), player)
        if player.erased_at is not None:
            entry.unchanged()
            return player
        subject = subject_of(entry.tournament, player, None)
        entry.data = {"player": player.number} | _erase_subject(subject)
        if subject.registration is not None:
            entry.data["registration"] = subject.registration.number
    return fresh(Player.objects.all(), player)


def _check_repeated(given: str, name: str) -> None:
    if " ".join(given.split()) != " ".join(name.split()):
        raise Refused(PERSON_NOT_REPEATED("name", name=name))


def erase_registration(registration: Registration, actor: Actor, *, name: str) -> Registration:
    """Who registered, and the player they became. Nothing is left but that somebody had registered."""
    tournament = registration.tournament
    access.require(actor, tournament, Right.OWN)
    with log.write(tournament, actor, actions.ERASED_REGISTRATION) as entry:
        registration = fresh(Registration.objects.select_related("player__person"), registration)
        if registration.erased_at is not None:
            entry.unchanged()
            return registration
        _check_repeated(name, registration.name)
        subject = subject_of(entry.tournament, None, registration)
        entry.data = {"registration": registration.number} | _erase_subject(subject)
        if subject.player is not None:
            entry.data["player"] = subject.player.number
    return fresh(Registration.objects.all(), registration)


def _erase_subject(subject: Subject) -> dict[str, int]:
    """All of it, for the log of that write: how many texts went."""
    erasure = erasure_of(subject)
    _erase_texts(erasure)
    _erase_clocks(subject)
    if subject.player is not None:
        _erase_ceremonies(subject.tournament, subject.player)
        _erase_player(subject.player)
    if subject.registration is not None:
        _erase_registration(subject.registration)
    _delete_documents(subject.tournament)
    _delete_messages(subject)
    return {"texts_erased": sum(len(keys) for _entry, keys in erasure.entries)}


def _erase_texts(erasure: Erasure) -> None:
    for row, names in erasure.typed:
        for name in names:
            setattr(row, name, erased(getattr(row, name)))
        row.save(update_fields=names)
    for entry, keys in erasure.entries:
        for key in keys:
            entry.texts = without(entry.texts, key)
        entry.save(update_fields=["texts"])


def _erase_clocks(subject: Subject) -> None:
    """Why the hall's clock stood still, where that names them."""
    for session in subject.tournament.sessions.exclude(pauses=[]):
        session.pauses = [
            pause | ({"reason": ERASED} if mentions(pause["reason"], subject.names) else {})
            for pause in session.pauses
        ]
        session.save(update_fields=["pauses"])


def _erase_ceremonies(tournament: Tournament, player: Player) -> None:
    """The places as they were read out keep their figures."""
    before, after = player.name, called(player)
    for ceremony in tournament.ceremonies.all():
        ceremony.lines = [
            line
            | {"name": after if line["name"] == before else line["name"]}
            | {"about": " · ".join(after if part == before else part for part in line["about"].split(" · "))}
            for line in ceremony.lines
        ]
        ceremony.save(update_fields=["lines"])


def _erase_player(player: Player) -> None:
    person, key = player.person, name_key(player.first_name, player.last_name)
    player.phones.all().delete()
    player.first_name, player.last_name = "", called(player)
    player.ema_number = player.club = ""
    player.person, player.erased_at = None, timezone.now()
    player.save(update_fields=["first_name", "last_name", "ema_number", "club", "person", "erased_at"])
    if person is not None:
        _forget_person(person, key)


def _forget_person(person: Person, key: str) -> None:
    """Nobody any more, nor who was merged into them, unless they play elsewhere: another event's organiser answers for
    that. A name that they have nowhere else is theirs no more."""
    others = {name_key(player.first_name, player.last_name) for player in person.players.all()}
    if not others:
        person.merged.all().delete()
        person.delete()
    elif key not in others:
        person.names.filter(key=key).delete()


def _erase_registration(registration: Registration) -> None:
    """The key is another one from now on: the link that was sent opens nothing."""
    registration.mails.all().delete()
    for name, value in NOTHING_OF_THEM.items():
        setattr(registration, name, value)
    registration.last_name, registration.key = f"Registration {registration.number}", uuid4()
    registration.erased_at = timezone.now()
    registration.save()


def _delete_documents(tournament: Tournament) -> None:
    """Whatever was printed before names them; it is made anew when somebody asks."""
    for job in tournament.documents.exclude(file=""):
        transaction.on_commit(partial(remove_file, job))
        job.delete()


def _delete_messages(subject: Subject) -> None:
    """To programs and chats, whether they have arrived or not: those that have names in them, or name them."""
    written = Delivery.objects.filter(webhook__tournament=subject.tournament)
    named = [
        delivery.pk
        for delivery in written
        if delivery.kind in KINDS_WITH_NAMES or mentions(delivery.text, subject.names)
    ]
    written.filter(pk__in=named).delete()
