"""Tiles, sets and hands as they are drawn on a page and on paper. How a set lies is said in web/texts/tiles.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.template import Library
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from scoring.texts import tile_name
from tournament.web.texts.tiles import Placed, lay_hand, lay_meld

Picture = Callable[[str, str, str], SafeString]
"""(code, classes, name) → one tile; no name where it stands beside the tile or on the button around it."""


def register_tiles(register: Library, picture: Picture) -> None:
    """The tags `tile`, `tile_set` and `hand`: the same sets and hands, whatever picture a tile is drawn with."""

    @register.simple_tag
    def tile(code: str, side: bool = False, win: bool = False, named: bool = True) -> SafeString:
        """One tile: `{% tile "1m" %}`, `{% tile code side=True %}` (claimed), `win=True` (the winning tile).

        `named=False` where the name stands beside it or on the button around it.
        """
        name = tile_name(code)
        classes = "tile" + (" side" if side else "") + (" win" if win else "")
        return picture(code, classes, name if named else "")

    def group(tiles: Iterable[Placed]) -> SafeString:
        drawn = ((tile(one.code, one.side, one.win),) for one in tiles)
        return format_html('<span class="set">{}</span>', format_html_join("", "{}", drawn))

    @register.simple_tag
    def tile_set(tiles: Sequence[str] | Mapping[str, Any]) -> SafeString:
        """Tiles that belong together: `{% tile_set codes %}` upright, `{% tile_set meld %}` as it lies at the table."""
        return group(lay_meld(tiles) if isinstance(tiles, Mapping) else map(Placed, tiles))

    @register.simple_tag
    def hand(record: Mapping[str, Any], size: str = "") -> SafeString:
        """A finished hand (the record a hand stores): melds, tiles in hand, the winning tile.

        `size`: xs, s, m, l or xl.
        """
        groups = format_html_join("", "{}", ((group(laid),) for laid in lay_hand(record)))
        return format_html('<div class="hand{}">{}</div>', f" tiles-{size}" if size else "", groups)
