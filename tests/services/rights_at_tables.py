"""What is done at a table: the card that lies there records, a person judges."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.utils import timezone

from tests.services.rights import AT_TABLE, EVERYBODY, JUDGES, RULERS, Deed, right, simply
from tests.services.scene import Scene
from tests.support.factories import SYSTEM, win
from tournament.access import Actor
from tournament.engine.statements import Objection
from tournament.engine.totals import TotalsEntry
from tournament.models import Totals
from tournament.services import (
    absences,
    appeals,
    calls,
    committees,
    hands,
    penalties,
    rulings,
    second_readings,
    signing,
    tables,
    timing,
    totals,
)

simply("hands.record_hand", AT_TABLE, lambda at, actor: at.hand(actor))
simply("totals.enter_totals", AT_TABLE, lambda at, actor: _typed(at, actor))
simply("penalties.give_penalty", AT_TABLE, lambda at, actor: at.penalty(actor))
simply(
    "absences.note_absence",
    AT_TABLE,
    lambda at, actor: absences.note_absence(at.table, actor, at.seated[0], uuid=uuid4()),
)
simply(
    "appeals.open_appeal",
    AT_TABLE,
    lambda at, actor: appeals.open_appeal(at.table, actor, Objection(at.seated[0], "No."), uuid=uuid4()),
)
simply("calls.raise_call", EVERYBODY, lambda at, actor: calls.raise_call(at.table, actor, "tiles"))
simply(
    "timing.set_extra_time",
    JUDGES,
    lambda at, actor: timing.set_extra_time(at.table, actor, 5, reason="A tile"),
)


@right("hands.correct_hand", JUDGES)
def _correct(at: Scene) -> Deed:
    hand, winner = at.hand(), at.seated[0]
    return lambda actor: hands.correct_hand(hand, actor, win(winner), reason="Misheard", uuid=uuid4())


def _read(at: Scene, east: int = 30) -> TotalsEntry:
    return TotalsEntry(dict(zip(at.seated, (east, 0, -10), strict=False)))


def _typed(at: Scene, actor: Actor = SYSTEM) -> Totals:
    return totals.enter_totals(at.table, actor, _read(at), uuid=uuid4())


@right("totals.correct_totals", JUDGES)
def _correct_totals(at: Scene) -> Deed:
    _typed(at)
    return lambda actor: totals.correct_totals(at.table, actor, _read(at, 20), reason="Misread", uuid=uuid4())


@right("totals.set_totals_aside", JUDGES)
def _set_aside(at: Scene) -> Deed:
    _typed(at)
    return lambda actor: totals.set_totals_aside(at.table, actor, reason="The wrong table")


@right("second_readings.read_again", AT_TABLE)
def _read_again(at: Scene) -> Deed:
    _typed(at)
    return lambda actor: second_readings.read_again(at.table, actor, _read(at, 20), uuid=uuid4())


@right("second_readings.settle_totals", JUDGES)
def _settle(at: Scene) -> Deed:
    _typed(at)
    second_readings.read_again(at.table, SYSTEM, _read(at, 20), uuid=uuid4())
    second = Totals.Settled.SECOND
    return lambda actor: second_readings.settle_totals(at.table, actor, second, uuid=uuid4())


@right("hands.undo_hand", AT_TABLE)
def _undo(at: Scene) -> Deed:
    hand = at.hand()

    def deed(actor: Actor) -> object:
        type(hand).objects.filter(pk=hand.pk).update(recorded_by=actor.user)
        return hands.undo_hand(hand, actor)

    return deed


@right("penalties.undo_penalty", AT_TABLE)
def _undo_penalty(at: Scene) -> Deed:
    penalty = at.penalty()

    def deed(actor: Actor) -> object:
        type(penalty).objects.filter(pk=penalty.pk).update(given_by=actor.user)
        return penalties.undo_penalty(penalty, actor, reason="A slip")

    return deed


@right("penalties.cancel_penalty", JUDGES)
def _cancel(at: Scene) -> Deed:
    penalty = at.penalty()
    return lambda actor: penalties.cancel_penalty(penalty, actor, reason="It was the neighbour")


@right("tables.hand_in", AT_TABLE)
def _hand_in(at: Scene) -> Deed:
    at.hand()
    return lambda actor: tables.hand_in(at.table, actor)


@right("tables.reopen", JUDGES)
def _reopen(at: Scene) -> Deed:
    at.hand()
    tables.hand_in(at.table, SYSTEM)
    return lambda actor: tables.reopen(at.table, actor)


@right("signing.sign", AT_TABLE)
def _sign(at: Scene) -> Deed:
    at.hand()
    return lambda actor: signing.sign(at.table, actor, at.seated[0])


@right("signing.take_signature_back", AT_TABLE)
def _unsign(at: Scene) -> Deed:
    at.hand()
    signing.sign(at.table, SYSTEM, at.seated[0])
    return lambda actor: signing.take_signature_back(at.table, actor, at.seated[0])


def _absence(at: Scene) -> Any:
    return absences.note_absence(at.table, SYSTEM, at.seated[0], uuid=uuid4())


@right("absences.note_arrival", AT_TABLE)
def _arrive(at: Scene) -> Deed:
    absence = _absence(at)
    return lambda actor: absences.note_arrival(absence, actor)


@right("absences.begin_without", JUDGES)
def _begin(at: Scene) -> Deed:
    absence = _absence(at)
    return lambda actor: absences.begin_without(absence, actor, "The train is late")


@right("absences.take_absence_back", JUDGES)
def _take_back(at: Scene) -> Deed:
    absence = _absence(at)
    return lambda actor: absences.take_absence_back(absence, actor)


def _is_long_away(at: Scene) -> int:
    player = at.seated[0]
    start = timezone.now() - timedelta(hours=1)
    type(at.session(2)).objects.filter(pk=at.session(2).pk).update(started_at=start)
    absences.note_absence(at.table, SYSTEM, player, uuid=uuid4(), since=start)
    return player


@right("absences.seat_stand_in", JUDGES)
def _stand_in(at: Scene) -> Deed:
    player = _is_long_away(at)
    return lambda actor: absences.seat_stand_in(at.table, actor, player, "Kim")


@right("absences.seat_player_again", AT_TABLE)
def _again(at: Scene) -> Deed:
    player = at.seated[0]
    absences.seat_stand_in(at.table, SYSTEM, player, "Kim")
    return lambda actor: absences.seat_player_again(at.table, actor, player)


@right("calls.take_call", JUDGES)
def _take(at: Scene) -> Deed:
    call = at.call()
    return lambda actor: calls.take_call(call, actor)


@right("calls.end_call", JUDGES)
def _end(at: Scene) -> Deed:
    call = at.call()
    return lambda actor: calls.end_call(call, actor)


@right("rulings.rule_appeal", RULERS)
def _rule(at: Scene) -> Deed:
    appeal = at.appeal()
    return lambda actor: rulings.rule_appeal(appeal, actor, granted=False, ruling="The hand stands.")


@right("rulings.waive_ruling", RULERS)
def _waive(at: Scene) -> Deed:
    appeal = rulings.rule_appeal(at.appeal(), SYSTEM, granted=True, ruling="It was not won.")
    return lambda actor: rulings.waive_ruling(appeal, actor, because="The players agreed")


@right("committees.name_committee", RULERS)
def _committee(at: Scene) -> Deed:
    appeal = at.appeal()
    members = [at.member("chiara"), at.member("ute"), at.member("olga")]
    return lambda actor: committees.name_committee(appeal, actor, members)
