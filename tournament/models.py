"""What is stored. Rows hold facts and the figures derived from them; the verbs are in each subject's services."""

from tournament.base.models.appeals import Appeal
from tournament.base.models.arrivals import Arrival, Extension, FormerAccount
from tournament.base.models.certificates import CertificateDesign
from tournament.base.models.documents import DocumentJob
from tournament.base.models.hands import Hand
from tournament.base.models.jobs import TrialJob
from tournament.base.models.log_entry import LogEntry
from tournament.base.models.people import NotThem, Person, PersonChange, PersonName, Player
from tournament.base.models.play import Absence, Seat, Session, Table, Wind
from tournament.base.models.registration import KeptPlaces, Question, Registration, RegistrationPlan
from tournament.base.models.signed_in import ApiToken, Visit
from tournament.base.models.tournament import Membership, Pass, Publication, Role, Tournament
from tournament.dues.models import Due, Fee, Payment, TournamentAccount
from tournament.ema.models import EmaColumns
from tournament.events.models.event_page import EventDocument, EventPage
from tournament.events.models.timetable import TimetableItem
from tournament.messages.announcements.models import Announcement
from tournament.messages.mail.models import LetterText, Mail
from tournament.messages.push.models import Phone
from tournament.messages.webhooks.models import Delivery, Webhook
from tournament.people.models import PrivacyPlan
from tournament.play.models.calls import Call
from tournament.play.models.signing import Signature
from tournament.play.models.totals import Totals
from tournament.players.models import CheckIn
from tournament.screens.models.ceremonies import Ceremony
from tournament.screens.models.puzzles import Puzzle
from tournament.screens.models.screens import Screen
from tournament.seating.models import Final
from tournament.staff.models import Invitation, Watch

__all__ = [
    "Absence",
    "Announcement",
    "ApiToken",
    "Appeal",
    "Arrival",
    "Call",
    "Ceremony",
    "CertificateDesign",
    "CheckIn",
    "Delivery",
    "DocumentJob",
    "Due",
    "EmaColumns",
    "EventDocument",
    "EventPage",
    "Extension",
    "Fee",
    "Final",
    "FormerAccount",
    "Hand",
    "Invitation",
    "KeptPlaces",
    "LetterText",
    "LogEntry",
    "Mail",
    "Membership",
    "NotThem",
    "Pass",
    "Payment",
    "Person",
    "PersonChange",
    "PersonName",
    "Phone",
    "Player",
    "PrivacyPlan",
    "Publication",
    "Puzzle",
    "Question",
    "Registration",
    "RegistrationPlan",
    "Role",
    "Screen",
    "Seat",
    "Session",
    "Signature",
    "Table",
    "TimetableItem",
    "Totals",
    "Tournament",
    "TournamentAccount",
    "TrialJob",
    "Visit",
    "Watch",
    "Webhook",
    "Wind",
]
