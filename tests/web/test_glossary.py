"""The page of the glossary: every term in the reader's language, searched and narrowed without a script."""

import gzip
import re

import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from scoring.book.shelf import Entry, shelf, title
from scoring.book.terms import TAGS, glossary
from tests.web.conftest import LANGUAGES, html_of

TERMS = glossary().terms


def page(client: Client, language: str = "en", **query: str) -> str:
    return html_of(client, reverse("book-glossary"), language, **query)


def entries(text: str) -> list[str]:
    """The anchors of the terms on a page, in their order."""
    return re.findall(r'class="entry" id="([a-z-]+)"', text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_term_is_there_and_every_link_lands(client: Client, language: str) -> None:
    html = page(client, language)
    text = html.replace("&#x27;", "'").replace("&quot;", '"')
    assert set(entries(html)) == set(glossary().by_key)
    assert [term.key for term in TERMS if term.text.in_language(language) not in text] == []
    assert [term.key for term in TERMS if title(term, language).text not in text] == []
    anchors = re.findall(r'\bid="([a-z-]+)"', html)
    assert len(anchors) == len(set(anchors))
    inside = set(re.findall(rf'href="(?:{reverse("book-glossary")})?#([a-z-]+)"', html))
    assert inside
    assert inside <= set(anchors)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_stands_by_the_alphabet(language: str) -> None:
    with override(language):
        letters = [letter for letter, _ in shelf(language)]
        order = [line.order for _, lines in shelf(language) for line in lines]
    assert letters == sorted(letters)
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("wanted", "key"), [("bushels", "bamboos"), ("補花", "flower-replacement"), ("fulu", "meld")]
)
def test_a_search_needs_no_script(client: Client, wanted: str, key: str) -> None:
    text = page(client, q=wanted)
    assert key in entries(text)
    assert len(entries(text)) < 5
    assert 'class="alias"' not in text
    assert f'value="{wanted}"' in text


def test_a_tag_narrows_it(client: Client) -> None:
    for tag in TAGS:
        assert set(entries(page(client, tag=tag))) == {term.key for term in TERMS if tag in term.tags}
    assert set(entries(page(client, tag="chess"))) == set(glossary().by_key)
    assert entries(page(client, tag="software", q="avatar")) == ["avatar"]
    assert entries(page(client, tag="mcr", q="avatar")) == []


def test_it_is_said_when_there_is_nothing(client: Client) -> None:
    assert '<p class="quiet" data-none>' in page(client, q="xyzzy")
    assert '<p class="quiet" data-none hidden>' in page(client)


def test_it_is_sent_packed_and_not_again_to_who_has_it(client: Client) -> None:
    address = reverse("book-glossary")
    first = client.get(address)
    assert first["Cache-Control"] == "private, no-cache"
    again = client.get(address, headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    chinese = {"if-none-match": first["ETag"], "accept-language": "zh-hans"}
    assert client.get(address, headers=chinese).status_code == 200
    packed = client.get(address, headers={"accept-encoding": "gzip"})
    assert gzip.decompress(packed.content) == first.content
    assert len(packed.content) < 40_000


def test_it_is_reached_from_every_public_page(client: Client) -> None:
    assert html_of(client, reverse("calculator")).count(f'href="{reverse("book-glossary")}"') == 2


def test_a_term_leads_to_the_page_of_its_fan() -> None:
    lines = [line for _, lines in shelf("en", "tile hog") for line in lines if isinstance(line, Entry)]
    assert [(line.place, line.fan_link) for line in lines] == [("tile-hog", "/fans/tile_hog/")]


def drawn(source: str, language: str = "en") -> str:
    with override(language):
        return Template("{% load book %}" + source).render(Context())


def test_a_word_in_a_text_leads_to_the_glossary_and_says_what_it_means_in_the_readers_language() -> None:
    text = drawn('{% term "meld" %}melded{% endterm %}')
    meld = glossary().by_key["meld"]
    assert '<a class="term" href="/glossary/#meld" aria-describedby="term-meld">melded</a>' in text
    assert '<span class="term-note" popover="manual" id="term-meld"><b>Meld</b> ' in text
    assert meld.text.en in text
    assert f"<b>副露</b> {meld.text.zh_hant}" in drawn('{% term "meld" %}副露{% endterm %}', "zh-hant")


def test_a_page_explains_a_word_once() -> None:
    meld, pung = '{% term "meld" %}melded{% endterm %}', '{% term "pung" %}pung{% endterm %}'
    text = drawn(f"{meld}, {pung}, {meld}")
    assert text.count('href="/glossary/#meld"') == 2
    assert (text.count('id="term-meld"'), text.count('id="term-pung"')) == (1, 1)


def test_an_unknown_word_is_a_fault() -> None:
    with pytest.raises(KeyError, match="chess"):
        drawn('{% term "chess" %}chess{% endterm %}')
