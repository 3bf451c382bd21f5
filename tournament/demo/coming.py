"""An event to come: announced, with registration open, a waiting list and dues, so that those rooms are not empty."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Final
from uuid import UUID

from django.db import transaction

from tournament.base.access import Actor
from tournament.base.event_words import EventWords
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.demo.generate import Name, everybody
from tournament.dues.models import Payment
from tournament.dues.selectors import AccountWish, FeeWish, Paid
from tournament.dues.services import note_payment, set_account, set_fees
from tournament.events.selectors import Particulars
from tournament.events.services import create_tournament, set_event_page
from tournament.registration.selectors.plan import PlanWish, QuestionWish
from tournament.registration.selectors.registrations import Applicant
from tournament.registration.services.admissions import set_plan, set_questions
from tournament.registration.services.registrations import cancel_registration, confirm_registration, register

DAYS_AHEAD: Final = 45
PLACES: Final = 48
REGISTERED: Final = 58
UNCONFIRMED: Final = 3
"""The last of them: they have not opened their letter yet."""
CANCELLED: Final = (5, 23)
PAYS_EVERY: Final = 3
CLUBS: Final = ("Four Winds", "East Wind", "Red Dragon", "")
LANGUAGES: Final = {"CHN": "zh-hans", "TPE": "zh-hant", "HKG": "zh-hant"}
"""Country → what its people read; the others English."""

WORDS: Final = EventWords(
    description={
        "en": "Two days, five sessions, everybody plays everybody once at most.\n\n"
        "* Saturday: three sessions and a dinner together\n* Sunday: two sessions and the ceremony",
        "zh-hans": "两天五轮，任何两人至多同桌一次。\n\n* 星期六：三轮与晚宴\n* 星期日：两轮与颁奖",
        "zh-hant": "兩天五輪，任何兩人至多同桌一次。\n\n* 星期六：三輪與晚宴\n* 星期日：兩輪與頒獎",
    },
    fee={
        "en": "Lunch on both days and coffee are included.",
        "zh-hans": "含两天午餐与咖啡。",
        "zh-hant": "含兩天午餐與咖啡。",
    },
    address="Harbour Street 1, Bruges",
    country="BEL",
    referees="Uma",
    contact="open@hule.example",
)


@transaction.atomic
def make_coming(organiser: Actor, today: date, *, site: str = "") -> Tournament:
    """One that begins in six weeks and has more people than places. `site`: what links in its letters begin with."""
    first = today + timedelta(days=DAYS_AHEAD)
    event = create_tournament(
        organiser, Particulars("Harbour Open", "The Old Harbour Hall", first, first + timedelta(days=1))
    )
    set_event_page(event, organiser, WORDS)
    set_fees(event, organiser, [FeeWish("Player", Decimal(60)), FeeWish("Student", Decimal(30))])
    set_account(event, organiser, AccountWish("EUR"))
    plan = PlanWish(places=PLACES, waiting_places=20, accepts_itself=True)
    set_plan(event, organiser, plan, site=site)
    set_questions(event, organiser, [QuestionWish("yes_no", {"en": "Do you come to the dinner?"})])
    _register(event, Actor.of(None))
    _pay(event, organiser)
    return event


def _register(event: Tournament, visitor: Actor) -> None:
    random = Random("hule-demo/coming")
    names = everybody(random)
    registrations = [
        register(event, visitor, _applicant(number, next(names), random), privacy_read=True)
        for number in range(1, REGISTERED + 1)
    ]
    for registration in registrations[:-UNCONFIRMED]:
        confirm_registration(registration, visitor)
    for place in CANCELLED:
        cancel_registration(Registration.objects.get(pk=registrations[place].pk), visitor)


def _applicant(number: int, name: Name, random: Random) -> Applicant:
    country = name.people.country
    return Applicant(
        name.last,
        name.first,
        country,
        email=f"player-{number}@hule.example",
        club=random.choice(CLUBS),
        language=LANGUAGES.get(country, "en"),
        name_shown=random.random() < 0.8,
    )


def _pay(event: Tournament, cashier: Actor) -> None:
    """A third of those who owe has paid."""
    for due in list(event.dues.order_by("pk"))[::PAYS_EVERY]:
        paid = Paid(due.amount, Payment.Method.TRANSFER)
        note_payment(due, cashier, paid, uuid=UUID(int=due.pk))
