"""Helpers to read and write pages."""

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
"""English in the default suite, all three languages with the thorough tests."""


def html_of(client: Client, address: str, language: str = "en", **query: Any) -> str:
    response = client.get(address, query, headers={"accept-language": language})
    assert response.status_code == 200
    return response.content.decode()


def visible_text(html: str) -> str:
    """Return the text without tags and notes on terms, with single spaces."""
    without_notes = re.sub(r'<span class="term-note".*?</span>', "", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", "", without_notes)).split())


def address_of(event: Tournament, name: str, *where: object) -> str:
    return reverse(name, args=[event.slug, *where])


def organiser_url(event: Tournament, name: str, *where: object) -> str:
    """Return the URL of the organiser's page of this name."""
    return address_of(event, f"organiser_{name}", *where)


def page_text(client: Client, name: str, *where: object) -> str:
    """Return the HTML of a page of the Spring Open."""
    return client.get(reverse(name, args=["spring-open", *where])).text


def missing(text: str, *parts: str) -> list[str]:
    """Return the parts that are not in the text."""
    return [part for part in parts if part not in text]


def refused_page(response: Any) -> str:
    """Return the HTML of a page with status 422."""
    assert response.status_code == 422
    return str(response.text)


def write_at(
    client: Client, table: Table, name: str, body: Any = None, method: str = "post", **more: Any
) -> Any:
    """Send a write of the desk to an endpoint of the table; return the response, with the state of the table."""
    text = body if isinstance(body, str) else json.dumps(body or {})
    headers = {"Prefer": "return=representation"}
    send = getattr(client, method)
    return send(url_of(name, table, **more), text, content_type="application/json", headers=headers)


def as_shown(response: Any) -> dict[str, Any]:
    """What a browser sends for a page of several parts, if nothing is changed."""
    data: dict[str, Any] = {}
    for part in response.context["parts"]:
        data[part.seen_name] = part.seen
        for form in filter(None, [part.formset and part.formset.management_form, *part.forms]):
            for field in form:
                value = field.value()
                if value not in (None, False) and not field.field.disabled:
                    data[field.html_name] = "on" if value is True else value
    return data


def signed_in(user: Any) -> Client:
    """Return a browser with this account signed in."""
    client = Client()
    client.force_login(user)
    return client


def organised(client: Client, **options: Any) -> Tournament:
    """Return a tournament of `make_tournament`, and sign the client in as its organiser."""
    tournament = make_tournament(**options)
    client.force_login(make_organiser(tournament))
    return tournament
