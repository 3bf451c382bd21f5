"""The same small parts for documents: load after `hule`. Pictures and fonts are named by file, so WeasyPrint fetches
nothing over the network, and a tile is an <img> of its single file."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django import template
from django.contrib.staticfiles import finders
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from scoring.texts import tile_name
from tournament.words.countries import alpha_2
from tournament.words.tiles import Placed, lay_hand, lay_meld

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


def _image(placed: Placed) -> SafeString:
    classes = "tile" + (" side" if placed.side else "") + (" win" if placed.win else "")
    source = file_url(f"tiles/{placed.code}.svg")
    return format_html('<img class="{}" src="{}" alt="{}">', classes, source, tile_name(placed.code))


def _group(tiles: Sequence[Placed]) -> SafeString:
    return format_html(
        '<span class="set">{}</span>', format_html_join("", "{}", ((_image(t),) for t in tiles))
    )


@register.simple_tag
def tile(code: str, side: bool = False, win: bool = False) -> SafeString:
    """One tile."""
    return _image(Placed(code, side, win))


@register.simple_tag
def tile_set(tiles: Sequence[str] | Mapping[str, Any]) -> SafeString:
    """Tiles upright, or a meld as it lies at the table."""
    return _group(lay_meld(tiles) if isinstance(tiles, Mapping) else [Placed(code) for code in tiles])


@register.simple_tag
def hand(record: Mapping[str, Any]) -> SafeString:
    """A finished hand: melds, tiles in hand, the winning tile."""
    return format_html(
        '<span class="hand">{}</span>',
        format_html_join("", "{}", ((_group(group),) for group in lay_hand(record))),
    )


@register.simple_tag
def flag(alpha3: str, code: bool = True) -> SafeString:
    """A country's flag and, beside it, its code."""
    alpha2 = alpha_2(alpha3)
    if not alpha2:
        return format_html("{}", alpha3)
    image = format_html('<img class="flag" src="{}" alt="">', file_url(f"vendor/flags/{alpha2}.svg"))
    return format_html("{} {}", image, alpha3) if code else image
