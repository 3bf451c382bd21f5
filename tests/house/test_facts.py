"""What an umpire states with a foul: one list, which everybody who reads or asks it is held to."""

import re
from dataclasses import fields
from pathlib import Path

from django.forms import BooleanField, ChoiceField, IntegerField, TypedChoiceField

from penalties.engine import FOUL_BOOKS, Facts, Need
from penalties.engine.facts import DETAILS, FACTS, FactKind, stated
from penalties.engine.rules import Cases
from tournament.fouls.forms.penalties import PenaltyForm
from tournament.play.texts.desk import DESK_WORDS

ROOT = Path(__file__).parents[2]
FOUL_SCREEN = ROOT / "static" / "js" / "desk" / "screens" / "foul.js"
FIELDS = {
    FactKind.WHOLE: (IntegerField,),
    FactKind.PLAYER: (TypedChoiceField,),
    FactKind.YES_NO: (TypedChoiceField, BooleanField),
    FactKind.CHOICE: (ChoiceField,),
}
ASKED_AS = {"points": "how_many"}
"""Facts whose question stands under another key, because their own is taken."""


def test_every_fact_has_a_place_and_what_a_foul_needs_can_be_stated() -> None:
    assert set(FACTS) <= {field.name for field in fields(Facts)}
    assert not any(getattr(Facts(), name) for name in FACTS)
    assert {need.value for need in Need} <= set(FACTS)


def test_a_choice_is_among_cases() -> None:
    rules = [foul.rule for book in FOUL_BOOKS.values() for foul in book.fouls]
    assert {FACTS[rule.fact] for rule in rules if isinstance(rule, Cases)} <= {
        FactKind.CHOICE,
        FactKind.YES_NO,
    }


def test_zero_and_no_are_stated_and_none_is_not() -> None:
    players = {"player": 3, "victim": 4}
    assert stated(players) == {}
    for name in DETAILS:
        given = [stated(players | {name: value}) for value in (0, False, None)]
        assert given == [{name: 0}, {name: False}, {}]


def test_the_page_asks_for_each() -> None:
    fields_of_page = PenaltyForm.base_fields
    assert [name for name, kind in FACTS.items() if not isinstance(fields_of_page[name], FIELDS[kind])] == []


def test_the_desk_has_the_same_list_asks_for_each_and_has_its_words() -> None:
    script = FOUL_SCREEN.read_text("utf-8")
    listed = re.search(r"FACTS = \{(.*?)\};", script, re.DOTALL)
    assert listed
    assert dict(re.findall(r"(\w+): \"(\w+)\"", listed[1])) == FACTS
    assert [name for name in FACTS.keys() - set(Need) if f'"{name}"' not in script] == []
    assert [name for name in FACTS if ASKED_AS.get(name, name) not in DESK_WORDS] == []


def test_the_format_of_transcripts_tells_each() -> None:
    page = (ROOT / "docs" / "transcript.md").read_text("utf-8")
    assert [name for name in DETAILS if f"`{name}`" not in page] == []
