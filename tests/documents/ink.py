"""Where the text of a PDF lies on its pages, read from the PDF itself: every run of glyphs with its edges and size."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pypdf import PageObject
from pypdf.generic import ByteStringObject, ContentStream, TextStringObject

Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class Run:
    """A run of glyphs as one operator shows it, in points from the left edge of the paper and from its foot."""

    left: float
    right: float
    baseline: float
    size: float
    text: str


class _Font:
    """Widths and characters of a font with two-byte codes, as WeasyPrint embeds them."""

    def __init__(self, font: Any) -> None:
        descendant = font["/DescendantFonts"][0].get_object()
        self.widths: dict[int, float] = {}
        entries = iter(descendant["/W"])
        for first in entries:
            for offset, width in enumerate(next(entries)):
                self.widths[int(first) + offset] = float(width)
        self.default = float(descendant.get("/DW", 1000))
        self.characters = dict(_mapped(font["/ToUnicode"].get_object().get_data().decode("latin-1")))

    def width(self, code: int) -> float:
        return self.widths.get(code, self.default) / 1000


def _mapped(table: str) -> Iterator[tuple[int, str]]:
    """The pairs of the bfchar sections: code, characters."""
    for section in table.split("beginbfchar")[1:]:
        for line in section.split("endbfchar")[0].strip().splitlines():
            code, characters = line.replace("<", " ").replace(">", " ").split()
            yield int(code, 16), bytes.fromhex(characters).decode("utf-16-be")


def runs(page: PageObject) -> Iterator[Run]:
    """Every run of text of a page, transformations included."""
    resources: Any = page["/Resources"]
    fonts = {name: _Font(font.get_object()) for name, font in resources["/Font"].items()}
    content = ContentStream(page.get_contents(), page.pdf)
    now: Matrix = (1, 0, 0, 1, 0, 0)
    kept: list[Matrix] = []
    text = line = now
    font, size, rise = next(iter(fonts.values())), 0.0, 0.0
    for operands, operator in content.operations:
        match operator:
            case b"q":
                kept.append(now)
            case b"Q":
                now = kept.pop()
            case b"cm":
                now = _times(_matrix(operands), now)
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
                run, advance = _run(parts, font, size, rise, _times(text, now))
                text = _times(_along(advance), text)
                yield run
            case b"'" | b'"' | b"Tz" | b"TD" | b"T*":
                raise AssertionError(f"a text operator that is not read here: {operator!r}")


def _run(parts: Any, font: _Font, size: float, rise: float, where: Matrix) -> tuple[Run, float]:
    """The run, and how far the next one is from its beginning."""
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
    assert b == 0, "the text stands upright"
    return Run(a * (start or 0) + e, a * end + e, d * rise + f, abs(d) * size, shown), along


def _along(right: float, up: float = 0) -> Matrix:
    return 1, 0, 0, 1, right, up


def _matrix(operands: Any) -> Matrix:
    a, b, c, d, e, f = (float(each) for each in operands)
    return a, b, c, d, e, f


def _times(one: Matrix, other: Matrix) -> Matrix:
    """First `one`, then `other`."""
    a, b, c, d, e, f = one
    p, q, r, s, t, u = other
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u
