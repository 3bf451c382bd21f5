"""Template tags of every page: tiles, hands, winds, flags, names, scripts.

Larger parts are templates in `templates/components/`; those that need computing are inclusion tags here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from config import bundles
from config.bundles import THEME_SHEETS
from config.front.delivery import inlined_sheet
from scoring.texts import rulebook_name
from tournament.base import countries
from tournament.base.engine.notices import Audience
from tournament.base.models.tournament import Tournament
from tournament.base.requests import (
    APPEARANCE_CHOICES,
    APPEARANCE_TITLES,
    appearance_of,
    is_reached_by_others,
    media_query,
    site_address,
)
from tournament.web.display import FlagSheet, flag_sheet, register_tiles, stream_url
from tournament.web.texts import words
from tournament.web.texts.words import joined_by

register = template.Library()
register.filter("minus", words.minus)
register.filter("signed", words.signed)
register.filter("tp", words.table_points)
register.filter("country_name", countries.country_name)
register.filter("joined", joined_by)
register.filter("rulebook_name", rulebook_name)

TILE = '<svg class="{}" viewBox="0 0 60 80" {}><use href="{}#t-{}"/></svg>'
MARK = '<svg class="mark" viewBox="0 0 1000 1000" aria-hidden="true"><use href="{}#u{}"/></svg>'
FLAG = '<img class="flag" src="{}" alt="" width="20" height="15" loading="lazy">'


def _tile_picture(code: str, classes: str, name: str) -> SafeString:
    """Return a tile from the sprite, in the colours of the theme."""
    label = format_html('role="img" aria-label="{}"', name) if name else SafeString('aria-hidden="true"')
    return format_html(TILE, classes, label, static("tiles/tiles.svg"), code)


register_tiles(register, _tile_picture)


@register.filter
def at(mapping: Mapping[Any, Any], key: Any) -> Any:
    """Return mapping[key], or None."""
    return mapping.get(key)


@register.filter
def person(user: Any) -> str:
    """Return an account's display name."""
    return "–" if user is None else user.get_full_name() or user.get_username()


@register.simple_tag
def wind_badge(wind: str, dealer: bool | None = None) -> SafeString:
    """Render a seat wind as character and letter (readers of Chinese see the character only).

    Marked as dealer for East, unless `dealer` says otherwise.
    """
    deals = wind == "E" if dealer is None else dealer
    name = words.NAMES[wind]
    return format_html(
        '<span class="wind{}" role="img" aria-label="{}"><b>{}</b>{}</span>',
        " east" if deals else "",
        _("%(wind)s, dealer") % {"wind": name} if deals else name,
        wind_mark(wind),
        words.wind_letter(wind),
    )


@register.filter
def wind_name(wind: str) -> str:
    """Return East, South, West or North."""
    return str(words.NAMES[wind])


@register.filter
def wind_round(wind: str) -> str:
    """Return "East round" …"""
    return str(words.ROUNDS[wind])


@register.filter
def wind_mark(wind: str) -> SafeString:
    """Render 東 …"""
    return mark(words.wind_character(wind))


@register.simple_tag
def mark(character: str) -> SafeString:
    """Render one of 东東南西北和 as a picture, as the device may have no font for it. A text beside it is read out."""
    return format_html(MARK, static("marks.svg"), f"{ord(character):x}")


register.simple_tag(flag_sheet)


@register.simple_tag(takes_context=True)
def flag(context: template.Context, alpha3: str, code: bool = True) -> SafeString:
    """Render a country's flag and code (`code=False`: the flag only); "" for no country, the code for an unknown
    one.

    In a list, `{% flag_sheet tournament as flags %}` above it lets all flags come from one file.
    """
    alpha2 = countries.alpha_2(alpha3)
    if not alpha2:
        return format_html("{}", alpha3)
    image = format_html(FLAG, _flag_url(context.get("flags"), alpha2))
    if not code:
        return image
    return format_html(
        '{} <abbr class="country" title="{}">{}</abbr>', image, countries.country_name(alpha3), alpha3
    )


def _flag_url(sheet: object, alpha2: str) -> str:
    if isinstance(sheet, FlagSheet) and alpha2 in sheet.codes:
        return f"{sheet.address}#{alpha2}"
    return static(f"vendor/flags/{alpha2}.svg")


@register.simple_tag(takes_context=True)
def list_comma(context: template.Context) -> str:
    """Within a loop, return the separator after an item; "" after the last."""
    return "" if context["forloop"]["last"] else pgettext("between the items of a list", ", ")


@register.simple_tag
def pill(text: str, kind: str = "") -> SafeString:
    """Render a state of one or two words; `kind`: ok, wait, bad, gold, open or ""."""
    return format_html('<span class="pill{}">{}</span>', f" {kind}" if kind else "", text)


@register.simple_tag
def progress(value: int, of: int, label: str = "") -> SafeString:
    """Render `value` of `of` as a bar; `label` is its text."""
    name = label or _("%(value)s of %(of)s") % {"value": value, "of": of}
    return format_html(
        '<progress class="progress" max="{}" value="{}" aria-label="{}">{}</progress>', of, value, name, name
    )


@register.inclusion_tag("components/ticks.html")
def ticks(played: int, of: int = 16) -> dict[str, Any]:
    """Render played hands as marks in a row."""
    return {"ticks": [(10 * place, place < played) for place in range(of)], "width": 10 * of}


@register.inclusion_tag("components/move.html")
def move(places: int | None) -> dict[str, Any]:
    """Render places won (2) or lost (−1) since the last session; None and 0 are unchanged."""
    return {"places": places or 0, "distance": abs(places or 0)}


@register.inclusion_tag("components/table.html")
def table_picture(
    seats: Iterable[Mapping[str, Any]],
    prevalent: str,
    hand_number: int,
    hands: int = 16,
    label: str = "",
    name: str = "",
) -> dict[str, Any]:
    """Render a table: four seats around the prevalent wind; nothing in the middle if `hand_number` is 0.

    A seat: {"position": north | left | right | south-side, "wind", "name", "score"}; optional: "dealer" (default:
    East), "role" (wins, discarded), "change" (game points of this hand), "state" (winner | discarder | pays-out),
    "player" and "stand_in" for tags, "value" and "url". With `name` each seat is a button that sends "value"; with
    "url" it is a link.
    """
    order = ("north", "left", "right", "south-side")
    drawn = [{"dealer": seat["wind"] == "E", **seat} for seat in seats]
    return {
        "seats": sorted(drawn, key=lambda seat: order.index(seat["position"])),
        "prevalent": prevalent,
        "hand_number": hand_number,
        "hands": hands,
        "label": label,
        "name": name,
    }


@register.inclusion_tag("components/pages.html", takes_context=True)
def pages(context: template.Context, page: Any) -> dict[str, Any]:
    """Render links to the pages of a list (a Django Page), keeping the query string."""
    query = context["request"].GET.copy()
    query.pop("page", None)
    return {
        "page": page,
        "numbers": page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1),
        "gap": page.paginator.ELLIPSIS,
        "query": f"{query.urlencode()}&" if query else "",
    }


@register.simple_tag(takes_context=True)
def html_attributes(context: template.Context) -> SafeString:
    """Render attributes of <html>: language, and the reader's theme and contrast."""
    request: HttpRequest | None = context.get("request")
    chosen = appearance_of(request) if request else {}
    attributes = {"lang": html_lang(get_language() or "en")} | {
        f"data-{key}": value for key, value in chosen.items()
    }
    return format_html_join(" ", '{}="{}"', attributes.items())


@register.filter
def html_lang(code: str) -> str:
    """Return a language code for HTML: zh-hans → zh-Hans."""
    language, _dash, script = code.partition("-")
    return f"{language}-{script.title()}" if script else language


@register.filter
def language_mark(code: str) -> str:
    """Return a language in two letters or one character: EN, 简, 繁."""
    return {"zh-hans": "简", "zh-hant": "繁"}.get(code, code[:2].upper())


@register.inclusion_tag("components/appearance.html", takes_context=True)
def appearance_menu(context: template.Context) -> dict[str, Any]:
    """Render the choice of theme and contrast."""
    request: HttpRequest | None = context.get("request")
    chosen = appearance_of(request) if request else {}
    choices = [
        {
            "name": name,
            "title": APPEARANCE_TITLES[name],
            "options": [(value, label, value == chosen.get(name, "")) for value, label in values.items()],
        }
        for name, values in APPEARANCE_CHOICES.items()
    ]
    return {"choices": choices, "request": request, "csrf_token": context.get("csrf_token")}


def is_joined() -> bool:
    """Return whether the static storage serves joined files instead of the single ones."""
    return bool(getattr(staticfiles_storage, "is_joined", False))


@register.inclusion_tag("components/only_here.html")
def only_here() -> dict[str, Any]:
    """Warn if other devices cannot reach the site's address."""
    address = site_address()
    return {"address": address, "is_reached": is_reached_by_others(address)}


@register.inclusion_tag("components/scripts.html")
def scripts(kind: str) -> dict[str, Any]:
    """Render the scripts of a kind of page (config/bundles.py)."""
    names = bundles.SCRIPTS[kind]
    if is_joined():
        return {"plain": [bundles.script_file(kind)]}
    return {
        "plain": [name for name in names if not name.startswith(bundles.OURS)],
        "modules": [name for name in names if name.startswith(bundles.OURS)],
    }


@register.inclusion_tag("components/styles.html", takes_context=True)
def styles(context: template.Context, kind: str) -> dict[str, Any]:
    """Render the style sheets of a kind of page, and the script that sets its theme."""
    if not is_joined():
        parts = {"tokens": bundles.TOKENS, "themes": _themes(context), "sheets": bundles.SHEETS[kind]}
        return {"theme": bundles.THEME} | parts
    sheet, request = bundles.sheet_file(kind), context.get("request")
    inlined = inlined_sheet(request, sheet) if request else ""
    return {"theme": bundles.THEME, "sheets": [sheet], "inlined": SafeString(inlined)}


def _themes(context: template.Context) -> list[tuple[str, str, str]]:
    """Return the sheets for dark and high contrast, with their media queries."""
    request: HttpRequest | None = context.get("request")
    chosen = appearance_of(request) if request else {}
    return [
        (f"css/{name}.css", " ".join(needs), media_query(name, chosen))
        for name, needs in THEME_SHEETS.items()
    ]


@register.simple_tag
def live_url(tournament: Tournament, audience: Audience = Audience.PUBLIC) -> str:
    """Return the event stream's URL for this audience; screens in the hall are public."""
    return stream_url(tournament, audience)


@register.simple_tag
def staff_live_url(tournament: Tournament) -> str:
    """Return the event stream's URL for staff."""
    return stream_url(tournament, Audience.STAFF)
