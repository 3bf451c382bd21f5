"""The same small parts for documents: load after `hule`. Pictures and fonts are named by file, so WeasyPrint fetches
nothing over the network, and a tile is an <img> of its single file."""

from functools import cache
from pathlib import Path

from django import template
from django.contrib.staticfiles import finders
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournament.display.tiles import register_tiles
from tournament.words.countries import alpha_2

register = template.Library()


@cache
def file_url(path: str) -> str:
    """The file:// address of a static file; raises FileNotFoundError when there is none."""
    found = finders.find(path)
    if found is None:
        raise FileNotFoundError(path)
    return Path(found).resolve().as_uri()


@register.simple_tag
def paper_file(path: str) -> str:
    """The file:// address of a static file."""
    return file_url(path)


@register.inclusion_tag("components/paper_styles.html")
def paper_styles() -> dict[str, str]:
    """The sheet for documents and the sheet that names the fonts."""
    return {"fonts": file_url("fonts/fonts.css"), "paper": file_url("css/paper.css")}


def _from_its_file(code: str, classes: str, name: str) -> SafeString:
    return format_html('<img class="{}" src="{}" alt="{}">', classes, file_url(f"tiles/{code}.svg"), name)


register_tiles(register, _from_its_file)


@register.simple_tag
def flag(alpha3: str, code: bool = True) -> SafeString:
    """A country's flag and, beside it, its code."""
    alpha2 = alpha_2(alpha3)
    if not alpha2:
        return format_html("{}", alpha3)
    image = format_html('<img class="flag" src="{}" alt="">', file_url(f"vendor/flags/{alpha2}.svg"))
    return format_html("{} {}", image, alpha3) if code else image
