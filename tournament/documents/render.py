"""HTML to PDF. Fonts and pictures come from files; nothing is fetched over the network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string

from tournament.documents.progress import Progress


def render_pdf(template: str, context: Mapping[str, Any], progress: Progress) -> bytes:
    """The PDF of a template, tagged for screen readers, in the language of the moment."""
    # Imported here: only the worker makes documents, and WeasyPrint takes half a second to load.
    from weasyprint import HTML
    from weasyprint.urls import URLFetcher

    page = HTML(
        string=render_to_string(template, dict(context)), url_fetcher=URLFetcher(allowed_protocols=["file"])
    )
    with progress.watching_layout():
        document = page.render(pdf_tags=True)
    progress.writing()
    return bytes(document.write_pdf(pdf_tags=True))
