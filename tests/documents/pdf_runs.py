"""Read every run of glyphs of a PDF with its position and size."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pypdf import PageObject
from pypdf.generic import ByteStringObject, ContentStream, TextStringObject

Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class Run:
    """The glyphs of one text operator, in points from the left and bottom edges of the paper."""

    left: float
    right: float
    baseline: float
    size: float
    text: str


class _Font:
    """Widths and characters of a font with two-byte codes, as embedded by WeasyPrint."""

    def __init__(self, font: Any) -> None:
        descendant = font["/DescendantFonts"][0].get_object()
        self.widths: dict[int, float] = {}
        entries = iter(descendant["/W"])
        for first in entries:
            for offset, width in enumerate(next(entries)):
                self.widths[int(first) + offset] = float(width)
        self.default = float(descendant.get("/DW", 1000))
        self.characters = dict(_code_map(font["/ToUnicode"].get_object().get_data().decode("latin-1")))

    def width(self, code: int) -> float:
        return self.widths.get(code, self.default) / 1000


def _code_map(table: str) -> Iterator[tuple[int, str]]:
    """Yield (code, characters) of the bfchar sections of a ToUnicode table."""
    for section in table.split("beginbfchar")[1:]:
        for line in section.split("endbfchar")[0].strip().splitlines():
            code, characters = line.replace("<", " ").replace(">", " ").split()
            yield int(code, 16), bytes.fromhex(characters).decode("utf-16-be")


def runs(page: PageObject) -> Iterator[Run]:
    """Yield every run of text of a page, with all transformations applied."""
    resources: Any = page["/Resources"]
    fonts = {name: _Font(font.get_object()) for name, font in resources["/Font"].items()}
    content = ContentStream(page.get_contents(), page.pdf)
    current: Matrix = (1, 0, 0, 1, 0, 0)
    saved: list[Matrix] = []
    text = line = current
    font, size, rise = next(iter(fonts.values())), 0.0, 0.0
    for operands, operator in content.operations:
        match operator:
            case b"q":
                saved.append(current)
            case b"Q":
                current = saved.pop()
            case b"cm":
                current = _times(_matrix(operands), current)
            case b"BT":
                text = line = (1, 0, 0, 1, 0, 0)
            case b"Tm":
                text = line = _matrix(operands)
            case b"Td":
                text = line = _times(_along(float(operands[0]), float(operands[1])), line)
            case b"Ts":
                rise = float(operands[0])
            case b"Tf":
                font, size = fonts[str(operands[0])], float(operands[1])
            case b"TJ" | b"Tj":
                parts = operands[0] if operator == b"TJ" else [operands[0]]
                run, advance = _run(parts, font, size, rise, _times(text, current))
                text = _times(_along(advance), text)
                yield run
            case b"'" | b'"' | b"Tz" | b"TD" | b"T*":
                raise AssertionError(f"unexpected text operator: {operator!r}")


def _run(parts: Any, font: _Font, size: float, rise: float, where: Matrix) -> tuple[Run, float]:
    """Return the run and its advance width."""
    along, shown, start, end = 0.0, "", None, 0.0
    for part in parts:
        if isinstance(part, ByteStringObject | TextStringObject):
            data = bytes(part.original_bytes)
            for code in (int.from_bytes(data[at : at + 2]) for at in range(0, len(data), 2)):
                start = along if start is None else start
                along += font.width(code) * size
                shown += font.characters.get(code, "?")
                end = along if shown[-1:] != " " else end
        else:
            along -= float(part) / 1000 * size
    a, b, _c, d, e, f = where
    assert b == 0, "the text is horizontal"
    return Run(a * (start or 0) + e, a * end + e, d * rise + f, abs(d) * size, shown), along


def _along(right: float, up: float = 0) -> Matrix:
    return 1, 0, 0, 1, right, up


def _matrix(operands: Any) -> Matrix:
    a, b, c, d, e, f = (float(operand) for operand in operands)
    return a, b, c, d, e, f


def _times(first: Matrix, second: Matrix) -> Matrix:
    """Return the transformation that applies `first`, then `second`."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = second
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u
