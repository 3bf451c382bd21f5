"""A person gets all that is kept of them, and nothing that is somebody else's secret."""

from __future__ import annotations

import json

import pytest

from tests.services.test_erasing import CLUB, NAME, forget, seeded
from tournament.models import Registration, Tournament
from tournament.models.kept import KEPT, Whose
from tournament.selectors.erasure import subject_of
from tournament.selectors.personal import OF_EVERYBODY, WHERE, personal_data

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    return seeded()


def told(event: Tournament) -> str:
    """As it is handed over, for the player of number 1."""
    return json.dumps(personal_data(subject_of(event, event.players.get(number=1), None)), ensure_ascii=False)


def test_everything_that_is_declared_as_people_s_is_handed_over_or_it_is_said_why_not() -> None:
    declared = {label for label, rows in KEPT.items() if any(row.whose is Whose.PLAYER for row in rows)}
    assert set(WHERE) | set(OF_EVERYBODY) == declared
    assert set(WHERE) & set(OF_EVERYBODY) == set()


def test_it_has_what_they_said_and_what_was_said_of_them(event: Tournament) -> None:
    found = told(event)
    words = (
        "Xyzzy",
        "扎伊齐",
        CLUB,
        "ada@example.org",
        "By train",
        "no nuts",
        "You have a place",
        "04999999",
    )
    for word in (*words, "It was not me", f"{NAME} shouted"):
        assert word in found, word


def test_it_has_every_kind_with_why_and_until_when(event: Tournament) -> None:
    data = json.loads(told(event))["data"]
    assert len(data) == len(WHERE)
    assert all(one["why"] and all(line["until"] for line in one["why"]) for one in data)
    rows = {one["kept"]: len(one["rows"]) for one in data}
    assert rows["player"] == rows["registration"] == rows["mail"] == rows["penalty"] == rows["phone"] == 1
    assert rows["seat"] == 2


def test_a_phone_s_address_is_said_to_be_kept_and_not_told(event: Tournament) -> None:
    assert "push.example" not in told(event)


def test_by_the_registration_it_is_the_same(event: Tournament) -> None:
    by_registration = personal_data(subject_of(event, None, Registration.objects.get()))
    assert json.dumps(by_registration, ensure_ascii=False) == told(event)


def test_of_who_was_erased_only_results_are_left(event: Tournament) -> None:
    forget(event)
    found = json.dumps(personal_data(subject_of(event, event.players.get(number=1), None)))
    assert "Xyzzy" not in found
    assert "game_points" in found
