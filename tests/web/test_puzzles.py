"""An event's own puzzles: made of a hand in any notation, judged by the engine, asked on its page and in the hall."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.engine import Hand, parse, score
from scoring.quiz.own import has_answer, question_of, record_in
from scoring.quiz.questions import HandQuestion, WaitsQuestion
from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tournament.engine.screens import Kind
from tournament.engine.steering import Command, Way
from tournament.errors import Refused
from tournament.models import Puzzle, Tournament
from tournament.services.puzzles import MOST, add_puzzle, remove_puzzle
from tournament.services.screens import steer_screen

WHOLE = "123m 123p 12s 789s 99m +3s seat=W round=S"
THIRTEEN = "123m 123p 12s 789s 99m"


@pytest.fixture
def event() -> Tournament:
    return make_tournament(sessions=2, played=1, name="Between")


@pytest.fixture
def desk(event: Tournament, client: Client) -> Client:
    client.force_login(make_organiser(event))
    return client


def added(event: Tournament, text: str = WHOLE) -> Puzzle:
    return add_puzzle(event, SYSTEM, text, uuid=uuid4())


def test_a_hand_asks_its_worth_or_its_waits(
    event: Tournament,
) -> None:
    whole = question_of(added(event).record, "1")
    assert isinstance(whole, HandQuestion)
    assert whole.worth == score(parse(WHOLE)).counted_points
    thirteen = question_of(added(event, THIRTEEN).record, "1")
    assert isinstance(thirteen, WaitsQuestion)
    assert thirteen.completing == {"3s"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "tile_count"),
        ("123m 123p", "tile_count"),
        ("123m 123p 12s 789s 99m +5s", "puzzle_is_no_win"),
        ("1379m 2468p 13579s", "puzzle_waits_for_nothing"),
        ("11111m 123p 12s 789s +3s", "five_of_a_kind"),
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


def test_the_same_is_stored_once_up_to_a_limit(event: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST == 100
    monkeypatch.setattr("tournament.services.puzzles.MOST", 1)
    uuid = uuid4()
    assert add_puzzle(event, SYSTEM, WHOLE, uuid=uuid) == add_puzzle(event, SYSTEM, WHOLE, uuid=uuid)
    with pytest.raises(Refused):
        added(event)
    assert event.puzzles.count() == 1


def test_each_is_logged_and_can_be_removed(event: Tournament) -> None:
    remove_puzzle(added(event), SYSTEM)
    assert not event.puzzles.exists()
    actions = list(event.log.order_by("seq").values_list("action", flat=True))
    assert actions[-2:] == ["screen_puzzle_added", "screen_puzzle_removed"]


def test_an_organiser_adds_opens_and_removes_one(desk: Client, event: Tournament) -> None:
    page = reverse("organiser_puzzles", args=[event.slug])
    refused = desk.post(page, {"hand": "123x", "uuid": str(uuid4())})
    assert refused.status_code == 422
    assert "is no tile and no circumstance" in refused.text
    assert 'value="123x"' in refused.text
    assert desk.post(page, {"hand": WHOLE, "uuid": str(uuid4())}).status_code == 302
    puzzle = event.puzzles.get()
    address = reverse("puzzle", args=[event.slug, puzzle.uuid])
    assert address in desk.get(page).text
    assert desk.post(reverse("organiser_puzzle_remove", args=[event.slug, puzzle.uuid])).status_code == 302
    assert desk.get(address).status_code == 404


def test_everybody_solves_it_on_the_events_page(client: Client, event: Tournament) -> None:
    puzzle = added(event)
    question = question_of(puzzle.record, "1")
    assert isinstance(question, HandQuestion)
    address = reverse("puzzle", args=[event.slug, puzzle.uuid])
    assert address in client.get(reverse("puzzles", args=[event.slug])).text
    assert "data-grade" not in client.get(address).text
    answered = client.get(address, {"answered": 1, "points": question.worth})
    assert 'data-grade="100"' in answered.text


def test_who_may_not_see_the_event_sees_no_puzzle(client: Client) -> None:
    hidden = make_tournament(name="Hidden", public=False)
    puzzle = added(hidden)
    assert client.get(reverse("puzzles", args=[hidden.slug])).status_code == 404
    assert client.get(reverse("puzzle", args=[hidden.slug, puzzle.uuid])).status_code == 404


def test_the_hall_is_asked_the_events_own(client: Client, event: Tournament) -> None:
    added(event, THIRTEEN)
    steer_screen(event, SYSTEM, "main", Command(Way.ONLY, kind=Kind.PUZZLE))
    html = client.get(reverse("screen", args=[event.slug, "main"])).text
    tiles = re.findall(r'aria-label="([^"]+)"', html.partition('class="hand"')[2].partition("</div>")[0])
    assert len(tiles) == 13


def test_a_hand_in_any_notation_is_the_same() -> None:
    assert record_in("W1W2W3 B1B2B3 T1T2 T7T8T9 W9W9 +T3 seat=W round=S") == record_in(WHOLE)
    assert Hand.from_json(record_in(WHOLE)) == parse(WHOLE)
    assert has_answer(question_of(record_in(WHOLE), ""))
