"""What tests of lists of players share."""

from __future__ import annotations

import io

import pytest
from openpyxl import Workbook

from tests.support.factories import make_tournament
from tournament.exchange.players_import import ListImport
from tournament.models import Tournament


@pytest.fixture
def empty(db: None) -> Tournament:
    """An event without players."""
    return make_tournament(players=0)


def bytes_of(book: Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def differences(listed: ListImport) -> list[tuple[int, str, object, object]]:
    """(player, field, as it is, as the list has it)."""
    return [(entry.player, entry.field, entry.before, entry.after) for entry in listed.differences]


def codes(listed: ListImport) -> list[tuple[str, str]]:
    return [(problem.where, problem.code) for problem in listed.problems]
