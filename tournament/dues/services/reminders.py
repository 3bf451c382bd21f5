"""Asking for what is still to be paid."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID, uuid5

from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.access.rights import Right
from tournament.base.engine.money import Money
from tournament.base.errors import refuse
from tournament.base.models.tournament import Tournament
from tournament.dues.engine import grouped
from tournament.dues.selectors.dues import Owes, to_remind
from tournament.messages.mail.post import post
from tournament.registration.selectors.links import link_of


def remind(tournament: Tournament, actor: Actor, dues: Collection[int], *, uuid: UUID) -> int:
    """A letter to each of these who owes and has an address; how many. The same UUID writes nobody twice."""
    access.require(actor, tournament, Right.CASH)
    with log.write(tournament, actor, "dues_reminded") as entry:
        chosen = [one for one in to_remind(entry.tournament)[0] if one.due.pk in dues]
        if not chosen:
            raise refuse("nobody_to_remind")
        known = set(
            entry.tournament.mails.filter(key__in=[_key(uuid, one) for one in chosen]).values_list(
                "key", flat=True
            )
        )
        fresh = [one for one in chosen if _key(uuid, one) not in known]
        if not fresh:
            entry.unchanged()
            return len(chosen)
        for one in fresh:
            _write(one, uuid)
        entry.data = {"letters": len(fresh)}
    return len(fresh)


def _key(uuid: UUID, one: Owes) -> UUID:
    return uuid5(uuid, str(one.due.pk))


def _write(one: Owes, uuid: UUID) -> None:
    registration = one.due.registration
    assert registration is not None, "who has an address has registered"
    facts = {
        "name": registration.name,
        "open": Money(one.balance.open, one.account.currency),
        "holder": one.account.holder,
        "iban": grouped(one.account.iban),
        "reference": grouped(one.due.reference or "") if one.account.iban else "",
        "pay_link": one.account.link,
        "link": link_of(registration),
    }
    post(
        "payment_reminder",
        registration.email,
        registration.language,
        facts,
        tournament=one.due.tournament,
        registration=registration,
        key=_key(uuid, one),
    )
