"""A ceremony: begun once all is played, told step by step, and untouched by what is corrected meanwhile."""

from uuid import uuid4

import pytest

from tests.support.checks import newest_sentence
from tests.support.factories import SYSTEM, make_tournament
from tournament.engine.statements import Accusation
from tournament.errors import Refused
from tournament.models import Ceremony, Tournament
from tournament.selectors.ceremony import current_ceremony, kinds_of, podium_of, script_of, told_before
from tournament.services.ceremonies import end_ceremony, start_ceremony, take_back, tell_next
from tournament.services.penalties import give_penalty

PLAYERS = Ceremony.Kind.PLAYERS


@pytest.fixture
def over() -> Tournament:
    """Eight players, both sessions closed."""
    return make_tournament(players=8, sessions=2, played=2)


def tell_all(ceremony: Ceremony) -> list[int]:
    """The ranks in the order they were told."""
    ranks = []
    while not podium_of(ceremony).is_complete:
        ceremony = tell_next(ceremony, SYSTEM, seen=ceremony.told)
        ranks.append(podium_of(ceremony).rank)
    return ranks


@pytest.mark.thorough
def test_players_teams_and_nations_are_told_from_the_last_to_the_winner(over: Tournament) -> None:
    for kind in Ceremony.Kind:
        ceremony = start_ceremony(over, SYSTEM, kind)
        stage = podium_of(ceremony)
        assert (stage.places, stage.is_complete, stage.rank) == ((), False, 0), (
            "nothing is told when it begins"
        )
        ranks = tell_all(ceremony)
        assert ranks == sorted(ranks, reverse=True)
        assert ranks[-1] == 1
    assert max(tell_all(start_ceremony(over, SYSTEM, PLAYERS, 3))) <= 3


def test_each_step_is_told_once_taken_back_and_logged(over: Tournament) -> None:
    ceremony, before = start_ceremony(over, SYSTEM, PLAYERS), over.log.count()
    tell_next(ceremony, SYSTEM, seen=0)
    ceremony = tell_next(ceremony, SYSTEM, seen=0)
    assert ceremony.told == 1
    assert over.log.count() == before + 1
    newest = podium_of(ceremony).newest
    ceremony = take_back(ceremony, SYSTEM, seen=1)
    assert podium_of(ceremony).places == ()
    assert podium_of(tell_next(ceremony, SYSTEM, seen=0)).newest == newest
    ceremony = start_ceremony(over, SYSTEM, PLAYERS, 3)
    before = over.log.count()
    assert take_back(ceremony, SYSTEM, seen=0).told == 0
    assert over.log.count() == before
    tell_all(ceremony)
    ceremony.refresh_from_db()
    last = ceremony.told
    assert tell_next(ceremony, SYSTEM, seen=last).told == last
    ceremony = tell_next(start_ceremony(over, SYSTEM, PLAYERS, 3), SYSTEM, seen=0)
    line = podium_of(ceremony).places[0][0]
    assert newest_sentence(over) == f"Told in the ceremony: place {line.rank}."


def test_a_correction_meanwhile_moves_nobody_and_is_said(over: Tournament) -> None:
    ceremony = start_ceremony(over, SYSTEM, PLAYERS)
    assert not script_of(ceremony).is_out_of_date
    table = over.sessions.get(number=2).tables.get(number=1)
    winner = table.seats.order_by("-game_points")[0].player.number
    give_penalty(table, SYSTEM, Accusation(winner, "false_hu", 1), uuid=uuid4())
    fresh = Ceremony.objects.get(pk=ceremony.pk)
    assert fresh.lines == ceremony.lines
    assert script_of(fresh).is_out_of_date


def test_another_one_ends_the_one_before_and_what_was_told_stays(over: Tournament) -> None:
    first = start_ceremony(over, SYSTEM, Ceremony.Kind.TEAMS)
    tell_next(first, SYSTEM, seen=0)
    second = start_ceremony(over, SYSTEM, PLAYERS)
    assert current_ceremony(over) == second
    assert [(stage.kind, len(stage.places)) for stage in told_before(over)] == [("teams", 1)]
    with pytest.raises(Refused, match="ceremony_over"):
        tell_next(first, SYSTEM, seen=1)
    end_ceremony(second, SYSTEM)
    assert current_ceremony(over) is None


def test_it_waits_for_the_session_being_played() -> None:
    assert kinds_of(make_tournament(players=8, sessions=2, name="Fresh")) == [], "there is nobody to call"
    playing = make_tournament(players=8, sessions=2, played=1, running=1)
    with pytest.raises(Refused, match="session_still_running"):
        start_ceremony(playing, SYSTEM, PLAYERS)
