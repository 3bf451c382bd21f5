"""The quiz and an event's own puzzles: answered without a script, judged by the engine, the same for everybody."""

import re
from datetime import date, datetime, timedelta
from html import unescape
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.engine import Hand, parse, score
from scoring.quiz.discards import discards
from scoring.quiz.questions import (
    FIRST_DAY,
    HandQuestion,
    Kind,
    Level,
    WaitsQuestion,
    daily,
    has_answer,
    parse_question_record,
    question,
    question_from_record,
)
from scoring.texts import fan_name
from tests.support.factories import SYSTEM, make_tournament, play_session
from tests.support.pages import LANGUAGES, html_of, missing, visible_text
from tests.support.sampling import sample
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.screens.engine import Command, ScreenAction
from tournament.screens.engine import Kind as Slide
from tournament.screens.models import Puzzle
from tournament.screens.services import MAX_PUZZLES, add_puzzle, control_screen, remove_puzzle

DAY = "2026-05-02"
EASY_WORTH = "/quiz/worth/easy/3/"
EVENT_WITH = {"sessions": 2, "played": 1, "name": "Between"}


def grade_in(html: str) -> str:
    grade = re.search(r'data-grade="(\d*)"', html)
    assert grade
    return grade[1]


def answered(client: Client, address: str, language: str = "en", **query: Any) -> str:
    return html_of(client, address, language, answered=1, **query)


def address_of(kind: Kind, level: Level) -> str:
    return reverse("quiz_puzzle", args=[kind.value, level.value, "3"])


def hand_question(kind: Kind, level: Level) -> HandQuestion:
    puzzle = question(kind, level, "3")
    assert isinstance(puzzle, HandQuestion)
    return puzzle


def test_every_discard_gets_the_grade_of_the_source(client: Client) -> None:
    """What the source lacks is said."""
    assert len(discards()) == 5
    for number, puzzle in sample(list(enumerate(discards(), 1)), 1):
        address = reverse("quiz_discard", args=[number])
        grades = {tile: grade_in(answered(client, address, tile=tile)) for tile in puzzle.choices}
        assert grades == {tile: str(puzzle.grades.get(tile, "")) for tile in puzzle.choices}, number
    assert client.get(reverse("quiz_discard", args=[6])).status_code == 404
    for language, text in (("en", "green one"), ("zh-hans", "发财"), ("zh-hant", "發財")):
        html = answered(client, reverse("quiz_discard", args=[3]), language, tile="3m")
        assert (text in visible_text(html), grade_in(html)) == (True, ""), language


def test_an_open_puzzle_tells_nothing_and_is_not_sent_again(client: Client) -> None:
    for address in (reverse("quiz_discard", args=[1]), EASY_WORTH):
        html = html_of(client, address)
        assert [word for word in ("Pure Straight", "data-grade", "fan-table") if word in html] == []
    assert html_of(client, reverse("rules")).count('href="/quiz/"') == 3
    tag = client.get(EASY_WORTH)["ETag"]
    assert client.get(EASY_WORTH, headers={"if-none-match": tag}).status_code == 304


def test_a_right_worth_is_right_and_explained(client: Client) -> None:
    for level in Level:
        puzzle = hand_question(Kind.WORTH, level)
        for language in sample(LANGUAGES, 1):
            html = answered(client, address_of(Kind.WORTH, level), language, points=puzzle.worth)
            assert grade_in(html) == "100"
            assert [fan for fan in puzzle.fans if f'href="/fans/{fan.key}/"' not in html] == []
    wrong = hand_question(Kind.WORTH, Level.EASY).worth + 1
    html = answered(client, EASY_WORTH, points=wrong)
    assert grade_in(html) == "80"
    assert f"your answer: {wrong}" in visible_text(html)


def test_fans_left_out_and_too_many_are_named(client: Client) -> None:
    puzzle, address = hand_question(Kind.FANS, Level.MIDDLE), address_of(Kind.FANS, Level.MIDDLE)
    right = [fan for fan in puzzle.offered if fan in puzzle.fans]
    wrong = min(set(puzzle.offered) - puzzle.fans, key=lambda fan: fan.number)
    assert grade_in(answered(client, address, fan=[fan.key for fan in right])) == "100"
    html = answered(client, address, fan=[fan.key for fan in (*right[1:], wrong)])
    assert grade_in(html) == "60"
    assert f"Left out: {fan_name(right[0])}" in visible_text(html)
    assert f"Does not count: {fan_name(wrong)}" in visible_text(html)


def test_waits_are_graded_by_tile(client: Client) -> None:
    puzzle, address = question(Kind.WAITS, Level.MIDDLE, "3"), address_of(Kind.WAITS, Level.MIDDLE)
    assert isinstance(puzzle, WaitsQuestion)
    completing, reaching = sorted(puzzle.completing), sorted(puzzle.reaching)
    assert grade_in(answered(client, address, completes=completing, reaches=reaching)) == "100"
    html = answered(client, address, completes=completing, reaches=completing)
    assert grade_in(html) in ("80", "60")
    assert "Completes it, for less than 8 points:" in visible_text(html)
    nothing_ticked = answered(client, address_of(Kind.WAITS, Level.HARD))
    assert grade_in(nothing_ticked) == "0"


def test_what_is_no_number_of_points_gets_a_sentence(client: Client) -> None:
    for points in ("9" * 5_000, "-1", "1e400", "٣", "\x00", "many", ""):
        text = visible_text(answered(client, EASY_WORTH, points=points))
        assert ("1 problem to fix" in text) is (points != "٣"), points[:8]


def test_another_one_is_a_puzzle_and_what_is_none_is_not_found(client: Client) -> None:
    for path in ("worth/godlike/1", "luck/easy/1", f"worth/easy/{'9' * 41}", "luck/easy"):
        assert client.get(f"/quiz/{path}/").status_code == 404, path
    response = client.get(reverse("quiz_another", args=["fans", "hard"]))
    assert re.fullmatch(r"/quiz/fans/hard/\d+/", response["Location"])
    assert "no-store" in response["Cache-Control"]


@pytest.mark.thorough
def test_a_day_is_solved_without_a_script(client: Client) -> None:
    """With empty hands, from each puzzle to the next."""
    query: dict[str, str] = {}
    address = reverse("quiz_daily_puzzle", args=[DAY, 1])
    for number, puzzle in enumerate(daily(date.fromisoformat(DAY)), 1):
        html = html_of(client, address)
        assert missing(html, f'data-puzzle="/quiz/daily/{DAY}/{number}/"', f"Puzzle {number} of 5") == []
        assert puzzle.seed == f"{DAY}-{number}"
        following = re.search(r'rel="next" href="([^"]+)"', answered(client, address, points=0, **query))
        assert following
        address, _, grades = unescape(following[1]).partition("?so=")
        query = {"so": grades}
    assert len(grades.split("-")) == 5
    result = re.search(r"<textarea[^>]*>([^<]+)</textarea>", html_of(client, address, **query))
    assert result
    first, _, last, *_ = result[1].splitlines()
    assert first == f"Hule {DAY} · {sum(map(int, grades.split('-')))}/500"
    assert last == f"http://testserver/quiz/daily/{DAY}/"


@pytest.mark.thorough
def test_only_days_that_have_been_and_results_that_are_some_are_shown(client: Client) -> None:
    for result in ("100-100", "100-100-100-100-100-100", "100-100-100-100-99", "-", "9" * 5_000):
        assert "<textarea" not in html_of(client, reverse("quiz_daily", args=[DAY]), so=result), result[:30]
    tomorrow = (timezone.localdate() + timedelta(days=1)).isoformat()
    before = (FIRST_DAY - timedelta(days=1)).isoformat()
    for day in (tomorrow, before, "2026-02-30", "20260502", "2026-W18-6", "yesterday", "٢٠٢٦-05-02"):
        assert client.get(reverse("quiz_daily", args=[day])).status_code == 404, day
    assert client.get(reverse("quiz_daily_puzzle", args=[tomorrow, 1])).status_code == 404
    assert client.get(reverse("quiz_daily", args=[FIRST_DAY.isoformat()])).status_code == 200


def test_today_is_the_sites_own(client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """At 23:30 UTC it is tomorrow in Tokyo."""
    late = datetime(2026, 5, 2, 23, 30, tzinfo=ZoneInfo("UTC"))
    monkeypatch.setattr("django.utils.timezone.now", lambda: late)
    for zone, day in (("Asia/Tokyo", "2026-05-03"), ("UTC", "2026-05-02")):
        settings.TIME_ZONE = zone
        assert client.get(reverse("quiz_today"))["Location"] == f"/quiz/daily/{day}/"


def slide(client: Client, event: Tournament) -> str:
    return html_of(client, reverse("screen", args=[event.slug, "main"]))


def tiles_on(html: str) -> list[str]:
    """Return the names of the tiles of the question, which stands in two rows on a screen."""
    hands = re.findall(r'class="hand"(.*?)</div>', html, re.DOTALL)
    rows = hands if "hall-tiles" in html else hands[:1]
    return re.findall(r'aria-label="([^"]+)"', "".join(rows))


@pytest.mark.thorough
def test_a_screen_asks_and_then_answers_and_the_next_break_has_another_puzzle(client: Client) -> None:
    event = make_tournament(sessions=3, played=1, name="Long")
    control_screen(event, SYSTEM, "main", Command(ScreenAction.ONLY, kind=Slide.PUZZLE))
    asking = slide(client, event)
    assert "Answer on your phone." in visible_text(asking)
    assert not re.search("hall-(fans|waits)", asking)
    assert len(tiles_on(asking)) >= 13
    control_screen(event, SYSTEM, "main", Command(ScreenAction.NEXT))
    answering = slide(client, event)
    assert re.search("hall-(fans|waits)", answering)
    assert "Answer on your phone." not in visible_text(answering)
    control_screen(event, SYSTEM, "main", Command(ScreenAction.ONLY, kind=Slide.PUZZLE))
    play_session(event.sessions.get(number=2))
    event.refresh_from_db()
    assert tiles_on(slide(client, event)) != tiles_on(asking)


WHOLE = "123m 123p 12s 789s 99m +3s seat=W round=S"
THIRTEEN = "123m 123p 12s 789s 99m"


def added(event: Tournament, text: str = WHOLE) -> Puzzle:
    return add_puzzle(event, SYSTEM, text, uuid=uuid4())


def test_a_hand_in_any_notation_asks_its_worth_or_its_waits(event: Tournament) -> None:
    question = question_from_record(added(event).record, "1")
    assert isinstance(question, HandQuestion)
    assert question.worth == score(parse(WHOLE)).counted_points
    thirteen = question_from_record(added(event, THIRTEEN).record, "1")
    assert isinstance(thirteen, WaitsQuestion)
    assert thirteen.completing == {"3s"}
    assert parse_question_record(
        "W1W2W3 B1B2B3 T1T2 T7T8T9 W9W9 +T3 seat=W round=S"
    ) == parse_question_record(WHOLE)
    assert Hand.from_json(parse_question_record(WHOLE)) == parse(WHOLE)
    assert has_answer(question_from_record(parse_question_record(WHOLE), ""))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "tile_count"),
        ("123m 123p 12s 789s 99m +5s", "puzzle_is_no_win"),
        ("1379m 2468p 13579s", "puzzle_waits_for_nothing"),
        ("123x", "unreadable"),
        ("1m" * 5_000, "text_too_long"),
        ("123m 123p 12s 789s 99m +3s flowers=" + "9" * 200, "flowers_out_of_range"),
    ],
    ids=lambda text: text[:24],
)
def test_what_makes_no_puzzle_is_refused(event: Tournament, text: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        added(event, text)
    assert code in [problem.code for problem in refused.value.problems]
    assert not event.puzzles.exists()


def test_puzzles_are_logged_removed_and_limited(event: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    remove_puzzle(added(event), SYSTEM)
    assert not event.puzzles.exists()
    actions = list(event.log.order_by("seq").values_list("action", flat=True))
    assert actions[-2:] == ["screen_puzzle_added", "screen_puzzle_removed"]
    assert MAX_PUZZLES == 100
    monkeypatch.setattr("tournament.screens.services.MAX_PUZZLES", 1)
    uuid = uuid4()
    assert add_puzzle(event, SYSTEM, WHOLE, uuid=uuid) == add_puzzle(event, SYSTEM, WHOLE, uuid=uuid)
    with pytest.raises(Refused):
        added(event)
    assert event.puzzles.count() == 1


def test_an_organiser_adds_opens_and_removes_one(olga: Client, event: Tournament) -> None:
    page = reverse("organiser_hall", args=[event.slug])
    refused = olga.post(page, {"part": "puzzle", "puzzle-hand": "123x", "puzzle-uuid": str(uuid4())})
    assert refused.status_code == 422
    assert missing(refused.text, "is neither a tile nor a circumstance", 'value="123x"') == []
    assert (
        olga.post(page, {"part": "puzzle", "puzzle-hand": WHOLE, "puzzle-uuid": str(uuid4())}).status_code
        == 302
    )
    puzzle = event.puzzles.get()
    address = reverse("puzzle", args=[event.slug, puzzle.uuid])
    assert address in olga.get(page).text
    assert olga.post(reverse("organiser_puzzle_remove", args=[event.slug, puzzle.uuid])).status_code == 302
    assert olga.get(address).status_code == 404


def test_everybody_solves_it_and_the_hall_is_asked_it(client: Client, event: Tournament) -> None:
    puzzle = added(event, THIRTEEN)
    address = reverse("puzzle", args=[event.slug, puzzle.uuid])
    assert address in client.get(reverse("puzzles", args=[event.slug])).text
    assert "data-grade" not in client.get(address).text
    answered = client.get(address, {"answered": "1", "completes": "3s"})
    assert "data-grade" in answered.text
    control_screen(event, SYSTEM, "main", Command(ScreenAction.ONLY, kind=Slide.PUZZLE))
    assert len(tiles_on(slide(client, event))) == 13
    Tournament.objects.update(is_public=False)
    for hidden in (address, reverse("puzzles", args=[event.slug])):
        assert client.get(hidden).status_code == 404, hidden
