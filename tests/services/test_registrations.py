"""Registering, confirming, changing and cancelling: what people do without an account."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.support.factories import SYSTEM, entrant, make_organiser, make_tournament
from tests.support.registrations import VISITOR, applicant, confirmed, make_plan, register_one, states
from tournament import log
from tournament.access import Actor
from tournament.access.registration_link import CONFIRM_WITHIN, found_by, token_of
from tournament.engine.registration import Kept
from tournament.errors import Forbidden, Refused
from tournament.models import Mail, Question, Registration, Tournament
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

pytestmark = pytest.mark.django_db
State = Registration.State


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=0, drawn=False)


def letters(event: Tournament) -> list[tuple[int | None, str]]:
    """Number of the registration, code of the letter, in the order they were written."""
    found = Mail.objects.filter(tournament=event).order_by("pk")
    return list(found.values_list("registration__number", "letter"))


class TestByItself:
    """The organiser has said that places are given by themselves."""

    def test_an_unconfirmed_registration_has_no_place_and_no_turn(self, event: Tournament) -> None:
        make_plan(event, places=1)
        register_one(event, 1)
        assert states(event) == {1: "unconfirmed"}
        assert registering(event).taken == 0

    def test_who_confirms_first_has_the_last_place(self, event: Tournament) -> None:
        make_plan(event, places=1)
        first, second = register_one(event, 1), register_one(event, 2)
        confirm_registration(second, VISITOR)
        confirm_registration(first, VISITOR)
        assert states(event) == {1: "waiting", 2: "accepted"}

    def test_confirming_twice_is_confirming_once(self, event: Tournament) -> None:
        make_plan(event, places=1)
        one = confirmed(event, 1)
        before = event.log.count()
        confirm_registration(one, VISITOR)
        assert event.log.count() == before

    def test_who_waits_first_moves_up_and_is_told(self, event: Tournament) -> None:
        make_plan(event, places=1)
        first = confirmed(event, 1)
        confirmed(event, 2), confirmed(event, 3)
        cancel_registration(first, VISITOR)
        assert states(event) == {1: "cancelled", 2: "accepted", 3: "waiting"}
        assert letters(event)[-2:] == [(1, "registration_cancelled"), (2, "registration_moved_up")]

    def test_a_place_kept_for_a_country_is_for_nobody_else(self, event: Tournament) -> None:
        make_plan(event, places=2, kept=(Kept("country", "FRA", 1),))
        for number, country in enumerate(("DEU", "DEU", "FRA"), 1):
            confirmed(event, number, country=country)
        assert states(event) == {1: "accepted", 2: "waiting", 3: "accepted"}

    def test_a_full_waiting_list_takes_nobody_more(self, event: Tournament) -> None:
        make_plan(event, places=1, waiting_places=1)
        late = register_one(event, 3)
        confirmed(event, 1), confirmed(event, 2)
        with pytest.raises(Refused, match="registration_not_open"):
            register_one(event, 4)
        assert confirm_registration(late, VISITOR).state == "declined"

    def test_more_places_are_given_to_who_waits(self, event: Tournament) -> None:
        make_plan(event, places=1)
        confirmed(event, 1), confirmed(event, 2), confirmed(event, 3)
        make_plan(event, places=2)
        assert states(event) == {1: "accepted", 2: "accepted", 3: "waiting"}

    def test_a_newcomer_does_not_overtake_who_waits_for_the_organiser(self, event: Tournament) -> None:
        make_plan(event, places=1, moves_up_itself=False)
        first = confirmed(event, 1)
        waits = confirmed(event, 2)
        cancel_registration(first, VISITOR)
        assert confirmed(event, 3).state == "waiting"
        assert position_of(waits) == 1

    def test_a_player_who_withdraws_before_play_leaves_the_place(self, event: Tournament) -> None:
        make_plan(event, places=1)
        confirmed(event, 1), confirmed(event, 2)
        (player,) = enter_registered(event, SYSTEM, [1])
        withdraw_player(player, SYSTEM)
        assert states(event) == {1: "accepted", 2: "accepted"}
        assert registering(event).taken == 1


class TestRegistering:
    def test_by_hand_everybody_is_looked_at(self, event: Tournament) -> None:
        make_plan(event, places=1, accepts_itself=False)
        assert [confirmed(event, number).state for number in (1, 2)] == ["pending", "pending"]

    @pytest.mark.parametrize(
        "wish",
        [
            PlanWish(is_open=False),
            PlanWish(opens_at=timezone.now() + timedelta(days=1)),
            PlanWish(closes_at=timezone.now() - timedelta(days=1)),
        ],
    )
    def test_it_is_taken_while_it_is_open(self, event: Tournament, wish: PlanWish) -> None:
        set_plan(event, SYSTEM, wish)
        with pytest.raises(Refused, match="registration_not_open"):
            register_one(event, 1)

    def test_who_confirms_after_the_last_day_registered_in_time(self, event: Tournament) -> None:
        make_plan(event, places=1)
        one = register_one(event, 1)
        make_plan(event, places=1, closes_at=timezone.now() - timedelta(seconds=1))
        assert confirm_registration(one, VISITOR).state == "accepted"

    def test_the_same_person_from_the_same_address_gets_the_link_again(self, event: Tournament) -> None:
        make_plan(event, places=1)
        one = register_one(event, 1)
        assert register_one(event, 1) == one
        assert letters(event) == [(1, "registration_confirm")] * 2

    def test_a_family_has_one_address(self, event: Tournament) -> None:
        make_plan(event)
        for number in (1, 2):
            register(event, VISITOR, applicant(number, email="family@example.org"), privacy_read=True)
        assert len(states(event)) == 2

    def test_a_question_that_was_answered_goes_only_with_a_word_for_its_answers(
        self, event: Tournament
    ) -> None:
        make_plan(event)
        lunch, diet = set_questions(
            event, SYSTEM, [QuestionWish("yes_no", {"en": "Lunch?"}), QuestionWish("text", {"en": "Diet?"})]
        )
        one = confirmed(event, 1, answers={str(lunch.pk): True, str(diet.pk): "none"})
        confirmed(event, 2)
        kept = QuestionWish("yes_no", {"en": "Lunch?"}, key=lunch.pk)
        with pytest.raises(Refused) as refused:
            set_questions(event, SYSTEM, [kept])
        (problem,) = refused.value.problems
        assert (problem.code, problem.params) == ("question_answered", {"number": 2, "answers": 1})
        assert Question.objects.count() == 2
        set_questions(event, SYSTEM, [kept], drop_answers=True)
        one.refresh_from_db()
        assert one.answers == {str(lunch.pk): True}

    def test_questions_that_go_together_leave_no_answer(self, event: Tournament) -> None:
        make_plan(event)
        asked = [QuestionWish("yes_no", {"en": "Lunch?"}), QuestionWish("yes_no", {"en": "Dinner?"})]
        answers = {str(question.pk): True for question in set_questions(event, SYSTEM, asked)}
        one = confirmed(event, 1, answers=answers)
        set_questions(event, SYSTEM, [], drop_answers=True)
        one.refresh_from_db()
        assert one.answers == {}

    def test_a_question_that_nobody_answered_goes_without_a_word(self, event: Tournament) -> None:
        make_plan(event)
        set_questions(event, SYSTEM, [QuestionWish("yes_no", {"en": "Lunch?"})])
        assert set_questions(event, SYSTEM, []) == []

    def test_all_that_is_missing_is_said_at_once(self, event: Tournament) -> None:
        make_plan(event)
        set_questions(event, SYSTEM, [QuestionWish("text", {"en": "Lunch?"}, is_required=True)])
        with pytest.raises(Refused) as refused:
            register(
                event, VISITOR, applicant(1, last_name="", email="", country="Atlantis"), privacy_read=False
            )
        assert {one.code for one in refused.value.problems} == {
            *("name_missing", "email_missing", "unknown_country", "privacy_not_read", "answer_missing"),
        }

    def test_nobody_registers_for_what_they_do_not_see(self) -> None:
        hidden = make_tournament(players=0, drawn=False, public=False)
        make_plan(hidden)
        with pytest.raises(Forbidden):
            register_one(hidden, 1)

    def test_what_was_not_confirmed_in_time_is_gone(self, event: Tournament) -> None:
        make_plan(event)
        one = register_one(event, 1)
        Registration.objects.update(made_at=timezone.now() - CONFIRM_WITHIN - timedelta(minutes=1))
        with pytest.raises(Refused, match="registration_link_expired"):
            confirm_registration(one, VISITOR)
        assert forget_unconfirmed(timezone.now()) == 1
        assert not event.registrations.exists()

    def test_an_unconfirmed_registration_draws_no_public_page_anew(self, event: Tournament) -> None:
        make_plan(event)
        event.refresh_from_db()
        before = event.public_version
        one = register_one(event, 1)
        event.refresh_from_db()
        assert event.public_version == before
        confirm_registration(one, VISITOR)
        event.refresh_from_db()
        assert event.public_version == before + 1
        assert log.first_wrong_public_number(event) is None

    def test_the_log_holds_nobodys_name_address_or_message(self, event: Tournament) -> None:
        make_plan(event, places=1)
        one = confirmed(event, 1, last_name="Zzyzx", email="zzyzx@example.org", message="Zzyzx sends regards")
        confirmed(event, 2)
        change_registration(
            one, VISITOR, applicant(1, last_name="Zzyzx", club="Zzyzx", email="zzyzx@example.org")
        )
        enter_registered(event, SYSTEM, [1])
        cancel_registration(one, VISITOR)
        assert "zzyzx" not in str([entry.data for entry in event.log.all()]).lower()
        event.refresh_from_db()
        assert log.first_broken_link(event) is None


class TestLinks:
    def test_a_link_opens_its_own_registration(self, event: Tournament) -> None:
        make_plan(event)
        one = register_one(event, 1)
        assert found_by(token_of(one), event) == one

    @pytest.mark.parametrize("torn", [lambda t: t[:-1], lambda t: "x" + t, lambda t: "", lambda t: t.upper()])
    def test_a_torn_link_opens_nothing(self, event: Tournament, torn: Any) -> None:
        make_plan(event)
        assert found_by(torn(token_of(register_one(event, 1))), event) is None

    def test_a_link_opens_nothing_at_another_tournament(self, event: Tournament) -> None:
        make_plan(event)
        assert found_by(token_of(register_one(event, 1)), make_tournament(players=0, drawn=False)) is None


class TestChanging:
    def test_the_player_is_changed_with_the_registration(self, event: Tournament) -> None:
        make_plan(event)
        one = confirmed(event, 1)
        (player,) = enter_registered(event, SYSTEM, [1])
        change_registration(one, VISITOR, applicant(1, club="Wien"))
        player.refresh_from_db()
        assert player.club == "Wien"

    def test_the_registration_is_changed_with_the_player(self, event: Tournament) -> None:
        make_plan(event)
        one = confirmed(event, 1)
        (player,) = enter_registered(event, SYSTEM, [1])
        edit_player(player, SYSTEM, replace(entrant(1), club="Graz"))
        one.refresh_from_db()
        assert (one.club, one.last_name) == ("Graz", entrant(1).last_name)

    def test_the_address_is_not_changed_by_the_link(self, event: Tournament) -> None:
        make_plan(event)
        one = confirmed(event, 1)
        change_registration(one, VISITOR, applicant(1, email="other@example.org", club="Wien"))
        one.refresh_from_db()
        assert one.email == applicant(1).email

    def test_a_kept_place_is_not_taken_away_by_moving_to_another_country(self, event: Tournament) -> None:
        make_plan(event, places=1, kept=(Kept("country", "FRA", 1),))
        one = confirmed(event, 1, country="FRA")
        with pytest.raises(Refused, match="place_is_kept"):
            change_registration(one, VISITOR, applicant(1, country="DEU"))
        assert edit_registration(one, SYSTEM, applicant(1, country="DEU")).country == "DEU"

    def test_once_play_has_begun_who_plays_is_the_organisers(self) -> None:
        event = make_tournament(players=4, sessions=1, running=0)
        make_plan(event)
        one = confirmed(event, 1)
        Registration.objects.filter(pk=one.pk).update(player=event.players.get(number=1))
        with pytest.raises(Refused, match="particulars_are_fixed"):
            change_registration(one, VISITOR, applicant(1, club="Wien"))
        with pytest.raises(Refused, match="registered_plays"):
            cancel_registration(one, VISITOR)

    def test_an_ema_number_of_another_player_is_refused(self, event: Tournament) -> None:
        make_plan(event)
        one = confirmed(event, 1)
        confirmed(event, 2, ema_number="04000001")
        enter_registered(event, SYSTEM, [1, 2])
        one.refresh_from_db()
        with pytest.raises(Refused, match="ema_number_taken"):
            change_registration(one, VISITOR, applicant(1, ema_number="04000001"))


class TestTheDesk:
    def test_a_step_over_many_is_undone_in_one(self, event: Tournament) -> None:
        make_plan(event, places=2)
        for number in (1, 2, 3, 4):
            confirmed(event, number)
        decide(event, SYSTEM, [1, 2], State.DECLINED)
        assert states(event) == {1: "declined", 2: "declined", 3: "accepted", 4: "accepted"}
        step = last_step(event)
        assert step is not None
        undo_step(event, SYSTEM, step.seq)
        assert states(event) == {1: "accepted", 2: "accepted", 3: "waiting", 4: "waiting"}
        assert [position_of(one) for one in event.registrations.filter(state="waiting")] == [1, 2]

    def test_a_step_is_not_undone_once_somebody_has_moved_on(self, event: Tournament) -> None:
        make_plan(event, places=2)
        one = confirmed(event, 1)
        confirmed(event, 2)
        decide(event, SYSTEM, [1, 2], State.DECLINED)
        seq = last_step(event).seq  # type: ignore[union-attr]
        decide(event, SYSTEM, [1], State.ACCEPTED)
        with pytest.raises(Refused, match="registration_step_gone"):
            undo_step(event, SYSTEM, seq)
        one.refresh_from_db()
        assert one.state == "accepted"

    def test_nobody_is_accepted_beyond_the_places(self, event: Tournament) -> None:
        make_plan(event, places=1, accepts_itself=False)
        confirmed(event, 1), confirmed(event, 2)
        with pytest.raises(Refused, match="no_place_left"):
            decide(event, SYSTEM, [1, 2], State.ACCEPTED)
        assert states(event) == {1: "pending", 2: "pending"}

    def test_nobody_is_put_on_a_waiting_list_that_is_full(self, event: Tournament) -> None:
        make_plan(event, places=0, waiting_places=1, accepts_itself=False)
        add_registrations(event, SYSTEM, [applicant(1), applicant(2)])
        with pytest.raises(Refused, match="waiting_list_full"):
            decide(event, SYSTEM, [1, 2], State.WAITING)

    def test_accepted_people_become_players_with_numbers_and_leave_again(self, event: Tournament) -> None:
        make_plan(event, places=2)
        confirmed(event, 1), confirmed(event, 2)
        players = enter_registered(event, SYSTEM, [1, 2])
        assert [player.number for player in players] == [1, 2]
        undo_step(event, SYSTEM, last_step(event).seq)  # type: ignore[union-attr]
        assert not event.players.exists()
        assert states(event) == {1: "accepted", 2: "accepted"}

    def test_who_loses_the_place_withdraws_as_a_player_and_plays_again_when_it_is_undone(
        self, event: Tournament
    ) -> None:
        make_plan(event, places=1)
        confirmed(event, 1)
        (player,) = enter_registered(event, SYSTEM, [1])
        decide(event, SYSTEM, [1], State.DECLINED)
        player.refresh_from_db()
        assert player.is_withdrawn
        undo_step(event, SYSTEM, last_step(event).seq)  # type: ignore[union-attr]
        player.refresh_from_db()
        assert not player.is_withdrawn

    def test_a_list_is_entered_in_its_order_and_taken_back_whole(self, event: Tournament) -> None:
        make_plan(event, places=1, waiting_places=1)
        add_registrations(event, SYSTEM, [applicant(number, email="") for number in (1, 2, 3)])
        assert states(event) == {1: "accepted", 2: "waiting", 3: "pending"}
        undo_step(event, SYSTEM, last_step(event).seq)  # type: ignore[union-attr]
        assert states(event) == {}

    def test_places_that_others_have_by_now_are_not_given_back(self, event: Tournament) -> None:
        make_plan(event, places=1, moves_up_itself=False)
        confirmed(event, 1)
        decide(event, SYSTEM, [1], State.DECLINED)
        seq = last_step(event).seq  # type: ignore[union-attr]
        confirmed(event, 2)
        with pytest.raises(Refused, match="no_place_left_for_undo"):
            undo_step(event, SYSTEM, seq)
        assert states(event) == {1: "declined", 2: "accepted"}


def test_the_list_of_who_is_coming_names_only_who_agreed(event: Tournament) -> None:
    make_plan(event)
    confirmed(event, 1, last_name="Nowak", first_name="Anna", name_shown=True, club="Wien")
    confirmed(event, 2, last_name="Lima", first_name="Rui", club="Porto")
    event.refresh_from_db()
    assert {(one.name, one.club) for one in who_is_coming(event)} == {("Anna Nowak", "Wien"), ("R. L.", "")}


def test_a_plan_is_the_organisers(event: Tournament) -> None:
    with pytest.raises(Forbidden):
        set_plan(event, VISITOR, PlanWish())
    assert set_plan(event, Actor.of(make_organiser(event)), PlanWish(places=3)).places == 3
