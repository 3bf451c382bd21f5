"""What holds for every template: signs between pieces are translated, lines are short, and forms say our mistakes."""

import re
from collections.abc import Iterator
from pathlib import Path

from django.template.base import Lexer, TokenType

FOLDER = Path(__file__).parents[2] / "templates"
TEMPLATES = {str(path.relative_to(FOLDER)): path.read_text() for path in sorted(FOLDER.rglob("*.html"))}
BETWEEN = re.compile(r"(?:^|(?<=>))(?:[,:;.] ?(?=$|[<\w])| ?\((?=$))")
UNTRANSLATED = ("blocktranslate", "comment")
LONGEST_LINE = 140
"""Characters of a line: one element, with its attributes and its text, indented where it stands."""
BOX = re.compile(
    r"<(?:div|section|article|header|footer|main|nav|form|fieldset|details|table|thead|tbody|tr|ul|ol|dl)\b"
)
FORM = re.compile(r"<form\b(?P<tag>(?:[^>{]|\{%.*?%\}|\{\{.*?\}\})*)>(?P<inside>.*?)</form>", re.DOTALL)
SHOWS_PROBLEMS = re.compile(r"components/field\.html|\.errors \}\}")


def signs_between_pieces(template: str) -> Iterator[str]:
    """Signs that stand as they are between a value or a tag and what follows, outside HTML tags."""
    inside, before = False, ""
    for token in Lexer(template).tokenize():
        if token.token_type is TokenType.BLOCK:
            inside = token.contents.startswith(UNTRANSLATED) or (
                inside and not token.contents.startswith(tuple(f"end{name}" for name in UNTRANSLATED))
            )
        elif token.token_type is TokenType.TEXT and not inside:
            in_tag = before.rfind("<") > before.rfind(">")
            if not in_tag and (sign := BETWEEN.search(token.contents)):
                yield before[-40:] + token.contents[: sign.end()]
        before += token.contents


def silent_forms(template: str) -> Iterator[str]:
    """Forms whose fields have a place for our sentence, and whose browser would say something of its own first."""
    for form in FORM.finditer(template):
        is_sent = 'method="post"' in form["tag"]
        if is_sent and SHOWS_PROBLEMS.search(form["inside"]) and "novalidate" not in form["tag"]:
            yield form[0].partition("\n")[0]


def test_signs_between_pieces_are_translated() -> None:
    """A comma of English between two Chinese words is as wrong as an English word. gallery.html is for developers."""
    untranslated = {name: list(signs_between_pieces(text)) for name, text in TEMPLATES.items()}
    assert {
        name for name, signs in untranslated.items() if signs and not name.endswith("gallery.html")
    } == set()


def test_a_line_holds_one_element() -> None:
    """A change of one word shows that word, and what a page is made of can be seen from its indentation."""
    lines = [(name, line) for name, text in TEMPLATES.items() for line in text.splitlines()]
    assert [(name, line) for name, line in lines if len(line) > LONGEST_LINE] == []
    assert [(name, line) for name, line in lines if len(BOX.findall(line)) > 1] == []
    assert len(TEMPLATES) > 400


def test_all_mistakes_are_said_at_once_in_our_words() -> None:
    """A browser stops at the first empty field, in its own language."""
    assert {name for name, text in TEMPLATES.items() if list(silent_forms(text))} == set()


def test_a_form_that_leaves_it_to_the_browser_is_found() -> None:
    form = '<form method="post"{} action="{{% url "x" %}}">\n{{% include "components/field.html" %}}</form>'
    assert list(silent_forms(form.format(""))) == ['<form method="post" action="{% url "x" %}">']
    assert list(silent_forms(form.format(" novalidate"))) == []
