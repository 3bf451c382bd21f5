"""Recording and correcting hands: what is stored, what is refused; the fans that were made here, and the best hand."""

from collections import Counter
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.book.fans import FanStatistics
from tests.support.checks import audit_is_clean, refused_codes, refused_problems
from tests.support.factories import (
    SYSTEM,
    make_tournament,
    make_umpire,
    play_hands,
    record,
    wash_out,
    win,
)
from tests.support.play import scores
from tournament.base.access import Actor
from tournament.base.engine.entries import WIN, HandEntry
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused, Stale, UuidTaken
from tournament.base.models.people import Person
from tournament.base.models.play import Hand, Seat, Table
from tournament.base.models.tournament import Tournament
from tournament.documents.selectors import best_hand
from tournament.people.selectors import person_page
from tournament.people.services import link_players
from tournament.play.engine.statements import BestHand, TotalsEntry
from tournament.play.models import Totals
from tournament.play.selectors.hands import judge_at
from tournament.play.selectors.tables import UNDO_WITHIN
from tournament.play.services.hands import correct_hand, record_hand, undo_hand
from tournament.play.services.totals import enter_totals
from tournament.ranking.selectors import statistics as module
from tournament.ranking.selectors.players import player_page
from tournament.ranking.selectors.statistics import (
    best_hand_of_day,
    event_statistics,
    fan_counts,
    highest_hand_of_day,
)
from tournament.ranking.services import hide_results

pytestmark = pytest.mark.stored

EAST, SOUTH, WEST, NORTH = 1, 5, 9, 13


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [problem.code for problem in refused.value.problems]


def test_scores_follow_self_drawn_wins_discard_wins_and_wash_outs(table: Table) -> None:
    drawn = record(table, win(SOUTH))
    assert drawn.tiles is not None
    winds = (drawn.tiles["seat_wind"], drawn.tiles["prevalent_wind"], drawn.tiles["self_drawn"])
    assert winds == ("S", "E", True), "worked out, not entered"
    all_pay = dict.fromkeys((EAST, WEST, NORTH), -drawn.points - 8)
    assert scores(table) == {SOUTH: 3 * (drawn.points + 8)} | all_pay
    before = scores(table)
    record(table, wash_out())
    assert (scores(table), table.hands_played) == (before, 2)
    points = record(table, win(SOUTH, discarder=WEST)).points
    changes = {player: score - before[player] for player, score in scores(table).items()}
    assert changes == {EAST: -8, SOUTH: points + 24, WEST: -8 - points, NORTH: -8}


def test_the_same_uuid_twice_is_one_hand(table: Table) -> None:
    uuid = uuid4()
    first = record_hand(table, SYSTEM, win(EAST), number=1, uuid=uuid)
    version = Tournament.objects.get().version
    assert record_hand(table, SYSTEM, win(EAST), number=1, uuid=uuid) == first
    assert (Hand.objects.count(), Tournament.objects.get().version) == (1, version)
    for entry, number in ((win(SOUTH), 1), (wash_out(), 1), (win(EAST), 2)):
        with pytest.raises(UuidTaken, match="uuid_of_another_hand"):
            record_hand(table, SYSTEM, entry, number=number, uuid=uuid)
    assert Hand.objects.get() == first
    assert refused_problems(
        record_hand, table.session.tables.get(number=2), SYSTEM, wash_out(), number=1, uuid=uuid
    ) == [("uuid_of_another_table", "uuid")]


def test_a_stale_write_says_what_changed_and_changes_nothing(table: Table) -> None:
    seen = table.version
    record(table, wash_out())
    with pytest.raises(Stale) as stale:
        record_hand(table, SYSTEM, win(EAST), number=1, uuid=uuid4(), expected_version=seen)
    assert [change["action"] for change in stale.value.changes] == ["hand_recorded"]
    assert Hand.objects.count() == 1


def test_hands_come_in_order_and_none_after_sixteen(table: Table) -> None:
    assert refused_problems(record_hand, table, SYSTEM, wash_out(), number=2, uuid=uuid4()) == [
        ("not_the_next_hand", "number")
    ]
    for _ in range(16):
        record(table, wash_out())
    assert refused_problems(record_hand, table, SYSTEM, wash_out(), number=17, uuid=uuid4()) == [
        ("no_hand_after_sixteen", "number")
    ]
    assert judge_at(table, 17, wash_out()).problems


def test_a_hand_below_eight_points_is_refused_with_its_points(table: Table) -> None:
    with pytest.raises(Refused) as refused:
        record(table, win(EAST, SOUTH, tiles="too_cheap"))
    (problem,) = refused.value.problems
    assert problem.code == "below_minimum"
    assert 0 < int(problem.params["points"]) < int(problem.params["minimum"]) == 8
    assert not Hand.objects.exists()


def test_all_problems_of_a_hand_are_reported_at_once_wrong_winds_included(table: Table) -> None:
    with pytest.raises(Refused) as refused:
        record(table, HandEntry("win", winner=999, discarder=999, tiles=None))
    twice = ["not_at_this_table"] * 2
    assert codes(refused) == [*twice, "discarder_is_winner", "tiles_missing"]
    entry = win(SOUTH)
    assert entry.tiles is not None
    assert refused_codes(record, table, replace(entry, tiles=dict(entry.tiles) | {"seat_wind": "E"})) == [
        "wrong_seat_wind"
    ]


def test_announced_points_are_paid_if_possible_or_overridden(table: Table) -> None:
    below = "announced_below_minimum"
    for points, code in ((7, below), (401, "announced_too_many"), (-9, below)):
        with pytest.raises(Refused, match=rf"^points: {code}$"):
            record(table, HandEntry(WIN, SOUTH, EAST, points=points))
    assert not table.hands.exists()
    hand = record(table, HandEntry(WIN, SOUTH, EAST, points=7, override="agreed by all four"))
    assert (hand.points, hand.overridden_because, hand.points_by_tiles) == (7, "agreed by all four", None)
    assert audit_is_clean()
    hand = record(table, HandEntry(WIN, SOUTH, EAST, points=19))
    assert (hand.points, hand.tiles, hand.fans, hand.scored_by) == (19, None, [], "")
    assert (hand.payments[str(SOUTH)], hand.payments[str(EAST)]) == (43, -27)
    assert sum(hand.payments.values()) == 0


FANS = {"seven_pairs": 1, "no_honors": 1}
"""What the hand `seven_pairs` of the factories comes to, won from a discard: 25."""


def test_announced_fans_are_counted_refused_or_overridden(table: Table) -> None:
    fans = {"dragon_pung": 1, "no_honors": 1, "self_drawn": 1, "royal_flush": 1}
    with pytest.raises(Refused) as refused:
        record(table, HandEntry(WIN, SOUTH, EAST, fans=fans))
    assert set(codes(refused)) == {
        "unknown_fan", "fans_apart", "fan_needs_self_draw", "announced_below_minimum",
    }  # fmt: skip
    for entry, code in (
        (HandEntry(WIN, SOUTH, EAST, fans={"all_pungs": 1, "flower_tiles": 8}), "announced_below_minimum"),
        (HandEntry(WIN, SOUTH, EAST, points=30, fans=FANS), "announced_sum"),
    ):
        assert refused_codes(record, table, entry) == [code]
    assert not table.hands.exists()
    barred = {"two_dragons": 1, "dragon_pung": 1, "half_flush": 1}
    with pytest.raises(Refused, match="fan_excluded"):
        record(table, HandEntry(WIN, SOUTH, EAST, fans=barred, override="agreed by all four"))
    entry = HandEntry(WIN, SOUTH, EAST, fans={"full_flush": 1, "mixed_straight": 1})
    assert refused_codes(record, table, entry) == ["fans_apart"]
    hand = record(table, replace(entry, override="agreed by all four"))
    assert (hand.points, hand.overridden_because) == (32, "agreed by all four")
    assert audit_is_clean()
    hand = record(table, HandEntry(WIN, SOUTH, EAST, fans={"mixed_straight": 1, "flower_tiles": 2}))
    assert (hand.points, hand.points_without_flowers, hand.scored_by) == (10, 8, "mcr")
    assert (hand.announced, hand.tiles) == ({"fans": {"mixed_straight": 1, "flower_tiles": 2}}, None)
    assert [fan["key"] for fan in hand.fans] == ["mixed_straight", "flower_tiles"]
    assert (hand.payments[str(SOUTH)], hand.payments[str(EAST)]) == (34, -18)
    assert audit_is_clean()


def test_the_tiles_count_and_the_announcement_is_an_override_with_its_reason(table: Table) -> None:
    assert refused_codes(record, table, replace(win(SOUTH, discarder=EAST), override="because")) == [
        "nothing_to_override"
    ]
    entry = replace(win(SOUTH, discarder=EAST), points=30, override="tiles were mixed up before the count")
    hand = record(table, entry)
    assert (hand.points, hand.points_by_tiles, hand.fans, hand.scored_by) == (30, 25, [], "")
    assert hand.tiles is not None
    logged = table.session.tournament.log.get(action="hand_recorded").full_data
    assert (logged["overridden_because"], logged["points_by_tiles"]) == (entry.override, 25)
    assert audit_is_clean()
    hand = record(table, replace(win(SOUTH, discarder=EAST), points=30))
    assert (hand.points, hand.announced, hand.overridden_because) == (25, {"points": 30}, "")
    agreeing = record(table, replace(win(SOUTH, discarder=EAST), fans=FANS, override="to be safe"))
    assert (agreeing.points, agreeing.overridden_because, agreeing.points_by_tiles) == (25, "", None)


def test_tiles_that_do_not_win_are_overridden_and_other_points_need_a_reason(table: Table) -> None:
    entry = replace(win(SOUTH, discarder=EAST, tiles="too_cheap"), points=8)
    assert refused_codes(record, table, entry) == ["below_minimum"]
    hand = record(table, replace(entry, override="a tile had fallen off the rack"))
    assert hand.points == 8
    assert hand.points_by_tiles is not None
    assert hand.points_by_tiles < 8
    hand = record(table, HandEntry(WIN, SOUTH, EAST, points=19))
    assert refused_problems(
        correct_hand, hand, SYSTEM, replace(win(SOUTH, discarder=EAST), points=19), reason="", uuid=uuid4()
    ) == [("reason_missing", "reason")]


def test_a_hand_is_deepened_without_a_reason_and_stays_the_same_hand(table: Table, umpire: Actor) -> None:
    hand = record(table, HandEntry(WIN, SOUTH, EAST, points=25), umpire)
    fans = correct_hand(hand, umpire, HandEntry(WIN, SOUTH, EAST, fans=FANS), reason="", uuid=uuid4())
    tiles = correct_hand(fans, umpire, win(SOUTH, discarder=EAST), reason="", uuid=uuid4())
    assert [(each.number, each.version, each.points, each.deepens) for each in (hand, fans, tiles)] == [
        (1, 1, 25, False), (1, 2, 25, True), (1, 3, 25, True),
    ]  # fmt: skip
    assert not tiles.is_corrected
    actions = table.session.tournament.log.order_by("-seq").values_list("action", flat=True)
    assert list(actions[:3]) == ["hand_deepened", "hand_deepened", "hand_recorded"]
    assert audit_is_clean()
    assert refused_problems(undo_hand, tiles, umpire) == [("cannot_undo", "")]


def test_of_those_who_may_claim_the_one_next_in_turn_wins(table: Table) -> None:
    hand = record(table, HandEntry(WIN, EAST, NORTH, points=8, claimants=(SOUTH,)))
    assert hand.winner_id is not None, "the turn goes round"
    cases: list[tuple[int | None, int, str]] = [
        (None, 9, "claimants_without_discard"),
        (EAST, EAST, "discarder_claims"),
        (EAST, 99, "not_at_this_table"),
    ]
    for discarder, claimant, code in cases:
        assert refused_codes(
            record, table, HandEntry(WIN, SOUTH, discarder, points=8, claimants=(claimant,))
        ) == [code]
    with pytest.raises(Refused) as refused:
        record(table, HandEntry(WIN, WEST, EAST, points=8, claimants=(SOUTH,)))
    (problem,) = refused.value.problems
    assert (problem.code, problem.where, problem.params["player"]) == ("nearer_claimant", "winner", SOUTH)
    hand = record(table, HandEntry(WIN, SOUTH, EAST, points=8, claimants=(WEST,)))
    assert hand.claimants == [WEST]


def test_a_correction_keeps_the_old_version_and_counts_the_new(table: Table) -> None:
    old = record(table, win(EAST))
    assert refused_problems(correct_hand, old, SYSTEM, wash_out(), reason="  ", uuid=uuid4()) == [
        ("reason_missing", "reason")
    ]
    old.refresh_from_db()
    assert old.is_current
    new = correct_hand(old, SYSTEM, win(SOUTH, discarder=EAST), reason="wrong winner", uuid=uuid4())
    old.refresh_from_db()
    assert (old.is_current, new.is_current, new.replaces, new.version) == (False, True, old, 2)
    assert scores(table)[EAST] == -8 - new.points
    assert sum(scores(table).values()) == 0


def test_the_last_hand_is_undone_within_a_minute_and_recorded_again(table: Table, umpire: Actor) -> None:
    hand = record(table, win(SOUTH, discarder=EAST), umpire)
    undo_hand(hand, umpire)
    version = Tournament.objects.get().version
    undo_hand(hand, umpire)
    assert Tournament.objects.get().version == version, "taking back twice is taking back once"
    table.refresh_from_db()
    assert (table.hands_played, set(scores(table).values())) == (0, {0})
    assert refused_problems(correct_hand, hand, SYSTEM, win(SOUTH), reason="misread", uuid=uuid4()) == [
        ("hand_already_undone", "number")
    ]
    again = record_hand(table, umpire, wash_out(), number=1, uuid=uuid4())
    assert (again.number, again.version, again.replaces) == (1, 2, hand)
    actions = table.session.tournament.log.order_by("-seq").values_list("action", flat=True)
    assert list(actions[:3]) == ["hand_recorded", "hand_undone", "hand_recorded"]
    assert audit_is_clean()
    other = Actor.of(make_umpire(table.session.tournament, "una"))
    first, second = record(table, wash_out(), umpire), record(table, wash_out(), umpire)
    for hand, actor in ((first, umpire), (second, other)):
        assert refused_problems(undo_hand, hand, actor) == [("cannot_undo", "")]
    Hand.objects.filter(pk=second.pk).update(recorded_at=second.recorded_at - UNDO_WITHIN)
    assert refused_problems(undo_hand, second, umpire) == [("cannot_undo", "")]
    assert table.hands.filter(is_current=True).count() == 3


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_AGE", 0)


def counted(**of: Any) -> dict[str, int]:
    """The same, the slow way."""
    hands = Hand.objects.filter(is_current=True, **of)
    return dict(Counter(key for hand in hands for key in {fan["key"] for fan in hand.fans}))


def hands(here: FanStatistics) -> dict[str, int]:
    return {key: fan.hands for key, fan in here.fans.items()}


@pytest.mark.thorough
def test_each_fan_is_counted_once_a_hand_over_all_tournaments() -> None:
    make_tournament(name="One", players=8, sessions=2, played=2, hands=6)
    make_tournament(name="Two", players=4, sessions=1, played=1, hands=6)
    here = fan_counts()
    assert hands(here) == counted() != {}
    assert here.tournaments == 2
    assert here.wins == sum(bool(hand.fans) for hand in Hand.objects.filter(is_current=True))
    assert max(fan.tournaments for fan in here.fans.values()) == 2


def test_private_and_demo_tournaments_are_not_counted() -> None:
    shown = make_tournament(name="One", players=4, sessions=1, played=1, hands=3)
    other = make_tournament(name="Two", players=4, sessions=1, played=1, hands=6)
    both = hands(fan_counts())
    for field in ({"is_public": False}, {"is_public": True, "is_trial": True}):
        Tournament.objects.filter(pk=other.pk).update(**field)
        assert hands(fan_counts()) == counted(table__session__tournament=shown) != both


def test_a_hand_is_counted_when_recorded_and_read_once(django_assert_num_queries: Any) -> None:
    tournament = make_tournament(players=4, sessions=1, played=0, running=1)
    before = fan_counts().wins
    play_hands(tournament.sessions.get().tables.get(), 3)
    assert fan_counts().wins > before
    assert hands(fan_counts()) == counted()
    with django_assert_num_queries(2):
        fan_counts()


def test_a_write_reads_its_own_session_and_hiding_counts_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = make_tournament(players=4, sessions=2, played=1, running=1, hands=4)
    fan_counts()
    read: list[int] = []
    known = module.wins_of_sessions
    monkeypatch.setattr(module, "wins_of_sessions", lambda sessions: known(read.extend(sessions) or sessions))
    session = tournament.sessions.get(number=2)
    play_hands(session.tables.get(), 1)
    fan_counts()
    assert read == [session.pk]
    before = fan_counts()
    monkeypatch.setattr(module, "MAX_AGE", 60)
    play_hands(tournament.sessions.get(number=2).tables.get(), 3)
    assert fan_counts() == before
    hide_results(tournament.sessions.get(number=2), SYSTEM)
    assert hands(fan_counts()) == counted(table__session__number=1) != {}


@pytest.fixture
def event() -> Tournament:
    """Table 1 has been played by hands, table 2 on paper; its best hand had 88 points."""
    tournament = make_tournament(players=8, sessions=1, running=0)
    first, second = tournament.sessions.get().tables.order_by("number")
    east, south = (first.seats.get(wind=wind).player.number for wind in "ES")
    record(first, win(east, south))
    players = [seat.player.number for seat in second.seats.all()]
    scores = dict(zip(players, (30, -10, -10, -10), strict=True))
    entry = TotalsEntry(scores, hands=1, best=BestHand(players[0], 88))
    enter_totals(second, SYSTEM, entry, uuid=uuid4())
    return tournament


def test_a_noted_hand_gets_the_certificate_and_leads_the_statistics(event: Tournament) -> None:
    best, dearest = highest_hand_of_day(event, Audience.PUBLIC), best_hand(event)
    assert best is not None
    assert dearest is not None
    assert (best.points, best.table.number, best.tiles) == (88, 2, None)
    assert dearest.points == 88
    recorded = event.sessions.get().tables.get(number=1).hands.get().points
    points = [hand.points for hand in event_statistics(event, Audience.STAFF).best]
    assert points == sorted([88, recorded], reverse=True)


def test_a_noted_hand_that_is_written_down_too_counts_once_with_all_that_is_known() -> None:
    tournament = make_tournament(players=4, sessions=1, running=0)
    table = tournament.sessions.get().tables.get()
    east, south = (table.seats.get(wind=wind).player.number for wind in "ES")
    points = (30, -10, -10, -10)
    scores = dict(zip((seat.player.number for seat in table.seats.all()), points, strict=True))
    entry = TotalsEntry(scores, best=BestHand(east, 24), sure=True)
    enter_totals(table, SYSTEM, entry, uuid=uuid4(), hand_in=False)
    hand = record(table, win(east, south))
    Totals.objects.update(best={"player": east, "points": hand.points})
    tournament.refresh_from_db()
    assert best_hand_of_day(tournament, Audience.STAFF) == hand
    assert event_statistics(tournament, Audience.STAFF).best == (hand,)


def test_a_noted_hand_belongs_to_its_winner_unless_the_session_is_hidden(event: Tournament) -> None:
    seats = event.sessions.get().tables.get(number=2).seats.select_related("player")
    best = [player_page(event, Audience.PUBLIC, seat.player).best for seat in seats]
    assert [hand.points if hand else None for hand in best] == [88, None, None, None]
    hide_results(event.sessions.get(), SYSTEM)
    event.refresh_from_db()
    assert best_hand_of_day(event, Audience.PUBLIC) is None
    assert player_page(event, Audience.PUBLIC, seats[0].player).best is None


@pytest.mark.parametrize("stand_in_from", [None, 1, 9])
def test_a_noted_hand_is_the_persons_unless_a_stand_in_may_have_won(
    event: Tournament, stand_in_from: int | None
) -> None:
    link_players(event, SYSTEM, dict.fromkeys(range(1, 9)))
    seat = event.sessions.get().tables.get(number=2).seats.select_related("player__person").all()[0]
    Seat.objects.filter(pk=seat.pk).update(stand_in_from=stand_in_from)
    person = seat.player.person
    assert person is not None
    assert [hand.points for hand in person_page(person).best] == ([] if stand_in_from else [88])
    others = [other for other in Person.objects.exclude(pk=person.pk) if person_page(other).best]
    assert len(others) == 1, "who won the hand of table 1"


def test_the_pages_say_that_a_hand_is_noted(client: Client, event: Tournament) -> None:
    link_players(event, SYSTEM, dict.fromkeys(range(1, 9)))
    player = event.sessions.get().tables.get(number=2).seats.select_related("player").all()[0].player
    person = str(client.get(reverse("person", args=[player.person_id]))["Location"])
    for address in (reverse("player_page", args=[event.slug, player.number]), person):
        text = client.get(address).text
        assert "recorded on the sheet" in text
        assert "#hNone" not in text
