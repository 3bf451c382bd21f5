"""Players leave and come during the event: the sessions left are planned again, and it can be taken back."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, entrant, make_organiser, make_tournament, make_umpire
from tournament.access import Actor, can_umpire
from tournament.models import LogEntry, Table, Tournament
from tournament.selectors.draws import plan_of
from tournament.selectors.log_words import log_words
from tournament.selectors.public import seating_chart
from tournament.services.players import add_players, withdraw_player
from tournament.services.sessions import start_session


@pytest.fixture
def playing(client: Client) -> Tournament:
    tournament = make_tournament(sessions=4, played=1)
    client.force_login(make_organiser(tournament))
    return tournament


def address(tournament: Tournament) -> str:
    return reverse("organiser_replan", args=[tournament.slug])


def take(client: Client, tournament: Tournament) -> str:
    seen = client.get(address(tournament)).context["seen"]
    return client.post(address(tournament), {"seen": seen}, follow=True).text


def withdraw(tournament: Tournament, *numbers: int) -> None:
    for number in numbers:
        withdraw_player(tournament.players.get(number=number), SYSTEM)


def plan(tournament: Tournament) -> list[list[dict[str, int]]]:
    return plan_of(seating_chart(tournament))


@pytest.mark.thorough
def test_four_leave_and_a_table_closes(client: Client, playing: Tournament) -> None:
    before = plan(playing)
    withdraw(playing, 2, 7, 9, 16)
    shown = client.get(address(playing))
    assert (shown.context["first"], shown.context["tables"]) == (2, (4, 3))
    assert shown.context["compared"].seats == 4 * 16, "those who leave have seats to lose"
    gone = [moved for moved in shown.context["compared"].moved if moved.change.after is None]
    assert {moved.player.number for moved in gone} == {2, 7, 9, 16}
    assert plan(playing) == before
    assert "The sessions left are planned again." in take(client, playing)
    after = plan(playing)
    assert after[0] == before[0]
    for session in after[1:]:
        seated = sorted(number for table in session for number in table.values())
        assert seated == [n for n in range(1, 17) if n not in (2, 7, 9, 16)]
    kept = playing.sessions.get(number=1).tables.get(number=1)
    assert kept.hands_played == 2, "what was played is untouched"


def test_a_substitute_takes_the_seats_of_who_left(client: Client, playing: Tournament) -> None:
    """Without one, what is missing is said."""
    before = plan(playing)
    withdraw(playing, 5)
    assert "15 players do not fill whole tables. Still needed: 1." in client.get(address(playing)).text
    assert client.post(address(playing)).status_code == 422
    assert plan(playing) == before
    add_players(playing, SYSTEM, [entrant(17)])
    take(client, playing)
    substituted = [
        [{wind: 17 if number == 5 else number for wind, number in table.items()} for table in session]
        for session in before[1:]
    ]
    assert plan(playing)[1:] == substituted


@pytest.mark.thorough
def test_pages_lead_there_when_it_is_needed(client: Client, playing: Tournament) -> None:
    pages = [reverse(name, args=[playing.slug]) for name in ("organiser_draw", "organiser_board")]

    def offers() -> list[bool]:
        return [address(playing) in client.get(page).text for page in pages]

    assert offers() == [False, False]
    assert "Everybody who plays has a seat" in client.get(address(playing)).text
    withdraw(playing, 1, 2, 3, 4)
    assert offers() == [True, True]
    take(client, playing)
    assert offers() == [False, False]
    assert "The list of players has changed since" not in client.get(pages[0]).text


def test_it_is_taken_back_until_the_next_session_begins(client: Client, playing: Tournament) -> None:
    """Umpires keep the tables of the same numbers."""
    table_2 = playing.sessions.get(number=3).tables.get(number=2)
    umpire, before = Actor.of(make_umpire(playing, tables=[table_2])), plan(playing)
    withdraw(playing, 1, 2, 3, 4)
    take(client, playing)
    entry = LogEntry.objects.get(action="seats_replanned")
    assert log_words(playing).sentence(entry) == "Seats planned again for 12 players: sessions 2, 3, 4."
    tables = Table.objects.filter(session__tournament=playing).select_related("session__tournament")
    reached = [(table.session.number, table.number) for table in tables if can_umpire(umpire, table)]
    assert reached == [(3, 2)]
    back = reverse("organiser_seats_undo", args=[playing.slug])
    assert "The seats are as they were before." in client.post(back, follow=True).text
    assert plan(playing) == before
    assert "There is no change of seats to take back." in client.post(back, follow=True).text
    take(client, playing)
    start_session(playing.sessions.get(number=2), SYSTEM)
    now = plan(playing)
    assert "Session 2 has already begun." in client.post(back, follow=True).text
    assert plan(playing) == now


@pytest.mark.thorough
def test_players_who_changed_in_the_meantime_are_looked_at_again(client: Client, playing: Tournament) -> None:
    withdraw(playing, 1, 2, 3, 4)
    seen = client.get(address(playing)).context["seen"]
    withdraw(playing, 5, 6, 7, 8)
    before = plan(playing)
    assert client.post(address(playing), {"seen": seen}).status_code == 422
    assert plan(playing) == before
