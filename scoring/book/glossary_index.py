"""The glossary in one language: sorted by its letters, with other names in between."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.book.terms import TAGS, Chinese, Term, anchor, fan_link, glossary, haystack, matches
from scoring.texts import folded, joined

SCRIPTS: Final = {"zh-hans": "zh-Hans", "zh-hant": "zh-Hant"}


@dataclass(frozen=True, slots=True)
class LangText:
    """A word and its language; "" for the page's own."""

    text: str
    lang: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A headword with its explanation."""

    place: str
    """The anchor."""
    title: LangText
    order: str
    """The sort key; its first letter is the heading."""
    others: tuple[LangText, ...]
    """The names in other languages, and the pinyin."""
    text: str
    aliases: str
    see: tuple[tuple[str, LangText], ...]
    """(URL, name) of each related term."""
    tags: tuple[tuple[str, str], ...]
    """(key, name) of each."""
    fan_link: str
    haystack: str


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name, which links to its headword."""

    place: str
    title: LangText
    order: str
    target: str
    word: LangText
    tags: tuple[tuple[str, str], ...]


Line = Entry | Alias
Letter = tuple[str, list[Line]]
"""(letter, lines)."""


def tag_names() -> dict[str, str]:
    """Return the label of each tag by its key."""
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
    """Return the URL of a term."""
    return f"{reverse('book-glossary')}#{term.key}"


def glossary_index(language: str, query: str = "", tag: str = "") -> list[Letter]:
    """Return the matching terms by letter. With a query aliases are left out, since each term lists its own."""
    lines: list[Line] = []
    for term in glossary().terms:
        if matches(term, query) and (not tag or tag in term.tags):
            lines.append(_entry(term, language))
            lines += [] if query else _aliases(term, language)
    lines.sort(key=lambda line: line.order)
    return [(letter, list(lines_)) for letter, lines_ in groupby(lines, lambda line: line.order[0].upper())]


def title(term: Term, language: str) -> LangText:
    """Return the reader's name for a term: Chinese for readers of Chinese, where there is a word."""
    if language not in SCRIPTS:
        return LangText(term.name)
    if not term.chinese:
        return LangText(term.name, "en")
    return LangText(term.chinese[0].in_language(language))


def _entry(term: Term, language: str) -> Entry:
    names = tag_names()
    by_key = glossary().by_key
    return Entry(
        place=term.key,
        title=title(term, language),
        order=_order(term, language),
        others=tuple(_other_names(term, language)),
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
        yield Alias(anchor(name), LangText(name, lang), folded(name), term_link(term), word, tags)


def _order(term: Term, language: str) -> str:
    by_sound = language in SCRIPTS and term.chinese
    return folded(" ".join(term.chinese[0].pinyin) if by_sound else term.name)


def _other_names(term: Term, language: str) -> Iterable[LangText]:
    """Yield Chinese names and pinyin for English readers, English name and pinyin for Chinese readers."""
    first = title(term, language).text
    if language in SCRIPTS and term.chinese:
        yield LangText(term.name, "en")
    for word in term.chinese:
        yield from (script for script in _scripts(word, language) if script.text != first)
        yield LangText(" ".join(word.pinyin), "zh-Latn-pinyin")


def _scripts(word: Chinese, language: str) -> Iterable[LangText]:
    if language in SCRIPTS:
        return [LangText(word.in_language(language))]
    both = (LangText(word.hans, "zh-Hans"), LangText(word.hant, "zh-Hant"))
    return both[:1] if word.hans == word.hant else both
