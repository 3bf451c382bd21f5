"""HTML to PDF. Fonts and pictures come from files; nothing is fetched over the network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string

from tournament.documents.progress import Progress


def render_pdf(template: str, context: Mapping[str, Any], progress: Progress) -> bytes:
    """The PDF of a template, tagged for screen readers, in the language of the moment."""
    return write(lay_out(template, context, progress), progress)


def lay_out(template: str, context: Mapping[str, Any], progress: Progress) -> Any:
    """The pages of a template (a `weasyprint.Document`), to be counted before they are written."""
    # Imported here: only the worker makes documents, and WeasyPrint takes half a second to load.
    from weasyprint import HTML
    from weasyprint.urls import URLFetcher

    page = HTML(
        string=render_to_string(template, dict(context)), url_fetcher=URLFetcher(allowed_protocols=["file"])
    )
    with progress.watching_layout():
        return page.render(pdf_tags=True)


def write(document: Any, progress: Progress) -> bytes:
    """Laid out pages as a file."""
    progress.writing()
    return bytes(document.write_pdf(pdf_tags=True))
