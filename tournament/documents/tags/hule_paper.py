"""Template tags for documents on paper. Load after `hule`: some replace tags of the same name.

Pictures and fonts have file:// addresses, so WeasyPrint fetches nothing over the network.
"""

from functools import cache
from pathlib import Path
from typing import Final
from unicodedata import east_asian_width

from django import template
from django.contrib.staticfiles import finders
from django.db.models.fields.files import FieldFile
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournament.base.countries import alpha_2
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.drafts import LANGUAGE_SEPARATOR
from tournament.events.display import identity_of
from tournament.web.display import register_tiles
from tournament.web.texts import words
from tournament.web.texts.log import sentences

register = template.Library()
register.simple_tag(sentences)

LONG_NAME: Final = 22
VERY_LONG_NAME: Final = 40
"""Above these widths a name is set smaller; a Chinese character counts as two."""


@cache
def file_url(path: str) -> str:
    """Return the file:// address of a static file. Raises FileNotFoundError."""
    file = finders.find(path)
    if file is None:
        raise FileNotFoundError(path)
    return Path(file).resolve().as_uri()


register.simple_tag(file_url, name="paper_file")


@register.simple_tag
def stored_file(file: FieldFile) -> str:
    """Return the file:// address of an uploaded picture; nothing without one, or if its file is missing."""
    if not file or not file.storage.exists(str(file.name)):
        return ""
    return Path(file.path).resolve().as_uri()


@register.simple_tag
def identity_css(tournament: Tournament) -> SafeString:
    """Return CSS for the event's logo and a rule of its colour above each page, and the frame of certificates."""
    identity = identity_of(tournament)
    logo = stored_file(identity.logo.file) if identity.logo else ""
    rules = [f"border-bottom: 0.6mm solid {identity.colour};"] if identity.colour else []
    rules += [f'background: url("{logo}") no-repeat right 0 bottom 0.6mm / auto 6mm;'] if logo else []
    if not rules:
        return SafeString("")
    frame = f".frame {{ border-color: {identity.colour or 'var(--felt)'} }}"
    return SafeString(
        f"@page {{ @top-left {{ width: 100%; margin-bottom: 1mm; {' '.join(rules)} }} }} {frame}"
    )


@register.inclusion_tag("components/paper_styles.html")
def paper_styles() -> dict[str, str]:
    """Return the addresses of the style sheets that every document loads."""
    return {"fonts": file_url("fonts/fonts.css"), "paper": file_url("css/paper.css")}


def _tile_image(code: str, classes: str, name: str) -> SafeString:
    return format_html('<img class="{}" src="{}" alt="{}">', classes, file_url(f"tiles/{code}.svg"), name)


register_tiles(register, _tile_image)


@register.simple_tag
def flag(alpha3: str, code: bool = True) -> SafeString:
    """Render a country's flag, followed by its code; without `code` the code is the image's alternative text."""
    alpha2 = alpha_2(alpha3)
    if not alpha2:
        return format_html("{}", alpha3)
    alt = "" if code else alpha3
    image = format_html('<img class="flag" src="{}" alt="{}">', file_url(f"vendor/flags/{alpha2}.svg"), alt)
    return format_html("{} {}", image, alpha3) if code else image


@register.simple_tag
def paper_wind(wind: str) -> SafeString:
    """Render a wind as character and letter (in Chinese the character alone), in the document's fonts."""
    text = format_html("<b>{}</b> {}", words.wind_character(wind), words.wind_letter(wind))
    return format_html('<span class="wind{}">{}</span>', " east" if wind == "E" else "", text)


@register.filter
def bilingual(label: str) -> SafeString:
    """Render a label in two languages so that the second starts a new line before its own text wraps."""
    first, separator, second = label.partition(LANGUAGE_SEPARATOR)
    if not separator:
        return format_html("{}", label)
    return format_html('{}{}<span class="beside">{}</span>', first, separator, second)


@register.filter
def name_size_class(name: str) -> str:
    """Return the CSS class that sets a long name smaller, so that nothing of it is cut off."""
    width = sum(2 if east_asian_width(char) in "WF" else 1 for char in name)
    return "very-long" if width > VERY_LONG_NAME else "long" if width > LONG_NAME else ""
