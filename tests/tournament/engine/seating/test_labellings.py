"""Every labelling found carries what was played into sessions of the design, and one is found where there is one."""

from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.seating.designs import without_repeats
from tournament.engine.seating.labellings import labellings
from tournament.engine.seating.shapes import Sessions, as_table

SIZES = {16: 5, 24: 7, 32: 10}


@st.composite
def events(draw: st.DrawFn) -> tuple[Sessions, Sessions]:
    """A design, and some of its sessions as they were played, by players in any order."""
    players = draw(st.sampled_from(sorted(SIZES)))
    design = without_repeats(players, SIZES[players])
    player_of = draw(st.permutations(range(players)))
    others = draw(st.permutations(range(1, len(design))))
    numbers = [0, *others[: draw(st.integers(1, 3))]]
    played = tuple(
        tuple(as_table([player_of[point] for point in table]) for table in design[number])
        for number in numbers
    )
    return played, design


@given(events())
def test_labellings_carry_what_was_played_into_the_design(event: tuple[Sessions, Sessions]) -> None:
    played, design = event
    found = list(islice(labellings(played, design), 5))
    assert found
    for labelling, used in found:
        assert sorted(labelling) == list(range(len(labelling)))
        images = {
            frozenset(frozenset(labelling[point] for point in table) for table in design[number])
            for number in used
        }
        assert images == {frozenset(map(frozenset, session)) for session in played}
