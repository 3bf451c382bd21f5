"""Messages on their way to a real target: taken, refused, late, twice, in order, and never lost."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail as outbox

from tests.support.factories import SYSTEM, make_organiser
from tests.webhooks.conftest import Add
from tests.webhooks.target import Reply, Target
from tournament.engine.statements import Message
from tournament.engine.webhooks.formats import Format
from tournament.engine.webhooks.kinds import Kind
from tournament.engine.webhooks.pauses import PAUSES
from tournament.models import Delivery, Mail, Tournament, Webhook
from tournament.outbound.line import Limits
from tournament.selectors.webhooks import WebhookWish
from tournament.services import webhooks
from tournament.services.announcements import announce
from tournament.webhooks import courier, sending

pytestmark = pytest.mark.django_db

State, Pause = Delivery.State, Webhook.Pause


class Clock:
    """Stands still unless it is moved."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.now

    def goes_on(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def deliver(clock: Clock) -> None:
    clock.goes_on(seconds=1)
    courier.deliver(clock, lambda: 0.0)


def say(event: Tournament, text: str) -> None:
    announce(event, SYSTEM, Message(text), uuid=uuid4())


def states(webhook: Webhook) -> list[str]:
    return list(webhook.deliveries.order_by("posted_at", "pk").values_list("state", flat=True))


def only(webhook: Webhook) -> Delivery:
    return Delivery.objects.get(webhook=webhook)


def test_a_message_arrives_once(event: Tournament, target: Target, add: Add, clock: Clock) -> None:
    webhook = add()
    say(event, "Lunch is ready.")
    for _look in range(3):
        deliver(clock)
    (taken,) = target.taken
    assert taken.said["type"] == "announcement.made"
    assert taken.said["data"]["sentence"] == "Lunch is ready."
    assert (only(webhook).state, only(webhook).status, only(webhook).fault) == (State.DELIVERED, 200, "")


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500, 503])
def test_what_is_refused_is_tried_again(
    event: Tournament, target: Target, add: Add, clock: Clock, status: int
) -> None:
    webhook = add()
    target.answers(Reply(status), Reply())
    say(event, "Lunch is ready.")
    deliver(clock)
    assert (only(webhook).state, only(webhook).status) == (State.WAITING, status)
    deliver(clock)
    assert len(target.taken) == 1, "not before its pause is over"
    clock.goes_on(seconds=PAUSES[0])
    deliver(clock)
    assert only(webhook).state == State.DELIVERED
    assert len({one.headers["webhook-id"] for one in target.taken}) == 1


def test_an_hour_of_500_loses_nothing_and_keeps_the_order(
    event: Tournament, target: Target, add: Add, clock: Clock
) -> None:
    webhook = add()
    target.answers(Reply(500))
    for text in ("one", "two", "three"):
        say(event, text)
    for _minute in range(60):
        clock.goes_on(minutes=1)
        deliver(clock)
    assert states(webhook) == [State.WAITING] * 3
    target.answers(Reply())
    target.taken.clear()
    clock.goes_on(hours=1)
    deliver(clock)
    assert [one.said["data"]["sentence"] for one in target.taken] == ["one", "two", "three"]
    webhook.refresh_from_db()
    assert webhook.failing_since is None


def test_after_a_day_without_anything_arriving_it_is_paused_and_the_organisers_are_told(
    event: Tournament, target: Target, add: Add, clock: Clock
) -> None:
    organiser = make_organiser(event)
    organiser.email = "olga@example.org"
    organiser.save()
    webhook = add()
    target.answers(Reply(500))
    say(event, "one")
    say(event, "two")
    for _hour in range(30):
        clock.goes_on(hours=1)
        deliver(clock)
    webhook.refresh_from_db()
    assert webhook.pause == Pause.FAILING
    assert states(webhook) == [State.WAITING] * 2
    letter = Mail.objects.get(letter="webhook_paused")
    assert (letter.to, "the hall’s program" in letter.text) == ("olga@example.org", True)
    assert event.log.get(action="webhook_paused").data == {"webhook": 1, "state": "failing"}
    assert outbox.outbox == []


def test_what_waited_while_it_was_paused_is_sent_when_it_goes_on(
    event: Tournament, target: Target, add: Add, clock: Clock
) -> None:
    webhook = add()
    Webhook.objects.update(pause=Pause.FAILING)
    say(event, "while it was away")
    deliver(clock)
    assert target.taken == []
    webhooks.resume_webhook(webhook, SYSTEM)
    deliver(clock)
    assert [one.said["data"]["sentence"] for one in target.taken] == ["while it was away"]


def test_what_happens_while_somebody_has_paused_it_is_not_told(
    event: Tournament, target: Target, add: Add, clock: Clock
) -> None:
    webhook = add()
    webhooks.pause_webhook(webhook, SYSTEM)
    say(event, "quiet")
    webhooks.resume_webhook(webhook, SYSTEM)
    deliver(clock)
    assert target.taken == []


def test_a_target_that_is_gone_is_paused_at_once(
    event: Tournament, target: Target, add: Add, clock: Clock
) -> None:
    webhook = add()
    target.answers(Reply(410))
    say(event, "Anybody there?")
    deliver(clock)
    webhook.refresh_from_db()
    assert (webhook.pause, only(webhook).state) == (Pause.GONE, State.WAITING)


def test_a_message_that_is_not_accepted_holds_up_no_other(
    event: Tournament, target: Target, add: Add, clock: Clock
) -> None:
    webhook = add()
    target.answers(Reply(400, b'{"message": "no such field"}'), Reply())
    say(event, "one")
    say(event, "two")
    deliver(clock)
    assert states(webhook) == [State.FAILED, State.DELIVERED]
    refused = webhook.deliveries.get(state=State.FAILED)
    assert (refused.fault, refused.answer) == ("unacceptable", "no such field")


def test_nobody_is_followed_elsewhere(event: Tournament, target: Target, add: Add, clock: Clock) -> None:
    """A redirect to a private address: told, with where it wanted to lead, and not one byte sent there."""
    webhook = add()
    target.answers(Reply(307, headers={"Location": f"{target.url}/private"}))
    say(event, "one")
    deliver(clock)
    assert [one.path for one in target.taken] == ["/"]
    assert (only(webhook).fault, only(webhook).answer) == ("redirect", f"{target.url}/private")


@pytest.mark.parametrize("reply", [Reply(hangs=True), Reply(drips=True)], ids=["hangs", "drips"])
def test_who_hangs_or_dawdles_is_cut_off_and_tried_again(
    event: Tournament,
    target: Target,
    add: Add,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    reply: Reply,
) -> None:
    monkeypatch.setattr(sending, "LIMITS", Limits(patience=0.2, longest=0.4, most=2048))
    webhook = add()
    target.answers(reply)
    say(event, "one")
    deliver(clock)
    assert (only(webhook).state, only(webhook).fault) == (State.WAITING, "hangs")


def test_an_answer_without_an_end_is_not_read_to_it(
    event: Tournament, target: Target, add: Add, clock: Clock
) -> None:
    webhook = add()
    target.answers(Reply(200, b"word " * 100_000))
    say(event, "one")
    deliver(clock)
    assert only(webhook).state == State.DELIVERED
    assert len(only(webhook).answer) == 300


def test_one_that_hangs_holds_up_no_other_target(
    event: Tournament, target: Target, add: Add, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "LIMITS", Limits(patience=0.2, longest=0.4, most=2048))
    add(name="slow", url=f"{target.url}/slow")
    quick = add(name="quick", url=f"{target.url}/quick")
    target.answers(Reply(hangs=True), path="/slow")
    say(event, "one")
    deliver(clock)
    assert only(quick).state == State.DELIVERED


def test_a_slow_target_waits_for_no_round_and_no_round_for_it(
    event: Tournament, target: Target, add: Add, clock: Clock
) -> None:
    """It answers when the quick one has had everything: had they to go in step, neither would come to an end."""
    slow = add(name="slow", url=f"{target.url}/slow")
    quick = add(name="quick", url=f"{target.url}/quick")
    target.answers(Reply(after=target.has_taken(3, "/quick")), path="/slow")
    for text in ("one", "two", "three"):
        say(event, text)
    deliver(clock)
    assert states(quick) == [State.DELIVERED] * 3
    assert (states(slow), slow.deliveries.filter(tries=1).count()) == ([State.DELIVERED] * 3, 3)


def test_what_is_written_while_one_hangs_goes_out_in_the_same_look(
    event: Tournament, target: Target, add: Add, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(name="slow", url=f"{target.url}/slow")
    quick = add(name="quick", url=f"{target.url}/quick")
    target.answers(Reply(after=target.has_taken(2, "/quick")), path="/slow")
    monkeypatch.setattr(courier, "LOOK_AGAIN", 0.01)
    say(event, "one")
    note = courier._note
    told: list[int] = []

    def noted(delivery: Delivery, *rest: Any) -> None:
        note(delivery, *rest)
        if not told:
            told.append(delivery.webhook_id)
            clock.goes_on(seconds=1)
            say(event, "two")

    monkeypatch.setattr(courier, "_note", noted)
    deliver(clock)
    assert (told, states(quick)) == ([quick.pk], [State.DELIVERED] * 2)


def test_a_private_address_is_refused_before_a_byte_is_sent(
    event: Tournament, target: Target, add: Add, clock: Clock, settings: object
) -> None:
    webhook = add()
    settings.WEBHOOK_NETWORKS = []  # type: ignore[attr-defined]
    say(event, "one")
    deliver(clock)
    assert (target.taken, only(webhook).fault, only(webhook).status) == ([], "private", None)


def test_a_chat_that_answers_200_and_says_no_is_understood(
    event: Tournament, target: Target, add: Add, clock: Clock
) -> None:
    webhook = add(format=Format.DINGTALK)
    target.answers(Reply(200, b'{"errcode": 310000, "errmsg": "keywords not in content"}'))
    say(event, "one")
    deliver(clock)
    assert (only(webhook).fault, only(webhook).answer) == ("complaint", "310000 keywords not in content")


def test_who_asks_to_be_left_alone_is(event: Tournament, target: Target, add: Add, clock: Clock) -> None:
    webhook = add()
    target.answers(Reply(429, headers={"Retry-After": "600"}))
    say(event, "one")
    deliver(clock)
    tried_at = only(webhook).try_at
    assert tried_at is not None
    assert tried_at - clock.now == timedelta(seconds=600)


def test_one_whose_worker_stopped_is_sent_again_under_its_id(
    event: Tournament, target: Target, add: Add, clock: Clock
) -> None:
    webhook = add()
    say(event, "one")
    Delivery.objects.update(state=State.SENDING, try_at=clock.now)
    deliver(clock)
    assert target.taken == []
    courier.take_up_again(clock)
    deliver(clock)
    assert [one.headers["webhook-id"] for one in target.taken] == [only(webhook).message_id]


def test_a_test_is_sent_to_a_paused_target_and_once(target: Target, add: Add, clock: Clock) -> None:
    webhook = add()
    target.answers(Reply(500))
    webhooks.pause_webhook(webhook, SYSTEM)
    key = uuid4()
    for _press in range(2):
        webhooks.send_test(webhook, SYSTEM, key=key)
    deliver(clock)
    clock.goes_on(days=1)
    deliver(clock)
    assert target.kinds == ["test"]
    assert (only(webhook).state, only(webhook).fault) == (State.FAILED, "status")


def test_what_was_not_delivered_can_be_sent_again(
    event: Tournament, target: Target, add: Add, clock: Clock
) -> None:
    webhook = add()
    target.answers(Reply(422), Reply())
    say(event, "one")
    deliver(clock)
    webhooks.send_again(only(webhook), SYSTEM)
    clock.now = datetime.now(UTC)
    deliver(clock)
    assert only(webhook).state == State.DELIVERED
    assert len({one.headers["webhook-id"] for one in target.taken}) == 1


def test_a_new_address_is_where_what_waits_goes_at_once(
    event: Tournament, target: Target, add: Add, clock: Clock
) -> None:
    webhook = add(url=f"{target.url}/old")
    target.answers(Reply(500), path="/old")
    say(event, "one")
    deliver(clock)
    wish = WebhookWish("new", f"{target.url}/new", kinds=(Kind.ANNOUNCEMENT,), language="en")
    webhooks.change_webhook(webhook, SYSTEM, wish)
    clock.now = datetime.now(UTC)
    deliver(clock)
    assert [one.path for one in target.taken] == ["/old", "/new"]


def test_messages_are_forgotten_after_a_month(
    event: Tournament, target: Target, add: Add, clock: Clock
) -> None:
    webhook = add()
    say(event, "one")
    forget = partial(courier.forget_old, clock.now + timedelta(days=29))
    assert (forget(), webhook.deliveries.count()) == (0, 1)
    assert courier.forget_old(clock.now + timedelta(days=31)) == 1
