"""Penalties at a table: their points, their escalation, their cancelling."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from django.utils.translation import override

from penalties.engine import PaidTo, Points, PointScope, Sanction
from penalties.models import Penalty
from tests.support.checks import is_whole, refused_codes
from tests.support.closing import players_at
from tests.support.factories import SYSTEM, make_tournament, make_umpire, play_hands, record, wash_out, win
from tournament.base.access import Actor, Audience
from tournament.base.engine.entries import WIN, HandEntry
from tournament.base.engine.rules import seat_wind
from tournament.base.errors import Refused
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.fouls.selectors import assess
from tournament.fouls.services.penalties import cancel_penalty, give_penalty, undo_penalty
from tournament.play.engine.statements import Accusation
from tournament.play.services.hands import correct_hand, undo_hand
from tournament.play.services.tables import hand_in
from tournament.ranking.selectors.standings import current_standings
from tournament.web.texts.problems import sentence


@pytest.fixture
def table() -> Table:
    """One hand is recorded; hand 2 is under way."""
    tournament = make_tournament(running=1)
    return tournament.sessions.get(number=1).tables.get(number=1)


def scores(table: Table) -> dict[int, int]:
    return dict(table.seats.values_list("player__number", "game_points"))


def give(
    table: Table, player: int, foul: str, hand: int | None = 1, actor: Actor = SYSTEM, **more: Any
) -> Penalty:
    return give_penalty(table, actor, Accusation(player, foul, hand, **more), uuid=uuid4())


def changes(table: Table, player: int, foul: str, **details: Any) -> dict[int, int]:
    """Give the penalty; return what it changes at the table."""
    before = scores(table)
    give(table, player, foul, details=details)
    return {number: points - before[number] for number, points in scores(table).items()}


def test_a_false_hu_pays_the_others_and_a_disqualified_player_has_no_rank(table: Table) -> None:
    offender, *others = players_at(table)
    assert changes(table, offender, "false_hu") == {offender: -60} | dict.fromkeys(others, 20)
    assert changes(table, offender, "late", minutes=16) == {offender: -40} | dict.fromkeys(others, 0)
    offender = players_at(table)[0]
    give(table, offender, "severe_disturbance")
    standings = current_standings(Tournament.objects.get(), Audience.STAFF)
    assert standings.find(offender).rank is None


def test_empty_calls_climb_from_a_warning_and_a_cancelled_one_does_not_count(table: Table) -> None:
    offender = players_at(table)[0]
    assert [changes(table, offender, "empty_call")[offender] for _ in range(2)] == [0, -5]
    before = scores(table)
    cancel_penalty(give(table, offender, "empty_call"), SYSTEM, reason="misheard")
    assert scores(table) == before
    assert [changes(table, offender, "empty_call")[offender] for _ in range(2)] == [-10, -20]


@pytest.mark.parametrize("foul", ["false_hu", "wrong_tile_count"])
def test_a_player_with_a_dead_hand_cannot_win_that_hand_but_the_next(table: Table, foul: str) -> None:
    offender, other, *_ = players_at(table)
    give(table, offender, foul, 2)
    assert refused_codes(record, table, win(offender, other)) == ["dead_hand"]
    assert record(table, win(other, offender)).number == 2
    assert record(table, win(offender, other)).number == 3


def test_a_dead_hand_is_said_in_any_language_and_a_cancelled_one_forbids_nothing(table: Table) -> None:
    offender, other, *_ = players_at(table)
    penalty = give(table, offender, "false_hu", 2)
    with pytest.raises(Refused) as refused:
        record(table, win(offender, other))
    (problem,) = refused.value.problems
    assert problem.params["foul"] == "false_hu"
    for language, foul in (("en", "(False hu)"), ("zh-hans", "（错和）"), ("zh-hant", "（錯和）")):
        with override(language):
            assert foul in sentence(problem)
    cancel_penalty(penalty, SYSTEM, reason="it was right")
    hand = record(table, wash_out())
    give(table, other, "false_claim", 2)
    late = win(other, offender)
    assert refused_codes(correct_hand, hand, SYSTEM, late, reason="seen", uuid=uuid4()) == ["dead_hand"]
    won = correct_hand(hand, SYSTEM, win(offender, other), reason="seen", uuid=uuid4())
    assert won.winner is not None, "its dead hand was cancelled"


def in_turn(table: Table) -> list[int]:
    """The players in the order of play in the hand to come."""
    chart = table.session.tournament.rules.chart
    seats = table.seats.all()
    winds = {seat.player.number: seat_wind(seat.wind, table.hands_played + 1, chart) for seat in seats}
    return sorted(winds, key=lambda player: "ESWN".index(winds[player]))


def test_all_that_keeps_somebody_from_winning_comes_at_once(table: Table) -> None:
    barred, discarder, nearer, _ = in_turn(table)
    give(table, barred, "false_claim", 2)
    both = HandEntry(WIN, barred, discarder, points=8, claimants=(nearer,))
    assert refused_codes(record, table, both) == ["nearer_claimant", "dead_hand"]


def test_a_claimant_with_a_dead_hand_does_not_come_first(table: Table) -> None:
    discarder, barred, following, last = in_turn(table)
    give(table, barred, "false_claim", 2)
    too_far = HandEntry(WIN, last, discarder, points=8, claimants=(barred, following))
    assert refused_codes(record, table, too_far) == ["nearer_claimant"]
    won = record(table, HandEntry(WIN, following, discarder, points=8, claimants=(barred, last)))
    assert won.claimants == [barred, last]


def test_a_foul_is_in_a_hand_that_has_begun_and_warns_of_one_already_won(table: Table) -> None:
    offender, before = players_at(table)[0], scores(table)
    for foul in ("empty_call", "late_pung", "false_hu"):
        with pytest.raises(Refused, match=r"^hand_number: hand_not_begun$"):
            give(table, offender, foul, 3)
    assert scores(table) == before
    winner = table.hands.get(number=1).winner
    assert winner is not None
    ruling = assess(table, Accusation(winner.number, "false_claim", hand_number=1))
    assert [problem.code for problem in ruling.warnings] == ["dead_hand_has_won"]
    assert ruling.problems == ()


def test_a_late_pung_in_hand_16_after_six_hands_is_refused() -> None:
    table = make_tournament(running=(6, 0, 0, 0)).sessions.get(number=1).tables.get(number=1)
    offender = players_at(table)[0]
    (problem,) = assess(table, Accusation(offender, "late_pung", hand_number=16)).problems
    assert sentence(problem) == "Hand 16 has not begun: hand 7 is under way."
    assert assess(table, Accusation(offender, "late_pung", hand_number=7)).problems == ()


@pytest.mark.parametrize(
    "finish", [hand_in, lambda table, actor: play_hands(table, 15, actor)], ids=["in", "full"]
)
def test_where_no_hand_follows_there_is_no_dead_hand_to_come(table: Table, finish: Any) -> None:
    offender = players_at(table)[0]
    finish(table, SYSTEM)
    played = Table.objects.get(pk=table.pk).hands_played
    (code,) = refused_codes(give, table, offender, "false_hu", played + 1)
    assert code in ("no_hand_under_way", "no_such_hand")
    assert give(table, offender, "false_hu", played)


def test_a_dead_hand_is_for_a_hand_and_outside_one_the_points_alone_may_be_given(table: Table) -> None:
    (offender, *others), before = players_at(table), scores(table)
    for foul in ("false_hu", "false_claim", "wrong_tile_count"):
        with pytest.raises(Refused, match=r"^hand_number: hand_number_missing$"):
            give(table, offender, foul, None)
    give(table, offender, "false_hu", None, imposed=TWENTY_EACH, because="the hand was over")
    assert scores(table) == {offender: before[offender] - 60} | {n: before[n] + 20 for n in others}


def test_a_hand_is_not_taken_back_from_under_a_foul_in_the_next(table: Table) -> None:
    umpire = Actor.of(make_umpire(table.session.tournament))
    hand = record(table, wash_out(), umpire)
    foul = give(table, players_at(table)[0], "empty_call", 3, umpire)
    assert refused_codes(undo_hand, hand, umpire) == ["cannot_undo"]
    cancel_penalty(foul, umpire, reason="nothing was called")
    assert not undo_hand(hand, umpire).is_current


TWENTY_EACH = Sanction(points=Points(20, PointScope.HAND, PaidTo.EACH_OPPONENT))


def test_the_umpires_own_sanction_needs_a_reason_and_keeps_what_the_book_says(table: Table) -> None:
    (offender, *others), before = players_at(table), scores(table)
    assert refused_codes(give, table, offender, "empty_call", 2, imposed=TWENTY_EACH, because=" ") == [
        "because_missing"
    ]
    assert scores(table) == before
    penalty = give(table, offender, "empty_call", 2, imposed=TWENTY_EACH, because="the third warning today")
    assert scores(table) == {offender: before[offender] - 60} | {n: before[n] + 20 for n in others}
    assert (penalty.proposed, penalty.because) == ({"warning": True}, "the third warning today")
    assert is_whole()


def test_the_books_own_sanction_is_no_override_and_an_overridden_foul_still_counts(table: Table) -> None:
    offender, warning = players_at(table)[0], Sanction(warning=True)
    for foul, sanction in (("empty_call", warning), ("cheating", Sanction(disqualification=True))):
        assert give(table, offender, foul, 2, imposed=sanction).proposed is None
    give(table, offender, "empty_call", 2, imposed=warning, because="unclear")
    ruling = assess(table, Accusation(offender, "empty_call", 2))
    assert ruling.sanction == Sanction(points=Points(10)), "the next rung"


def test_points_of_the_tournament_do_not_move_the_table_and_one_uuid_is_one_penalty(table: Table) -> None:
    offender, before = players_at(table)[0], scores(table)
    fine = Sanction(points=Points(30, PointScope.TOURNAMENT))
    give(table, offender, "late", None, details={"minutes": 3}, imposed=fine, because="x")
    assert scores(table) == before
    standings = current_standings(Tournament.objects.get(), Audience.STAFF)
    assert standings.find(offender).game_points == before[offender] - 30
    stated, uuid = Accusation(players_at(table)[0], "false_hu", 1), uuid4()
    first = give_penalty(table, SYSTEM, stated, uuid=uuid)
    after = scores(table)
    assert give_penalty(table, SYSTEM, stated, uuid=uuid) == first
    assert scores(table) == after


def test_who_gave_a_penalty_by_a_slip_undoes_it_within_a_minute(table: Table) -> None:
    umpire, other = (Actor.of(make_umpire(table.session.tournament, name)) for name in ("uma", "una"))
    before = scores(table)
    penalty = give(table, players_at(table)[0], "false_hu", actor=umpire)
    assert refused_codes(undo_penalty, penalty, other, reason="A slip") == ["cannot_undo_penalty"]
    for _again in range(2):
        undone = undo_penalty(penalty, umpire, reason="A slip")
    assert (undone.cancelled_because, scores(table)) == ("A slip", before)
    assert table.session.tournament.log.filter(action="penalty_cancelled").count() == 1
    assert is_whole()
    penalty = give(table, players_at(table)[0], "false_hu", actor=umpire)
    Penalty.objects.update(given_at=timezone.now() - timedelta(seconds=61))
    with pytest.raises(Refused):
        undo_penalty(penalty, umpire, reason="A slip")
    assert cancel_penalty(penalty, umpire, reason="It was a valid call").is_cancelled
