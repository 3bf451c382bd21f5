"""Giving a penalty at a table and taking one back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.utils import timezone

from penalties.engine import Facts, Proposal, Sanction, people_problems, point_effects, propose
from penalties.models import Penalty
from penalties.selectors import earlier_fouls
from scoring.engine.problems import Problem
from tournament import access, log
from tournament.access import Actor
from tournament.engine.rules import LATE
from tournament.errors import Refused, refuse
from tournament.models import Player, Table, Tournament
from tournament.selectors.absences import absent_in, empty_seats, points_held
from tournament.services.restraints import contradictions, not_begun, without_a_hand
from tournament.services.rulings import carry_out_for_penalty
from tournament.services.tables import (
    check_open,
    check_version,
    current_hand,
    locked,
    settle,
    written_before,
)


@dataclass(frozen=True)
class Foul:
    """What the umpire states: who did what, in which hand, and what this foul needs to be known.

    `details`: minutes, points, hu_was_valid, tile_seen, circumstance, as far as they apply; `victim` a player number.
    `imposed` is a sanction of the umpire's own instead of the foul book's, `because` why.
    """

    player: int
    foul: str
    hand_number: int | None = None
    victim: int | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    imposed: Sanction | None = None
    because: str = ""


@dataclass(frozen=True)
class Ruling:
    """What the foul book proposes, what is imposed, and what that does (player number → points)."""

    problems: tuple[Problem, ...]
    proposal: Proposal | None = None
    sanction: Sanction | None = None
    """The foul book's, unless the umpire states another; None when there are problems with the facts."""
    effects: dict[int, int] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()
    """What the record says against it; the penalty can be given all the same."""

    @property
    def is_override(self) -> bool:
        """Whether the umpire departs from the book; choosing where the book leaves it open is none."""
        if self.proposal is None or self.proposal.sanction is None or self.proposal.reason is None:
            return False
        return self.proposal.reason.code != "discretion" and self.sanction != self.proposal.sanction


def rule(table: Table, foul: Foul) -> Ruling:
    """The sanction for a foul at this table; stores nothing. Serves the preview and the penalty itself."""
    people = {player.number: player for player in Player.objects.filter(seats__table=table)}
    if problems := _misplaced(table, people, foul) or _nobody_there(table, foul):
        return Ruling(tuple(problems))
    facts = Facts(
        hand_number=foul.hand_number,
        session=table.session.number,
        victim=foul.victim,
        points_held=points_held(table.seats.get(player=people[foul.player])),
        **_known(foul.details),
    )
    book = table.session.tournament.rules.fouls
    proposal = propose(foul.foul, facts, earlier_fouls(people[foul.player]), book)
    if proposal.sanction is None:
        return Ruling(proposal.problems, proposal)
    sanction = proposal.sanction if foul.imposed is None else foul.imposed
    others = [number for number in people if number != foul.player]
    people_faults = people_problems(sanction, foul.player, others, foul.victim)
    if faults := (*without_a_hand(foul.hand_number, sanction), *people_faults):
        return Ruling(faults, proposal, sanction)
    effects = point_effects(sanction, foul.player, others, foul.victim)
    warnings = contradictions(table, people[foul.player], foul.hand_number, sanction)
    return Ruling((), proposal, sanction, effects, warnings)


def give_penalty(
    table: Table, actor: Actor, foul: Foul, *, uuid: UUID, expected_version: int | None = None
) -> Penalty:
    """Impose what the foul book says, or another sanction with a reason.

    The same `uuid` again gives the penalty it made the first time.
    """
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "penalty_given") as entry:
        if (known := written_before(Penalty, uuid, table)) is not None:
            entry.unchanged()
            return known
        table = locked(table, entry.tournament)
        check_version(table, expected_version)
        check_open(table, actor, foul.note, "note")
        ruling = rule(table, foul)
        if problems := (*ruling.problems, *_unexplained(ruling, foul)):
            raise Refused(problems)
        assert ruling.proposal is not None
        assert ruling.proposal.sanction is not None
        assert ruling.sanction is not None
        people = {player.number: player for player in Player.objects.filter(seats__table=table)}
        penalty = Penalty.objects.create(
            tournament=table.session.tournament,
            table=table,
            player=people[foul.player],
            victim=people.get(foul.victim) if foul.victim is not None else None,
            uuid=uuid,
            foul=foul.foul,
            hand_number=foul.hand_number,
            facts=dict(foul.details),
            occurrence=ruling.proposal.occurrence,
            sanction=ruling.sanction.to_json(),
            proposed=ruling.proposal.sanction.to_json() if ruling.is_override else None,
            because=foul.because.strip() if ruling.is_override else "",
            effects={str(player): points for player, points in ruling.effects.items()},
            note=foul.note,
            given_by=actor.user,
            given_at=timezone.now(),
        )
        entry.data = settle(table, **_about(penalty))
    return penalty


def cancel_penalty(
    penalty: Penalty, actor: Actor, *, reason: str, expected_version: int | None = None
) -> Penalty:
    """Take a penalty back. It stays in the record; its points return."""
    access.require_umpire(actor, penalty.table)
    with log.write(penalty.tournament, actor, "penalty_cancelled") as entry:
        penalty.refresh_from_db()
        if penalty.is_cancelled:
            entry.unchanged()
            return penalty
        table = locked(penalty.table, entry.tournament)
        check_version(table, expected_version)
        check_open(table, actor)
        if not reason.strip():
            raise refuse("cancel_reason_missing", "reason")
        penalty.cancelled_at, penalty.cancelled_by = timezone.now(), actor.user
        penalty.cancelled_because = reason.strip()
        penalty.save(update_fields=["cancelled_at", "cancelled_by", "cancelled_because"])
        entry.data = settle(table, **_about(penalty), reason=penalty.cancelled_because)
        entry.data |= carry_out_for_penalty(penalty, actor)
    return penalty


def show_penalties(tournament: Tournament, actor: Actor, *, public: bool) -> Tournament:
    """Let everybody see who was penalised for what, or only those who run the tournament."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "penalties_shown") as entry:
        changed = entry.tournament
        if changed.penalties_public == public:
            entry.unchanged()
            return changed
        changed.penalties_public = public
        changed.save(update_fields=["penalties_public"])
        entry.data = {"public": public}
    return changed


def _misplaced(table: Table, people: Mapping[int, Player], foul: Foul) -> list[Problem]:
    found = []
    if foul.player not in people:
        found.append(Problem("not_at_this_table", "player", {"player": foul.player}))
    if foul.victim is not None and foul.victim not in people:
        found.append(Problem("not_at_this_table", "victim", {"player": foul.victim}))
    if foul.hand_number is not None:
        found += not_begun(table, foul.hand_number)
    return found


def _nobody_there(table: Table, foul: Foul) -> list[Problem]:
    """In an empty seat nobody fouls or suffers in play; who is missing can be late."""
    if foul.hand_number is None or foul.foul == LATE:
        return []
    hand = current_hand(table, foul.hand_number)
    empty = absent_in(hand) if hand else empty_seats(table)
    named = (("player", foul.player), ("victim", foul.victim))
    return [
        Problem("foul_in_empty_seat", field, {"player": who})
        for field, who in named
        if who is not None and who in empty
    ]


def _unexplained(ruling: Ruling, foul: Foul) -> tuple[Problem, ...]:
    """Another sanction than the book's needs a reason."""
    return () if foul.because.strip() or not ruling.is_override else (Problem("because_missing", "because"),)


def _known(details: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in details.items() if value is not None}


def _about(penalty: Penalty) -> dict[str, Any]:
    return {
        "penalty": str(penalty.uuid),
        "foul": penalty.foul,
        "player": penalty.player.number,
        "hand": penalty.hand_number,
        "effects": penalty.effects,
        "sanction": penalty.sanction,
    } | ({"proposed": penalty.proposed, "because": penalty.because} if penalty.proposed is not None else {})
