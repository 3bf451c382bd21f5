"""Erasing somebody: no row says who it was any more, results are as they were, and the log's chain holds."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.utils import timezone

from tests.services.test_contacts import registered
from tests.support.factories import SYSTEM, make_organiser, make_tournament, play_session, record, wash_out
from tournament.access import Actor, Audience
from tournament.audit import audit
from tournament.engine.sealed import ERASED
from tournament.engine.seating.inputs import DrawWish
from tournament.engine.statements import Accusation, Message, Objection
from tournament.errors import Forbidden, Refused
from tournament.models import (
    Announcement,
    Appeal,
    Ceremony,
    DocumentJob,
    Person,
    PersonName,
    Phone,
    Player,
    Registration,
    Tournament,
)
from tournament.selectors.draws import inputs_behind
from tournament.selectors.erasure import erasure_of, subject_of, theirs_to_erase
from tournament.selectors.known_people import name_key
from tournament.selectors.log_words import log_words
from tournament.selectors.standings import current_standings
from tournament.services.absences import seat_stand_in
from tournament.services.announcements import announce
from tournament.services.appeals import open_appeal
from tournament.services.ceremonies import start_ceremony
from tournament.services.draw import draw_seats
from tournament.services.erasing import erase_person, erase_player, erase_registration
from tournament.services.hall_clock import let_clock_go_on, pause_clock
from tournament.services.hands import correct_hand
from tournament.services.penalties import give_penalty
from tournament.services.persons import merge_people
from tournament.services.rulings import rule_appeal
from tournament.services.sessions import start_session
from tournament.services.tournaments import publish_standings

pytestmark = pytest.mark.django_db

FIRST, LAST = "Xyzzy", "Plughquux"
NAME = f"{FIRST} {LAST}"
CLUB = "Frobozz Club"


def seeded() -> Tournament:
    """An event in which player 1 is spoken of wherever something can be typed, and the others, too."""
    tournament = make_tournament(players=8, sessions=2, drawn=False)
    person = Person.objects.create(first_name=FIRST, last_name=LAST)
    PersonName.objects.create(person=person, name="扎伊齐")
    marked = {
        "first_name": FIRST,
        "last_name": LAST,
        "club": CLUB,
        "ema_number": "04999999",
        "person": person,
    }
    tournament.players.filter(number=1).update(**marked)
    draw_seats(tournament, SYSTEM, seed="lotto", wish=DrawWish(sessions=2, clubs=True))
    play_session(tournament.sessions.get(number=1), 1)
    player = tournament.players.get(number=1)
    registered(tournament, 1, first_name=FIRST, last_name=LAST, player=player, club=CLUB)
    Phone.objects.create(
        player=player, endpoint="https://push.example/1", language="en", since=timezone.now()
    )
    start_ceremony(tournament, SYSTEM, Ceremony.Kind.PLAYERS)
    publish_standings(tournament, SYSTEM)
    talk_about(tournament, player)
    job = DocumentJob.objects.create(tournament=tournament, kind="standings", language="en")
    job.file.save("standings.pdf", ContentFile(b"%PDF"))
    tournament.refresh_from_db()
    return tournament


def talk_about(tournament: Tournament, player: Player) -> None:
    session = tournament.sessions.get(number=2)
    start_session(session, SYSTEM)
    table = session.tables.get(seats__player=player)
    hand = record(table, wash_out())
    correct_hand(hand, SYSTEM, wash_out(), reason=f"{LAST} saw it otherwise", uuid=uuid4())
    foul = Accusation(player.number, "false_hu", 1, note=f"{NAME} shouted")
    give_penalty(table, SYSTEM, foul, uuid=uuid4())
    appeal = open_appeal(
        table, SYSTEM, Objection(player.number, "It was not me", hand_number=1), uuid=uuid4()
    )
    rule_appeal(appeal, SYSTEM, granted=False, ruling="It was.")
    for reason in (f"{NAME} fainted", "Fire alarm"):
        pause_clock(session, SYSTEM, reason=reason)
        let_clock_go_on(session, SYSTEM, reason="All is well")
    announce(tournament, SYSTEM, Message(f"{NAME.upper()}, your coat was found"), uuid=uuid4())
    announce(tournament, SYSTEM, Message("Lunch is ready"), uuid=uuid4())
    other = session.tables.exclude(pk=table.pk).get().seats.first()
    assert other is not None
    seat_stand_in(other.table, SYSTEM, other.player.number, "Kim")


@pytest.fixture
def event() -> Tournament:
    return seeded()


def everything() -> str:
    """Every row of ours, as text."""
    rows: list[Any] = []
    for app in ("tournament", "penalties"):
        for model in apps.get_app_config(app).get_models():
            rows += model._default_manager.values()
    return repr(rows)


def forget(event: Tournament) -> Player:
    return erase_player(event.players.get(number=1), SYSTEM, name=NAME)


def standings(event: Tournament) -> object:
    return current_standings(Tournament.objects.get(pk=event.pk), Audience.STAFF)


def test_no_row_says_who_it_was(event: Tournament) -> None:
    words = (FIRST, LAST, "扎伊齐", "04999999", "ada@example.org", "push.example", "It was not me", CLUB)
    assert [word for word in words if word not in everything()] == []
    forget(event)
    found = everything()
    assert [word for word in words if word.casefold() in found.casefold()] == []


def test_the_chain_holds_and_every_figure_is_as_it_was(event: Tournament) -> None:
    before = standings(event)
    forget(event)
    assert standings(event) == before
    assert list(audit(Tournament.objects.get(pk=event.pk))) == []


def test_country_and_team_stay_for_results_follow_from_them(event: Tournament) -> None:
    before = event.players.get(number=1)
    after = forget(event)
    assert (after.name, after.country, after.team) == ("Player 1", before.country, before.team)
    assert after.erased_at is not None


def test_what_is_about_others_stays(event: Tournament) -> None:
    forget(event)
    assert set(Announcement.objects.values_list("text", flat=True)) == {ERASED, "Lunch is ready"}
    assert "Kim" in everything()
    assert "Fire alarm" in everything()


def test_an_appeal_of_theirs_stands_without_its_words(event: Tournament) -> None:
    forget(event)
    appeal = Appeal.objects.get()
    assert (appeal.text, appeal.ruling, appeal.granted) == (ERASED, ERASED, False)
    told = [log_words(event).sentence(entry) for entry in event.log.filter(action="appeal_ruled")]
    assert told[0].endswith("(erased)")


def test_the_log_says_that_and_not_whom(event: Tournament) -> None:
    forget(event)
    entry = event.log.latest("seq")
    assert (entry.action, entry.data["player"], entry.data["registration"]) == ("player_erased", 1, 1)
    assert log_words(event).sentence(entry) == "Erased: who player 1 was."


def test_documents_made_before_are_gone_with_their_files(
    event: Tournament, django_capture_on_commit_callbacks: Any
) -> None:
    job = DocumentJob.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        forget(event)
    assert not DocumentJob.objects.exists()
    assert not job.file.storage.exists(str(job.file.name))


def test_the_draw_s_clubs_go_and_with_them_its_proof(event: Tournament) -> None:
    assert inputs_behind(event) is not None
    forget(event)
    assert inputs_behind(event) is None


def test_the_link_that_was_sent_opens_nothing_and_registering_goes_along(event: Tournament) -> None:
    before = Registration.objects.get()
    forget(event)
    after = Registration.objects.get()
    assert (after.name, after.email, after.answers, after.erased_at is None) == (
        "Registration 1",
        "",
        {},
        False,
    )
    assert after.key != before.key


def test_erasing_what_was_registered_erases_the_player_too(event: Tournament) -> None:
    erase_registration(Registration.objects.get(), SYSTEM, name=NAME)
    assert event.players.get(number=1).name == "Player 1"
    told = log_words(event).sentence(event.log.latest("seq"))
    assert told == "Erased: who registration 1 was. They were player 1."


def test_who_plays_elsewhere_too_stays_known_there(event: Tournament) -> None:
    elsewhere = make_tournament(players=4, name="Elsewhere", drawn=False, actor=SYSTEM)
    elsewhere.players.filter(number=1).update(person=Person.objects.get())
    forget(event)
    assert Person.objects.get().name == NAME


def test_a_name_that_was_theirs_here_alone_goes(event: Tournament) -> None:
    elsewhere = make_tournament(players=4, name="Elsewhere", drawn=False, actor=SYSTEM)
    person = Person.objects.get()
    elsewhere.players.filter(number=1).update(person=person, first_name="Zoe", last_name="Other")
    PersonName.objects.create(person=person, name=NAME, key=name_key(FIRST, LAST))
    forget(event)
    assert not PersonName.objects.filter(name=NAME).exists()


def test_who_was_merged_into_them_is_forgotten_too(event: Tournament) -> None:
    again = Person.objects.create(first_name=FIRST, last_name=LAST)
    merge_people(again, SYSTEM, Person.objects.exclude(pk=again.pk).get())
    forget(event)
    assert not Person.objects.exists()


def test_who_asks_to_be_erased_is_erased_at_all_of_ones_tournaments(event: Tournament) -> None:
    elsewhere = make_tournament(players=4, name="Elsewhere", drawn=False)
    person = Person.objects.get()
    elsewhere.players.filter(number=2).update(person=person, first_name="扎", last_name="伊齐")
    erased = erase_person(person, SYSTEM, name=NAME)
    assert [player.name for player in erased] == ["Player 1", "Player 2"]
    assert not Person.objects.exists()
    assert list(audit(Tournament.objects.get(pk=elsewhere.pk))) == []
    assert list(audit(Tournament.objects.get(pk=event.pk))) == []
    assert elsewhere.log.latest("seq").action == event.log.latest("seq").action == "player_erased"


def test_at_somebody_elses_tournament_they_stay(event: Tournament) -> None:
    elsewhere = make_tournament(players=4, name="Elsewhere", drawn=False)
    person = Person.objects.get()
    elsewhere.players.filter(number=2).update(person=person)
    olga = Actor.of(make_organiser(event))
    event.memberships.update(role="owner")
    assert [player.tournament for player in theirs_to_erase(person, olga).others] == [elsewhere]
    erase_person(person, olga, name=NAME)
    assert elsewhere.players.get(number=2).person == person
    with pytest.raises(Forbidden):
        erase_person(person, olga, name=NAME)


def test_the_name_is_repeated_so_that_nobody_is_erased_by_a_slip(event: Tournament) -> None:
    for name in ("", FIRST, "Player 1"):
        with pytest.raises(Refused):
            erase_player(event.players.get(number=1), SYSTEM, name=name)
    assert event.players.get(number=1).name == NAME


def test_twice_is_once(event: Tournament) -> None:
    forget(event)
    before = event.log.count()
    forget(event)
    assert event.log.count() == before


def test_the_page_can_say_beforehand_what_goes(event: Tournament) -> None:
    found = erasure_of(subject_of(event, event.players.get(number=1), None))
    assert (found.documents, found.phones, found.letters) == (1, 1, 1)
    assert {"It was not me", "It was."} <= set(found.texts)
    assert "Lunch is ready" not in found.texts
