"""Ruling on an appeal, and what becomes of one that is granted."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.utils import timezone

from penalties.models import Penalty
from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import Refused, refuse
from tournament.base.models.appeals import Appeal
from tournament.base.models.play import Table
from tournament.fouls.selectors.appeals import is_met
from tournament.fouls.selectors.committees import concerned, is_among, require_ruling_on
from tournament.play.selectors.records import place_of
from tournament.play.services.fresh import fresh


def rule_appeal(appeal: Appeal, actor: Actor, *, granted: bool, ruling: str, alone: str = "") -> Appeal:
    """Decide an appeal, with a text. Ruled once: whoever comes second is told.

    The committee rules where one was named, by any of its members for all of them; else the chief umpire, and where
    none is, who judges at that table. Nobody rules on a decision of their own, nor at a table they play at; an
    organiser may, saying why there is nobody else (`alone`). A granted one stays open until it is carried out or
    waived.
    """
    require_ruling_on(actor, appeal)
    with log.write(appeal.table.session.tournament, actor, "appeal_ruled") as entry:
        appeal = _fresh(appeal)
        if appeal.is_ruled:
            raise refuse("appeal_ruled_already")
        own = is_among(actor, concerned(appeal))
        if own and not access.can_organise(actor, entry.tournament):
            raise refuse("ruled_by_who_decided")
        if problems := [
            *_wordless("ruling_missing", "ruling", ruling),
            *(_unexplained(alone) if own else ()),
        ]:
            raise Refused(problems)
        appeal.granted, appeal.ruling = granted, ruling.strip()
        appeal.ruled_at, appeal.ruled_by = timezone.now(), actor.user
        appeal.alone_because = alone.strip() if own else ""
        appeal.save(update_fields=["granted", "ruling", "ruled_at", "ruled_by", "alone_because"])
        entry.data = _about(appeal) | {"granted": granted, "text": appeal.ruling}
        if committee := sorted(appeal.committee.values_list("pk", flat=True)):
            entry.data["committee"] = committee
        if appeal.alone_because:
            entry.data["alone_because"] = appeal.alone_because
        if granted and is_met(appeal):
            entry.data |= _carried_out(appeal.table, actor, Q(pk=appeal.pk))
            appeal.refresh_from_db()
    return appeal


def waive_ruling(appeal: Appeal, actor: Actor, *, because: str) -> Appeal:
    """A granted appeal after which nothing is changed, or something else was done: `because` says which."""
    require_ruling_on(actor, appeal)
    with log.write(appeal.table.session.tournament, actor, "ruling_waived") as entry:
        appeal = _fresh(appeal)
        if not appeal.is_pending:
            raise refuse("nothing_to_carry_out")
        if problems := _wordless("waiver_reason_missing", "because", because):
            raise Refused(problems)
        appeal.settled_as, appeal.settled_because = Appeal.Settled.WAIVED, because.strip()
        appeal.settled_at, appeal.settled_by = timezone.now(), actor.user
        appeal.save(update_fields=["settled_as", "settled_because", "settled_at", "settled_by"])
        entry.data = _about(appeal) | {"reason": appeal.settled_because}
    return appeal


def carry_out_for_hand(table: Table, actor: Actor, number: int) -> dict[str, Any]:
    """The hand was recorded otherwise: what was granted against it is carried out. For the log of that write."""
    return _carried_out(table, actor, Q(hand_number=number))


def carry_out_for_penalty(penalty: Penalty, actor: Actor) -> dict[str, Any]:
    """The penalty was cancelled: likewise."""
    return _carried_out(penalty.table, actor, Q(penalty=penalty))


def _carried_out(table: Table, actor: Actor, which: Q) -> dict[str, Any]:
    pending = Appeal.objects.filter(which, table=table, granted=True, settled_at=None)
    uuids = [str(uuid) for uuid in pending.order_by("pk").values_list("uuid", flat=True)]
    if not uuids:
        return {}
    pending.update(settled_as=Appeal.Settled.CARRIED_OUT, settled_at=timezone.now(), settled_by=actor.user)
    return {"rulings_carried_out": uuids}


def _fresh(appeal: Appeal) -> Appeal:
    return fresh(Appeal.objects.select_related("table__session__tournament", "player", "penalty"), appeal)


def _wordless(code: str, where: str, text: str) -> tuple[Problem, ...]:
    return () if text.strip() else (Problem(code, where),)


def _unexplained(alone: str) -> tuple[Problem, ...]:
    return _wordless("alone_because_missing", "alone", alone)


def _about(appeal: Appeal) -> dict[str, Any]:
    return place_of(appeal.table) | {"appeal": str(appeal.uuid), "appellant": appeal.player.number}
