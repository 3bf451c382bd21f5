"""The pages of all documents: text inside the page, page breaks, size, and two languages."""

import re
import subprocess
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from django.urls import reverse
from django.utils.translation import get_language, gettext, ngettext, pgettext
from pypdf import PdfReader

from tests.documents.hard_event import CHINESE, HANGUL, LONGEST, hard_event
from tests.documents.pdf_runs import runs
from tests.documents.rendering import job_for, render_pdf, text_of, text_outside_margins
from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tests.support.pages import missing
from tests.support.sampling import sample
from tournament.base.engine.notices import Audience
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.drafts import (
    Part,
    Progress,
    first_language_only,
    override_languages,
    svg_images,
)
from tournament.documents.exports.jobs import DRAFT_BUILDERS, render
from tournament.documents.exports.paper import _server_characters, missing_characters
from tournament.documents.exports.players import seat_lists_context, seat_papers
from tournament.documents.exports.standings import statistics_parts
from tournament.documents.services import request_document
from tournament.ranking.selectors.statistics import event_statistics

KINDS = sorted(set(DocumentJob.Kind.values) - {"card", "site"})
NAMELESS = {"statistics", "table-numbers", "ema-application", "observer-report", "umpires", "dues-list"}
"""Documents without players' names, or without those of `check`."""
TAGGED = {"session-papers", "report", "certificates", "teams", "badges"}
"""Documents checked for title, language, tags and bookmarks."""
WITH_SEATS = {"session-papers", "score-sheets", "foul-record", "tabulation"}
"""Refused before the draw (tests/documents/test_papers.py)."""
BILINGUAL = ("en", "a4", "zh-hans")
"""Bilingual labels are the longest."""
MONOLINGUAL = [
    ("en", "a4"),
    ("zh-hans", "a4"),
    ("zh-hant", "letter"),
    ("en", "letter"),
    ("zh-hans", "letter"),
]
OPTIONS = [BILINGUAL, *((language, paper, "") for language, paper in MONOLINGUAL)]
"""Language, paper and second language."""
ALWAYS = [("standings", BILINGUAL), ("badges", BILINGUAL)]

# The time of the layout depends on the number of elements; `bin/bench documents` measures it.
ELEMENTS_PER_BADGE = 5
ELEMENTS_PER_SCORE_SHEET = 270
"""Sixteen hands of ten cells, headings and totals."""


@pytest.fixture
def tournament() -> Tournament:
    return hard_event()


def check(pdf: PdfReader, kind: str, language: str = "en") -> None:
    """Check that all text is inside the page, no name is cut off, and the PDF has title, language and tags."""
    assert text_outside_margins(pdf) == []
    if kind not in NAMELESS:
        text = text_of(pdf)
        assert [name for name in (LONGEST, CHINESE) if name not in text] == []
    if kind in TAGGED:
        root: Any = pdf.trailer["/Root"]
        assert root["/MarkInfo"]["/Marked"]
        assert root["/Lang"].lower() == language
        assert "Großes" in str(pdf.metadata.title if pdf.metadata else "")
        assert len(pdf.outline) >= 1
        assert "/StructTreeRoot" in root


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "options"), sample(product(KINDS, OPTIONS), 2, always=ALWAYS))
def test_text_stays_on_the_page(tournament: Tournament, kind: str, options: tuple[str, str, str]) -> None:
    check(render_pdf(tournament, kind, *options), kind, options[0])


@pytest.mark.thorough
@pytest.mark.parametrize("kind", sample(["badges", "standings", "score-sheets", "schedules"], 1))
def test_every_script_uses_the_bundled_fonts(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    """Hangul, kana, Cyrillic and Greek beside Latin and Chinese, without fonts of the system or missing glyphs."""
    event = make_tournament(players=4, sessions=1)
    names = (HANGUL, "さくら 田中", "Дмитрий Щёголев", "Ελένη Παπαδοπούλου")
    for player, name in zip(event.players.all(), names, strict=True):
        player.first_name, player.last_name = "", name
        player.save()
    pdf = render_pdf(event, kind)
    resources: list[Any] = [page["/Resources"] for page in pdf.pages]
    used = [font.get_object() for resource in resources for font in resource["/Font"].values()]
    fonts = {str(font["/BaseFont"]).partition("+")[2] for font in used}
    assert {font for font in fonts if not font.startswith("Hule-")} == set()
    assert "Hule-Korean-Bold" in fonts
    assert HANGUL.replace(" ", "") in text_of(pdf)
    assert [record.getMessage() for record in caplog.records if record.name == "weasyprint"] == []


@pytest.mark.thorough
def test_what_cannot_be_printed_or_opened_is_said_before(
    client: Client, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(make_organiser(tournament, "otto"))
    page = reverse("organiser_documents", args=[tournament.slug])
    assert "Characters that cannot be printed" not in client.get(page).text
    with override_settings(SITE_ADDRESS="http://127.0.0.1:8000"):
        assert missing(client.get(page).text, "Codes that phones cannot open", "127.0.0.1:8000") == []
    with override_settings(SITE_ADDRESS="https://hule.example.org"):
        assert "Codes that phones cannot open" not in client.get(page).text
    tournament.players.filter(number=1).update(last_name="Müller 李", first_name="\U000f0001")
    assert missing(client.get(page).text, "Characters that cannot be printed", "<b>\U000f0001</b></li>") == []
    _server_characters.cache_clear()
    monkeypatch.setattr(subprocess, "run", lambda *_args, **_more: subprocess.CompletedProcess([], 0, ""))
    assert missing_characters("Ł 李 한 é́ 𠮷") == "𠮷", "on a server without fonts"
    _server_characters.cache_clear()


def test_every_document_of_an_empty_tournament_can_be_drafted() -> None:
    """One of them is laid out too."""
    empty = make_tournament(players=0, drawn=False)
    kinds = set(KINDS) - WITH_SEATS
    for kind in kinds:
        assert DRAFT_BUILDERS[kind](job_for(empty, kind)).text, kind
    (kind,) = sample(sorted(kinds - {"table-numbers", "schedules"}), 1)
    assert len(render_pdf(empty, kind).pages) >= 1, kind


@pytest.mark.thorough
def test_all_papers_of_a_session_are_one_file_with_bookmarks(tournament: Tournament) -> None:
    pdf = render_pdf(tournament, "session-papers", *BILINGUAL)
    titles = [str(entry["/Title"]) for entry in pdf.outline if not isinstance(entry, list)]
    headings = [title.partition(" / ")[0] for title in titles]
    for heading in ("Seats by player", "Session 1: seats by table", "Table 2", "Foul record of session 1"):
        assert heading in headings
    assert "Session 2" not in text_of(pdf)


@pytest.fixture
def many() -> Tournament:
    """Forty-eight players in twelve teams, all of one country."""
    tournament = make_tournament(players=48, sessions=2, played=1)
    for player in tournament.players.all():
        player.team, player.country = f"Team {(player.number - 1) // 4 + 1:02}", "FRA"
        player.first_name, player.last_name = "Player", f"{player.number:02}"
        player.save()
    return tournament


def pages_of(tournament: Tournament, kind: str) -> list[str]:
    """Return the text of each page, with single spaces."""
    return [" ".join(page.extract_text().split()) for page in render_pdf(tournament, kind).pages]


@pytest.mark.thorough
def test_every_page_of_the_seat_lists_names_its_session(many: Tournament) -> None:
    titles = ("Seats by player", "Session 1: seats by table", "Session 2: seats by table")
    titles_of = [[title for title in titles if title in page] for page in pages_of(many, "seats")]
    assert sorted(titles_of) == [[title] for title in titles for _page in range(2)]


@pytest.mark.thorough
def test_no_page_break_divides_a_team(many: Tournament) -> None:
    """The header of a page names only a team that is continued."""
    pages = pages_of(many, "teams")
    assert len(pages) > 1
    for team in range(1, 13):
        words = [f"Team {team:02}", *(f"Player {(team - 1) * 4 + n:02}" for n in range(1, 5))]
        assert any(all(word in page for word in words) for page in pages), words
    assert [page for page in pages[1:] if "Standings of teams · Team" in page] == []


@pytest.mark.thorough
def test_a_nation_continued_on_a_page_is_named_again(many: Tournament) -> None:
    first, *others = pages_of(many, "nations")
    heading = "Standings of nations · France (FRA)"
    assert others
    assert [heading in page for page in (first, *others)] == [False, *([True] * len(others))]


@pytest.mark.thorough
def test_signatures_are_not_alone_on_the_last_page() -> None:
    last = render_pdf(hard_event(), "standings", "zh-hant").pages[-1].extract_text()
    assert "主辦方" in last
    assert "Cholmondeley" in last, "at least one note is on the same page"


@pytest.mark.thorough
def test_the_second_language_of_a_title_wraps_as_a_whole() -> None:
    texts = [run.text for run in runs(render_pdf(hard_event(), "seats", second="zh-hans").pages[0])]
    assert "按选手排列的座位" in texts


def test_names_are_sorted_without_accents() -> None:
    tournament = make_tournament(players=4, sessions=1)
    names = ("Petrov", "Østergaard", "Nowak", "Zhou")
    for player, name in zip(tournament.players.all(), names, strict=True):
        player.last_name = name
        player.save()
    job = job_for(tournament, "seats")
    people = seat_lists_context(seat_papers(job), job)["people"]
    in_order = [row.player.last_name for row in people]  # type: ignore[attr-defined]
    assert in_order == ["Nowak", "Østergaard", "Petrov", "Zhou"]


def test_spare_width_is_shared_equally_among_columns() -> None:
    tournament = hard_event()
    for paper in ("a4", "letter"):
        job = job_for(tournament, "statistics", paper=paper)
        *_before, fans = statistics_parts(job, event_statistics(tournament, Audience.STAFF))
        assert isinstance(fans, Part)
        assert fans.layout is not None
        _name, *figures = fans.layout.widths
        assert max(figures) - min(figures) < 5, paper


@pytest.fixture
def sixteen() -> Tournament:
    return make_tournament(players=16)


def elements(text: str) -> Counter[str]:
    return Counter(re.findall(r"<([a-z]\w*)", text.partition("<body>")[2]))


@pytest.mark.thorough
def test_badges_and_score_sheets_have_few_elements(sixteen: Tournament) -> None:
    badges = elements(DRAFT_BUILDERS["badges"](job_for(sixteen, "badges")).text)
    sheets = badges["svg"]
    assert sheets == 2
    boxes = sum(badges[name] for name in ("section", "p", "h2", "img", "i", "span", "div"))
    assert boxes - sheets <= 16 * ELEMENTS_PER_BADGE
    score_sheets = elements(DRAFT_BUILDERS["score-sheets"](job_for(sixteen, "score-sheets")).text)
    assert sum(score_sheets.values()) / score_sheets["section"] <= ELEMENTS_PER_SCORE_SHEET


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "pictures"), [("badges", 16 + 15), ("seats", 45)])
def test_each_tile_and_flag_is_stored_once_per_file(sixteen: Tournament, kind: str, pictures: int) -> None:
    """Drawing each one again took more than half of the time."""
    job = job_for(sixteen, kind, site="")
    text = DRAFT_BUILDERS[kind](job).text
    shown = re.findall(r'(?:src|href)="(file:[^"]+\.svg)"', text)
    assert len(shown) >= pictures
    forms = render(job, Progress(job)).count(b"/Subtype /Form")
    assert forms == len(svg_images(text)) == len(set(shown))


def test_labels_are_bilingual_and_sentences_are_not() -> None:
    with override_languages("en", "zh-hans"):
        assert gettext("Table") == "Table / 桌号"
        assert gettext("Session %(n)s") % {"n": 3} == "Session 3 / 第 3 轮"
        assert ngettext("%(n)s player", "%(n)s players", 8) % {"n": 8} == "8 players / 8 位选手"
        for sentence in ("There were none.", ", ", "November"):
            assert gettext(sentence) == sentence
        assert "/" not in gettext("Rulebook {name}")
        assert pgettext("between ranking criteria", ", then ") == ", then "
        assert get_language() == "en"
    assert gettext("Table") == "Table"


def test_the_second_language_can_be_switched_off_and_equal_translations_are_printed_once() -> None:
    with override_languages("en", "zh-hans"):
        with first_language_only():
            assert gettext("Table") == "Table"
        assert gettext("Table") == "Table / 桌号"
    with first_language_only():
        assert gettext("Table") == "Table"
    with override_languages("zh-hans", "zh-hant"):
        assert gettext("Place") == "名次"
    with override_languages("zh-hans", "zh-hans"):
        assert gettext("Table") == "桌号"


LABELS = {
    "score-sheets": "Table 1 / 第 1 桌",
    "tabulation": "比赛分",
    "check-in-list": "Check-in list / ",
    "certificates": "Chief umpire / 裁判长",
}


def test_documents_have_bilingual_headings_and_labels() -> None:
    event = make_tournament(players=8, played=1)
    with override_languages("en", "zh-hans"):
        texts = {kind: DRAFT_BUILDERS[kind](job_for(event, kind, second="zh-hans")).text for kind in LABELS}
    assert [kind for kind, label in LABELS.items() if label not in texts[kind]] == []


def test_one_language_and_two_languages_are_different_documents() -> None:
    tournament = make_tournament(players=8)
    alone = request_document(tournament, SYSTEM, kind="badges", language="en")
    both = request_document(tournament, SYSTEM, kind="badges", language="en", second="zh-hans")
    same = request_document(tournament, SYSTEM, kind="badges", language="en", second="en")
    assert alone == same
    assert alone != both
    assert both.file_name == "badges-en+zh-hans-a4.pdf"


def test_the_command_writes_a_document(tmp_path: Path) -> None:
    tournament = make_tournament(players=8, name="Harbour")
    file = tmp_path / "badges.pdf"
    call_command("document", tournament.slug, "badges", str(file), second="zh-hans")
    assert len(PdfReader(file).pages) == 1
    assert not tournament.documents.exists()
    with pytest.raises(CommandError, match="There is no tournament"):
        call_command("document", "nowhere", "badges", str(file))
    with pytest.raises(CommandError, match=r"paper"):
        call_command("document", tournament.slug, "badges", str(file), paper="a6")
