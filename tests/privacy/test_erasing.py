"""Contact data goes by itself some days after the last session; what is kept of somebody is handed over, and erased."""

import json
import re
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from tests.support.checks import newest_sentence
from tests.support.factories import SYSTEM, make_organiser, make_tournament, play_session, record, wash_out
from tests.support.snapshots import restore_or_build
from tournament.base.access import Actor
from tournament.base.engine.entries import ERASED
from tournament.base.engine.names import name_key
from tournament.base.engine.notices import Audience
from tournament.base.errors import Forbidden, Refused
from tournament.base.log import first_broken_link
from tournament.base.models.documents import DocumentJob
from tournament.base.models.people import Person, PersonName, Player
from tournament.base.models.play import Appeal
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Role, Tournament
from tournament.exchange.audit import audit
from tournament.fouls.services.appeals import open_appeal, rule_appeal
from tournament.fouls.services.penalties import give_penalty
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.services import announce
from tournament.messages.mail.models import Mail
from tournament.messages.push.models import Phone
from tournament.people.services import merge_people
from tournament.play.engine.statements import Accusation
from tournament.play.services.absences import seat_stand_in
from tournament.play.services.hands import correct_hand
from tournament.play.services.sessions import pause_clock, resume_clock, start_session
from tournament.privacy.models import PrivacyPlan
from tournament.privacy.retention import RETENTION_RULES, DataSubject
from tournament.privacy.selectors import (
    ROWS_OF_PERSON,
    SHARED_MODELS,
    PersonalData,
    contact_deletion_time,
    deletion_time,
    erasable_players,
    erasure_of,
    last_day,
    personal_data,
    privacy_of,
    subject_of,
)
from tournament.privacy.services import (
    delete_contacts,
    delete_old_contacts,
    erase_person,
    erase_player,
    erase_registration,
    set_contact_retention,
)
from tournament.ranking.selectors.standings import current_standings
from tournament.ranking.services import hide_results, publish_standings
from tournament.screens.models import Ceremony
from tournament.screens.services import start_ceremony
from tournament.seating.engine.draw import DrawOptions
from tournament.seating.selectors.draws import last_draw_inputs
from tournament.seating.services.seatings import draw_seats
from tournament.staff.models import Invitation
from tournament.staff.services import invite
from tournament.web.selectors import log_words

pytestmark = pytest.mark.stored

WEEKEND = date(2026, 5, 2), date(2026, 5, 3)
BEFORE_MIDNIGHT = datetime(2026, 5, 17, 21, 59, 59, tzinfo=UTC)
MIDNIGHT = datetime(2026, 5, 17, 22, 0, tzinfo=UTC)
"""In Paris, at the end of the fourteenth day after the Sunday."""


def registered(tournament: Tournament, number: int = 1, **fields: Any) -> Registration:
    """Somebody who said all there is to say, and was written to."""
    person = {"first_name": "Ada", "last_name": "Dupont", "email": "ada@example.org", "club": "Lyon"}
    answers = {"message": "By train", "answers": {"1": "no nuts"}}
    registration = Registration.objects.create(
        tournament=tournament, number=number, made_at=timezone.now(), **person | answers | fields
    )
    letter = {"letter": "accepted", "subject": "You have a place, Ada", "text": "Dear Ada"}
    Mail.objects.create(
        tournament=tournament,
        registration=registration,
        to=registration.email,
        language="en",
        posted_at=timezone.now(),
        **letter,
    )
    return registration


@pytest.fixture
def spring(db: None) -> Tournament:
    tournament = make_tournament(players=8, sessions=1, days=WEEKEND)
    Tournament.objects.filter(pk=tournament.pk).update(time_zone="Europe/Paris")
    tournament.refresh_from_db()
    registered(tournament)
    return tournament


def test_contact_data_is_deleted_at_the_midnight_that_ends_the_last_day(spring: Tournament) -> None:
    assert delete_old_contacts(SYSTEM, BEFORE_MIDNIGHT) == []
    assert Registration.objects.get().email == "ada@example.org"
    assert delete_old_contacts(SYSTEM, MIDNIGHT) == [spring]
    mail, ada = Mail.objects.get(), Registration.objects.get()
    assert (ada.email, ada.message, ada.answers) == ("", "", {})
    assert (mail.to, mail.subject, mail.text) == ("", "", "")
    assert mail.state == Mail.State.NOT_SENT, "a letter without its text is not sent any more"
    assert (ada.name, ada.club, mail.letter) == ("Ada Dupont", "Lyon", "accepted"), "who it was stays"
    entries = spring.log.count()
    assert delete_old_contacts(SYSTEM, MIDNIGHT) == []
    delete_contacts(spring, SYSTEM)
    assert spring.log.count() == entries, "twice is once"
    assert privacy_of(spring).deleted_people == 1
    registered(spring, 2)
    assert delete_old_contacts(SYSTEM, MIDNIGHT + timedelta(days=400)) == [spring], "what came in later"
    proof = privacy_of(spring)
    assert (proof.deleted_people, proof.deleted_letters) == (2, 2)


def test_no_row_has_an_address_after_contacts_are_deleted(spring: Tournament) -> None:
    end = timezone.now() + timedelta(days=1)
    invite(Invitation(tournament=spring, role=Role.DESK, email="bo@example.org", expires_at=end), SYSTEM)
    assert {"ada@example.org", "bo@example.org"} <= set(re.findall(r"\w+@example.org", everything()))
    delete_contacts(spring, SYSTEM)
    assert "@example.org" not in everything()


def test_the_log_has_counts_but_no_names_and_results_stay(spring: Tournament) -> None:
    registered(spring, 2, email="bo@example.org")
    delete_contacts(spring, SYSTEM)
    entry = spring.log.latest("seq")
    assert entry.data == {"people": 2, "letters": 2}
    assert (
        log_words(spring).sentence(entry) == "Contact data of 2 people deleted. The texts of 2 e-mails too."
    )
    spring.refresh_from_db()
    assert first_broken_link(spring) is None
    assert list(audit(spring)) == []


def test_the_organiser_sets_the_retention_and_it_counts_from_the_last_session(spring: Tournament) -> None:
    set_contact_retention(PrivacyPlan(tournament=spring, contact_days=0), SYSTEM)
    assert contact_deletion_time(spring) == datetime(2026, 5, 3, 22, 0, tzinfo=UTC)
    closed = datetime(2026, 5, 4, 23, 30, tzinfo=UTC)  # the fifth in Paris
    spring.sessions.update(state="closed", closed_at=closed)
    assert contact_deletion_time(spring) == datetime(2026, 5, 5, 22, 0, tzinfo=UTC)


def test_a_mail_without_an_event_is_deleted_after_the_default_retention(spring: Tournament) -> None:
    Mail.objects.update(tournament=None, registration=None, posted_at=BEFORE_MIDNIGHT - timedelta(days=15))
    delete_old_contacts(SYSTEM, BEFORE_MIDNIGHT)
    assert not Mail.objects.exists()


ZONES = st.sampled_from(
    ["Europe/Paris", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/Santiago", "Asia/Beirut"]
)


@given(
    st.dates(date(2020, 1, 1), date(2035, 1, 1)),
    st.integers(0, 366),
    ZONES,
    st.timedeltas(timedelta(-3), timedelta(3)),
)
def test_no_time_zone_or_clock_change_shortens_the_retention(
    ends_on: date, days: int, zone: str, late: timedelta
) -> None:
    """Beirut and Santiago put their clocks on at midnight: there is no 00:00 on some days."""
    place = ZoneInfo(zone)
    gone = deletion_time(ends_on, days, place)
    last = datetime(ends_on.year, ends_on.month, ends_on.day, 23, 59, 59, tzinfo=place)
    passed = gone.astimezone(UTC) - last.astimezone(UTC)
    assert timedelta(days=days, hours=-2) <= passed <= timedelta(days=days, hours=2)
    assert last_day(ends_on, last + late, place) >= ends_on
    assert deletion_time(last_day(ends_on, None, place), days, place) == gone


FIRST, LAST = "Xyzzy", "Plughquux"
NAME = f"{FIRST} {LAST}"
CLUB = "Frobozz Club"


def seeded() -> Tournament:
    """An event in which player 1 is spoken of wherever something can be typed, and the others, too."""
    tournament = restore_or_build("spoken of", spoken_of)
    job = DocumentJob.objects.create(tournament=tournament, kind="standings", language="en")
    job.file.save("standings.pdf", ContentFile(b"%PDF"))
    return tournament


def spoken_of() -> Tournament:
    tournament = make_tournament(players=8, sessions=2, drawn=False)
    person = Person.objects.create(first_name=FIRST, last_name=LAST)
    PersonName.objects.create(person=person, name="扎伊齐")
    named = {"first_name": FIRST, "last_name": LAST, "club": CLUB}
    tournament.players.filter(number=1).update(ema_number="04999999", person=person, **named)
    draw_seats(tournament, SYSTEM, seed="lotto", options=DrawOptions(sessions=2, clubs=True))
    play_session(tournament.sessions.get(number=1), 1)
    player = tournament.players.get(number=1)
    registered(tournament, 1, player=player, **named)
    push = "https://push.example/1"
    Phone.objects.create(player=player, endpoint=push, language="en", used_at=timezone.now())
    start_ceremony(tournament, SYSTEM, Ceremony.Kind.PLAYERS)
    publish_standings(tournament, SYSTEM)
    talk_about(tournament, player)
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
    appeal = open_appeal(table, SYSTEM, player.number, "It was not me", 1, uuid=uuid4())
    rule_appeal(appeal, SYSTEM, granted=False, ruling="It was.")
    for reason in (f"{NAME} fainted", "Fire alarm"):
        pause_clock(session, SYSTEM, reason=reason)
        resume_clock(session, SYSTEM, reason="All is well")
    announce(Announcement(tournament=tournament, text=f"{NAME.upper()}, your coat was found"), SYSTEM)
    announce(Announcement(tournament=tournament, text="Lunch is ready"), SYSTEM)
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


def faults(event: Tournament) -> list[object]:
    """What the audit of the log and of all results finds."""
    return list(audit(Tournament.objects.get(pk=event.pk)))


def elsewhere_too(number: int, **fields: object) -> Tournament:
    """Another tournament, at which player `number` is the same person."""
    event = make_tournament(players=4, name="Elsewhere", drawn=False)
    event.players.filter(number=number).update(person=Person.objects.get(), **fields)
    return event


@pytest.mark.thorough
def test_no_row_names_an_erased_player_and_every_figure_stays(event: Tournament) -> None:
    words = (FIRST, LAST, "扎伊齐", "04999999", "ada@example.org", "push.example", "It was not me", CLUB)
    rows = everything()
    assert [word for word in words if word not in rows] == []
    before, player = standings(event), event.players.get(number=1)
    registration = Registration.objects.get()
    assert last_draw_inputs(event) is not None
    after = forget(event)
    rows = everything()
    assert [word for word in words if word.casefold() in rows.casefold()] == []
    assert standings(event) == before
    assert faults(event) == []
    # Country and team stay: results follow from them. The draw's clubs go, and with them its proof.
    assert (after.name, after.country, after.team) == ("Player 1", player.country, player.team)
    assert after.erased_at is not None
    assert last_draw_inputs(event) is None
    # The link that was sent opens nothing.
    unlinked = Registration.objects.get()
    assert (unlinked.name, unlinked.email, unlinked.answers) == ("Registration 1", "", {})
    assert unlinked.erased_at is not None
    assert unlinked.key != registration.key
    # What is about others stays.
    assert set(Announcement.objects.values_list("text", flat=True)) == {ERASED, "Lunch is ready"}
    assert "Kim" in rows
    assert "Fire alarm" in rows


def test_erasing_deletes_documents_and_texts_of_appeals_and_log(
    event: Tournament, django_capture_on_commit_callbacks: Any
) -> None:
    job = DocumentJob.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        forget(event)
    assert not DocumentJob.objects.exists()
    assert not job.file.storage.exists(str(job.file.name))
    appeal = Appeal.objects.get()
    assert (appeal.text, appeal.ruling, appeal.granted) == (ERASED, ERASED, False)
    assert log_words(event).sentence(event.log.get(action="appeal_ruled")).endswith("(erased)")
    entry = event.log.latest("seq")
    assert (entry.action, entry.data["player"], entry.data["registration"]) == ("player_erased", 1, 1)
    assert log_words(event).sentence(entry) == "Personal data of player 1 erased."
    entries = event.log.count()
    forget(event)
    assert event.log.count() == entries, "twice is once"


def test_erasing_a_registration_erases_its_player(event: Tournament) -> None:
    erase_registration(Registration.objects.get(), SYSTEM, name=NAME)
    assert event.players.get(number=1).name == "Player 1"
    assert (
        newest_sentence(event)
        == "Personal data of registration 1 erased. The registration belonged to player 1."
    )


def test_a_person_with_other_tournaments_stays(event: Tournament) -> None:
    elsewhere_too(1)
    forget(event)
    assert Person.objects.get().name == NAME


def test_a_name_used_only_here_is_deleted(event: Tournament) -> None:
    elsewhere_too(1, first_name="Zoe", last_name="Other")
    PersonName.objects.create(person=Person.objects.get(), name=NAME, key=name_key(FIRST, LAST))
    forget(event)
    assert not PersonName.objects.filter(name=NAME).exists()


def test_people_merged_into_an_erased_person_are_deleted(event: Tournament) -> None:
    again = Person.objects.create(first_name=FIRST, last_name=LAST)
    merge_people(again, SYSTEM, Person.objects.exclude(pk=again.pk).get())
    forget(event)
    assert not Person.objects.exists()


def test_a_person_is_erased_at_all_of_ones_tournaments(event: Tournament) -> None:
    elsewhere = elsewhere_too(2, first_name="扎", last_name="伊齐")
    erased = erase_person(Person.objects.get(), SYSTEM, name=NAME)
    assert [player.name for player in erased] == ["Player 1", "Player 2"]
    assert not Person.objects.exists()
    for tournament in (event, elsewhere):
        assert faults(tournament) == []
        assert tournament.log.latest("seq").action == "player_erased"


def test_players_of_other_owners_tournaments_stay(event: Tournament) -> None:
    elsewhere, person = elsewhere_too(2), Person.objects.get()
    olga = Actor.of(make_organiser(event))
    event.memberships.update(role="owner")
    assert [player.tournament for player in erasable_players(person, olga).others] == [elsewhere]
    erase_person(person, olga, name=NAME)
    assert elsewhere.players.get(number=2).person == person
    with pytest.raises(Forbidden):
        erase_person(person, olga, name=NAME)


def test_the_confirmation_lists_what_is_erased_and_needs_the_name(event: Tournament) -> None:
    player = event.players.get(number=1)
    erasure = erasure_of(subject_of(event, player, None))
    assert (erasure.documents, erasure.phones, erasure.letters) == (1, 1, 1)
    assert {"It was not me", "It was."} <= set(erasure.texts)
    assert "Lunch is ready" not in erasure.texts
    for name in ("", FIRST, "Player 1"):
        with pytest.raises(Refused):
            erase_player(player, SYSTEM, name=name)
    assert event.players.get(number=1).name == NAME


def handed_over(event: Tournament) -> str:
    """The file for the player of number 1."""
    return json.dumps(data_for(event, Audience.STAFF), ensure_ascii=False)


def data_for(event: Tournament, audience: Audience) -> PersonalData:
    return personal_data(subject_of(event, event.players.get(number=1), None), audience)


def test_every_declared_field_of_players_is_exported_or_exempted() -> None:
    declared = {
        label
        for label, rules in RETENTION_RULES.items()
        if any(rule.subject is DataSubject.PLAYER for rule in rules)
    }
    assert set(ROWS_OF_PERSON) | set(SHARED_MODELS) == declared
    assert set(ROWS_OF_PERSON) & set(SHARED_MODELS) == set()


def test_the_export_has_all_data_with_reason_and_retention(event: Tournament) -> None:
    text = handed_over(event)
    registered = ("Xyzzy", "扎伊齐", CLUB, "ada@example.org", "By train", "no nuts", "04999999")
    played = ("You have a place", "It was not me", f"{NAME} shouted")
    assert [words for words in (*registered, *played) if words not in text] == []
    assert "push.example" not in text, "that a phone is kept, and not its address"
    by_registration = personal_data(subject_of(event, None, Registration.objects.get()), Audience.STAFF)
    assert json.dumps(by_registration, ensure_ascii=False) == text
    data = json.loads(text)["data"]
    assert len(data) == len(ROWS_OF_PERSON)
    assert [
        kind["kind"] for kind in data if not (kind["why"] and all(why["until"] for why in kind["why"]))
    ] == []
    rows = {kind["kind"]: len(kind["rows"]) for kind in data}
    assert rows["player"] == rows["registration"] == rows["mail"] == rows["penalty"] == rows["phone"] == 1
    assert rows["seat"] == 2
    forget(event)
    erased = handed_over(event)
    assert "Xyzzy" not in erased
    assert "game_points" in erased, "only results are left"


def test_the_export_has_nothing_of_a_hidden_session_for_the_public(event: Tournament) -> None:
    """Neither what was recorded at its tables nor the log of it."""
    hide_results(event.sessions.get(number=2), SYSTEM)
    event.refresh_from_db()
    complete, public = (data_for(event, audience) for audience in (Audience.STAFF, Audience.PUBLIC))
    assert (complete["hidden_sessions"], public["hidden_sessions"]) == ([], [2])
    kinds = ("seat", "hand", "penalty", "appeal")
    assert [len(rows_of(complete, kind)) for kind in kinds] == [2, 1, 1, 1]
    assert [len(rows_of(public, kind)) for kind in kinds] == [1, 1, 0, 0]
    assert 2 in [entry["data"].get("session") for entry in complete["log"]]
    assert 2 not in [entry["data"].get("session") for entry in public["log"]]
    assert "It was not me" not in json.dumps(public)


def rows_of(data: PersonalData, kind: str) -> list[dict[str, Any]]:
    return next(model["rows"] for model in data["data"] if model["kind"] == kind)
