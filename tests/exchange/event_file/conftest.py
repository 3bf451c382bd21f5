"""An event with rows of every kind, its file, and the problems of a file that is refused."""

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection

from scoring.engine.problems import Problem
from tests.support.closing import players_at
from tests.support.factories import SYSTEM, make_tournament, make_user, play_hands
from tests.support.play import begin, correct_hand_of, end
from tests.support.registrations import confirmed, for_france, make_plan, question
from tournament.base.access import Actor
from tournament.base.engine.entries import DRAW, HandEntry
from tournament.base.engine.finals import Carry
from tournament.base.errors import Refused
from tournament.base.models.people import Person, PersonName
from tournament.base.models.play import Table
from tournament.base.models.tournament import FormerAccount, Role, Tournament
from tournament.dues.models import Fee, Payment
from tournament.dues.services import record_payment, set_due, set_fees
from tournament.events.services import add_event_document
from tournament.exchange.event_file.encoding import digests_of
from tournament.exchange.selectors import serialize_tournament
from tournament.exchange.services import import_tournament
from tournament.exchange.texts import sentence_with_place
from tournament.fouls.services.appeals import open_appeal, rule_appeal
from tournament.fouls.services.penalties import cancel_penalty, give_penalty
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.services import announce
from tournament.people.services import link_players
from tournament.play.engine.statements import Accusation
from tournament.play.services.absences import cancel_absence, record_absence
from tournament.play.services.hands import correct_hand
from tournament.play.services.tables import sign
from tournament.players.services.players import withdraw_player
from tournament.ranking.engine.finals import FinalsOptions, FinalStage
from tournament.ranking.services import publish_standings
from tournament.registration.services.admissions import set_questions
from tournament.screens.models import Ceremony
from tournament.screens.services import start_ceremony
from tournament.seating.services.seatings import set_up_final
from tournament.staff.services import give_role


def empty_installation() -> None:
    """Delete all rows, and shift the primary keys so that imported rows get other ones than before."""
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")
    for number in range(3):
        User.objects.create_user(f"somebody-{number}")
        Person.objects.create(last_name=f"Somebody {number}", key=f"somebody {number}")


def import_elsewhere(content: bytes) -> Tournament:
    """Import a file into an empty installation."""
    empty_installation()
    return import_tournament(content, SYSTEM)


PDF = b"%PDF-1.4 the way to the hall"


def full_event(players: int = 8) -> Tournament:
    """Return an event with three sessions, the last a final, with the owner Odette and the umpire Urs."""
    event = make_tournament(players=players, sessions=3, played=1)
    owner, umpire = make_user("odette", staff=True), make_user("urs")
    give_role(event, SYSTEM, owner, Role.OWNER)
    give_role(event, SYSTEM, umpire)
    _register_and_pay(event, Actor.of(owner))
    _play_eventful_session(event, Actor.of(umpire))
    set_up_final(event, SYSTEM, FinalsOptions(FinalStage(4, 4, Carry.HALF), 1, "x"))
    correct_hand_of(event, session=1)
    end(begin(event, 3))
    publish_standings(event, Actor.of(owner), reason="It is late.")
    start_ceremony(event, Actor.of(owner), Ceremony.Kind.PLAYERS, 3)
    event.refresh_from_db()
    return event


def _register_and_pay(event: Tournament, owner: Actor) -> None:
    """Add registrations, answers, dues, payments, people, an announcement and a document."""
    make_plan(event, places=30, reserved=[for_france(2)])
    questions = [question("yes_no"), question("text", text={"en": "Allergies?"})]
    first, second = set_questions(event, SYSTEM, questions)
    answers = {str(first.pk): True, str(second.pk): "Nuts"}
    set_fees(event, SYSTEM, [Fee(name="Members", amount=Decimal(30))])
    for number in (1, 2, 3):
        registration = confirmed(event, number, answers=answers, message="I come\nlate.")
        due = set_due(event, owner, registration, fee=Fee.objects.get(tournament=event))
        record_payment(Payment(due=due, uuid=uuid4(), amount=Decimal("12.50")), owner)
    ((_, person), _) = link_players(event, owner, {1: None, 2: None})
    PersonName.objects.create(person=person, name="张伟", key="伟 张")
    announce(Announcement(tournament=event, text="Lunch is served."), owner)
    add_event_document(event, owner, "The way", PDF, uuid=uuid4())


def _play_eventful_session(event: Tournament, umpire: Actor) -> None:
    """Play session 2 with an absence, penalties, an appeal, a signature and a withdrawal."""
    tables = begin(event, 2)
    table = tables[0]
    players = players_at(table)
    cancel_absence(record_absence(tables[-1], umpire, players_at(tables[-1])[0], uuid=uuid4()), umpire)
    play_hands(table, 3)
    table.refresh_from_db()
    penalty = give_penalty(table, umpire, Accusation(players[0], "false_hu", 2), uuid=uuid4())
    cancel_penalty(penalty, umpire, reason="It was not.")
    give_penalty(_fresh(table), umpire, Accusation(players[1], "late", details={"minutes": 12}), uuid=uuid4())
    appeal = open_appeal(_fresh(table), umpire, players[2], "That was my tile.", 1, uuid=uuid4())
    rule_appeal(appeal, SYSTEM, granted=True, ruling="So it was.")
    correct_hand(_fresh(table).hands.get(number=1), SYSTEM, HandEntry(DRAW), reason="As ruled.", uuid=uuid4())
    sign(_fresh(table), umpire, players[3])
    withdraw_player(event.players.get(number=players[3]), SYSTEM)
    end([_fresh(table) for table in tables])


def _fresh(table: Table) -> Table:
    return Table.objects.select_related("session__tournament").get(pk=table.pk)


Data = dict[str, Any]
_CONTENT: list[bytes] = []


@pytest.fixture
def content(db: None) -> bytes:
    """Return the file of `full_event`, in an empty installation."""
    if not _CONTENT:
        _CONTENT.append(serialize_tournament(full_event(), contacts=True))
        empty_installation()
    return _CONTENT[0]


@pytest.fixture
def data(content: bytes) -> Data:
    data: Data = json.loads(content)
    return data


def encode_with_digests(data: Data) -> bytes:
    """Return the file with digests computed again, as a forger can."""
    data["digests"] = digests_of(data)
    return json.dumps(data, ensure_ascii=True).encode()


def problem_places(content: bytes) -> list[str]:
    """Return place and code of each problem with which a file is refused."""
    return [f"{problem.where} {problem.code}".strip() for problem in import_problems(content)]


def import_problems(content: bytes) -> Sequence[Problem]:
    """Return the problems with which a file is refused, none if it is imported. A refusal must store nothing."""
    models = (Tournament, FormerAccount, Person)
    before = [model.objects.count() for model in models]
    problems: Sequence[Problem] = ()
    try:
        import_tournament(content, SYSTEM)
    except Refused as refused:
        problems = refused.problems
        after = [model.objects.count() for model in models]
    else:
        after = before
    assert after == before
    assert all(map(sentence_with_place, problems))
    return problems
