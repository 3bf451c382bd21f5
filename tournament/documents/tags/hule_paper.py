"""Small parts for documents, as those of `hule` for pages: load after it.

Pictures and fonts are named by file, so WeasyPrint fetches nothing over the network, and a tile is an <img> of its
single file.
"""

from functools import cache
from pathlib import Path
from typing import Final
from unicodedata import east_asian_width

from django import template
from django.contrib.staticfiles import finders
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournament.base.countries import alpha_2
from tournament.documents.exports.drafts import BETWEEN
from tournament.web.display import register_tiles
from tournament.web.texts import words
from tournament.web.texts.log import sentences

register = template.Library()
register.simple_tag(sentences)

LONG: Final = 22
VERY_LONG: Final = 40
"""Widths of a name, a Chinese character counting two, from which on it is set smaller."""


@cache
def file_url(path: str) -> str:
    """The file:// address of a static file; raises FileNotFoundError when there is none."""
    file = finders.find(path)
    if file is None:
        raise FileNotFoundError(path)
    return Path(file).resolve().as_uri()


register.simple_tag(file_url, name="paper_file")


@register.inclusion_tag("components/paper_styles.html")
def paper_styles() -> dict[str, str]:
    """The sheet for documents and the sheet that names the fonts."""
    return {"fonts": file_url("fonts/fonts.css"), "paper": file_url("css/paper.css")}


def _from_its_file(code: str, classes: str, name: str) -> SafeString:
    return format_html('<img class="{}" src="{}" alt="{}">', classes, file_url(f"tiles/{code}.svg"), name)


register_tiles(register, _from_its_file)


@register.simple_tag
def flag(alpha3: str, code: bool = True) -> SafeString:
    """A country's flag and, beside it, its code; without it the flag says the code to who cannot see it."""
    alpha2 = alpha_2(alpha3)
    if not alpha2:
        return format_html("{}", alpha3)
    alt = "" if code else alpha3
    image = format_html('<img class="flag" src="{}" alt="{}">', file_url(f"vendor/flags/{alpha2}.svg"), alt)
    return format_html("{} {}", image, alpha3) if code else image


@register.simple_tag
def paper_wind(wind: str) -> SafeString:
    """A wind by its character and letter (only the character for readers of Chinese), set in the document's fonts."""
    text = format_html("<b>{}</b> {}", words.wind_character(wind), words.wind_letter(wind))
    return format_html('<span class="wind{}">{}</span>', " east" if wind == "E" else "", text)


@register.filter
def beside(label: str) -> SafeString:
    """A label; the second of its two languages begins a line before it breaks, as Chinese would anywhere."""
    first, between, second = label.partition(BETWEEN)
    if not between:
        return format_html("{}", label)
    return format_html('{}{}<span class="beside">{}</span>', first, between, second)


@register.filter
def length_class(name: str) -> str:
    """How small a name is set where there is little room: nothing is cut."""
    wide = sum(2 if east_asian_width(char) in "WF" else 1 for char in name)
    return "very-long" if wide > VERY_LONG else "long" if wide > LONG else ""
