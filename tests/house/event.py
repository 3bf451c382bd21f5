"""A public and a private tournament with something of everything, and somebody in every role."""

from typing import Any
from uuid import uuid4

from django.contrib.auth.models import AnonymousUser
from django.test import Client

from tests.support.factories import (
    PASSWORD,
    SYSTEM,
    make_member,
    make_organiser,
    make_tournament,
    make_umpire,
    make_user,
)
from tournament.engine.statements import Accusation, Objection
from tournament.engine.webhooks.kinds import Kind
from tournament.models import DocumentJob, Role, Tournament
from tournament.selectors.webhooks import WebhookWish
from tournament.services.appeals import open_appeal
from tournament.services.calls import raise_call
from tournament.services.penalties import give_penalty
from tournament.services.people import link_several
from tournament.services.webhooks import add_webhook, send_test


class House:
    """A private and a public tournament, both being played, and somebody in every role."""

    def __init__(self) -> None:
        self.public = make_tournament(players=8, sessions=2, played=1, running=1, name="Public", hands=1)
        self.private = make_tournament(players=8, sessions=2, running=1, name="Private", public=False)
        elsewhere = make_tournament(players=8, sessions=1, running=0, name="Elsewhere")
        self.penalties = {
            one.slug: give_penalty(self.table(one), SYSTEM, Accusation(1, "false_hu", 1), uuid=uuid4())
            for one in (self.public, self.private)
        }
        self.appeals = {
            one.slug: open_appeal(self.table(one), SYSTEM, Objection(1, "Hand 1 was not won."), uuid=uuid4())
            for one in (self.public, self.private)
        }
        self.calls = {
            one.slug: raise_call(self.table(one), SYSTEM, "tiles") for one in (self.public, self.private)
        }
        self.known = {
            one.slug: [str(person.pk) for _, person in link_several(one, SYSTEM, {1: None, 2: None})]
            for one in (self.public, self.private)
        }
        for one in (self.public, self.private):
            wish = WebhookWish("a program", "https://bot.example.org/hook", kinds=(Kind.ANNOUNCEMENT,))
            webhook = add_webhook(one, SYSTEM, wish, site="https://hule.example.org")
            send_test(webhook, SYSTEM, key=self.penalties[one.slug].uuid)
        self.jobs = {
            one.slug: DocumentJob.objects.create(tournament=one, kind="standings", language="en")
            for one in (self.public, self.private)
        }
        self.people: dict[str, Any] = {
            "visitor": AnonymousUser(),
            "player": make_user("pia"),
            "umpire elsewhere": make_umpire(elsewhere, "ueli"),
            "organiser elsewhere": make_organiser(elsewhere, "otto"),
            "umpire": make_umpire(self.public, "uma"),
            "organiser": make_organiser(self.public, "olga"),
        } | {
            str(role.label): make_member(self.public, role, f"{role.value}-1")
            for role in Role
            if role not in (Role.UMPIRE, Role.ORGANISER)
        }

    @staticmethod
    def table(tournament: Tournament) -> Any:
        return tournament.sessions.get(state="running").tables.get(number=1)

    def client(self, role: str) -> Client:
        client = Client(raise_request_exception=True)
        if role != "visitor":
            assert client.login(username=self.people[role].username, password=PASSWORD)
        return client

    def kwargs(self, tournament: Tournament) -> dict[str, Any]:
        session = tournament.sessions.get(state="running")
        umpire = tournament.memberships.filter(role="umpire").first()
        return {
            "slug": tournament.slug,
            "session": session.number,
            "table": 1,
            "number": 1,
            "hand": 1,
            "player": 1,
            "uuid": self.penalties[tournament.slug].uuid,
            "penalty": self.penalties[tournament.slug].uuid,
            "job": self.jobs[tournament.slug].pk,
            "job_id": self.jobs[tournament.slug].pk,
            "call": self.calls[tournament.slug].pk,
            "appeal": self.appeals[tournament.slug].uuid,
            "key": "late",
            "screen": "main",
            "pk": umpire.pk if umpire else 0,
            "token": "no-such-token",
            "digest": "0123456789ab",
            "backup": "hule-2026-05-02-1431",
            "day": "2026-05-02",
            "kind": "worth",
            "level": "easy",
            "seed": "7",
            "person": self.known[tournament.slug][0],
            "other": self.known[tournament.slug][1],
        }
