"""Addresses of lists to take away."""

from __future__ import annotations

from django.urls import URLPattern

from tournament.api import converters, lists  # noqa: F401  (registers what stands in their addresses)

list_urls: list[URLPattern] = []
