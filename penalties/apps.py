"""The penalties room: the foul book and the penalties given."""

from django.apps import AppConfig


class PenaltiesConfig(AppConfig):
    name = "penalties"
