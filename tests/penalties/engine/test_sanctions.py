"""What a sanction does to the points of a table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penalties.engine.sanctions import (
    SANCTION_FLAGS,
    PaidTo,
    Points,
    PointScope,
    Sanction,
    people_problems,
    point_effects,
)

OTHERS = (2, 3, 4)
NO_THREE = ("offender_among_others", "three_others_needed")


def fine(amount: int, paid_to: PaidTo) -> Sanction:
    return Sanction(points=Points(amount, PointScope.SESSION, paid_to))


def test_whom_the_points_are_paid_to() -> None:
    """Paid to each opponent, they cost the offender three times; paid to nobody, they leave the table."""
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
        (PaidTo.EACH_OPPONENT, (1, 2, 2), 7, {*NO_THREE, "victim_not_at_table"}),
    ],
)
def test_people_who_cannot_be_meant_are_all_reported(
    paid_to: PaidTo, others: tuple[int, ...], victim: int | None, codes: set[str]
) -> None:
    sanction = fine(10, paid_to)
    assert {problem.code for problem in people_problems(sanction, 1, others, victim)} == codes
    with pytest.raises(ValueError, match=min(codes)):
        point_effects(sanction, 1, others, victim)


def test_sanctions_add_up_but_only_one_can_take_points() -> None:
    """It takes them and never gives them."""
    with pytest.raises(ValueError, match="takes points"):
        Points(0)
    both = Sanction(warning=True) | fine(5, PaidTo.NOBODY)
    assert both.warning
    assert both.points == Points(5)
    with pytest.raises(ValueError, match="two losses"):
        both | both


def test_only_what_is_imposed_is_written_down() -> None:
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
def test_a_sanction_survives_its_json_form_and_sums_to_zero(sanction: Sanction) -> None:
    """But for what is paid to nobody."""
    assert Sanction.from_json(sanction.to_json()) == sanction
    effects = point_effects(sanction, 1, OTHERS, victim=2)
    paid = sanction.points is not None and sanction.points.paid_to is not PaidTo.NOBODY
    assert sum(effects.values()) == 0 if paid or not sanction.points else sum(effects.values()) < 0
