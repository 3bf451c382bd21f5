"""Words of the game inside a text: each leads to the glossary and says what it means where it stands."""

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from scoring.book.shelf import term_link, title
from scoring.book.terms import glossary

register = template.Library()


@register.simple_block_tag(takes_context=True, end_name="endterm")
def term(context: template.Context, content: SafeString, key: str) -> SafeString:
    """`{% term "meld" %}melded{% endterm %}`; ``KeyError`` when there is no such term.

    A link to the glossary; static/js/book/terms.js shows what it means instead. A page says each once.
    """
    entry = glossary().by_key[key]
    marks = format_html('class="term" href="{}" aria-describedby="term-{}"', term_link(entry), key)
    link = format_html("<a {}>{}</a>", marks, content)
    return link if _is_said(context, key) else link + _note(key)


def _is_said(context: template.Context, key: str) -> bool:
    """Whether this page has said it; the lowest of a rendering's levels is the whole page's, parts included."""
    whole: Any = context.render_context.dicts[0]
    said: set[str] = whole.setdefault("terms said", set())
    known = key in said
    said.add(key)
    return known


def _note(key: str) -> SafeString:
    found, language = glossary().by_key[key], get_language() or "en"
    name = title(found, language)
    return format_html(
        '<span class="term-note" popover="manual" id="term-{}"><b{}>{}</b> {}</span>',
        key,
        format_html(' lang="{}"', name.lang) if name.lang else "",
        name.text,
        found.text.in_language(language),
    )
