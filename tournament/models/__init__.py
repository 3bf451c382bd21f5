"""What is stored. Rows hold facts and the figures derived from them; the verbs are in `tournament.services`."""

from tournament.models.announcements import Announcement
from tournament.models.appeals import Appeal
from tournament.models.calls import Call
from tournament.models.ceremonies import Ceremony
from tournament.models.documents import DocumentJob
from tournament.models.finals import Final
from tournament.models.hands import Hand
from tournament.models.jobs import TrialJob
from tournament.models.people import Player
from tournament.models.phones import Phone
from tournament.models.play import Absence, Seat, Session, Table, Wind
from tournament.models.puzzles import Puzzle
from tournament.models.screens import Screen
from tournament.models.signed_in import ApiToken, Visit
from tournament.models.signing import Signature
from tournament.models.timetable import TimetableItem
from tournament.models.tournament import LogEntry, Membership, Pass, Publication, Role, Tournament

__all__ = [
    "Absence",
    "Announcement",
    "ApiToken",
    "Appeal",
    "Call",
    "Ceremony",
    "DocumentJob",
    "Final",
    "Hand",
    "LogEntry",
    "Membership",
    "Pass",
    "Phone",
    "Player",
    "Publication",
    "Puzzle",
    "Role",
    "Screen",
    "Seat",
    "Session",
    "Signature",
    "Table",
    "TimetableItem",
    "Tournament",
    "TrialJob",
    "Visit",
    "Wind",
]
