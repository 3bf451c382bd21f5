"""The log in sentences: what each entry says happened, in the language of the moment.

An action is a row, its text with the placeholders of `telling.WORDS` and of the entry's own data; a function only where
a plural or a branch asks for one. How an action begins has a meaning: see `hall.ELSEWHERE`.
"""

from tournament.documents import texts as certificates
from tournament.dues.texts import log as dues
from tournament.ema.texts import log as ema
from tournament.events.texts import log as event_page
from tournament.fouls import texts as fouls
from tournament.messages.mail.texts import log as mails
from tournament.messages.webhooks.texts import log as webhooks
from tournament.people.texts import log_persons as persons
from tournament.people.texts import log_privacy as privacy
from tournament.play.texts import (
    log_desk as desk,
)
from tournament.play.texts import (
    log_hands as hands,
)
from tournament.play.texts import (
    log_sessions as sessions,
)
from tournament.play.texts import (
    log_totals as totals,
)
from tournament.players.texts import log_check_in as check_in
from tournament.players.texts import log_people as people
from tournament.registration.texts import log as registration
from tournament.screens.texts import log as hall
from tournament.seating.texts import log as seats
from tournament.staff.texts import log as staff
from tournament.web.texts.log import SENTENCES, LogWords

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
