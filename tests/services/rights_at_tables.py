"""What is done at a table: the card that lies there records, a person judges."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from penalties.models import Penalty
from tests.services.rights import AT_TABLE, EVERYBODY, JUDGES, RULERS, Call, Service, after, may, on
from tests.services.scene import Scene
from tests.support.factories import SYSTEM, wash_out, win
from tournament.access import Actor
from tournament.engine.statements import Accusation, Objection
from tournament.engine.totals import TotalsEntry
from tournament.models import Absence, Hand, Table, Totals
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


def _own_hand(at: Scene) -> Call:
    hand = at.hand()

    def call(service: Service, actor: Actor) -> object:
        Hand.objects.filter(pk=hand.pk).update(recorded_by=actor.user)
        return service(hand, actor)

    return call


def _own_penalty(at: Scene) -> Call:
    penalty = at.penalty()

    def call(service: Service, actor: Actor) -> object:
        Penalty.objects.filter(pk=penalty.pk).update(given_by=actor.user)
        return service(penalty, actor, reason="A slip")

    return call


def _points(at: Scene, east: int = 30) -> TotalsEntry:
    return TotalsEntry(dict(zip(at.seated, (east, 0, -10), strict=False)))


def _with_totals(at: Scene) -> Table:
    totals.enter_totals(at.table, SYSTEM, _points(at), uuid=uuid4())
    return at.table


def _read_twice(at: Scene) -> Table:
    second_readings.read_again(_with_totals(at), SYSTEM, _points(at, 20), uuid=uuid4())
    return at.table


def _absence(at: Scene) -> Absence:
    return absences.note_absence(at.table, SYSTEM, at.seated[0], uuid=uuid4())


def _long_away(at: Scene) -> Table:
    """East has been missing for an hour, since the session began."""
    session, start = at.session(2), timezone.now() - timedelta(hours=1)
    session.started_at = start
    session.save()
    absences.note_absence(at.table, SYSTEM, at.seated[0], uuid=uuid4(), since=start)
    return at.table


may(EVERYBODY, {calls.raise_call: lambda at: on(at.table, "tiles")})
may(
    AT_TABLE,
    {
        hands.record_hand: lambda at: on(
            at.table, wash_out(), number=at.table.hands_played + 1, uuid=uuid4()
        ),
        hands.undo_hand: _own_hand,
        totals.enter_totals: lambda at: on(at.table, _points(at), uuid=uuid4()),
        second_readings.read_again: lambda at: on(_with_totals(at), _points(at, 20), uuid=uuid4()),
        penalties.give_penalty: lambda at: on(
            at.table, Accusation(at.seated[0], "false_hu", 1), uuid=uuid4()
        ),
        penalties.undo_penalty: _own_penalty,
        absences.note_absence: lambda at: on(at.table, at.seated[0], uuid=uuid4()),
        absences.note_arrival: lambda at: on(_absence(at)),
        absences.seat_player_again: lambda at: after(
            absences.seat_stand_in(at.table, SYSTEM, at.seated[0], "Kim"), on(at.table, at.seated[0])
        ),
        appeals.open_appeal: lambda at: on(at.table, Objection(at.seated[0], "No."), uuid=uuid4()),
        tables.hand_in: lambda at: after(at.hand(), on(at.table)),
        signing.sign: lambda at: after(at.hand(), on(at.table, at.seated[0])),
        signing.take_signature_back: lambda at: after(
            (at.hand(), signing.sign(at.table, SYSTEM, at.seated[0])), on(at.table, at.seated[0])
        ),
    },
)
may(
    JUDGES,
    {
        hands.correct_hand: lambda at: on(at.hand(), win(at.seated[0]), reason="Misheard", uuid=uuid4()),
        totals.correct_totals: lambda at: on(
            _with_totals(at), _points(at, 20), reason="Misread", uuid=uuid4()
        ),
        totals.set_totals_aside: lambda at: on(_with_totals(at), reason="The wrong table"),
        second_readings.settle_totals: lambda at: on(_read_twice(at), Totals.Settled.SECOND, uuid=uuid4()),
        penalties.cancel_penalty: lambda at: on(at.penalty(), reason="It was the neighbour"),
        tables.reopen: lambda at: after((at.hand(), tables.hand_in(at.table, SYSTEM)), on(at.table)),
        timing.set_extra_time: lambda at: on(at.table, 5, reason="A tile"),
        absences.begin_without: lambda at: on(_absence(at), "The train is late"),
        absences.take_absence_back: lambda at: on(_absence(at)),
        absences.seat_stand_in: lambda at: on(_long_away(at), at.seated[0], "Kim"),
        calls.take_call: lambda at: on(at.call()),
        calls.end_call: lambda at: on(at.call()),
    },
)
may(
    RULERS,
    {
        rulings.rule_appeal: lambda at: on(at.appeal(), granted=False, ruling="The hand stands."),
        rulings.waive_ruling: lambda at: on(
            rulings.rule_appeal(at.appeal(), SYSTEM, granted=True, ruling="It was not won."),
            because="The players agreed",
        ),
        committees.name_committee: lambda at: on(
            at.appeal(), [at.member(name) for name in ("chiara", "ute", "olga")]
        ),
    },
)
