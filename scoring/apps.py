"""The scoring room: tiles to hand to fans to points."""

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"
