"""What a device remembers of the quiz: rows, times and days, counted once, and forgotten by one button."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from scoring.quiz.levels import Level
from scoring.quiz.questions import HandQuestion, Kind, question
from tests.browser.conftest import PHONE, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


def answer(page: Page, seed: str, off: int = 0) -> None:
    """Opens a puzzle and answers it, so many points off."""
    asked = question(Kind.WORTH, Level.EASY, seed)
    assert isinstance(asked, HandQuestion)
    page.goto(f"/quiz/worth/easy/{seed}/")
    page.get_by_label("Points").fill(str(asked.worth + off))
    page.get_by_role("button", name="Answer").click()


def test_right_answers_in_a_row_are_counted_once(house: House, browser: Browser) -> None:
    with house.open(browser, PHONE) as window:
        page = window.page
        answer(page, "1")
        said = page.locator("[data-says]")
        expect(said).to_have_text(re.compile(r"^in a row 1, best 1 · \d+ s this time, fastest \d+ s$"))
        answer(page, "2")
        expect(said).to_contain_text("in a row 2, best 2")
        page.reload()
        expect(said).to_have_text("in a row 2, best 2")
        answer(page, "3", off=1)
        expect(said).to_contain_text("in a row 0, best 2")
        page.goto("/quiz/")
        expect(page.locator("[data-group='worth easy']")).to_contain_text("in a row 0, best 2 · fastest")
        page.get_by_role("button", name="Forget").click()
        expect(page.get_by_text("Forgotten.")).to_be_visible()
        expect(page.locator("[data-group='worth easy']")).to_be_hidden()
        assert page.evaluate("localStorage.getItem('hule quiz')") is None
        assert window.faults == []


def test_a_days_result_is_kept_and_copied(house: House, browser: Browser) -> None:
    day = timezone.localdate().isoformat()
    with house.open(browser, PHONE) as window:
        page = window.page
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.goto(f"/quiz/daily/{day}/?so=100-80-60-0-100")
        expect(page.locator("[data-days]")).to_have_text("Days in a row: 1")
        page.get_by_role("button", name="Copy").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()").startswith(f"Hule {day} · 340/500\n●◐○×●\n")
        page.goto(f"/quiz/daily/{day}/")
        page.get_by_role("link", name="Your result").click()
        expect(page.get_by_text("340 of 500")).to_be_visible()
        assert window.faults == []
