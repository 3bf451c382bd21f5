"""How far a document is, written to its job as the work goes on: collecting, page 1, page 2, …, writing."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tournament.base.models.documents import DocumentJob

_RENDERER = logging.getLogger("weasyprint.progress")
EVERY: Final = 0.25
"""Seconds between two pages that are told: whoever watches asks no more often, and a write takes longer than a page."""
_PAGE = "Step 5 - Creating layout - Page %d"
"""What WeasyPrint logs as it begins a page, with the page's number."""


class Progress:
    """Steps of a job: 0 collecting, 1…n the page being laid out, n + 1 writing, n + 2 done."""

    def __init__(self, job: DocumentJob, every: float = EVERY) -> None:
        self._job, self._every = job, every
        self._page = 0
        self._before = 0
        """Pages of the parts that are laid out already."""
        self._told_at = -every

    def expect(self, pages: int) -> None:
        """So many pages are to come, as far as one can tell beforehand."""
        self._store(steps=pages + 2, done_steps=1)

    def told(self, done: int, of: int) -> None:
        """So many of so many pages of a site, which is written as a whole at the end; not every one is told."""
        if done % 10 == 0:
            self._store(steps=of + 2, done_steps=done + 1)

    def page(self, number: int) -> None:
        """Page `number` is being laid out; a second pass over earlier pages is not told."""
        page = self._before + number
        if page > self._page:
            self._page = page
            if (now := time.monotonic()) >= self._told_at + self._every:
                self._told_at = now
                self._store(steps=max(self._job.steps, page + 2), done_steps=page)

    def go_on(self) -> None:
        """Another part follows, whose pages are counted on."""
        self._before = self._page

    def writing(self) -> None:
        self._store(steps=self._page + 2, done_steps=self._page + 1)

    @contextmanager
    def watching_layout(self) -> Iterator[None]:
        """Follow the pages WeasyPrint lays out in this thread."""
        handler = _Pages(self)
        before = _RENDERER.level, _RENDERER.propagate
        _RENDERER.addHandler(handler)
        _RENDERER.setLevel(logging.INFO)
        _RENDERER.propagate = False
        try:
            yield
        finally:
            _RENDERER.removeHandler(handler)
            _RENDERER.setLevel(before[0])
            _RENDERER.propagate = before[1]

    def _store(self, *, steps: int, done_steps: int) -> None:
        self._job.steps, self._job.done_steps = steps, done_steps
        self._job.save(update_fields=["steps", "done_steps"])


class _Pages(logging.Handler):
    def __init__(self, progress: Progress) -> None:
        super().__init__(logging.INFO)
        self._progress, self._thread = progress, threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.msg == _PAGE and record.thread == self._thread and isinstance(record.args, tuple):
            self._progress.page(int(str(record.args[0])))


class Untold(Progress):
    """Of a document that nobody waits for at a page: nothing is stored."""

    def _store(self, *, steps: int, done_steps: int) -> None:
        self._job.steps, self._job.done_steps = steps, done_steps
