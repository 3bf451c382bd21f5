"""Finals: their preview, the placements they give, and whether the same players would still qualify."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoring.engine.problems import problem_code
from tournament.base.engine.finals import Cut
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.play import Final, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import SESSION_STILL_RUNNING
from tournament.ranking.engine.finals import (
    FinalsOptions,
    finalists,
    qualified_groups,
    split_into_groups,
    tied_at_cutoff,
)
from tournament.ranking.engine.standings import Standing, Standings
from tournament.ranking.selectors.standings import (
    current_standings,
    standings_with,
    standings_with_figures,
    table_results,
)
from tournament.seating.engine.draw import final_sessions
from tournament.seating.selectors.draws import PlanChange, stored_plan
from tournament.seating.texts import finalist_change_text

FINALS_TOO_EARLY = problem_code(
    "finals_too_early", "No session is finished yet, so no finalists can be chosen."
)
FINALS_SET_ALREADY = problem_code(
    "finals_set_already", "A final after session {session} is already set up. Undo it, or set it up again."
)
TOO_FEW_FINALISTS = problem_code("too_few_finalists", "Fewer than {top} players can go through.")

# --- Previews ---


@dataclass(frozen=True)
class FinalPlan:
    """A final that could be set up: its cut and sessions, and the players who tie for its last place."""

    cut: Cut
    sessions: tuple[int, ...]
    tied: tuple[int, ...]
    change: PlanChange


def preview_final(tournament: Tournament, options: FinalsOptions) -> FinalPlan:
    """Return the final after the newest session closed; stores nothing.

    Sessions planned beyond those of the final lose their seats: a further final may use them. Raises `Refused` while a
    session is being played, before any was, without enough players, and a second time after the same session unless
    the options say that it replaces the first.
    """
    after = last_closed(tournament)
    if not options.replace and tournament.finals.filter(after_session=after).exists():
        raise Refused(FINALS_SET_ALREADY(session=after))
    current, stage = _standings(tournament), options.stage
    try:
        groups = split_into_groups(finalists(current, stage, options.first), stage)
    except ValueError:
        raise Refused(TOO_FEW_FINALISTS("size", top=stage.top)) from None
    before = stored_plan(tournament)
    seats = final_sessions(groups, options.sessions, seed=options.seed, played=before[:after])
    end = max(len(before), after + options.sessions)
    plan = [*before[:after], *seats, *[[]] * (end - after - options.sessions)]
    return FinalPlan(
        cut=Cut(after, groups, stage.carry),
        sessions=tuple(range(after + 1, after + options.sessions + 1)),
        tied=tied_at_cutoff(current, stage),
        change=PlanChange(before, plan, tuple(range(after + 1, end + 1))),
    )


def _standings(tournament: Tournament) -> Standings:
    """Return the standings that qualify: a final counts in them from its first result on."""
    return current_standings(tournament, Audience.STAFF, closed_only=True)


def last_closed(tournament: Tournament) -> int:
    """Return the number of the session after which a final can be set up; raises `Refused` if there is none."""
    last_begun = _last_begun(tournament)
    if last_begun is None:
        raise Refused(FINALS_TOO_EARLY())
    if last_begun.state == Session.State.RUNNING:
        raise Refused(SESSION_STILL_RUNNING(session=last_begun.number))
    return last_begun.number


def _last_begun(tournament: Tournament) -> Session | None:
    return tournament.sessions.exclude(state=Session.State.PLANNED).last()


def can_set_up_final(tournament: Tournament) -> bool:
    """Return whether a final can be set up now: the newest session that began is closed and has no final after it."""
    last_begun = _last_begun(tournament)
    if last_begun is None or last_begun.state != Session.State.CLOSED:
        return False
    return not tournament.finals.filter(after_session=last_begun.number).exists()


# --- Placements ---


@dataclass(frozen=True)
class Placement:
    """A player's place before and after a final is set up."""

    before: Standing
    group: int | None
    """In the final, from 1."""
    after: Standing
    """Before the final's first hand, with the points that are carried."""
    above_the_cut: bool
    """Whether this is the last finalist."""


def final_placements(tournament: Tournament, cut: Cut) -> list[Placement]:
    """Return everybody's placement with this final: the finalists, group by group, then all others."""
    before = {row.number: row for row in _standings(tournament).rows}
    results = table_results(tournament, Audience.STAFF, closed_only=True)
    rows = standings_with(tournament, Audience.STAFF, results, proposed=[cut]).rows
    group_of = {number: at for at, members in enumerate(cut.groups, 1) for number in members}
    last = [row.number for row in rows if row.number in group_of][-1]
    return [Placement(before[row.number], group_of.get(row.number), row, row.number == last) for row in rows]


# --- Changed qualification ---


@dataclass(frozen=True)
class FinalistChange:
    """How the finalists would differ by the standings as they are now.

    Nobody joins or leaves where only the groups differ.
    """

    final: Final
    groups: tuple[tuple[int, ...], ...]
    """By the standings now, of player numbers."""
    joining: tuple[Player, ...]
    leaving: tuple[Player, ...]

    @property
    def text(self) -> str:
        return finalist_change_text(
            [player.name for player in self.joining], [player.name for player in self.leaving]
        )

    @property
    def seen(self) -> str:
        """Return a text that changes with who would qualify."""
        return "/".join(",".join(map(str, group)) for group in self.groups)


def finalist_change(tournament: Tournament) -> FinalistChange | None:
    """Return how the finalists would differ now; None without a final to come, or when they stay or were confirmed."""
    final = coming_final(tournament)
    return None if final is None else _change(final, _standings(tournament))


def finalist_warning(table: Table, audience: Audience, figures: Mapping[int, Mapping[str, int]]) -> str:
    """Say how the finalists would differ once the table's seats get these figures (player number → figures)."""
    final = coming_final(table.session.tournament)
    if final is None or audience is not Audience.STAFF:
        return ""
    change = _change(final, standings_with_figures(table, audience, figures, closed_only=True))
    return change.text if change else ""


def coming_final(tournament: Tournament) -> Final | None:
    """Return the final whose first session is the next to begin."""
    last_begun = _last_begun(tournament)
    return tournament.finals.filter(after_session=last_begun.number).first() if last_begun else None


def _change(final: Final, current: Standings) -> FinalistChange | None:
    groups = qualified_groups(current, final.cut)
    if _members(groups) in (_members(final.groups), _members(final.confirmed)):
        return None
    qualified, players = {number for group in groups for number in group}, set(final.numbers)
    named = {
        player.number: player for player in final.tournament.players.filter(number__in=qualified ^ players)
    }
    return FinalistChange(
        final,
        groups,
        joining=tuple(named[number] for group in groups for number in group if number in named),
        leaving=tuple(
            named[number] for number in final.numbers if number not in qualified and number in named
        ),
    )


def _members(groups: Iterable[Iterable[int]]) -> list[set[int]]:
    return [set(group) for group in groups]
