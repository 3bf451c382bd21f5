"""The name of a screen in an address: letters of any script, digits and hyphens."""

from django.urls import register_converter
from django.urls.converters import StringConverter


class ScreenName(StringConverter):
    regex = r"[-\w]{1,40}"


register_converter(ScreenName, "screen")
