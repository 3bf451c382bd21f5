"""Where links lead: one address for a site, which its server listens on."""

import re

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from tests.support.pages import organiser_url as at
from tests.support.registrations import make_plan, register_one
from tournament.base import requests
from tournament.base.models.tournament import Tournament
from tournament.base.requests import is_reached_by_others, site_address
from tournament.messages.mail.models import Mail

IN_THE_HALL = {"192.0.2.1": "192.168.1.20", "2001:db8::1": "2001:db8::20"}
"""An address nobody has → this machine's own in that network."""


@pytest.mark.parametrize(
    ("listens_at", "reached_at"),
    [
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://0.0.0.0:8000", "http://192.168.1.20:8000"),
        ("http://[::]:8000", "http://[2001:db8::20]:8000"),
        ("https://hule.example.org", "https://hule.example.org"),
        ("", "http://127.0.0.1:8000"),
    ],
)
def test_links_lead_where_the_server_listens(
    listens_at: str, reached_at: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In all networks: at the address this machine has in one, and not at that when it listens to itself alone."""
    monkeypatch.setattr(requests, "network_address", lambda _family, elsewhere: IN_THE_HALL[elsewhere])
    settings.SITE_ADDRESS = listens_at
    assert site_address() == reached_at


def test_a_machine_in_no_network_reaches_itself(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "network_address", lambda _family, _elsewhere: None)
    settings.SITE_ADDRESS = "http://0.0.0.0:8000"
    assert not is_reached_by_others(site_address())


def test_an_event_has_one_address_whatever_a_browser_calls_the_server(
    olga: Client, event: Tournament, settings: Settings
) -> None:
    settings.SITE_ADDRESS = "https://hule.example.org"
    make_plan(event)
    olga.defaults["HTTP_HOST"] = "localhost:8000"
    register_one(event, 1)
    today = timezone.localdate().isoformat()
    texts = {
        "connections": olga.get(at(event, "connections")).text,
        "invitation": olga.post(
            at(event, "invite"), {"role": "desk", "account": "link", "expires_on": today}
        ).text,
        "passes": olga.post(
            at(event, "pass_new"), {"kind": "tables", "tables": "1", "expires_on": today}
        ).text,
        "registration": olga.get(at(event, "person", "r1")).text,
        "letter": Mail.objects.get().text,
    }
    addresses = {
        what: set(re.findall(r"https?://[^/\s\"<]+(?=/(?:t|invitation|pass|p)/)", text))
        for what, text in texts.items()
    }
    assert addresses == {what: {"https://hule.example.org"} for what in texts}


def test_organisers_are_warned_if_no_other_device_reaches_the_server(
    olga: Client, event: Tournament, settings: Settings
) -> None:
    warned = []
    for settings.SITE_ADDRESS in ("http://127.0.0.1:8000", "http://192.168.1.20:8000"):
        pages = [olga.get(at(event, name)).text for name in ("connections", "pass_new", "registration")]
        warned.append(["Other devices cannot reach" in page for page in pages])
    assert warned == [[True] * 3, [False] * 3]
