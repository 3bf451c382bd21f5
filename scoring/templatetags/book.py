"""Words of the game within a text: links to the glossary with an explanation."""

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from scoring.book.glossary_index import term_link, title
from scoring.book.terms import glossary

register = template.Library()


@register.simple_block_tag(takes_context=True, end_name="endterm")
def term(context: template.Context, content: SafeString, key: str) -> SafeString:
    """Link a word to the glossary: `{% term "meld" %}melded{% endterm %}`. Raises KeyError for an unknown term.

    The explanation follows the first link to the same term on a page; static/js/book/terms.js shows it.
    """
    entry = glossary().by_key[key]
    marks = format_html('class="term" href="{}" aria-describedby="term-{}"', term_link(entry), key)
    link = format_html("<a {}>{}</a>", marks, content)
    return link if _is_repeated(context, key) else link + _note(key)


def _is_repeated(context: template.Context, key: str) -> bool:
    """Return whether this page (the bottom of the render context's stack) has explained the term."""
    page: Any = context.render_context.dicts[0]
    keys: set[str] = page.setdefault("terms said", set())
    is_repeated = key in keys
    keys.add(key)
    return is_repeated


def _note(key: str) -> SafeString:
    entry, language = glossary().by_key[key], get_language() or "en"
    name = title(entry, language)
    return format_html(
        '<span class="term-note" popover="manual" id="term-{}"><b{}>{}</b> {}</span>',
        key,
        format_html(' lang="{}"', name.lang) if name.lang else "",
        name.text,
        entry.text.in_language(language),
    )
