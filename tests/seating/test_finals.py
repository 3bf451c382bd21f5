"""Finalists are checked again when the standings change, until the organiser decides."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tests.support.html import read, words
from tests.support.pages import missing
from tests.support.play import correct_hand_of
from tournament.base.engine.finals import Carry
from tournament.base.engine.notices import Audience
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Tournament
from tournament.exchange.audit import audit
from tournament.players.services.players import withdraw_player
from tournament.ranking.engine.finals import FinalsOptions, FinalStage
from tournament.ranking.selectors.standings import current_standings
from tournament.ranking.services import publish_standings
from tournament.seating.selectors.draws import stored_plan
from tournament.seating.selectors.finals import FinalistChange, finalist_change
from tournament.seating.services.seatings import confirm_finalists, set_up_final, undo_plan_change
from tournament.site.selectors.next_step import next_step

OPTIONS = FinalsOptions(FinalStage(4, 4), 1, "lotto")
AGAIN = FinalsOptions(FinalStage(4, 4), 1, "lotto", replace=True)


@pytest.fixture
def tournament() -> Tournament:
    """Two sessions are played, a final of four is set up; a correction makes others qualify."""
    tournament = make_tournament(players=16, sessions=3, played=2)
    set_up_final(tournament, SYSTEM, OPTIONS)
    tournament.refresh_from_db()
    assert finalist_change(tournament) is None
    correct_hand_of(tournament, 1)
    tournament.refresh_from_db()
    return tournament


def change_of(tournament: Tournament) -> FinalistChange:
    tournament.refresh_from_db()
    change = finalist_change(tournament)
    assert change is not None
    return change


def step_code(tournament: Tournament) -> str:
    """Return the next step once the standings are published."""
    publish_standings(tournament, SYSTEM)
    tournament.refresh_from_db()
    return next_step(tournament).code


def best_four(tournament: Tournament) -> set[int]:
    return {row.number for row in current_standings(tournament, Audience.STAFF).rows[:4]}


def test_a_correction_names_who_would_be_in_the_final(tournament: Tournament) -> None:
    final, change = tournament.finals.get(), change_of(tournament)
    joining = {player.number for player in change.joining}
    assert joining == best_four(tournament) - set(final.numbers) != set()
    assert {player.number for player in change.leaving} == set(final.numbers) - best_four(tournament)
    assert step_code(tournament) == "check_finalists"


def test_a_final_that_is_set_up_again_has_the_players_who_qualify_now(tournament: Tournament) -> None:
    before, first = stored_plan(tournament), tournament.finals.get()
    assert refused_codes(set_up_final, tournament, SYSTEM, OPTIONS) == ["finals_set_already"]
    final = set_up_final(tournament, SYSTEM, AGAIN)
    tournament.refresh_from_db()
    assert set(final.numbers) == best_four(tournament)
    assert finalist_change(tournament) is None
    assert list(audit(tournament)) == []
    undo_plan_change(tournament, SYSTEM)
    tournament.refresh_from_db()
    assert tournament.finals.get().groups == first.groups
    assert stored_plan(tournament) == before
    assert list(audit(tournament)) == []


def test_kept_finalists_stay_until_others_would_qualify(tournament: Tournament) -> None:
    seen = change_of(tournament).seen
    confirm_finalists(tournament, SYSTEM, seen=seen)
    tournament.refresh_from_db()
    assert finalist_change(tournament) is None
    assert step_code(tournament) == "start_session"
    assert list(audit(tournament)) == []
    version = tournament.version
    confirm_finalists(tournament, SYSTEM, seen=seen)
    tournament.refresh_from_db()
    assert tournament.version == version
    withdraw_player(tournament.players.get(number=min(best_four(tournament))), SYSTEM)
    assert change_of(tournament).seen != seen
    assert refused_codes(confirm_finalists, tournament, SYSTEM, seen=seen) == ["finalists_changed"]


def test_a_finalist_who_left_is_replaced_or_has_a_stand_in(tournament: Tournament) -> None:
    set_up_final(tournament, SYSTEM, AGAIN)
    tournament.refresh_from_db()
    finalist = tournament.players.get(number=tournament.finals.get().numbers[0])
    withdraw_player(finalist, SYSTEM)
    assert change_of(tournament).leaving == (finalist,)
    confirm_finalists(tournament, SYSTEM, seen=change_of(tournament).seen)
    tournament.refresh_from_db()
    assert step_code(tournament) == "name_stand_in"
    set_up_final(tournament, SYSTEM, AGAIN)
    tournament.refresh_from_db()
    assert finalist.number not in tournament.finals.get().numbers
    assert step_code(tournament) == "start_session"


def test_board_draw_and_start_say_who_would_qualify(client: Client, tournament: Tournament) -> None:
    client.force_login(make_organiser(tournament))
    change = change_of(tournament)
    for name, args in (
        ("organiser_session", [3]),
        ("organiser_draw", []),
        ("organiser_session_start", [3]),
        ("organiser_finals", []),
    ):
        page = client.get(reverse(name, args=[tournament.slug, *args]))
        assert change.joining[0].name in words(read(page)), name
        assert "in the final instead of" in words(read(page)), name
    form = {"size": "4", "carry": Carry.FULL.value, "sessions": "1", "seed": "lotto", "replace": "True"}
    preview = client.get(reverse("organiser_finals", args=[tournament.slug]), form)
    assert missing(preview.text, 'name="replace" value="True"', "Nothing is stored yet.") == []
    keep = reverse("organiser_finalists_confirm", args=[tournament.slug])
    assert client.post(keep, {"seen": change.seen}).status_code == 302
    board = client.get(reverse("organiser_session", args=[tournament.slug, 3]))
    assert "in the final instead of" not in words(read(board))


def test_the_preview_of_a_penalty_names_who_would_leave_the_final(
    client: Client, tournament: Tournament
) -> None:
    client.force_login(make_organiser(tournament))
    still_in = best_four(tournament) & set(tournament.finals.get().numbers)
    seat = Seat.objects.filter(table__session__number=2, player__number__in=still_in).first()
    assert seat is not None
    url = reverse("organiser_penalty_new", args=[tournament.slug])
    form = {"uuid": str(uuid4()), "preview": "1", "own": "on", "because": "insult"}
    form |= {"amount": "1000", "paid_to": "nobody", "scope": "session"}
    target = f"{url}?player={seat.player.number}&session=2&foul=false_claim"
    [warning] = re.findall(r"in the final instead of.*", words(read(client.post(target, form))))
    assert seat.player.name in warning
