"""The first visit: one account, guarded by the printed code, and no such page afterwards."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.support.factories import make_user
from tournament.access import setup_code
from tournament.errors import Refused
from tournament.services.accounts import make_first_organiser

pytestmark = pytest.mark.django_db(transaction=True)

GOOD = "four red dragons"


def said(**other: str) -> dict[str, str]:
    given = {"code": setup_code.code(), "full_name": "Olga Organ", "username": "olga"}
    return given | {"password1": GOOD, "password2": GOOD} | other


def test_the_first_organiser_is_made_and_signed_in(client: Client) -> None:
    answer = client.post(reverse("setup"), said())
    assert answer["Location"] == reverse("organiser_new")
    olga = User.objects.get()
    assert (olga.is_superuser, olga.is_staff, olga.get_full_name()) == (True, True, "Olga Organ")
    assert client.get(reverse("organiser_new")).status_code == 200


def test_whoever_would_sign_in_before_there_is_an_account_makes_one(client: Client) -> None:
    assert client.get(reverse("organiser_home"), follow=True).redirect_chain[-1][0] == reverse("setup")


def test_once_an_account_exists_there_is_no_such_page(client: Client) -> None:
    make_user()
    assert client.get(reverse("setup")).status_code == 404
    assert client.post(reverse("setup"), said()).status_code == 404


def test_the_code_serves_once(client: Client) -> None:
    code = setup_code.code()
    client.post(reverse("setup"), said())
    User.objects.all().delete()
    with pytest.raises(Refused):
        make_first_organiser(code=code, username="eve", password=GOOD)


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("code", "AAAA-AAAA", "This is not the code"),
        ("code", "", "Fill this in."),
        ("username", "", "Fill this in."),
        ("username", "o l", "no spaces"),
        ("password2", "another", "The two passwords differ"),
    ],
)
def test_what_is_wrong_is_said_beside_the_field(
    client: Client, field: str, value: str, sentence: str
) -> None:
    answer = client.post(reverse("setup"), said(**{field: value}))
    assert answer.status_code == 422
    assert sentence in " ".join(answer.context["form"].errors[field])
    assert not User.objects.exists()


def test_a_password_that_is_too_easy(client: Client) -> None:
    answer = client.post(reverse("setup"), said(password1="password", password2="password"))
    assert "Many people have this password" in answer.text


def test_everything_wrong_at_once(client: Client) -> None:
    answer = client.post(reverse("setup"), said(code="x", username="", password2="y"))
    assert set(answer.context["form"].errors) == {"code", "username", "password2"}
