"""The foul book for everybody to read."""

import pytest
from django.test import Client
from django.urls import reverse

from penalties.engine import FOUL_BOOKS, Foul, FoulBook
from penalties.views import costs

pytestmark = pytest.mark.django_db

LANGUAGES = {"en": "en", "zh-hans": "zh_hans", "zh-hant": "zh_hant"}


@pytest.mark.parametrize(("code", "field"), LANGUAGES.items())
def test_every_foul_is_there_in_the_readers_language(client: Client, code: str, field: str) -> None:
    page = client.get(reverse("foul_book"), headers={"accept-language": code}).content.decode()
    for foul in FOUL_BOOKS["mcr"].fouls:
        assert getattr(foul.names, field) in page.replace("&#x27;", "'")
        assert getattr(foul.description, field) in page.replace("&#x27;", "'")


@pytest.mark.parametrize("book", FOUL_BOOKS)
@pytest.mark.parametrize(("code", "field"), LANGUAGES.items())
def test_every_source_is_there_in_the_readers_language(
    client: Client, book: str, code: str, field: str
) -> None:
    answer = client.get(reverse("foul_book"), {"rulebook": book}, headers={"accept-language": code})
    shown = [foul["source"] for foul in answer.context["fouls"]]
    assert shown == [getattr(foul.source, field) for foul in FOUL_BOOKS[book].fouls]


@pytest.mark.parametrize(
    "foul", [foul for book in FOUL_BOOKS.values() for foul in book.fouls], ids=lambda foul: foul.key
)
def test_every_foul_of_every_book_says_what_it_costs(foul: Foul) -> None:
    assert costs(foul)
    assert all(cost["what"] for cost in costs(foul))


@pytest.mark.parametrize("book", FOUL_BOOKS.values(), ids=lambda book: book.key)
def test_every_book_has_a_page(client: Client, book: FoulBook) -> None:
    assert client.get(reverse("foul_book"), {"rulebook": book.key}).context["book"] == book


def test_an_unknown_book_is_the_usual_one(client: Client) -> None:
    assert client.get(reverse("foul_book"), {"rulebook": "poker"}).context["book"] == FOUL_BOOKS["mcr"]


def test_what_is_counted_is_said_with_the_ladder(client: Client) -> None:
    by_key = {foul["key"]: foul for foul in client.get(reverse("foul_book")).context["fouls"]}
    assert "wind round" in by_key["late_pung"]["counted"]
    assert "session" in by_key["empty_call"]["counted"]
    assert by_key["false_hu"]["counted"] == ""
    assert [cost["what"] for cost in by_key["empty_call"]["costs"][:3]] == [
        "warning",
        "5 points",
        "10 points",
    ]
