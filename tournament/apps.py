"""The tournament room: people, sessions, tables, hands, standings."""

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    name = "tournament"
