"""Creates an upcoming event with open registration, a waiting list and dues."""

from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Final
from uuid import UUID

from django.db import transaction

from tournament.base.access import Actor
from tournament.base.models.events import EventPage
from tournament.base.models.registration import Question, Registration, RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.demo.generate import PersonName, shuffled_names
from tournament.dues.models import Fee, Payment
from tournament.dues.services import record_payment, set_fees
from tournament.events.services import create_tournament, set_event_page
from tournament.registration.services.admissions import set_plan, set_questions
from tournament.registration.services.registrations import cancel_registration, confirm_registration, register

DAYS_AHEAD: Final = 45
PLACES: Final = 48
REGISTERED: Final = 55
CANCELLED: Final = (5, 23)
PAYS_EVERY: Final = 3
CLUBS: Final = ("Four Winds", "East Wind", "Red Dragon", "")
LANGUAGES: Final = {"CHN": "zh-hans", "TPE": "zh-hant", "HKG": "zh-hant"}
"""Language by country; English elsewhere."""

PAGE: Final = {
    "description": {
        "en": "Two days, five sessions, everybody plays everybody once at most.\n\n"
        "* Saturday: three sessions and a dinner together\n* Sunday: two sessions and the ceremony",
        "zh-hans": "两天五轮，任何两人至多同桌一次。\n\n* 星期六：三轮与晚宴\n* 星期日：两轮与颁奖",
        "zh-hant": "兩天五輪，任何兩人至多同桌一次。\n\n* 星期六：三輪與晚宴\n* 星期日：兩輪與頒獎",
    },
    "fee": {
        "en": "Lunch on both days and coffee are included.",
        "zh-hans": "含两天午餐与咖啡。",
        "zh-hant": "含兩天午餐與咖啡。",
    },
    "address": "Harbour Street 1, Bruges",
    "country": "BEL",
    "referees": "Uma",
    "contact": "open@hule.example",
}


@transaction.atomic
def create_upcoming(organiser: Actor, today: date) -> Tournament:
    """Create an event that begins in six weeks and has more registrations than places."""
    first = today + timedelta(days=DAYS_AHEAD)
    days = {"starts_on": first, "ends_on": first + timedelta(days=1)}
    event = create_tournament(
        organiser, Tournament(name="Harbour Open", venue="The Old Harbour Hall", **days)
    )
    set_event_page(EventPage(tournament=event, **PAGE), organiser)
    set_fees(
        event, organiser, [Fee(name="Player", amount=Decimal(60)), Fee(name="Student", amount=Decimal(30))]
    )
    plan = RegistrationPlan(tournament=event, places=PLACES, waiting_places=20, accepts_itself=True)
    set_plan(plan, organiser)
    set_questions(event, organiser, [Question(kind="yes_no", text={"en": "Do you come to the dinner?"})])
    _register(event, Actor.of(None))
    _pay(event, organiser)
    return event


def _register(event: Tournament, visitor: Actor) -> None:
    random = Random("hule-demo/coming")
    names = shuffled_names(random)
    registrations = [
        register(event, visitor, _registration(number, next(names), random), privacy_read=True)
        for number in range(1, REGISTERED + 1)
    ]
    for registration in registrations:
        confirm_registration(registration, visitor)
    for place in CANCELLED:
        cancel_registration(Registration.objects.get(pk=registrations[place].pk), visitor)


def _registration(number: int, name: PersonName, random: Random) -> Registration:
    country = name.country.code
    return Registration(
        last_name=name.last,
        first_name=name.first,
        country=country,
        email=f"player-{number}@hule.example",
        club=random.choice(CLUBS),
        language=LANGUAGES.get(country, "en"),
        name_shown=random.random() < 0.8,
    )


def _pay(event: Tournament, cashier: Actor) -> None:
    """Pay every third due."""
    for due in list(event.dues.order_by("pk"))[::PAYS_EVERY]:
        payment = Payment(due=due, uuid=UUID(int=due.pk), amount=due.amount, method=Payment.Method.TRANSFER)
        record_payment(payment, cashier)
