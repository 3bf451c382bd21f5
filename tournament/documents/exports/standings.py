"""Standings and statistics on paper, with the notes under them."""

from collections import defaultdict
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from functools import partial
from itertools import chain, groupby, pairwise
from typing import Final

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from scoring.engine import find_fan
from scoring.texts import joined_and, joined_parts, rulebook_name
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import SHARED_PLACE
from tournament.base.models.documents import DocumentJob
from tournament.base.models.play import Final as SeatingFinal
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import hidden_sessions
from tournament.documents.exports.drafts import Part as DocumentPart
from tournament.documents.exports.drafts import first_language_only, fit_table
from tournament.documents.exports.paper import PAPERS, Cell, Layout, Line, fit_with_folding
from tournament.play.selectors.totals import ListedHand, NotedHand
from tournament.ranking.engine.standings import Carried, SessionScore, Standing
from tournament.ranking.engine.statistics import Figures
from tournament.ranking.exports import FANS
from tournament.ranking.selectors.ranking import Part, Ranking, RankingRow, State, ranking
from tournament.ranking.selectors.statistics import EventStatistics
from tournament.ranking.texts import MARKS, final_text, totals_text, unranked_text
from tournament.web.exports.lists import Column, Kind
from tournament.web.texts.words import days_text, minus, one_decimal, percent_of, table_points, time_text

# --- The sheet ---


STATES = {
    State.FINAL: gettext_lazy("final"),
    State.PUBLISHED: gettext_lazy("published"),
    State.PROVISIONAL: gettext_lazy("provisional"),
}


@dataclass(frozen=True)
class StandingsSheet:
    """The data of `documents/standings.html`. `version`: see `printed_version`."""

    ranking: Ranking
    version: int
    made_at: datetime
    notes: tuple[str, ...]
    layout: Layout

    @property
    def tournament(self) -> Tournament:
        return self.ranking.tournament

    @property
    def state(self) -> State:
        return self.ranking.state

    @property
    def title(self) -> str:
        if self.state is State.FINAL:
            return _("Final standings")
        if self.ranking.is_provisional or not self.ranking.sessions:
            return _("Provisional standings")
        title = _("Standings after session %(number)s")
        if self.state is State.PROVISIONAL:
            title = _("Provisional standings after session %(number)s")
        return title % {"number": self.ranking.after}

    @property
    def state_name(self) -> str:
        return str(STATES[self.state])

    @property
    def place_and_days(self) -> str:
        days = days_text(self.tournament.starts_on, self.tournament.ends_on)
        return joined_parts(filter(None, (self.tournament.venue, days)))

    @property
    def summary(self) -> str:
        """16 players, 5 sessions of 120 minutes."""
        players = len(self.ranking.rows)
        players_text = ngettext("%(n)s player", "%(n)s players", players) % {"n": players}
        return joined_parts([players_text, sessions_text(self.tournament)])

    @property
    def rulebook(self) -> str:
        return _("Rulebook {name}").format(name=rulebook_name(self.tournament.rules.scoring))

    @property
    def timestamp(self) -> str:
        return time_text(self.made_at)

    @property
    def rows(self) -> list[tuple[str, list[tuple[Kind, Cell]]]]:
        """The rows, each with its CSS classes."""
        return [
            (f"{'tie ' * row.tied_with_next}{'cut' * row.above_the_cut}", cells)
            for row, cells in zip(self.ranking.rows, self.layout.rows, strict=True)
        ]


def standings_sheet(tournament: Tournament, paper: str) -> StandingsSheet:
    """Return the current standings, fitted to this size of paper."""
    while True:  # until no write has come between the queries
        tournament.refresh_from_db()
        current = ranking(tournament, Audience.STAFF)
        layout = fit_with_folding(partial(standings_columns, current), current.rows, PAPERS[paper])
        sheet = StandingsSheet(
            current, printed_version(current), timezone.now(), tuple(standings_notes(current)), layout
        )
        if Tournament.objects.filter(pk=tournament.pk, version=tournament.version).exists():
            return sheet


def sessions_text(tournament: Tournament) -> str:
    n = tournament.sessions_planned
    text = ngettext("%(n)s session of %(minutes)s minutes", "%(n)s sessions of %(minutes)s minutes", n)
    return text % {"n": n, "minutes": tournament.minutes}


def printed_version(current: Ranking) -> int:
    """Return the version of the publication if the standings are still those, else the tournament's version."""
    published = current.publication
    return published.version if published and current.is_as_published else current.version


# --- Columns ---


DASH = "–"
MAY_CHANGE = "●"
"""Before the heading of a column whose figures may still change, as on the page."""


def standings_columns(current: Ranking, per_column: int = 1) -> list[Column]:
    """Return the columns: place, player, sessions (`per_column` of them in each column) and totals."""
    totals = (
        [replace(column, label=_marked(column.label)) for column in TOTALS]
        if current.is_provisional
        else TOTALS
    )
    return [*_people_columns(current), *_session_columns(current, per_column), *totals]


def _people_columns(current: Ranking) -> Iterator[Column]:
    players = [row.player for row in current.rows]
    yield Column("place", _("Place"), lambda row: _place(row.standing), Kind.TOTAL)
    yield Column("name", _("Player"), lambda row: Cell.of(row.player.name, *_tags(current, row)), Kind.NAME)
    if any(player.country for player in players):
        yield Column("country", _("Country"), lambda row: row.player.country)
    if current.has_teams:
        yield Column("team", _("Team"), lambda row: row.player.team)
    if any(player.ema_number for player in players):
        yield Column("ema_number", _("EMA no."), lambda row: row.player.ema_number)


def _place(standing: Standing) -> int | str:
    """Return the rank, or nothing if a tag says why there is none."""
    return standing.rank or ("" if standing.unranked_because else DASH)


def _tags(current: Ranking, row: RankingRow) -> Iterator[str]:
    if unranked := unranked_text(row.standing):
        yield unranked
    if row.group:
        yield (
            _("Group %(n)s") % {"n": row.group} if current.has_groups else pgettext("of a player", "finalist")
        )
    if row.standing.withdrawn:
        yield _("withdrawn")


def _session_columns(current: Ranking, per_column: int) -> Iterator[Column]:
    """Yield the sessions' columns. With two per column, the second half stands below the first."""
    parts = current.parts
    count = -(-len(parts) // per_column)
    for at in range(count):
        headings = "\n".join(_heading(current, part) for part in parts[at::count])
        yield Column(f"part_{at}", headings, partial(_cell, range(at, len(parts), count)), Kind.FIGURE)


def _heading(current: Ranking, part: Part) -> str:
    if isinstance(part, SeatingFinal):
        return MARKS[part.cut.carry]
    heading = pgettext("column of a session", "S%(number)s") % {"number": part.number}
    return _marked(heading) if current.is_provisional and part == current.running else heading


def _marked(label: str | Promise) -> str:
    return f"{MAY_CHANGE} {label}"


def _cell(parts: range, row: RankingRow) -> Cell:
    """Return table points above game points for each of these parts."""
    return Cell(tuple(line for n in parts for line in _lines(row.parts[n])))


def _lines(score: SessionScore | Carried | None) -> tuple[Line, Line]:
    if score is None:
        return Line(DASH), Line("", is_small=True)
    return Line(table_points(score.table_points)), Line(minus(score.game_points), is_small=True)


TOTALS: Final = (
    Column(
        "table_points",
        gettext_lazy("Table points"),
        lambda row: table_points(row.standing.table_points),
        Kind.TOTAL,
    ),
    Column(
        "game_points",
        gettext_lazy("Game points"),
        lambda row: minus(row.standing.game_points),
        Kind.TOTAL,
    ),
)


# --- Notes ---


CRITERIA = {
    "table_points": gettext_lazy("table points"),
    "game_points": gettext_lazy("game points"),
    "best_session": gettext_lazy("the best session"),
    "hands_won": gettext_lazy("hands won"),
    "wins_by_discard": gettext_lazy("wins by discard"),
    "deal_ins": gettext_lazy("the fewest deal-ins"),
}


def standings_notes(current: Ranking) -> Iterator[str]:
    """Yield the notes under the standings: criteria, places decided by them, shared table points, substitutes."""
    yield from hidden_session_notes(current.tournament, {session.number for session in current.sessions})
    yield from _provisional_notes(current)
    if current.sessions:
        yield _("In each session: table points above, game points below.")
    criteria = [key for key in current.tournament.rules.criteria if key != SHARED_PLACE]
    order = pgettext("between ranking criteria", ", then ").join(str(CRITERIA[key]) for key in criteria)
    yield _("Order: %(criteria)s; equal players share a place.") % {"criteria": order}
    for final in current.finals:
        yield f"{final_text(final.cut)} {totals_text(final.cut)}".strip()
    if current.is_provisional:
        figures = _("These figures may still change. Places are shown as if the tournament ended now.")
        yield f"{MAY_CHANGE} {figures}"
    for key in criteria[1:]:
        if spans := list(_places_decided_by(current, key)):
            yield _("Places %(places)s were decided by %(criterion)s.") % {
                "places": joined_and(spans),
                "criterion": CRITERIA[key],
            }
    yield from _shared_table_points(current)
    if current.substitutes:
        names = joined_and([row.player.name for row in current.substitutes])
        yield _("Substitutes, not ranked: %(names)s.") % {"names": names}


def hidden_session_notes(tournament: Tournament, shown: Set[int]) -> Iterator[str]:
    """Yield a warning if the results of one of these sessions are hidden from the public."""
    if numbers := [str(number) for number in sorted(hidden_sessions(tournament) & shown)]:
        yield ngettext(
            "Not to be shown yet: the results of session %(numbers)s are hidden from the public.",
            "Not to be shown yet: the results of sessions %(numbers)s are hidden from the public.",
            len(numbers),
        ) % {"numbers": joined_and(numbers)}


def _provisional_notes(current: Ranking) -> Iterator[str]:
    """Yield why the standings may still change."""
    if count := len(current.objections.open):
        yield ngettext(
            "Provisional: %(n)s appeal is open.", "Provisional: %(n)s appeals are open.", count
        ) % {"n": count}
    if current.objections.until:
        yield _("Provisional: appeals are possible until %(time)s.") % {
            "time": time_text(current.objections.until)
        }


def _places_decided_by(current: Ranking, key: str) -> Iterator[str]:
    """Yield the ranges of places that this criterion decided: "10 to 12"."""
    pairs = pairwise(row.standing for row in current.rows)
    for decided, run in groupby(pairs, key=lambda pair: pair[0].decided_by == key):
        if decided:
            ordered = list(run)
            yield _("%(first)s to %(last)s") % {"first": ordered[0][0].rank, "last": ordered[-1][1].rank}


def _shared_table_points(current: Ranking) -> Iterator[str]:
    """Yield a sentence for each tie at a table."""
    scale = current.tournament.rules.scale
    for (session, table_number, place, points), rows in sorted(_rows_by_place(current).items()):
        if len(rows) > 1:
            share = Fraction(sum(scale[place - 1 : place - 1 + len(rows)])) / len(rows)
            yield _(
                "Session %(session)s, table %(table)s: %(players)s tied on %(points)s and share the table points "
                "of places %(places)s, %(share)s each."
            ) % {
                "session": session,
                "table": table_number,
                "players": joined_and([row.player.name for row in rows]),
                "points": minus(points),
                "places": joined_and([str(place + n) for n in range(len(rows))]),
                "share": table_points(share),
            }


def _rows_by_place(current: Ranking) -> dict[tuple[int, int, int, int], list[RankingRow]]:
    """Return (session, table, place, game points) → the players with that place at that table."""
    players_at: defaultdict[tuple[int, int, int, int], list[RankingRow]] = defaultdict(list)
    for row in chain(current.rows, current.substitutes):
        for score in row.standing.sessions:
            if score.place is not None:
                players_at[score.session, score.table, score.place, score.game_points].append(row)
    return players_at


# --- Statistics ---


PLOT_STYLE: Final = (
    "<style>.bar-fill{fill:#1f6b47}.bar-soft{fill:#8fb59f}.bar-rest{fill:#cfc7b2}"
    "text{font:11px 'Hule Sans','Hule Chinese','Hule Korean',sans-serif;fill:#1a1814}</style>"
)
"""An image in a PDF does not see the style sheets of the page."""


def statistics_parts(
    job: DocumentJob, stats: EventStatistics, *, is_new_page: bool = False
) -> Iterator[DocumentPart]:
    """Yield the statistics of an event or a session: figures, how hands ended, the best hands and the fans."""
    figures = stats.figures
    yield DocumentPart(
        _("Statistics"), fields=tuple(_figure_lines(figures)), plots=_plots(figures), is_new_page=is_new_page
    )
    if stats.best:
        yield _best_hands_part(job, stats.best)
    if figures.fans:
        yield _fans_part(job, figures)


def _figure_lines(figures: Figures) -> Iterator[tuple[str, str]]:
    yield _("Hands"), str(figures.hands)
    yield _("Hands won"), str(figures.won)
    if figures.hands:
        yield _("Average win"), one_decimal(figures.average)
        yield _("Self-drawn wins"), percent_of(figures.self_drawn, figures.won)
        yield _("Deal-in rate"), percent_of(figures.by_discard, figures.hands)
        yield _("Wash-outs"), percent_of(figures.wash_outs, figures.hands)


def _plots(figures: Figures) -> tuple[SafeString, ...]:
    if not figures.hands:
        return ()
    with first_language_only():
        svg = render_to_string("documents/_endings.html", {"figures": figures}).strip()
    return (mark_safe(svg.replace(">", f">{PLOT_STYLE}", 1)),)


def _best_hands_part(job: DocumentJob, hands: tuple[ListedHand, ...]) -> DocumentPart:
    columns = [
        Column("points", _("Points"), lambda hand: hand.points, Kind.TOTAL),
        Column("winner", _("Player"), lambda hand: hand.winner.name if hand.winner else "", Kind.NAME),
        Column("session", _("Session"), lambda hand: hand.table.session.number, Kind.FIGURE),
        Column("table", _("Table"), lambda hand: hand.table.number, Kind.FIGURE),
        Column("hand", _("Hand"), lambda hand: hand.number or DASH, Kind.FIGURE),
        Column("discarder", _("Discarder"), _discarder_text),
    ]
    return DocumentPart(
        _("Highest-scoring hands"), fit_table(columns, hands, job, can_rotate=False), is_new_page=False
    )


def _discarder_text(hand: ListedHand) -> str:
    if isinstance(hand, NotedHand):
        return _("recorded on the sheet")
    return hand.discarder.name if hand.discarder else _("self-drawn")


def _fans_part(job: DocumentJob, figures: Figures) -> DocumentPart:
    columns = [
        FANS.column("fan"),
        Column("points", _("Points"), lambda count: find_fan(count[0]).points, Kind.FIGURE),
        FANS.column("hands"),
        Column("share", _("Share"), lambda count: percent_of(count[1], figures.known), Kind.FIGURE),
    ]
    counts = figures.fans_by_frequency
    return DocumentPart(_("Fans made"), fit_table(columns, counts, job, can_rotate=False), is_new_page=False)
