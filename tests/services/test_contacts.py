"""Contact data goes by itself, so many days after the last one that is played; results stay."""

from __future__ import annotations

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
    said = {"first_name": "Ada", "last_name": "Dupont", "email": "ada@example.org", "message": "By train"}
    made = Registration.objects.create(
        tournament=tournament,
        number=number,
        made_at=timezone.now(),
        **{**said, "answers": {"1": "no nuts"}, "club": "Lyon", **fields},
    )
    write_to(made)
    return made


def write_to(registration: Registration) -> Mail:
    return Mail.objects.create(
        tournament=registration.tournament,
        registration=registration,
        letter="accepted",
        to=registration.email,
        language="en",
        subject="You have a place, Ada",
        text="Dear Ada",
        posted_at=timezone.now(),
    )


@pytest.fixture
def event(db: None) -> Tournament:
    tournament = make_tournament(players=8, sessions=1, days=WEEKEND)
    Tournament.objects.filter(pk=tournament.pk).update(time_zone="Europe/Paris")
    tournament.refresh_from_db()
    registered(tournament)
    return tournament


def what_is_left() -> list[object]:
    mail, one = Mail.objects.get(), Registration.objects.get()
    return [one.email, one.message, one.answers, mail.to, mail.subject, mail.text]


def test_until_the_midnight_that_ends_the_last_day_it_is_kept(event: Tournament) -> None:
    assert delete_old_contacts(SYSTEM, BEFORE_MIDNIGHT) == []
    assert Registration.objects.get().email == "ada@example.org"


def test_from_then_on_it_is_gone_and_who_it_was_stays(event: Tournament) -> None:
    assert delete_old_contacts(SYSTEM, MIDNIGHT) == [event]
    assert what_is_left() == ["", "", {}, "", "", ""]
    one = Registration.objects.get()
    assert (one.name, one.club, Mail.objects.get().letter) == ("Ada Dupont", "Lyon", "accepted")


def test_a_worker_that_was_away_for_a_year_does_it_then(event: Tournament) -> None:
    assert delete_old_contacts(SYSTEM, MIDNIGHT + timedelta(days=400)) == [event]


def test_twice_is_once(event: Tournament) -> None:
    delete_old_contacts(SYSTEM, MIDNIGHT)
    before = event.log.count()
    assert delete_old_contacts(SYSTEM, MIDNIGHT) == []
    delete_contacts(event, SYSTEM)
    assert event.log.count() == before
    assert privacy_of(event).deleted_people == 1


def test_the_log_says_how_many_and_nobody(event: Tournament) -> None:
    registered(event, 2, email="bo@example.org")
    delete_contacts(event, SYSTEM)
    event.refresh_from_db()
    entry = event.log.latest("seq")
    assert entry.data == {"people": 2, "letters": 2}
    assert log_words(event).sentence(entry) == "Contact data of 2 people deleted. The texts of 2 e-mails too."
    assert first_broken_link(event) is None


def test_what_comes_in_later_goes_too_and_is_counted(event: Tournament) -> None:
    delete_old_contacts(SYSTEM, MIDNIGHT)
    registered(event, 2)
    assert delete_old_contacts(SYSTEM, MIDNIGHT) == [event]
    proof = privacy_of(event)
    assert (proof.deleted_people, proof.deleted_letters) == (2, 2)


def test_a_letter_without_its_text_is_not_sent_any_more(event: Tournament) -> None:
    delete_contacts(event, SYSTEM)
    assert Mail.objects.get().state == Mail.State.NOT_SENT


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


def test_results_and_the_log_are_as_they_were(event: Tournament) -> None:
    delete_contacts(event, SYSTEM)
    assert list(audit(Tournament.objects.get())) == []


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
    assert (
        timedelta(days=days, hours=-2)
        <= gone.astimezone(UTC) - last.astimezone(UTC)
        <= timedelta(days=days, hours=2)
    )
    assert last_day(ends_on, last + late, place) >= ends_on
    assert goes_at(last_day(ends_on, None, place), days, place) == gone
