"""What would come of a list of players: who is new, who is known, what differs, what is wrong. Nothing is stored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from scoring.engine.problems import Problem
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.players.exports.players_check import check, missing_from
from tournament.players.exports.players_csv import PlayerList, read_list
from tournament.players.exports.players_known import Absent, Difference
from tournament.players.exports.players_rows import Row, Said
from tournament.players.exports.players_wish import Wish
from tournament.players.selectors.entrants import Entrant


@dataclass(frozen=True)
class ListImport:
    """What would come of a list; refused when its file cannot be read or holds nobody."""

    tournament: Tournament
    wish: Wish

    @cached_property
    def listed(self) -> PlayerList:
        """The list as it is to be read."""
        reading = self.wish.reading
        listed = read_list(self.wish.data, self.wish.sheet, reading.heading)
        if reading.columns is not None:
            listed = listed.with_columns(reading.columns)
        return replace(listed.with_split(self.wish.split), mended=reading.cells)

    @cached_property
    def left_out(self) -> frozenset[int]:
        """Rows that are not wanted: those that look like nobody, until somebody says otherwise."""
        return (self.listed.notes - self.wish.reading.kept) | self.wish.reading.left_out

    @cached_property
    def rows(self) -> list[Row]:
        """Every row, checked."""
        wish, reading = self.wish, self.wish.reading
        said = Said(
            self.left_out,
            reading.apart,
            reading.refused,
            wish.soften,
            wish.zeros,
            updates=wish.updates,
            chosen=reading.chosen,
        )
        return check(self.listed, self.tournament, said)

    @property
    def wanted(self) -> list[Row]:
        return [row for row in self.rows if not row.left_out]

    @property
    def faulty(self) -> list[Row]:
        """The rows to mend or to answer; none as long as it is not clear what the columns are."""
        return [] if self.listed.problems() else [row for row in self.rows if row.problems or row.question]

    @property
    def known(self) -> list[Row]:
        """Rows of people who are entered already."""
        return [row for row in self.wanted if row.player]

    @property
    def new(self) -> list[Row]:
        return [row for row in self.wanted if not row.player]

    @property
    def changed(self) -> list[Row]:
        """Those known of whom the list says something else."""
        return [row for row in self.known if row.differences]

    @property
    def differences(self) -> list[Difference]:
        return [one for row in self.changed for one in row.differences]

    @cached_property
    def missing(self) -> list[Player]:
        """Players who are not in the list. They stay as they are."""
        if not self.known:
            return []
        missing = missing_from(self.rows, self.tournament)
        # The list that is taken away has no substitutes.
        return [one for one in missing if not one.is_substitute] if self.wish.updates else missing

    @property
    def absent(self) -> list[Absent]:
        """The same as what may be chosen of them: to be withdrawn."""
        return [Absent(player) for player in self.missing] if self.wish.updates else []

    @property
    def leaving(self) -> list[Absent]:
        """Who would be withdrawn."""
        return [one for one in self.absent if one.key in self.wish.reading.chosen]

    @property
    def keys(self) -> list[str]:
        """All that can be chosen."""
        return [*(one.key for one in self.differences), *(one.key for one in self.absent)]

    @property
    def problems(self) -> list[Problem]:
        """All that keeps the list from being entered; `where` is "column.<index>" or "<row>.<field>"."""
        return self.listed.problems() + [
            Problem(one.code, f"{row.number}.{one.where}", one.params)
            for row in self.faulty
            for one in (*row.problems, *([row.question] if row.question else []))
        ]

    @property
    def entrants(self) -> list[Entrant]:
        """The new people."""
        return [row.entrant for row in self.new]

    @property
    def taken(self) -> list[Difference]:
        """The differences that would be written."""
        return [one for row in self.changed for one in row.taken]

    @property
    def can_do_something(self) -> bool:
        """Whether anything would be entered, or could be chosen to."""
        return bool(self.new or self.keys)

    @property
    def does_something(self) -> bool:
        return bool(self.new or self.taken or self.leaving)
