"""Tiles and flags on paper: each is drawn once in a document, however often it stands there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

_ADDRESSES: Final = re.compile(r'(?:src|href)="(file://[^"]+\.svg)"')
_PARTS: Final = ("ExtGState", "XObject", "Pattern", "Shading", "ColorSpace")
"""What a form of a PDF may refer to."""


@dataclass
class Drawing:
    """A picture as WeasyPrint asks for one. It is kept in the file as a form and stamped wherever it stands, as a
    photograph is; WeasyPrint itself draws every path of an SVG anew each time."""

    image: Any
    id: str
    width: float
    height: float
    page: Any = None

    def get_intrinsic_size(self, resolution: Any, font_size: Any) -> Any:
        return self.image.get_intrinsic_size(resolution, font_size)

    def draw(self, stream: Any, width: float, height: float, _style: Any) -> None:
        self.page = stream
        name = stream.add_image(self, True, 1)
        stream.transform(a=width / self.width, d=height / self.height)
        stream.draw_x_object(name)

    def get_x_object(self, _interpolate: bool, _ratio: float) -> Any:
        """The form; asked for once, as the file is written."""
        from pydyf import Array, Dictionary

        resources = Dictionary({part: Dictionary() for part in _PARTS})
        box = Array((0, 0, self.width, self.height))
        form = {"Type": "/XObject", "Subtype": "/Form", "BBox": box, "Resources": resources}
        drawn = self.page.clone(resources=resources, extra=Dictionary(form))
        self.image.draw(drawn, self.width, self.height, None)
        return drawn


def drawings_in(html: str) -> dict[str, Drawing]:
    """Address → drawing, for each that a text shows: what WeasyPrint looks pictures up in."""
    found = {address: _drawing(address) for address in set(_ADDRESSES.findall(html))}
    return {address: drawing for address, drawing in found.items() if drawing is not None}


def _drawing(address: str) -> Drawing | None:
    """None for one without a viewBox, or with words, whose fonts belong to the page: that is left to WeasyPrint."""
    # Imported here: only the worker makes documents, and WeasyPrint takes half a second to load.
    from weasyprint.images import SVGImage

    tree = ElementTree.fromstring(Path(unquote(urlsplit(address).path)).read_bytes())
    box = tree.get("viewBox", "").split()
    if len(box) != 4 or any(part.tag.endswith("}text") for part in tree.iter()):
        return None
    name = address.rpartition("/")[2].removesuffix(".svg")
    return Drawing(SVGImage(tree, address, None, None), name, float(box[2]), float(box[3]))
