"""The log in sentences: what each entry says happened, in the language of the moment.

An action is a row, its text with the placeholders of `telling.WORDS` and of the entry's own data; a function only where
a plural or a branch asks for one. How an action begins has a meaning: see `hall.ELSEWHERE`.
"""

from tournament.words.log import desk, fouls, hall, hands, people, seats, sessions
from tournament.words.log.telling import SENTENCES, LogWords

__all__ = ["SENTENCES", "LogWords", "desk", "fouls", "hall", "hands", "people", "seats", "sessions"]
