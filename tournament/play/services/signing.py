"""Signing a table's sheet seat by seat, and taking a signature back."""

from __future__ import annotations

from django.utils import timezone

from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import refuse
from tournament.base.models.play import Session, Table
from tournament.play.models.signing import Signature
from tournament.play.selectors.fresh import fresh_table
from tournament.play.selectors.records import place_of
from tournament.play.selectors.sheet import sheet_to_sign
from tournament.play.services.tables import check_version


def sign(table: Table, actor: Actor, player: int, *, expected_version: int | None = None) -> Signature:
    """A player agrees with the sheet as it stands. Signing twice is signing once."""
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "sheet_signed") as entry:
        table = fresh_table(table, entry.tournament)
        if (standing := _standing(table, player)) is not None:
            entry.unchanged()
            return standing
        check_version(table, expected_version)
        seat = next((seat for seat in table.seats.all() if seat.player.number == player), None)
        if seat is None:
            raise refuse("not_at_this_table", "player", player=player)
        if table.session.state == Session.State.PLANNED:
            raise refuse("session_not_started", session=table.session.number)
        if not table.has_result:
            raise refuse("no_hand_recorded", table=table.number)
        signature = Signature.objects.create(
            table=table,
            player=seat.player,
            sheet=sheet_to_sign(table),
            signed_at=timezone.now(),
            recorded_by=actor.user,
        )
        entry.data = place_of(table) | {"player": player, "sheet": signature.sheet}
    return signature


def take_signature_back(table: Table, actor: Actor, player: int) -> None:
    """The player no longer agrees, or somebody else's thumb had signed."""
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "signature_taken_back") as entry:
        table = fresh_table(table, entry.tournament)
        if (standing := _standing(table, player)) is None:
            entry.unchanged()
            return
        standing.void_at, standing.void_because = timezone.now(), Signature.Void.TAKEN_BACK
        standing.save(update_fields=["void_at", "void_because"])
        entry.data = place_of(table) | {"player": player}


def _standing(table: Table, player: int) -> Signature | None:
    return table.signatures.filter(player__number=player, void_at=None).first()
