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
from scoring.engine import FANS, RULEBOOKS, Fan, find_fan, score
from scoring.engine.fan_types import FanType, type_of
from scoring.texts import fan_name, rulebook_name
from scoring.texts.names import FAN_TYPES
from tests.support.factories import make_tournament
from tests.support.sampling import sample
from tournament.display.fans import fans_counted
from tournament.models import Hand, Tournament

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "zh-hans", "zh-hant")
every_language = pytest.mark.parametrize("language", LANGUAGES)
english_or_all = pytest.mark.parametrize(
    "language", [LANGUAGES[0], *(pytest.param(one, marks=pytest.mark.thorough) for one in LANGUAGES[1:])]
)


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


@english_or_all
@pytest.mark.parametrize("fan", sample(FANS, 5), ids=lambda fan: fan.key)
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


# --- how often made here ----------------------------------------------------------------------------------------------
@pytest.fixture
def played() -> Tournament:
    return make_tournament(players=4, sessions=1, played=1, hands=6)


def made_text(client: Client, key: str) -> str:
    html = page(client, reverse("book-fan", args=[key]))
    return read(html.split('aria-labelledby="made"')[1].split("</section>")[0])


def test_a_fan_says_how_often_it_was_made(client: Client, played: Tournament) -> None:
    wins = [hand.fans for hand in Hand.objects.filter(is_current=True) if hand.fans]
    had = sum("seven_pairs" in {fan["key"] for fan in fans} for fans in wins)
    assert had
    text = made_text(client, "seven_pairs")
    assert f"{had} hand" in text
    assert f"{round(100 * had / len(wins))} % of those whose fans are known" in text
    assert "at 1 of 1 public tournament." in text


def test_a_fan_nobody_made_says_so(client: Client, played: Tournament) -> None:
    assert "Never yet, in" in made_text(client, "thirteen_orphans")


def test_before_any_hand_there_is_nothing_to_count(client: Client) -> None:
    assert "No hand with its fans has been won" in made_text(client, "thirteen_orphans")


def test_the_list_has_every_fan_by_how_often_it_was_made_or_that_it_never_was(
    client: Client, played: Tournament
) -> None:
    made = page(client, reverse("book-fans")).split('aria-labelledby="made"')[1]
    assert set(re.findall(r'href="/fans/(\w+)/"', made)) >= {fan.key for fan in FANS}


# --- every name leads to its page -------------------------------------------------------------------------------------
@pytest.mark.parametrize("where", ["statistics/", "sessions/1/1/", "players/{player}/"])
def test_public_pages_lead_from_a_fan_to_its_page(client: Client, played: Tournament, where: str) -> None:
    winner = Hand.objects.filter(is_current=True, outcome="win").first()
    assert winner is not None
    assert winner.winner is not None
    html = page(client, f"/t/{played.slug}/" + where.format(player=winner.winner.number))
    fan = find_fan(winner.fans[0]["key"])
    assert re.search(rf'<a[^>]* href="/fans/{fan.key}/">{fan.en}</a>', html)


def test_nothing_stands_between_a_name_and_the_comma_after_it() -> None:
    text = fans_counted(
        [{"key": "all_types", "points": 6, "count": 1}, {"key": "dragon_pung", "points": 2, "count": 2}]
    )
    assert (
        text == '<a href="/fans/all_types/">All Types</a> 6, <a href="/fans/dragon_pung/">Dragon Pung</a> 4'
    )
