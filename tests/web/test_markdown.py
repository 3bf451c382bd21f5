"""An organiser's Markdown: it says what was meant, and does nothing."""

import re
import sys
from html.parser import HTMLParser
from types import FrameType
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tournament.web.display import LINKS, TAGS, render_markdown

PIECES = (
    *("<script>", "</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>"),
    *("[a](javascript:alert(1))", "<javascript:alert(1)>", "[a](JaVaScRiPt&colon;alert(1))"),
    *("[a](java\nscript:x)", "![x](javascript:y)", "![x](data:text/html,<b>)", "[x](\\x01javascript:a)"),
    *("[a](data:text/html;base64,PHNjcmlwdD4=)", "[a](vbscript:x)", "[a]: javascript:x\n", "[a]"),
    *('[a](https://e.org "onmouseover=x")', "<a href='x' onclick=y>", "<iframe src=//e.org>"),
    *("<style>*{}</style>", "&lt;script&gt;", "&#x3C;", "<math><mtext></table>"),
    *("<!--", "-->", "]]>", "`", "```\n", "# ", "- ", "> ", "|", "\n", "\n\n", "**"),
    *("\0", "\u2028", "é", "茶"),
)


class Seen(HTMLParser):
    """What a browser would make of it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]


def is_harmless(html: str) -> bool:
    seen = Seen(html)
    links = [value for tag, name, value in seen.attributes if (tag, name) == ("a", "href")]
    schemes = {scheme[1].lower() for link in links if (scheme := re.match(r"\s*([A-Za-z][\w+.-]*):", link))}
    names = {(tag, name) for tag, name, _value in seen.attributes}
    return (
        seen.tags <= TAGS
        and schemes <= LINKS
        and names <= {("a", "href"), ("a", "rel"), ("ol", "start")}
        and all(value == "nofollow noopener" for _tag, name, value in seen.attributes if name == "rel")
    )


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=12)), max_size=14).map("".join))
@example("[a](javascript:alert(1))")
@example("<IMG SRC=&#106;avascript:alert(1)>")
def test_rendered_markdown_contains_nothing_executable(text: str) -> None:
    assert is_harmless(render_markdown(text))


def test_known_attacks_on_markdown_have_no_effect() -> None:
    assert [piece for piece in PIECES if not is_harmless(render_markdown(f"before {piece} after"))] == []


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<b>bold</b>", "<p>&lt;b&gt;bold&lt;/b&gt;</p>\n"),
        ("# One\n\n## Two\n\n###### Six", "<h3>One</h3>\n<h4>Two</h4>\n<h6>Six</h6>\n"),
        ("[us](https://e.org)", '<p><a href="https://e.org" rel="nofollow noopener">us</a></p>\n'),
    ],
    ids=["HTML is shown as it was typed", "headings begin below the sections", "links vouch for nothing"],
)
def test_markdown_is_rendered(text: str, html: str) -> None:
    assert render_markdown(text) == html


def test_tables_lists_and_images_as_links() -> None:
    html = render_markdown("![The hall](https://e.org/hall.png)")
    assert "<img" not in html
    assert ">The hall</a>" in html
    assert {"table", "li"} <= Seen(render_markdown("- a\n\n|a|b|\n|-|-|\n|1|2|\n")).tags


def steps(text: str) -> int:
    """How many lines of Python it takes to turn it into HTML."""
    count, previous = 0, sys.gettrace()

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    sys.settrace(trace)
    try:
        render_markdown(text)
    finally:
        sys.settrace(previous)
    return count


@pytest.mark.thorough
def test_rendering_time_of_markdown_is_linear() -> None:
    render_markdown("the rules are made once")
    pieces = ("[", "![[", "*a **b", "> ", "`", "<")
    assert [piece for piece in pieces if steps(piece * 100) > 2.5 * steps(piece * 50)] == []
    assert all(render_markdown(piece * 1000) for piece in pieces)
