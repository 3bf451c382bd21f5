"""A public and a private tournament with something of everything, and somebody in every role."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.test import Client
from django.urls import URLPattern

from tests.house.addresses import ADDRESSES, addresses, drain
from tests.support.factories import (
    SYSTEM,
    make_member,
    make_organiser,
    make_tournament,
    make_umpire,
    make_user,
)
from tournament.base.engine.notices import Kind
from tournament.base.models.documents import DocumentJob
from tournament.base.models.play import Appeal
from tournament.base.models.tournament import Role, Tournament
from tournament.fouls.services.appeals import open_appeal
from tournament.fouls.services.penalties import give_penalty
from tournament.messages.webhooks.models import Webhook
from tournament.messages.webhooks.services import add_webhook, send_test
from tournament.people.services import link_players
from tournament.play.engine.statements import Accusation
from tournament.play.services.sessions import raise_call

MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"
ANY_EVENT = dict.fromkeys(("table", "number", "hand", "player"), 1) | {
    "key": "late",
    "who": "r1",
    "screen": "main",
    "token": "no-such-token",
    "uidb64": "MQ",
    "digest": "0123456789ab",
    "backup": "hule-2026-05-02-1431",
    "day": "2026-05-02",
    "kind": "worth",
    "level": "easy",
    "seed": "7",
    "folder": "organisers",
    "name": "registration",
}
"""What stands in addresses and is the same in every event."""


def client_for(user: Any) -> Client:
    """A browser in which this account is signed in; nobody, if it is a visitor's."""
    client = Client()
    if not user.is_anonymous:
        client.force_login(user, MODEL_BACKEND)
    return client


def status_of(client: Client, method: str, url: str) -> int:
    """The status of the answer; what the request writes is undone."""
    body = {} if method == "get" else {"data": "{}", "content_type": "application/json"}
    with transaction.atomic():
        response = getattr(client, method)(url, **body)
        transaction.set_rollback(True)
    drain(response)
    return int(response.status_code)


class House:
    """A private and a public tournament, both being played, and somebody in every role."""

    def __init__(self) -> None:
        self.public = make_tournament(players=8, sessions=2, played=1, running=1, name="Public", hands=1)
        self.private = make_tournament(players=8, sessions=2, running=1, name="Private", public=False)
        elsewhere = make_tournament(players=8, sessions=1, running=0, name="Elsewhere")
        self.people: dict[str, Any] = {
            "visitor": AnonymousUser(),
            "player": make_user("pia"),
            "umpire elsewhere": make_umpire(elsewhere, "ueli"),
            "organiser elsewhere": make_organiser(elsewhere, "otto"),
            "umpire": make_umpire(self.public, "uma"),
            "organiser": make_organiser(self.public, "olga"),
        }
        for role in set(Role) - {Role.UMPIRE, Role.ORGANISER}:
            self.people[str(role.label)] = make_member(self.public, role, f"{role.value}-1")
        self.appeals: dict[str, Appeal] = {}
        self._kwargs = {event.slug: self._fill(event) for event in (self.public, self.private)}

    def _fill(self, event: Tournament) -> dict[str, Any]:
        """Give the event something of everything; return what stands in its addresses."""
        session = event.sessions.get(state="running")
        table: Any = session.tables.get(number=1)
        penalty = give_penalty(table, SYSTEM, Accusation(1, "false_hu", 1), uuid=uuid4())
        self.appeals[event.slug] = open_appeal(table, SYSTEM, 1, "Hand 1 was not won.", uuid=uuid4())
        call = raise_call(table, SYSTEM, "tiles")
        persons = [str(person.pk) for _, person in link_players(event, SYSTEM, {1: None, 2: None})]
        webhook = Webhook(
            tournament=event, name="a program", url="https://bot.example.org/hook", kinds=[Kind.ANNOUNCEMENT]
        )
        send_test(add_webhook(webhook, SYSTEM), SYSTEM, key=penalty.uuid)
        job = DocumentJob.objects.create(tournament=event, kind="standings", language="en")
        umpire = event.memberships.filter(role="umpire").first()
        return ANY_EVENT | {
            "slug": event.slug,
            "session": session.number,
            **dict.fromkeys(("uuid", "penalty"), penalty.uuid),
            **dict.fromkeys(("job", "job_id"), job.pk),
            "call": call.pk,
            "appeal": self.appeals[event.slug].uuid,
            "pk": umpire.pk if umpire else 0,
            "person": persons[0],
            "other": persons[1],
        }

    def client(self, role: str) -> Client:
        return client_for(self.people[role])

    def kwargs(self, event: Tournament) -> dict[str, Any]:
        """What stands in addresses of this event."""
        return dict(self._kwargs[event.slug])

    def urls(
        self,
        event: Tournament | None = None,
        *,
        where: Callable[[str, URLPattern], bool] = lambda _name, _entry: True,
        **kwargs: Any,
    ) -> Iterator[tuple[str, str]]:
        """Name and URL of every address `where` says; of the public event, unless another is named."""
        known = self.kwargs(event or self.public) | kwargs
        for name, entry in ADDRESSES:
            if where(name, entry):
                yield from ((name, url) for url in addresses(entry, name, known))
