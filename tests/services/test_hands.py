"""Recording and correcting hands: what is stored, what is refused, and that a write can be repeated."""

from dataclasses import replace
from uuid import uuid4

import pytest

from tests.support.factories import (
    SYSTEM,
    make_organiser,
    make_tournament,
    make_umpire,
    record,
    wash_out,
    win,
)
from tournament.access import Actor
from tournament.audit import audit
from tournament.engine.entry import WIN, HandEntry
from tournament.errors import Forbidden, Refused, Stale
from tournament.models import Hand, Table, Tournament
from tournament.selectors.records import UNDO_WITHIN
from tournament.services.hands import correct_hand, record_hand, undo_hand
from tournament.services.tables import hand_in

pytestmark = pytest.mark.django_db
EAST, SOUTH = 1, 5


@pytest.fixture
def table() -> Table:
    """A table whose session has just begun: players 1, 5, 9, 13 start E, S, W, N."""
    tournament = make_tournament(running=0)
    return Table.objects.select_related("session__tournament").get(
        session__tournament=tournament, session__number=1, number=1
    )


def scores(table: Table) -> dict[int, int]:
    return dict(table.seats.values_list("player__number", "game_points"))


def codes(refused: Refused) -> list[str]:
    return [problem.code for problem in refused.problems]


def test_a_discard_win_is_paid_by_the_discarder_and_the_eights(table: Table) -> None:
    east, south, west, north = table.seats.order_by("id").values_list("player__number", flat=True)
    hand = record(table, win(south, discarder=west, tiles="seven_pairs"))
    points = hand.points
    assert scores(table) == {east: -8, south: points + 24, west: -8 - points, north: -8}


def test_a_self_drawn_win_is_paid_by_all(table: Table) -> None:
    east, *others = table.seats.order_by("id").values_list("player__number", flat=True)
    points = record(table, win(east)).points
    assert scores(table) == {east: 3 * (points + 8)} | dict.fromkeys(others, -points - 8)


def test_a_wash_out_moves_no_points(table: Table) -> None:
    record(table, wash_out())
    assert set(scores(table).values()) == {0}
    assert table.hands_played == 1


def test_the_winds_of_the_record_are_worked_out(table: Table) -> None:
    south = table.seats.get(wind="S").player.number
    tiles = record(table, win(south)).tiles
    assert tiles is not None
    assert (tiles["seat_wind"], tiles["prevalent_wind"], tiles["self_drawn"]) == ("S", "E", True)


def test_the_same_uuid_twice_is_one_hand(table: Table) -> None:
    east, uuid = table.seats.get(wind="E").player.number, uuid4()
    first = record_hand(table, SYSTEM, win(east), number=1, uuid=uuid)
    version = table.session.tournament.version
    again = record_hand(table, SYSTEM, win(east), number=1, uuid=uuid)
    table.session.tournament.refresh_from_db()
    assert again == first
    assert (Hand.objects.count(), table.session.tournament.version) == (1, version)


def test_a_stale_write_says_what_changed_and_changes_nothing(table: Table) -> None:
    east = table.seats.get(wind="E").player.number
    seen = table.version
    record(table, wash_out())
    with pytest.raises(Stale) as stale:
        record_hand(table, SYSTEM, win(east), number=1, uuid=uuid4(), expected_version=seen)
    assert [change["action"] for change in stale.value.changes] == ["hand_recorded"]
    assert Hand.objects.count() == 1


def test_hands_come_in_order(table: Table) -> None:
    with pytest.raises(Refused) as refused:
        record_hand(table, SYSTEM, wash_out(), number=2, uuid=uuid4())
    assert codes(refused.value) == ["not_the_next_hand"]


def test_no_hand_after_sixteen(table: Table) -> None:
    for _ in range(16):
        record(table, wash_out())
    with pytest.raises(Refused) as refused:
        record_hand(table, SYSTEM, wash_out(), number=17, uuid=uuid4())
    assert codes(refused.value) == ["no_hand_after_sixteen"]


def test_a_hand_below_eight_points_is_refused_with_its_points(table: Table) -> None:
    east = table.seats.get(wind="E").player.number
    with pytest.raises(Refused) as refused:
        record(table, win(east, table.seats.get(wind="S").player.number, tiles="too_cheap"))
    (problem,) = refused.value.problems
    assert problem.code == "below_minimum"
    assert 0 < int(problem.params["points"]) < int(problem.params["minimum"]) == 8
    assert not Hand.objects.exists()


def test_all_faults_of_a_hand_come_at_once(table: Table) -> None:
    with pytest.raises(Refused) as refused:
        record(table, HandEntry("win", winner=999, discarder=999, tiles=None))
    assert codes(refused.value) == [
        "not_at_this_table",
        "not_at_this_table",
        "discarder_is_winner",
        "tiles_missing",
    ]


def test_a_wrong_wind_is_an_error_not_a_guess(table: Table) -> None:
    entry = win(table.seats.get(wind="S").player.number)
    assert entry.tiles is not None
    wrong = HandEntry("win", entry.winner, None, dict(entry.tiles) | {"seat_wind": "E"})
    with pytest.raises(Refused) as refused:
        record(table, wrong)
    assert codes(refused.value) == ["wrong_seat_wind"]


def test_points_as_announced_are_paid_and_marked_as_uncounted(table: Table) -> None:
    hand = record(table, HandEntry(WIN, SOUTH, EAST, points=19))
    assert (hand.points, hand.tiles, hand.fans, hand.scored_by) == (19, None, [], "")
    assert (hand.payments[str(SOUTH)], hand.payments[str(EAST)]) == (43, -27)
    assert sum(hand.payments.values()) == 0


@pytest.mark.parametrize(
    ("points", "code"),
    [(7, "announced_below_minimum"), (401, "announced_too_many"), (-9, "announced_below_minimum")],
)
def test_points_that_cannot_be_are_refused(table: Table, points: int, code: str) -> None:
    with pytest.raises(Refused) as refused:
        record(table, HandEntry(WIN, SOUTH, EAST, points=points))
    assert [(problem.code, problem.where) for problem in refused.value.problems] == [(code, "points")]
    assert not table.hands.exists()


def test_points_below_the_minimum_stand_with_a_reason_and_are_marked(table: Table) -> None:
    hand = record(table, HandEntry(WIN, SOUTH, EAST, points=7, override="agreed by all four"))
    assert (hand.points, hand.overridden_because, hand.points_by_tiles) == (7, "agreed by all four", None)
    assert list(audit(Tournament.objects.get())) == []


# --- what was announced, and the tiles ----------------------------------------------------------------------------
FANS = {"seven_pairs": 1, "no_honors": 1}
"""What the hand `seven_pairs` of the factories comes to, won from a discard: 25."""


def test_announced_fans_are_stored_as_given_and_counted_by_the_rulebook(table: Table) -> None:
    hand = record(table, HandEntry(WIN, SOUTH, EAST, fans={"mixed_straight": 1, "flower_tiles": 2}))
    assert (hand.points, hand.points_without_flowers, hand.scored_by) == (10, 8, "mcr")
    assert (hand.announced, hand.tiles) == ({"fans": {"mixed_straight": 1, "flower_tiles": 2}}, None)
    assert [fan["key"] for fan in hand.fans] == ["mixed_straight", "flower_tiles"]
    assert (hand.payments[str(SOUTH)], hand.payments[str(EAST)]) == (34, -18)
    assert list(audit(Tournament.objects.get())) == []


def test_fans_that_cannot_be_are_refused_all_at_once(table: Table) -> None:
    fans = {"dragon_pung": 1, "no_honors": 1, "self_drawn": 1, "royal_flush": 1}
    with pytest.raises(Refused) as refused:
        record(table, HandEntry(WIN, SOUTH, EAST, fans=fans))
    assert set(codes(refused.value)) == {
        "unknown_fan", "fans_apart", "fan_needs_self_draw", "announced_below_minimum",
    }  # fmt: skip
    assert not table.hands.exists()


def test_fans_that_no_hand_counts_stand_with_a_reason_and_are_marked(table: Table) -> None:
    entry = HandEntry(WIN, SOUTH, EAST, fans={"full_flush": 1, "mixed_straight": 1})
    with pytest.raises(Refused) as refused:
        record(table, entry)
    assert codes(refused.value) == ["fans_apart"]
    hand = record(table, replace(entry, override="agreed by all four"))
    assert (hand.points, hand.overridden_because) == (32, "agreed by all four")
    assert list(audit(Tournament.objects.get())) == []


def test_what_a_rule_bars_no_reason_lets_through(table: Table) -> None:
    fans = {"two_dragons": 1, "dragon_pung": 1, "half_flush": 1}
    with pytest.raises(Refused) as refused:
        record(table, HandEntry(WIN, SOUTH, EAST, fans=fans, override="agreed by all four"))
    assert "fan_excluded" in codes(refused.value)


def test_flowers_do_not_lift_announced_fans_over_the_minimum(table: Table) -> None:
    with pytest.raises(Refused) as refused:
        record(table, HandEntry(WIN, SOUTH, EAST, fans={"all_pungs": 1, "flower_tiles": 8}))
    assert codes(refused.value) == ["announced_below_minimum"]


def test_points_that_are_not_the_sum_of_the_fans_are_refused(table: Table) -> None:
    with pytest.raises(Refused) as refused:
        record(table, HandEntry(WIN, SOUTH, EAST, points=30, fans=FANS))
    assert codes(refused.value) == ["announced_sum"]


def test_the_tiles_count_whatever_was_announced_beside_them(table: Table) -> None:
    hand = record(table, replace(win(SOUTH, discarder=EAST), points=30))
    assert (hand.points, hand.announced, hand.overridden_because) == (25, {"points": 30}, "")


def test_counting_the_announcement_against_the_tiles_is_an_override_with_its_reason(table: Table) -> None:
    entry = replace(win(SOUTH, discarder=EAST), points=30, override="tiles were mixed up before the count")
    hand = record(table, entry)
    assert (hand.points, hand.points_by_tiles, hand.fans, hand.scored_by) == (30, 25, [], "")
    assert hand.tiles is not None
    logged = table.session.tournament.log.get(action="hand_recorded").said
    assert (logged["overridden_because"], logged["points_by_tiles"]) == (entry.override, 25)
    assert list(audit(Tournament.objects.get())) == []


def test_an_override_where_tiles_and_announcement_agree_is_none(table: Table) -> None:
    hand = record(table, replace(win(SOUTH, discarder=EAST), fans=FANS, override="to be safe"))
    assert (hand.points, hand.overridden_because, hand.points_by_tiles) == (25, "", None)


def test_tiles_that_do_not_win_can_be_overridden_by_what_was_announced(table: Table) -> None:
    entry = replace(win(SOUTH, discarder=EAST, tiles="too_cheap"), points=8)
    with pytest.raises(Refused) as refused:
        record(table, entry)
    assert codes(refused.value) == ["below_minimum"]
    hand = record(table, replace(entry, override="a tile had fallen off the rack"))
    assert hand.points == 8
    assert hand.points_by_tiles is not None
    assert hand.points_by_tiles < 8


def test_an_override_needs_something_announced(table: Table) -> None:
    with pytest.raises(Refused) as refused:
        record(table, replace(win(SOUTH, discarder=EAST), override="because"))
    assert codes(refused.value) == ["nothing_to_override"]


def test_a_hand_is_deepened_without_a_reason_and_stays_the_same_hand(table: Table) -> None:
    hand = record(table, HandEntry(WIN, SOUTH, EAST, points=25))
    named = correct_hand(hand, SYSTEM, HandEntry(WIN, SOUTH, EAST, fans=FANS), reason="", uuid=uuid4())
    laid = correct_hand(named, SYSTEM, win(SOUTH, discarder=EAST), reason="", uuid=uuid4())
    assert [(one.number, one.version, one.points, one.deepens) for one in (hand, named, laid)] == [
        (1, 1, 25, False), (1, 2, 25, True), (1, 3, 25, True),
    ]  # fmt: skip
    assert not laid.is_corrected
    actions = table.session.tournament.log.order_by("-seq").values_list("action", flat=True)
    assert list(actions[:3]) == ["hand_deepened", "hand_deepened", "hand_recorded"]
    assert list(audit(Tournament.objects.get())) == []


def test_tiles_that_come_to_something_else_are_a_correction_and_need_a_reason(table: Table) -> None:
    hand = record(table, HandEntry(WIN, SOUTH, EAST, points=19))
    with pytest.raises(Refused) as refused:
        correct_hand(hand, SYSTEM, replace(win(SOUTH, discarder=EAST), points=19), reason="", uuid=uuid4())
    assert codes(refused.value) == ["reason_missing"]


def test_a_deepened_hand_is_not_undone_as_if_it_had_not_been(table: Table) -> None:
    umpire = Actor.of(make_umpire(table.session.tournament))
    hand = record(table, HandEntry(WIN, SOUTH, EAST, points=25), umpire)
    deeper = correct_hand(hand, umpire, win(SOUTH, discarder=EAST), reason="", uuid=uuid4())
    with pytest.raises(Refused) as refused:
        undo_hand(deeper, umpire)
    assert codes(refused.value) == ["cannot_undo"]


# --- several claim the same discard -------------------------------------------------------------------------------
def test_of_two_claimants_the_one_next_in_turn_wins(table: Table) -> None:
    east, south, west, _north = table.seats.order_by("id").values_list("player__number", flat=True)
    with pytest.raises(Refused) as refused:
        record(table, HandEntry(WIN, west, east, points=8, claimants=(south,)))
    (problem,) = refused.value.problems
    assert (problem.code, problem.where, problem.params["player"]) == ("nearer_claimant", "winner", south)
    hand = record(table, HandEntry(WIN, south, east, points=8, claimants=(west,)))
    assert hand.claimants == [west]


def test_the_turn_follows_the_winds_of_that_hand_and_goes_round(table: Table) -> None:
    east, south, _west, north = table.seats.order_by("id").values_list("player__number", flat=True)
    assert record(table, HandEntry(WIN, east, north, points=8, claimants=(south,))).winner_id is not None


@pytest.mark.parametrize(
    ("discarder", "claimants", "code"),
    [
        (None, (9,), "claimants_without_discard"),
        (EAST, (EAST,), "discarder_claims"),
        (EAST, (99,), "not_at_this_table"),
    ],
)
def test_claimants_who_cannot_be_are_refused(
    table: Table, discarder: int | None, claimants: tuple[int, ...], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        record(table, HandEntry(WIN, SOUTH, discarder, points=8, claimants=claimants))
    assert codes(refused.value) == [code]


def test_a_correction_keeps_the_old_version_and_counts_the_new(table: Table) -> None:
    east, south = (table.seats.get(wind=wind).player.number for wind in "ES")
    old = record(table, win(east))
    new = correct_hand(old, SYSTEM, win(south, discarder=east), reason="wrong winner", uuid=uuid4())
    old.refresh_from_db()
    assert (old.is_current, new.is_current, new.replaces, new.version) == (False, True, old, 2)
    assert scores(table)[east] == -8 - new.points
    assert sum(scores(table).values()) == 0


def test_a_correction_needs_a_reason(table: Table) -> None:
    hand = record(table, wash_out())
    with pytest.raises(Refused) as refused:
        correct_hand(hand, SYSTEM, wash_out(), reason="  ", uuid=uuid4())
    assert codes(refused.value) == ["reason_missing"]
    hand.refresh_from_db()
    assert hand.is_current


def test_a_table_that_is_in_takes_no_hand(table: Table) -> None:
    record(table, wash_out())
    hand_in(table, SYSTEM)
    with pytest.raises(Refused) as refused:
        record(table, wash_out())
    assert codes(refused.value) == ["table_is_in"]


def test_after_the_session_only_the_organiser_corrects() -> None:
    tournament = make_tournament(played=1)
    hand = Hand.objects.filter(table__session__tournament=tournament).first()
    assert hand is not None
    umpire, organiser = make_umpire(tournament), make_organiser(tournament)
    with pytest.raises(Refused) as refused:
        correct_hand(hand, Actor.of(umpire), wash_out(), reason="late", uuid=uuid4())
    assert codes(refused.value) == ["session_closed"]
    assert correct_hand(hand, Actor.of(organiser), wash_out(), reason="late", uuid=uuid4()).version == 2


def test_an_umpire_of_one_table_may_not_write_at_another(table: Table) -> None:
    tournament = table.session.tournament
    other = table.session.tables.get(number=2)
    umpire = Actor.of(make_umpire(tournament, tables=[other]))
    with pytest.raises(Forbidden):
        record_hand(table, umpire, wash_out(), number=1, uuid=uuid4())
    assert record_hand(other, umpire, wash_out(), number=1, uuid=uuid4()).recorded_by == umpire.user


def test_a_uuid_of_another_table_is_refused(table: Table) -> None:
    other, uuid = table.session.tables.get(number=2), uuid4()
    record_hand(other, SYSTEM, wash_out(), number=1, uuid=uuid)
    with pytest.raises(Refused) as refused:
        record_hand(table, SYSTEM, wash_out(), number=1, uuid=uuid)
    assert codes(refused.value) == ["uuid_of_another_table"]


# --- taking back ------------------------------------------------------------------------------------------------
def test_the_hand_just_recorded_can_be_taken_back_and_recorded_anew(table: Table) -> None:
    umpire = Actor.of(make_umpire(table.session.tournament))
    hand = record(table, win(SOUTH, discarder=EAST), umpire)
    undo_hand(hand, umpire)
    table.refresh_from_db()
    assert (table.hands_played, set(scores(table).values())) == (0, {0})
    again = record_hand(table, umpire, wash_out(), number=1, uuid=uuid4())
    assert (again.number, again.version, again.replaces) == (1, 2, hand)
    assert [entry.action for entry in table.session.tournament.log.order_by("-seq")[:3]] == [
        "hand_recorded", "hand_undone", "hand_recorded",
    ]  # fmt: skip
    assert list(audit(Tournament.objects.get())) == []


def test_taking_back_twice_is_taking_back_once(table: Table) -> None:
    umpire = Actor.of(make_umpire(table.session.tournament))
    hand = record(table, wash_out(), umpire)
    undo_hand(hand, umpire)
    before = Tournament.objects.get().version
    undo_hand(hand, umpire)
    assert Tournament.objects.get().version == before


def test_a_hand_that_was_taken_back_is_not_corrected(table: Table) -> None:
    umpire = Actor.of(make_umpire(table.session.tournament))
    hand = record(table, wash_out(), umpire)
    undo_hand(hand, umpire)
    with pytest.raises(Refused) as refused:
        correct_hand(hand, SYSTEM, win(SOUTH), reason="misread", uuid=uuid4())
    assert codes(refused.value) == ["hand_taken_back"]


def test_after_a_minute_a_hand_is_corrected_and_not_undone(table: Table) -> None:
    umpire = Actor.of(make_umpire(table.session.tournament))
    hand = record(table, wash_out(), umpire)
    Hand.objects.filter(pk=hand.pk).update(recorded_at=hand.recorded_at - UNDO_WITHIN)
    with pytest.raises(Refused) as refused:
        undo_hand(hand, umpire)
    assert codes(refused.value) == ["cannot_undo"]


def test_only_the_last_hand_and_only_by_who_recorded_it_is_undone(table: Table) -> None:
    umpire, other = (Actor.of(make_umpire(table.session.tournament, name)) for name in ("uma", "una"))
    first, second = record(table, wash_out(), umpire), record(table, wash_out(), umpire)
    for hand, who in ((first, umpire), (second, other)):
        with pytest.raises(Refused) as refused:
            undo_hand(hand, who)
        assert codes(refused.value) == ["cannot_undo"]
    assert table.hands.filter(is_current=True).count() == 2
