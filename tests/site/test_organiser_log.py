"""The log in sentences, and whether its chain holds."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

import tournament
from tests.support.factories import SYSTEM, evening, make_tournament
from tests.support.pages import missing, organised
from tournament.base import log
from tournament.base.models.log import LogEntry
from tournament.exchange.transcripts.transcript import Stop
from tournament.play.services.sessions import reopen_session
from tournament.screens.texts import ELSEWHERE
from tournament.web.selectors import log_words
from tournament.web.texts.log import SENTENCES, rows, says, word

pytestmark = pytest.mark.stored

HERE = Path(tournament.__file__).parents[1]


def actions_of_the_services() -> set[str]:
    services = (path for path in Path(tournament.__file__).parent.glob("**/*.py") if "services" in str(path))
    return {action for path in services for action in actions_in(path.read_text("utf-8"))}


def actions_in(text: str) -> Iterator[str]:
    """The action in every `log.write(tournament, actor, "action")` and `anything.becomes("action")`."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(func=ast.Attribute(ast.Name("log"), "write"), args=[_, _, action]):
                yield ast.literal_eval(action)
            case ast.Call(func=ast.Attribute(attr="becomes"), args=[action]):
                yield ast.literal_eval(action)


def test_every_action_has_a_sentence() -> None:
    text = """
with log.write(table.tournament, actor, "tea_poured") as entry:
    entry.becomes("tea_spilt")
with log.write(table.tournament, actor, "tea_drunk") as drunk:
    drunk.becomes("tea_left")
"""
    assert set(actions_in(text)) == {"tea_poured", "tea_spilt", "tea_drunk", "tea_left"}
    assert actions_of_the_services() == set(SENTENCES)


def test_a_wrong_sentence_fails_where_it_is_written() -> None:
    with pytest.raises(ValueError, match="hand_recorded"):
        rows({"hand_recorded": "Once more."})
    with pytest.raises(ValueError, match="hand_recorded"):
        says("hand_recorded")(lambda told, data: "")
    with pytest.raises(ValueError, match="player"):
        word("player")(lambda told, data: "")
    event = make_tournament(players=0)
    with pytest.raises(KeyError, match="player"), log.write(event, SYSTEM, "player_withdrawn"):
        pass


def test_some_actions_concern_only_their_own_places() -> None:
    listed = re.search(r"const ELSEWHERE = (\[.*?\]);", (HERE / "static/js/refresh.js").read_text("utf-8"))
    assert listed
    assert tuple(json.loads(listed[1])) == ELSEWHERE
    assert {action for action in SENTENCES if action.startswith(ELSEWHERE)} == {
        *("announcement_made", "announcement_withdrawn"),
        *("screen_added", "screen_arranged", "screen_removed", "screen_steered"),
        *("screen_puzzle_added", "screen_puzzle_removed"),
        *("ceremony_step_told", "ceremony_step_taken_back"),
        *("registration_made", "registration_confirmed", "registration_changed", "registration_cancelled"),
        *("registration_expired", "registration_plan_set", "registration_questions_set"),
        *("dues_account_set", "dues_fees_set", "dues_given", "dues_payment_cancelled", "dues_payment_noted"),
        *("dues_reminded", "dues_removed", "dues_set", "dues_taken_back"),
        *("mail_letter_changed", "mail_letter_restored", "mail_sent_again", "mail_all_sent_again"),
        *("checked_in", "checked_in_several", "check_in_taken_back"),
        *("check_in_restarted", "check_in_set"),
        *("webhook_added", "webhook_changed", "webhook_removed", "webhook_secret_renewed"),
        *("webhook_paused", "webhook_resumed", "webhook_tested", "webhook_sent_again"),
    }
    templates = "".join(path.read_text("utf-8") for path in (HERE / "templates").rglob("*.html"))
    awaited = set(re.findall(r'data-refresh-on="([^"]+)"', templates))
    assert awaited == {"announcement", "ceremony", "check", "check_in_set", "clock", "registration"}
    assert [start for start in awaited if not any(action.startswith(start) for action in SENTENCES)] == []


@pytest.mark.thorough
def test_a_real_evening_reads_in_sentences() -> None:
    event = evening(Stop(2, (5, 0, 0, 1)))
    texts = log_words(event)
    sentences = [texts.sentence(entry) for entry in event.log.all()]
    assert [sentence for sentence in sentences if "{" in sentence or "None" in sentence] == []
    assert any("self-drawn" in sentence for sentence in sentences)
    unknown = LogEntry(action="from_a_newer_version", data={})
    assert texts.sentence(unknown) == "from_a_newer_version"


@pytest.mark.thorough
def test_the_newest_comes_first_and_breaks_are_said(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.site.views.board.ENTRIES_A_PAGE", 20)
    event = organised(client, players=8, sessions=3, played=3)
    address = reverse("organiser_log", args=[event.slug])
    first, second = client.get(address).text, client.get(address + "?page=2").text
    for sentence in ("Session 3 closed.", "Handed in: session 3, table 2, 2 hands.", "The chain holds"):
        assert sentence in first
    for sentence in (
        "Tournament made: Spring Open.",
        "8 players entered: Mātīss Bērziņš, 张静, Björn Lindqvist, 李伟, Håkan Dupont …",
        "Seats of 3 sessions drawn for 8 players.",
    ):
        assert sentence not in first
        assert sentence in second
    reopen_session(event.sessions.get(number=3), SYSTEM)
    entry = event.log.get(action="session_closed", data__session=2)
    LogEntry.objects.filter(pk=entry.pk).update(data={"session": 7})
    page = client.get(address).text
    assert missing(page, "Session 3 opened again.", f"The chain breaks at entry {entry.seq}") == []
