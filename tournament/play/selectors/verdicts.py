"""What a hand would count for at its table, before it is recorded: asked by previews, and by the write itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from penalties.models import Penalty
from penalties.selectors import standing_at
from tournament.base.engine.entry import HandEntry
from tournament.base.models.hands import Hand
from tournament.base.models.play import Table
from tournament.play.engine.judge import Verdict, judge
from tournament.play.selectors.absences import absent_in, seated_now, seated_then
from tournament.play.selectors.records import current_hand, seats_of
from tournament.play.selectors.restraints import barred_from_winning


def judge_at(table: Table, number: int, entry: HandEntry) -> Verdict:
    """The verdict on `entry` as hand `number` of the table; stores nothing."""
    recorded = current_hand(table, number)
    sits = (seated_then(recorded, entry), ()) if recorded is not None else seated_now(table, entry)
    entry, too_early = sits
    verdict = verdict_on(table, seats_of(table), number, entry, standing_at(table))
    return replace(verdict, problems=(*too_early, *verdict.problems))


def verdict_on(
    table: Table, seats: dict[str, int], number: int, entry: HandEntry, standing: Iterable[Penalty]
) -> Verdict:
    """The verdict of the tournament's rules, with what the `standing` penalties forbid."""
    barred = barred_from_winning(table, standing).get(number)
    return judge(table.session.tournament.rules, seats, number, entry, barred)


def says_more(old: Hand, entry: HandEntry, verdict: Verdict) -> bool:
    """Whether `entry` is the old hand written down further, and counts for just the same."""
    before = old.entry
    same = (before.outcome, before.winner, before.discarder) == (entry.outcome, entry.winner, entry.discarder)
    same = same and (entry.absent is None or set(entry.absent) == set(absent_in(old)))
    counts = verdict.is_legal and verdict.points == old.points and not verdict.overridden
    return same and counts and entry.depth > before.depth and before.claimants == entry.claimants
