"""Penalties at a table: their points, their escalation, their cancelling."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from django.utils.translation import override

from penalties.engine import PaidTo, Points, PointScope, Sanction
from penalties.models import Penalty
from tests.support.factories import SYSTEM, make_tournament, make_umpire, play_hands, record, wash_out, win
from tournament.access import Actor, Audience
from tournament.audit import audit
from tournament.engine.entry import WIN, HandEntry
from tournament.engine.rotation import seat_wind
from tournament.engine.statements import Accusation
from tournament.errors import Refused
from tournament.models import Seat, Table, Tournament
from tournament.selectors.assessments import assess
from tournament.selectors.standings import current_standings
from tournament.services.hands import correct_hand, undo_hand
from tournament.services.penalties import cancel_penalty, give_penalty, undo_penalty
from tournament.services.tables import hand_in
from tournament.words.problems import sentence

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    tournament = make_tournament(running=1)
    return tournament.sessions.get(number=1).tables.get(number=1)


def scores(table: Table) -> dict[int, int]:
    return dict(table.seats.values_list("player__number", "game_points"))


def give(table: Table, foul: str, player: int, **facts: object) -> dict[int, int]:
    """Give the penalty; what it changed at the table."""
    before = scores(table)
    victim = facts.pop("victim", None)
    stated = Accusation(player, foul, hand_number=1, victim=victim, details=facts)  # type: ignore[arg-type]
    give_penalty(table, SYSTEM, stated, uuid=uuid4())
    return {number: points - before[number] for number, points in scores(table).items()}


def test_false_hu_pays_twenty_to_each_of_the_others(table: Table) -> None:
    offender, *others = scores(table)
    assert give(table, "false_hu", offender) == {offender: -60} | dict.fromkeys(others, 20)


def test_lateness_is_paid_to_nobody(table: Table) -> None:
    offender, *others = scores(table)
    assert give(table, "late", offender, minutes=16) == {offender: -40} | dict.fromkeys(others, 0)


def test_empty_calls_climb_from_a_warning(table: Table) -> None:
    offender = next(iter(scores(table)))
    climbed = [give(table, "empty_call", offender)[offender] for _ in range(4)]
    assert climbed == [0, -5, -10, -20]


def test_a_cancelled_penalty_gives_its_points_back_and_counts_no_more(table: Table) -> None:
    offender = next(iter(scores(table)))
    give(table, "empty_call", offender)
    before = scores(table)
    second = give_penalty(table, SYSTEM, Accusation(offender, "empty_call", 1), uuid=uuid4())
    cancel_penalty(second, SYSTEM, reason="misheard")
    assert scores(table) == before
    assert give(table, "empty_call", offender)[offender] == -5


def test_the_same_uuid_twice_is_one_penalty(table: Table) -> None:
    offender, uuid = next(iter(scores(table))), uuid4()
    first = give_penalty(table, SYSTEM, Accusation(offender, "false_hu", 1), uuid=uuid)
    after = scores(table)
    assert give_penalty(table, SYSTEM, Accusation(offender, "false_hu", 1), uuid=uuid) == first
    assert scores(table) == after


@pytest.mark.parametrize(
    ("foul", "details", "code"),
    [
        ("late", {}, "minutes_missing"),
        ("rules_violation", {"points": 7}, "points_not_on_scale"),
        ("knocked_tiles", {"points": 30}, "victim_missing"),
        ("shown_tiles", {}, "hu_was_valid_missing"),
        ("no_such_foul", {}, "foul_unknown"),
    ],
)
def test_what_a_foul_needs_is_asked_for(table: Table, foul: str, details: dict[str, Any], code: str) -> None:
    offender, before = next(iter(scores(table))), scores(table)
    with pytest.raises(Refused) as refused:
        give_penalty(table, SYSTEM, Accusation(offender, foul, 1, details=details), uuid=uuid4())
    assert code in [problem.code for problem in refused.value.problems]
    assert scores(table) == before


def test_a_disqualified_player_has_no_rank(table: Table) -> None:
    offender = next(iter(scores(table)))
    give_penalty(table, SYSTEM, Accusation(offender, "severe_disturbance", 1), uuid=uuid4())
    tournament = table.session.tournament
    tournament.refresh_from_db()
    assert current_standings(tournament, Audience.STAFF).find(offender).rank is None


# --- what a penalty forbids in its hand -------------------------------------------------------------------------
def refused_codes(write: Any) -> list[str]:
    with pytest.raises(Refused) as refused:
        write()
    return [problem.code for problem in refused.value.problems]


@pytest.mark.parametrize("foul", ["false_hu", "wrong_tile_count"])
def test_a_player_with_a_dead_hand_cannot_win_that_hand(table: Table, foul: str) -> None:
    offender, other, *_ = scores(table)
    give_penalty(table, SYSTEM, Accusation(offender, foul, hand_number=2), uuid=uuid4())
    assert refused_codes(lambda: record(table, win(offender, other))) == ["dead_hand"]
    assert record(table, win(other, offender)).number == 2


@pytest.mark.parametrize(("language", "foul"), [("en", "False hu"), ("zh-hans", "错和"), ("zh-hant", "錯和")])
def test_a_dead_hand_is_told_in_codes_and_said_in_any_language(
    table: Table, language: str, foul: str
) -> None:
    offender, other, *_ = scores(table)
    give_penalty(table, SYSTEM, Accusation(offender, "false_hu", hand_number=2), uuid=uuid4())
    with pytest.raises(Refused) as refused:
        record(table, win(offender, other))
    (problem,) = refused.value.problems
    assert problem.params["foul"] == "false_hu"
    with override(language):
        assert f"({foul})" in sentence(problem).replace("（", "(").replace("）", ")")


def test_a_dead_hand_is_over_with_its_hand(table: Table) -> None:
    offender, other, *_ = scores(table)
    give_penalty(table, SYSTEM, Accusation(offender, "false_claim", hand_number=2), uuid=uuid4())
    record(table, wash_out())
    assert record(table, win(offender, other)).number == 3


def test_a_hand_is_not_corrected_into_a_win_with_a_dead_hand(table: Table) -> None:
    offender, other, *_ = scores(table)
    hand = record(table, wash_out())
    give_penalty(table, SYSTEM, Accusation(offender, "false_claim", hand_number=2), uuid=uuid4())
    late = win(offender, other)
    assert refused_codes(lambda: correct_hand(hand, SYSTEM, late, reason="seen", uuid=uuid4())) == [
        "dead_hand"
    ]


def test_a_cancelled_dead_hand_forbids_nothing(table: Table) -> None:
    offender, other, *_ = scores(table)
    given = give_penalty(table, SYSTEM, Accusation(offender, "false_claim", hand_number=2), uuid=uuid4())
    cancel_penalty(given, SYSTEM, reason="it was right")
    assert record(table, win(offender, other)).number == 2


def test_a_dead_hand_for_a_hand_already_won_is_given_with_a_warning(table: Table) -> None:
    winner = next(hand.winner for hand in table.hands.all() if hand.number == 1)
    assert winner is not None
    ruling = assess(table, Accusation(winner.number, "false_claim", hand_number=1))
    assert [problem.code for problem in ruling.warnings] == ["dead_hand_has_won"]
    assert ruling.problems == ()


def test_all_that_keeps_somebody_from_winning_is_told_at_once(table: Table) -> None:
    barred, discarder, nearer, _ = (seat.player.number for seat in in_turn(table))
    give_penalty(table, SYSTEM, Accusation(barred, "false_claim", hand_number=2), uuid=uuid4())
    both = HandEntry(WIN, barred, discarder, points=8, claimants=(nearer,))
    assert refused_codes(lambda: record(table, both)) == ["nearer_claimant", "dead_hand"]


def test_a_claimant_with_a_dead_hand_does_not_come_first(table: Table) -> None:
    discarder, barred, next_one, last = (seat.player.number for seat in in_turn(table))
    give_penalty(table, SYSTEM, Accusation(barred, "false_claim", hand_number=2), uuid=uuid4())
    too_far = HandEntry(WIN, last, discarder, points=8, claimants=(barred, next_one))
    assert refused_codes(lambda: record(table, too_far)) == ["nearer_claimant"]
    won = record(table, HandEntry(WIN, next_one, discarder, points=8, claimants=(barred, last)))
    assert won.claimants == [barred, last]


def in_turn(table: Table) -> list[Seat]:
    """The seats in the order of play in the hand to come."""
    chart = table.session.tournament.rules.chart
    return sorted(
        table.seats.all(), key=lambda s: "ESWN".index(seat_wind(s.wind, table.hands_played + 1, chart))
    )


# --- the hand a foul was in ---------------------------------------------------------------------------------------
def test_a_foul_is_in_a_hand_that_has_begun(table: Table) -> None:
    offender, before = next(iter(scores(table))), scores(table)
    for foul in ("empty_call", "late_pung", "false_hu"):
        coming = Accusation(offender, foul, hand_number=3)
        assert refused_codes(lambda foul=coming: give_penalty(table, SYSTEM, foul, uuid=uuid4())) == [
            "hand_not_begun"
        ]
    assert scores(table) == before


def test_a_late_pung_in_hand_16_after_six_hands_is_refused() -> None:
    table = make_tournament(running=(6, 0, 0, 0)).sessions.get(number=1).tables.get(number=1)
    offender = next(iter(scores(table)))
    (problem,) = assess(table, Accusation(offender, "late_pung", hand_number=16)).problems
    assert sentence(problem) == "Hand 16 has not begun: hand 7 is under way."
    assert assess(table, Accusation(offender, "late_pung", hand_number=7)).problems == ()


@pytest.mark.parametrize(
    "finish", [hand_in, lambda table, actor: play_hands(table, 15, actor)], ids=["in", "full"]
)
def test_where_no_hand_follows_there_is_no_dead_hand_to_come(table: Table, finish: Any) -> None:
    offender = next(iter(scores(table)))
    finish(table, SYSTEM)
    played = Table.objects.get(pk=table.pk).hands_played
    coming = Accusation(offender, "false_hu", hand_number=played + 1)
    (code,) = refused_codes(lambda: give_penalty(table, SYSTEM, coming, uuid=uuid4()))
    assert code in ("no_hand_under_way", "no_such_hand")
    assert give_penalty(table, SYSTEM, Accusation(offender, "false_hu", hand_number=played), uuid=uuid4())


@pytest.mark.parametrize("foul", ["false_hu", "false_claim", "wrong_tile_count"])
def test_a_dead_hand_is_for_a_hand(table: Table, foul: str) -> None:
    offender = next(iter(scores(table)))
    outside = Accusation(offender, foul)
    assert refused_codes(lambda: give_penalty(table, SYSTEM, outside, uuid=uuid4())) == [
        "hand_number_missing"
    ]


def test_outside_a_hand_the_points_alone_may_be_given(table: Table) -> None:
    offender, *others = scores(table)
    before = scores(table)
    alone = Accusation(offender, "false_hu", imposed=TWENTY_EACH, because="the hand was over")
    give_penalty(table, SYSTEM, alone, uuid=uuid4())
    assert scores(table) == {offender: before[offender] - 60} | {n: before[n] + 20 for n in others}


def test_a_hand_is_not_taken_back_from_under_a_foul_in_the_next(table: Table) -> None:
    umpire = Actor.of(make_umpire(table.session.tournament))
    offender = next(iter(scores(table)))
    hand = record(table, wash_out(), umpire)
    foul = give_penalty(table, umpire, Accusation(offender, "empty_call", hand_number=3), uuid=uuid4())
    assert refused_codes(lambda: undo_hand(hand, umpire)) == ["cannot_undo"]
    cancel_penalty(foul, umpire, reason="nothing was called")
    assert not undo_hand(hand, umpire).is_current


# --- the umpire's own sanction ----------------------------------------------------------------------------------
TWENTY_EACH = Sanction(points=Points(20, PointScope.HAND, PaidTo.EACH_OPPONENT))


def test_another_sanction_than_the_books_needs_a_reason(table: Table) -> None:
    offender, before = next(iter(scores(table))), scores(table)
    own = Accusation(offender, "empty_call", 2, imposed=TWENTY_EACH, because=" ")
    assert refused_codes(lambda: give_penalty(table, SYSTEM, own, uuid=uuid4())) == ["because_missing"]
    assert scores(table) == before


def test_the_umpires_own_sanction_counts_and_keeps_what_the_book_said(table: Table) -> None:
    offender, before = next(iter(scores(table))), scores(table)
    own = Accusation(offender, "empty_call", 2, imposed=TWENTY_EACH, because="the third warning today")
    penalty = give_penalty(table, SYSTEM, own, uuid=uuid4())
    assert scores(table) == {n: p - 60 if n == offender else p + 20 for n, p in before.items()}
    assert (penalty.proposed, penalty.because) == ({"warning": True}, "the third warning today")
    assert list(audit(table.session.tournament)) == []


def test_the_books_own_sanction_stated_is_no_override(table: Table) -> None:
    offender = next(iter(scores(table)))
    same = Accusation(offender, "empty_call", 2, imposed=Sanction(warning=True))
    assert give_penalty(table, SYSTEM, same, uuid=uuid4()).proposed is None


def test_choosing_where_the_book_leaves_it_open_needs_no_reason(table: Table) -> None:
    offender = next(iter(scores(table)))
    chosen = Accusation(offender, "cheating", 2, imposed=Sanction(disqualification=True))
    assert give_penalty(table, SYSTEM, chosen, uuid=uuid4()).proposed is None


def test_an_overridden_foul_still_counts_towards_the_next_rung(table: Table) -> None:
    offender = next(iter(scores(table)))
    mild = Accusation(offender, "empty_call", 2, imposed=Sanction(warning=True), because="unclear")
    give_penalty(table, SYSTEM, Accusation(offender, "empty_call", 2), uuid=uuid4())
    give_penalty(table, SYSTEM, mild, uuid=uuid4())
    ruling = assess(table, Accusation(offender, "empty_call", 2))
    assert ruling.sanction == Sanction(points=Points(10))


def test_points_of_the_whole_tournament_do_not_move_the_table(table: Table) -> None:
    offender, before = next(iter(scores(table))), scores(table)
    fine = Sanction(points=Points(30, PointScope.TOURNAMENT))
    give_penalty(
        table,
        SYSTEM,
        Accusation(offender, "late", details={"minutes": 3}, imposed=fine, because="x"),
        uuid=uuid4(),
    )
    assert scores(table) == before
    tournament = table.session.tournament
    tournament.refresh_from_db()
    assert current_standings(tournament, Audience.STAFF).find(offender).game_points == before[offender] - 30


def test_who_gave_a_penalty_by_a_slip_undoes_it_and_its_points_return(table: Table) -> None:
    umpire = Actor.of(make_umpire(table.session.tournament))
    before = scores(table)
    penalty = give_penalty(table, umpire, Accusation(next(iter(before)), "false_hu", 1), uuid=uuid4())
    for _again in range(2):
        penalty = undo_penalty(penalty, umpire, reason="A slip")
    assert (penalty.cancelled_because, scores(table)) == ("A slip", before)
    assert table.session.tournament.log.filter(action="penalty_cancelled").count() == 1
    assert list(audit(Tournament.objects.get())) == []


def test_after_a_minute_or_by_somebody_else_it_takes_a_reason(table: Table) -> None:
    umpire, other = (Actor.of(make_umpire(table.session.tournament, name)) for name in ("uma", "una"))
    penalty = give_penalty(table, umpire, Accusation(next(iter(scores(table))), "false_hu", 1), uuid=uuid4())
    with pytest.raises(Refused) as refused:
        undo_penalty(penalty, other, reason="A slip")
    assert [problem.code for problem in refused.value.problems] == ["cannot_undo_penalty"]
    Penalty.objects.update(given_at=timezone.now() - timedelta(seconds=61))
    with pytest.raises(Refused):
        undo_penalty(penalty, umpire, reason="A slip")
    assert cancel_penalty(penalty, umpire, reason="It was a valid call").is_cancelled
