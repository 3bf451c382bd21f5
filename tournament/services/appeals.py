"""Opening an appeal at a table, and ruling on it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone

from scoring.engine.problems import Problem
from tournament import access, log
from tournament.access import Actor
from tournament.clock import appeals_until, is_final
from tournament.engine.rotation import HANDS_PER_SESSION
from tournament.errors import Refused, refuse
from tournament.models import Appeal, Session, Table
from tournament.services.tables import locked, place_of, written_before


@dataclass(frozen=True)
class Objection:
    """Who objects, to which hand if to one, and what they say. Players by number."""

    player: int
    text: str
    hand_number: int | None = None


def open_appeal(table: Table, actor: Actor, objection: Objection, *, uuid: UUID) -> Appeal:
    """Put an objection on record. The same `uuid` again gives the appeal it made the first time.

    Possible from the gong until the time for appeals is over (RULES §7: 30 minutes after the session's end).
    """
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "appeal_opened") as entry:
        if (known := written_before(Appeal, uuid, table)) is not None:
            entry.unchanged()
            return known
        table = locked(table, entry.tournament)
        _check_in_time(table.session)
        people = {seat.player.number: seat.player for seat in table.seats.all()}
        if problems := _problems(objection, set(people)):
            raise Refused(problems)
        appeal = Appeal.objects.create(
            table=table,
            uuid=uuid,
            player=people[objection.player],
            hand_number=objection.hand_number,
            text=objection.text.strip(),
            opened_at=timezone.now(),
            opened_by=actor.user,
        )
        entry.data = place_of(table) | {
            "appeal": str(uuid),
            "appellant": objection.player,
            "about_hand": objection.hand_number,
            "text": appeal.text,
        }
    return appeal


def rule_appeal(appeal: Appeal, actor: Actor, *, granted: bool, ruling: str) -> Appeal:
    """Decide an appeal, with a text. Ruled once: whoever comes second is told."""
    access.require_judge(actor, appeal.table)
    with log.write(appeal.table.session.tournament, actor, "appeal_ruled") as entry:
        appeal = Appeal.objects.select_related("table__session", "player").get(pk=appeal.pk)
        if not appeal.is_open:
            raise refuse("appeal_ruled_already")
        if not ruling.strip():
            raise refuse("ruling_missing", "ruling")
        appeal.granted, appeal.ruling = granted, ruling.strip()
        appeal.ruled_at, appeal.ruled_by = timezone.now(), actor.user
        appeal.save(update_fields=["granted", "ruling", "ruled_at", "ruled_by"])
        entry.data = place_of(appeal.table) | {
            "appeal": str(appeal.uuid),
            "appellant": appeal.player.number,
            "granted": granted,
            "text": appeal.ruling,
        }
    return appeal


def _check_in_time(session: Session) -> None:
    if session.state == Session.State.PLANNED:
        raise refuse("session_not_started", session=session.number)
    if is_final(session):
        until = timezone.localtime(appeals_until(session))
        raise refuse("appeals_are_over", session=session.number, until=f"{until:%H:%M}")


def _problems(objection: Objection, players: set[int]) -> list[Problem]:
    found = []
    if objection.player not in players:
        found.append(Problem("not_at_this_table", "player", {"player": objection.player}))
    if objection.hand_number is not None and not 1 <= objection.hand_number <= HANDS_PER_SESSION:
        about = {"number": objection.hand_number, "hands": HANDS_PER_SESSION}
        found.append(Problem("no_such_hand", "hand_number", about))
    if not objection.text.strip():
        found.append(Problem("appeal_text_missing", "text"))
    return found
