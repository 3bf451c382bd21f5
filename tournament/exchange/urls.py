"""URLs of lists, generated from `LISTS`."""

from django.urls import URLPattern, path, register_converter
from django.urls.converters import StringConverter

from tournament.base.access import Right
from tournament.exchange import api, views
from tournament.exchange.lists import LISTS
from tournament.web.exports.lists import FORMATS

CONVERTERS = {
    "open_list": (name for name, list_table in LISTS.items() if list_table.right is None),
    "staff_list": (name for name, list_table in LISTS.items() if list_table.right is Right.READ),
    "list_format": FORMATS,
}
"""Name of a path converter → the words it matches."""
for converter, words in CONVERTERS.items():
    register_converter(type(converter, (StringConverter,), {"regex": "|".join(words)}), converter)

public_urls: list[URLPattern] = [
    path("t/<slug:slug>/lists/<open_list:name>.<list_format:form>", views.open_list, name="list_file"),
    path(
        "t/<slug:slug>/ranking.xlsx",
        views.open_list,
        {"name": "ranking", "form": "xlsx"},
        name="ranking_sheet",
    ),
]
"""For everybody who may see the event. `ranking.xlsx` is an older address of the same file."""
organiser_urls: list[URLPattern] = [
    path(
        f"<slug:slug>/{list_table.path or f'lists/{name}'}.<list_format:form>",
        views.staff_list,
        {"name": name},
        name=f"organiser_list_{name}",
    )
    for name, list_table in LISTS.items()
    if list_table.right is not None
]
api_urls: list[URLPattern] = [
    path("", api.Lists.as_view(), name="api_lists"),
    path("<open_list:name>.<list_format:form>", api.ListFile.as_view(), name="api_list_file"),
    path("staff/<staff_list:name>.<list_format:form>", api.ListFile.as_view(), name="api_staff_list_file"),
    *(
        path(f"{name}.<list_format:form>", api.ListFile.as_view(), {"name": name}, name=f"api_list_{name}")
        for name, list_table in LISTS.items()
        if list_table.right not in (None, Right.READ)
    ),
]
