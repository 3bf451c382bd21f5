"""The quiz's pages: answered without a script, explained by the engine, and the same for everybody."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from html import unescape
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.quiz.daily import FIRST_DAY, daily
from scoring.quiz.discards import discards
from scoring.quiz.levels import Level
from scoring.quiz.questions import HandQuestion, Kind, WaitsQuestion, question
from scoring.texts import fan_name
from tests.support.factories import SYSTEM, make_tournament, play_session
from tournament.engine.screens import Kind as Slide
from tournament.engine.steering import Command, Way
from tournament.models import Tournament
from tournament.services.screens import steer_screen

pytestmark = pytest.mark.django_db

DAY = "2026-05-02"
HOSTILE = ("9" * 5_000, "-1", "1e400", "٣", "\x00", "many", "")


def page(client: Client, address: str, language: str = "en", **asked: Any) -> str:
    answer = client.get(address, asked, headers={"accept-language": language})
    assert answer.status_code == 200
    return answer.content.decode()


def read(html: str) -> str:
    """What a reader sees, without tags, each run of space as one."""
    return " ".join(unescape(re.sub(r"<[^>]+>", "", html)).split())


def grade_in(html: str) -> str:
    found = re.search(r'data-grade="(\d*)"', html)
    assert found
    return found[1]


def address_of(kind: Kind, level: Level, seed: str) -> str:
    return reverse("quiz_puzzle", args=[kind.value, level.value, seed])


def hand_question(kind: Kind, level: Level, seed: str) -> HandQuestion:
    asked = question(kind, level, seed)
    assert isinstance(asked, HandQuestion)
    return asked


def waits_question(level: Level, seed: str) -> WaitsQuestion:
    asked = question(Kind.WAITS, level, seed)
    assert isinstance(asked, WaitsQuestion)
    return asked


# --- the first discard ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("number", range(1, 6))
def test_every_discard_gets_the_grade_of_the_source(client: Client, number: int) -> None:
    asked, address = discards()[number - 1], reverse("quiz_discard", args=[number])
    found = {tile: grade_in(page(client, address, answered=1, tile=tile)) for tile in asked.choices}
    assert found == {tile: str(asked.grades.get(tile, "")) for tile in asked.choices}


@pytest.mark.parametrize(
    ("language", "said"), [("en", "green one"), ("zh-hans", "发财"), ("zh-hant", "發財")]
)
def test_what_the_source_lacks_is_said(client: Client, language: str, said: str) -> None:
    html = page(client, reverse("quiz_discard", args=[3]), language, answered=1, tile="3m")
    assert said in read(html)
    assert grade_in(html) == ""


def test_the_answer_is_not_told_before(client: Client) -> None:
    html = page(client, reverse("quiz_discard", args=[1]))
    assert "Pure Straight" not in html
    assert "data-grade" not in html


def test_there_is_no_sixth(client: Client) -> None:
    assert client.get(reverse("quiz_discard", args=[6])).status_code == 404


# --- without end ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("level", Level, ids=lambda level: level.value)
@pytest.mark.parametrize("language", ["en", "zh-hans", "zh-hant"])
def test_a_right_worth_is_right_and_explained(client: Client, level: Level, language: str) -> None:
    asked = hand_question(Kind.WORTH, level, "3")
    address = address_of(Kind.WORTH, level, "3")
    html = page(client, address, language, answered=1, points=asked.worth)
    assert grade_in(html) == "100"
    for fan in asked.fans:
        assert f'href="/fans/{fan.key}/"' in html


def test_a_point_off_is_a_slip(client: Client) -> None:
    asked = hand_question(Kind.WORTH, Level.EASY, "3")
    html = page(client, address_of(Kind.WORTH, Level.EASY, "3"), answered=1, points=asked.worth + 1)
    assert grade_in(html) == "80"
    assert f"you said {asked.worth + 1}" in read(html)


def test_fans_left_out_and_too_many_are_named(client: Client) -> None:
    asked = hand_question(Kind.FANS, Level.MIDDLE, "3")
    right, wrong = [fan for fan in asked.offered if fan in asked.fans], set(asked.offered) - asked.fans
    address, other = address_of(Kind.FANS, Level.MIDDLE, "3"), min(wrong, key=lambda fan: fan.number)
    assert grade_in(page(client, address, answered=1, fan=[fan.key for fan in right])) == "100"
    html = page(client, address, answered=1, fan=[*(fan.key for fan in right[1:]), other.key])
    assert grade_in(html) == "60"
    assert f"Left out: {fan_name(right[0])}" in read(html)
    assert f"Does not count: {fan_name(other)}" in read(html)


def test_waits_are_graded_by_tile(client: Client) -> None:
    asked = waits_question(Level.MIDDLE, "3")
    address = address_of(Kind.WAITS, Level.MIDDLE, "3")
    right: dict[str, Any] = {"completes": sorted(asked.completing), "reaches": sorted(asked.reaching)}
    assert grade_in(page(client, address, answered=1, **right)) == "100"
    too_little = sorted(asked.completing)
    html = page(client, address, answered=1, completes=too_little, reaches=too_little)
    assert grade_in(html) in ("80", "60")
    assert "Completes it, for less than 8 points:" in read(html)


def test_nothing_ticked_is_an_answer(client: Client) -> None:
    assert grade_in(page(client, address_of(Kind.WAITS, Level.HARD, "3"), answered=1)) == "0"


def test_an_open_puzzle_tells_nothing(client: Client) -> None:
    html = page(client, address_of(Kind.WORTH, Level.EASY, "3"))
    assert "data-grade" not in html
    assert "fan-table" not in html


@pytest.mark.parametrize("points", HOSTILE, ids=lambda points: points[:8] or "empty")
def test_what_is_no_number_of_points_gets_a_sentence(client: Client, points: str) -> None:
    html = page(client, address_of(Kind.WORTH, Level.EASY, "3"), answered=1, points=points)
    assert ("One thing to mend" in read(html)) is (points != "٣")


@pytest.mark.parametrize(
    "address",
    ["/quiz/worth/godlike/1/", "/quiz/luck/easy/1/", f"/quiz/worth/easy/{'9' * 41}/", "/quiz/luck/easy/"],
)
def test_what_is_no_puzzle_is_not_found(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def test_another_one_is_a_puzzle(client: Client) -> None:
    answer = client.get(reverse("quiz_another", args=["fans", "hard"]))
    assert re.fullmatch(r"/quiz/fans/hard/\d+/", answer["Location"])
    assert "no-store" in answer["Cache-Control"]


# --- five a day -----------------------------------------------------------------------------------------------------
def solve(client: Client, day: str) -> str:
    """Goes through a day's five with empty hands, as who has no script; the address it ends at."""
    address = reverse("quiz_daily_puzzle", args=[day, 1])
    for number in range(1, 6):
        query = address.partition("?")[2]
        so = query.removeprefix("so=")
        html = page(client, address.partition("?")[0], answered=1, points=0, **({"so": so} if so else {}))
        found = re.search(r'rel="next" href="([^"]+)"', html)
        assert found, number
        address = unescape(found[1])
    return address


def test_a_day_is_solved_without_a_script(client: Client) -> None:
    address = solve(client, DAY)
    grades = address.partition("?so=")[2].split("-")
    assert len(grades) == 5
    html = page(client, reverse("quiz_daily", args=[DAY]), so="-".join(grades))
    result = re.search(r"<textarea[^>]*>([^<]+)</textarea>", html)
    assert result
    assert result[1].splitlines()[0] == f"Hule {DAY} · {sum(map(int, grades))}/500"
    assert result[1].splitlines()[2] == f"http://testserver/quiz/daily/{DAY}/"


@pytest.mark.parametrize("so", ["100-100", "100-100-100-100-100-100", "100-100-100-100-99", "-", "9" * 5_000])
def test_a_result_that_is_none_is_not_shown(client: Client, so: str) -> None:
    assert "<textarea" not in page(client, reverse("quiz_daily", args=[DAY]), so=so)


def test_a_days_puzzle_is_that_of_the_set(client: Client) -> None:
    for number, puzzle in enumerate(daily(date.fromisoformat(DAY)), 1):
        html = page(client, reverse("quiz_daily_puzzle", args=[DAY, number]))
        assert f'data-puzzle="/quiz/daily/{DAY}/{number}/"' in html
        assert f"Puzzle {number} of 5" in html
        assert puzzle.seed == f"{DAY}-{number}"


def test_tomorrow_is_not_told(client: Client) -> None:
    tomorrow = (timezone.localdate() + timedelta(days=1)).isoformat()
    assert client.get(reverse("quiz_daily", args=[tomorrow])).status_code == 404
    assert client.get(reverse("quiz_daily_puzzle", args=[tomorrow, 1])).status_code == 404


@pytest.mark.parametrize("day", ["2026-02-30", "20260502", "2026-W18-6", "yesterday", "٢٠٢٦-05-02"])
def test_what_is_no_day_is_not_found(client: Client, day: str) -> None:
    assert client.get(reverse("quiz_daily", args=[day])).status_code == 404


def test_there_is_no_set_before_the_first(client: Client) -> None:
    before = (FIRST_DAY - timedelta(days=1)).isoformat()
    assert client.get(reverse("quiz_daily", args=[before])).status_code == 404
    assert client.get(reverse("quiz_daily", args=[FIRST_DAY.isoformat()])).status_code == 200


def test_today_is_the_sites_own(client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """At 23:30 UTC it is tomorrow in Tokyo."""
    late = datetime(2026, 5, 2, 23, 30, tzinfo=ZoneInfo("UTC"))
    monkeypatch.setattr("django.utils.timezone.now", lambda: late)
    settings.TIME_ZONE = "Asia/Tokyo"
    assert client.get(reverse("quiz_today"))["Location"] == "/quiz/daily/2026-05-03/"
    settings.TIME_ZONE = "UTC"
    assert client.get(reverse("quiz_today"))["Location"] == "/quiz/daily/2026-05-02/"


# --- where it is found ----------------------------------------------------------------------------------------------
def test_the_quiz_is_linked_from_every_page_and_the_rules(client: Client) -> None:
    html = page(client, reverse("rules"))
    assert html.count('href="/quiz/"') == 3


def test_a_page_that_is_known_is_not_sent_again(client: Client) -> None:
    address = address_of(Kind.WORTH, Level.EASY, "3")
    tag = client.get(address)["ETag"]
    assert client.get(address, headers={"if-none-match": tag}).status_code == 304


# --- in the hall ----------------------------------------------------------------------------------------------------
@pytest.fixture
def event() -> Tournament:
    return make_tournament(sessions=2, played=1, name="Between")


def slide(client: Client, event: Tournament) -> str:
    return page(client, reverse("screen", args=[event.slug, "main"]))


def test_a_screen_asks_and_then_answers(client: Client, event: Tournament) -> None:
    steer_screen(event, SYSTEM, "main", Command(Way.ONLY, kind=Slide.PUZZLE))
    asks = slide(client, event)
    assert "Answer on your phone." in read(asks)
    assert "hall-score" not in asks
    assert "hall-waits" not in asks
    steer_screen(event, SYSTEM, "main", Command(Way.NEXT))
    answers = slide(client, event)
    assert "hall-score" in answers or "hall-waits" in answers
    assert "Answer on your phone." not in read(answers)


def hand_on(html: str) -> list[str]:
    """The tiles of the question."""
    return re.findall(r'aria-label="([^"]+)"', html.partition('class="hand"')[2].partition("</div>")[0])


def test_the_next_break_has_another_puzzle(client: Client) -> None:
    event = make_tournament(sessions=3, played=1, name="Long")
    steer_screen(event, SYSTEM, "main", Command(Way.ONLY, kind=Slide.PUZZLE))
    first = hand_on(slide(client, event))
    play_session(event.sessions.get(number=2))
    event.refresh_from_db()
    assert len(first) >= 13
    assert hand_on(slide(client, event)) != first
