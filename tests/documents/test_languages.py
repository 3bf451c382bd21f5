"""Two languages beside each other: labels in both, sentences in the first, and nothing of it left behind."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils.translation import get_language, gettext, ngettext, pgettext
from pypdf import PdfReader

from tests.documents.made import job_for
from tests.support.factories import SYSTEM, make_tournament
from tournament.documents.exports.drafts import first_alone, in_languages
from tournament.documents.exports.jobs import MAKERS
from tournament.documents.services import request_document


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
    "certificates": "Head umpire / 裁判长",
}


@pytest.mark.django_db
def test_headings_and_labels_of_documents_are_in_both() -> None:
    event = make_tournament(players=8, played=1)
    with in_languages("en", "zh-hans"):
        texts = {kind: MAKERS[kind](job_for(event, kind, second="zh-hans")).text for kind in LABELS}
    assert [kind for kind, label in LABELS.items() if label not in texts[kind]] == []


@pytest.mark.django_db
def test_one_language_and_two_are_two_documents() -> None:
    tournament = make_tournament(players=8)
    alone = request_document(tournament, SYSTEM, kind="badges", language="en")
    both = request_document(tournament, SYSTEM, kind="badges", language="en", second="zh-hans")
    same = request_document(tournament, SYSTEM, kind="badges", language="en", second="en")
    assert alone == same
    assert alone != both
    assert both.file_name == "badges-en+zh-hans-a4.pdf"


@pytest.mark.django_db
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
