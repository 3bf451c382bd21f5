"""The first visit: one account, guarded by the printed code, and no such page afterwards."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tournament.access import setup_code
from tournament.errors import Refused
from tournament.services.accounts import make_first_organiser

pytestmark = pytest.mark.django_db(transaction=True)

GOOD = "four red dragons"


def fields(**other: str) -> dict[str, str]:
    usual = {"code": setup_code.code(), "full_name": "Olga Organ", "username": "olga"}
    return usual | {"password1": GOOD, "password2": GOOD} | other


def test_the_first_organiser_is_made_and_signed_in_and_then_there_is_no_such_page(client: Client) -> None:
    assert client.get(reverse("organiser_home"), follow=True).redirect_chain[-1][0] == reverse("setup")
    given = fields()
    assert client.post(reverse("setup"), given)["Location"] == reverse("organiser_new")
    olga = User.objects.get()
    assert (olga.is_superuser, olga.is_staff, olga.get_full_name()) == (True, True, "Olga Organ")
    assert client.get(reverse("organiser_new")).status_code == 200
    assert client.get(reverse("setup")).status_code == 404
    assert client.post(reverse("setup"), given | {"username": "eve"}).status_code == 404


def test_the_code_serves_once(client: Client) -> None:
    code = setup_code.code()
    client.post(reverse("setup"), fields())
    User.objects.all().delete()
    with pytest.raises(Refused):
        make_first_organiser(code=code, username="eve", password=GOOD)


def test_what_is_wrong_is_said_beside_the_field(client: Client) -> None:
    cases: list[tuple[dict[str, str], dict[str, str]]] = [
        ({"code": "AAAA-AAAA"}, {"code": "This is not the code"}),
        ({"code": ""}, {"code": "Fill this in."}),
        ({"username": ""}, {"username": "Fill this in."}),
        ({"username": "o l"}, {"username": "no spaces"}),
        ({"password2": "another"}, {"password2": "The two passwords differ"}),
        ({"code": "x", "username": "", "password2": "y"}, {"code": "", "username": "", "password2": ""}),
    ]
    for wrong, problems in cases:
        response = client.post(reverse("setup"), fields(**wrong))
        errors = response.context["form"].errors
        assert (response.status_code, set(errors)) == (422, set(problems)), wrong
        assert [field for field, text in problems.items() if text not in " ".join(errors[field])] == [], wrong
    easy = client.post(reverse("setup"), fields(password1="password", password2="password"))
    assert "Many people have this password" in easy.text
    assert not User.objects.exists()
