"""The whole site as one ZIP: pages, what they load from the installation, and the data beside them."""

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
from tournament.documents.exports.drafts import Draft, Progress, ready
from tournament.documents.exports.site.pages import (
    DATA,
    FILES,
    answer_to,
    data_addresses,
    file_of,
    first_addresses,
    is_page,
    mended,
)

EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
"""The first moment a ZIP can tell: when it was made does not matter."""

STATIC: Final = "static/"

OnProgress = Callable[[int, int], None]
"""So many of so many."""


def site(job: DocumentJob) -> Draft:
    """Make the site as a job of the worker, in the job's language.

    Its number is the public version: nobody is told how often a hidden session changed.
    """
    return ready(packed(site_of(job.tournament, Progress(job).told)), version=job.tournament.public_version)


def site_of(tournament: Tournament, on_progress: OnProgress = lambda done, of: None) -> dict[str, bytes]:
    """File → content, in the language of the moment."""
    return _Site(tournament).make(on_progress)


def packed(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name in sorted(files):
            entry = ZipInfo(name, EARLIEST)
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, files[name])
    return buffer.getvalue()


class _Site:
    """The files of a site, as far as they are made. `_answers`: file → what stands there, asked for once."""

    def __init__(self, tournament: Tournament) -> None:
        self.files: dict[str, bytes] = {}
        self._tournament = tournament
        self._answers: dict[str, bytes | None] = {}
        self._pages: dict[str, str] = {}
        """File → the address it is made of; those that wait to be mended at the end."""

    def make(self, on_progress: OnProgress) -> dict[str, bytes]:
        first = list(first_addresses(self._tournament))
        data = list(data_addresses(self._tournament))
        for address in first:
            self._take(address)
        done = 0
        while self._pages:
            file, address = self._pages.popitem()
            on_progress(done, len(self._pages) + done + len(data))
            self._mend(file, address)
            done += 1
        for address, file in data:
            on_progress(done, done + len(data))
            if (content := answer_to(address)) is not None:
                self.files[file] = content
        return self.files

    def _take(self, address: str) -> str | None:
        """The file of an address, which is in the site from now on; None where there is nothing."""
        file = file_of(self._tournament, address)
        if file is None:
            return None
        if file not in self._answers:
            self._answers[file] = content = answer_to(address)
            if content is not None and is_page(file):
                self._pages[file] = address
            elif content is not None:
                self.files[file] = content
        return None if self._answers[file] is None else file

    def _mend(self, file: str, address: str) -> None:
        page = (self._answers[file] or b"").decode("utf-8")

        def find(there: str) -> str | None:
            static = name_of(there)
            linked = self._take(there) if static is None else self._load(static)
            return None if linked is None else relpath(linked, dirname(file) or ".")

        self.files[file] = mended(page, address, find, parts_of, self._foot(file)).encode()
        self._answers[file] = b""  # only that it is there

    def _foot(self, file: str) -> str:
        here = dirname(file) or "."
        ways = {
            "front": "index.html",
            "sheet": FILES["ranking_sheet"],
            "standings": DATA["api_standings"],
            "players": DATA["api_players"],
        }
        context = {name: relpath(there, here) for name, there in ways.items()}
        return render_to_string("documents/site_foot.html", context | {"tournament": self._tournament})

    def _load(self, name: str) -> str:
        """A file of the installation, and what it loads itself, where they are beside each other there."""
        file = STATIC + name
        if file not in self.files:
            self.files[file] = content = content_of(name)
            for other in loaded_by(name, content):
                self._load(other)
        return file


SVG: Final = "http://www.w3.org/2000/svg"
_LOADED = re.compile(r"""url\(\s*["']?([^"')#]+)""")


def name_of(address: str) -> str | None:
    """The name of a static file; None for what is none."""
    root = settings.STATIC_URL
    return address.removeprefix(root) if address.startswith(root) else None


@lru_cache(maxsize=64)
def content_of(name: str) -> bytes:
    """As it was collected, else as it is."""
    path = finders.find(name)
    if path:
        return Path(str(path)).read_bytes()
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
    parts: dict[str, str] = {}
    for sheet, mark in marks:
        if (name := name_of(sheet)) is not None:
            _take(_sheet(name), mark, parts)
    inside = "".join(parts[mark] for mark in sorted(parts))
    return f'<svg xmlns="{SVG}" width="0" height="0" class="vh" aria-hidden="true">{inside}</svg>'


def _take(sheet: dict[str, str], mark: str, parts: dict[str, str]) -> None:
    if mark in parts or mark not in sheet:
        return
    parts[mark] = sheet[mark]
    for other in re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', sheet[mark]):
        _take(sheet, other[0] or other[1], parts)


@lru_cache(maxsize=8)
def _sheet(name: str) -> dict[str, str]:
    """Mark → the element, as it is written."""
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(content_of(name))
    return {
        element.attrib["id"]: ElementTree.tostring(element, encoding="unicode")
        .strip()
        .replace(f' xmlns="{SVG}"', "")
        for element in root.iter()
        if "id" in element.attrib
    }
