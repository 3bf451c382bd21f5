"""The glossary as a reader of one language sees it: by the letters of that language, other names in between."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.book.terms import TAGS, Chinese, Term, anchor, fan_link, fits, glossary, haystack
from scoring.texts import folded, joined

SCRIPTS: Final = {"zh-hans": "zh-Hans", "zh-hant": "zh-Hant"}


@dataclass(frozen=True, slots=True)
class Written:
    """A word, and the language to read it in; "" for the page's own."""

    text: str
    lang: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A headword with what is said of it."""

    place: str
    """Its anchor."""
    title: Written
    order: str
    """What it is sorted by; its first letter is where it stands."""
    others: tuple[Written, ...]
    """The same in the other languages, and how it is read."""
    text: str
    aliases: str
    see: tuple[tuple[str, Written], ...]
    """(address, word) of each to read on with."""
    tags: tuple[tuple[str, str], ...]
    """(key, name) of each."""
    fan_link: str
    haystack: str


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name, which leads to its headword."""

    place: str
    title: Written
    order: str
    target: str
    word: Written
    tags: tuple[tuple[str, str], ...]


Line = Entry | Alias
Letter = tuple[str, list[Line]]
"""``("A", its lines)``."""


def tag_names() -> dict[str, str]:
    """Key → what a tag is called."""
    return dict(
        zip(
            TAGS,
            (
                _("MCR"),
                _("Classical and Western"),
                pgettext("mahjong", "Japanese"),
                pgettext("mahjong", "Computer"),
            ),
            strict=True,
        )
    )


def term_link(term: Term) -> str:
    """The address of a term, from any page."""
    return f"{reverse('book-glossary')}#{term.key}"


def shelf(language: str, wanted: str = "", tag: str = "") -> list[Letter]:
    """What fits, letter by letter; of a search no other names, for each term says its own."""
    lines: list[Line] = []
    for term in glossary().terms:
        if fits(term, wanted) and (not tag or tag in term.tags):
            lines.append(_entry(term, language))
            lines += [] if wanted else _aliases(term, language)
    lines.sort(key=lambda line: line.order)
    return [(letter, list(found)) for letter, found in groupby(lines, lambda line: line.order[0].upper())]


def title(term: Term, language: str) -> Written:
    """What the reader calls it: Chinese where there is a word, for who reads Chinese."""
    if language not in SCRIPTS:
        return Written(term.name)
    if not term.chinese:
        return Written(term.name, "en")
    return Written(term.chinese[0].in_language(language))


def _entry(term: Term, language: str) -> Entry:
    names = tag_names()
    by_key = glossary().by_key
    return Entry(
        place=term.key,
        title=title(term, language),
        order=_order(term, language),
        others=tuple(_others(term, language)),
        text=term.text.in_language(language),
        aliases=joined(term.aliases),
        see=tuple((term_link(by_key[key]), title(by_key[key], language)) for key in term.see),
        tags=tuple((tag, names[tag]) for tag in term.tags),
        fan_link=fan_link(term.fan),
        haystack=haystack(term),
    )


def _aliases(term: Term, language: str) -> Iterable[Alias]:
    names, lang = tag_names(), "en" if language in SCRIPTS else ""
    tags = tuple((tag, names[tag]) for tag in term.tags)
    for name in term.aliases:
        word = title(term, language)
        yield Alias(anchor(name), Written(name, lang), folded(name), term_link(term), word, tags)


def _order(term: Term, language: str) -> str:
    by_sound = language in SCRIPTS and term.chinese
    return folded(" ".join(term.chinese[0].pinyin) if by_sound else term.name)


def _others(term: Term, language: str) -> Iterable[Written]:
    """In English the Chinese, in both scripts where they differ; in Chinese the English; and the pinyin."""
    first = title(term, language).text
    if language in SCRIPTS and term.chinese:
        yield Written(term.name, "en")
    for word in term.chinese:
        yield from (script for script in _scripts(word, language) if script.text != first)
        yield Written(" ".join(word.pinyin), "zh-Latn-pinyin")


def _scripts(word: Chinese, language: str) -> Iterable[Written]:
    if language in SCRIPTS:
        return [Written(word.in_language(language))]
    both = (Written(word.hans, "zh-Hans"), Written(word.hant, "zh-Hant"))
    return both[:1] if word.hans == word.hant else both
