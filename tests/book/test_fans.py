"""The pages of fans, the glossary, the rules and the foul book: in three languages, as the engines say, and found."""

import gzip
import re
from html import unescape
from itertools import pairwise

import pytest
from django.http import QueryDict
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import override

from penalties.engine import FOUL_BOOKS, find_foul_book
from penalties.views import foul_costs
from scoring.book import decisions, rules
from scoring.book.data import blocks, plain
from scoring.book.fans import POINTS, FanFilter, barred_by, bars, entries
from scoring.book.glossary_index import Entry, glossary_index, title
from scoring.book.terms import TAGS, glossary, search_words
from scoring.engine import FANS, MCR, RULEBOOKS, Fan, find_fan, parse, payments, score
from scoring.engine.fans import FanType, pinyin, spellings, type_of
from scoring.engine.names import Names
from scoring.texts import FAN_TYPES, fan_name, rulebook_name
from tests.scoring.golden import lines
from tests.support.factories import make_tournament
from tests.support.pages import LANGUAGES, every_language, html_of, missing, visible_text
from tests.support.sampling import sample
from tournament.base.engine.rules import WINDS, table_points
from tournament.base.models.play import Hand
from tournament.base.models.tournament import Tournament
from tournament.book.views.pages import FIGURES, SCORES, SHAPES, WORTH
from tournament.play.display import fans_counted
from tournament.play.views.desk import fan_list
from tournament.seating.engine.numbers import hand_positions
from tournament.web.texts import words

CHAPTERS = rules.chapters()


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
                points = str(book.points.get(fan, "–"))
                assert f'<th scope="row">{rulebook_name(book)}</th><td class="num">{points}</td>' in close
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
    assert "No fan matches." in html_of(client, reverse("book-fans"), q="pinochle")
    assert listed(client, q="pinochle") == []
    assert client.get("/fans/half_moon/").status_code == 404
    assert "No hand with recorded fans has been won" in made_text(client, "thirteen_orphans")
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


def found_on_the_desk(words: str) -> list[str]:
    return [fan["key"] for fan in LISTED if all(word in fan["search"] for word in search_words(words))]


def test_the_desk_finds_fans_by_pinyin_and_points() -> None:
    ways = {fan: spellings(pinyin(fan)) for fan in FANS}
    wrong = [
        (fan, way) for fan, sample in ways.items() for way in sample if fan.key not in found_on_the_desk(way)
    ]
    assert wrong == []
    assert found_on_the_desk("hunyise") == ["half_flush"]
    assert {fan["points"] for fan in LISTED if "88" in fan["search"]} == {88}


def test_a_fan_is_found_by_its_names_in_every_source_and_in_both_spellings() -> None:
    """On the fans' page and on the desk."""
    missed = [
        (source, name)
        for source, name, number in lines("names-in-sources.txt")
        if Fan(int(number)) not in {entry.fan for entry in FanFilter(words=name).fans()}
        or Fan(int(number)).key not in found_on_the_desk(name)
    ]
    assert missed == []


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
        letters = [letter for letter, _ in glossary_index(language)]
        order = [line.order for _, lines in glossary_index(language) for line in lines]
    assert letters == sorted(letters)
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("query", "key"), [("bushels", "bamboos"), ("補花", "flower-replacement"), ("fulu", "meld")]
)
def test_a_search_needs_no_script(client: Client, query: str, key: str) -> None:
    text = glossary_page(client, q=query)
    assert key in entry_anchors(text)
    assert len(entry_anchors(text)) < 5
    assert 'class="alias"' not in text
    assert f'value="{query}"' in text


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
    lines = [
        line for _, lines in glossary_index("en", "tile hog") for line in lines if isinstance(line, Entry)
    ]
    assert [(line.place, line.fan_link) for line in lines] == [("tile-hog", "/fans/tile_hog/")]


def render_template(source: str, language: str = "en") -> str:
    with override(language):
        return Template("{% load book %}" + source).render(Context())


def test_a_word_in_a_text_leads_to_the_glossary_and_is_explained_once() -> None:
    text = render_template('{% term "meld" %}melded{% endterm %}')
    meld = glossary().by_key["meld"]
    assert '<a class="term" href="/glossary/#meld" aria-describedby="term-meld">melded</a>' in text
    assert '<span class="term-note" popover="manual" id="term-meld"><b>Meld</b> ' in text
    assert meld.text.en in text
    assert f"<b>副露</b> {meld.text.zh_hant}" in render_template(
        '{% term "meld" %}副露{% endterm %}', "zh-hant"
    )
    melded, pung = '{% term "meld" %}melded{% endterm %}', '{% term "pung" %}pung{% endterm %}'
    text = render_template(f"{melded}, {pung}, {melded}")
    assert text.count('href="/glossary/#meld"') == 2
    assert (text.count('id="term-meld"'), text.count('id="term-pung"')) == (1, 1)
    with pytest.raises(KeyError, match="chess"):
        render_template('{% term "chess" %}chess{% endterm %}')


def lines_of(text: Names, language: str) -> list[str]:
    return [
        " ".join(plain(line).split()) for block in blocks(text.in_language(language)) for line in block.lines
    ]


def chapter_address(key: str) -> str:
    return reverse("rules_chapter", args=[key])


@every_language
def test_every_chapter_has_all_its_sections_alone_and_on_the_one_page(client: Client, language: str) -> None:
    all_rules = visible_text(html_of(client, reverse("rules_all"), language))
    contents = html_of(client, reverse("rules"), language)
    problems = {}
    for chapter in CHAPTERS:
        address = chapter_address(chapter.key)
        html = html_of(client, address, language)
        text = visible_text(html)
        problems[chapter.key] = missing(all_rules, chapter.heading.in_language(language))
        for section in chapter.sections:
            lines = lines_of(section.passage.text, language)
            captions = [row.caption.in_language(language) for row in section.tiles]
            problems[chapter.key] += [
                *missing(html, f'id="{section.key}"'),
                *missing(text, section.passage.heading.in_language(language), *lines, *captions),
                *missing(all_rules, *lines),
                *missing(contents, f'{address}#{section.key}"'),
            ]
    assert {key: lines for key, lines in problems.items() if lines} == {}


def test_drawings_are_used_and_their_hands_won() -> None:
    used = [section.drawing for chapter in CHAPTERS for section in chapter.sections if section.drawing]
    assert sorted(used) == sorted(FIGURES)
    assert [name for name, groups in SHAPES.items() if not is_won(groups)] == []


def test_payments_and_table_points_are_those_of_the_engine(client: Client) -> None:
    """Among them the Guide's examples, 003:1049-1053: 10 points and two flowers, 36 by discard and 60 self-drawn."""
    text = visible_text(html_of(client, chapter_address("points")))
    rows = []
    for points in WORTH:
        self_drawn, thrown = payments(points, 0, None), payments(points, 0, 1)
        rows.append(" ".join([str(points), *map(words.signed, (*self_drawn[:2], *thrown[:3]))]))
    assert missing(text, *rows) == []
    assert 12 in WORTH
    assert (payments(12, 0, 1)[0], payments(12, 0, None)[0]) == (36, 60)
    text = visible_text(html_of(client, chapter_address("session")))
    rows = []
    for scores in SCORES:
        shared = table_points(scores)
        assert sum(shared) == 7
        cells = zip(map(words.minus, scores), map(words.table_points, shared), strict=True)
        rows.append(" ".join(f"{points} {share}" for points, share in cells))
    assert missing(text, *rows) == []


@every_language
def test_the_fouls_are_those_of_the_catalogue(client: Client, language: str) -> None:
    html = html_of(client, chapter_address("fouls"), language)
    fouls = find_foul_book("mcr").fouls
    assert re.findall(rf'href="{reverse("foul_book")}#([a-z_]+)"', html) == [foul.key for foul in fouls]
    assert missing(visible_text(html), *(foul.description.in_language(language) for foul in fouls)) == []


@every_language
def test_your_own_sixteen_hands(client: Client, language: str) -> None:
    for start in WINDS:
        html = html_of(client, chapter_address("rotation"), language, start=start)
        table = re.findall(r'<table class="data own-hands">.*?</table>', html, re.DOTALL)[0]
        rows = re.findall(r'<th scope="row" class="num">(\d+)</th>(.*?)</tr>', table, re.DOTALL)
        assert len(rows) == 16
        with override(language):
            for hand, (number, row) in zip(hand_positions(start), rows, strict=True):
                assert int(number) == hand.number
                assert str(words.NAMES[hand.seat]) in re.findall(r'aria-label="([^"]+)"', row)[0]
                assert str(words.NAMES[hand.upper]) in visible_text(row)
                assert ("<b>" in row.partition("</td>")[2]) == (hand.dealer == start)


def test_two_throws_break_the_wall_in_two_ways(client: Client) -> None:
    """Nonsense is as if nothing was asked."""
    text = visible_text(html_of(client, chapter_address("wall"), first="5", second="8"))
    end = "Stack 13 from the right of East’s row is the end of the wall. The deal begins with stack 14"
    assert missing(text, "5 + 8 = 13", end, "Stack 8 from the right of East’s row") == []
    for query in ({"first": "13"}, {"second": "x"}, {"first": "\x00"}, {"start": "Q", "chart": "none"}):
        assert "5 + 8 = 13" in visible_text(html_of(client, chapter_address("wall"), **query))
        assert "starts as East" in visible_text(html_of(client, chapter_address("rotation"), **query))


def is_won(groups: tuple[str, ...]) -> bool:
    """The last tile of the last group is drawn; a group of one suit has its letter at the end."""
    *before, last = groups
    suit = "" if last[-1].isupper() else last[-1]
    tiles = last.removesuffix(suit)
    in_hand = [tiles[:-1] + suit] if tiles[:-1] else []
    return bool(score(parse(" ".join((*before, *in_hand, f"+{tiles[-1]}{suit}", "self-drawn")))).win)


@every_language
def test_every_disputed_rule_is_on_the_page_row_by_row(client: Client, language: str) -> None:
    html = html_of(client, reverse("rules_decisions"), language)

    def card(key: str) -> str:
        return visible_text(html.partition(f'id="{key}"')[2].partition("</article>")[0])

    problems = {}
    for rule in decisions.rules():
        differing_books = [book for book in RULEBOOKS if book.clauses[rule.key] != MCR.clauses[rule.key]]
        clauses = [
            decisions.clauses()[book.clauses[rule.key]].in_language(language) for book in differing_books
        ]
        problems[rule.key] = missing(card(rule.key), *clauses, *lines_of(rule.text, language))
    for group in decisions.groups():
        for decision in group.decisions:
            texts = [statement.text.in_language(language) for statement in decision.statements]
            texts += lines_of(decision.passage.text, language)
            problems[decision.passage.key] = missing(card(decision.passage.key), *texts)
    assert {key: texts for key, texts in problems.items() if texts} == {}


@every_language
def test_the_history_has_every_claim_and_variant(client: Client, language: str) -> None:
    claims = [claim.text for question in rules.history_questions() for claim in question.claims]
    variants = [text for variant in rules.variants() for text in (variant.name, variant.special)]
    page = visible_text(html_of(client, reverse("history"), language))
    assert missing(page, *(text.in_language(language) for text in (*claims, *variants))) == []


@every_language
def test_a_search_finds_in_every_language(client: Client, language: str) -> None:
    for query, place in (
        ("break wall", "wall/#breaking"),
        ("开牌 骰子", "wall/#breaking"),
        ("開牌 骰子", "wall/#breaking"),
        ("ROBBING", "kongs/#robbing"),
        ("抢杠", "kongs/#robbing"),
        ("wash-out", "winning/#wash_out"),
        ("dead wall", "decisions/#dead_wall"),
    ):
        assert f'href="/rules/{place}"' in html_of(client, reverse("rules"), language, q=query), query
    assert 'href="/fouls/#knocked_tiles"' in html_of(client, reverse("rules"), language, q="撞倒")


def test_a_search_for_nothing_and_chapters_that_lead_on(client: Client) -> None:
    assert "No passage contains all these words" in html_of(client, reverse("rules"), q="pinochle trump")
    assert "passage found" not in html_of(client, reverse("rules"), q="  ")
    pages = {chapter.key: html_of(client, chapter_address(chapter.key)) for chapter in CHAPTERS}
    for chapter, following in pairwise(CHAPTERS):
        assert f'rel="next" href="{chapter_address(following.key)}"' in pages[chapter.key]
        assert f'rel="prev" href="{chapter_address(chapter.key)}"' in pages[following.key]
    assert client.get(chapter_address("poker")).status_code == 404


@pytest.mark.parametrize(
    "address", ["/rules/", "/rules/wall/", "/rules/all/", "/rules/decisions/", "/history/"]
)
def test_a_known_page_is_not_sent_again(client: Client, address: str) -> None:
    first = client.get(address)
    again = client.get(address, headers={"if-none-match": first["ETag"]})
    assert (first.status_code, again.status_code) == (200, 304)
    other = client.get(address, headers={"if-none-match": first["ETag"], "accept-language": "zh-hans"})
    assert other.status_code == 200
    assert client.post(address).status_code == 405


FIELDS = {"en": "en", "zh-hans": "zh_hans", "zh-hant": "zh_hant"}


@pytest.mark.parametrize("key", FOUL_BOOKS)
def test_every_foul_and_its_source_is_there_in_the_readers_language(client: Client, key: str) -> None:
    book = FOUL_BOOKS[key]
    for code, field in FIELDS.items():
        page = client.get(reverse("foul_book"), {"rulebook": key}, headers={"accept-language": code})
        assert page.context["book"] == book
        text = unescape(page.text)
        texts = [getattr(each, field) for foul in book.fouls for each in (foul.names, foul.description)]
        assert [each for each in texts if each not in text] == []
        sources = [foul["source"] for foul in page.context["fouls"]]
        assert sources == [getattr(foul.source, field) for foul in book.fouls]


def test_every_foul_of_every_book_says_what_it_costs() -> None:
    fouls = [foul for book in FOUL_BOOKS.values() for foul in book.fouls]
    named = {foul.key: [cost["what"] for cost in foul_costs(foul)] for foul in fouls}
    assert [key for key, whats in named.items() if not whats or not all(whats)] == []


def test_an_unknown_foul_book_is_the_usual_one(client: Client) -> None:
    page = client.get(reverse("foul_book"), {"rulebook": "poker"})
    assert page.context["book"] == FOUL_BOOKS["mcr"]
    by_key = {foul["key"]: foul for foul in page.context["fouls"]}
    assert "wind round" in by_key["late_pung"]["counted"]
    assert "session" in by_key["empty_call"]["counted"]
    assert by_key["false_hu"]["counted"] == ""
    rungs = [cost["what"] for cost in by_key["empty_call"]["costs"][:3]]
    assert rungs == ["warning", "5 points", "10 points"]
