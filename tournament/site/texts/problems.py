"""The sentences of every subject, put to those that all share when the program starts."""

from tournament.backup.texts.problems import BACKUPS
from tournament.dues.texts.problems import DUES
from tournament.ema.texts.problems import EMA
from tournament.events.texts.problems import EVENT_PAGE
from tournament.exchange.texts.problems_files import FILES
from tournament.exchange.texts.problems_transcripts import TRANSCRIPTS
from tournament.messages.mail.texts.problems import MAILS
from tournament.people.texts.problems_persons import PERSONS
from tournament.people.texts.problems_privacy import SENTENCES as PRIVACY
from tournament.play.texts.problems_absences import ABSENCES
from tournament.play.texts.problems_closing import CLOSING
from tournament.play.texts.problems_totals import TOTALS
from tournament.players.texts.problems_check_in import CHECK_IN
from tournament.players.texts.problems_people import SENTENCES as PEOPLE
from tournament.registration.texts.problems import REGISTRATION
from tournament.staff.texts.problems import SENTENCES as STAFF
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
