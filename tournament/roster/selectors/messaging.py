"""Who a message goes to, who it does not reach, and the text that each gets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from django.conf import settings
from django.db.models import QuerySet

from scoring.engine.problems import Problem
from scoring.texts import folded
from tournament.base.access import Right
from tournament.base.models.people import Player
from tournament.base.models.play import Seat
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import registration_url
from tournament.base.validation import problems_of
from tournament.dues.selectors import Ledger, owing_ledgers, payment_facts
from tournament.messages.mail.models import LetterText
from tournament.messages.mail.outbox import render_letter
from tournament.messages.mail.selectors import placeholder_problems, text_of
from tournament.messages.mail.texts import LETTERS, Letter
from tournament.roster.engine import Addressees, Group

State = Registration.State
STATES: Final = {Group.WAITING: State.WAITING, Group.TO_REVIEW: State.PENDING}
Texts = Mapping[str, LetterText]
"""Language → the text, the first being for everybody whose language has none."""


class Reach(Enum):
    """Whether an e-mail reaches somebody."""

    MAIL = "mail"
    DECLINED = "declined"
    NO_ADDRESS = "no_address"


@dataclass(frozen=True)
class Recipient:
    """Somebody of the group. `reach`: whether by e-mail; `ledger`: what they owe, if the message is about that."""

    name: str
    registration: Registration | None
    reach: Reach
    ledger: Ledger | None = None

    @property
    def email(self) -> str:
        return self.registration.email if self.registration else ""

    @property
    def language(self) -> str:
        return self.registration.language if self.registration else ""

    def facts(self) -> dict[str, object]:
        link = registration_url(self.registration) if self.registration else ""
        return {"name": self.name, "link": link, **payment_facts(self.ledger)}


def right_for(addressees: Addressees) -> Right:
    """Return the right that writing to this group needs: what somebody owes is for those who see the accounts."""
    return Right.CASH if addressees.group is Group.OWING else Right.ADMIT


def letter_for(addressees: Addressees) -> Letter:
    return LETTERS["payment_reminder" if addressees.group is Group.OWING else "message"]


def groups_of(tournament: Tournament) -> list[Addressees]:
    """Return the groups of this event: the fixed ones, then each session with seats."""
    sessions = Seat.objects.filter(table__session__tournament=tournament)
    numbers = sessions.order_by("table__session__number").values_list("table__session__number", flat=True)
    fixed = [Addressees(group) for group in Group if group is not Group.SESSION]
    return fixed + [Addressees(Group.SESSION, number) for number in numbers.distinct()]


def recipients_of(tournament: Tournament, addressees: Addressees) -> list[Recipient]:
    """Return the people of the group, by name, each once."""
    if addressees.group is Group.OWING:
        people = [
            _recipient(ledger.name, ledger.due.registration, ledger) for ledger in owing_ledgers(tournament)
        ]
    elif state := STATES.get(addressees.group):
        registrations = tournament.registrations.filter(state=state, erased_at=None)
        people = [_recipient(registration.name, registration) for registration in registrations]
    elif addressees.group is Group.SESSION:
        people = [_recipient_who_plays(player) for player in _seated(tournament, addressees)]
    else:
        accepted = tournament.registrations.filter(state=State.ACCEPTED, player=None, erased_at=None)
        playing = _players(tournament).filter(withdrawn_at=None, is_substitute=False)
        people = [_recipient(registration.name, registration) for registration in accepted]
        people += [_recipient_who_plays(player) for player in playing]
    for person in people:
        if person.registration is not None:
            person.registration.tournament = tournament
    return sorted(people, key=lambda person: folded(person.name))


def _players(tournament: Tournament) -> QuerySet[Player]:
    return tournament.players.select_related("registration")


def _seated(tournament: Tournament, addressees: Addressees) -> QuerySet[Player]:
    seats = Seat.objects.filter(
        table__session__tournament=tournament, table__session__number=addressees.session or 0
    )
    if addressees.table is not None:
        seats = seats.filter(table__number=addressees.table)
    return _players(tournament).filter(pk__in=seats.values("player"))


def _recipient_who_plays(player: Player) -> Recipient:
    return _recipient(player.name, getattr(player, "registration", None))


def _recipient(name: str, registration: Registration | None, ledger: Ledger | None = None) -> Recipient:
    """Return the recipient; a reminder of a payment reaches also who declines general messages."""
    if registration is None or not registration.email:
        reach = Reach.NO_ADDRESS
    elif registration.declines_messages and ledger is None:
        reach = Reach.DECLINED
    else:
        reach = Reach.MAIL
    return Recipient(name, registration, reach, ledger)


def languages_of(tournament: Tournament) -> list[str]:
    """Return the languages in which people registered; the site's own without any."""
    known = set(tournament.registrations.values_list("language", flat=True).distinct())
    return [code for code, _name in settings.LANGUAGES if code in known] or [settings.LANGUAGE_CODE]


def usual_texts(tournament: Tournament, addressees: Addressees) -> dict[str, LetterText]:
    """Return the text to begin with in each language of the event."""
    letter = letter_for(addressees)
    return {language: text_of(letter, language, tournament) for language in languages_of(tournament)}


def text_for(recipient: Recipient, texts: Texts) -> LetterText:
    """Return the text in the recipient's language, else the first one."""
    return texts.get(recipient.language) or next(iter(texts.values()))


def text_problems(own: LetterText) -> list[Problem]:
    """Return the problems of a text, each with its language: "text_en"."""
    problems = [*problems_of(own, exclude=["tournament", "letter"]), *placeholder_problems(own)]
    return [problem.at(f"{problem.where}_{own.language}") for problem in problems]


def letters_to(tournament: Tournament, people: Sequence[Recipient], texts: Texts) -> list[dict[str, object]]:
    """Return what each would read."""
    letters = []
    for person in people:
        own = text_for(person, texts)
        subject, text = render_letter(own, person.facts(), tournament)
        letters.append({"recipient": person, "subject": subject, "text": text, "language": own.language})
    return letters
