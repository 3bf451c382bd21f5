"""A player at this moment: where to sit now and next, with what rank, and what it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.base.access import Audience
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.events.selectors.timetable import Entry, Timetable, may_be_seated, timetable
from tournament.ranking.engine.results import SessionScore
from tournament.ranking.selectors.needs import WhatYouNeed, what_you_need
from tournament.ranking.selectors.ranking import Ranking, ranking
from tournament.ranking.selectors.ranking_rows import RankingRow
from tournament.seating.models import Final


@dataclass(frozen=True)
class Appointment:
    """A seat in one session, with the three others in the order of their starting winds."""

    seat: Seat
    others: tuple[Seat, ...]
    score: SessionScore | None = None
    """What it gave; None before the first hand there."""

    @property
    def session(self) -> Session:
        return self.seat.table.session


@dataclass(frozen=True)
class Missed:
    """A final that goes on without the player."""

    final: Final
    finalists: tuple[Player, ...]
    """Who went on, best first."""


@dataclass(frozen=True)
class PlayerNow:
    player: Player
    ranking: Ranking
    line: RankingRow | None
    """None for who withdrew before playing."""
    now: Appointment | None
    """The seat in the session being played."""
    needs: WhatYouNeed | None
    """What it takes there; None while nothing is played, or nothing more can change."""
    next: Appointment | None
    """The seat in the next planned session; None for a player who has withdrawn."""
    next_entry: Entry | None
    """The timetable's line for it; where no seat is drawn, for the next session that the player may be seated in."""
    has_times: bool
    """Whether anything has a time, so that there is something for a calendar."""
    missed: Missed | None
    """The first final without a ranked player who has not withdrawn."""


def player_now(
    tournament: Tournament,
    audience: Audience,
    player: Player,
    rank: int | None = None,
    seats: Sequence[Appointment] | None = None,
) -> PlayerNow:
    """In a fixed number of queries. `rank`: the one to say what it takes for; `seats`: `appointments`, where known."""
    ranked = ranking(tournament, audience)
    seats = appointments(player) if seats is None else seats
    coming = [seat for seat in seats if seat.session.state == Session.State.PLANNED]
    planned = timetable(tournament)
    now = next((seat for seat in seats if seat.session.state == Session.State.RUNNING), None)
    return PlayerNow(
        player=player,
        ranking=ranked,
        line=ranked.find(player.number),
        now=now,
        needs=what_you_need(ranked, now.seat, rank) if now else None,
        next=coming[0] if coming and not player.is_withdrawn else None,
        next_entry=_next_entry(planned, player, coming),
        has_times=bool(planned.days),
        missed=_missed(ranked, player),
    )


def appointments(player: Player, scores: dict[int, SessionScore] | None = None) -> list[Appointment]:
    """Every seat of a player, in the order of the sessions. `scores`: session → what it gave."""
    seats = (
        Seat.objects.filter(player=player)
        .select_related("table__session", "player")
        .prefetch_related("table__seats__player")
        .order_by("table__session__number")
    )
    return [
        Appointment(
            seat=seat,
            others=tuple(other for other in seat.table.seats.all() if other.player_id != player.pk),
            score=(scores or {}).get(seat.table.session.number),
        )
        for seat in seats
    ]


def _next_entry(planned: Timetable, player: Player, coming: Sequence[Appointment]) -> Entry | None:
    if player.is_withdrawn:
        return None
    if coming:
        return planned.of(coming[0].session.number)
    return next((entry for entry in planned.entries if may_be_seated(player, entry)), None)


def _missed(ranked: Ranking, player: Player) -> Missed | None:
    if player.is_withdrawn or player.is_substitute:
        return None
    final = next((final for final in ranked.finals if player.number not in final.numbers), None)
    if final is None:
        return None
    players = {row.player.number: row.player for row in ranked.rows}
    return Missed(final, tuple(players[number] for number in final.numbers if number in players))
