"""The address that makes a phone subscribe to a calendar."""

from __future__ import annotations

from django import template
from django.http import HttpRequest

register = template.Library()


@register.simple_tag
def webcal(request: HttpRequest, path: str) -> str:
    """The path as an address that calendars open: webcal://…"""
    return f"webcal://{request.get_host()}{path}"
