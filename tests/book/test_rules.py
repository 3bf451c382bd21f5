"""The rules, the foul book, disputed rules and the history: whole, in three languages, as the engines say."""

import re
from html import unescape
from itertools import pairwise

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from penalties.engine import FOUL_BOOKS, find_foul_book
from penalties.views import costs
from scoring.book import decisions, rules
from scoring.book.data import blocks, plain
from scoring.engine import MCR, RULEBOOKS, parse, payments, score
from scoring.engine.names import Names
from tests.support.pages import every_language, html_of, missing, visible_text
from tournament.base.engine.rules import WINDS, table_points
from tournament.book.views.pages import FIGURES, SCORES, SHAPES, WORTH
from tournament.seating.engine.numbers import own_hands
from tournament.web.texts import words

CHAPTERS = rules.chapters()


def lines_of(text: Names, language: str) -> list[str]:
    return [
        " ".join(plain(line).split()) for block in blocks(text.in_language(language)) for line in block.lines
    ]


def chapter_address(key: str) -> str:
    return reverse("rules_chapter", args=[key])


@every_language
def test_every_chapter_has_all_its_sections_alone_and_on_the_one_page(client: Client, language: str) -> None:
    whole = visible_text(html_of(client, reverse("rules_whole"), language))
    contents = html_of(client, reverse("rules"), language)
    problems = {}
    for chapter in CHAPTERS:
        address = chapter_address(chapter.key)
        html = html_of(client, address, language)
        text = visible_text(html)
        problems[chapter.key] = missing(whole, chapter.heading.in_language(language))
        for section in chapter.sections:
            lines = lines_of(section.passage.text, language)
            captions = [row.caption.in_language(language) for row in section.tiles]
            problems[chapter.key] += [
                *missing(html, f'id="{section.key}"'),
                *missing(text, section.passage.heading.in_language(language), *lines, *captions),
                *missing(whole, *lines),
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
        drawn, thrown = payments(points, 0, None), payments(points, 0, 1)
        rows.append(" ".join([str(points), *map(words.signed, (*drawn[:2], *thrown[:3]))]))
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
            for hand, (number, row) in zip(own_hands(start), rows, strict=True):
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
        own = [book for book in RULEBOOKS if book.clauses[rule.key] != MCR.clauses[rule.key]]
        clauses = [decisions.clauses()[book.clauses[rule.key]].in_language(language) for book in own]
        problems[rule.key] = missing(card(rule.key), *clauses, *lines_of(rule.text, language))
    for group in decisions.groups():
        for decision in group.decisions:
            texts = [saying.text.in_language(language) for saying in decision.says]
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
    assert "Nothing has all these words" in html_of(client, reverse("rules"), q="pinochle trump")
    assert "passage found" not in html_of(client, reverse("rules"), q="  ")
    pages = {chapter.key: html_of(client, chapter_address(chapter.key)) for chapter in CHAPTERS}
    for chapter, following in pairwise(CHAPTERS):
        assert f'rel="next" href="{chapter_address(following.key)}"' in pages[chapter.key]
        assert f'rel="prev" href="{chapter_address(chapter.key)}"' in pages[following.key]
    assert client.get(chapter_address("poker")).status_code == 404


@pytest.mark.parametrize(
    "address", ["/rules/", "/rules/wall/", "/rules/whole/", "/rules/decisions/", "/history/"]
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
    named = {foul.key: [cost["what"] for cost in costs(foul)] for foul in fouls}
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
