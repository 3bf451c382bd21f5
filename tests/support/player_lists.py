"""Helpers for imported lists of players."""

import io

from openpyxl import Workbook

from tournament.roster.exports.list_import import ListImport


def bytes_of(book: Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def differences(player_list: ListImport) -> list[tuple[int, str, object, object]]:
    """Return (player, field, stored value, value in the list) of each difference."""
    return [(entry.player, entry.field, entry.before, entry.after) for entry in player_list.differences]


def codes(player_list: ListImport) -> list[tuple[str, str]]:
    return [(problem.where, problem.code) for problem in player_list.problems]
