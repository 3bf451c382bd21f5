"""An organiser's Markdown: it says what was meant, and does nothing."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from time import thread_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tournament.display.markdown import LINKS, TAGS, html_of

PIECES = (
    "<script>",
    "</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "[a](javascript:alert(1))",
    "<javascript:alert(1)>",
    "[a](JaVaScRiPt&colon;alert(1))",
    "[a](java\nscript:x)",
    "![x](javascript:y)",
    "![x](data:text/html,<b>)",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "[a](vbscript:x)",
    '[a](https://e.org "onmouseover=x")',
    "<a href='x' onclick=y>",
    "<iframe src=//e.org>",
    "<style>*{}</style>",
    "`",
    "```\n",
    "# ",
    "- ",
    "> ",
    "|",
    "\n",
    "\n\n",
    "**",
    "&lt;script&gt;",
    "&#x3C;",
    "[a]: javascript:x\n",
    "[a]",
    "<!--",
    "-->",
    "\0",
    "\u2028",
    "[x](\\x01javascript:a)",
    "é",
    "茶",
    "<math><mtext></table>",
    "]]>",
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


def does_nothing(html: str) -> bool:
    seen = Seen(html)
    links = [value for tag, name, value in seen.attributes if (tag, name) == ("a", "href")]
    schemes = {found[1].lower() for link in links if (found := re.match(r"\s*([A-Za-z][\w+.-]*):", link))}
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
def test_nothing_that_runs_is_ever_left(text: str) -> None:
    assert does_nothing(html_of(text))


@pytest.mark.parametrize("piece", PIECES)
def test_none_of_the_known_ways_leads_anywhere(piece: str) -> None:
    assert does_nothing(html_of(f"before {piece} after"))


def test_html_of_ones_own_is_shown_as_it_was_typed() -> None:
    assert html_of("<b>bold</b>") == "<p>&lt;b&gt;bold&lt;/b&gt;</p>\n"


def test_headings_begin_below_the_sections() -> None:
    assert html_of("# One\n\n## Two\n\n###### Six") == "<h3>One</h3>\n<h4>Two</h4>\n<h6>Six</h6>\n"


def test_links_vouch_for_nothing() -> None:
    assert html_of("[us](https://e.org)") == (
        '<p><a href="https://e.org" rel="nofollow noopener">us</a></p>\n'
    )


def test_an_image_is_a_link_to_it_and_nothing_is_fetched() -> None:
    html = html_of("![The hall](https://e.org/hall.png)")
    assert "<img" not in html
    assert ">The hall</a>" in html


def test_tables_and_lists_are_there() -> None:
    assert {"table", "li"} <= Seen(html_of("- a\n\n|a|b|\n|-|-|\n|1|2|\n")).tags


@pytest.mark.parametrize(
    "text",
    ["[" * 20_000, "![[" * 6_600, "*a **b" * 3_000, "> " * 10_000, "`" * 20_000, "<" * 20_000],
    ids=["brackets", "images", "stars", "quotes", "ticks", "tags"],
)
def test_the_longest_text_takes_no_while(text: str) -> None:
    begin = thread_time()  # whatever else this machine does meanwhile
    html_of(text)
    assert thread_time() - begin < 5
