"""Addresses of lists to take away."""

from __future__ import annotations

from django.urls import URLPattern, path

from tournament.exchange.api import lists
from tournament.web.api import converters  # noqa: F401  (registers what stands in their addresses)

list_urls: list[URLPattern] = [
    path("", lists.Lists.as_view(), name="api_lists"),
    path("check-in.<list_format:form>", lists.CheckInListFile.as_view(), name="api_check_in_list_file"),
    path("<open_list:name>.<list_format:form>", lists.ListFile.as_view(), name="api_list_file"),
    path(
        "staff/<staff_list:name>.<list_format:form>",
        lists.StaffListFile.as_view(),
        name="api_staff_list_file",
    ),
]
