"""Who has come: at the desk, by themselves, and what becomes of those who have not."""

from datetime import UTC, datetime, time, timedelta
from unittest.mock import patch

import pytest
from django.core import signing
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.factories import SYSTEM, WEEKEND, make_tournament
from tournament.access import Actor
from tournament.errors import Refused, TooMany
from tournament.log import first_broken_link
from tournament.models import Due, Player, Tournament
from tournament.selectors.check_in import (
    check_in_desk,
    check_in_ends,
    missing_players,
    newest_restart,
    newest_withdrawal,
)
from tournament.selectors.door import STANDS, door_code, opens
from tournament.selectors.timetable_lines import TimetableLine
from tournament.services import check_in as desk
from tournament.services.missing import readmit_missing, withdraw_missing
from tournament.services.players import add_substitutes, withdraw_player
from tournament.services.timetable import set_timetable

pytestmark = pytest.mark.django_db
VISITOR = Actor.of(None)
HERE = "198.51.100.7"


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, drawn=False, days=WEEKEND)


def player(event: Tournament, number: int) -> Player:
    return event.players.select_related("tournament").get(number=number)


def here(event: Tournament) -> set[int]:
    return set(event.players.exclude(checked_in_at=None).values_list("number", flat=True))


def newest(event: Tournament) -> object:
    entry = event.log.last()
    assert entry is not None
    return entry.data


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [problem.code for problem in refused.value.problems]


def test_checked_in_twice_is_once_with_one_entry(event: Tournament) -> None:
    first = desk.check_in(player(event, 3), SYSTEM)
    again = desk.check_in(player(event, 3), SYSTEM)
    assert (here(event), again.checked_in_at) == ({3}, first.checked_in_at)
    assert event.log.filter(action="checked_in").count() == 1


def test_an_entry_holds_the_number_and_no_name(event: Tournament) -> None:
    desk.check_in(player(event, 3), SYSTEM)
    assert newest(event) == {"player": 3}


def test_two_desks_at_once_are_no_error(event: Tournament) -> None:
    """Each has read the player before the other wrote."""
    one, other = player(event, 3), player(event, 3)
    desk.check_in(one, SYSTEM)
    desk.check_in(other, SYSTEM)
    assert here(event) == {3}


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(st.sampled_from(range(1, 9)), max_size=6),
    st.permutations(range(1, 5)),
    st.lists(st.sampled_from(["one", "all"]), min_size=4, max_size=4),
)
def test_neither_the_order_nor_how_often_counts(
    event: Tournament, often: list[int], order: list[int], ways: list[str]
) -> None:
    event.players.update(checked_in_at=None)
    for number, way in zip(order, ways, strict=True):
        if way == "one":
            desk.check_in(player(event, number), SYSTEM)
        else:
            desk.check_in_several(event, SYSTEM, [number, *order[:1]])
    for number in often:
        desk.check_in(player(event, number), SYSTEM)
    assert here(event) == {*order, *often}
    assert check_in_desk(event).missing == 8 - len({*order, *often})


def test_undone_the_player_is_missing_again(event: Tournament) -> None:
    desk.check_in(player(event, 3), SYSTEM)
    desk.take_check_in_back(player(event, 3), SYSTEM)
    desk.take_check_in_back(player(event, 3), SYSTEM)
    assert here(event) == set()
    assert event.log.filter(action="check_in_taken_back").count() == 1


def test_who_has_withdrawn_is_not_checked_in(event: Tournament) -> None:
    withdraw_player(player(event, 3), SYSTEM)
    with pytest.raises(Refused) as refused:
        desk.check_in(player(event, 3), SYSTEM)
    assert codes(refused) == ["withdrawn_not_checked_in"]


def test_several_with_somebody_unknown_is_nobody(event: Tournament) -> None:
    with pytest.raises(Refused):
        desk.check_in_several(event, SYSTEM, [1, 99])
    assert here(event) == set()


def test_nobody_waits_for_a_substitute_who_can_be_checked_in_all_the_same() -> None:
    event = make_tournament(players=6, drawn=False)
    one, _other = add_substitutes(event, SYSTEM, "Substitute")
    assert missing_players(event).count() == 6
    desk.check_in(one, SYSTEM)
    counted = check_in_desk(event)
    assert (counted.here, counted.missing) == (0, 6)


def test_who_was_just_checked_in_keeps_their_place_among_the_missing(event: Tournament) -> None:
    desk.check_in(player(event, 3), SYSTEM)
    assert 3 in {line.player.number for line in check_in_desk(event).lines}
    event.players.filter(number=3).update(checked_in_at=datetime(2026, 1, 1, tzinfo=UTC))
    assert 3 not in {line.player.number for line in check_in_desk(event).lines}


def test_who_owes_is_told(event: Tournament) -> None:
    due = Due.objects.create(tournament=event, player=player(event, 3), amount="25.00")
    due.payments.create(uuid="00000000-0000-4000-8000-000000000001", amount=10, method="cash", on=WEEKEND[0])
    owing = {line.player.number: line.owes for line in check_in_desk(event).lines if line.owes}
    assert owing == {3: 15}


# --- until when -----------------------------------------------------------------------------------------------------
def test_without_a_timetable_there_is_no_deadline(event: Tournament) -> None:
    assert check_in_ends(event) is None


def test_a_quarter_of_an_hour_before_the_first_session(event: Tournament) -> None:
    first = TimetableLine(session=1, day=WEEKEND[0], starts=time(9))
    set_timetable(event, SYSTEM, [first])
    ends = check_in_ends(event)
    assert ends is not None
    assert ends.astimezone(event.zone).time() == time(8, 45)


def test_the_organiser_says_another_time_and_takes_it_back(event: Tournament) -> None:
    at = datetime.combine(WEEKEND[0], time(8), event.zone)
    desk.set_check_in(event, SYSTEM, ends_at=at, by_themselves=False)
    assert check_in_ends(event) == at
    desk.set_check_in(event, SYSTEM, ends_at=None, by_themselves=False)
    assert check_in_ends(event) is None


# --- by themselves --------------------------------------------------------------------------------------------------
@pytest.fixture
def open_door(event: Tournament) -> Tournament:
    desk.set_check_in(event, SYSTEM, ends_at=None, by_themselves=True)
    return event


def test_with_the_code_at_the_door_one_checks_oneself_in(open_door: Tournament) -> None:
    code = door_code(open_door).code
    desk.check_in_themselves(player(open_door, 3), VISITOR, f" {code[:3].lower()} {code[3:]}", address=HERE)
    assert here(open_door) == {3}
    assert newest(open_door) == {"player": 3, "by": "themselves"}


def test_a_code_is_good_for_minutes(open_door: Tournament) -> None:
    now = door_code(open_door)
    with patch("django.utils.timezone.now", return_value=now.until + STANDS - timedelta(seconds=1)):
        assert opens(open_door, now.code)
    with patch("django.utils.timezone.now", return_value=now.until + STANDS + timedelta(seconds=1)):
        assert not opens(open_door, now.code)


def test_the_code_of_another_event_opens_nothing(open_door: Tournament) -> None:
    other = make_tournament(players=4, drawn=False, name="Other")
    with pytest.raises(Refused) as refused:
        desk.check_in_themselves(player(open_door, 3), VISITOR, door_code(other).code, address=HERE)
    assert codes(refused) == ["door_code_wrong"]
    assert here(open_door) == set()


def test_nothing_opens_where_people_are_checked_in_at_the_desk(event: Tournament) -> None:
    with pytest.raises(Refused) as refused:
        desk.check_in_themselves(player(event, 3), VISITOR, door_code(event).code, address=HERE)
    assert codes(refused) == ["check_in_at_the_desk"]


def test_who_guesses_is_sent_away_and_the_hall_is_not(open_door: Tournament) -> None:
    place = "203.0.113.9"
    for _ in range(desk.WRONG_CODES.most):
        with pytest.raises(Refused):
            desk.require_code(open_door, "AAAAAA", address=place)
    with pytest.raises(TooMany):
        desk.require_code(open_door, "AAAAAA", address=place)
    desk.require_code(open_door, door_code(open_door).code, address=place)


def test_the_own_check_in_is_taken_back_by_what_was_given_then(open_door: Tournament) -> None:
    desk.check_in(player(open_door, 3), SYSTEM)
    signed = signing.dumps(3, salt=f"{desk.OWN}.{open_door.pk}")
    desk.take_own_check_in_back(open_door, VISITOR, signed)
    assert here(open_door) == set()


@pytest.mark.parametrize("salt", ["hule.check-in.0", "other"])
def test_another_signature_takes_nothing_back(salt: str, open_door: Tournament) -> None:
    desk.check_in(player(open_door, 3), SYSTEM)
    with pytest.raises(Refused) as refused:
        desk.take_own_check_in_back(open_door, VISITOR, signing.dumps(3, salt=salt))
    assert codes(refused) == ["check_in_not_yours"]
    assert here(open_door) == {3}


# --- anew -----------------------------------------------------------------------------------------------------------
def test_beginning_anew_can_be_taken_back(event: Tournament) -> None:
    desk.check_in_several(event, SYSTEM, [1, 2, 3])
    desk.restart_check_in(event, SYSTEM)
    assert here(event) == set()
    desk.check_in_several(event, SYSTEM, [player.number for player in newest_restart(event)])
    assert here(event) == {1, 2, 3}
    assert newest_restart(event) == ()


# --- at the deadline ------------------------------------------------------------------------------------------------
def test_the_missing_are_withdrawn_in_one_entry_and_come_back_in_one(event: Tournament) -> None:
    desk.check_in_several(event, SYSTEM, [1, 2, 3, 4, 5])
    withdraw_missing(event, SYSTEM, [6, 7, 8])
    assert event.players.filter(withdrawn_at=None).count() == 5
    assert newest(event) == {"players": [6, 7, 8]}
    readmit_missing(event, SYSTEM)
    assert event.players.filter(withdrawn_at=None).count() == 8
    assert newest_withdrawal(event) == ()
    assert first_broken_link(event) is None


def test_who_has_come_meanwhile_is_named_and_nobody_goes(event: Tournament) -> None:
    desk.check_in_several(event, SYSTEM, [6, 7])
    with pytest.raises(Refused) as refused:
        withdraw_missing(event, SYSTEM, [6, 7, 8])
    assert codes(refused) == ["came_meanwhile", "came_meanwhile"]
    assert event.players.filter(withdrawn_at=None).count() == 8


def test_while_a_session_is_played_nobody_is_withdrawn_in_numbers() -> None:
    event = make_tournament(running=0)
    with pytest.raises(Refused) as refused:
        withdraw_missing(event, SYSTEM, [6])
    assert codes(refused) == ["missing_while_playing"]


def test_there_is_nobody_to_take_back(event: Tournament) -> None:
    with pytest.raises(Refused) as refused:
        readmit_missing(event, SYSTEM)
    assert codes(refused) == ["nobody_to_readmit"]
