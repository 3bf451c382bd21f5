"""Two players change seats, names are mended, a table is filmed: the effect first, then the write, and back again."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, hand_entry, make_organiser, make_tournament, record
from tests.support.pages import organised, refused_page
from tournament.base.models.log import LogEntry
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.public import seating_chart
from tournament.play.services.sessions import start_session
from tournament.seating.selectors.draws import plan_of, seats_of_all
from tournament.seating.services.seatings import draw_seats
from tournament.web.selectors import log_words


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
    """Look at the effect of swapping 1 and 2, and do it."""
    chosen = {"one": "1", "other": "2", "session": session}
    seen = client.get(address(tournament), chosen).context["seen"]
    return client.post(address(tournament), {**chosen, "seen": seen}, follow=True).text


@pytest.mark.thorough
def test_two_players_change_seats_in_one_session(client: Client, drawn: Tournament) -> None:
    """The effect is shown before anything is written."""
    before = plan_of(seating_chart(drawn))
    places = {(n, s): place(drawn, n, s) for n in (1, 2) for s in (3, 4)}
    shown = client.get(address(drawn), {"one": "1", "other": "2", "session": "3"})
    assert len(shown.context["compared"].moved) == 2
    now, then = dict(shown.context["figures"])["repeats"]
    assert (now, then) == (0, len(shown.context["again"]))
    assert then > 0, "in a draw without spare meetings any single swap makes two players meet again"
    assert "These would meet again" in shown.text
    assert plan_of(seating_chart(drawn)) == before
    assert "The two players have changed seats." in swap(client, drawn, "3")
    assert (place(drawn, 1, 3), place(drawn, 2, 3)) == (places[2, 3], places[1, 3])
    assert (place(drawn, 1, 4), place(drawn, 2, 4)) == (places[1, 4], places[2, 4])
    entry = LogEntry.objects.get(action="seats_swapped")
    assert log_words(drawn).sentence(entry) == "Mātīss Bērziņš and 张静 changed seats: session 3."
    certificate = client.get(reverse("draw_certificate", args=[drawn.slug])).text
    assert "2 seats have been changed since the draw" in certificate


def test_the_effect_is_shown_alone_and_anew_once_seats_changed(client: Client, drawn: Tournament) -> None:
    response = client.get(address(drawn), {"one": "1", "other": "2", "session": ""})
    assert response.context["again"] == []
    chosen = {"one": "1", "other": "2", "session": "3"}
    response = client.get(address(drawn), chosen, headers={"hx-request": "true"})
    assert "Swap them" in response.text
    assert "<html" not in response.text
    nothing = client.get(address(drawn), {**chosen, "other": ""}, headers={"hx-request": "true"})
    assert (nothing.status_code, "Swap them" in nothing.text) == (200, False)
    seen = client.get(address(drawn), chosen).context["seen"]
    draw_seats(drawn, SYSTEM, seed="two")
    refused = client.post(address(drawn), {**chosen, "seen": seen})
    assert "The seats have changed since you looked." in refused_page(refused)


def test_at_one_table_they_change_winds(client: Client, drawn: Tournament) -> None:
    east, south = plan_of(seating_chart(drawn))[0][0]["E"], plan_of(seating_chart(drawn))[0][0]["S"]
    client.post(address(drawn), {"one": str(east), "other": str(south), "session": "1"})
    assert (place(drawn, east, 1), place(drawn, south, 1)) == ((1, "S"), (1, "E"))
    winds = [seat.wind for seat in seating_chart(drawn).sessions[0].tables[0][1]]
    assert winds == ["E", "S", "W", "N"]


@pytest.mark.thorough
def test_swapped_in_all_sessions_the_one_begun_stays(client: Client, drawn: Tournament) -> None:
    start_session(drawn.sessions.get(number=1), SYSTEM)
    before = plan_of(seating_chart(drawn))
    swap(client, drawn, "")
    after = plan_of(seating_chart(drawn))
    assert (after[0], after[1] != before[1]) == (before[0], True)


def test_tables_can_be_chosen_and_faults_stand_at_their_fields(client: Client, drawn: Tournament) -> None:
    usual = {"one": "1", "other": "2"}
    for field, value in (("other", "1"), ("other", ""), ("one", "99"), ("session", "9")):
        response = client.get(address(drawn), usual | {field: value})
        assert (response.status_code, field in response.context["form"].errors) == (422, True), (field, value)
    shown = client.get(address(drawn), {"shown": "2", "one": "5"})
    tables = [{seat.wind: seat.player.number for seat in seats} for _, seats in shown.context["tables"]]
    assert tables == plan_of(seating_chart(drawn))[1]
    assert shown.context["chosen"] == [5]
    assert shown.context["form"]["session"].value() == 2


def test_when_everything_is_played_there_is_nothing_to_swap_or_plan(client: Client) -> None:
    tournament = organised(client, players=8, sessions=1, played=1)
    replan = reverse("organiser_replan", args=[tournament.slug])
    for url in (address(tournament), replan):
        assert "No session is left to play" in client.get(url).text
    assert client.post(address(tournament), {"one": "1", "other": "2"}).status_code == 422


@pytest.fixture
def running(client: Client) -> Tournament:
    return organised(client, running=3)


def wrong_seats(tournament: Tournament) -> str:
    return reverse("organiser_wrong_seats", args=[tournament.slug, 1])


@pytest.mark.thorough
def test_the_scores_are_shown_first_and_the_names_then_mended(client: Client, running: Tournament) -> None:
    assert wrong_seats(running) in client.get(reverse("organiser_board", args=[running.slug])).text
    here, there = place(running, 1, 1), place(running, 2, 1)
    shown = client.get(wrong_seats(running), {"one": "1", "other": "2"})
    (now, then), _other = shown.context["changes"]
    assert (now.player.number, then.player.number) == (1, 2)
    assert place(running, 1, 1) == here
    taken = {"one": "1", "other": "2", "seen": shown.context["seen"]}
    assert "The names are mended" in client.post(wrong_seats(running), taken, follow=True).text
    assert (place(running, 1, 1), place(running, 2, 1)) == (there, here)
    entry = LogEntry.objects.get(action="seats_corrected")
    sentence = log_words(running).sentence(entry)
    assert sentence == "Mātīss Bērziņš and 张静 sat in each other’s places, session 1: the names are mended."
    back = reverse("organiser_wrong_seats_undo", args=[running.slug, 1])
    assert back in client.get(wrong_seats(running)).text
    client.post(back)
    assert (place(running, 1, 1), place(running, 2, 1)) == (here, there)


def test_what_was_recorded_meanwhile_is_looked_at_again(client: Client, running: Tournament) -> None:
    chosen = {"one": "1", "other": "2"}
    seen = client.get(wrong_seats(running), chosen).context["seen"]
    table = running.sessions.get(number=1).tables.get(number=place(running, 1, 1)[0])
    record(table, hand_entry(table, 4))
    answer = client.post(wrong_seats(running), chosen | {"seen": seen})
    assert "The seats have changed since you looked." in refused_page(answer)


def test_a_filmed_table_is_looked_at_and_taken(client: Client) -> None:
    event = organised(client, sessions=3)
    not_begun = client.get(wrong_seats(event)).text
    assert "The session is not being played" in not_begun, "so no names are mended"
    page = reverse("organiser_stream", args=[event.slug])
    answer = client.get(page, {"players": "one", "table": "0"})
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"players", "table", "sessions"}
    assert page in client.get(reverse("organiser_draw", args=[event.slug])).text
    chosen = {"players": "1, 2", "table": "3", "sessions": ["2"]}
    before = seats_of_all(event)
    shown = client.get(page, chosen)
    assert shown.context["compared"].moved
    assert seats_of_all(event) == before
    client.post(page, chosen | {"seen": shown.context["seen"]})
    assert {1, 2} <= set(seats_of_all(event)[1][2].values())
    sentence = log_words(event).sentence(LogEntry.objects.get(action="stream_seated"))
    assert sentence == "At table 3, which is filmed: Mātīss Bērziņš, 张静, session 2."
