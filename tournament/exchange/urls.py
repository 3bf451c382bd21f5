"""Addresses of lists to take away."""

from __future__ import annotations

from django.urls import URLPattern, path

from tournament.exchange import api
from tournament.web.api import base  # noqa: F401  (registers what stands in their addresses)

list_urls: list[URLPattern] = [
    path("", api.Lists.as_view(), name="api_lists"),
    path("check-in.<list_format:form>", api.CheckInListFile.as_view(), name="api_check_in_list_file"),
    path("<open_list:name>.<list_format:form>", api.ListFile.as_view(), name="api_list_file"),
    path(
        "staff/<staff_list:name>.<list_format:form>",
        api.StaffListFile.as_view(),
        name="api_staff_list_file",
    ),
]
