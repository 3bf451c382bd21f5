"""The foul book for everybody to read."""

from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from penalties.engine import FOUL_BOOKS
from penalties.views import costs

LANGUAGES = {"en": "en", "zh-hans": "zh_hans", "zh-hant": "zh_hant"}


@pytest.mark.parametrize("key", FOUL_BOOKS)
def test_every_foul_and_its_source_is_there_in_the_readers_language(client: Client, key: str) -> None:
    book = FOUL_BOOKS[key]
    for code, field in LANGUAGES.items():
        page = client.get(reverse("foul_book"), {"rulebook": key}, headers={"accept-language": code})
        assert page.context["book"] == book
        text = unescape(page.text)
        texts = [getattr(each, field) for foul in book.fouls for each in (foul.names, foul.description)]
        assert [each for each in texts if each not in text] == []
        sources = [foul["source"] for foul in page.context["fouls"]]
        assert sources == [getattr(foul.source, field) for foul in book.fouls]


def test_every_foul_of_every_book_says_what_it_costs() -> None:
    fouls = [foul for book in FOUL_BOOKS.values() for foul in book.fouls]
    assert [
        foul.key for foul in fouls if not costs(foul) or not all(cost["what"] for cost in costs(foul))
    ] == []


def test_an_unknown_book_is_the_usual_one_and_says_what_is_counted_with_the_ladder(client: Client) -> None:
    page = client.get(reverse("foul_book"), {"rulebook": "poker"})
    assert page.context["book"] == FOUL_BOOKS["mcr"]
    by_key = {foul["key"]: foul for foul in page.context["fouls"]}
    assert "wind round" in by_key["late_pung"]["counted"]
    assert "session" in by_key["empty_call"]["counted"]
    assert by_key["false_hu"]["counted"] == ""
    rungs = [cost["what"] for cost in by_key["empty_call"]["costs"][:3]]
    assert rungs == ["warning", "5 points", "10 points"]
