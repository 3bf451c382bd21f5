"""Who gets which prize: ladders, one prize for each person, shared money and Hort's system."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from tournament.prizes.engine import Award, Contestant, Ladder, PrizeInput, award

OVERALL: Ladder = ("overall", "")
CLUB: Ladder = ("club", "Harbour")


def prize(rank: int, amount: str = "0", ladder: Ladder = OVERALL, text: str = "") -> PrizeInput:
    return PrizeInput(rank, ladder, rank, text, Decimal(amount))


def contestants(*ranks: int, points: str | None = None) -> list[Contestant]:
    """Return players with the numbers 1, 2, 3 … and these ranks; `points`: a letter for each."""
    letters = points or [str(rank) for rank in ranks]
    return [Contestant(n, rank, letters[n - 1]) for n, rank in enumerate(ranks, 1)]


def amounts(awards: list[Award]) -> dict[int | str, str]:
    return {award.winner: str(award.amount) for award in awards}


MONEY = [prize(1, "100"), prize(2, "50"), prize(3, "25")]


def test_each_place_gets_its_prize() -> None:
    awards = award(MONEY, {OVERALL: contestants(1, 2, 3, 4)})
    assert amounts(awards) == {1: "100", 2: "50", 3: "25"}
    assert [award.place for award in awards] == [1, 2, 3]


def test_tied_players_share_the_money_of_their_places() -> None:
    awards = award(MONEY, {OVERALL: contestants(1, 1, 3)})
    assert amounts(awards) == {1: "75", 2: "75", 3: "25"}
    assert [award.is_shared for award in awards] == [True, True, False]


def test_the_last_money_place_is_shared_with_those_who_are_tied_for_it() -> None:
    assert amounts(award(MONEY, {OVERALL: contestants(1, 2, 3, 3)}))[4] == "12.5"


def test_the_cents_that_are_left_go_to_the_better_placed() -> None:
    awards = award([prize(1, "100")], {OVERALL: contestants(1, 1, 1)})
    assert amounts(awards) == {1: "33.34", 2: "33.33", 3: "33.33"}


def test_tied_players_share_what_is_not_money() -> None:
    trophies = [prize(1, text="Cup"), prize(2, text="Medal")]
    awards = award(trophies, {OVERALL: contestants(1, 1)})
    assert [[prize.text for prize in award.prizes] for award in awards] == [["Cup", "Medal"]] * 2


def test_hort_gives_half_by_place_and_shares_half_among_equal_points() -> None:
    """Hort's system: 50 % of the money by place, 50 % shared equally by all with equal points."""
    awards = award(MONEY, {OVERALL: contestants(1, 2, 3, points="aab")}, hort=True)
    assert amounts(awards) == {1: "87.5", 2: "62.5", 3: "25"}


def test_hort_shares_with_equal_points_beyond_the_last_prize() -> None:
    awards = award([prize(1, "100")], {OVERALL: contestants(1, 2, points="aa")}, hort=True)
    assert amounts(awards) == {1: "75", 2: "25"}
    assert awards[1].prizes == ()


def test_winners_are_passed_over_if_there_is_one_prize_for_each_person() -> None:
    prizes = [prize(1, "100"), prize(1, "20", CLUB)]
    standings = {OVERALL: contestants(1, 2), CLUB: contestants(1, 2)}
    assert [award.winner for award in award(prizes, standings)] == [1, 1]
    assert [award.winner for award in award(prizes, standings, one_per_person=True)] == [1, 2]


def test_nobody_wins_where_nobody_can() -> None:
    assert award(MONEY, {}) == []


ladders = st.sampled_from([OVERALL, CLUB])
prize_lists = st.lists(
    st.builds(
        prize,
        st.integers(1, 6),
        st.decimals(0, 1000, places=2).map(str),
        ladders,
    ),
    max_size=8,
)


@st.composite
def standings(draw: st.DrawFn) -> list[Contestant]:
    """Draw players in the order of points; some share points, and some of those a rank."""
    points, rank, rows = 0, 0, []
    for n in range(1, draw(st.integers(0, 8)) + 1):
        step = draw(st.sampled_from(["points", "rank", "tied"])) if n > 1 else "points"
        points += step == "points"
        rank = rank if step == "tied" else n
        rows.append(Contestant(n, rank, points))
    return rows


@given(prize_lists, standings(), st.booleans())
def test_all_the_money_of_the_places_taken_is_given(
    prizes: list[PrizeInput], rows: list[Contestant], hort: bool
) -> None:
    awards = award(prizes, {OVERALL: rows, CLUB: rows[::2]}, hort=hort)
    for ladder, players in ((OVERALL, len(rows)), (CLUB, len(rows[::2]))):
        offered = sum(prize.amount for prize in prizes if prize.ladder == ladder and prize.rank <= players)
        assert sum(award.amount for award in awards if award.ladder == ladder) == offered


@given(prize_lists, standings(), st.booleans())
def test_nobody_gets_two_if_there_is_one_for_each_person(
    prizes: list[PrizeInput], rows: list[Contestant], hort: bool
) -> None:
    awards = award(prizes, {OVERALL: rows, CLUB: rows}, one_per_person=True, hort=hort)
    winners = [award.winner for award in awards]
    assert len(winners) == len(set(winners))


@given(prize_lists, standings(), st.booleans())
def test_amounts_are_whole_cents(prizes: list[PrizeInput], rows: list[Contestant], hort: bool) -> None:
    for result in award(prizes, {OVERALL: rows}, hort=hort):
        assert result.amount * 100 == int(result.amount * 100)
