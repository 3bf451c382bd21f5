"""The pages of the fans and of the glossary: each in three languages, as the engine has it, found without a script."""

import gzip
import re

import pytest
from django.http import QueryDict
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import override

from scoring.book.fans import POINTS, FanFilter, barred_by, bars, entries
from scoring.book.shelf import Entry, shelf, title
from scoring.book.terms import TAGS, glossary
from scoring.engine import FANS, MCR, RULEBOOKS, Fan, find_fan, score
from scoring.engine.fans import FanType, type_of, typed
from scoring.texts import FAN_TYPES, fan_name, rulebook_name
from tests.support.factories import make_tournament
from tests.support.pages import LANGUAGES, every_language, html_of, visible_text
from tests.support.sampling import sample
from tournament.base.models.play import Hand
from tournament.base.models.tournament import Tournament
from tournament.play.display import fans_counted
from tournament.play.views.desk import fan_list


def listed(client: Client, **query: str) -> list[Fan]:
    """The fans that the list shows, in its order."""
    keys = re.findall(r'<h3><a href="/fans/(\w+)/">', html_of(client, reverse("book-fans"), **query))
    by_key = {fan.key: fan for fan in FANS}
    return [by_key[key] for key in keys]


@every_language
def test_a_fan_has_its_page(client: Client, language: str, subtests: pytest.Subtests) -> None:
    for fan in sample(FANS, 3, key=language):
        with subtests.test(fan.key), override(language):
            html = html_of(client, reverse("book-fan", args=[fan.key]), language)
            text, close = visible_text(html), re.sub(r">\s+<", "><", html)
            entry = entries()[fan]
            assert f"<h1>{fan_name(fan)}</h1>" in html
            assert entry.text.in_language(language) in text
            assert fan.en in text
            assert (fan.zh_hant if language == "zh-hant" else fan.zh_hans) in text
            for bar in (*bars(fan), *barred_by(fan)):
                assert f'href="/fans/{bar.other.key}/">{fan_name(bar.other)}<' in html
            for book in RULEBOOKS:
                worth = str(book.points.get(fan, "–"))
                assert f'<th scope="row">{rulebook_name(book)}</th><td class="num">{worth}</td>' in close
            for example in entry.examples:
                assert f'<td class="pts">{score(example.hand).points}</td>' in html
            assert html.count("/calculator/?hand=") == len(entry.examples)


@pytest.mark.thorough
def test_all_are_listed_by_points(client: Client) -> None:
    fans = listed(client)
    assert sorted(fans, key=lambda fan: fan.number) == list(FANS)
    assert fans == sorted(fans, key=lambda fan: (fan.points, fan.number))


def fitting(**query: str) -> list[Fan]:
    """The fans that these choices leave, in the order of the rule book."""
    return [entry.fan for entry in FanFilter.from_query(QueryDict(urlencode(query))).fans()]


def test_fans_are_found_by_points_type_and_any_name() -> None:
    for points in POINTS:
        assert fitting(points=str(points)) == [fan for fan in FANS if fan.points == points], points
    for kind in FanType:
        assert fitting(type=kind.value) == [fan for fan in FANS if type_of(fan) is kind], kind
    concealed = fitting(hand="concealed")
    assert concealed == [fan for fan in FANS if fan.concealed]
    assert set(fitting(hand="any")) == set(FANS) - set(concealed)
    names = ["half flush", "混一色", "hunyise", "hùnyīsè", "hys", "Half-Flush"]
    assert [name for name in names if fitting(q=name) != [Fan.HALF_FLUSH]] == []
    assert fitting(q="連七對") == [Fan.SHIFTED_SEVEN_PAIRS]
    # Each syllable is looked for on its own, so that 同顺 has a "hun" too.
    assert Fan.HALF_FLUSH in fitting(q="hùn yī sè")


def test_choices_go_together_and_what_is_no_choice_asks_for_all(client: Client) -> None:
    query = {"points": "24", "type": "seven_pairs", "hand": "concealed", "q": "pairs"}
    assert listed(client, **query) == fitting(**query) == [Fan.SEVEN_PAIRS]
    assert len(fitting(points="7", type="colour", hand="open")) == len(FANS)
    assert "No fan is like that." in html_of(client, reverse("book-fans"), q="pinochle")
    assert listed(client, q="pinochle") == []
    assert client.get("/fans/half_moon/").status_code == 404
    assert "No hand with its fans has been won" in made_text(client, "thirteen_orphans")
    html = html_of(client, reverse("calculator"), hand="123m456p678s55m23s +1s self-drawn")
    assert '<a class="fan-link" href="/fans/all_chows/">All Chows</a>' in html


@pytest.mark.thorough
@every_language
def test_the_sheet_has_all_fans_and_the_form_all_types(client: Client, language: str) -> None:
    sheet = html_of(client, reverse("book-fans-sheet"), language)
    form = visible_text(html_of(client, reverse("book-fans"), language))
    with override(language):
        assert [fan for fan in FANS if f">{fan_name(fan)}</b>" not in sheet] == []
        assert [kind for kind in FanType if str(FAN_TYPES[kind]) not in form] == []


@pytest.fixture
def played() -> Tournament:
    return make_tournament(players=4, sessions=1, played=1, hands=6)


def made_text(client: Client, key: str) -> str:
    html = html_of(client, reverse("book-fan", args=[key]))
    return visible_text(html.split('aria-labelledby="made"')[1].split("</section>")[0])


@pytest.mark.thorough
def test_a_fan_says_how_often_it_was_made_and_is_linked(client: Client, played: Tournament) -> None:
    wins = [hand.fans for hand in Hand.objects.filter(is_current=True) if hand.fans]
    count = sum("seven_pairs" in {fan["key"] for fan in fans} for fans in wins)
    assert count
    text = made_text(client, "seven_pairs")
    assert f"{count} hand" in text
    assert f"{round(100 * count / len(wins))} % of those whose fans are known" in text
    assert "at 1 of 1 public tournament." in text
    assert "Never yet, in" in made_text(client, "thirteen_orphans")
    whole_list = html_of(client, reverse("book-fans")).split('aria-labelledby="made"')[1]
    assert set(re.findall(r'href="/fans/(\w+)/"', whole_list)) >= {fan.key for fan in FANS}
    hand = Hand.objects.filter(is_current=True, outcome="win").first()
    assert hand is not None
    assert hand.winner is not None
    fan = find_fan(hand.fans[0]["key"])
    for path in ("statistics/", "sessions/1/1/", f"players/{hand.winner.number}/"):
        html = html_of(client, f"/t/{played.slug}/{path}")
        assert re.search(rf'<a[^>]* href="/fans/{fan.key}/">{fan.en}</a>', html), path


def test_nothing_stands_between_a_name_and_the_comma_after_it() -> None:
    all_types = {"key": "all_types", "points": 6, "count": 1}
    dragon_pungs = {"key": "dragon_pung", "points": 2, "count": 2}
    text = '<a href="/fans/all_types/">All Types</a> 6, <a href="/fans/dragon_pung/">Dragon Pung</a> 4'
    assert fans_counted([all_types, dragon_pungs]) == text


LISTED = fan_list(MCR)
"""What the desk searches the fans by."""


def test_the_desk_finds_fans_by_pinyin_and_points() -> None:
    words = {fan["key"]: " ".join(typed(find_fan(fan["key"]))).split() for fan in LISTED}
    assert [
        fan["key"] for fan in LISTED if not all(word in fan["search"] for word in words[fan["key"]])
    ] == []
    assert len(words) > 80
    assert all(words.values())
    assert [fan["key"] for fan in LISTED if "hunyise" in fan["search"]] == ["half_flush"]
    assert {fan["points"] for fan in LISTED if "88" in fan["search"]} == {88}


TERMS = glossary().terms


def glossary_page(client: Client, language: str = "en", **query: str) -> str:
    return html_of(client, reverse("book-glossary"), language, **query)


def entry_anchors(text: str) -> list[str]:
    """The anchors of the terms on a page, in their order."""
    return re.findall(r'class="entry" id="([a-z-]+)"', text)


@every_language
def test_every_term_is_there_and_every_link_lands(client: Client, language: str) -> None:
    html = glossary_page(client, language)
    text = html.replace("&#x27;", "'").replace("&quot;", '"')
    assert set(entry_anchors(html)) == set(glossary().by_key)
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
    text = glossary_page(client, q=wanted)
    assert key in entry_anchors(text)
    assert len(entry_anchors(text)) < 5
    assert 'class="alias"' not in text
    assert f'value="{wanted}"' in text


def test_a_tag_narrows_it(client: Client) -> None:
    for tag in sample(TAGS, 2):
        tagged = {term.key for term in TERMS if tag in term.tags}
        assert set(entry_anchors(glossary_page(client, tag=tag))) == tagged
    assert set(entry_anchors(glossary_page(client, tag="chess"))) == set(glossary().by_key)
    assert entry_anchors(glossary_page(client, tag="software", q="avatar")) == ["avatar"]
    assert entry_anchors(glossary_page(client, tag="mcr", q="avatar")) == []


def test_it_says_when_there_is_nothing_and_is_reached_from_every_page(client: Client) -> None:
    assert '<p class="quiet" data-none>' in glossary_page(client, q="xyzzy")
    assert '<p class="quiet" data-none hidden>' in glossary_page(client)
    assert html_of(client, reverse("calculator")).count(f'href="{reverse("book-glossary")}"') == 2


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


def test_a_term_leads_to_the_page_of_its_fan() -> None:
    lines = [line for _, lines in shelf("en", "tile hog") for line in lines if isinstance(line, Entry)]
    assert [(line.place, line.fan_link) for line in lines] == [("tile-hog", "/fans/tile_hog/")]


def drawn(source: str, language: str = "en") -> str:
    with override(language):
        return Template("{% load book %}" + source).render(Context())


def test_a_word_in_a_text_leads_to_the_glossary_and_is_explained_once() -> None:
    text = drawn('{% term "meld" %}melded{% endterm %}')
    meld = glossary().by_key["meld"]
    assert '<a class="term" href="/glossary/#meld" aria-describedby="term-meld">melded</a>' in text
    assert '<span class="term-note" popover="manual" id="term-meld"><b>Meld</b> ' in text
    assert meld.text.en in text
    assert f"<b>副露</b> {meld.text.zh_hant}" in drawn('{% term "meld" %}副露{% endterm %}', "zh-hant")
    melded, pung = '{% term "meld" %}melded{% endterm %}', '{% term "pung" %}pung{% endterm %}'
    text = drawn(f"{melded}, {pung}, {melded}")
    assert text.count('href="/glossary/#meld"') == 2
    assert (text.count('id="term-meld"'), text.count('id="term-pung"')) == (1, 1)
    with pytest.raises(KeyError, match="chess"):
        drawn('{% term "chess" %}chess{% endterm %}')
