"""A document before it is laid out: what it says, by which one knows whether it was made before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

from tournament.documents.exports.progress import Progress
from tournament.documents.exports.render import pages_of, text_of


@dataclass(frozen=True)
class Draft:
    """`text`: all that is printed; `made`: the moment in it, as it is printed. `pages`: as far as one can tell
    beforehand. Of standings, the version they show and how far that can be relied on."""

    text: str
    made: str
    lay: Callable[[Progress], Any]
    """The pages: a `weasyprint.Document`."""
    pages: int = 1
    version: int | None = None
    state: str = ""
    content: bytes = b""
    """The finished file, of what is not laid out on paper."""

    @property
    def digest(self) -> str:
        """Of what it says, whenever that was."""
        text = self.text.replace(self.made, "") if self.made else self.text
        return sha256(text.encode()).hexdigest()


def draft(
    template: str,
    context: Mapping[str, Any],
    made: str,
    *,
    pages: int = 1,
    version: int | None = None,
    state: str = "",
) -> Draft:
    """The document that a template is."""
    text = text_of(template, context)
    return Draft(text, made, partial(pages_of, text), pages, version, state)


def ready(content: bytes, *, version: int | None = None) -> Draft:
    """What is no document on paper: finished as soon as it is written."""
    return Draft(sha256(content).hexdigest(), "", lambda progress: None, version=version, content=content)


def bound(title: str, drafts: Sequence[Draft]) -> Draft:
    """Several documents one behind another, each with its bookmarks and its own page numbers."""
    texts = [each.text.replace(each.made, "") if each.made else each.text for each in drafts]
    return Draft(
        "\n".join([title, *texts]), "", partial(_bind, title, drafts), sum(each.pages for each in drafts)
    )


def _bind(title: str, drafts: Sequence[Draft], progress: Progress) -> Any:
    parts = []
    for each in drafts:
        parts.append(each.lay(progress))
        progress.go_on()
    first = parts[0]
    whole = first.copy([page for part in parts for page in part.pages])
    whole.metadata.title = title
    return whole
