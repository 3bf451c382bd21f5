"""An event, and a program on this machine that it may write to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from ipaddress import ip_network
from typing import Any

import pytest

from tests.support.factories import SYSTEM, make_tournament
from tests.webhooks.target import Target, target_on_this_machine
from tournament.engine.webhooks.kinds import OFFERED
from tournament.models import Tournament, Webhook
from tournament.selectors.webhooks import WebhookWish
from tournament.services.webhooks import add_webhook

SITE = "https://hule.example.org"
Add = Callable[..., Webhook]


@pytest.fixture
def target(settings: Any) -> Iterator[Target]:
    settings.WEBHOOK_NETWORKS = [ip_network("127.0.0.0/8")]
    with target_on_this_machine() as running:
        yield running


@pytest.fixture
def event() -> Tournament:
    return make_tournament(running=2)


@pytest.fixture
def add(event: Tournament, target: Target) -> Add:
    """Adds a webhook that is told everything; `changes`: what is to be otherwise."""

    def add_one(**changes: Any) -> Webhook:
        usual = WebhookWish("the hall’s program", f"{target.url}/", kinds=OFFERED, language="en")
        return add_webhook(event, SYSTEM, replace(usual, **changes), site=SITE)

    return add_one
