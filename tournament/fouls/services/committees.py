"""The committee of an appeal: the chief umpire and two, none of whom took the decision it is against."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused, refuse
from tournament.base.models.appeals import Appeal
from tournament.fouls.selectors.committees import committee_problems
from tournament.play.selectors.records import place_of
from tournament.play.services.fresh import fresh


def name_committee(appeal: Appeal, actor: Actor, members: Collection[Any]) -> Appeal:
    """Three accounts who rule on it from now on, and nobody else; none: whoever may rule on any."""
    access.require(actor, appeal.table.session.tournament, Right.RULE)
    with log.write(appeal.table.session.tournament, actor, "committee_named") as entry:
        appeal = fresh(Appeal.objects.select_related("table__session__tournament", "player"), appeal)
        if appeal.is_ruled:
            raise refuse("appeal_ruled_already")
        if set(members) == set(appeal.committee.all()):
            entry.unchanged()
            return appeal
        if members and (problems := committee_problems(appeal, members)):
            raise Refused(problems)
        appeal.committee.set(members)
        entry.data = place_of(appeal.table) | {
            "appeal": str(appeal.uuid),
            "appellant": appeal.player.number,
            "committee": sorted(member.pk for member in members),
        }
    return appeal
