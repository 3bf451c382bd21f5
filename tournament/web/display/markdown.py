"""Markdown of organisers as HTML that can do no harm: no HTML of their own, no images, no scripts, links that vouch for
nothing. What markdown-it makes is cleaned once more, so that neither has to be perfect."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from functools import lru_cache
from typing import Any, Final

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import pgettext
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

DEMOTED: Final = 2
"""A page has its title and the section's: what is written comes below both."""
TAGS: Final = frozenset(
    [
        "p",
        "h3",
        "h4",
        "h5",
        "h6",
        "ul",
        "ol",
        "li",
        "strong",
        "em",
        "s",
        "a",
        "br",
        "hr",
        "blockquote",
        "code",
        "pre",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    ]
)
LINKS: Final = frozenset({"http", "https", "mailto", "tel"})


def html_of(text: str) -> SafeString:
    """The text as HTML; its headings begin below a section's."""
    made = _markdown().render(text)
    return SafeString(
        nh3.clean(
            made,
            tags=set(TAGS),
            attributes={"*": set(), "a": {"href"}, "ol": {"start"}},
            set_tag_attribute_values={"table": {"aria-label": pgettext("of figures", "Table")}},
            url_schemes=set(LINKS),
            link_rel="nofollow noopener",
        )
    )


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "maxNesting": 20}).enable(["table", "strikethrough"])
    made.core.ruler.push("demoted", _demote)
    made.add_render_rule("image", _image)
    return made


def _demote(state: StateCore) -> None:
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + DEMOTED, 6)}"


def _image(
    self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: MutableMapping[str, Any]
) -> str:
    """Nothing is fetched from elsewhere to show a page: an image is a link to it."""
    source, said = str(tokens[at].attrs.get("src", "")), tokens[at].content
    return f'<a href="{escape(source)}">{escape(said or source)}</a>'
