"""The standings on paper: every name in its script, every figure, and what the page says about itself."""

from pathlib import Path
from typing import Any

import pytest
from django.utils import translation
from fontTools.ttLib import TTFont
from pypdf import PdfReader

from tests.documents.conftest import Paper, make_paper
from tests.support.factories import SYSTEM, WEEKEND, end_appeals, make_tournament, make_user
from tests.support.sampling import sample
from tournament.demo.names import peoples
from tournament.services.staff import give_role
from tournament.services.tournaments import publish_standings
from tournament.words.figures import minus, table_points

FONTS = Path(__file__).parents[2] / "static" / "fonts"


def fonts_in(pdf: PdfReader) -> list[Any]:
    """The descendant font of every font the pages use."""
    resources: list[Any] = [page["/Resources"] for page in pdf.pages]
    return [
        font.get_object()["/DescendantFonts"][0].get_object()
        for used in resources
        for font in used["/Font"].values()
    ]


def characters_of(file: Path) -> set[int]:
    with TTFont(file) as font:
        return set(font.getBestCmap())


# --- the evening --------------------------------------------------------------------------------------------------
def test_every_line_has_its_place_name_sessions_and_totals(evening_paper: Paper) -> None:
    lines = evening_paper.text.splitlines()
    for row in evening_paper.rows:
        name = evening_paper.names[row.number]
        line = next(line for line in lines if line.startswith(f"{row.rank} {name} "))
        assert line.endswith(f" {table_points(row.table_points, 2)} {minus(row.game_points)}")
    assert "1 Mātīss 陈 FRA Team 2 15342144 2 90 4 337 4 58 4 175 2 62 16.00 722" in lines


def test_head_notes_and_foot(evening_paper: Paper) -> None:
    """Which tournament and by which rules; what game points decided and who shares; version, state and page."""
    text = " ".join(evening_paper.text.split())
    for part in (
        "Evening of 16",
        "Final standings",
        "Salle des fêtes, 14–15 November 2026",
        "16 players, 5 sessions of 120 minutes",
        "Rulebook MCR",
        "Places 10 to 12 and 14 to 15 were decided by game points.",
        "Session 4, table 2: 张伟 and 敏 Østergaard tied on −164 and share the table points",
        "of places 3 and 4, 0.50 each.",
        f"Hule · standings version {evening_paper.version} · final",
        "Page 1 of 1",
    ):
        assert part in text
    assert text.index("Organiser") < text.index("Head umpire"), "there is room to sign"


def test_title_language_and_structure_are_there_for_readers_and_machines(evening_paper: Paper) -> None:
    root: Any = evening_paper.pdf.trailer["/Root"]
    assert evening_paper.pdf.metadata is not None
    assert evening_paper.pdf.metadata.title == "Evening of 16: Final standings"
    assert (root["/Lang"], root["/MarkInfo"]["/Marked"]) == ("en", True)
    outline: Any = evening_paper.pdf.outline
    assert [entry["/Title"] for entry in outline] == ["Final standings"]


def test_all_fonts_are_our_own_and_embedded(evening_paper: Paper) -> None:
    for font in fonts_in(evening_paper.pdf):
        assert "+Hule-" in font["/BaseFont"]
        assert "/FontFile2" in font["/FontDescriptor"].get_object()


def test_the_fonts_have_every_character_of_the_names(evening_paper: Paper) -> None:
    names = [*evening_paper.names.values()]
    names += [name for people in peoples() for name in people.given + people.family]
    for weight in ("regular", "bold"):
        files = [FONTS / f"noto-sans-{weight}.ttf", FONTS / f"noto-sans-chinese-{weight}.ttf"]
        known = {code for file in files for code in characters_of(file)}
        assert {char for name in names for char in name if ord(char) not in known} == set()


# --- other sizes and states ----------------------------------------------------------------------------------------
@pytest.mark.thorough
@pytest.mark.django_db
def test_many_players_take_several_pages_that_each_say_what_they_are() -> None:
    paper = make_paper(make_tournament(players=60, sessions=1))
    pages = [page.extract_text() for page in paper.pdf.pages]
    assert len(pages) == 2
    for number, text in enumerate(pages, 1):
        assert f"Page {number} of 2" in text
        assert "Place Player Country Team Table points Game points" in text
    assert "Spring Open · Provisional standings" in pages[1]
    assert "Spring Open · Provisional standings" not in pages[0]


@pytest.mark.thorough
@pytest.mark.django_db
@pytest.mark.parametrize(("sessions", "turned"), [(12, False), (16, True)])
def test_sessions_lie_on_the_long_side_once_they_do_not_fit_upright(sessions: int, turned: bool) -> None:
    paper = make_paper(make_tournament(players=4, sessions=sessions, played=sessions, hands=1))
    page = paper.pdf.pages[0]
    assert (page.mediabox.width > page.mediabox.height) is turned
    assert " ".join(f"S{number}" for number in range(1, sessions + 1)) in page.extract_text()


@pytest.mark.django_db
def test_while_a_session_is_played_the_sheet_is_provisional() -> None:
    tournament = make_tournament(played=1, running=1, hands=1)
    text = make_paper(tournament).text
    assert "Provisional standings" in text
    assert "Figures in italics may still change." in text
    assert f"standings version {tournament.version} · provisional" in text


@pytest.mark.django_db
def test_published_standings_keep_their_version_when_only_something_else_is_written() -> None:
    tournament = make_tournament(played=1, hands=1)
    end_appeals(tournament)
    publication = publish_standings(tournament, SYSTEM)
    give_role(tournament, SYSTEM, make_user("uma"))
    paper = make_paper(tournament)
    assert paper.version == publication.version < tournament.version
    assert "Standings after session 1" in paper.text
    assert f"standings version {publication.version} · published" in paper.text


@pytest.mark.django_db
def test_while_appeals_are_possible_nothing_is_called_final() -> None:
    """Though every session is played."""
    tournament = make_tournament(sessions=1, played=1, hands=1)
    publication = publish_standings(tournament, SYSTEM)
    text = make_paper(tournament).text
    assert "Provisional standings after session 1" in text
    assert f"standings version {publication.version} · provisional" in text
    assert "final" not in text.lower()


@pytest.mark.django_db
def test_a_sheet_without_players_can_be_made() -> None:
    assert "0 players" in make_paper(make_tournament(players=0)).text


@pytest.mark.django_db
@pytest.mark.parametrize("language", sample(["zh-Hans", "zh-Hant"], 1))
def test_the_sheet_is_in_the_language_asked_for(language: str) -> None:
    with translation.override(language.lower()):
        paper = make_paper(make_tournament(players=4, sessions=1, days=WEEKEND))
    root: Any = paper.pdf.trailer["/Root"]
    assert root["/Lang"] == language
    assert "2026年11月14–15日" in paper.text
