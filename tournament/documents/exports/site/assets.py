"""What pages load from the installation: style sheets, fonts, pictures; and parts of pictures, to stand in a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final
from xml.etree import ElementTree

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage

SVG: Final = "http://www.w3.org/2000/svg"
_LOADED = re.compile(r"""url\(\s*["']?([^"')#]+)""")


def name_of(address: str) -> str | None:
    """The name of a static file; None for what is none."""
    root = settings.STATIC_URL
    return address.removeprefix(root) if address.startswith(root) else None


@lru_cache(maxsize=64)
def content_of(name: str) -> bytes:
    """As it was collected, else as it is."""
    found = finders.find(name)
    if found:
        return Path(str(found)).read_bytes()
    with staticfiles_storage.open(name) as file:
        return bytes(file.read())


def loaded_by(name: str, content: bytes) -> Iterator[str]:
    """The names of what a style sheet loads."""
    if not name.endswith(".css"):
        return
    for address in _LOADED.findall(content.decode("utf-8")):
        if not address.startswith(("data:", "http:", "https:")):
            yield normpath(join(dirname(name), address))


def parts_of(marks: Sequence[tuple[str, str]]) -> str:
    """The parts of pictures that a page uses, with what they use themselves, as one picture that is not seen."""
    found: dict[str, str] = {}
    for sheet, mark in marks:
        if (name := name_of(sheet)) is not None:
            _take(_sheet(name), mark, found)
    inside = "".join(found[mark] for mark in sorted(found))
    return f'<svg xmlns="{SVG}" width="0" height="0" class="vh" aria-hidden="true">{inside}</svg>'


def _take(sheet: dict[str, str], mark: str, found: dict[str, str]) -> None:
    if mark in found or mark not in sheet:
        return
    found[mark] = sheet[mark]
    for other in re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', sheet[mark]):
        _take(sheet, other[0] or other[1], found)


@lru_cache(maxsize=8)
def _sheet(name: str) -> dict[str, str]:
    """Mark → the element, as it is written."""
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(content_of(name))
    return {
        one.attrib["id"]: ElementTree.tostring(one, encoding="unicode").strip().replace(f' xmlns="{SVG}"', "")
        for one in root.iter()
        if "id" in one.attrib
    }
