"""The umpire's card, seat lists, schedule cards, score sheets and table numbers."""

import re
from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.utils import timezone, translation
from pypdf import PdfReader

from penalties.engine import FOUL_BOOKS, Names, PaidTo, RepeatScope, Sanction
from penalties.engine.rules import Fixed, Ladder
from penalties.engine.sanctions import MAX_POINTS, SANCTION_FLAGS, STEPS, fine, points
from tests.documents.hard_event import CHINESE, LONGEST, hard_event
from tests.documents.pdf_runs import runs
from tests.documents.rendering import SITE, job_for, render_pdf, text_of, text_outside_margins
from tests.support.checks import refused_codes, refused_problems
from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tests.support.sampling import sample
from tournament.base.engine.rules import dealer
from tournament.base.models.documents import DocumentJob
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Tournament
from tournament.documents.exports import card as card_exports
from tournament.documents.exports import jobs
from tournament.documents.exports.card import card_fouls, false_hu
from tournament.documents.exports.drafts import Progress
from tournament.documents.exports.jobs import DRAFT_BUILDERS, run_job
from tournament.documents.exports.players import seat_papers
from tournament.documents.selectors import current_cards, public_documents
from tournament.documents.services import request_document
from tournament.events.services import update_tournament
from tournament.fouls.services.foul_book import MAX_HOUSE_FOULS, add_foul, change_foul

EVERYTHING = Sanction(points=points(MAX_POINTS, PaidTo.EACH_OPPONENT), **dict.fromkeys(SANCTION_FLAGS, True))
LANGUAGES = ("en", "zh-hans", "zh-hant")

KINDS = ("seats", "schedules", "score-sheets", "table-numbers")


@pytest.fixture
def tournament() -> Tournament:
    return make_tournament(players=4, sessions=1)


def with_mers(tournament: Tournament) -> Tournament:
    tournament.foul_book = "mers"
    return update_tournament(tournament, SYSTEM)


@pytest.fixture
def full() -> Tournament:
    """The largest foul book with the most house fouls, with the longest names and all sanctions."""
    tournament = with_mers(make_tournament(players=4, drawn=False))
    rules = (Fixed(EVERYTHING), Ladder((EVERYTHING,) * 30, RepeatScope.TOURNAMENT))
    for n in range(MAX_HOUSE_FOULS):
        add_foul(tournament, SYSTEM, Names.filled("W" * 80), Names.filled("牌" * 300), rules[n % 2])
    return tournament


@pytest.fixture
def done(tournament: Tournament) -> DocumentJob:
    job = DocumentJob(tournament=tournament, kind="card", language="zh-hans", paper="a6", state="done")
    job.finished_at = timezone.now()
    job.file.save("card.pdf", ContentFile(b"%PDF-1.7"), save=True)
    return job


def card(tournament: Tournament, paper: str, language: str = "en") -> PdfReader:
    return render_pdf(tournament, "card", language, paper)


def text_on(pdf: PdfReader) -> str:
    return " ".join(" ".join(page.extract_text() for page in pdf.pages).split())


def sizes(pdf: PdfReader) -> set[tuple[int, int]]:
    """Return the sizes of the pages in millimetres."""
    boxes = [page.mediabox for page in pdf.pages]
    return {(round(box.width * 25.4 / 72), round(box.height * 25.4 / 72)) for box in boxes}


# --- layout of the card ---
@pytest.mark.thorough
def test_the_card_has_the_mers_regulations_with_their_clauses() -> None:
    event = with_mers(make_tournament(players=4, drawn=False))
    pdf = card(event, "a4")
    text = text_on(pdf)
    expected = (
        "Rulebook MCR, MERS Tournament Regulations",
        "up to minute 15 20 points",
        "later session forfeited with score 0",
        "Complete, but under the minimum −30 +10",
        "at the umpire’s discretion → disqualification",
    )
    assert (len(pdf.pages), [part for part in expected if part not in text]) == (1, [])


@pytest.mark.parametrize("language", sample(LANGUAGES, 1, always=["en"]))
@pytest.mark.thorough
def test_the_card_of_the_default_foul_book_fits_one_page(tournament: Tournament, language: str) -> None:
    pdf = card(tournament, "a4", language)
    assert (len(pdf.pages), sizes(pdf)) == (1, {(210, 297)})
    text = text_on(pdf)
    without_spaces = text.replace(" ", "")
    with translation.override(language):
        fouls = card_fouls(tournament.rules.fouls)
    parts = [part for foul in fouls for part in (foul.name, foul.description)]
    assert [part for part in parts if part.replace(" ", "") not in without_spaces] == []
    expected = (
        "up to minute 25 60 points",
        "After 15 minutes the others start.",
        "Every false hu −60 +20",
        "within three seconds of the discard",
        "Pung and kong come before chow.",
        "8 +48 −16 +32 −16 −8",
        "MCR, Specific violations: Wrong Tile Count",
    )
    assert language != "en" or [part for part in expected if part not in text] == []


@pytest.mark.thorough
@pytest.mark.parametrize(("paper", "language"), sample(product(("a4", "letter"), ("en", "zh-hans")), 2))
def test_the_highest_density_fits_the_largest_foul_book(
    full: Tournament, paper: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(card_exports, "ONE_SIDE_DENSITIES", card_exports.ONE_SIDE_DENSITIES[-1:])
    assert len(card(full, paper, language).pages) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("language", sample(LANGUAGES, 1))
def test_a_booklet_has_a_multiple_of_four_pages(tournament: Tournament, language: str) -> None:
    pdf = card(tournament, "a6", language)
    assert (len(pdf.pages) % 4, sizes(pdf)) == (0, {(105, 148)})


# --- contents of the card ---
@pytest.mark.thorough
def test_the_card_prints_the_tournaments_own_foul_book(tournament: Tournament) -> None:
    change_foul(tournament, SYSTEM, "empty_call", Ladder(STEPS[:3], RepeatScope.TOURNAMENT))
    add_foul(tournament, SYSTEM, Names.filled("Wearing a hat"), Names.filled("Indoors."), Fixed(fine(7)))
    text = text_on(card(tournament, "a4"))
    assert "Empty call changed here warning → 5 → 10 Calls chow" in text
    assert "Wearing a hat house foul 7 points Indoors." in text


def test_the_card_has_the_cost_of_each_case_of_false_hu() -> None:
    """A long ladder is abbreviated."""
    by_case = [(-30, 10), (-60, 20)]
    payments = {"mcr": [(-60, 20)], "guide": by_case, "china1998": by_case, "mers": by_case}
    rows = {book: [(row.offender, row.others) for row in false_hu(FOUL_BOOKS[book])] for book in payments}
    assert rows == payments
    steps = tuple(fine(amount) for amount in range(1, 13))
    empty_call = FOUL_BOOKS["mcr"].find("empty_call")
    assert empty_call is not None
    book = FOUL_BOOKS["mcr"].with_fouls(replace(empty_call, rule=Ladder(steps)))
    [line] = [foul for foul in card_fouls(book) if foul.name == "Empty call"]
    assert line.costs == "1 → 2 → 3 → 4 → 5 → 6 → … → 12"


def test_a_foul_book_has_no_more_house_fouls_than_the_card_holds(full: Tournament) -> None:
    one_more = (Names.filled("One more"), Names.filled(""), Fixed(fine(5)))
    assert refused_codes(add_foul, full, SYSTEM, *one_more) == ["foul_book_full"]


# --- jobs and pages of the card ---
def test_the_worker_makes_a_card_without_a_standings_version(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A booklet of five pages gets three for notes; on one side the density rises until it fits."""
    notes, sizes = [], []

    def five_pages(_template: str, context: Any, _progress: Progress) -> Any:
        notes.append(len(context["notes"]))
        sizes.append(context["density"].size)
        return SimpleNamespace(pages=["page"] * (1 if context["density"].size < 7 else 5))

    monkeypatch.setattr(card_exports, "lay_out_template", five_pages)
    monkeypatch.setattr(jobs, "write_pdf", lambda *_: b"%PDF-1.7")
    job = request_document(tournament, SYSTEM, kind="card", language="en", paper="a6")
    run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.standings_version) == (DocumentJob.State.DONE, None)
    assert (job.file_name, notes) == ("card-en-a6.pdf", [0, 3])
    sizes.clear()
    one_side = job_for(tournament, "card")
    jobs.render(one_side, Progress(one_side))
    assert sizes == [9, 8.5, 8, 7.5, 7, 6.5]
    request = {"kind": "standings", "language": "en", "paper": "a6"}
    assert refused_codes(request_document, tournament, SYSTEM, **request) == ["paper_unfit"]


def test_anybody_can_download_the_card(client: Client, tournament: Tournament, done: DocumentJob) -> None:
    """Umpires find it on their page too."""
    address = f"/documents/{tournament.slug}/{done.pk}/file/"
    assert address in client.get(f"/t/{tournament.slug}/documents/").content.decode()
    assert client.get(address).content.startswith(b"%PDF")
    client.force_login(make_organiser(tournament))
    assert address in client.get(f"/umpire/{tournament.slug}/").content.decode()


def test_an_outdated_card_is_not_listed(tournament: Tournament, done: DocumentJob) -> None:
    assert (current_cards(tournament), list(public_documents(tournament))) == ([done], [])
    change_foul(tournament, SYSTEM, "empty_call", Ladder(STEPS[:3]))
    assert current_cards(tournament) == []


def test_only_the_card_can_be_requested_as_a_booklet(client: Client, tournament: Tournament) -> None:
    client.force_login(make_organiser(tournament))
    page = client.get(f"/organiser/{tournament.slug}/documents/").content.decode()
    assert "a6" not in page.split('id="document-paper"')[1].split("</select>")[0]
    assert re.findall(r'value="([a-z-]+):a6"', page) == ["card"]
    data = {"kind": "card:a6", "language": "en", "paper": "a4"}
    client.post(f"/documents/{tournament.slug}/request/", data)
    assert [(job.kind, job.paper) for job in tournament.documents.all()] == [("card", "a6")]


@pytest.fixture
def eight() -> Tournament:
    return make_tournament(players=8)


def test_a_score_sheet_has_sixteen_hands_with_their_dealers(eight: Tournament) -> None:
    """By the chart of the rules' Appendix 2."""
    lines = seat_papers(job_for(eight, "score-sheets")).lines
    letters = dict(zip("ESWN", "ABCD", strict=True))
    assert [line.dealer for line in lines] == [letters[dealer(hand)] for hand in range(1, 17)]
    assert "".join(line.dealer for line in lines) == "ABCDBADCCDBADCAB"
    assert [line.round_wind for line in lines if line.round_wind] == ["E", "S", "W", "N"]
    assert [line.number for line in lines if line.ends_round] == [4, 8, 12, 16]


@pytest.mark.thorough
def test_a_score_sheet_lists_the_four_players_by_wind(eight: Tournament) -> None:
    pdf = render_pdf(eight, "score-sheets")
    assert len(pdf.pages) == 2
    text = " ".join(pdf.pages[1].extract_text().split())
    seats = Seat.objects.filter(table__session__number=1, table__number=2).order_by("id")
    positions = [text.index(f"{seat.player.number} {seat.player.name}") for seat in seats]
    assert positions == sorted(positions)


@pytest.mark.thorough
@pytest.mark.parametrize("paper", sample(["a4", "letter"], 1))
def test_a_score_sheet_with_long_names_is_one_page(paper: str) -> None:
    """In two languages, and with the longest name of a tournament."""
    assert len(render_pdf(hard_event(), "score-sheets", "en", paper, second="zh-hans").pages) == 2


def test_the_qr_code_of_a_score_sheet_opens_its_table(
    eight: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the address of the server there is none."""
    without = seat_papers(job_for(eight, "score-sheets", site=""))
    assert [sheet.code for sheet in without.score_sheets(1)] == [None, None]
    addresses: list[str] = []
    monkeypatch.setattr(
        "tournament.documents.exports.players.qr_of", lambda address, **_: addresses.append(address)
    )
    seat_papers(job_for(eight, "score-sheets")).score_sheets(2)
    assert addresses == [f"{SITE}umpire/{eight.slug}/2/{table}/" for table in (1, 2)]


def test_a_score_sheet_says_what_the_table_points_of_the_tournament_sum_to(eight: Tournament) -> None:
    assert "Table points (sum: 7)" in DRAFT_BUILDERS["score-sheets"](job_for(eight, "score-sheets")).text
    eight.rules_snapshot = {**eight.rules_snapshot, "scale": [12, 6, 3, 0]}
    eight.save()
    assert "Table points (sum: 21)" in DRAFT_BUILDERS["score-sheets"](job_for(eight, "score-sheets")).text


def test_a_score_sheet_names_the_deposit_for_an_appeal(eight: Tournament) -> None:
    Tournament.objects.update(appeal_deposit="€150")
    text = DRAFT_BUILDERS["score-sheets"](job_for(Tournament.objects.get(), "score-sheets")).text
    assert "minutes of the session’s end. Deposit for an appeal: €150." in " ".join(text.split())


def test_schedule_cards_have_every_player_and_session(eight: Tournament) -> None:
    text = DRAFT_BUILDERS["schedules"](job_for(eight, "schedules")).text
    assert [player.name for player in eight.players.all() if player.name not in text] == []
    for player, sessions in seat_papers(job_for(eight, "schedules")).schedules:
        printed = {session.number: seat and (seat.table.number, seat.wind) for session, _, seat in sessions}
        seats = Seat.objects.filter(player=player)
        drawn = seats.values_list("table__session__number", "table__number", "wind")
        assert printed == {session: (table, wind) for session, table, wind in drawn}


def test_table_numbers_have_a_page_per_table(eight: Tournament) -> None:
    pages = render_pdf(eight, "table-numbers").pages
    assert len(pages) == 2
    assert [run.text for page in pages for run in runs(page) if run.size > 150] == ["1", "2"]


LANGUAGE_AND_PAPER = [("en", "a4"), ("zh-hans", "letter"), ("zh-hant", "a4"), ("en", "letter")]


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "options"), sample(product(KINDS, LANGUAGE_AND_PAPER), 3))
def test_long_names_are_not_cut_off(eight: Tournament, kind: str, options: tuple[str, str]) -> None:
    eight.players.update(last_name=LONGEST, first_name=CHINESE)
    eight.name = "Großes Mahjong-Turnier " * 5
    eight.save()
    pdf = render_pdf(eight, kind, *options)
    assert text_outside_margins(pdf) == []
    if kind != "table-numbers":
        assert LONGEST in text_of(pdf)


def test_documents_with_seats_are_refused_before_the_draw(eight: Tournament) -> None:
    undrawn = make_tournament(players=8, drawn=False, name="Undrawn")
    for kind in KINDS:
        codes = refused_codes(request_document, undrawn, SYSTEM, kind=kind, language="en", session=1)
        assert [code.startswith("no_seats") for code in codes] == [True], kind
    request = {"kind": "score-sheets", "language": "en", "session": 9}
    problems = refused_problems(request_document, eight, SYSTEM, **request)
    assert problems == [("no_seats_in_session", "session")]
