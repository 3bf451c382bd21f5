"""The page of a first visit has its sheet inlined, and a policy that allows only this sheet."""

import base64
import hashlib
import re
from pathlib import Path

import pytest
from django.core.files.storage import FileSystemStorage
from django.http import HttpRequest, HttpResponse
from django.template import RequestContext, Template
from django.test import RequestFactory

from config.front import delivery
from config.front.delivery import FirstVisit
from tournament.web import tags

SHEET = "body{color:#123}"
PAGE = Template('{% load hule %}<head>{% styles "event" %}</head><p>和</p>')


class Storage(FileSystemStorage):
    """Collected static files."""

    def stored_name(self, name: str) -> str:
        return name


@pytest.fixture(autouse=True)
def sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The joined sheet of public pages."""
    (tmp_path / "joined").mkdir()
    sheet = tmp_path / "joined" / "event.css"
    sheet.write_text(SHEET)
    monkeypatch.setattr(delivery, "staticfiles_storage", Storage(tmp_path))
    monkeypatch.setattr(tags, "is_joined", lambda: True)
    delivery.sheet_at.cache_clear()
    return sheet


def visit(cookie: str = "") -> HttpResponse:
    def view(request: HttpRequest) -> HttpResponse:
        headers = {"Content-Security-Policy": "default-src 'self'", "ETag": '"v1"'}
        return HttpResponse(PAGE.render(RequestContext(request)), headers=headers)

    response = FirstVisit(view)(RequestFactory(headers={"Cookie": cookie}).get("/"))
    assert isinstance(response, HttpResponse)
    return response


def test_a_first_visit_gets_the_sheet_inlined_without_validators() -> None:
    response = visit()
    page = response.text
    assert f'<style data-sheet="/static/joined/event.css">{SHEET}</style>' in page
    assert '<link rel="stylesheet"' not in page
    assert re.search(r'<script src="[^"]*js/theme[^"]*" async>', page)
    assert "ETag" not in response
    assert response["Vary"] == "Cookie"


def test_the_policy_allows_only_this_sheet() -> None:
    digest = base64.b64encode(hashlib.sha256(SHEET.encode()).digest()).decode()
    assert visit()["Content-Security-Policy"] == f"default-src 'self'; style-src 'self' 'sha256-{digest}'"


def test_a_returning_visitor_gets_a_link() -> None:
    response = visit(f"{delivery.COOKIE}=1")
    assert '<link rel="stylesheet" href="/static/joined/event.css">' in response.text
    assert " async" not in response.text
    assert response["ETag"] == '"v1"'
    assert response["Content-Security-Policy"] == "default-src 'self'"


@pytest.mark.parametrize("text", ["p{background:url(../marks.svg)}", "p::after{content:'</style>'}"])
def test_a_sheet_with_urls_is_linked(sheet: Path, text: str) -> None:
    sheet.write_text(text)
    response = visit()
    assert '<link rel="stylesheet"' in response.text
    assert response["ETag"] == '"v1"'
