"""Who is East, hand after hand, and which wind the round has (001:73, 78)."""

from hypothesis import given
from hypothesis import strategies as st

from scoring.classical.evening import PLACES, Turn

WINNERS = st.lists(st.none() | st.sampled_from(PLACES), max_size=60)


def after(*winners: int | None) -> Turn:
    turn = Turn()
    for winner in winners:
        turn = turn.after(winner)
    return turn


def test_east_stays_after_a_win_and_a_wash_out_and_passes_to_south() -> None:
    assert after(0).dealer == 0
    assert [after(winner).dealer for winner in (1, 2, 3)] == [1, 1, 1]
    assert after(2, None).dealer == 1


def test_the_wind_of_the_round_changes_when_everybody_has_lost_east() -> None:
    before = after(1, 2, 3)
    assert (before.prevalent, before.dealer) == ("E", 3)
    assert (before.after(0).prevalent, before.after(0).dealer) == ("S", 0)
    assert after(1, 2, 3, 3, None, 3).prevalent == "E", "as long as East wins"


def test_after_the_round_of_north_the_evening_is_over() -> None:
    turn = Turn()
    for lost in range(16):
        assert not turn.is_over, lost
        turn = turn.after((turn.dealer + 1) % 4)
    assert turn.is_over


def test_wins_in_a_row_go_on_through_a_wash_out_and_end_with_another_winner() -> None:
    assert (after(2, 2, None).wins_of(2), after(2, 2, 1).wins_of(2)) == (3, 1)


@given(WINNERS)
def test_east_moves_by_the_rule_and_never_otherwise(winners: list[int | None]) -> None:
    turn = Turn()
    for winner in winners:
        seats = {turn.wind(place): place for place in PLACES}
        assert (set(seats), seats["E"]) == (set("ESWN"), turn.dealer)
        following = turn.after(winner)
        stays = winner is None or winner == seats["E"]
        assert following.dealer == (turn.dealer if stays else seats["S"])
        turn = following
