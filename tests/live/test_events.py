"""The events that each kind of recipient gets, and what no event contains."""

import json
from datetime import timedelta
from importlib import import_module
from itertools import product
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.utils import timezone

from tests.support.factories import (
    SYSTEM,
    hand_entry,
    make_card,
    make_organiser,
    make_tournament,
    make_umpire,
    make_user,
)
from tournament.base.models.play import Table
from tournament.base.models.tournament import Membership, Pass, Tournament
from tournament.fouls.services.penalties import give_penalty
from tournament.live.app import Admission, admission_of, entries_after
from tournament.live.hub import PUBLIC, STAFF, Entry, Recipient, reset_event
from tournament.play.engine.statements import Accusation
from tournament.play.services.absences import record_absence
from tournament.play.services.hands import record_hand
from tournament.staff.passes import PassScope
from tournament.staff.services import make_passes, revoke_passes

OF_A_HAND = {"winner": 7, "discarder": 3, "scores": {"7": 25}, "points": 25, "outcome": "win", "hand": 3}
OF_A_PERSON = {
    "player": 7,
    "name": "Ada Wong",
    "reason": "asked",
    "foul": "late",
    "minutes": 7,
    "user": "ada",
}
SECRETS = OF_A_HAND | OF_A_PERSON | {"facts": {"minutes": 7}}
KNOWN = {"version", "action", "topics", "session", "table", "table_version"}
CARD = Recipient(table=1)


def fields(frame: bytes) -> dict[str, str]:
    assert frame.endswith(b"\n\n")
    return dict(line.split(": ", 1) for line in frame.decode().strip().split("\n"))


def data(frame: bytes) -> dict[str, Any]:
    decoded: dict[str, Any] = json.loads(fields(frame)["data"])
    return decoded


def change_data(version: int, action: str, *also: str, **place: object) -> dict[str, Any]:
    return {"version": version, "action": action, "topics": ["event", *also], **place}


def test_a_change_carries_the_version_as_its_id_and_says_where_it_happened() -> None:
    entry = Entry(12, "hand_recorded", {"session": 1, "table": 4, "table_version": 9}, 10)
    event = fields(PUBLIC.change_event(entry, 10))
    assert (event["id"], event["event"]) == ("10", "change")
    assert json.loads(event["data"]) == change_data(10, "hand_recorded", **entry.data)


def test_events_name_no_player_and_no_score(subtests: pytest.Subtests) -> None:
    """Each page asks as whoever is looking; the stream is the same bytes for all of them."""
    actions = ("hand_recorded", "penalty_given", "appeal_opened", "player_absent")
    for recipient, action in product((PUBLIC, STAFF, CARD), actions):
        entry = Entry(3, action, {"session": 1, "table": 1, "table_version": 2} | SECRETS, 3)
        with subtests.test(action, recipient=recipient):
            assert set(data(recipient.change_event(entry, 3))) == KNOWN


def test_restricted_actions_are_unnamed_for_the_public() -> None:
    for action in (
        *("penalty_given", "penalty_cancelled", "appeal_opened", "player_absent"),
        *("role_changed", "role_ended", "tournament_handed_over", "passes_revoked"),
    ):
        entry = Entry(3, action, {}, 3)
        next_events = [data(recipient.change_event(entry, 3))["action"] for recipient in (PUBLIC, STAFF)]
        assert next_events == ["changed", action]


@pytest.mark.django_db
def test_nobody_who_is_penalized_or_missing_is_named_in_the_hall() -> None:
    event = make_tournament(running=0)
    table = Table.objects.select_related("session__tournament").get(session__number=1, number=1)
    first, second = (seat.player.number for seat in table.seats.order_by("id")[:2])
    record_hand(table, SYSTEM, hand_entry(table, 1), number=1, uuid=uuid4())
    foul = Accusation(first, "rules_violation", details={"points": 10})
    give_penalty(table, SYSTEM, foul, uuid=uuid4())
    record_absence(table, SYSTEM, second, uuid=uuid4())
    entries = {entry.code: entry for entry in entries_after(event.pk, 0)}
    for action in ("hand_recorded", "penalty_given", "player_absent"):
        assert set(data(PUBLIC.change_event(entries[action], 1))) == KNOWN


def test_events_of_a_hidden_session_name_only_the_table() -> None:
    at_a_table = {"session": 2, "table": 1, "table_version": 4}
    hand = Entry(5, "hand_recorded", at_a_table, None, hidden=True)
    absent = Entry(6, "player_absent", at_a_table, 5, hidden=True)
    begun = Entry(7, "session_started", {"session": 2}, 6, hidden=True)
    told_before = Entry(5, "hand_recorded", at_a_table, 5, hidden=True)
    assert [PUBLIC.receives(entry) for entry in (hand, absent, begun)] == [False, True, True]
    for entry in (absent, told_before):
        assert data(PUBLIC.change_event(entry, 5)) == change_data(5, "changed", session=2, table=1)
    assert data(PUBLIC.change_event(begun, 6)) == change_data(6, "session_started", "calls", session=2)


def test_a_card_gets_events_of_its_own_table_in_a_hidden_session() -> None:
    mine, theirs = (
        Entry(5, "hand_recorded", {"session": 2, "table": table, "table_version": 4}, None, hidden=True)
        for table in (1, 2)
    )
    assert [CARD.receives(entry) for entry in (mine, theirs)] == [True, False]
    assert data(CARD.change_event(mine, 3)) == change_data(3, "hand_recorded", **mine.data)


def test_a_line_break_in_the_data_does_not_end_the_event() -> None:
    """A reset names the version to read."""
    frame = STAFF.change_event(Entry(1, "hand_recorded", {"table": "a\n\nevent: reset\n\n和"}, 1), 1)
    assert frame.count(b"\n\n") == 1
    assert data(frame)["table"] == "a\n\nevent: reset\n\n和"
    assert fields(reset_event(400)) == {"id": "400", "event": "reset", "data": '{"version":400}'}


pytestmark = [pytest.mark.django_db, pytest.mark.stored]


def signed_in(user: User, backend: str = "django.contrib.auth.backends.ModelBackend") -> str:
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(user.pk), backend
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def admit(tournament: Tournament, cookies: str = "", *, as_staff: bool = True) -> Admission | None:
    return admission_of(tournament.slug, cookies, as_staff=as_staff)


def admitted(tournament: Tournament, recipient: Recipient, **how: Any) -> Admission:
    return Admission(tournament.pk, recipient, **how)


def test_the_staff_stream_requires_a_role_and_a_card_sees_its_table() -> None:
    """Everybody hears of a public tournament what the public hears."""
    spring, other = (make_tournament(name=name, players=8, sessions=1) for name in ("Spring Open", "Other"))
    assert admit(spring) is None
    assert admit(spring, signed_in(make_user("pia"))) is None
    assert admit(spring, signed_in(make_organiser(other, "otto"))) is None
    umpire, organiser = signed_in(make_umpire(spring)), signed_in(make_organiser(spring))
    assert admit(spring, umpire) == admit(spring, organiser) == admitted(spring, STAFF, by_role=True)
    for cookies in ("", organiser):
        assert admit(spring, cookies, as_staff=False) == admitted(spring, PUBLIC, by_role=False)
    card = signed_in(make_card(spring, 2))
    assert admit(spring, card) == admitted(spring, Recipient(table=2), by_role=True)


def test_a_private_tournament_is_streamed_to_members() -> None:
    """Not by who is deactivated or loses it."""
    spring = make_tournament(players=8, sessions=1, public=False)
    assert admit(spring, as_staff=False) is None
    assert admit(spring, signed_in(make_user("pia")), as_staff=False) is None
    gone, removed = make_umpire(spring), make_umpire(spring, "ulf")
    cookies = [signed_in(gone), signed_in(removed)]
    assert admit(spring, cookies[0], as_staff=False) == admitted(spring, PUBLIC, by_role=True)
    User.objects.filter(pk=gone.pk).update(is_active=False)
    Membership.objects.filter(user=removed).delete()
    assert [admit(spring, cookie) for cookie in cookies] == [None, None]


def test_a_pass_opens_nothing_once_it_is_revoked_or_has_expired() -> None:
    spring = make_tournament(players=8, sessions=1)
    scopes = [PassScope(f"Table {number}", table_number=number) for number in (1, 2)]
    passes = make_passes(spring, SYSTEM, scopes, timezone.now() + timedelta(days=1))
    cards = [
        signed_in(desk_pass.membership.user, "tournament.staff.passes.PassBackend") for desk_pass in passes
    ]
    admissions = [admitted(spring, Recipient(table=number), by_role=True) for number in (1, 2)]
    assert [admit(spring, card) for card in cards] == admissions
    revoke_passes(spring, SYSTEM, passes[:1])
    assert [admit(spring, card) for card in cards] == [None, admissions[1]]
    Pass.objects.update(expires_at=timezone.now())
    assert admit(spring, cards[1]) is None
