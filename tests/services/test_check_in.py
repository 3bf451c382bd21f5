"""Who has come: at the desk, by themselves, and what becomes of those who have not."""

from datetime import UTC, datetime, time, timedelta
from unittest.mock import patch

import pytest
from django.core import signing

from tests.support.checks import refused_codes
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

pytestmark = pytest.mark.stored
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
    return event.log.latest("seq").data


def test_checked_in_twice_is_once_with_one_entry_and_so_is_taking_it_back(event: Tournament) -> None:
    desks = player(event, 3), player(event, 3)  # each has read the player before the other wrote
    first, again = (desk.check_in(seen, SYSTEM) for seen in desks)
    assert (here(event), again.checked_in_at) == ({3}, first.checked_in_at)
    assert event.log.filter(action="checked_in").count() == 1
    assert newest(event) == {"player": 3}, "the number and no name"
    desk.take_check_in_back(player(event, 3), SYSTEM)
    desk.take_check_in_back(player(event, 3), SYSTEM)
    assert here(event) == set()
    assert event.log.filter(action="check_in_taken_back").count() == 1
    for numbers in ([4], [3, 4], [1, 3, 3]):
        desk.check_in_several(event, SYSTEM, numbers)
    assert (here(event), check_in_desk(event).missing) == ({1, 3, 4}, 5), "in whatever order and how often"


def test_who_has_withdrawn_or_is_unknown_is_not_checked_in(event: Tournament) -> None:
    withdraw_player(player(event, 3), SYSTEM)
    assert refused_codes(desk.check_in, player(event, 3), SYSTEM) == ["withdrawn_not_checked_in"]
    with pytest.raises(Refused):
        desk.check_in_several(event, SYSTEM, [1, 99])
    assert here(event) == set()


def test_nobody_waits_for_a_substitute_who_can_be_checked_in_all_the_same() -> None:
    event = make_tournament(players=6, drawn=False)
    substitute, _other = add_substitutes(event, SYSTEM, "Substitute")
    assert missing_players(event).count() == 6
    desk.check_in(substitute, SYSTEM)
    counted = check_in_desk(event)
    assert (counted.here, counted.missing) == (0, 6)


def test_who_was_just_checked_in_keeps_their_place_among_the_missing(event: Tournament) -> None:
    due = Due.objects.create(tournament=event, player=player(event, 3), amount="25.00")
    due.payments.create(uuid="00000000-0000-4000-8000-000000000001", amount=10, method="cash", on=WEEKEND[0])
    desk.check_in(player(event, 3), SYSTEM)
    lines = check_in_desk(event).lines
    assert {line.player.number: line.owes for line in lines if line.owes} == {3: 15}
    assert len(lines) == 8
    event.players.filter(number=3).update(checked_in_at=datetime(2026, 1, 1, tzinfo=UTC))
    assert 3 not in {line.player.number for line in check_in_desk(event).lines}


def test_it_ends_before_the_first_session_or_when_the_organiser_says(event: Tournament) -> None:
    assert check_in_ends(event) is None, "there is no timetable"
    at = datetime.combine(WEEKEND[0], time(8), event.zone)
    desk.set_check_in(event, SYSTEM, ends_at=at, by_themselves=False)
    assert check_in_ends(event) == at
    desk.set_check_in(event, SYSTEM, ends_at=None, by_themselves=False)
    assert check_in_ends(event) is None
    set_timetable(event, SYSTEM, [TimetableLine(session=1, day=WEEKEND[0], starts=time(9))])
    ends = check_in_ends(event)
    assert ends is not None
    assert ends.astimezone(event.zone).time() == time(8, 45)


@pytest.fixture
def open_door(event: Tournament) -> Tournament:
    desk.set_check_in(event, SYSTEM, ends_at=None, by_themselves=True)
    return event


def test_players_check_themselves_in_with_the_code_at_the_door_and_take_it_back(
    open_door: Tournament,
) -> None:
    code = door_code(open_door).code
    desk.check_in_themselves(player(open_door, 3), VISITOR, f" {code[:3].lower()} {code[3:]}", address=HERE)
    assert here(open_door) == {3}
    assert newest(open_door) == {"player": 3, "by": "themselves"}
    for salt in ("hule.check-in.0", "other"):
        assert refused_codes(
            desk.take_own_check_in_back, open_door, VISITOR, signing.dumps(3, salt=salt)
        ) == ["check_in_not_yours"]
    assert here(open_door) == {3}
    signed = signing.dumps(3, salt=f"{desk.OWN}.{open_door.pk}")
    desk.take_own_check_in_back(open_door, VISITOR, signed)
    assert here(open_door) == set()


def test_a_code_is_good_for_minutes_and_for_its_own_event(event: Tournament) -> None:
    assert refused_codes(
        desk.check_in_themselves, player(event, 3), VISITOR, door_code(event).code, address=HERE
    ) == ["check_in_at_the_desk"]
    desk.set_check_in(event, SYSTEM, ends_at=None, by_themselves=True)
    door = door_code(event)
    with patch("django.utils.timezone.now", return_value=door.until + STANDS - timedelta(seconds=1)):
        assert opens(event, door.code)
    with patch("django.utils.timezone.now", return_value=door.until + STANDS + timedelta(seconds=1)):
        assert not opens(event, door.code)
    other = make_tournament(players=4, drawn=False, name="Other")
    assert refused_codes(
        desk.check_in_themselves, player(event, 3), VISITOR, door_code(other).code, address=HERE
    ) == ["door_code_wrong"]
    assert here(event) == set()


def test_who_guesses_is_sent_away_and_the_hall_is_not(open_door: Tournament) -> None:
    place = "203.0.113.9"
    for _ in range(desk.WRONG_CODES.most):
        with pytest.raises(Refused):
            desk.require_code(open_door, "AAAAAA", address=place)
    with pytest.raises(TooMany):
        desk.require_code(open_door, "AAAAAA", address=place)
    desk.require_code(open_door, door_code(open_door).code, address=place)


def test_beginning_anew_is_taken_back_and_who_has_come_meanwhile_is_named(event: Tournament) -> None:
    desk.check_in_several(event, SYSTEM, [1, 2, 3])
    desk.restart_check_in(event, SYSTEM)
    assert here(event) == set()
    desk.check_in_several(event, SYSTEM, [player.number for player in newest_restart(event)])
    assert here(event) == {1, 2, 3}
    assert newest_restart(event) == ()
    desk.check_in_several(event, SYSTEM, [6, 7])
    assert refused_codes(withdraw_missing, event, SYSTEM, [6, 7, 8]) == ["came_meanwhile", "came_meanwhile"]
    assert event.players.filter(withdrawn_at=None).count() == 8


def test_the_missing_are_withdrawn_in_one_entry_and_come_back_in_one(event: Tournament) -> None:
    desk.check_in_several(event, SYSTEM, [1, 2, 3, 4, 5])
    withdraw_missing(event, SYSTEM, [6, 7, 8])
    assert event.players.filter(withdrawn_at=None).count() == 5
    assert newest(event) == {"players": [6, 7, 8]}
    readmit_missing(event, SYSTEM)
    assert event.players.filter(withdrawn_at=None).count() == 8
    assert newest_withdrawal(event) == ()
    assert first_broken_link(event) is None
    assert refused_codes(readmit_missing, event, SYSTEM) == ["nobody_to_readmit"]
    playing = make_tournament(running=0)
    assert refused_codes(withdraw_missing, playing, SYSTEM, [6]) == ["missing_while_playing"]
