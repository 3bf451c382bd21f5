"""What the sentences of the log have to know of a tournament."""

from __future__ import annotations

from tournament.models import Tournament
from tournament.words.log import LogWords


def log_words(tournament: Tournament) -> LogWords:
    """The sentences, with the players' names and the foul book."""
    names = {player.number: player.name for player in tournament.players.all()}
    return LogWords(names, tournament.rules.fouls)
