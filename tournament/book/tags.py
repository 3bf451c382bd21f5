"""Template tags of the book: translated texts, citations, prose with glossary terms, words in drawings."""

from django import template
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.book.data import Block, blocks, pieces
from scoring.book.terms import cites_text
from scoring.engine.names import Names
from scoring.templatetags.book import term
from scoring.texts import translated
from tournament.play.engine.wall import Break
from tournament.web.texts import words

register = template.Library()
register.filter("translated", translated)
register.filter("cited", cites_text)


@register.simple_tag(takes_context=True)
def prose(context: template.Context, names: Names) -> SafeString:
    """Render a text as paragraphs and lists, with glossary terms explained."""
    return format_html_join("\n", "{}", ((_block(context, block),) for block in blocks(translated(names))))


def _block(context: template.Context, block: Block) -> SafeString:
    lines = [_line(context, line) for line in block.lines]
    if block.kind == "p":
        return format_html("<p>{}</p>", lines[0])
    items = format_html_join("", "<li><p>{}</p></li>", ((line,) for line in lines))
    return format_html("<ol>{}</ol>" if block.kind == "ol" else "<ul>{}</ul>", items)


def _line(context: template.Context, line: str) -> SafeString:
    parts = (
        term(context, conditional_escape(piece.text), piece.term) if piece.term else piece.text
        for piece in pieces(line)
    )
    return format_html_join("", "{}", ((part,) for part in parts))


@register.filter
def break_sentence(broken: Break) -> str:
    """Return the sentence that says where the wall ends and where the deal begins."""
    return _(
        "Stack {last} from the right of {side}’s row is the end of the wall. The deal begins with stack {first} of "
        "{next_side}’s row."
    ).format(
        last=broken.last.number,
        side=words.NAMES[broken.last.side],
        first=broken.first.number,
        next_side=words.NAMES[broken.first.side],
    )


@register.filter
def wind_sign(wind: str) -> str:
    """Return a wind for a drawing: E, or 東 for a reader of Chinese."""
    return words.wind_letter(wind) or words.wind_character(wind)
