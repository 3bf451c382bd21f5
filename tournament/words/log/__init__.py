"""The log in sentences: what each entry says happened, in the language of the moment.

An action is a row, its text with the placeholders of `telling.WORDS` and of the entry's own data; a function only where
a plural or a branch asks for one. How an action begins has a meaning: see `hall.ELSEWHERE`.
"""

from tournament.words.log import (
    certificates,
    check_in,
    desk,
    dues,
    ema,
    event_page,
    fouls,
    hall,
    hands,
    mails,
    people,
    persons,
    privacy,
    registration,
    seats,
    sessions,
    staff,
    totals,
    webhooks,
)
from tournament.words.log.telling import SENTENCES, LogWords

__all__ = [
    "SENTENCES",
    "LogWords",
    "certificates",
    "check_in",
    "desk",
    "dues",
    "ema",
    "event_page",
    "fouls",
    "hall",
    "hands",
    "mails",
    "people",
    "persons",
    "privacy",
    "registration",
    "seats",
    "sessions",
    "staff",
    "totals",
    "webhooks",
]
