"""A page's scripts and style sheets: joined where static files were collected, else the small files as they are."""

from __future__ import annotations

from typing import Any

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest

from config.joined import kinds
from config.joined.scripts import OURS
from tournament.base.appearance import SHEETS, appearance_of, media_of

register = template.Library()


def is_joined() -> bool:
    """The one place that decides: as the storage has the files."""
    return bool(getattr(staticfiles_storage, "is_joined", False))


@register.inclusion_tag("components/scripts.html")
def scripts(kind: str) -> dict[str, Any]:
    """What a page of this kind runs once it is read (config/joined/kinds.py)."""
    names = kinds.SCRIPTS[kind]
    if is_joined():
        return {"plain": [kinds.joined_script(kind)]}
    return {
        "plain": [name for name in names if not name.startswith(OURS)],
        "modules": [name for name in names if name.startswith(OURS)],
    }


@register.inclusion_tag("components/styles.html", takes_context=True)
def styles(context: template.Context, kind: str) -> dict[str, Any]:
    """The sheets of a page of this kind, and the script that sees to it that it is dark where that was chosen."""
    names = kinds.SHEETS[kind]
    if is_joined():
        return {"theme": kinds.THEME, "sheets": [kinds.joined_sheet(kind)]}
    return {"theme": kinds.THEME, "tokens": kinds.TOKENS, "themes": _themes(context), "sheets": names}


def _themes(context: template.Context) -> list[tuple[str, str, str]]:
    """The sheets for the dark and for high contrast, each where this reader or the device asks for it."""
    request: HttpRequest | None = context.get("request")
    chosen = appearance_of(request) if request else {}
    return [(f"css/{name}.css", " ".join(needs), media_of(name, chosen)) for name, needs in SHEETS.items()]
