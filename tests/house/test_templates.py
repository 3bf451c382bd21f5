"""What holds for every template: the signs between two pieces of text are translated like the pieces."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.template.base import Lexer, TokenType

TEMPLATES = Path(__file__).parents[2] / "templates"
SHOWN_TO_NOBODY = {"gallery.html"}
"""The design's own page, in English."""
BETWEEN = re.compile(r"(?:^|(?<=>))(?:[,:;.] ?(?=$|[<\w])| ?\((?=$))")
UNTRANSLATED = ("blocktranslate", "comment")


def between_pieces(template: str) -> Iterator[str]:
    """Signs that stand as they are between a value or a tag and what follows, outside HTML tags."""
    inside, before = False, ""
    for token in Lexer(template).tokenize():
        if token.token_type is TokenType.BLOCK:
            inside = token.contents.startswith(UNTRANSLATED) or (
                inside and not token.contents.startswith(tuple(f"end{name}" for name in UNTRANSLATED))
            )
        elif token.token_type is TokenType.TEXT and not inside:
            in_tag = before.rfind("<") > before.rfind(">")
            if not in_tag and (found := BETWEEN.search(token.contents)):
                yield before[-40:] + token.contents[: found.end()]
        before += token.contents


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(TEMPLATES.rglob("*.html")) if path.name not in SHOWN_TO_NOBODY],
    ids=lambda path: path.name,
)
def test_signs_between_pieces_are_translated(path: Path) -> None:
    """A comma of English between two Chinese words is as wrong as an English word."""
    assert list(between_pieces(path.read_text())) == []


LONGEST = 140
"""Characters of a line: one element, with its attributes and its text, indented where it stands."""
BOX = re.compile(
    r"<(?:div|section|article|header|footer|main|nav|form|fieldset|details|table|thead|tbody|tr|ul|ol|dl)\b"
)


@pytest.mark.parametrize("path", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: path.name)
def test_a_line_holds_one_element(path: Path) -> None:
    """A change of one word shows that word, and what a page is made of can be seen from its indentation."""
    lines = path.read_text().splitlines()
    assert [line for line in lines if len(line) > LONGEST] == []
    assert [line for line in lines if len(BOX.findall(line)) > 1] == []


FORM = re.compile(r"<form\b(?P<tag>(?:[^>{]|\{%.*?%\}|\{\{.*?\}\})*)>(?P<inside>.*?)</form>", re.DOTALL)
SAYS_WHAT_IS_WRONG = re.compile(r"components/field\.html|\.errors \}\}")


def silent_forms(template: str) -> Iterator[str]:
    """Forms whose fields have a place for our sentence, and whose browser would say something of its own first."""
    for form in FORM.finditer(template):
        sends = 'method="post"' in form["tag"]
        if sends and SAYS_WHAT_IS_WRONG.search(form["inside"]) and "novalidate" not in form["tag"]:
            yield form[0].partition("\n")[0]


@pytest.mark.parametrize("path", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: path.name)
def test_all_mistakes_are_said_at_once_in_our_words(path: Path) -> None:
    """A browser stops at the first empty field, in its own language."""
    assert list(silent_forms(path.read_text())) == []


def test_a_form_that_leaves_it_to_the_browser_is_found() -> None:
    form = '<form method="post"{} action="{{% url "x" %}}">\n{{% include "components/field.html" %}}</form>'
    assert list(silent_forms(form.format(""))) == ['<form method="post" action="{% url "x" %}">']
    assert list(silent_forms(form.format(" novalidate"))) == []
