"""The file of an event with something of everything, and what is wrong with one that was changed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from scoring.engine.problems import Problem
from tests.event_file.full import full_event
from tests.event_file.there import emptied
from tests.support.factories import SYSTEM
from tournament.errors import Refused
from tournament.event_file.canonical import digests_of
from tournament.exchange.tournament_file import bring_in, file_of
from tournament.models import FormerAccount, Person, Tournament
from tournament.words.tournament_files import placed

Data = dict[str, Any]
_kept: list[bytes] = []


@pytest.fixture
def content(db: None) -> bytes:
    """An event with something of everything; it is not here any more."""
    if not _kept:
        _kept.append(file_of(full_event()))
        emptied()
    return _kept[0]


@pytest.fixture
def data(content: bytes) -> Data:
    data: Data = json.loads(content)
    return data


def sealed(data: Data) -> bytes:
    """As somebody would who knows how digests are made."""
    data["digests"] = digests_of(data)
    return json.dumps(data, ensure_ascii=True).encode()


def faults(content: bytes) -> list[str]:
    """Places and codes; nothing was kept."""
    return [f"{problem.where} {problem.code}".strip() for problem in refusal(content)]


def refusal(content: bytes) -> Sequence[Problem]:
    """What is wrong with it; nothing if it was taken in."""
    kinds = (Tournament, FormerAccount, Person)
    before = [kind.objects.count() for kind in kinds]
    problems: Sequence[Problem] = ()
    try:
        bring_in(content, SYSTEM)
    except Refused as refused:
        problems = refused.problems
        kept = [kind.objects.count() for kind in kinds]
    else:
        kept = before
    assert kept == before
    assert all(map(placed, problems))
    return problems
