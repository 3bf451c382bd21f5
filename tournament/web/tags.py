"""The small parts every page is made of: tiles, hands, winds, flags, names, scripts.

Larger parts (receipt, payments, table picture, banners, fields) are templates in `templates/components/`; the ones that
need computing are the inclusion tags below.
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
from scoring.texts import rulebook_name
from tournament.base import countries
from tournament.base.access import Audience
from tournament.base.models.tournament import Tournament
from tournament.base.requests import (
    APPEARANCE_CHOICES,
    APPEARANCE_TITLES,
    SHEETS,
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
FLAG = '<img class="flag" src="{}" alt="" width="20" height="15">'


def _tile_picture(code: str, classes: str, name: str) -> SafeString:
    """A tile on screen: all of them are in one file, and take the colours of the theme."""
    label = format_html('role="img" aria-label="{}"', name) if name else SafeString('aria-hidden="true"')
    return format_html(TILE, classes, label, static("tiles/tiles.svg"), code)


register_tiles(register, _tile_picture)


@register.filter
def at(mapping: Mapping[Any, Any], key: Any) -> Any:
    """What a mapping has there; None for nothing."""
    return mapping.get(key)


@register.filter
def person(user: Any) -> str:
    """Whoever has an account, by name."""
    return "–" if user is None else user.get_full_name() or user.get_username()


@register.simple_tag
def wind_badge(wind: str, dealer: bool | None = None) -> SafeString:
    """A seat wind: character and letter (only the character for readers of Chinese); filled for the dealer, who is East
    unless `dealer` says otherwise."""
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
    """East, South, West or North."""
    return str(words.NAMES[wind])


@register.filter
def wind_round(wind: str) -> str:
    """East round …"""
    return str(words.ROUNDS[wind])


@register.filter
def wind_mark(wind: str) -> SafeString:
    """東 …"""
    return mark(words.wind_character(wind))


@register.simple_tag
def mark(character: str) -> SafeString:
    """One of the characters every page shows (東东南西北和), drawn: a computer may have no font for it. The words
    beside it say what it is."""
    return format_html(MARK, static("marks.svg"), f"{ord(character):x}")


register.simple_tag(flag_sheet)


@register.simple_tag(takes_context=True)
def flag(context: template.Context, alpha3: str, code: bool = True) -> SafeString:
    """A country's flag and, beside it, its code (`code=False`: the flag alone). Nothing for no country; an unknown code
    stays a code. In a list, `{% flag_sheet tournament as flags %}` above it lets all flags come in one file."""
    alpha2 = countries.alpha_2(alpha3)
    if not alpha2:
        return format_html("{}", alpha3)
    image = format_html(FLAG, _flag_address(context.get("flags"), alpha2))
    if not code:
        return image
    return format_html(
        '{} <abbr class="country" title="{}">{}</abbr>', image, countries.country_name(alpha3), alpha3
    )


def _flag_address(sheet: object, alpha2: str) -> str:
    if isinstance(sheet, FlagSheet) and alpha2 in sheet.codes:
        return f"{sheet.address}#{alpha2}"
    return static(f"vendor/flags/{alpha2}.svg")


@register.simple_tag(takes_context=True)
def list_comma(context: template.Context) -> str:
    """Inside a loop, what stands between the items of a list: nothing after the last."""
    return "" if context["forloop"]["last"] else pgettext("between the items of a list", ", ")


@register.simple_tag
def pill(text: str, kind: str = "") -> SafeString:
    """A state in one or two words; `kind`: ok, wait, bad, gold, open or nothing."""
    return format_html('<span class="pill{}">{}</span>', f" {kind}" if kind else "", text)


@register.simple_tag
def progress(value: int, of: int, label: str = "") -> SafeString:
    """So many of so many, as a bar; `label` says of what."""
    name = label or _("%(value)s of %(of)s") % {"value": value, "of": of}
    return format_html(
        '<progress class="progress" max="{}" value="{}" aria-label="{}">{}</progress>', of, value, name, name
    )


@register.inclusion_tag("components/ticks.html")
def ticks(played: int, of: int = 16) -> dict[str, Any]:
    """Hands played, as marks in a row."""
    return {"ticks": [(10 * place, place < played) for place in range(of)], "width": 10 * of}


@register.inclusion_tag("components/move.html")
def move(places: int | None) -> dict[str, Any]:
    """Places won (2) or lost (−1) since the session before; None and 0 read as unchanged."""
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
    """The table as a picture: four seats round the prevalent wind, nothing between them with `hand_number` 0.

    A seat: {"position": north | left | right | south-side, "wind", "name", "score"} and, where it applies, "dealer"
    (else East is), "role" (a word: wins, discarded), "change" (game points of this hand), "state" (winner | discarder |
    pays-out), "player" and "stand_in" to be marked there, "value" and "url". With `name` each seat is a button of that
    name sending "value"; with "url" it is a link; else it only shows.
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
    """Links to the pages of a list (a django Page), keeping the rest of the query string."""
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
    """For the <html> element: the language, and the theme and contrast the reader has chosen."""
    request: HttpRequest | None = context.get("request")
    chosen = appearance_of(request) if request else {}
    attributes = {"lang": html_lang(get_language() or "en")} | {
        f"data-{key}": value for key, value in chosen.items()
    }
    return format_html_join(" ", '{}="{}"', attributes.items())


@register.filter
def html_lang(code: str) -> str:
    """A language code as HTML writes it: zh-hans → zh-Hans."""
    language, _dash, script = code.partition("-")
    return f"{language}-{script.title()}" if script else language


@register.filter
def language_mark(code: str) -> str:
    """A language in two letters, for a narrow screen: EN, 简, 繁."""
    return {"zh-hans": "简", "zh-hant": "繁"}.get(code, code[:2].upper())


@register.inclusion_tag("components/appearance.html", takes_context=True)
def appearance_menu(context: template.Context) -> dict[str, Any]:
    """Light or dark, and the contrast, with what this reader has chosen."""
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
    """Whether scripts and sheets are joined, as the storage has the files; else pages name the small files."""
    return bool(getattr(staticfiles_storage, "is_joined", False))


@register.inclusion_tag("components/only_here.html")
def only_here() -> dict[str, Any]:
    """Warn where links and codes are handed out that no device but this machine can open."""
    address = site_address()
    return {"address": address, "is_reached": is_reached_by_others(address)}


@register.inclusion_tag("components/scripts.html")
def scripts(kind: str) -> dict[str, Any]:
    """What a page of this kind runs once it is read (config/bundles.py)."""
    names = bundles.SCRIPTS[kind]
    if is_joined():
        return {"plain": [bundles.script_file(kind)]}
    return {
        "plain": [name for name in names if not name.startswith(bundles.OURS)],
        "modules": [name for name in names if name.startswith(bundles.OURS)],
    }


@register.inclusion_tag("components/styles.html", takes_context=True)
def styles(context: template.Context, kind: str) -> dict[str, Any]:
    """The sheets of a page of this kind, and the script that sees to it that it is dark where that was chosen."""
    names = bundles.SHEETS[kind]
    if is_joined():
        return {"theme": bundles.THEME, "sheets": [bundles.sheet_file(kind)]}
    return {"theme": bundles.THEME, "tokens": bundles.TOKENS, "themes": _themes(context), "sheets": names}


def _themes(context: template.Context) -> list[tuple[str, str, str]]:
    """The sheets for the dark and for high contrast, each where this reader or the device asks for it."""
    request: HttpRequest | None = context.get("request")
    chosen = appearance_of(request) if request else {}
    return [(f"css/{name}.css", " ".join(needs), media_query(name, chosen)) for name, needs in SHEETS.items()]


@register.simple_tag
def live_url(tournament: Tournament, audience: Audience = Audience.PUBLIC) -> str:
    """For a page of this audience; a screen in the hall is everybody's."""
    return stream_url(tournament, audience)


@register.simple_tag
def staff_live_url(tournament: Tournament) -> str:
    """For a page that only staff reads."""
    return stream_url(tournament, Audience.STAFF)
