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
