"""“1 point”, never “1 points”: in the sentences of problems, of the log and of fouls."""

import re
from functools import cache

import pytest
from django.utils.translation import override

from penalties.engine import PaidTo, Points, Proposal, Sanction
from penalties.engine.books import MCR
from penalties.engine.facts import Reason
from penalties.texts import reason_text, sanction_text
from scoring.engine.problems import PROBLEM_CODES, Problem, ProblemCode
from scoring.texts import problem_sentence
from tests.house.test_catalogues import catalogue
from tournament.base.log_actions import ACTIONS

NUMBERS = (0, 1, 2, 5)
LANGUAGES = ("en", "zh-hans", "zh-hant")
LIMITS = {"minimum": 2, "maximum": 9, "limit": 300, "hands": 16}
"""Limits, which are never one; where one can be, it chooses the plural."""
SEVERAL = {
    *("announced_too_many", "fan_too_often", "hands_out_of_range", "line_far_from_the_days", "meld_size"),
    *("name_of_several", "no_hand_after_sixteen", "repeats_or_wishes", "team_too_large", "text_too_long"),
    *("tile_count", "too_few_finalists", "later_than_the_session"),
}
"""Problems whose number is two at least."""


NEVER_ONE = {
    *("More than {points} points are rare. Is this correct?", "Yes, {points} points"),
    "Table {table} is {minutes} minutes behind.",
    "Table {table} is {minutes} minutes behind, and {more} other is late.",
    "{n} × {minutes} minutes; at least {need} × {need_minutes}.",
}
"""Sentences with points above a hundred, with minutes rounded to five, and with the length of a session."""


class Same(dict[str, int]):
    """The same number for every placeholder."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __missing__(self, key: str) -> int:
        return self.number


@cache
def one_of_several() -> re.Pattern[str]:
    """“1 points”, for every noun that has a plural in the catalogue."""
    nouns = {
        word
        for entry in catalogue("zh_Hans")
        for word in set(re.findall(r"[a-z-]+s\b", entry.msgid_plural))
        if word.removesuffix("s") in re.findall(r"[a-z-]+", entry.msgid)
    }
    return re.compile(rf"(?<![\d.−-])1 ({'|'.join(sorted(nouns))})\b")


def wrong(sentence: str) -> bool:
    return re.search(r"\{\w", sentence) is not None or one_of_several().search(sentence) is not None


def problem(declared: ProblemCode, number: int) -> Problem:
    params = dict.fromkeys(declared.params, number)
    limits = {name: limit for name, limit in LIMITS.items() if name in params and name != declared.by}
    return Problem(declared.code, "field", params | limits)


@pytest.mark.parametrize("language", LANGUAGES)
def test_problems_agree_with_their_numbers(language: str) -> None:
    with override(language):
        sentences = {
            (code, number): problem_sentence(problem(declared, number))
            for code, declared in PROBLEM_CODES.items()
            for number in NUMBERS
        }
    assert sorted({code for (code, _), sentence in sentences.items() if wrong(sentence)} - SEVERAL) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_log_entries_agree_with_their_numbers(language: str) -> None:
    with override(language):
        texts = [str(text) for action in ACTIONS.values() for text in (action.news, action.at_table)]
        texts += [str(action.sentence) for action in ACTIONS.values() if not callable(action.sentence)]
        sentences = [text.format_map(Same(number)) for text in texts for number in NUMBERS]
    assert [sentence for sentence in sentences if wrong(sentence)] == []


def test_sentences_that_are_built_or_filled_in_later_have_a_plural() -> None:
    built = [
        entry.msgid
        for entry in catalogue("zh_Hans")
        if any(re.fullmatch(r"tournament/\w+/texts(?:/\w+)?\.py", path) for path, _ in entry.occurrences)
    ]
    filled = {text: re.sub(r"\{(\w+)\}", lambda name: str(LIMITS.get(name[1], 1)), text) for text in built}
    assert {text for text, sentence in filled.items() if wrong(sentence)} == NEVER_ONE


@pytest.mark.parametrize("language", LANGUAGES)
def test_sanctions_agree_with_their_numbers(language: str) -> None:
    sanctions = [Sanction(points=Points(n, paid_to=paid_to)) for n in NUMBERS if n for paid_to in PaidTo]
    late = MCR.find("late")
    assert late is not None
    with override(language):
        sentences = [sanction_text(sanction) for sanction in sanctions]
        for number in NUMBERS:
            reason = Reason("minutes", {"minutes": number})
            sentences += [reason_text(Proposal(sanction, 1, reason), late) for sanction in sanctions]
    assert [sentence for sentence in sentences if wrong(sentence)] == []
