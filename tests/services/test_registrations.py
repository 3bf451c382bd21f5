"""Registering, confirming, changing and cancelling: what people do without an account."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM, entrant, make_tournament
from tests.support.registrations import VISITOR, applicant, confirmed, make_plan, register_one, states
from tournament import log
from tournament.access.registration_link import CONFIRM_WITHIN, found_by, token_of
from tournament.engine.registration import Kept
from tournament.errors import Forbidden, Refused
from tournament.models import Question, Registration, Tournament
from tournament.selectors.places_taken import who_is_coming
from tournament.selectors.registration_plan import PlanWish, QuestionWish, registering
from tournament.selectors.registrations import last_step, position_of
from tournament.services.admissions import add_registrations, decide, enter_registered, undo_step
from tournament.services.players import edit_player, withdraw_player
from tournament.services.registration_expiry import forget_unconfirmed
from tournament.services.registration_plan import set_plan, set_questions
from tournament.services.registrations import (
    cancel_registration,
    change_registration,
    confirm_registration,
    edit_registration,
    register,
)

pytestmark = pytest.mark.stored
State = Registration.State


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=0, drawn=False)


def letters(event: Tournament) -> list[tuple[int | None, str]]:
    """Number of the registration, code of the letter, in the order they were written."""
    return list(event.mails.order_by("pk").values_list("registration__number", "letter"))


def newest_step(event: Tournament) -> int:
    step = last_step(event)
    assert step is not None
    return step.seq


class TestByItself:
    """The organiser has said that places are given by themselves."""

    def test_who_confirms_first_has_the_last_place(self, event: Tournament) -> None:
        make_plan(event, places=1)
        first, second = register_one(event, 1), register_one(event, 2)
        assert (states(event), registering(event).taken) == ({1: "unconfirmed", 2: "unconfirmed"}, 0)
        confirm_registration(second, VISITOR)
        confirm_registration(first, VISITOR)
        assert states(event) == {1: "waiting", 2: "accepted"}
        entries = event.log.count()
        confirm_registration(second, VISITOR)
        assert event.log.count() == entries, "confirming twice is confirming once"

    def test_who_waits_first_moves_up_and_gets_a_letter(self, event: Tournament) -> None:
        make_plan(event, places=1)
        first = confirmed(event, 1)
        confirmed(event, 2), confirmed(event, 3)
        cancel_registration(first, VISITOR)
        assert states(event) == {1: "cancelled", 2: "accepted", 3: "waiting"}
        assert letters(event)[-2:] == [(1, "registration_cancelled"), (2, "registration_moved_up")]
        make_plan(event, places=2)
        assert states(event) == {1: "cancelled", 2: "accepted", 3: "accepted"}

    def test_a_place_kept_for_a_country_is_for_nobody_else(self, event: Tournament) -> None:
        make_plan(event, places=2, kept=(Kept("country", "FRA", 1),))
        for number, country in enumerate(("DEU", "DEU", "FRA"), 1):
            confirmed(event, number, country=country)
        assert states(event) == {1: "accepted", 2: "waiting", 3: "accepted"}

    def test_a_full_waiting_list_takes_nobody_more(self, event: Tournament) -> None:
        make_plan(event, places=1, waiting_places=1)
        late = register_one(event, 3)
        confirmed(event, 1), confirmed(event, 2)
        assert refused_codes(register_one, event, 4) == ["registration_not_open"]
        assert confirm_registration(late, VISITOR).state == "declined"

    def test_a_player_who_withdraws_before_play_leaves_the_place(self, event: Tournament) -> None:
        make_plan(event, places=1)
        confirmed(event, 1), confirmed(event, 2)
        (player,) = enter_registered(event, SYSTEM, [1])
        withdraw_player(player, SYSTEM)
        assert states(event) == {1: "accepted", 2: "accepted"}
        assert registering(event).taken == 1


class TestRegistering:
    def test_registrations_are_taken_only_while_they_are_open(self, event: Tournament) -> None:
        now, day = timezone.now(), timedelta(days=1)
        for closed in (PlanWish(is_open=False), PlanWish(opens_at=now + day), PlanWish(closes_at=now - day)):
            set_plan(event, SYSTEM, closed)
            assert refused_codes(register_one, event, 1) == ["registration_not_open"]

    def test_who_confirms_after_the_last_day_registered_in_time(self, event: Tournament) -> None:
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

    def test_answered_questions_go_only_with_their_answers(self, event: Tournament) -> None:
        make_plan(event)
        wishes = [QuestionWish(kind, {"en": kind}) for kind in ("yes_no", "text", "yes_no")]
        set_questions(event, SYSTEM, wishes)
        assert set_questions(event, SYSTEM, []) == [], "nobody has answered"
        lunch, diet, dinner = set_questions(event, SYSTEM, wishes)
        answers = {str(lunch.pk): True, str(diet.pk): "none", str(dinner.pk): True}
        registration = confirmed(event, 1, answers=answers)
        confirmed(event, 2)
        remaining = replace(wishes[0], key=lunch.pk)
        with pytest.raises(Refused) as refused:
            set_questions(event, SYSTEM, [remaining])
        assert [(problem.code, problem.params) for problem in refused.value.problems] == [
            ("question_answered", {"number": number, "answers": 1}) for number in (2, 3)
        ]
        assert Question.objects.count() == 3
        set_questions(event, SYSTEM, [remaining], drop_answers=True)
        registration.refresh_from_db()
        assert registration.answers == {str(lunch.pk): True}

    def test_all_that_is_missing_is_refused_at_once(self, event: Tournament) -> None:
        make_plan(event)
        set_questions(event, SYSTEM, [QuestionWish("text", {"en": "Lunch?"}, is_required=True)])
        empty = applicant(1, last_name="", email="", country="Atlantis")
        assert set(refused_codes(register, event, VISITOR, empty, privacy_read=False)) == {
            *("name_missing", "email_missing", "unknown_country", "privacy_not_read", "answer_missing")
        }

    def test_nobody_registers_for_a_hidden_tournament(self) -> None:
        hidden = make_tournament(players=0, drawn=False, public=False)
        make_plan(hidden)
        with pytest.raises(Forbidden):
            register_one(hidden, 1)

    def test_what_was_not_confirmed_in_time_is_gone(self, event: Tournament) -> None:
        make_plan(event)
        registration = register_one(event, 1)
        Registration.objects.update(made_at=timezone.now() - CONFIRM_WITHIN - timedelta(minutes=1))
        assert refused_codes(confirm_registration, registration, VISITOR) == ["registration_link_expired"]
        assert forget_unconfirmed(timezone.now()) == 1
        assert not event.registrations.exists()

    def test_an_unconfirmed_registration_draws_no_public_page_anew(self, event: Tournament) -> None:
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

    def test_the_log_holds_nobodys_name_address_or_message(self, event: Tournament) -> None:
        make_plan(event, places=1)
        named = {"last_name": "Zzyzx", "email": "zzyzx@example.org"}
        registration = confirmed(event, 1, message="Zzyzx sends regards", **named)
        confirmed(event, 2)
        change_registration(registration, VISITOR, applicant(1, club="Zzyzx", **named))
        enter_registered(event, SYSTEM, [1])
        cancel_registration(registration, VISITOR)
        assert "zzyzx" not in str([entry.data for entry in event.log.all()]).lower()
        event.refresh_from_db()
        assert log.first_broken_link(event) is None


def test_a_link_opens_its_own_registration_and_a_torn_one_nothing(event: Tournament) -> None:
    make_plan(event)
    registration = register_one(event, 1)
    token = token_of(registration)
    assert found_by(token, event) == registration
    assert found_by(token, make_tournament(players=0, drawn=False)) is None, "another tournament"
    torn = [token[:-1], f"x{token}", "", token.upper()]
    assert [link for link in torn if found_by(link, event) is not None] == []


class TestChanging:
    def test_player_and_registration_are_changed_together(self, event: Tournament) -> None:
        make_plan(event)
        registration = confirmed(event, 1)
        (player,) = enter_registered(event, SYSTEM, [1])
        change_registration(registration, VISITOR, applicant(1, email="other@example.org", club="Wien"))
        player.refresh_from_db()
        registration.refresh_from_db()
        assert (player.club, registration.email) == ("Wien", applicant(1).email), "an address stays"
        edit_player(player, SYSTEM, replace(entrant(1), club="Graz"))
        registration.refresh_from_db()
        assert (registration.club, registration.last_name) == ("Graz", entrant(1).last_name)

    def test_a_kept_place_is_not_taken_away_by_moving_to_another_country(self, event: Tournament) -> None:
        make_plan(event, places=1, kept=(Kept("country", "FRA", 1),))
        registration = confirmed(event, 1, country="FRA")
        assert refused_codes(change_registration, registration, VISITOR, applicant(1, country="DEU")) == [
            "place_is_kept"
        ]
        assert edit_registration(registration, SYSTEM, applicant(1, country="DEU")).country == "DEU"

    def test_once_play_has_begun_who_plays_is_the_organisers(self) -> None:
        event = make_tournament(players=4, sessions=1, running=0)
        make_plan(event)
        registration = confirmed(event, 1)
        Registration.objects.update(player=event.players.get(number=1))
        assert refused_codes(change_registration, registration, VISITOR, applicant(1, club="Wien")) == [
            "particulars_are_fixed"
        ]
        assert refused_codes(cancel_registration, registration, VISITOR) == ["registered_plays"]

    def test_an_ema_number_of_another_player_is_refused(self, event: Tournament) -> None:
        make_plan(event)
        registration = confirmed(event, 1)
        confirmed(event, 2, ema_number="04000001")
        enter_registered(event, SYSTEM, [1, 2])
        registration.refresh_from_db()
        assert refused_codes(
            change_registration, registration, VISITOR, applicant(1, ema_number="04000001")
        ) == ["ema_number_taken"]


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

    def test_nobody_is_accepted_beyond_the_places_or_waits_on_a_full_list(self, event: Tournament) -> None:
        make_plan(event, places=1, waiting_places=1, accepts_itself=False)
        confirmed(event, 1), confirmed(event, 2)
        assert refused_codes(decide, event, SYSTEM, [1, 2], State.ACCEPTED) == ["no_place_left"]
        assert refused_codes(decide, event, SYSTEM, [1, 2], State.WAITING) == ["waiting_list_full"]
        assert states(event) == {1: "pending", 2: "pending"}

    def test_accepted_people_become_players_with_numbers_and_leave_again(self, event: Tournament) -> None:
        make_plan(event, places=2)
        confirmed(event, 1), confirmed(event, 2)
        assert [player.number for player in enter_registered(event, SYSTEM, [1, 2])] == [1, 2]
        undo_step(event, SYSTEM, newest_step(event))
        assert not event.players.exists()
        assert states(event) == {1: "accepted", 2: "accepted"}

    def test_who_loses_the_place_withdraws_as_a_player_until_that_is_undone(self, event: Tournament) -> None:
        make_plan(event, places=1)
        confirmed(event, 1)
        (player,) = enter_registered(event, SYSTEM, [1])
        decide(event, SYSTEM, [1], State.DECLINED)
        player.refresh_from_db()
        assert player.is_withdrawn
        undo_step(event, SYSTEM, newest_step(event))
        player.refresh_from_db()
        assert not player.is_withdrawn

    def test_a_list_is_entered_in_its_order_and_taken_back_whole(self, event: Tournament) -> None:
        make_plan(event, places=1, waiting_places=1)
        add_registrations(event, SYSTEM, [applicant(number, email="") for number in (1, 2, 3)])
        assert states(event) == {1: "accepted", 2: "waiting", 3: "pending"}
        undo_step(event, SYSTEM, newest_step(event))
        assert states(event) == {}

    def test_places_that_others_have_by_now_are_not_given_back(self, event: Tournament) -> None:
        make_plan(event, places=1, moves_up_itself=False)
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
    coming = {(person.name, person.club) for person in who_is_coming(event)}
    assert coming == {("Anna Nowak", "Wien"), ("R. L.", "")}


def test_statements_do_not_grow_with_those_who_registered(event: Tournament) -> None:
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
    assert max(max(pair) for pair in costs) <= 24
    first = event.registrations.get(number=1)
    with CaptureQueriesContext(connection) as leaving:
        cancel_registration(first, VISITOR)
    assert len(leaving) <= 36
