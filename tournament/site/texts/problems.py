"""The sentences of every subject, put to those that all share when the program starts."""

from tournament.backup.texts import BACKUPS
from tournament.dues.texts import DUES
from tournament.ema.texts import EMA
from tournament.events.texts import EVENT_PAGE
from tournament.exchange.texts import FILES, TRANSCRIPTS
from tournament.messages.mail.texts import MAILS
from tournament.people.texts import PERSONS
from tournament.play.texts.problems import ABSENCES, CLOSING, TOTALS
from tournament.players.texts import CHECK_IN
from tournament.players.texts import SENTENCES as PEOPLE
from tournament.privacy.texts import SENTENCES as PRIVACY
from tournament.registration.texts import REGISTRATION
from tournament.staff.texts import SENTENCES as STAFF
from tournament.web.texts.problems import SENTENCES

for sentences in (
    ABSENCES,
    BACKUPS,
    CHECK_IN,
    CLOSING,
    DUES,
    EMA,
    EVENT_PAGE,
    FILES,
    MAILS,
    PEOPLE,
    PERSONS,
    PRIVACY,
    REGISTRATION,
    STAFF,
    TOTALS,
    TRANSCRIPTS,
):
    SENTENCES.update(sentences)
