"""The pages of the fans: every one in three languages, as the engine has it, found by points, type, hand and name."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from scoring.book.fan_filter import POINTS
from scoring.book.fans import barred_by, bars, entries
from scoring.engine import FANS, RULEBOOKS, Fan, score
from scoring.engine.fan_types import FanType, type_of
from scoring.texts import fan_name, rulebook_name
from scoring.texts.names import FAN_TYPES

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "zh-hans", "zh-hant")
every_language = pytest.mark.parametrize("language", LANGUAGES)


def page(client: Client, address: str, language: str = "en", **asked: str) -> str:
    answer = client.get(address, asked, headers={"accept-language": language})
    assert answer.status_code == 200
    return answer.content.decode()


def read(html: str) -> str:
    """What a reader sees, without tags, each run of space as one."""
    return " ".join(unescape(re.sub(r"<[^>]+>", "", html)).split())


def listed(client: Client, **asked: str) -> list[Fan]:
    """The fans that the list shows, in its order."""
    found = re.findall(r'<h3><a href="/fans/(\w+)/">', page(client, reverse("book-fans"), **asked))
    by_key = {fan.key: fan for fan in FANS}
    return [by_key[key] for key in found]


@every_language
@pytest.mark.parametrize("fan", FANS, ids=lambda fan: fan.key)
def test_a_fan_has_its_page(client: Client, fan: Fan, language: str) -> None:
    html = page(client, reverse("book-fan", args=[fan.key]), language)
    said = read(html)
    entry = entries()[fan]
    with override(language):
        assert f"<h1>{fan_name(fan)}</h1>" in html
        assert entry.text.in_language(language) in said
        for name in (fan.en, fan.zh_hans if language != "zh-hant" else fan.zh_hant):
            assert name in said
        for bar in (*bars(fan), *barred_by(fan)):
            assert f'href="/fans/{bar.other.key}/">{fan_name(bar.other)}<' in html
        for book in RULEBOOKS:
            worth = str(book.points.get(fan, "–"))
            assert f'<th scope="row">{rulebook_name(book)}</th><td class="num">{worth}</td>' in close(html)
    for example in entry.examples:
        assert f'<td class="pts">{score(example.hand).points}</td>' in html
    assert html.count("/calculator/?hand=") == len(entry.examples)


def close(html: str) -> str:
    return re.sub(r">\s+<", "><", html)


def test_all_are_listed_by_points(client: Client) -> None:
    found = listed(client)
    assert sorted(found, key=lambda fan: fan.number) == list(FANS)
    assert found == sorted(found, key=lambda fan: (fan.points, fan.number))


@pytest.mark.parametrize("points", POINTS)
def test_points_narrow_them(client: Client, points: int) -> None:
    assert listed(client, points=str(points)) == [fan for fan in FANS if fan.points == points]


@pytest.mark.parametrize("kind", FanType)
def test_a_type_narrows_them(client: Client, kind: FanType) -> None:
    assert listed(client, type=kind.value) == [fan for fan in FANS if type_of(fan) is kind]


def test_concealment_narrows_them(client: Client) -> None:
    concealed = listed(client, hand="concealed")
    assert concealed == [fan for fan in FANS if fan.concealed]
    assert set(listed(client, hand="any")) == set(FANS) - set(concealed)


@pytest.mark.parametrize("words", ["half flush", "混一色", "hunyise", "hùnyīsè", "hys", "Half-Flush"])
def test_a_fan_is_found_by_any_name(client: Client, words: str) -> None:
    assert listed(client, q=words) == [Fan.HALF_FLUSH]


def test_syllables_apart_find_it_too(client: Client) -> None:
    """Each is looked for on its own, so that 同顺 has a "hun" too."""
    assert Fan.HALF_FLUSH in listed(client, q="hùn yī sè")


def test_traditional_characters_find_it_too(client: Client) -> None:
    assert listed(client, q="連七對") == [Fan.SHIFTED_SEVEN_PAIRS]


def test_choices_go_together(client: Client) -> None:
    asked = {"points": "24", "type": "seven_pairs", "hand": "concealed", "q": "pairs"}
    assert listed(client, **asked) == [Fan.SEVEN_PAIRS]


def test_what_is_no_choice_asks_for_all(client: Client) -> None:
    assert len(listed(client, points="7", type="colour", hand="open")) == len(FANS)


def test_nothing_found_is_said(client: Client) -> None:
    html = page(client, reverse("book-fans"), q="pinochle")
    assert "No fan is like that." in html
    assert listed(client, q="pinochle") == []


@every_language
def test_the_sheet_has_them_all(client: Client, language: str) -> None:
    html = page(client, reverse("book-fans-sheet"), language)
    with override(language):
        assert [fan for fan in FANS if f">{fan_name(fan)}</b>" not in html] == []


@every_language
def test_the_form_names_the_types(client: Client, language: str) -> None:
    said = read(page(client, reverse("book-fans"), language))
    with override(language):
        assert [kind for kind in FanType if str(FAN_TYPES[kind]) not in said] == []


def test_an_unknown_fan_is_not_found(client: Client) -> None:
    assert client.get("/fans/half_moon/").status_code == 404


def test_the_calculator_leads_to_the_fans(client: Client) -> None:
    html = page(client, reverse("calculator"), hand="123m456p678s55m23s +1s self-drawn")
    assert '<a class="fan-link" href="/fans/all_chows/">All Chows</a>' in html
