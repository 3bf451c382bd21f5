"""Registering, confirming, changing and cancelling, what people do without an account; and who has come."""

from datetime import UTC, datetime, time, timedelta
from unittest.mock import patch

import pytest
from django.core import signing
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.support.checks import refused_codes, refused_problems
from tests.support.factories import SYSTEM, WEEKEND, edited, make_tournament
from tests.support.play import begin
from tests.support.registrations import (
    VISITOR,
    applicant,
    confirmed,
    for_france,
    make_plan,
    question,
    register_one,
    states,
)
from tournament.base import log
from tournament.base.errors import Forbidden, Refused, TooMany
from tournament.base.log import first_broken_link
from tournament.base.models.events import TimetableItem
from tournament.base.models.people import Player
from tournament.base.models.registration import Question, Registration
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import registration_by_token, registration_token
from tournament.dues.models import Due
from tournament.events.services import set_timetable
from tournament.players.models import CheckIn
from tournament.players.selectors.check_in import (
    CODE_LIFETIME,
    check_in_desk,
    check_in_ends,
    door_code,
    is_valid_code,
    missing_players,
    newest_restart,
    newest_withdrawal,
)
from tournament.players.selectors.players import Entrant
from tournament.players.services import check_in as desk
from tournament.players.services.check_in import readmit_missing, withdraw_missing
from tournament.players.services.players import add_players, add_substitutes, edit_player, withdraw_player
from tournament.registration.selectors.plan import (
    list_attendees,
    registration_status,
    unapproved_changes,
)
from tournament.registration.selectors.registrations import (
    CONFIRM_WITHIN,
    Step,
    capacity_problems,
    last_step,
    position_of,
    preview_step,
    promotable_numbers,
    registrations_by_number,
)
from tournament.registration.services.admissions import (
    add_registrations,
    decide,
    enter_registered,
    set_questions,
    undo_step,
)
from tournament.registration.services.registrations import (
    cancel_registration,
    change_registration,
    confirm_registration,
    delete_expired,
    edit_registration,
    register,
)
from tournament.seating.services.seatings import draw_seats

pytestmark = pytest.mark.stored

State = Registration.State
EVENT_WITH = {"players": 0, "drawn": False}


def letters(event: Tournament) -> list[tuple[int | None, str]]:
    """Number of the registration, code of the letter, in the order they were written."""
    return list(event.mails.order_by("pk").values_list("registration__number", "letter"))


def newest_step(event: Tournament) -> int:
    step = last_step(event)
    assert step is not None
    return step.seq


class TestAutomaticPromotion:
    """The organiser has said that places are given by themselves."""

    def test_the_first_to_confirm_gets_the_last_place(self, event: Tournament) -> None:
        make_plan(event, places=1)
        first, second = register_one(event, 1), register_one(event, 2)
        assert (states(event), registration_status(event).taken) == ({1: "unconfirmed", 2: "unconfirmed"}, 0)
        confirm_registration(second, VISITOR)
        confirm_registration(first, VISITOR)
        assert states(event) == {1: "waiting", 2: "accepted"}
        entries = event.log.count()
        confirm_registration(second, VISITOR)
        assert event.log.count() == entries, "confirming twice is confirming once"

    def test_the_first_on_the_waiting_list_is_promoted_and_gets_a_letter(self, event: Tournament) -> None:
        make_plan(event, places=1)
        first = confirmed(event, 1)
        confirmed(event, 2), confirmed(event, 3)
        cancel_registration(first, VISITOR)
        assert states(event) == {1: "cancelled", 2: "accepted", 3: "waiting"}
        assert letters(event)[-2:] == [(1, "registration_cancelled"), (2, "registration_moved_up")]
        make_plan(event, places=2)
        assert states(event) == {1: "cancelled", 2: "accepted", 3: "accepted"}

    def test_a_full_waiting_list_refuses_registrations(self, event: Tournament) -> None:
        make_plan(event, places=1, waiting_places=1)
        late = register_one(event, 3)
        confirmed(event, 1), confirmed(event, 2)
        assert refused_codes(register_one, event, 4) == ["registration_not_open"]
        assert confirm_registration(late, VISITOR).state == "declined"

    def test_a_player_who_withdraws_before_play_frees_the_place(self, event: Tournament) -> None:
        make_plan(event, places=1)
        confirmed(event, 1), confirmed(event, 2)
        (player,) = enter_registered(event, SYSTEM, [1])
        withdraw_player(player, SYSTEM)
        assert states(event) == {1: "accepted", 2: "accepted"}
        assert registration_status(event).taken == 1


class TestRegistering:
    def test_registrations_are_accepted_only_while_open(self, event: Tournament) -> None:
        now, day = timezone.now(), timedelta(days=1)
        for closed in ({"is_open": False}, {"opens_at": now + day}, {"closes_at": now - day}):
            make_plan(event, **closed)
            assert refused_codes(register_one, event, 1) == ["registration_not_open"]
        make_plan(event)
        Tournament.objects.update(starts_on=now - 3 * day, ends_on=now - 2 * day)
        event.refresh_from_db()
        assert refused_codes(register_one, event, 1) == ["registration_not_open"]

    def test_the_draw_closes_it_and_nobody_moves_up_without_the_organiser(self, event: Tournament) -> None:
        make_plan(event, places=9)
        add_players(event, SYSTEM, [Entrant(f"Imported {number}") for number in range(1, 9)])
        first, _second = confirmed(event, 1), confirmed(event, 2)
        late, later = register_one(event, 3), register_one(event, 4)
        assert (states(event)[2], registration_status(event).taken) == ("waiting", 9), "imported people count"
        assert {"I. 1.", "I. 8."} < {person.name for person in list_attendees(event)}
        draw_seats(event, SYSTEM, seed="1")
        cancel_registration(first, VISITOR)
        assert (confirm_registration(late, VISITOR).state, states(event)[2]) == ("pending", "waiting")
        assert registration_status(event).phase == "closed"
        decide(event, SYSTEM, [2], State.ACCEPTED)
        make_plan(event)
        assert registration_status(event).is_open, "the organiser opened it again"
        begin(event, 1)
        assert registration_status(event).phase == "over"
        assert refused_codes(confirm_registration, later, VISITOR) == ["registration_not_open"]

    def test_a_confirmation_after_the_last_day_counts_as_in_time(self, event: Tournament) -> None:
        make_plan(event, places=1)
        registration = register_one(event, 1)
        make_plan(event, places=1, closes_at=timezone.now() - timedelta(seconds=1))
        assert confirm_registration(registration, VISITOR).state == "accepted"

    def test_the_link_is_sent_again_and_a_family_shares_an_address(self, event: Tournament) -> None:
        make_plan(event, places=1)
        registration = register_one(event, 1)
        assert register_one(event, 1) == registration
        assert letters(event) == [(1, "registration_confirm")] * 2
        register_one(event, 2, email=registration.email)
        assert len(states(event)) == 2

    def test_answered_questions_are_removed_only_with_their_answers(self, event: Tournament) -> None:
        make_plan(event)
        kinds = ("yes_no", "text", "yes_no")
        set_questions(event, SYSTEM, [question(kind) for kind in kinds])
        assert set_questions(event, SYSTEM, []) == [], "nobody has answered"
        lunch, diet, dinner = set_questions(event, SYSTEM, [question(kind) for kind in kinds])
        answers = {str(lunch.pk): True, str(diet.pk): "none", str(dinner.pk): True}
        registration = confirmed(event, 1, answers=answers)
        confirmed(event, 2)
        with pytest.raises(Refused) as refused:
            set_questions(event, SYSTEM, [lunch])
        assert [(problem.code, problem.params) for problem in refused.value.problems] == [
            ("question_answered", {"number": number, "answers": 1}) for number in (2, 3)
        ]
        assert Question.objects.count() == 3
        set_questions(event, SYSTEM, [lunch], drop_answers=True)
        registration.refresh_from_db()
        assert registration.answers == {str(lunch.pk): True}

    def test_all_missing_fields_are_refused_together(self, event: Tournament) -> None:
        make_plan(event)
        set_questions(event, SYSTEM, [question("text", is_required=True)])
        empty = applicant(1, last_name="", email="", country="Atlantis")
        (question_asked,) = Question.objects.all()
        assert set(refused_problems(register, event, VISITOR, empty, privacy_read=False)) == {
            ("name_missing", "last_name"),
            ("unknown_country", "country"),
            ("value_missing", "email"),
            ("value_missing", f"q{question_asked.pk}"),
            ("privacy_not_read", "privacy"),
        }

    def test_only_public_mail_domains_are_valid(self, event: Tournament) -> None:
        make_plan(event)
        for domain in ("localhost", "[127.0.0.1]", "[IPv6:::1]", "10.0.0.25", "printer.local", "a.localhost"):
            nearby = applicant(1, email=f"anna@{domain}")
            assert refused_codes(register, event, VISITOR, nearby, privacy_read=True) == ["email_wrong"], (
                domain
            )

    def test_nobody_registers_for_a_hidden_tournament(self) -> None:
        hidden = make_tournament(players=0, drawn=False, public=False)
        make_plan(hidden)
        with pytest.raises(Forbidden):
            register_one(hidden, 1)

    def test_registrations_not_confirmed_in_time_are_deleted(self, event: Tournament) -> None:
        make_plan(event)
        registration = register_one(event, 1)
        Registration.objects.update(made_at=timezone.now() - CONFIRM_WITHIN - timedelta(minutes=1))
        assert refused_codes(confirm_registration, registration, VISITOR) == ["registration_link_expired"]
        assert delete_expired(timezone.now()) == 1
        assert not event.registrations.exists()

    def test_an_unconfirmed_registration_invalidates_no_public_page(self, event: Tournament) -> None:
        make_plan(event)
        event.refresh_from_db()
        before = event.public_version
        registration = register_one(event, 1)
        event.refresh_from_db()
        assert event.public_version == before
        confirm_registration(registration, VISITOR)
        event.refresh_from_db()
        assert event.public_version == before + 1
        assert log.first_wrong_public_number(event) is None

    def test_the_log_has_no_name_address_or_message(self, event: Tournament) -> None:
        make_plan(event, places=1)
        named = {"last_name": "Zzyzx", "email": "zzyzx@example.org"}
        registration = confirmed(event, 1, message="Zzyzx sends regards", **named)
        confirmed(event, 2)
        change_registration(edited(registration, club="Zzyzx", **named), VISITOR)
        enter_registered(event, SYSTEM, [1])
        cancel_registration(registration, VISITOR)
        assert "zzyzx" not in str([entry.data for entry in event.log.all()]).lower()
        event.refresh_from_db()
        assert log.first_broken_link(event) is None


def test_a_link_opens_only_its_registration(event: Tournament) -> None:
    make_plan(event)
    registration = register_one(event, 1)
    token = registration_token(registration)
    assert registration_by_token(token, event) == registration
    assert registration_by_token(token, make_tournament(players=0, drawn=False)) is None, "another tournament"
    torn = [token[:-1], f"x{token}", "", token.upper()]
    assert [link for link in torn if registration_by_token(link, event) is not None] == []


class TestChanging:
    def test_player_and_registration_are_changed_together(self, event: Tournament) -> None:
        make_plan(event)
        registration = confirmed(event, 1)
        (player,) = enter_registered(event, SYSTEM, [1])
        change_registration(edited(registration, email="other@example.org", club="Wien"), VISITOR)
        player.refresh_from_db()
        registration.refresh_from_db()
        assert (player.club, registration.email) == ("Wien", applicant(1).email), "an address stays"
        edit_player(edited(player, last_name="Zhang", club="Graz"), SYSTEM)
        registration.refresh_from_db()
        assert (registration.club, registration.last_name) == ("Graz", "Zhang")

    def test_a_reserved_place_is_not_lost_by_changing_the_country(self, event: Tournament) -> None:
        make_plan(event, places=1, reserved=[for_france()])
        registration = confirmed(event, 1, country="FRA")
        assert refused_codes(change_registration, edited(registration, country="DEU"), VISITOR) == [
            "place_is_reserved"
        ]
        assert edit_registration(edited(registration, country="DEU"), SYSTEM).country == "DEU"

    def test_a_guest_of_the_ema_has_no_reserved_place(self, event: Tournament) -> None:
        """Guests' numbers begin with 24, and a quota seat comes only from the country of the number."""
        make_plan(event, places=1, reserved=[for_france()])
        guest = confirmed(event, 1, country="FRA", ema_number="24000001")
        member = confirmed(event, 2, country="FRA", ema_number="04000001")
        assert (guest.state, member.state) == (State.WAITING, State.ACCEPTED)

    def test_a_reserved_place_is_gained_only_after_approval(self, event: Tournament) -> None:
        make_plan(event, places=2, reserved=[for_france()])
        confirmed(event, 1, country="DEU")
        waiting = confirmed(event, 2, country="DEU")
        change_registration(edited(waiting, country="FRA"), VISITOR)
        assert promotable_numbers(event) == []
        assert capacity_problems(event, registrations_by_number(event, [2]), State.ACCEPTED)
        (changed,) = unapproved_changes(event)
        assert (changed.country, changed.changed_from) == ("FRA", {"country": "DEU"})
        edit_registration(changed, SYSTEM)
        assert promotable_numbers(event) == [2]
        assert not unapproved_changes(event)

    def test_changes_without_effect_on_reserved_places_need_no_approval(self, event: Tournament) -> None:
        make_plan(event, places=2, reserved=[for_france()])
        registration = confirmed(event, 1, country="DEU")
        change_registration(edited(registration, country="DEU", club="Graz"), VISITOR)
        assert not unapproved_changes(event)
        change_registration(edited(registration, country="FRA"), VISITOR)
        change_registration(edited(registration, country="DEU"), VISITOR)
        assert not unapproved_changes(event)
        changes = event.log.count()
        change_registration(edited(registration, country="DEU"), VISITOR)
        assert event.log.count() == changes, "nothing is changed"

    def test_after_play_begins_shared_fields_are_for_the_organiser(self) -> None:
        event = make_tournament(players=4, sessions=1, running=0)
        make_plan(event)
        add_registrations(event, SYSTEM, [registration := applicant(5)])
        Registration.objects.update(player=event.players.get(number=1))
        assert refused_codes(change_registration, edited(registration, club="Wien"), VISITOR) == [
            "particulars_are_fixed"
        ]
        assert refused_codes(cancel_registration, registration, VISITOR) == ["registered_plays"]

    def test_an_ema_number_of_another_player_is_refused(self, event: Tournament) -> None:
        make_plan(event)
        registration = confirmed(event, 1)
        confirmed(event, 2, ema_number="04000001")
        enter_registered(event, SYSTEM, [1, 2])
        registration.refresh_from_db()
        assert refused_codes(change_registration, edited(registration, ema_number="04000001"), VISITOR) == [
            "ema_number_taken"
        ]


class TestTheDesk:
    def test_a_step_over_many_is_undone_in_one(self, event: Tournament) -> None:
        make_plan(event, places=2)
        for number in (1, 2, 3, 4):
            confirmed(event, number)
        decide(event, SYSTEM, [1, 2], State.DECLINED)
        assert states(event) == {1: "declined", 2: "declined", 3: "accepted", 4: "accepted"}
        undo_step(event, SYSTEM, newest_step(event))
        assert states(event) == {1: "accepted", 2: "accepted", 3: "waiting", 4: "waiting"}
        assert [position_of(waiting) for waiting in event.registrations.filter(state="waiting")] == [1, 2]

    def test_a_step_is_not_undone_once_somebody_has_moved_on(self, event: Tournament) -> None:
        make_plan(event, places=2)
        confirmed(event, 1), confirmed(event, 2)
        decide(event, SYSTEM, [1, 2], State.DECLINED)
        step = newest_step(event)
        decide(event, SYSTEM, [1], State.ACCEPTED)
        assert refused_codes(undo_step, event, SYSTEM, step) == ["registration_step_gone"]
        assert states(event) == {1: "accepted", 2: "declined"}

    def test_steps_respect_places_and_the_waiting_list(self, event: Tournament) -> None:
        make_plan(event, places=1, waiting_places=1, accepts_automatically=False)
        confirmed(event, 1), confirmed(event, 2)
        assert refused_codes(decide, event, SYSTEM, [1, 2], State.WAITING) == ["waiting_list_full"]
        confirmed(event, 3)
        assert refused_codes(decide, event, SYSTEM, [1, 2, 3], State.ACCEPTED) == ["waiting_list_full"]
        assert set(states(event).values()) == {"pending"}
        decide(event, SYSTEM, [1], State.ACCEPTED)
        assert refused_codes(decide, event, SYSTEM, [2], State.ACCEPTED) == ["no_place_left"]

    def test_who_is_accepted_beyond_the_places_waits_in_order(self, event: Tournament) -> None:
        make_plan(event, places=3, accepts_automatically=False, moves_up_automatically=False)
        for number in range(1, 6):
            confirmed(event, number)
        decide(event, SYSTEM, [5], State.WAITING)
        before, letters_before = states(event), len(letters(event))
        preview = preview_step(event, Step.ACCEPT, [1, 2, 3, 4, 5])
        numbers = [registration.number for registration in preview.people]
        assert (numbers, [waiting.number for waiting in preview.waiting]) == ([5, 1, 2, 3, 4], [3, 4])
        decide(event, SYSTEM, numbers, State.ACCEPTED)
        assert states(event) == {1: "accepted", 2: "accepted", 3: "waiting", 4: "waiting", 5: "accepted"}
        sent = letters(event)[letters_before:]
        assert sent[:3] == [
            (5, "registration_moved_up"),
            (1, "registration_accepted"),
            (2, "registration_accepted"),
        ]
        assert sent[3:] == [(3, "registration_waiting"), (4, "registration_waiting")]
        assert [entry.action for entry in event.log.order_by("-seq")[:2]] == ["registrations_moved"] * 2
        undo_step(event, SYSTEM, newest_step(event))
        assert states(event) == before

    def test_accepted_registrations_become_players_and_this_can_be_undone(self, event: Tournament) -> None:
        make_plan(event, places=2)
        confirmed(event, 1), confirmed(event, 2)
        assert [player.number for player in enter_registered(event, SYSTEM, [1, 2])] == [1, 2]
        undo_step(event, SYSTEM, newest_step(event))
        assert not event.players.exists()
        assert states(event) == {1: "accepted", 2: "accepted"}

    def test_losing_the_place_withdraws_the_player_until_undone(self, event: Tournament) -> None:
        make_plan(event, places=1)
        confirmed(event, 1)
        (player,) = enter_registered(event, SYSTEM, [1])
        decide(event, SYSTEM, [1], State.DECLINED)
        player.refresh_from_db()
        assert player.is_withdrawn
        undo_step(event, SYSTEM, newest_step(event))
        player.refresh_from_db()
        assert not player.is_withdrawn

    def test_more_places_reinstate_players(self, event: Tournament) -> None:
        make_plan(event, places=1)
        confirmed(event, 1), confirmed(event, 2)
        enter_registered(event, SYSTEM, [1])
        decide(event, SYSTEM, [1], State.WAITING)
        make_plan(event, places=2)
        assert states(event) == {1: "accepted", 2: "accepted"}
        assert event.log.get(seq=event.log.count()).action == "registration_plan_set"

    def test_a_list_is_entered_in_its_order_and_undone_whole(self, event: Tournament) -> None:
        make_plan(event, places=1, waiting_places=1)
        add_registrations(event, SYSTEM, [applicant(number, email="") for number in (1, 2, 3)])
        assert states(event) == {1: "accepted", 2: "waiting", 3: "pending"}
        changed = edited(event.registrations.get(number=1), club="Wien")
        assert change_registration(changed, VISITOR).club == "Wien", "who has no address has a link"
        undo_step(event, SYSTEM, newest_step(event))
        assert states(event) == {}

    def test_undoing_gives_no_place_that_others_have(self, event: Tournament) -> None:
        make_plan(event, places=1, moves_up_automatically=False)
        confirmed(event, 1)
        decide(event, SYSTEM, [1], State.DECLINED)
        step = newest_step(event)
        confirmed(event, 2)
        assert refused_codes(undo_step, event, SYSTEM, step) == ["no_place_left_for_undo"]
        assert states(event) == {1: "declined", 2: "accepted"}


def test_the_list_of_who_is_coming_names_only_who_agreed(event: Tournament) -> None:
    make_plan(event)
    confirmed(event, 1, last_name="Nowak", first_name="Anna", name_shown=True, club="Wien")
    confirmed(event, 2, last_name="Lima", first_name="Rui", club="Porto")
    event.refresh_from_db()
    coming = {(person.name, person.club) for person in list_attendees(event)}
    assert coming == {("Anna Nowak", "Wien"), ("R. L.", "")}


def test_the_number_of_queries_does_not_grow_with_registrations(event: Tournament) -> None:
    make_plan(event, places=3)
    costs = []
    for number in range(1, 7):
        with CaptureQueriesContext(connection) as registering:
            register_one(event, number)
        registration = Registration.objects.get(number=number)
        with CaptureQueriesContext(connection) as confirming:
            confirm_registration(registration, VISITOR)
        costs.append((len(registering), len(confirming)))
    assert costs[0] == costs[2], "who gets a place"
    assert costs[3] == costs[-1], "who waits"
    assert max(max(pair) for pair in costs) <= 28
    first = event.registrations.get(number=1)
    with CaptureQueriesContext(connection) as leaving:
        cancel_registration(first, VISITOR)
    assert len(leaving) <= 38


HERE = "198.51.100.7"


@pytest.fixture
def entered() -> Tournament:
    return make_tournament(players=8, drawn=False, days=WEEKEND)


def player(entered: Tournament, number: int) -> Player:
    return entered.players.select_related("tournament").get(number=number)


def here(entered: Tournament) -> set[int]:
    return set(entered.players.exclude(checked_in_at=None).values_list("number", flat=True))


def newest(entered: Tournament) -> object:
    return entered.log.latest("seq").data


def test_check_in_and_its_undo_are_idempotent(entered: Tournament) -> None:
    desks = player(entered, 3), player(entered, 3)  # each has read the player before the other wrote
    first, again = (desk.check_in(seen, SYSTEM) for seen in desks)
    assert (here(entered), again.checked_in_at) == ({3}, first.checked_in_at)
    assert entered.log.filter(action="checked_in").count() == 1
    assert newest(entered) == {"player": 3}, "the number and no name"
    desk.undo_check_in(player(entered, 3), SYSTEM)
    desk.undo_check_in(player(entered, 3), SYSTEM)
    assert here(entered) == set()
    assert entered.log.filter(action="check_in_taken_back").count() == 1
    for numbers in ([4], [3, 4], [1, 3, 3]):
        desk.check_in_several(entered, SYSTEM, numbers)
    assert (here(entered), check_in_desk(entered).missing) == ({1, 3, 4}, 5), (
        "in whatever order and how often"
    )


def test_withdrawn_and_unknown_players_are_not_checked_in(entered: Tournament) -> None:
    withdraw_player(player(entered, 3), SYSTEM)
    assert refused_codes(desk.check_in, player(entered, 3), SYSTEM) == ["withdrawn_not_checked_in"]
    with pytest.raises(Refused):
        desk.check_in_several(entered, SYSTEM, [1, 99])
    assert here(entered) == set()


def test_a_substitute_is_never_missing_but_can_be_checked_in() -> None:
    entered = make_tournament(players=6, drawn=False)
    substitute, _other = add_substitutes(entered, SYSTEM, "Substitute")
    assert missing_players(entered).count() == 6
    desk.check_in(substitute, SYSTEM)
    counted = check_in_desk(entered)
    assert (counted.here, counted.missing) == (0, 6)


def test_a_player_just_checked_in_stays_in_the_list(entered: Tournament) -> None:
    due = Due.objects.create(tournament=entered, player=player(entered, 3), amount="25.00")
    due.payments.create(uuid="00000000-0000-4000-8000-000000000001", amount=10, method="cash", on=WEEKEND[0])
    desk.check_in(player(entered, 3), SYSTEM)
    lines = check_in_desk(entered).lines
    assert {line.player.number: line.owes for line in lines if line.owes} == {3: 15}
    assert len(lines) == 8
    entered.players.filter(number=3).update(checked_in_at=datetime(2026, 1, 1, tzinfo=UTC))
    assert 3 not in {line.player.number for line in check_in_desk(entered).lines}


def test_check_in_ends_before_the_first_session_or_as_set(entered: Tournament) -> None:
    assert check_in_ends(entered) is None, "there is no timetable"
    at = datetime.combine(WEEKEND[0], time(8), entered.zone)
    desk.set_check_in(CheckIn(tournament=entered, ends_at=at), SYSTEM)
    assert check_in_ends(entered) == at
    desk.set_check_in(CheckIn(tournament=entered), SYSTEM)
    assert check_in_ends(entered) is None
    set_timetable(entered, SYSTEM, [TimetableItem(session=1, day=WEEKEND[0], starts=time(9))])
    ends = check_in_ends(entered)
    assert ends is not None
    assert ends.astimezone(entered.zone).time() == time(8, 45)


@pytest.fixture
def open_door(entered: Tournament) -> Tournament:
    desk.set_check_in(CheckIn(tournament=entered, self_check_in=True), SYSTEM)
    return entered


def test_self_check_in_needs_the_doors_code_and_can_be_undone(
    open_door: Tournament,
) -> None:
    code = door_code(open_door).code
    desk.check_in_self(player(open_door, 3), VISITOR, f" {code[:3].lower()} {code[3:]}", address=HERE)
    assert here(open_door) == {3}
    assert newest(open_door) == {"player": 3, "by": "themselves"}
    for salt in ("hule.check-in.0", "other"):
        assert refused_codes(desk.undo_own_check_in, open_door, VISITOR, signing.dumps(3, salt=salt)) == [
            "check_in_not_yours"
        ]
    assert here(open_door) == {3}
    signed = signing.dumps(3, salt=f"{desk.UNDO_SALT}.{open_door.pk}")
    desk.undo_own_check_in(open_door, VISITOR, signed)
    assert here(open_door) == set()


def test_a_code_is_good_for_minutes_and_for_its_own_event(entered: Tournament) -> None:
    assert refused_codes(
        desk.check_in_self, player(entered, 3), VISITOR, door_code(entered).code, address=HERE
    ) == ["check_in_at_the_desk"]
    desk.set_check_in(CheckIn(tournament=entered, self_check_in=True), SYSTEM)
    door = door_code(entered)
    with patch("django.utils.timezone.now", return_value=door.until + CODE_LIFETIME - timedelta(seconds=1)):
        assert is_valid_code(entered, door.code)
    with patch("django.utils.timezone.now", return_value=door.until + CODE_LIFETIME + timedelta(seconds=1)):
        assert not is_valid_code(entered, door.code)
    other = make_tournament(players=4, drawn=False, name="Other")
    assert refused_codes(
        desk.check_in_self, player(entered, 3), VISITOR, door_code(other).code, address=HERE
    ) == ["door_code_wrong"]
    assert here(entered) == set()


def test_guesses_are_limited_and_the_right_code_still_works(open_door: Tournament) -> None:
    place = "203.0.113.9"
    for _ in range(desk.WRONG_CODES.maximum):
        with pytest.raises(Refused):
            desk.require_code(open_door, "AAAAAA", address=place)
    with pytest.raises(TooMany):
        desk.require_code(open_door, "AAAAAA", address=place)
    desk.require_code(open_door, door_code(open_door).code, address=place)


def test_a_restart_is_undone_and_later_check_ins_are_listed(entered: Tournament) -> None:
    desk.check_in_several(entered, SYSTEM, [1, 2, 3])
    desk.restart_check_in(entered, SYSTEM)
    assert here(entered) == set()
    desk.check_in_several(entered, SYSTEM, [player.number for player in newest_restart(entered)])
    assert here(entered) == {1, 2, 3}
    assert newest_restart(entered) == ()
    desk.check_in_several(entered, SYSTEM, [6, 7])
    assert refused_codes(withdraw_missing, entered, SYSTEM, [6, 7, 8]) == ["came_meanwhile", "came_meanwhile"]
    assert entered.players.filter(withdrawn_at=None).count() == 8


def test_the_missing_are_withdrawn_and_reinstated_with_one_entry_each(entered: Tournament) -> None:
    desk.check_in_several(entered, SYSTEM, [1, 2, 3, 4, 5])
    withdraw_missing(entered, SYSTEM, [6, 7, 8])
    assert entered.players.filter(withdrawn_at=None).count() == 5
    assert newest(entered) == {"players": [6, 7, 8]}
    readmit_missing(entered, SYSTEM)
    assert entered.players.filter(withdrawn_at=None).count() == 8
    assert newest_withdrawal(entered) == ()
    assert first_broken_link(entered) is None
    assert refused_codes(readmit_missing, entered, SYSTEM) == ["nobody_to_readmit"]
    playing = make_tournament(running=0)
    assert refused_codes(withdraw_missing, playing, SYSTEM, [6]) == ["missing_while_playing"]
