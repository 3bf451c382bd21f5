"""The standings as a PDF: all names and figures inside the margins, headers, notes and footers."""

from itertools import groupby, pairwise, product
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone, translation
from fontTools.ttLib import TTFont
from pypdf import PageObject

from tests.documents.conftest import StandingsPdf, render_standings
from tests.documents.pdf_runs import Run, runs
from tests.documents.rendering import job_for
from tests.support.factories import (
    PEOPLE,
    SYSTEM,
    WEEKEND,
    end_appeals,
    evening,
    make_tournament,
    make_user,
)
from tests.support.sampling import sample
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.demo.people import all_clubs, all_names
from tournament.documents.exports.jobs import DRAFT_BUILDERS
from tournament.documents.exports.paper import MARGIN, PAPERS
from tournament.documents.exports.standings import standings_sheet
from tournament.ranking.services import publish_standings
from tournament.staff.services import give_role
from tournament.web.texts.words import minus, table_points

FONTS = Path(__file__).parents[2] / "static" / "fonts"

POINTS = 72 / 25.4
"""Per millimetre."""
SMALLEST = 6.5
NAMES = {
    "short": ("", "Li"),
    "one word": ("", "Llanfairpwllgwyngyllgogerychwyrndrobwlll"),
    "long": ("Maximilian-Alexander", "van Valkenburg-Óbidos"),
    "Chinese": ("", "阿卜杜热合曼·买买提艾力·努尔麦麦提·依明江·玉素甫"),
}
TEAM = "Sportgemeinschaft Obersteinbach-Niederau"


@pytest.mark.thorough
def test_published_standings_are_printed_with_every_figure() -> None:
    """The version stays when something else is written; the PDF has a title, a language and tags."""
    tournament = make_tournament(players=8, played=1, hands=1)
    end_appeals(tournament)
    publication = publish_standings(tournament, SYSTEM)
    give_role(tournament, SYSTEM, make_user("uma"))
    paper = render_standings(tournament)
    assert paper.version == publication.version < tournament.version
    assert "Hule · published" in paper.text
    lines = paper.text.splitlines()
    for row in paper.rows:
        line = next(line for line in lines if line.startswith(f"{row.rank} {paper.names[row.number]} "))
        assert line.endswith(f" {table_points(row.table_points)} {minus(row.game_points)}")
    root: Any = paper.pdf.trailer["/Root"]
    outline: Any = paper.pdf.outline
    assert paper.pdf.metadata is not None
    assert paper.pdf.metadata.title == "Spring Open: Standings after session 1"
    assert (root["/Lang"], root["/MarkInfo"]["/Marked"]) == ("en", True)
    assert [entry["/Title"] for entry in outline] == ["Standings after session 1"]
    resources: list[Any] = [page["/Resources"] for page in paper.pdf.pages]
    for font in (font for used in resources for font in used["/Font"].values()):
        descendant = font.get_object()["/DescendantFonts"][0].get_object()
        assert "+Hule-" in descendant["/BaseFont"]
        assert "/FontFile2" in descendant["/FontDescriptor"].get_object()


def characters_of(file: Path) -> set[int]:
    with TTFont(file) as font:
        return set(font.getBestCmap())


def test_the_fonts_have_every_character_of_the_names() -> None:
    names = [name for row in all_names() for name in row.given_names + row.family_names]
    names += [club.name for club in all_clubs()]
    names += [name for person in PEOPLE for name in person]
    for weight in ("regular", "bold"):
        files = [FONTS / f"noto-sans-{weight}.ttf", FONTS / f"noto-sans-chinese-{weight}.ttf"]
        known = {code for file in files for code in characters_of(file)}
        assert {char for name in names for char in name if ord(char) not in known} == set()


# --- states ---
def test_standings_during_a_session_are_provisional() -> None:
    tournament = make_tournament(played=1, running=1, hands=1)
    sheet = standings_sheet(tournament, "a4")
    assert (sheet.title, sheet.state_name) == ("Provisional standings", "provisional")
    assert sheet.version == tournament.version
    marked = [column.headings[0] for column in sheet.layout.columns if column.headings[0].startswith("● ")]
    assert marked == ["● S2", "● Table points", "● Game points"]
    assert any(note.startswith("● These figures may still change.") for note in sheet.notes)


def test_standings_are_not_final_while_appeals_are_possible() -> None:
    """Even if every session is played."""
    tournament = make_tournament(sessions=1, played=1, hands=1)
    publication = publish_standings(tournament, SYSTEM)
    sheet = standings_sheet(tournament, "a4")
    assert (sheet.title, sheet.state_name) == ("Provisional standings after session 1", "provisional")
    assert sheet.version == publication.version


@pytest.mark.parametrize("language", sample(["zh-Hans", "zh-Hant"], 1))
def test_standings_are_in_the_requested_language(language: str) -> None:
    job = job_for(make_tournament(players=4, sessions=1, days=WEEKEND), "standings")
    with translation.override(language.lower()):
        text = DRAFT_BUILDERS["standings"](job).text
    assert f'lang="{language}"' in text
    assert "2026年11月14–15日" in text


# --- large ones ---
@pytest.mark.thorough
def test_standings_have_rows_header_notes_and_footer() -> None:
    tournament = evening()
    end_appeals(tournament)
    publish_standings(tournament, SYSTEM)
    paper = render_standings(tournament)
    assert "1 Mātīss 陈 FRA Team 2 15342144 2 90 4 337 4 58 4 175 2 62 16 722" in paper.text.splitlines()
    text = " ".join(paper.text.split())
    for part in (
        "Evening of 16",
        "Final standings",
        "Salle des fêtes, 14–15 November 2026",
        "16 players, 5 sessions of 120 minutes",
        "Rulebook MCR",
        "Places 10 to 12 and 14 to 15 were decided by game points.",
        "Session 4, table 2: 张伟 and 敏 Østergaard tied on −164 and share the table points",
        "of places 3 and 4, 0.50 each.",
        "Hule · final",
        "Page 1 of 1",
    ):
        assert part in text
    assert text.index("Organiser") < text.index("Chief umpire")


@pytest.mark.thorough
def test_each_page_of_long_standings_has_a_header() -> None:
    paper = render_standings(make_tournament(players=60, sessions=1))
    pages = [page.extract_text() for page in paper.pdf.pages]
    assert len(pages) == 2
    for number, text in enumerate(pages, 1):
        assert f"Page {number} of 2" in text
        assert "Place Player Country Team Table points Game points" in text
    assert ["Spring Open · Provisional standings" in page for page in pages] == [False, True]


@pytest.mark.thorough
@pytest.mark.parametrize(("sessions", "is_landscape"), [(12, False), (16, True)])
def test_standings_are_landscape_if_they_do_not_fit_portrait(sessions: int, is_landscape: bool) -> None:
    paper = render_standings(make_tournament(players=4, sessions=sessions, played=sessions, hands=1))
    page = paper.pdf.pages[0]
    assert (page.mediabox.width > page.mediabox.height) is is_landscape
    assert " ".join(f"S{number}" for number in range(1, sessions + 1)) in page.extract_text()


def event(sessions: int, names: str = "long", *, team: str = TEAM, players: int = 8) -> Tournament:
    """Return a finished tournament whose game points have five characters."""
    tournament = make_tournament(players=players, sessions=sessions)
    first, last = NAMES[names]
    Player.objects.update(first_name=first, last_name=last, team=team, ema_number="04468287" if team else "")
    if not team:
        Player.objects.update(country="")
    tournament.players.filter(number=1).update(withdrawn_at=timezone.now())
    Session.objects.update(state=Session.State.CLOSED, started_at=tournament.created_at)
    Table.objects.update(hands_played=16)
    seats = list(Seat.objects.select_related("player"))
    for seat in seats:
        seat.game_points = (-1 if seat.player.number % 2 else 1) * (1100 + seat.player.number)
    Seat.objects.bulk_update(seats, ["game_points"])
    return tournament


def table_of(page: PageObject) -> list[list[Run]]:
    """Return the runs of a page line by line, from left to right."""
    in_order = sorted(runs(page), key=lambda run: (round(run.baseline), run.left))
    return [list(line) for _, line in groupby(in_order, key=lambda run: round(run.baseline))]


def check(paper: StandingsPdf, name: str) -> None:
    """Check that all text is inside the margins, readable and not overlapping, and that every figure is printed."""
    upright = PAPERS[name]
    shown: set[str] = set()
    for page in paper.pdf.pages:
        width, height = float(page.mediabox.width), float(page.mediabox.height)
        assert sorted((width, height)) == pytest.approx(
            sorted((upright.width * POINTS, upright.height * POINTS)), abs=0.1
        )
        for line in table_of(page):
            shown |= {run.text.strip() for run in line}
            assert min(run.left for run in line) >= MARGIN * POINTS - 0.1
            assert max(run.right for run in line) <= width - MARGIN * POINTS + 0.1
            assert min(run.size for run in line) >= SMALLEST - 0.01
            assert [(a, b) for a, b in pairwise(line) if a.right > b.left + 0.1] == []
    for row in paper.rows:
        assert {table_points(row.table_points), minus(row.game_points)} <= shown
        assert {minus(score.game_points) for score in row.sessions} <= shown
    for session in {score.session for row in paper.rows for score in row.sessions}:
        assert f"S{session}" in shown


@pytest.mark.thorough
def test_standings_stay_inside_the_margins() -> None:
    check(render_standings(event(8), "letter"), "letter")


ALWAYS = [(1, "short", TEAM, "a4"), (16, "one word", TEAM, "a4")]
EVENTS = sample(product([1, 6, 8, 12, 16, 40], NAMES, [TEAM, ""], PAPERS), 2, always=ALWAYS)


@pytest.mark.thorough
@pytest.mark.parametrize(("sessions", "names", "team", "paper"), EVENTS)
def test_standings_of_many_events_stay_inside_the_margins(
    sessions: int, names: str, team: str, paper: str
) -> None:
    check(render_standings(event(sessions, names, team=team), paper), paper)


@pytest.mark.thorough
@pytest.mark.parametrize(("players", "sessions"), [(100, 8), (24, 6)])
def test_standings_of_many_players_keep_all_columns(players: int, sessions: int) -> None:
    check(render_standings(event(sessions, players=players)), "a4")
