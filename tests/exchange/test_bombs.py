"""Files that are small until they are read: refused, or read no further than a list goes."""

import io
import tracemalloc
from collections.abc import Callable
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import pytest
from openpyxl import Workbook

from tournament.errors import Refused
from tournament.exchange.sheets import MOST_BYTES, read_lines

SHEET = "xl/worksheets/sheet1.xml"
MEGABYTE = 1024 * 1024


def workbook(change: Callable[[bytes], bytes] = bytes, packed: int = ZIP_DEFLATED) -> bytes:
    """A list of one player, its sheet changed before it is packed."""
    book, kept, changed = Workbook(), io.BytesIO(), io.BytesIO()
    for row in (["Name", "Country"], ["Ada Byron", "GBR"]):
        book.active.append(row)
    book.save(kept)
    with ZipFile(kept) as parts, ZipFile(changed, "w", packed) as new:
        for name in parts.namelist():
            new.writestr(name, change(parts.read(name)) if name == SHEET else parts.read(name))
    return changed.getvalue()


def sheet(rows: bytes, before: bytes = b"", after: bytes = b"") -> bytes:
    space = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    body = (
        before + b"<worksheet " + space + b"><sheetData>" + rows + b"</sheetData>" + after + b"</worksheet>"
    )
    return workbook(lambda _old: body)


def cell(at: str, text: bytes = b"Ada") -> bytes:
    return b'<c r="%s" t="inlineStr"><is><t>%s</t></is></c>' % (at.encode(), text)


ENTITIES = b"".join(b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 10) for n in range(1, 10))


LAUGHS = b'<!DOCTYPE x [<!ENTITY e0 "ha">' + ENTITIES + b"]>"
BOMBS: dict[str, Callable[[], bytes]] = {
    "a cell of 40 MB": lambda: sheet(b'<row r="1">' + cell("A1", b"x" * 40_000_000) + b"</row>"),
    "two million rows": lambda: sheet(b"<row><c/></row>" * 2_000_000),
    "seven million columns": lambda: sheet(b"<row>" + b"<c/>" * 7_000_000 + b"</row>"),
    "three million levels": lambda: sheet(b"<a>" * 3_000_000),
    "merged without end": lambda: sheet(
        b"", after=b"<mergeCells>" + b'<mergeCell ref="A1:A9"/>' * 700_000 + b"</mergeCells>"
    ),
    "a billion laughs": lambda: sheet(b'<row r="1">' + cell("A1", b"&e9;") + b"</row>", before=LAUGHS),
    "packed in another way": lambda: workbook(packed=ZIP_BZIP2),
    "cut in half": lambda: workbook(lambda body: body[:200]),
    "no XML": lambda: workbook(lambda _body: b"\xff\xfe<"),
}


@pytest.mark.thorough
def test_a_bomb_is_refused_before_it_is_read(subtests: pytest.Subtests) -> None:
    for name, bomb in BOMBS.items():
        with subtests.test(name):
            data = bomb()
            assert len(data) < MOST_BYTES
            with pytest.raises(Refused) as refusal:
                read_lines(data)
            assert [problem.code for problem in refusal.value.problems] == ["list_unreadable"]


def row(number: int, *columns: str) -> bytes:
    cells = b"".join(cell(f"{column}{number}") for column in columns)
    return b'<row r="%d">' % number + cells + b"</row>"


@pytest.mark.thorough
def test_what_stands_far_away_costs_nothing(subtests: pytest.Subtests) -> None:
    files = {
        "row 1,000,000,000": (sheet(row(1, "A") + row(10**9, "A")), 1),
        "the last column of each row": (sheet(b"".join(row(n, "A", "XFD") for n in range(1, 60))), 59),
        "300,000 columns": (b"Name,Country\nAda,GBR\n" + b"," * 300_000, 2),
    }
    for name, (data, lines) in files.items():
        with subtests.test(name):
            tracemalloc.start()
            try:
                assert len(read_lines(data)) == lines
                assert tracemalloc.get_traced_memory()[1] < 20 * MEGABYTE
            finally:
                tracemalloc.stop()
