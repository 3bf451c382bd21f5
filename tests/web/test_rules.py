"""The rules, the disputed ones and the history for everybody to read: whole, in three languages, as the engines say."""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from penalties.engine import find_foul_book
from scoring.book import decisions, history, rules
from scoring.book.passages import blocks, plain
from scoring.engine import MCR, RULEBOOKS, parse, payments, score
from scoring.engine.names import Names
from tournament.engine.own_seat import own_hands
from tournament.engine.rotation import WINDS
from tournament.engine.table_points import table_points
from tournament.views.book.figures import FIGURES, SCORES, SHAPES, WORTH
from tournament.words import figures, winds

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "zh-hans", "zh-hant")
CHAPTERS = rules.chapters()
every_language = pytest.mark.parametrize("language", LANGUAGES)
every_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.key)


def page(client: Client, address: str, language: str = "en", **asked: str) -> str:
    answer = client.get(address, asked, headers={"accept-language": language})
    assert answer.status_code == 200
    return answer.content.decode()


def read(html: str) -> str:
    """What a reader sees, without tags and notes, each run of space as one."""
    without = re.sub(r'<span class="term-note".*?</span>', "", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", "", without)).split())


def lines_of(text: Names, language: str) -> list[str]:
    return [
        " ".join(plain(line).split()) for block in blocks(text.in_language(language)) for line in block.lines
    ]


def chapter_address(key: str) -> str:
    return reverse("rules_chapter", args=[key])


@every_language
@every_chapter
def test_a_chapter_has_all_its_sections(client: Client, chapter: rules.Chapter, language: str) -> None:
    html = page(client, chapter_address(chapter.key), language)
    said = read(html)
    for section in chapter.sections:
        assert f'id="{section.key}"' in html
        assert section.passage.heading.in_language(language) in said
        for line in lines_of(section.passage.text, language):
            assert line in said
        for row in section.tiles:
            assert row.caption.in_language(language) in said


@every_language
def test_the_whole_on_one_page(client: Client, language: str) -> None:
    said = read(page(client, reverse("rules_whole"), language))
    for chapter in CHAPTERS:
        assert chapter.heading.in_language(language) in said
        for section in chapter.sections:
            assert all(line in said for line in lines_of(section.passage.text, language))


def test_chapters_lead_to_each_other(client: Client) -> None:
    for one, other in pairwise(CHAPTERS):
        assert f'rel="next" href="{chapter_address(other.key)}"' in page(client, chapter_address(one.key))
        assert f'rel="prev" href="{chapter_address(one.key)}"' in page(client, chapter_address(other.key))


@every_language
def test_every_section_is_in_the_contents(client: Client, language: str) -> None:
    html = page(client, reverse("rules"), language)
    for chapter in CHAPTERS:
        for section in chapter.sections:
            assert f'{chapter_address(chapter.key)}#{section.key}"' in html


def test_there_is_no_other_chapter(client: Client) -> None:
    assert client.get(chapter_address("poker")).status_code == 404


def test_every_drawing_is_known_and_used() -> None:
    used = [section.drawing for chapter in CHAPTERS for section in chapter.sections if section.drawing]
    assert sorted(used) == sorted(FIGURES)


@pytest.mark.parametrize("points", WORTH)
def test_the_payments_are_those_of_the_engine(client: Client, points: int) -> None:
    said = read(page(client, chapter_address("points")))
    drawn, thrown = payments(points, 0, None), payments(points, 0, 1)
    assert " ".join([str(points), *map(figures.signed, (*drawn[:2], *thrown[:3]))]) in said


def test_the_guides_examples_are_among_them() -> None:
    """003:1049-1053: 10 points and two flowers, 36 by discard and 60 self-drawn."""
    assert 12 in WORTH
    assert payments(12, 0, 1)[0] == 36
    assert payments(12, 0, None)[0] == 60


@every_language
def test_the_fouls_are_those_of_the_catalogue(client: Client, language: str) -> None:
    html = page(client, chapter_address("fouls"), language)
    listed = re.findall(rf'href="{reverse("foul_book")}#([a-z_]+)"', html)
    fouls = find_foul_book("mcr").fouls
    assert listed == [foul.key for foul in fouls]
    said = read(html)
    assert all(foul.description.in_language(language) in said for foul in fouls)


@pytest.mark.parametrize("scores", SCORES, ids=str)
def test_table_points_are_those_of_the_engine(client: Client, scores: tuple[int, ...]) -> None:
    said = read(page(client, chapter_address("session")))
    shared = table_points(scores)
    assert sum(shared) == 7
    row = (
        f"{figures.minus(one)} {figures.table_points(points)}"
        for one, points in zip(scores, shared, strict=True)
    )
    assert " ".join(row) in said


@every_language
@pytest.mark.parametrize("start", WINDS)
def test_your_own_sixteen_hands(client: Client, start: str, language: str) -> None:
    html = page(client, chapter_address("rotation"), language, start=start)
    table = re.findall(r'<table class="data own-hands">.*?</table>', html, re.DOTALL)[0]
    rows = re.findall(r'<th scope="row" class="num">(\d+)</th>(.*?)</tr>', table, re.DOTALL)
    assert len(rows) == 16
    with override(language):
        for hand, (number, row) in zip(own_hands(start), rows, strict=True):
            assert int(number) == hand.number
            assert str(winds.NAMES[hand.seat]) in re.findall(r'aria-label="([^"]+)"', row)[0]
            assert str(winds.NAMES[hand.upper]) in read(row)
            assert ("<b>" in row.partition("</td>")[2]) == (hand.dealer == start)


def test_two_throws_break_the_wall_in_two_ways(client: Client) -> None:
    said = read(page(client, chapter_address("wall"), first="5", second="8"))
    assert "5 + 8 = 13" in said
    assert (
        "Stack 13 from the right of East’s row is the end of the wall. The deal begins with stack 14 of East’s row."
        in said
    )
    assert "Stack 8 from the right of East’s row" in said


@pytest.mark.parametrize(
    "asked", [{"first": "13"}, {"second": "x"}, {"first": "\x00"}, {"start": "Q", "chart": "none"}]
)
def test_nonsense_is_as_if_nothing_was_asked(client: Client, asked: dict[str, str]) -> None:
    assert "5 + 8 = 13" in read(page(client, chapter_address("wall"), **asked))
    assert "starts as East" in read(page(client, chapter_address("rotation"), **asked))


def _parted(tiles: str) -> tuple[str, str]:
    return tiles[:-1], tiles[-1]


@pytest.mark.parametrize("groups", SHAPES.values(), ids=SHAPES)
def test_the_hands_shown_are_won(groups: tuple[str, ...]) -> None:
    others, last = groups[-1][:-1], groups[-1][-1]
    before = groups[:-1]
    suit = "" if last.isupper() else last
    held, winning = _parted(others + ("" if suit else last))
    hand = " ".join((*before, *([held + suit] if held else []), f"+{winning}{suit}", "self-drawn"))
    assert score(parse(hand)).win


@every_language
def test_every_disputed_rule_is_on_the_page_row_by_row(client: Client, language: str) -> None:
    html = page(client, reverse("rules_decisions"), language)
    for rule in decisions.rules():
        card = read(html.partition(f'id="{rule.key}"')[2].partition("</article>")[0])
        for book in RULEBOOKS:
            clause = decisions.clauses()[book.clauses[rule.key]].in_language(language)
            assert clause in card or book.clauses[rule.key] == MCR.clauses[rule.key]
        assert all(line in card for line in lines_of(rule.text, language))
    for group in decisions.groups():
        for decision in group.decisions:
            card = read(html.partition(f'id="{decision.passage.key}"')[2].partition("</article>")[0])
            assert all(saying.text.in_language(language) in card for saying in decision.says)
            assert all(line in card for line in lines_of(decision.passage.text, language))


@every_language
def test_the_history_has_every_claim_and_variant(client: Client, language: str) -> None:
    said = read(page(client, reverse("history"), language))
    for question in history.questions():
        assert all(claim.text.in_language(language) in said for claim in question.claims)
    for variant in history.variants():
        assert variant.name.in_language(language) in said
        assert variant.special.in_language(language) in said


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("break wall", "/rules/wall/#breaking"),
        ("开牌 骰子", "/rules/wall/#breaking"),
        ("開牌 骰子", "/rules/wall/#breaking"),
        ("ROBBING", "/rules/kongs/#robbing"),
        ("抢杠", "/rules/kongs/#robbing"),
        ("wash-out", "/rules/winning/#wash_out"),
        ("dead wall", "/rules/decisions/#dead_wall"),
        ("撞倒", "/fouls/#knocked_tiles"),
    ],
)
def test_a_search_finds_in_every_language(client: Client, query: str, place: str) -> None:
    for language in LANGUAGES:
        assert f'href="{place}"' in page(client, reverse("rules"), language, q=query)


def test_a_search_for_nothing_that_is_there(client: Client) -> None:
    assert "Nothing has all these words" in page(client, reverse("rules"), q="pinochle trump")
    assert "passage found" not in page(client, reverse("rules"), q="  ")


@pytest.mark.parametrize(
    "address", ["/rules/", "/rules/wall/", "/rules/whole/", "/rules/decisions/", "/history/"]
)
def test_who_has_a_page_is_told_so(client: Client, address: str) -> None:
    first = client.get(address)
    again = client.get(address, headers={"if-none-match": first["ETag"]})
    assert (first.status_code, again.status_code) == (200, 304)
    other = client.get(address, headers={"if-none-match": first["ETag"], "accept-language": "zh-hans"})
    assert other.status_code == 200
    assert client.post(address).status_code == 405
