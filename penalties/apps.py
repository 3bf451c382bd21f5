"""The Django app of the foul books and the penalties given."""

from django.apps import AppConfig


class PenaltiesConfig(AppConfig):
    name = "penalties"
