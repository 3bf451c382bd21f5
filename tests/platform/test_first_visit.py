"""A first visit's page has its sheet inside; whoever has been here gets a link."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import pytest
from django.core.files.storage import FileSystemStorage
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from config.front import delivery
from config.front.delivery import FirstVisit, dressed

SHEET = b"body{color:#123}"
LINK = '<link rel="stylesheet" href="/static/joined/event.0123456789ab.css">'
PAGE = f'<!doctype html><head><script src="/static/js/theme.0123.js"></script>{LINK}</head><p>和</p>'


@pytest.fixture(autouse=True)
def sheets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of joined sheets."""
    folder = tmp_path / "joined"
    folder.mkdir()
    (folder / "event.0123456789ab.css").write_bytes(SHEET)
    monkeypatch.setattr(delivery, "staticfiles_storage", FileSystemStorage(tmp_path))
    delivery.sheet_at.cache_clear()
    return folder


def answered(page: str = PAGE, cookie: str = "") -> HttpResponse:
    def view(request: HttpRequest) -> HttpResponse:
        length = str(len(page.encode()))
        headers = {"Content-Security-Policy": "default-src 'self'", "ETag": '"v1"', "Content-Length": length}
        return HttpResponse(page, headers=headers)

    answer = FirstVisit(view)(RequestFactory(headers={"Cookie": cookie}).get("/"))
    assert isinstance(answer, HttpResponse)
    return answer


def test_who_comes_first_has_nothing_to_wait_for() -> None:
    page = answered().content.decode()
    assert LINK not in page
    assert f">{SHEET.decode()}</style>" in page
    assert '<script async src="/static/js/theme.' in page
    assert page.endswith("<p>和</p>")


def test_the_policy_lets_in_this_sheet_alone() -> None:
    answer = answered()
    inside = re.search(rb"<style[^>]*>(.*)</style>", answer.content)
    assert inside
    digest = base64.b64encode(hashlib.sha256(inside[1]).digest()).decode()
    assert answer["Content-Security-Policy"] == f"default-src 'self'; style-src 'self' 'sha256-{digest}'"


def test_it_is_not_asked_about_again_for_the_answer_would_bring_another_policy() -> None:
    assert "ETag" not in answered()


def test_it_says_how_long_it_is() -> None:
    answer = answered()
    assert answer["Content-Length"] == str(len(answer.content))


def test_who_has_been_here_gets_the_link() -> None:
    answer = answered(cookie="been=1")
    assert answer.content.decode() == PAGE
    assert answer["ETag"] == '"v1"'
    assert answer["Content-Security-Policy"] == "default-src 'self'"


@pytest.mark.parametrize("text", [b"p{background:url(../marks.svg)}", b"p::after{content:'</style>'}"])
def test_a_sheet_that_would_be_another_thing_inside_stays_a_file(sheets: Path, text: bytes) -> None:
    (sheets / "event.0123456789ab.css").write_bytes(text)
    assert dressed(PAGE.encode()) is None


def test_a_sheet_that_is_gone_is_left_to_the_browser(sheets: Path) -> None:
    (sheets / "event.0123456789ab.css").unlink()
    assert answered().content.decode() == PAGE


def test_a_page_without_a_joined_sheet_stays_as_it_is() -> None:
    assert answered("<p>和</p>").content.decode() == "<p>和</p>"


@pytest.mark.parametrize("text", [f"number,name\n1,{LINK}\n", f"<!doctype html><head></head>{LINK}"])
def test_what_somebody_typed_is_never_taken_for_the_page_s_own(text: str) -> None:
    assert answered(text).content.decode() == text
