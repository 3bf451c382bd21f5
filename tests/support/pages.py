"""Tournaments the page tests look at. Made once a module, never written to; whoever writes makes their own."""

import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import make_organiser, make_tournament
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.play.api.facts import url_of

LANGUAGES = ("en", "zh-hans", "zh-hant")
every_language = pytest.mark.parametrize(
    "language", ["en", *(pytest.param(code, marks=pytest.mark.thorough) for code in LANGUAGES[1:])]
)
"""In English before each commit, in all three in CI."""


def html_of(client: Client, address: str, language: str = "en", **query: Any) -> str:
    response = client.get(address, query, headers={"accept-language": language})
    assert response.status_code == 200
    return response.content.decode()


def visible_text(html: str) -> str:
    """What a reader sees, without tags and the notes on terms, each run of space as one."""
    without_notes = re.sub(r'<span class="term-note".*?</span>', "", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", "", without_notes)).split())


def address_of(event: Tournament, name: str, *where: object) -> str:
    return reverse(name, args=[event.slug, *where])


def organiser_url(event: Tournament, name: str, *where: object) -> str:
    """Of the organiser's page of this name."""
    return address_of(event, f"organiser_{name}", *where)


def page_text(client: Client, name: str, *where: object) -> str:
    """What a page of the Spring Open says."""
    return client.get(reverse(name, args=["spring-open", *where])).text


def missing(text: str, *parts: str) -> list[str]:
    """Those of the parts that the text does not have."""
    return [part for part in parts if part not in text]


def refused_page(response: Any) -> str:
    """What a page says that refuses what was sent."""
    assert response.status_code == 422
    return str(response.text)


def write_at(
    client: Client, table: Table, name: str, body: Any = None, method: str = "post", **more: Any
) -> Any:
    """What the desk gets when it writes to an address of the table; it always asks for the whole table."""
    text = body if isinstance(body, str) else json.dumps(body or {})
    headers = {"Prefer": "return=representation"}
    send = getattr(client, method)
    return send(url_of(name, table, **more), text, content_type="application/json", headers=headers)


def signed_in(user: Any) -> Client:
    """A browser of this account."""
    client = Client()
    client.force_login(user)
    return client


def organised(client: Client, **arranged: Any) -> Tournament:
    """A tournament as `make_tournament` makes it, as whose organiser the client is signed in."""
    tournament = make_tournament(**arranged)
    client.force_login(make_organiser(tournament))
    return tournament
