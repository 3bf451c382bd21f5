"""The pages of every document: each word inside its page, none lost; where a page ends; what it costs to lay out."""

import re
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils.translation import get_language, gettext, ngettext, pgettext
from pypdf import PdfReader

from tests.documents.hard import CHINESE, HANGUL, LONGEST, hard_event
from tests.documents.ink import runs
from tests.documents.made import job_for, made, outside, text_of
from tests.support.factories import SYSTEM, make_tournament
from tests.support.sampling import sample
from tournament.base.access import Audience
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.drafts import Part, Progress, drawings_in, first_alone, in_languages
from tournament.documents.exports.jobs import MAKERS, make
from tournament.documents.exports.players import seat_lists, seat_papers
from tournament.documents.exports.standings import statistics_parts
from tournament.documents.services import request_document
from tournament.ranking.selectors.statistics import event_statistics

KINDS = sorted(set(DocumentJob.Kind.values) - {"card", "site"})
NAMELESS = {"statistics", "table-numbers", "observer-report", "umpires", "dues-list"}
"""What has no player's name in it, or not this one's."""
READ_ALOUD = {"session-papers", "report", "certificates", "teams", "badges"}
"""What is looked at for a title, a language, tags and bookmarks: of all papers of a session, those of each."""
OF_SEATS = {"session-papers", "score-sheets", "foul-record", "tabulation"}
"""Refused before there are any (tests/documents/test_papers.py)."""
BOTH = ("en", "a4", "zh-hans")
"""Every label twice: what is longest."""
ALONE = [("en", "a4"), ("zh-hans", "a4"), ("zh-hant", "letter"), ("en", "letter"), ("zh-hans", "letter")]
ON_PAPER = [BOTH, *((language, paper, "") for language, paper in ALONE)]
"""Languages and paper."""
ALWAYS = [("standings", BOTH), ("badges", BOTH)]

# Every box is laid out and kept until the file is written, so they are counted; `bin/bench documents` measures.
A_BADGE = 5
"""Itself, the event, the name, the number, where they come from."""
A_SHEET = 270
"""Sixteen hands of ten cells, headings and totals."""


@pytest.fixture
def tournament() -> Tournament:
    return hard_event()


def check(pdf: PdfReader, kind: str, language: str = "en") -> None:
    """Every word is inside its page and none is lost; a screen reader knows what it reads."""
    assert outside(pdf) == []
    if kind not in NAMELESS:
        text = text_of(pdf)
        assert [name for name in (LONGEST, CHINESE) if name not in text] == []
    if kind in READ_ALOUD:
        root: Any = pdf.trailer["/Root"]
        assert root["/MarkInfo"]["/Marked"]
        assert root["/Lang"].lower() == language
        assert "Großes" in str(pdf.metadata.title if pdf.metadata else "")
        assert len(pdf.outline) >= 1
        assert "/StructTreeRoot" in root


@pytest.mark.thorough
@pytest.mark.parametrize("kind", sample(KINDS, 1))
def test_nothing_leaves_its_page_in_two_languages(tournament: Tournament, kind: str) -> None:
    check(made(tournament, kind, *BOTH), kind)


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "way"), sample(product(KINDS, ON_PAPER), 14, always=ALWAYS))
def test_nothing_leaves_its_page(tournament: Tournament, kind: str, way: tuple[str, str, str]) -> None:
    check(made(tournament, kind, *way), kind, way[0])


@pytest.mark.thorough
@pytest.mark.parametrize("kind", sample(["badges", "standings", "score-sheets", "schedules"], 1))
def test_every_script_is_drawn_by_our_own_fonts(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    """Not by what this machine happens to have: Hangul, kana, Cyrillic and Greek beside Latin and Chinese. No space is
    a box where the font beside it has none."""
    event = make_tournament(players=4, sessions=1)
    names = (HANGUL, "さくら 田中", "Дмитрий Щёголев", "Ελένη Παπαδοπούλου")
    for player, name in zip(event.players.all(), names, strict=True):
        player.first_name, player.last_name = "", name
        player.save()
    pdf = made(event, kind)
    resources: list[Any] = [page["/Resources"] for page in pdf.pages]
    used = [font.get_object() for resource in resources for font in resource["/Font"].values()]
    fonts = {str(font["/BaseFont"]).partition("+")[2] for font in used}
    assert {font for font in fonts if not font.startswith("Hule-")} == set()
    assert "Hule-Korean-Bold" in fonts
    assert HANGUL.replace(" ", "") in text_of(pdf)
    assert [record.getMessage() for record in caplog.records if record.name == "weasyprint"] == []


@pytest.mark.thorough
def test_before_anything_is_known_there_is_a_page() -> None:
    """An event that nobody has entered yet: no document of it fails. One is laid out."""
    empty = make_tournament(players=0, drawn=False)
    kinds = set(KINDS) - OF_SEATS
    for kind in kinds:
        assert MAKERS[kind](job_for(empty, kind)).text, kind
    (kind,) = sample(sorted(kinds - {"table-numbers", "schedules"}), 1)
    assert len(made(empty, kind).pages) >= 1, kind


@pytest.mark.thorough
def test_all_papers_of_a_session_are_one_file_with_bookmarks(tournament: Tournament) -> None:
    pdf = made(tournament, "session-papers", *BOTH)
    titles = [str(entry["/Title"]) for entry in pdf.outline if not isinstance(entry, list)]
    headings = [title.partition(" / ")[0] for title in titles]
    for heading in ("Seats by player", "Session 1: seats by table", "Table 2", "Foul record of session 1"):
        assert heading in headings
    assert "Session 2: seats by table" not in headings
    parts = ("seats", "score-sheets", "foul-record", "tabulation", "umpires")
    # Of seats and rota only those of the session: a page less by table, nobody who has no table in it.
    assert len(pdf.pages) <= sum(len(made(tournament, kind, *BOTH).pages) for kind in parts)


@pytest.fixture
def many() -> Tournament:
    """Forty-eight in twelve teams, all of one country."""
    tournament = make_tournament(players=48, sessions=2, played=1)
    for player in tournament.players.all():
        player.team, player.country = f"Team {(player.number - 1) // 4 + 1:02}", "FRA"
        player.first_name, player.last_name = "Player", f"{player.number:02}"
        player.save()
    return tournament


def pages_of(tournament: Tournament, kind: str) -> list[str]:
    """The text of each page, with single spaces."""
    return [" ".join(page.extract_text().split()) for page in made(tournament, kind).pages]


@pytest.mark.thorough
def test_every_page_of_the_seats_says_of_which_session_they_are(many: Tournament) -> None:
    titles = ("Seats by player", "Session 1: seats by table", "Session 2: seats by table")
    titles_of = [[title for title in titles if title in page] for page in pages_of(many, "seats")]
    assert sorted(titles_of) == [[title] for title in titles for _page in range(2)]


@pytest.mark.thorough
def test_a_team_stays_together(many: Tournament) -> None:
    """And one that begins a page is not called by the one before."""
    pages = pages_of(many, "teams")
    assert len(pages) > 1
    for team in range(1, 13):
        words = [f"Team {team:02}", *(f"Player {(team - 1) * 4 + n:02}" for n in range(1, 5))]
        assert any(all(word in page for word in words) for page in pages), words
    assert [page for page in pages[1:] if "Standings of teams · Team" in page] == []


@pytest.mark.thorough
def test_a_nation_that_goes_on_is_named_again(many: Tournament) -> None:
    first, *others = pages_of(many, "nations")
    heading = "Standings of nations · France (FRA)"
    assert others
    assert [heading in page for page in (first, *others)] == [False, *([True] * len(others))]


@pytest.mark.thorough
def test_signatures_are_not_alone_on_the_last_page() -> None:
    last = made(hard_event(), "standings", "zh-hant").pages[-1].extract_text()
    assert "主辦方" in last
    assert "Cholmondeley" in last, "a note of those above them"


@pytest.mark.thorough
def test_the_second_language_of_a_title_begins_a_line_before_it_breaks() -> None:
    texts = [run.text for run in runs(made(hard_event(), "seats", second="zh-hans").pages[0])]
    assert "按选手排列的座位" in texts


def test_players_with_marks_on_their_letters_stand_where_they_are_looked_for() -> None:
    tournament = make_tournament(players=4, sessions=1)
    names = ("Petrov", "Østergaard", "Nowak", "Zhou")
    for player, name in zip(tournament.players.all(), names, strict=True):
        player.last_name = name
        player.save()
    job = job_for(tournament, "seats")
    people = seat_lists(seat_papers(job), job)["people"]
    in_order = [line.player.last_name for line in people]  # type: ignore[attr-defined]
    assert in_order == ["Nowak", "Østergaard", "Petrov", "Zhou"]


def test_what_is_left_over_goes_to_all_columns_alike() -> None:
    """Of a table of short figures no column is blown up."""
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
def test_a_badge_is_five_boxes_and_a_score_sheet_hardly_more_than_its_cells(sixteen: Tournament) -> None:
    badges = elements(MAKERS["badges"](job_for(sixteen, "badges")).text)
    sheets = badges["svg"]
    assert sheets == 2
    boxes = sum(badges[name] for name in ("section", "p", "h2", "img", "i", "span", "div"))
    assert boxes - sheets <= 16 * A_BADGE
    score_sheets = elements(MAKERS["score-sheets"](job_for(sixteen, "score-sheets")).text)
    assert sum(score_sheets.values()) / score_sheets["section"] <= A_SHEET


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "pictures"), [("badges", 16 + 15), ("seats", 45)])
def test_a_tile_or_flag_is_in_the_file_once(sixteen: Tournament, kind: str, pictures: int) -> None:
    """Stamped wherever it stands: drawing each anew was more than half of the time."""
    job = job_for(sixteen, kind, site="")
    text = MAKERS[kind](job).text
    shown = re.findall(r'(?:src|href)="(file:[^"]+\.svg)"', text)
    assert len(shown) >= pictures
    drawn = make(job, Progress(job)).count(b"/Subtype /Form")
    assert drawn == len(drawings_in(text)) == len(set(shown))


def test_a_label_is_in_both_languages_and_a_sentence_in_the_first() -> None:
    with in_languages("en", "zh-hans"):
        assert gettext("Table") == "Table / 桌"
        assert gettext("Session %(n)s") % {"n": 3} == "Session 3 / 第 3 轮"
        assert ngettext("%(n)s player", "%(n)s players", 8) % {"n": 8} == "8 players / 8 位选手"
        for sentence in ("There were none.", ", ", "November"):
            assert gettext(sentence) == sentence
        assert "/" not in gettext("Rulebook {name}")
        assert pgettext("between ranking criteria", ", then ") == ", then "
        assert get_language() == "en"
    assert gettext("Table") == "Table"


def test_where_there_is_no_room_it_is_the_first_alone() -> None:
    with in_languages("en", "zh-hans"):
        with first_alone():
            assert gettext("Table") == "Table"
        assert gettext("Table") == "Table / 桌"
    with first_alone():
        assert gettext("Table") == "Table"


def test_what_is_the_same_in_both_is_said_once() -> None:
    with in_languages("zh-hans", "zh-hant"):
        assert gettext("Place") == "名次"
    with in_languages("zh-hans", "zh-hans"):
        assert gettext("Table") == "桌"


LABELS = {
    "score-sheets": "Table 1 / 第 1 桌",
    "tabulation": "比赛分",
    "check-in-list": "Check-in list / ",
    "certificates": "Chief umpire / 裁判长",
}


def test_headings_and_labels_of_documents_are_in_both() -> None:
    event = make_tournament(players=8, played=1)
    with in_languages("en", "zh-hans"):
        texts = {kind: MAKERS[kind](job_for(event, kind, second="zh-hans")).text for kind in LABELS}
    assert [kind for kind, label in LABELS.items() if label not in texts[kind]] == []


def test_one_language_and_two_are_two_documents() -> None:
    tournament = make_tournament(players=8)
    alone = request_document(tournament, SYSTEM, kind="badges", language="en")
    both = request_document(tournament, SYSTEM, kind="badges", language="en", second="zh-hans")
    same = request_document(tournament, SYSTEM, kind="badges", language="en", second="en")
    assert alone == same
    assert alone != both
    assert both.file_name == "badges-en+zh-hans-a4.pdf"


def test_a_document_is_made_by_command(tmp_path: Path) -> None:
    tournament = make_tournament(players=8, name="Harbour")
    file = tmp_path / "badges.pdf"
    call_command("document", tournament.slug, "badges", str(file), second="zh-hans")
    assert len(PdfReader(file).pages) == 1
    assert not tournament.documents.exists()
    with pytest.raises(CommandError, match="There is no tournament"):
        call_command("document", "nowhere", "badges", str(file))
    with pytest.raises(CommandError, match=r"paper"):
        call_command("document", tournament.slug, "badges", str(file), paper="a6")
