"""The event's statistics: figures recomputed from the file of the evening, and what the pages show of them."""

import json
from collections import Counter
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.engine import MCR, score
from scoring.engine import Hand as Tiles
from tests.support.factories import SYSTEM, make_tournament, make_umpire, play_hands, record, wash_out, win
from tests.support.html import element, elements, read, words
from tests.web.conftest import missing
from tournament.access import Actor, Audience
from tournament.engine.entry import WIN, HandEntry
from tournament.models import Tournament
from tournament.selectors.statistics import event_statistics
from tournament.services.embargo import hide_results
from tournament.services.hands import correct_hand, undo_hand

EVENING = Path(__file__).parents[1] / "data" / "evening.json"


def hands_in_the_file(session: int | None = None) -> list[dict[str, Any]]:
    data = json.loads(EVENING.read_text("utf-8"))
    return [
        hand
        for number, tables in enumerate(data["sessions"], 1)
        if session in (None, number)
        for table in tables["tables"]
        for hand in table["hands"]
    ]


@pytest.mark.parametrize("session", [None, 3, 5])
@pytest.mark.thorough
def test_figures_are_what_the_files_tiles_come_to(whole_evening: Tournament, session: int | None) -> None:
    hands = hands_in_the_file(session)
    won = [hand for hand in hands if hand["outcome"] == "win"]
    stats = event_statistics(whole_evening, Audience.PUBLIC, session)
    figures = stats.figures
    assert (figures.hands, figures.won, figures.wash_outs) == (len(hands), len(won), len(hands) - len(won))
    assert figures.self_drawn == sum(hand.get("discarder") is None for hand in won)
    assert figures.by_discard == len(won) - figures.self_drawn
    scores = [score(Tiles.from_json(hand["hand"]), MCR) for hand in won]
    points = sorted((each.points for each in scores), reverse=True)
    assert figures.average == sum(points) / len(points)
    assert [hand.points for hand in stats.best] == points[:5]
    assert figures.known == len(scores)
    fans = Counter(key for each in scores for key in {line.fan.key for line in each.fans})
    fans["flower_tiles"] = sum(bool(hand["hand"].get("flowers")) for hand in won)
    assert figures.fans == +fans


def test_a_corrected_hand_counts_once_and_a_hand_taken_back_not_at_all() -> None:
    tournament = make_tournament(players=4, sessions=1, running=0)
    table = tournament.sessions.get().tables.get()
    record(table, win(1, 2))
    before = event_statistics(tournament, Audience.PUBLIC).figures
    hand = table.hands.get()
    correct_hand(hand, SYSTEM, wash_out(), uuid=uuid4(), reason="No hu.")
    corrected = event_statistics(tournament, Audience.PUBLIC).figures
    assert (before.won, corrected.hands, corrected.won) == (1, 1, 0)
    umpire = Actor.of(make_umpire(tournament))
    undo_hand(record(table, win(3, 4), umpire), umpire)
    assert event_statistics(tournament, Audience.PUBLIC).figures == corrected
    assert hand.pk not in event_statistics(tournament, Audience.PUBLIC).figures.best_ids


def test_points_alone_say_nothing_of_fans() -> None:
    tournament = make_tournament(players=4, sessions=1, running=0)
    table = tournament.sessions.get().tables.get()
    record(table, HandEntry(WIN, 1, 2, None, points=26))
    found = event_statistics(tournament, Audience.PUBLIC).figures
    assert (found.won, found.points, found.known, found.fans) == (1, 26, 0, {})


def test_a_hand_is_read_once_with_its_session(django_assert_num_queries: Any) -> None:
    tournament = make_tournament(players=8, sessions=2, played=1, running=2)
    event_statistics(tournament, Audience.PUBLIC)
    with django_assert_num_queries(2):  # the state of the sessions, the best hands
        event_statistics(tournament, Audience.PUBLIC)
    play_hands(tournament.sessions.get(number=2).tables.get(number=1))
    with django_assert_num_queries(3):
        event_statistics(tournament, Audience.PUBLIC)


def test_hidden_results_are_no_part_of_what_everybody_reads() -> None:
    tournament = make_tournament(players=8, sessions=2, played=1, running=2)
    whole = event_statistics(tournament, Audience.PUBLIC).figures
    hide_results(tournament.sessions.get(number=2), SYSTEM)
    tournament.refresh_from_db()
    public = event_statistics(tournament, Audience.PUBLIC)
    assert public.figures == event_statistics(tournament, Audience.STAFF, 1).figures
    assert (public.sessions, public.kept_back) == ((1,), (2,))
    assert not event_statistics(tournament, Audience.PUBLIC, 2)
    assert event_statistics(tournament, Audience.STAFF).figures == whole


def page(client: Client, tournament: Tournament, **query: Any) -> Any:
    return client.get(reverse("statistics_page", args=[tournament.slug]), query)


def test_the_page_shows_figures_best_hands_and_fans(client: Client) -> None:
    event = make_tournament(played=2)
    tree = read(page(client, event))
    stats = event_statistics(event, Audience.PUBLIC)
    assert f"{stats.figures.hands} hands played" in words(tree)
    assert f"Average won {stats.figures.average:.1f}" in words(tree)
    assert len(list(elements(element(tree, "ol", class_="best-hands"), "li"))) == 5
    row = element(element(element(tree, "table", class_="fan-plot"), "tbody"), "tr")
    _key, hands = stats.figures.fans_by_frequency[0]
    assert f"{hands} {round(100 * hands / stats.figures.known)} %" in words(row)
    second = event_statistics(event, Audience.PUBLIC, 2).figures
    assert f"{second.hands} hands played" in words(read(page(client, event, session=2)))
    summary = words(read(client.get(reverse("tournament", args=[event.slug]))))
    assert missing(summary, f"Statistics {stats.figures.hands} hands", f"{stats.best[0].points} points") == []


def test_what_is_no_session_is_not_found_and_before_the_first_hand_there_is_nothing(client: Client) -> None:
    tournament = make_tournament(players=4, sessions=1)
    assert "No hand is recorded yet" in words(read(page(client, tournament)))
    assert "Statistics" not in words(read(client.get(reverse("tournament", args=[tournament.slug]))))
    for session in ("x", "0", "-1", "²", "1" * 9):
        assert page(client, tournament, session=session).status_code == 404, session
