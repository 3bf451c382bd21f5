"""Sanctions of fouls and of repeats (RULES §7, seed 000 "Fouls and Penalties"), lateness, and effects on points."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penalties.engine import FOUL_BOOKS
from penalties.engine.books import find_foul_book
from penalties.engine.escalation import Proposal, propose
from penalties.engine.facts import EarlierFoul, Facts, Reason
from penalties.engine.rules import Late, Step, minutes_late
from penalties.engine.sanctions import (
    SANCTION_FLAGS,
    PaidTo,
    Points,
    PointScope,
    Sanction,
    people_problems,
    point_effects,
)
from tests.support.data import read_json

HAND = PointScope.HAND
GUIDE, CHINA_1998 = find_foul_book("guide"), find_foul_book("china1998")

OTHERS = (2, 3, 4)
WRONG_OTHERS = ("offender_among_others", "three_others_needed")


def cost(proposal: Proposal) -> int | None:
    """The points of a proposal; None for a bare warning."""
    assert proposal.sanction is not None
    return proposal.sanction.points.amount if proposal.sanction.points else None


def test_being_late_costs_more_by_the_minute() -> None:
    steps = [
        ((1, 10), 10),
        ((11, 15), 20),
        ((16, 20), 40),
        ((21, 25), 60),
        ((26, 30), 80),
        ((31, 35), 100),
        ((36,), 120),
        ((120,), 440),
    ]
    for minutes, amount in steps:
        sanction = Sanction(points=Points(amount, PointScope.SESSION, PaidTo.NOBODY))
        assert [propose("late", Facts(minutes=m)).sanction for m in minutes] == [sanction] * len(minutes)


def test_the_reason_of_lateness_has_the_band_of_minutes() -> None:
    for minutes, first, last in ((11, 11, 15), (27, 26, 30)):
        params: dict[str, str | int] = {"foul": "late", "minutes": minutes, "from": first, "to": last}
        assert propose("late", Facts(minutes=minutes)).reason == Reason("minutes", params)


def test_lateness_takes_at_most_all_the_points_a_player_started_with() -> None:
    costs = {500: 60, 45: 45, 0: None}
    assert {points: cost(propose("late", Facts(minutes=25, points_held=points))) for points in costs} == costs


@pytest.mark.parametrize("foul", ["empty_call", "touching_wall", "late_pung"])
def test_repeats_cost_a_warning_and_then_the_points_of_the_scale(foul: str) -> None:
    earlier: list[EarlierFoul] = []
    costs = []
    for _ in range(10):
        costs.append(cost(propose(foul, Facts(hand_number=6, session=2), earlier)))
        earlier.append(EarlierFoul(foul, hand_number=6, session=2))
    assert costs == [None, 5, 10, 20, 30, 40, 50, 60, 60, 60]


def test_the_reason_of_a_repeat_has_its_occurrence_and_scope() -> None:
    proposal = propose("empty_call", Facts(session=2), [EarlierFoul("empty_call", 3, 2)])
    params: dict[str, str | int] = {"foul": "empty_call", "occurrence": 2, "scope": "session", "tile_seen": 0}
    assert (proposal.occurrence, proposal.reason) == (2, Reason("ladder", params))


REPEATS: list[tuple[str, EarlierFoul, int]] = [
    ("empty_call", EarlierFoul("empty_call", 1, 2), 2),
    ("empty_call", EarlierFoul("empty_call", 1, 1), 1),
    ("empty_call", EarlierFoul("touching_wall", 1, 2), 1),
    ("late_pung", EarlierFoul("late_pung", 5, 2), 2),
    ("late_pung", EarlierFoul("late_pung", 9, 2), 1),
    ("late_pung", EarlierFoul("late_pung", 6, 1), 1),
    ("false_hu", EarlierFoul("false_hu", 6, 2), 1),
]


def test_repeats_count_per_foul_and_scope() -> None:
    for foul, before, occurrence in REPEATS:
        proposal = propose(foul, Facts(hand_number=6, session=2), [before])
        assert proposal.occurrence == occurrence, (foul, before)


def test_a_wall_tile_that_was_seen_adds_a_dead_hand() -> None:
    first = propose("touching_wall", Facts(tile_seen=True))
    assert first.sanction == Sanction(warning=True, dead_hand=True)
    second = propose("touching_wall", Facts(tile_seen=True, session=1), [EarlierFoul("touching_wall", 2, 1)])
    assert second.sanction == Sanction(points=Points(5), dead_hand=True)


COSTS: dict[str, list[Any]] = read_json("foul-costs.json")
"""Sanctions as (book, foul, facts, sanction), and incomplete facts as (foul, facts, codes)."""


def test_the_sanction_of_each_foul() -> None:
    for book, foul, facts, sanction in COSTS["costs"]:
        proposal = propose(foul, Facts(**facts), book=FOUL_BOOKS[book])
        assert proposal.sanction == Sanction.from_json(sanction), (book, foul, facts)
    # Cheating is left to the umpire's discretion.
    proposal = propose("cheating", Facts())
    assert proposal.sanction == Sanction()
    assert proposal.reason == Reason("discretion", {"foul": "cheating"})


def test_everything_wrong_with_the_facts_is_reported_at_once() -> None:
    for foul, facts, codes in COSTS["wrong facts"]:
        proposal = propose(foul, Facts(**facts))
        assert [problem.code for problem in proposal.problems] == codes, foul
        assert (proposal.sanction, proposal.reason) == (None, None)


def test_repeats_within_a_session_need_the_session() -> None:
    with pytest.raises(ValueError, match="none is given"):
        propose("empty_call", Facts(), [EarlierFoul("empty_call", 1, 1)])


def test_the_1998_rules_count_empty_calls_in_each_hand() -> None:
    earlier = [EarlierFoul("empty_call", 5, 1), EarlierFoul("empty_call", 6, 1)]
    proposal = propose("empty_call", Facts(hand_number=6, session=1), earlier, CHINA_1998)
    assert proposal.occurrence == 2


LADDERS = ("empty_call", "touching_wall", "late_pung")
any_earlier = st.builds(
    EarlierFoul,
    foul=st.sampled_from([*LADDERS, "false_hu"]),
    hand_number=st.none() | st.integers(1, 16),
    session=st.integers(1, 3),
)


@given(
    foul=st.sampled_from(LADDERS),
    earlier=st.lists(any_earlier, max_size=12),
    more=any_earlier,
    hand=st.integers(1, 16),
    session=st.integers(1, 3),
)
def test_an_earlier_foul_never_makes_the_next_cheaper(
    foul: str, earlier: list[EarlierFoul], more: EarlierFoul, hand: int, session: int
) -> None:
    facts = Facts(hand_number=hand, session=session)
    before, after = propose(foul, facts, earlier), propose(foul, facts, [*earlier, more])
    assert before.occurrence <= after.occurrence <= before.occurrence + 1
    assert (cost(before) or 0) <= (cost(after) or 0), "a warning costs nothing"
    if more.foul != foul or more.session != session:
        assert before == after


@given(st.integers(-5, 120))
def test_the_umpire_chooses_points_from_the_scale(points: int) -> None:
    """Seed 000: "forfeits 5-60 points to the offended player"; for a violation a warning, 5, 10 … 60."""
    off_scale = ["points_not_on_scale"]
    knocked = propose("knocked_tiles", Facts(points=points, victim=4)).problems
    assert [problem.code for problem in knocked] == ([] if 5 <= points <= 60 else off_scale)
    violation = propose("rules_violation", Facts(points=points)).problems
    on_scale = points in {0, 5, 10, 20, 30, 40, 50, 60}
    assert [problem.code for problem in violation] == ([] if on_scale else off_scale)


def test_a_refusal_names_the_amounts_to_choose_from() -> None:
    for foul, allowed in (("knocked_tiles", "5–60"), ("rules_violation", "0, 5, 10, 20, 30, 40, 50, 60")):
        assert propose(foul, Facts(points=4, victim=4)).problems[0].params["allowed"] == allowed


def rule_of(book: str) -> Late:
    foul = FOUL_BOOKS[book].find("late")
    assert foul is not None
    assert isinstance(foul.rule, Late)
    return foul.rule


@pytest.mark.parametrize("book", FOUL_BOOKS)
@given(minute=st.integers(1, 600), points_held=st.none() | st.integers(0, 500))
def test_the_steps_are_what_the_rule_imposes_in_every_minute(
    book: str, minute: int, points_held: int | None
) -> None:
    rule = rule_of(book)
    steps = rule.steps(600, points_held)
    current = next(step for step in steps if step.low <= minute and (minute <= step.high or not step.high))
    imposed = rule.outcome(Facts(minutes=minute, points_held=points_held), 1)[0]
    assert current.sanction.points == imposed.points
    assert points_held is not None or current.sanction == imposed


def points(steps: Iterable[Step]) -> list[int]:
    return [step.sanction.points.total for step in steps if step.sanction.points]


@pytest.mark.parametrize("book", FOUL_BOOKS)
def test_steps_follow_each_other_and_never_cost_less(book: str) -> None:
    steps = rule_of(book).steps(120)
    assert [step.low for step in steps[1:]] == [step.high + 1 for step in steps[:-1]]
    assert points(steps) == sorted(set(points(steps)))


def test_a_minute_begun_counts() -> None:
    assert [minutes_late(seconds) for seconds in (0, 60, 60.5, 600, 601)] == [1, 1, 2, 10, 11]


def fine(amount: int, paid_to: PaidTo) -> Sanction:
    return Sanction(points=Points(amount, PointScope.SESSION, paid_to))


def test_points_paid_to_each_opponent_to_the_victim_and_to_nobody() -> None:
    each = point_effects(fine(20, PaidTo.EACH_OPPONENT), 1, OTHERS)
    assert each == {1: -60, 2: 20, 3: 20, 4: 20}
    assert point_effects(fine(30, PaidTo.VICTIM), 1, OTHERS, victim=3) == {1: -30, 3: 30}
    assert point_effects(fine(40, PaidTo.NOBODY), 1, OTHERS) == {1: -40}
    assert point_effects(Sanction(warning=True), 1, OTHERS) == {}


@pytest.mark.parametrize(
    ("paid_to", "others", "victim", "codes"),
    [
        (PaidTo.VICTIM, OTHERS, None, {"victim_missing"}),
        (PaidTo.VICTIM, OTHERS, 1, {"victim_is_offender"}),
        (PaidTo.VICTIM, OTHERS, 9, {"victim_not_at_table"}),
        (PaidTo.EACH_OPPONENT, (2, 3), None, {"three_others_needed"}),
        (PaidTo.EACH_OPPONENT, (1, 2, 2), 7, {*WRONG_OTHERS, "victim_not_at_table"}),
    ],
)
def test_every_wrong_victim_and_opponent_is_reported(
    paid_to: PaidTo, others: tuple[int, ...], victim: int | None, codes: set[str]
) -> None:
    sanction = fine(10, paid_to)
    assert {problem.code for problem in people_problems(sanction, 1, others, victim)} == codes
    with pytest.raises(ValueError, match=min(codes)):
        point_effects(sanction, 1, others, victim)


def test_sanctions_are_combined_but_only_one_can_take_points() -> None:
    with pytest.raises(ValueError, match="takes 1 to"):
        Points(0)
    both = Sanction(warning=True) | fine(5, PaidTo.NOBODY)
    assert both.warning
    assert both.points == Points(5)
    with pytest.raises(ValueError, match="both sanctions take points"):
        both | both


@pytest.mark.parametrize(
    ("sanction", "is_grave"),
    [
        (Sanction(warning=True), False),
        (Sanction(dead_hand=True, points=Points(60)), False),
        (Sanction(disqualification=True), True),
        (Sanction(points=Points(10), session_forfeited=True), True),
    ],
)
def test_sanctions_that_end_a_session_or_the_tournament_are_grave(sanction: Sanction, is_grave: bool) -> None:
    assert sanction.is_grave is is_grave


def test_the_json_of_a_sanction_has_only_what_is_imposed() -> None:
    assert Sanction(dead_hand=True).to_json() == {"dead_hand": True}
    with pytest.raises(KeyError, match="tickling"):
        Sanction.from_json({"tickling": True})


any_points = st.builds(
    Points, st.integers(1, 500), st.sampled_from(list(PointScope)), st.sampled_from(list(PaidTo))
)
any_sanction = st.builds(
    Sanction,
    points=st.none() | any_points,
    **{flag: st.booleans() for flag in SANCTION_FLAGS},
)


@given(any_sanction)
def test_a_sanction_is_restored_from_json_and_its_effects_sum_to_zero(sanction: Sanction) -> None:
    """Points paid to nobody sum to less."""
    assert Sanction.from_json(sanction.to_json()) == sanction
    effects = point_effects(sanction, 1, OTHERS, victim=2)
    is_paid = sanction.points is not None and sanction.points.paid_to is not PaidTo.NOBODY
    assert sum(effects.values()) == 0 if is_paid or not sanction.points else sum(effects.values()) < 0
