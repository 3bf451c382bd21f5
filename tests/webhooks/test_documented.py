"""docs/webhooks.md: its example checks what is sent, and its lists are those of the code."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.support.factories import SYSTEM
from tests.webhooks.conftest import Add
from tests.webhooks.target import Target
from tournament.engine.webhooks.kinds import FOR_STAFF, Kind
from tournament.models import Webhook
from tournament.services.webhooks import renew_secret, send_test
from tournament.webhooks import courier
from tournament.webhooks.sending import UNACCEPTABLE

TEXT = (Path(__file__).parents[2] / "docs/webhooks.md").read_text("utf-8")
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
    courier.deliver()
    taken = target.taken[-1]
    return {name.lower(): value for name, value in taken.headers.items()}, taken.body


@pytest.mark.django_db
def test_the_example_tells_our_messages_from_others(target: Target, add: Add, is_genuine: Check) -> None:
    webhook = add()
    headers, body = sent(webhook, target)
    sent_at = float(headers["webhook-timestamp"])
    assert is_genuine(webhook.secret, headers, body)
    assert not is_genuine(webhook.secret, headers, body + b" ")
    assert not is_genuine(webhook.secret, headers | {"webhook-id": "msg_other"}, body)
    assert not is_genuine(webhook.secret, headers, body, now=sent_at + 301)


@pytest.mark.django_db
def test_while_a_secret_is_renewed_who_has_either_can_check(
    target: Target, add: Add, is_genuine: Check
) -> None:
    old = add()
    new = renew_secret(old, SYSTEM)
    message = sent(new, target)
    assert is_genuine(old.secret, *message)
    assert is_genuine(new.secret, *message)
    Webhook.objects.update(old_until=new.made_at)
    assert not is_genuine(old.secret, *sent(new, target))


def test_every_kind_is_in_the_list_with_who_it_is_for() -> None:
    rows = re.findall(r"^\| `([a-z.]+)` \|.*\| (staff|everybody) \|$", TEXT, re.MULTILINE)
    assert rows == [(kind.value, "staff" if kind in FOR_STAFF else "everybody") for kind in Kind]


def test_the_answers_that_end_a_message_are_those_of_the_code() -> None:
    (row,) = re.findall(r"^\| ([0-9, ]+) \| this message is not accepted", TEXT, re.MULTILINE)
    assert {int(status) for status in row.split(",")} == UNACCEPTABLE
