"""The sentences of every subject: for problems, and, by importing them, for entries of the log."""

from tournament.backup.texts import BACKUPS
from tournament.documents import texts as documents_texts
from tournament.dues import texts as dues_texts
from tournament.ema import texts as ema_texts
from tournament.events import texts as events_texts
from tournament.exchange.texts import FILES, TRANSCRIPTS
from tournament.fouls import texts as fouls_texts
from tournament.messages.mail import texts as mail_texts
from tournament.messages.webhooks import texts as webhooks_texts
from tournament.people import texts as people_texts
from tournament.play.texts import log as play_texts
from tournament.play.texts.problems import ABSENCES, CLOSING, TOTALS
from tournament.players import texts as players_texts
from tournament.privacy import texts as privacy_texts
from tournament.registration import texts as registration_texts
from tournament.screens import texts as screens_texts
from tournament.seating import texts as seating_texts
from tournament.staff import texts as staff_texts
from tournament.web.texts.problems import SENTENCES

OF_THE_LOG = (
    documents_texts,
    fouls_texts,
    play_texts,
    screens_texts,
    seating_texts,
    webhooks_texts,
)
"""Modules that have sentences for the log alone; the others have some for problems too."""

OF_PROBLEMS = (
    ABSENCES,
    BACKUPS,
    players_texts.CHECK_IN,
    CLOSING,
    dues_texts.DUES,
    ema_texts.EMA,
    events_texts.EVENT_PAGE,
    FILES,
    mail_texts.MAILS,
    players_texts.SENTENCES,
    people_texts.PERSONS,
    privacy_texts.SENTENCES,
    registration_texts.REGISTRATION,
    staff_texts.SENTENCES,
    TOTALS,
    TRANSCRIPTS,
)
"""Code → sentence, one table a subject."""

for sentences in OF_PROBLEMS:
    SENTENCES.update(sentences)
