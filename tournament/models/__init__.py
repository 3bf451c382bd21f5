"""What is stored. Rows hold facts and the figures derived from them; the verbs are in `tournament.services`."""

from tournament.models.announcements import Announcement
from tournament.models.appeals import Appeal
from tournament.models.arrivals import Arrival, Extension, FormerAccount
from tournament.models.calls import Call
from tournament.models.ceremonies import Ceremony
from tournament.models.certificates import CertificateDesign
from tournament.models.check_in import CheckIn
from tournament.models.documents import DocumentJob
from tournament.models.dues import Due, Fee, Payment, TournamentAccount
from tournament.models.ema import EmaColumns
from tournament.models.event_page import EventDocument, EventPage
from tournament.models.finals import Final
from tournament.models.hands import Hand
from tournament.models.jobs import TrialJob
from tournament.models.log_entry import LogEntry
from tournament.models.mail import LetterText, Mail
from tournament.models.people import NotThem, Person, PersonChange, PersonName, Player
from tournament.models.phones import Phone
from tournament.models.play import Absence, Seat, Session, Table, Wind
from tournament.models.privacy import PrivacyPlan
from tournament.models.puzzles import Puzzle
from tournament.models.registration import KeptPlaces, Question, Registration, RegistrationPlan
from tournament.models.screens import Screen
from tournament.models.signed_in import ApiToken, Visit
from tournament.models.signing import Signature
from tournament.models.staff import Invitation, Watch
from tournament.models.timetable import TimetableItem
from tournament.models.totals import Totals
from tournament.models.tournament import Membership, Pass, Publication, Role, Tournament
from tournament.models.webhooks import Delivery, Webhook

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
