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


@pytest.mark.parametrize(
    "bomb",
    [
        pytest.param(
            lambda: sheet(b'<row r="1">' + cell("A1", b"x" * 40_000_000) + b"</row>"), id="a cell of 40 MB"
        ),
        pytest.param(lambda: sheet(b"<row><c/></row>" * 2_000_000), id="two million rows"),
        pytest.param(lambda: sheet(b"<row>" + b"<c/>" * 7_000_000 + b"</row>"), id="seven million columns"),
        pytest.param(lambda: sheet(b"<a>" * 3_000_000), id="three million levels"),
        pytest.param(
            lambda: sheet(
                b"", after=b"<mergeCells>" + b'<mergeCell ref="A1:A9"/>' * 700_000 + b"</mergeCells>"
            ),
            id="merged without end",
        ),
        pytest.param(
            lambda: sheet(
                b'<row r="1">' + cell("A1", b"&e9;") + b"</row>",
                before=b'<!DOCTYPE x [<!ENTITY e0 "ha">' + ENTITIES + b"]>",
            ),
            id="a billion laughs",
        ),
        pytest.param(lambda: workbook(packed=ZIP_BZIP2), id="packed in another way"),
        pytest.param(lambda: workbook(lambda body: body[:200]), id="cut in half"),
        pytest.param(lambda: workbook(lambda _body: b"\xff\xfe<"), id="no XML"),
    ],
)
def test_a_bomb_is_refused_before_it_is_read(bomb: Callable[[], bytes]) -> None:
    data = bomb()
    assert len(data) < MOST_BYTES
    with pytest.raises(Refused) as refusal:
        read_lines(data)
    assert [problem.code for problem in refusal.value.problems] == ["list_unreadable"]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        pytest.param(
            sheet(
                b'<row r="1">' + cell("A1") + b'</row><row r="1000000000">' + cell("A1000000000") + b"</row>"
            ),
            1,
            id="row 1,000,000,000",
        ),
        pytest.param(
            sheet(
                b"".join(
                    b'<row r="%d">' % n + cell(f"A{n}") + cell(f"XFD{n}") + b"</row>" for n in range(1, 300)
                )
            ),
            299,
            id="something in the last column of each row",
        ),
        pytest.param(b"Name,Country\nAda,GBR\n" + b"," * 1_000_000, 2, id="a million columns"),
    ],
)
def test_what_stands_far_away_costs_nothing(data: bytes, lines: int) -> None:
    tracemalloc.start()
    try:
        assert len(read_lines(data)) == lines
        assert tracemalloc.get_traced_memory()[1] < 20 * MEGABYTE
    finally:
        tracemalloc.stop()
