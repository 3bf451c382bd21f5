"""The lines of a ranking: where a player stands, what it is made of, and what broke a tie."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from tournament.base.engine.criteria import CRITERIA
from tournament.base.models.people import Player
from tournament.base.models.play import Session
from tournament.ranking.engine.finals import Carry
from tournament.ranking.engine.results import Carried, SessionScore
from tournament.ranking.engine.standings import Standing, Standings
from tournament.seating.models import Final

Part = Session | Final
"""What totals are made of: a session, or a final in which some of the points so far count less."""


@dataclass(frozen=True)
class Lead:
    """A tie broken: the criterion that did it, and what it says of this player and the next."""

    criterion: str
    mine: Fraction | int
    next: Fraction | int


@dataclass(frozen=True)
class RankingRow:
    """A player's line. `moved`: places won (2) or lost (−1) since `Ranking.since`, None when nobody can have moved."""

    standing: Standing
    player: Player
    moved: int | None
    parts: tuple[SessionScore | Carried | None, ...]
    """One for each of `Ranking.parts`; None where the player did not sit, or is no finalist."""
    tied_with_next: bool
    lead: Lead | None = None
    """What puts the player before the next line where the first criterion does not."""
    group: int | None = None
    """The group of the newest final, from 1; None for who is not in it."""
    above_the_cut: bool = False
    """Whether this is the last of them."""

    @property
    def key(self) -> Hashable:
        """Everything the line shows."""
        player = self.player
        shown = (player.first_name, player.last_name, player.country, player.team)
        line = self.standing, self.moved, self.parts, self.tied_with_next
        return line, shown, self.lead, self.group, self.above_the_cut

    @property
    def figures(self) -> str:
        """The totals as one word: when it changes, this player's figures have changed."""
        return f"{self.standing.table_points} {self.standing.game_points}"


def rows_of(
    now: Standings,
    players: Mapping[int, Player],
    parts: tuple[Part, ...],
    before: Mapping[int, int],
    first: str,
    final: Final | None,
) -> list[RankingRow]:
    groups = enumerate(final.groups, 1) if final else ()
    group = {number: at for at, members in groups for number in members}
    last = max((at for at, row in enumerate(now.rows) if row.number in group), default=None)
    following: list[Standing | None] = [*now.rows[1:], None]
    return [
        RankingRow(
            standing=row,
            player=players[row.number],
            moved=_moved(before.get(row.number), row.rank),
            parts=_by_part(row, parts),
            tied_with_next=row.shared and after is not None and after.rank == row.rank,
            lead=_lead(row, after, first),
            group=group.get(row.number),
            above_the_cut=at == last,
        )
        for at, (row, after) in enumerate(zip(now.rows, following, strict=False))
    ]


def _lead(row: Standing, after: Standing | None, first: str) -> Lead | None:
    if after is None or row.decided_by in (None, first) or not row.sessions:
        return None
    criterion = CRITERIA[str(row.decided_by)]
    return Lead(criterion.key, criterion.value(row.totals), criterion.value(after.totals))


def _moved(before: int | None, now: int | None) -> int | None:
    return None if before is None or now is None else before - now


def parts_of(sessions: tuple[Session, ...], finals: tuple[Final, ...]) -> tuple[Part, ...]:
    """The sessions in order, and before its first one a final that begins with less than all points."""
    found: list[Part] = []
    for before, session in zip((0, *(each.number for each in sessions)), sessions, strict=False):
        began = (final for final in finals if before <= final.after_session < session.number)
        found += [*(final for final in began if final.carry != Carry.FULL), session]
    return tuple(found)


def _by_part(row: Standing, parts: tuple[Part, ...]) -> tuple[SessionScore | Carried | None, ...]:
    scores = {score.session: score for score in row.sessions}
    carried = {each.after: each for each in row.carried}
    return tuple(
        carried.get(part.after_session) if isinstance(part, Final) else scores.get(part.number)
        for part in parts
    )
