"""Creates an upcoming event with open registration, a waiting list and dues."""

from collections.abc import Callable, Sequence
from datetime import datetime, time, timedelta
from decimal import Decimal
from functools import partial
from random import Random
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from tournament.base.access import Actor
from tournament.base.models.events import EventPage, TimetableItem
from tournament.base.models.registration import Question, Registration, RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.demo.generate import MINUTES
from tournament.demo.pace import planned_starts
from tournament.demo.people import InventedPerson, invent_people
from tournament.demo.playing import at, timetable_items
from tournament.dues.models import Fee, Payment
from tournament.dues.selectors import ledger_of_registration
from tournament.dues.services import record_payment, set_fees
from tournament.events.services import create_tournament, set_event_page, set_timetable
from tournament.registration.services.admissions import set_plan, set_questions
from tournament.registration.services.registrations import cancel_registration, confirm_registration, register

ZONE: Final = ZoneInfo("Europe/Brussels")
WEEKS_AHEAD: Final = 6
OPEN_FOR: Final = timedelta(days=38)
"""How long registration has been open."""
PLACES: Final = 48
REGISTERED: Final = 55
CANCELLED: Final = (5, 23)
PAYING: Final = 0.7
"""Share of those with a place who pay within ten days."""
LANGUAGES: Final = {"CHN": "zh-hans", "TWN": "zh-hant", "HKG": "zh-hant"}
"""Language by country; English elsewhere."""

PAGE: Final = {
    "description": {
        "en": "Two days, five sessions; nobody meets the same opponent twice.\n\n"
        "* Saturday: three sessions and a dinner together\n* Sunday: two sessions and the ceremony\n\n"
        "Lunch on both days and coffee are included.",
        "zh-hans": "两天五轮，任何两人至多同桌一次。\n\n* 星期六：三轮与晚宴\n* 星期日：两轮与颁奖\n\n"
        "含两天午餐与咖啡。",
        "zh-hant": "兩天五輪，任何兩人至多同桌一次。\n\n* 星期六：三輪與晚宴\n* 星期日：兩輪與頒獎\n\n"
        "含兩天午餐與咖啡。",
    },
    "address": "Havenstraat 1, 8000 Brugge",
    "country": "BEL",
    "referees": "Jérôme Vidal",
    "contact": "open@hule.example",
}
QUESTIONS: Final = (
    (
        "yes_no",
        {"en": "Are you coming to the dinner?", "zh-hans": "您参加晚宴吗？", "zh-hant": "您參加晚宴嗎？"},
    ),
    (
        "text",
        {"en": "Where are you travelling from?", "zh-hans": "您从哪里出发？", "zh-hant": "您從哪裡出發？"},
    ),
)
SESSIONS: Final = 5


@transaction.atomic
def create_upcoming(organiser: Actor, now: datetime) -> Tournament:
    """Create an event in six weeks with more registrations than places, in the active language."""
    opens = timezone.localtime(now - OPEN_FOR, ZONE).replace(hour=12, minute=0, second=0, microsecond=0)
    with at(now - OPEN_FOR - timedelta(days=12)):
        event = _announce(organiser, now)
    with at(opens - timedelta(days=2)):
        fees = [Fee(name=_("Player"), amount=Decimal(60)), Fee(name=_("Student"), amount=Decimal(30))]
        set_fees(event, organiser, fees)
        plan = RegistrationPlan(
            tournament=event, opens_at=opens, places=PLACES, waiting_places=20, accepts_automatically=True
        )
        set_plan(plan, organiser)
        questions = [Question(kind=kind, text=text) for kind, text in QUESTIONS]
        questions = set_questions(event, organiser, questions)
    _register(event, organiser, questions, opens, now)
    return event


def _announce(organiser: Actor, now: datetime) -> Tournament:
    """Create the event with its page and timetable."""
    today = timezone.localdate(now, ZONE)
    monday = today + timedelta(days=7 - today.weekday(), weeks=WEEKS_AHEAD)
    starts = planned_starts(SESSIONS, MINUTES, datetime.combine(monday, time()), None)
    event = create_tournament(
        organiser,
        Tournament(
            name="Harbour Open",
            venue="Havenzaal, Brugge",
            time_zone=ZONE.key,
            starts_on=starts[0].date(),
            ends_on=starts[-1].date(),
            sessions_planned=SESSIONS,
            minutes=MINUTES,
        ),
    )
    set_event_page(EventPage(tournament=event, **PAGE), organiser)
    dinner = TimetableItem(tournament=event, title=_("Dinner"), day=starts[0].date(), starts=time(19, 30))
    set_timetable(event, organiser, [*timetable_items(event, tuple(starts)), dinner])
    return event


def _register(
    event: Tournament, organiser: Actor, questions: Sequence[Question], opens: datetime, now: datetime
) -> None:
    """Register people over the weeks, most of them in the first; some cancel, many pay some days later."""
    random, visitor = Random("hule-demo/coming"), Actor.of(None)
    players, students = event.fees.all()
    writes: list[tuple[datetime, Callable[[], object]]] = []
    for number, person in enumerate(invent_people(random, REGISTERED, home="NLD")):
        registration = _registration(number, person, questions, random)
        fee = students if number % 6 == 5 else players
        moment = _by_day(opens + (now - opens) * ((number + random.random()) / REGISTERED) ** 2)
        writes += [
            (moment, partial(register, event, visitor, registration, privacy_read=True, fee=fee)),
            (
                moment + timedelta(minutes=random.randint(2, 40)),
                partial(confirm_registration, registration, visitor),
            ),
        ]
        if number in CANCELLED:
            writes.append((moment + timedelta(days=6), partial(cancel_registration, registration, visitor)))
        elif random.random() < PAYING:
            paid = _by_day(moment + timedelta(days=random.uniform(1, 10)))
            writes.append((paid, partial(_pay, registration, organiser)))
    for moment, write in sorted(writes, key=lambda write: write[0]):
        if moment <= now:
            with at(moment):
                write()


def _by_day(moment: datetime) -> datetime:
    """Move a moment of the night to the evening before."""
    return moment - timedelta(hours=8) if timezone.localtime(moment, ZONE).hour < 8 else moment


def _registration(
    number: int, person: InventedPerson, questions: Sequence[Question], random: Random
) -> Registration:
    dinner, city = (str(question.pk) for question in questions)
    mailbox = slugify(f"{person.first_name} {person.last_name}").replace("-", ".") or "player"
    return Registration(
        last_name=person.last_name,
        first_name=person.first_name,
        country=person.club.country,
        ema_number=person.ema_number,
        email=f"{mailbox}.{number + 1}@hule.example",
        club=person.club.name,
        answers={dinner: random.random() < 0.7, city: person.club.city},
        language=LANGUAGES.get(person.club.country, "en"),
        name_shown=random.random() < 0.8,
    )


def _pay(registration: Registration, cashier: Actor) -> None:
    """Pay what is owed, if the registration has a place by now."""
    ledger = ledger_of_registration(registration)
    if ledger is not None and ledger.balance.open > 0:
        due = ledger.due
        today = timezone.localdate(timezone=ZONE)  # the server's may be tomorrow
        payment = Payment(due=due, uuid=UUID(int=due.pk), amount=due.amount, method="transfer", on=today)
        record_payment(payment, cashier)
