"""The log in sentences: what each entry says happened, in the language of the moment.

An action is a row, its text with the placeholders of `telling.WORDS` and of the entry's own data; a function only where
a plural or a branch asks for one. How an action begins has a meaning: see `hall.ELSEWHERE`.
"""

from tournament.documents import texts as certificates
from tournament.dues import texts as dues_texts
from tournament.ema import texts as ema_texts
from tournament.events import texts as events_texts
from tournament.fouls import texts as fouls
from tournament.messages.mail import texts as mail_texts
from tournament.messages.webhooks import texts as webhooks_texts
from tournament.people import texts as people_texts
from tournament.play.texts import log as desk
from tournament.players import texts as players_texts
from tournament.privacy import texts as privacy_texts
from tournament.registration import texts as registration_texts
from tournament.screens import texts as screens_texts
from tournament.seating import texts as seating_texts
from tournament.staff import texts as staff_texts
from tournament.web.texts.log import SENTENCES, LogWords

__all__ = [
    "SENTENCES",
    "LogWords",
    "certificates",
    "desk",
    "dues_texts",
    "ema_texts",
    "events_texts",
    "fouls",
    "mail_texts",
    "people_texts",
    "players_texts",
    "privacy_texts",
    "registration_texts",
    "screens_texts",
    "seating_texts",
    "staff_texts",
    "webhooks_texts",
]
