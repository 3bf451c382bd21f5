"""Export an event as a ZIP: its pages, the static files they load, and its data."""

import io
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from typing import Final
from xml.etree import ElementTree
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template.loader import render_to_string

from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.drafts import Draft, Progress, draft_from_file
from tournament.documents.exports.site.pages import (
    DATA,
    FILES,
    data_addresses,
    file_for,
    is_page,
    make_standalone,
    render_public,
    start_addresses,
)

EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
"""The time stamp of all files, so that the same site is the same ZIP; 1980 is the earliest that ZIP allows."""

STATIC: Final = "static/"

OnProgress = Callable[[int, int], None]
"""Called with the number of pages done and in all."""


def draft_site(job: DocumentJob) -> Draft:
    """Build the site in the active language. Its version is the public one, which hidden sessions do not change."""
    return draft_from_file(
        zip_files(build_site(job.tournament, Progress(job).site_pages)), version=job.tournament.public_version
    )


def build_site(
    tournament: Tournament, on_progress: OnProgress = lambda done, total: None
) -> dict[str, bytes]:
    """Return file name → content, in the active language."""
    return _SiteBuilder(tournament).build(on_progress)


def zip_files(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name in sorted(files):
            entry = ZipInfo(name, EARLIEST)
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, files[name])
    return buffer.getvalue()


class _SiteBuilder:
    """Follows the links from the first pages, renders each page once and rewrites its links to files."""

    def __init__(self, tournament: Tournament) -> None:
        self.files: dict[str, bytes] = {}
        self._tournament = tournament
        self._responses: dict[str, bytes | None] = {}
        """File → the rendered response; None for what is not public."""
        self._pages: dict[str, str] = {}
        """File → address of the pages whose links are not rewritten yet."""

    def build(self, on_progress: OnProgress) -> dict[str, bytes]:
        data = list(data_addresses(self._tournament))
        for address in list(start_addresses(self._tournament)):
            self._add(address)
        done = 0
        while self._pages:
            file, address = self._pages.popitem()
            on_progress(done, len(self._pages) + done + len(data))
            self._finish_page(file, address)
            done += 1
        for address, file in data:
            on_progress(done, done + len(data))
            if (content := render_public(address)) is not None:
                self.files[file] = content
        return self.files

    def _add(self, address: str) -> str | None:
        """Add an address to the site and return its file; None if it is not part of the site or not public."""
        file = file_for(self._tournament, address)
        if file is None:
            return None
        if file not in self._responses:
            self._responses[file] = content = render_public(address)
            if content is not None and is_page(file):
                self._pages[file] = address
            elif content is not None:
                self.files[file] = content
        return None if self._responses[file] is None else file

    def _finish_page(self, file: str, address: str) -> None:
        """Rewrite the links of a page and add what it links to and loads."""
        page = (self._responses[file] or b"").decode("utf-8")

        def relative_link(target: str) -> str | None:
            static = static_name(target)
            linked = self._add(target) if static is None else self._add_static(static)
            return None if linked is None else relpath(linked, dirname(file) or ".")

        page_html = make_standalone(page, address, relative_link, inline_symbols, self._footer(file))
        self.files[file] = page_html.encode()
        self._responses[file] = b""  # frees memory; only its presence matters from now on

    def _footer(self, file: str) -> str:
        folder = dirname(file) or "."
        targets = {
            "front": "index.html",
            "sheet": FILES["ranking_sheet"],
            "standings": DATA["api_standings"],
            "players": DATA["api_players"],
        }
        context = {name: relpath(target, folder) for name, target in targets.items()}
        return render_to_string("documents/site_foot.html", context | {"tournament": self._tournament})

    def _add_static(self, name: str) -> str:
        """Add a static file and those it loads; return its file."""
        file = STATIC + name
        if file not in self.files:
            self.files[file] = content = static_content(name)
            for other in css_dependencies(name, content):
                self._add_static(other)
        return file


SVG: Final = "http://www.w3.org/2000/svg"
_CSS_URL = re.compile(r"""url\(\s*["']?([^"')#]+)""")


def static_name(address: str) -> str | None:
    """Return the name of a static file; None for any other address."""
    root = settings.STATIC_URL
    return address.removeprefix(root) if address.startswith(root) else None


@lru_cache(maxsize=64)
def static_content(name: str) -> bytes:
    """Return a static file from its source, or from the collected files of an installation."""
    path = finders.find(name)
    if path:
        return Path(str(path)).read_bytes()
    with staticfiles_storage.open(name) as file:
        return bytes(file.read())


def css_dependencies(name: str, content: bytes) -> Iterator[str]:
    """Yield the names of the static files that a style sheet loads."""
    if not name.endswith(".css"):
        return
    for address in _CSS_URL.findall(content.decode("utf-8")):
        if not address.startswith(("data:", "http:", "https:")):
            yield normpath(join(dirname(name), address))


def inline_symbols(references: Sequence[tuple[str, str]]) -> str:
    """Return an invisible SVG element with the referenced elements of SVG sheets and those they refer to.

    `references`: (address of the sheet, id) of each `<use>` in a page.
    """
    elements: dict[str, str] = {}
    for sheet, identifier in references:
        if (name := static_name(sheet)) is not None:
            _collect(_elements_by_id(name), identifier, elements)
    inside = "".join(elements[identifier] for identifier in sorted(elements))
    return f'<svg xmlns="{SVG}" width="0" height="0" class="vh" aria-hidden="true">{inside}</svg>'


def _collect(sheet: dict[str, str], identifier: str, elements: dict[str, str]) -> None:
    if identifier in elements or identifier not in sheet:
        return
    elements[identifier] = sheet[identifier]
    for href, url in re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', sheet[identifier]):
        _collect(sheet, href or url, elements)


@lru_cache(maxsize=8)
def _elements_by_id(name: str) -> dict[str, str]:
    """Return id → markup of the elements of an SVG file."""
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(static_content(name))
    return {
        element.attrib["id"]: ElementTree.tostring(element, encoding="unicode")
        .strip()
        .replace(f' xmlns="{SVG}"', "")
        for element in root.iter()
        if "id" in element.attrib
    }
