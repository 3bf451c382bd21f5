"""Messages on their way to a target: taken, refused, late, twice, in order, never lost; and as its guide says."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail as outbox

from tests.messages.webhooks.conftest import Add, Reply, Target
from tests.support.factories import SYSTEM, make_organiser
from tournament.base.engine.notices import Kind
from tournament.base.models.tournament import Tournament
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.services import announce
from tournament.messages.mail.models import Mail
from tournament.messages.outbound import Limits
from tournament.messages.webhooks import delivery, sending
from tournament.messages.webhooks import services as webhooks
from tournament.messages.webhooks.engine import RETRY_DELAYS, STAFF_KINDS, Format
from tournament.messages.webhooks.models import Delivery, Webhook
from tournament.messages.webhooks.sending import UNACCEPTABLE
from tournament.messages.webhooks.services import renew_secret, send_test

pytestmark = pytest.mark.stored

State, Pause = Delivery.State, Webhook.Pause


class Clock:
    """Stands still unless it is moved."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.now

    def goes_on(self, **by: float) -> None:
        self.now += timedelta(**by)


@dataclass
class Hall:
    """An event whose webhooks write to a target of the test."""

    event: Tournament
    target: Target
    add: Add
    clock: Clock

    def say(self, text: str) -> None:
        announce(Announcement(tournament=self.event, text=text), SYSTEM)

    def deliver(self) -> None:
        self.clock.goes_on(seconds=1)
        delivery.deliver(self.clock, lambda: 0.0)


@pytest.fixture
def hall(event: Tournament, target: Target, add: Add) -> Hall:
    return Hall(event, target, add, Clock())


@pytest.fixture
def webhook(hall: Hall) -> Webhook:
    """It writes to the target's first page."""
    return hall.add()


def states(webhook: Webhook) -> list[str]:
    return list(webhook.deliveries.order_by("posted_at", "pk").values_list("state", flat=True))


def only(webhook: Webhook) -> Delivery:
    return Delivery.objects.get(webhook=webhook)


def test_a_message_arrives_once(hall: Hall, webhook: Webhook) -> None:
    """It is forgotten after a month."""
    hall.say("Lunch is ready.")
    for _look in range(3):
        hall.deliver()
    (taken,) = hall.target.taken
    assert taken.message["type"] == "announcement.created"
    assert taken.message["data"]["sentence"] == "Lunch is ready."
    assert (only(webhook).state, only(webhook).status, only(webhook).fault) == (State.DELIVERED, 200, "")
    assert delivery.delete_old(hall.clock.now + timedelta(days=29)) == 0
    assert webhook.deliveries.count() == 1
    assert delivery.delete_old(hall.clock.now + timedelta(days=31)) == 1


def test_a_failed_delivery_is_retried(hall: Hall) -> None:
    refusals = (401, 403, 404, 429, 500, 503)
    for status in refusals:
        hall.add(name=str(status), url=f"{hall.target.url}/{status}")
        hall.target.answers(Reply(status), Reply(), path=f"/{status}")
    hall.say("Lunch is ready.")
    hall.deliver()
    rows = Delivery.objects.order_by("status")
    assert [(row.state, row.status) for row in rows] == [(State.WAITING, status) for status in refusals]
    hall.deliver()
    assert len(hall.target.taken) == 6, "not before its pause is over"
    hall.clock.goes_on(seconds=RETRY_DELAYS[0])
    hall.deliver()
    assert set(Delivery.objects.values_list("state", flat=True)) == {State.DELIVERED}
    assert len(hall.target.taken) == 12
    assert len({(taken.path, taken.headers["webhook-id"]) for taken in hall.target.taken}) == 6


def test_an_hour_of_500_loses_nothing_and_keeps_the_order(hall: Hall, webhook: Webhook) -> None:
    hall.target.answers(Reply(500))
    for text in ("one", "two", "three"):
        hall.say(text)
    for _look in range(20):
        hall.clock.goes_on(minutes=3)
        hall.deliver()
    assert states(webhook) == [State.WAITING] * 3
    hall.target.answers(Reply())
    hall.target.taken.clear()
    hall.clock.goes_on(hours=1)
    hall.deliver()
    assert hall.target.sentences == ["one", "two", "three"]
    webhook.refresh_from_db()
    assert webhook.failing_since is None


def test_a_webhook_that_fails_for_a_day_is_paused_and_organisers_get_a_mail(
    hall: Hall, webhook: Webhook
) -> None:
    organiser = make_organiser(hall.event)
    organiser.email = "olga@example.org"
    organiser.save()
    hall.target.answers(Reply(500))
    hall.say("one")
    hall.say("two")
    for _hour in range(30):
        hall.clock.goes_on(hours=1)
        hall.deliver()
    webhook.refresh_from_db()
    assert webhook.pause == Pause.FAILING
    assert states(webhook) == [State.WAITING] * 2
    letter = Mail.objects.get(letter="webhook_paused")
    assert (letter.to, "the hall’s program" in letter.text) == ("olga@example.org", True)
    assert hall.event.log.get(action="webhook_paused").data == {"webhook": 1, "state": "failing"}
    assert outbox.outbox == []


def test_after_a_pause_only_waiting_deliveries_are_sent(hall: Hall, webhook: Webhook) -> None:
    """What happened while somebody paused it is not."""
    webhooks.pause_webhook(webhook, SYSTEM)
    hall.say("quiet")
    webhooks.resume_webhook(webhook, SYSTEM)
    hall.deliver()
    Webhook.objects.update(pause=Pause.FAILING)
    hall.say("while it was away")
    hall.deliver()
    assert hall.target.taken == []
    webhook.refresh_from_db()
    webhooks.resume_webhook(webhook, SYSTEM)
    hall.deliver()
    assert hall.target.sentences == ["while it was away"]


def test_each_response_has_its_outcome(hall: Hall) -> None:
    """A redirect is told with where it wanted to lead, and not one byte is sent there."""
    private = f"{hall.target.url}/private"
    answers = {
        "gone": Reply(410),
        "redirect": Reply(307, headers={"Location": private}),
        "endless": Reply(200, b"word " * 100_000),
        "later": Reply(429, headers={"Retry-After": "600"}),
        "no": Reply(200, b'{"errcode": 310000, "errmsg": "keywords not in content"}'),
    }
    for name, reply in answers.items():
        hall.target.answers(reply, path=f"/{name}")
        form = Format.DINGTALK if name == "no" else Format.HULE
        hall.add(name=name, url=f"{hall.target.url}/{name}", format=form)
    hall.say("Anybody there?")
    hall.deliver()
    rows = {row.webhook.name: row for row in Delivery.objects.select_related("webhook")}
    assert (rows["gone"].webhook.pause, rows["gone"].state) == (Pause.GONE, State.WAITING)
    assert (rows["redirect"].fault, rows["redirect"].answer) == ("redirect", private)
    assert (rows["endless"].state, len(rows["endless"].answer)) == (State.DELIVERED, 300)
    assert (rows["no"].fault, rows["no"].answer) == ("complaint", "310000 keywords not in content")
    assert rows["later"].try_at == hall.clock.now + timedelta(seconds=600)
    assert sorted(taken.path for taken in hall.target.taken) == sorted(f"/{name}" for name in answers)


def test_a_rejected_message_does_not_delay_others(hall: Hall, webhook: Webhook) -> None:
    """It can be sent again, under its id."""
    hall.target.answers(Reply(400, b'{"message": "no such field"}'), Reply())
    hall.say("one")
    hall.say("two")
    hall.deliver()
    assert states(webhook) == [State.FAILED, State.DELIVERED]
    refused = webhook.deliveries.get(state=State.FAILED)
    assert (refused.fault, refused.answer) == ("unacceptable", "no such field")
    webhooks.send_again(refused, SYSTEM)
    hall.clock.now = datetime.now(UTC)
    hall.deliver()
    assert states(webhook) == [State.DELIVERED, State.DELIVERED]
    assert len({taken.headers["webhook-id"] for taken in hall.target.taken}) == 2


@pytest.mark.thorough
def test_a_slow_target_is_cut_off_retried_and_does_not_delay_others(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "LIMITS", Limits(timeout=0.2, deadline=0.4, max_bytes=2048))
    hall.target.answers(Reply(hangs=True), path="/hangs")
    hall.target.answers(Reply(drips=True), path="/drips")
    webhooks = [hall.add(name=name, url=f"{hall.target.url}/{name}") for name in ("hangs", "drips", "quick")]
    hall.say("one")
    hall.deliver()
    assert [(only(webhook).state, only(webhook).fault) for webhook in webhooks] == [
        *((State.WAITING, "hangs"), (State.WAITING, "hangs"), (State.DELIVERED, "")),
    ]


def test_other_targets_are_sent_to_while_one_is_slow(hall: Hall) -> None:
    """It answers when the quick one has had everything: had they to go in step, neither would come to an end."""
    slow = hall.add(name="slow", url=f"{hall.target.url}/slow")
    quick = hall.add(name="quick", url=f"{hall.target.url}/quick")
    hall.target.answers(Reply(after=hall.target.has_taken(3, "/quick")), path="/slow")
    for text in ("one", "two", "three"):
        hall.say(text)
    hall.deliver()
    assert states(quick) == [State.DELIVERED] * 3
    assert (states(slow), slow.deliveries.filter(tries=1).count()) == ([State.DELIVERED] * 3, 3)


def test_new_deliveries_are_sent_while_a_target_hangs(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    hall.add(name="slow", url=f"{hall.target.url}/slow")
    quick = hall.add(name="quick", url=f"{hall.target.url}/quick")
    hall.target.answers(Reply(after=hall.target.has_taken(2, "/quick")), path="/slow")
    monkeypatch.setattr(delivery, "POLL_SECONDS", 0.01)
    hall.say("one")
    note = delivery.store_attempt
    noted: list[int] = []

    def note_and_write(delivery: Delivery, *rest: Any) -> None:
        note(delivery, *rest)
        if not noted:
            noted.append(delivery.webhook_id)
            hall.clock.goes_on(seconds=1)
            hall.say("two")

    monkeypatch.setattr(delivery, "store_attempt", note_and_write)
    hall.deliver()
    assert (noted, states(quick)) == ([quick.pk], [State.DELIVERED] * 2)


def test_a_private_address_is_refused_without_a_request(hall: Hall, webhook: Webhook, settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = []
    hall.say("one")
    hall.deliver()
    assert (hall.target.taken, only(webhook).fault, only(webhook).status) == ([], "private", None)


def test_a_stale_delivery_is_sent_again_with_its_id(hall: Hall, webhook: Webhook) -> None:
    hall.say("one")
    Delivery.objects.update(state=State.SENDING, try_at=hall.clock.now)
    hall.deliver()
    assert hall.target.taken == []
    delivery.requeue_stale(hall.clock)
    hall.deliver()
    assert [taken.headers["webhook-id"] for taken in hall.target.taken] == [only(webhook).message_id]


def test_a_test_is_sent_to_a_paused_target_and_once(hall: Hall, webhook: Webhook) -> None:
    hall.target.answers(Reply(500))
    webhooks.pause_webhook(webhook, SYSTEM)
    key = uuid4()
    for _press in range(2):
        webhooks.send_test(webhook, SYSTEM, key=key)
    hall.deliver()
    hall.clock.goes_on(days=1)
    hall.deliver()
    assert hall.target.kinds == ["test"]
    assert (only(webhook).state, only(webhook).fault) == (State.FAILED, "status")


def test_a_changed_url_gets_the_waiting_deliveries_at_once(hall: Hall) -> None:
    webhook = hall.add(url=f"{hall.target.url}/old")
    hall.target.answers(Reply(500), path="/old")
    hall.say("one")
    hall.deliver()
    webhook.url = f"{hall.target.url}/new"
    webhooks.change_webhook(webhook, SYSTEM)
    hall.clock.now = datetime.now(UTC)
    hall.deliver()
    assert [taken.path for taken in hall.target.taken] == ["/old", "/new"]


TEXT = (Path(__file__).parents[3] / "docs/api/webhooks.md").read_text("utf-8")
Check = Callable[..., bool]


@pytest.fixture
def is_genuine() -> Check:
    """As somebody would copy it."""
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    copied: dict[str, Any] = {}
    exec(code, copied)  # our own documentation
    check: Check = copied["is_genuine"]
    return check


def sent(webhook: Webhook, target: Target) -> tuple[dict[str, str], bytes]:
    """Headers and body of a test message."""
    send_test(webhook, SYSTEM, key=uuid4())
    delivery.deliver()
    taken = target.taken[-1]
    return {name.lower(): value for name, value in taken.headers.items()}, taken.body


def test_the_documented_example_verifies_signatures(target: Target, add: Add, is_genuine: Check) -> None:
    """While a secret is renewed, who has either can check."""
    webhook = add()
    headers, body = sent(webhook, target)
    sent_at = float(headers["webhook-timestamp"])
    assert is_genuine(webhook.secret, headers, body)
    assert not is_genuine(webhook.secret, headers, body + b" ")
    assert not is_genuine(webhook.secret, headers | {"webhook-id": "msg_other"}, body)
    assert not is_genuine(webhook.secret, headers, body, now=sent_at + 301)
    new = renew_secret(webhook, SYSTEM)
    message = sent(new, target)
    assert is_genuine(webhook.secret, *message)
    assert is_genuine(new.secret, *message)
    Webhook.objects.update(old_until=new.made_at)
    assert not is_genuine(webhook.secret, *sent(new, target))


def test_the_documentation_lists_the_kinds_and_final_responses_of_the_code() -> None:
    rows = re.findall(r"^\| `([a-z.]+)` \|.*\| (staff|everybody) \|$", TEXT, re.MULTILINE)
    assert rows == [(kind.value, "staff" if kind in STAFF_KINDS else "everybody") for kind in Kind]
    (row,) = re.findall(r"^\| ([0-9, ]+) \| The target does not accept this message", TEXT, re.MULTILINE)
    assert {int(status) for status in row.split(",")} == UNACCEPTABLE
