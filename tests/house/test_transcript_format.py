"""A transcript's fields are the same ones wherever they are named: by the reader, in the schema and in the docs."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.exchange.test_transcript import event
from tournament.exchange.api import TranscriptFile
from tournament.exchange.transcripts.reading import load
from tournament.exchange.transcripts.score_sheet import Record
from tournament.web.texts.problems import SENTENCES

PAGE = (Path(__file__).parents[2] / "docs" / "transcript.md").read_text("utf-8")
BY_OTHERS = {"format", "version", "rule", "description"}
"""Fields that are read without a `Record`."""
LADDER = {"kind": "ladder", "steps": [{"warning": True}], "repeats": "tournament", "if_seen": {}}
NAMES = {"en": "Phone", "zh_hans": "手机", "zh_hant": "手機"}


def everything() -> str:
    """A transcript with an object of each kind."""
    data = event()
    data["tournament"]["fouls"] = [{"key": "house_1", "rule": LADDER, "names": NAMES, "description": NAMES}]
    data["sessions"][0]["pauses"] = [{"at": 60, "seconds": 30, "because": "Alarm"}]
    table = data["sessions"][0]["tables"][0]
    figures = [{"player": player, "points": 0, "wins": 1, "deal_ins": 1} for player in (1, 2, 3, 4)]
    table["totals"] = {"figures": figures, "hands": 4, "best": {"player": 1, "points": 24}}
    table["penalties"] = [{"player": 1, "foul": "late", "minutes": 12}]
    table["presence"] = [{"what": "stand_in", "player": 3}]
    table["appeals"] = [{"player": 1, "text": "No.", "hand": 1, "was": {"outcome": "draw"}}]
    return json.dumps(data)


def in_the_schema(part: Any) -> set[str]:
    """The names of a serializer's fields, and of what is in them."""
    found = set()
    for name, field in getattr(getattr(part, "child", part), "fields", {}).items():
        found |= {name, *in_the_schema(field)}
    return found


def test_the_schema_has_the_fields_that_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = set(BY_OTHERS)

    def remembering(method: Callable[..., Any]) -> Callable[..., Any]:
        def ask(record: Record, name: str, *kind: Any) -> Any:
            asked.add(name)
            return method(record, name, *kind)

        return ask

    for name in ("_of", "has"):
        monkeypatch.setattr(Record, name, remembering(getattr(Record, name)))
    load(everything())
    assert asked == in_the_schema(TranscriptFile())


def test_the_page_names_the_fields_of_the_schema_and_what_is_left_out() -> None:
    (block,) = re.findall(r"version 1\n.*?```\n(.*?)```", PAGE, re.DOTALL)
    assert set(re.findall(r'"(\w+)"', block)) - {"hule"} == in_the_schema(TranscriptFile())
    said = [str(text) for code, text in SENTENCES.items() if code.startswith("transcript_")]
    assert said
    assert [text for text in said if text not in " ".join(PAGE.split())] == []
