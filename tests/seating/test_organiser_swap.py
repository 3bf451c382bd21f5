"""Changes of seats after the draw on pages and by REST: swaps, corrections, the filmed table; stored and undone."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, hand_entry, make_organiser, make_tournament, record
from tests.support.pages import organised, refused_page
from tests.support.programs import ROOT, Program, client_of, codes_of
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Player
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.public import seating_chart
from tournament.play.services.sessions import start_session
from tournament.players.services.players import withdraw_player
from tournament.seating.selectors.draws import plan_from_chart, stored_plan
from tournament.seating.services.seatings import draw_seats
from tournament.web.selectors import log_words

TURNED = [dict(zip("ESWN", range(first, first + 4), strict=True)) for first in (9, 1, 5)]
BODIES: dict[str, dict[str, Any]] = {
    "swap": {"first": 1, "second": 2, "sessions": [2, 3]},
    "replan": {},
    "plan": {"sessions": [{"number": 2, "tables": TURNED}]},
    "stream": {"players": [5], "table": 1, "sessions": [2, 3]},
}
UNREADABLE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("swap", {"first": 10**30}),
    ("swap", {"sessions": {"2": None}}),
    ("replan", {"seen": ["x"]}),
    ("plan", {"sessions": [{"number": 2, "tables": [{"E": 1}]}]}),
    ("plan", {"sessions": BODIES["plan"]["sessions"] * 2}),
    ("stream", {"table": -1}),
)
IMPOSSIBLE: tuple[tuple[str, dict[str, Any], set[str]], ...] = (
    ("swap", {"sessions": []}, {"nothing_left_to_play"}),
    ("swap", {"second": 99}, {"no_seat_in_session"}),
    ("swap", {"sessions": [1]}, {"session_already_begun"}),
    ("plan", {"sessions": []}, {"no_seats"}),
    ("plan", {"sessions": [{"number": 5, "tables": TURNED}]}, {"earlier_session_unseated"}),
    ("stream", {"players": [1, 1]}, {"stream_one_session", "player_twice"}),
)
EVENT_WITH = {"players": 12, "sessions": 3, "played": 1}
"""Three sessions of three tables, the first of them played."""


@pytest.fixture
def drawn(client: Client) -> Tournament:
    tournament = make_tournament(sessions=5, drawn=False)
    draw_seats(tournament, SYSTEM, seed="one")
    client.force_login(make_organiser(tournament))
    return tournament


def address(tournament: Tournament) -> str:
    return reverse("organiser_swap", args=[tournament.slug])


def place(tournament: Tournament, player: int, session: int) -> tuple[int, str]:
    seats = Seat.objects.filter(table__session__tournament=tournament, table__session__number=session)
    seat = seats.get(player__number=player)
    return seat.table.number, seat.wind


def swap(client: Client, tournament: Tournament, session: str = "") -> str:
    """Preview and store a swap of players 1 and 2."""
    chosen = {"first": "1", "second": "2", "session": session}
    seen = client.get(address(tournament), chosen).context["seen"]
    return client.post(address(tournament), {**chosen, "seen": seen}, follow=True).text


@pytest.mark.thorough
def test_two_players_change_seats_in_one_session(client: Client, drawn: Tournament) -> None:
    """The effect is shown before anything is written."""
    before = plan_from_chart(seating_chart(drawn))
    places = {(n, s): place(drawn, n, s) for n in (1, 2) for s in (3, 4)}
    shown = client.get(address(drawn), {"first": "1", "second": "2", "session": "3"})
    assert len(shown.context["compared"].moved) == 2
    now, then = dict(shown.context["figures"])["repeats"]
    assert (now, then) == (0, len(shown.context["new_repeats"]))
    assert then > 0, "in a draw without spare meetings any single swap makes two players meet again"
    assert "These would meet again" in shown.text
    assert plan_from_chart(seating_chart(drawn)) == before
    assert "The two players have changed seats." in swap(client, drawn, "3")
    assert (place(drawn, 1, 3), place(drawn, 2, 3)) == (places[2, 3], places[1, 3])
    assert (place(drawn, 1, 4), place(drawn, 2, 4)) == (places[1, 4], places[2, 4])
    entry = LogEntry.objects.get(action="seats_swapped")
    assert log_words(drawn).sentence(entry) == "Mātīss Bērziņš and 张静 changed seats: session 3."
    certificate = client.get(reverse("draw_certificate", args=[drawn.slug])).text
    assert "2 seats have been changed since the draw" in certificate


def test_the_effect_is_shown_alone_and_anew_once_seats_changed(client: Client, drawn: Tournament) -> None:
    response = client.get(address(drawn), {"first": "1", "second": "2", "session": ""})
    assert response.context["new_repeats"] == []
    chosen = {"first": "1", "second": "2", "session": "3"}
    response = client.get(address(drawn), chosen, headers={"hx-request": "true"})
    assert "Swap" in response.text
    assert "<html" not in response.text
    nothing = client.get(address(drawn), {**chosen, "second": ""}, headers={"hx-request": "true"})
    assert (nothing.status_code, "Swap" in nothing.text) == (200, False)
    seen = client.get(address(drawn), chosen).context["seen"]
    draw_seats(drawn, SYSTEM, seed="two")
    refused = client.post(address(drawn), {**chosen, "seen": seen})
    assert "The seats have changed in the meantime." in refused_page(refused)


def test_at_one_table_they_change_winds(client: Client, drawn: Tournament) -> None:
    east, south = (
        plan_from_chart(seating_chart(drawn))[0][0]["E"],
        plan_from_chart(seating_chart(drawn))[0][0]["S"],
    )
    client.post(address(drawn), {"first": str(east), "second": str(south), "session": "1"})
    assert (place(drawn, east, 1), place(drawn, south, 1)) == ((1, "S"), (1, "E"))
    winds = [seat.wind for seat in seating_chart(drawn).sessions[0].tables[0][1]]
    assert winds == ["E", "S", "W", "N"]


@pytest.mark.thorough
def test_swapped_in_all_sessions_the_one_begun_stays(client: Client, drawn: Tournament) -> None:
    start_session(drawn.sessions.get(number=1), SYSTEM)
    before = plan_from_chart(seating_chart(drawn))
    swap(client, drawn, "")
    after = plan_from_chart(seating_chart(drawn))
    assert (after[0], after[1] != before[1]) == (before[0], True)


def test_tables_can_be_chosen_and_errors_are_at_their_fields(client: Client, drawn: Tournament) -> None:
    usual = {"first": "1", "second": "2"}
    for field, value in (("second", "1"), ("second", ""), ("first", "99"), ("session", "9")):
        response = client.get(address(drawn), usual | {field: value})
        assert (response.status_code, field in response.context["form"].errors) == (422, True), (field, value)
    shown = client.get(address(drawn), {"shown": "2", "first": "5"})
    tables = [{seat.wind: seat.player.number for seat in seats} for _, seats in shown.context["tables"]]
    assert tables == plan_from_chart(seating_chart(drawn))[1]
    assert shown.context["chosen"] == [5]
    assert shown.context["form"]["session"].value() == 2


def test_when_everything_is_played_there_is_nothing_to_swap_or_plan(client: Client) -> None:
    tournament = organised(client, players=8, sessions=1, played=1)
    replan = reverse("organiser_replan", args=[tournament.slug])
    for url in (address(tournament), replan):
        assert "No session is left to play" in client.get(url).text
    assert client.post(address(tournament), {"first": "1", "second": "2"}).status_code == 422


@pytest.fixture
def running(client: Client) -> Tournament:
    return organised(client, running=3)


def wrong_seats(tournament: Tournament) -> str:
    return reverse("organiser_seat_correction", args=[tournament.slug, 1])


@pytest.mark.thorough
def test_a_correction_is_previewed_with_scores_and_stored(client: Client, running: Tournament) -> None:
    assert wrong_seats(running) in client.get(reverse("organiser_board", args=[running.slug])).text
    here, there = place(running, 1, 1), place(running, 2, 1)
    shown = client.get(wrong_seats(running), {"first": "1", "second": "2"})
    (now, then), _other = shown.context["changes"]
    assert (now.player.number, then.player.number) == (1, 2)
    assert place(running, 1, 1) == here
    taken = {"first": "1", "second": "2", "seen": shown.context["seen"]}
    assert "The names have been swapped" in client.post(wrong_seats(running), taken, follow=True).text
    assert (place(running, 1, 1), place(running, 2, 1)) == (there, here)
    entry = LogEntry.objects.get(action="seats_corrected")
    sentence = log_words(running).sentence(entry)
    assert sentence == "Mātīss Bērziņš and 张静 sat in each other’s places, session 1: names swapped."
    back = reverse("organiser_seat_correction_undo", args=[running.slug, 1])
    assert back in client.get(wrong_seats(running)).text
    client.post(back)
    assert (place(running, 1, 1), place(running, 2, 1)) == (here, there)


def test_a_correction_is_refused_after_another_write(client: Client, running: Tournament) -> None:
    chosen = {"first": "1", "second": "2"}
    seen = client.get(wrong_seats(running), chosen).context["seen"]
    table = running.sessions.get(number=1).tables.get(number=place(running, 1, 1)[0])
    record(table, hand_entry(table, 4))
    answer = client.post(wrong_seats(running), chosen | {"seen": seen})
    assert "The seats have changed in the meantime." in refused_page(answer)


def test_the_filmed_table_is_previewed_and_stored(client: Client) -> None:
    event = organised(client, sessions=3)
    not_begun = client.get(wrong_seats(event)).text
    assert "The session is not being played" in not_begun, "so no names are mended"
    page = reverse("organiser_stream", args=[event.slug])
    answer = client.get(page, {"players": "one", "table": "0"})
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"players", "table", "sessions"}
    assert page in client.get(reverse("organiser_draw", args=[event.slug])).text
    chosen = {"players": "1, 2", "table": "3", "sessions": ["2"]}
    before = stored_plan(event)
    shown = client.get(page, chosen)
    assert shown.context["compared"].moved
    assert stored_plan(event) == before
    client.post(page, chosen | {"seen": shown.context["seen"]})
    assert {1, 2} <= set(stored_plan(event)[1][2].values())
    sentence = log_words(event).sentence(LogEntry.objects.get(action="stream_seated"))
    assert sentence == "At the filmed table 3: Mātīss Bērziņš, 张静, session 2."


def post(client: Program, event: Tournament, step: str, **body: Any) -> Any:
    return client.post(f"{ROOT}{event.slug}/seats/{step}/", body)


@pytest.mark.thorough
@pytest.mark.parametrize("step", BODIES)
def test_each_change_is_previewed_stored_and_undone(
    step: str, organiser_client: Program, event: Tournament
) -> None:
    if step == "replan":
        for number in (9, 10, 11, 12):
            withdraw_player(Player.objects.get(tournament=event, number=number), SYSTEM)
    before = stored_plan(event)
    shown = post(organiser_client, event, f"{step}/preview", **BODIES[step]).json()
    assert stored_plan(event) == before, "looking stores nothing"
    if step == "plan":
        assert shown["quality"]["repeats"] > shown["quality_now"]["repeats"]
    assert codes_of(post(organiser_client, event, step, **BODIES[step], seen="others")) == ["seats_changed"]
    assert stored_plan(event) == before
    taken = post(organiser_client, event, step, **BODIES[step], seen=shown["seen"]).json()
    now = {session["number"]: [table["seats"] for table in session["tables"]] for session in taken}
    assert {session["number"]: session["tables"] for session in shown["sessions"]}.items() <= now.items()
    assert [now[number] for number in (1, 2, 3)] == stored_plan(event) != before
    assert organiser_client.post(f"{ROOT}{event.slug}/seats/undo/").status_code == 204
    assert stored_plan(event) == before


def test_a_plan_before_the_draw_has_no_seats_to_compare_with() -> None:
    event = make_tournament(players=12, sessions=2, drawn=False)
    organiser_client, sessions = client_of(make_organiser(event)), [{"number": 1, "tables": TURNED}]
    shown = post(organiser_client, event, "plan/preview", sessions=sessions).json()
    assert (shown["quality_now"], shown["sessions"]) == (None, sessions)
    assert post(organiser_client, event, "plan", sessions=sessions).status_code == 200


def test_malformed_and_impossible_requests_are_refused(organiser_client: Program, event: Tournament) -> None:
    before = stored_plan(event)
    for step, wrong in UNREADABLE:
        for address in (step, f"{step}/preview"):
            answer = post(organiser_client, event, address, **(BODIES[step] | wrong))
            assert answer.status_code == 400, (address, wrong)
    for step, wrong, codes in IMPOSSIBLE:
        answer = post(organiser_client, event, step, **(BODIES[step] | wrong))
        assert (answer.status_code, set(codes_of(answer))) == (422, codes), (step, wrong)
    assert stored_plan(event) == before
