"""Two players change seats: the effect first, then the write, and back again."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tournament.models import LogEntry, Seat, Tournament
from tournament.selectors.draws import plan_of
from tournament.selectors.log_words import log_words
from tournament.selectors.public import seating_chart
from tournament.services.draw import draw_seats
from tournament.services.sessions import start_session


@pytest.fixture
def drawn(client: Client) -> Tournament:
    tournament = make_tournament(sessions=5, drawn=False)
    draw_seats(tournament, SYSTEM, seed="one")
    client.force_login(make_organiser(tournament))
    return tournament


def address(tournament: Tournament) -> str:
    return reverse("organiser_swap", args=[tournament.slug])


def place(tournament: Tournament, player: int, session: int) -> tuple[int, str]:
    seat = Seat.objects.get(
        table__session__tournament=tournament, table__session__number=session, player__number=player
    )
    return seat.table.number, seat.wind


def swap(client: Client, tournament: Tournament, session: str = "") -> str:
    """Look at the effect of swapping 1 and 2, and do it."""
    chosen = {"one": "1", "other": "2", "session": session}
    seen = client.get(address(tournament), chosen).context["seen"]
    return client.post(address(tournament), {**chosen, "seen": seen}, follow=True).text


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


def test_in_all_sessions_nobody_meets_again(client: Client, drawn: Tournament) -> None:
    response = client.get(address(drawn), {"one": "1", "other": "2", "session": ""})
    assert response.context["again"] == []
    swap(client, drawn)
    seats = [place(drawn, 2, session) for session in range(1, 6)]
    swap(client, drawn)
    assert [place(drawn, 1, session) for session in range(1, 6)] == seats


def test_at_one_table_they_change_winds(client: Client, drawn: Tournament) -> None:
    east, south = plan_of(seating_chart(drawn))[0][0]["E"], plan_of(seating_chart(drawn))[0][0]["S"]
    client.post(address(drawn), {"one": str(east), "other": str(south), "session": "1"})
    assert (place(drawn, east, 1), place(drawn, south, 1)) == ((1, "S"), (1, "E"))
    winds = [seat.wind for seat in seating_chart(drawn).sessions[0].tables[0][1]]
    assert winds == ["E", "S", "W", "N"]


def test_swaps_are_taken_back_one_after_the_other(client: Client, drawn: Tournament) -> None:
    before = plan_of(seating_chart(drawn))
    swap(client, drawn, "2")
    swap(client, drawn, "")
    back = reverse("organiser_seats_undo", args=[drawn.slug])
    assert back in client.get(reverse("organiser_draw", args=[drawn.slug])).text
    client.post(back)
    assert plan_of(seating_chart(drawn)) != before
    assert "The seats are as they were before." in client.post(back, follow=True).text
    assert plan_of(seating_chart(drawn)) == before
    assert "There is no change of seats to take back." in client.post(back, follow=True).text


def test_once_the_session_has_begun_nothing_moves(client: Client, drawn: Tournament) -> None:
    swap(client, drawn, "1")
    start_session(drawn.sessions.get(number=1), SYSTEM)
    before = plan_of(seating_chart(drawn))
    back = reverse("organiser_seats_undo", args=[drawn.slug])
    assert back not in client.get(reverse("organiser_draw", args=[drawn.slug])).text
    assert "Session 1 has already begun." in client.post(back, follow=True).text
    assert client.post(address(drawn), {"one": "1", "other": "2", "session": "1"}).status_code == 422
    assert plan_of(seating_chart(drawn)) == before
    swap(client, drawn, "")
    assert plan_of(seating_chart(drawn))[0] == before[0]


def test_seats_that_changed_in_the_meantime_are_looked_at_again(client: Client, drawn: Tournament) -> None:
    chosen = {"one": "1", "other": "2", "session": "3"}
    seen = client.get(address(drawn), chosen).context["seen"]
    draw_seats(drawn, SYSTEM, seed="two")
    response = client.post(address(drawn), {**chosen, "seen": seen})
    assert response.status_code == 422
    assert "The seats have changed since you looked." in response.text


def test_what_cannot_be_swapped(client: Client, drawn: Tournament) -> None:
    usual = {"one": "1", "other": "2"}
    for field, value in (("other", "1"), ("other", ""), ("one", "99"), ("session", "9")):
        response = client.get(address(drawn), usual | {field: value})
        assert (response.status_code, field in response.context["form"].errors) == (422, True), (field, value)


def test_when_everything_is_played_there_is_nothing_to_swap_or_plan(client: Client) -> None:
    tournament = make_tournament(players=8, sessions=1, played=1)
    client.force_login(make_organiser(tournament))
    replan = reverse("organiser_replan", args=[tournament.slug])
    for url in (address(tournament), replan):
        assert "No session is left to play" in client.get(url).text
    assert client.post(address(tournament), {"one": "1", "other": "2"}).status_code == 422


def test_htmx_gets_the_effect_alone(client: Client, drawn: Tournament) -> None:
    asked = {"one": "1", "other": "2", "session": "3"}
    response = client.get(address(drawn), asked, headers={"hx-request": "true"})
    assert "Swap them" in response.text
    assert "<html" not in response.text
    nothing = client.get(address(drawn), {**asked, "other": ""}, headers={"hx-request": "true"})
    assert (nothing.status_code, "Swap them" in nothing.text) == (200, False)


def test_the_tables_of_the_session_shown_are_there_to_choose_from(client: Client, drawn: Tournament) -> None:
    shown = client.get(address(drawn), {"shown": "2", "one": "5"})
    tables = [{seat.wind: seat.player.number for seat in seats} for _, seats in shown.context["tables"]]
    assert tables == plan_of(seating_chart(drawn))[1]
    assert shown.context["chosen"] == [5]
    assert shown.context["form"]["session"].value() == 2
