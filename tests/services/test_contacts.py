"""Contact data goes by itself, so many days after the last one that is played; results stay."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from tests.support.factories import SYSTEM, make_tournament
from tournament.audit import audit
from tournament.errors import Refused
from tournament.log import first_broken_link
from tournament.models import Mail, Registration, Tournament
from tournament.selectors.contacts import contact_goes_at, goes_at, last_day, privacy_of
from tournament.selectors.log_words import log_words
from tournament.services.contacts import delete_contacts, delete_old_contacts, keep_contacts

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
def event(db: None) -> Tournament:
    tournament = make_tournament(players=8, sessions=1, days=WEEKEND)
    Tournament.objects.filter(pk=tournament.pk).update(time_zone="Europe/Paris")
    tournament.refresh_from_db()
    registered(tournament)
    return tournament


def test_contact_data_goes_at_the_midnight_that_ends_the_last_day(event: Tournament) -> None:
    assert delete_old_contacts(SYSTEM, BEFORE_MIDNIGHT) == []
    assert Registration.objects.get().email == "ada@example.org"
    assert delete_old_contacts(SYSTEM, MIDNIGHT) == [event]
    mail, ada = Mail.objects.get(), Registration.objects.get()
    assert (ada.email, ada.message, ada.answers) == ("", "", {})
    assert (mail.to, mail.subject, mail.text) == ("", "", "")
    assert mail.state == Mail.State.NOT_SENT, "a letter without its text is not sent any more"
    assert (ada.name, ada.club, mail.letter) == ("Ada Dupont", "Lyon", "accepted"), "who it was stays"
    entries = event.log.count()
    assert delete_old_contacts(SYSTEM, MIDNIGHT) == []
    delete_contacts(event, SYSTEM)
    assert event.log.count() == entries, "twice is once"
    assert privacy_of(event).deleted_people == 1
    registered(event, 2)
    assert delete_old_contacts(SYSTEM, MIDNIGHT + timedelta(days=400)) == [event], "what came in later"
    proof = privacy_of(event)
    assert (proof.deleted_people, proof.deleted_letters) == (2, 2)


def test_the_log_says_how_many_and_nobody_and_results_are_as_before(event: Tournament) -> None:
    registered(event, 2, email="bo@example.org")
    delete_contacts(event, SYSTEM)
    entry = event.log.latest("seq")
    assert entry.data == {"people": 2, "letters": 2}
    assert log_words(event).sentence(entry) == "Contact data of 2 people deleted. The texts of 2 e-mails too."
    event.refresh_from_db()
    assert first_broken_link(event) is None
    assert list(audit(event)) == []


def test_the_organiser_says_how_long(event: Tournament) -> None:
    keep_contacts(event, SYSTEM, 0)
    assert contact_goes_at(event) == datetime(2026, 5, 3, 22, 0, tzinfo=UTC)
    for days in (-1, 367):
        with pytest.raises(Refused):
            keep_contacts(event, SYSTEM, days)


def test_an_event_that_went_on_longer_is_over_when_it_was(event: Tournament) -> None:
    closed = datetime(2026, 5, 4, 23, 30, tzinfo=UTC)  # the fifth in Paris
    event.sessions.update(state="closed", closed_at=closed)
    assert contact_goes_at(event) == datetime(2026, 5, 19, 22, 0, tzinfo=UTC)


def test_a_letter_of_no_event_goes_after_the_same_time(event: Tournament) -> None:
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
def test_no_zone_and_no_change_of_clocks_takes_a_day_away(
    ends_on: date, days: int, zone: str, late: timedelta
) -> None:
    """Beirut and Santiago put their clocks on at midnight: there is no 00:00 on some days."""
    place = ZoneInfo(zone)
    gone = goes_at(ends_on, days, place)
    last = datetime(ends_on.year, ends_on.month, ends_on.day, 23, 59, 59, tzinfo=place)
    passed = gone.astimezone(UTC) - last.astimezone(UTC)
    assert timedelta(days=days, hours=-2) <= passed <= timedelta(days=days, hours=2)
    assert last_day(ends_on, last + late, place) >= ends_on
    assert goes_at(last_day(ends_on, None, place), days, place) == gone
