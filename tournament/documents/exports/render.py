"""HTML to PDF. Fonts and pictures come from files; nothing is fetched over the network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string

from tournament.documents.exports.drawings import drawings_in
from tournament.documents.exports.progress import Progress


def text_of(template: str, context: Mapping[str, Any]) -> str:
    """What a document says, as HTML, in the language of the moment."""
    return render_to_string(template, dict(context))


def lay_out(template: str, context: Mapping[str, Any], progress: Progress) -> Any:
    """The pages of a template (a `weasyprint.Document`), to be counted before they are written."""
    return pages_of(text_of(template, context), progress)


def pages_of(html: str, progress: Progress) -> Any:
    """The pages of a text, tagged for screen readers."""
    # Imported here: only the worker makes documents, and WeasyPrint takes half a second to load.
    from weasyprint import HTML
    from weasyprint.urls import URLFetcher

    page = HTML(string=html, url_fetcher=URLFetcher(allowed_protocols=["file"]))
    with progress.watching_layout():
        return page.render(pdf_tags=True, cache=drawings_in(html))


def write(document: Any, progress: Progress) -> bytes:
    """Laid out pages as a file."""
    progress.writing()
    return bytes(document.write_pdf(pdf_tags=True))
