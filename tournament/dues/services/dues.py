"""What people owe: given to many at once, by hand to one, and taken back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from uuid import UUID

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.access.rights import Right
from tournament.base.errors import Refused, refuse
from tournament.base.models.people import Player
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.dues.engine import reference
from tournament.dues.models import Due, Fee
from tournament.dues.selectors.dues import Whose, account_of, day_of, fee_for, number_of, without_due
from tournament.dues.selectors.fees import wrong_amount


def give_dues(
    tournament: Tournament, actor: Actor, chosen: Sequence[Whose] | None = None, *, batch: UUID
) -> int:
    """To everybody who has a place and was never asked, or to those chosen of them, what is proposed for their day.

    The same `batch` is the same step. How many it was.
    """
    access.require(actor, tournament, Right.CASH)
    with log.write(tournament, actor, "dues_given") as entry:
        if given := Due.objects.filter(tournament=entry.tournament, batch=batch).count():
            entry.unchanged()
            return given
        if not entry.tournament.fees.exists():
            raise refuse("fees_missing")
        waiting = without_due(entry.tournament)
        asked = waiting if chosen is None else [whose for whose in waiting if whose in chosen]
        if not asked:
            raise refuse("nobody_to_charge")
        made = _given(entry.tournament, asked, batch)
        entry.data = {"dues": len(made)}
    return len(made)


def come_to_owe(tournament: Tournament, registrations: Sequence[Registration]) -> list[Due]:
    """Within the write that gives people a place: what is proposed for the day on which each registered.

    Nothing where nothing is asked of anybody. Who has a due keeps it.
    """
    if not registrations or not tournament.fees.exists():
        return []
    asked = set(Due.objects.filter(registration__in=registrations).values_list("registration", flat=True))
    return _given(tournament, [one for one in registrations if one.pk not in asked], None)


def take_dues_back(tournament: Tournament, actor: Actor, batch: UUID) -> int:
    """The step in which many were asked never was, but for those who have paid meanwhile. How many it was."""
    access.require(actor, tournament, Right.CASH)
    with log.write(tournament, actor, "dues_taken_back") as entry:
        unpaid = Due.objects.filter(tournament=entry.tournament, batch=batch, payments=None)
        count = unpaid.count()
        if not count:
            entry.unchanged()
            return 0
        unpaid.delete()
        entry.data = {"dues": count}
    return count


def set_due(
    tournament: Tournament,
    actor: Actor,
    whose: Whose,
    *,
    fee: Fee | None = None,
    amount: Decimal | None = None,
) -> Due:
    """A category for one person, or an amount of their own (0: free of charge)."""
    access.require(actor, tournament, Right.CASH)
    with log.write(tournament, actor, "dues_set") as entry:
        if fee is not None and fee.tournament_id != tournament.pk:
            raise refuse("no_such_fee", "fee")
        amount = fee.amount if fee is not None and amount is None else amount
        if problems := wrong_amount(amount):
            raise Refused(problems)
        assert amount is not None
        due = _due_of(entry.tournament, whose)
        amount = amount.quantize(Decimal("0.01"))
        if due.pk and (due.fee_id, due.amount) == (fee and fee.pk, amount):
            entry.unchanged()
            return due
        due.fee, due.amount = fee, amount
        _store(due, account_of(entry.tournament).mark)
        entry.data = number_of(due) | {"amount": str(amount)}
    return due


def remove_due(due: Due, actor: Actor) -> None:
    """They are asked for nothing at all; not possible once something was paid. Removing twice is removing once."""
    access.require(actor, due.tournament, Right.CASH)
    with log.write(due.tournament, actor, "dues_removed") as entry:
        found = Due.objects.select_related("registration", "player").filter(pk=due.pk).first()
        if found is None:
            entry.unchanged()
            return
        if found.payments.exists():
            name = (found.registration or found.player).name  # type: ignore[union-attr]
            raise Refused(Problem("due_has_payments", "", {"name": name}))
        entry.data = number_of(found)
        found.delete()


def _given(tournament: Tournament, whose: Iterable[Whose], batch: UUID | None) -> list[Due]:
    fees, mark = list(tournament.fees.all()), account_of(tournament).mark
    made = []
    for one in whose:
        if (fee := fee_for(fees, day_of(one))) is None:
            continue
        due = _due_of(tournament, one)
        due.fee, due.amount, due.batch = fee, fee.amount, batch
        made.append(_store(due, mark))
    return made


def _due_of(tournament: Tournament, whose: Whose) -> Due:
    """Theirs, or a new one. A player who registered has the registration's."""
    if isinstance(whose, Player) and (registered := Registration.objects.filter(player=whose).first()):
        whose = registered
    owner = {"registration": whose} if isinstance(whose, Registration) else {"player": whose}
    known = Due.objects.filter(**owner).first()
    return known or Due(tournament=tournament, amount=Decimal(0), **owner)


def _store(due: Due, mark: str) -> Due:
    """With the reference that banks are told, made once of the key: shared with no other due of this installation."""
    due.save()
    if not due.reference:
        # What came with a file keeps what people were told: another installation numbered it.
        number, taken = due.pk, Due.objects.filter(reference__isnull=False)
        while taken.filter(reference=reference(f"{mark}{number:06}")).exists():
            number += 1_000_000
        due.reference = reference(f"{mark}{number:06}")
        due.save(update_fields=["reference"])
    return due
