"""What is stored. Rows hold facts and the figures derived from them; the verbs are in each subject's services."""

from tournament.base.models.documents import CertificateDesign, DocumentJob
from tournament.base.models.events import EventDocument, EventPage, TimetableItem
from tournament.base.models.log import LogEntry
from tournament.base.models.people import ApiToken, NotThem, Person, PersonChange, PersonName, Player, Visit
from tournament.base.models.play import Absence, Appeal, Final, Hand, Seat, Session, Table, Wind
from tournament.base.models.registration import KeptPlaces, Question, Registration, RegistrationPlan
from tournament.base.models.tournament import (
    Arrival,
    Extension,
    FormerAccount,
    Membership,
    Pass,
    Publication,
    Role,
    Tournament,
    TrialJob,
)
from tournament.dues.models import Due, Fee, Payment, TournamentAccount
from tournament.ema.models import EmaColumns
from tournament.messages.announcements.models import Announcement
from tournament.messages.mail.models import LetterText, Mail
from tournament.messages.push.models import Phone
from tournament.messages.webhooks.models import Delivery, Webhook
from tournament.play.models import Call, Signature, Totals
from tournament.players.models import CheckIn
from tournament.privacy.models import PrivacyPlan
from tournament.screens.models import Ceremony, Puzzle, Screen
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
