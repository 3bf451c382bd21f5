"""The log in sentences, and whether its chain holds."""

import ast
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

import tournament
from tests.support.factories import SYSTEM, evening, make_organiser, make_tournament
from tournament import log
from tournament.exchange.transcript import Stop
from tournament.models import LogEntry, Tournament
from tournament.selectors.log_words import log_words
from tournament.services.sessions import reopen_session
from tournament.words.log import SENTENCES
from tournament.words.log.hall import ELSEWHERE
from tournament.words.log.telling import rows, says, word

pytestmark = pytest.mark.django_db

HERE = Path(tournament.__file__).parents[1]


def read(client: Client, made: Tournament, query: str = "") -> str:
    return client.get(reverse("organiser_log", args=[made.slug]) + query).text


def actions_of_the_services() -> set[str]:
    services = (Path(tournament.__file__).parent / "services").rglob("*.py")
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
    assert actions_of_the_services() == set(SENTENCES)


def test_an_action_is_found_however_its_entry_is_called() -> None:
    text = """
with log.write(table.tournament, actor, "tea_poured") as entry:
    entry.becomes("tea_spilt")
with log.write(table.tournament, actor, "tea_drunk") as drunk:
    drunk.becomes("tea_left")
"""
    assert set(actions_in(text)) == {"tea_poured", "tea_spilt", "tea_drunk", "tea_left"}


@pytest.mark.parametrize(
    "again",
    [lambda: rows({"hand_recorded": "Once more."}), lambda: says("hand_recorded")(lambda told, data: "")],
)
def test_an_action_is_said_once(again: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="hand_recorded"):
        again()


def test_a_placeholder_has_one_word() -> None:
    with pytest.raises(ValueError, match="player"):
        word("player")(lambda told, data: "")


def test_what_no_service_writes_fails_where_it_is_written() -> None:
    """`tests/conftest.py` says every entry of every test; this one lacks who withdrew."""
    made = make_tournament(players=0)
    with pytest.raises(KeyError, match="player"), log.write(made, SYSTEM, "player_withdrawn"):
        pass


def test_pages_and_log_know_the_same_actions_that_concern_only_their_own_places() -> None:
    listed = re.search(r"const ELSEWHERE = (\[.*?\]);", (HERE / "static/js/refresh.js").read_text("utf-8"))
    assert listed
    assert tuple(json.loads(listed[1])) == ELSEWHERE


def test_these_actions_alone_leave_other_pages_as_they_are() -> None:
    """A new one that begins so is added here by who has seen that no figure on a page changes with it."""
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


def test_a_place_that_waits_for_actions_waits_for_some_that_there_are() -> None:
    templates = "".join(path.read_text("utf-8") for path in (HERE / "templates").rglob("*.html"))
    awaited = set(re.findall(r'data-refresh-on="([^"]+)"', templates))
    assert awaited == {"announcement", "ceremony", "check", "check_in_set", "clock", "registration"}
    assert [one for one in awaited if not any(action.startswith(one) for action in SENTENCES)] == []


def test_a_real_evening_reads_in_sentences() -> None:
    made = evening(Stop(2, (5, 0, 0, 1)))
    texts = log_words(made)
    sentences = [texts.sentence(entry) for entry in made.log.all()]
    assert not [sentence for sentence in sentences if "{" in sentence or "None" in sentence]
    assert any("self-drawn" in sentence for sentence in sentences)


def test_what_the_page_says(client: Client) -> None:
    made = make_tournament(players=8, sessions=1, played=1, hands=1)
    client.force_login(make_organiser(made))
    page = read(client, made)
    for sentence in (
        "Session 1 closed.",
        "Handed in: session 1, table 2, 1 hand.",
        "8 players entered: Mātīss Bērziņš, 张静, Björn Lindqvist, 李伟, Håkan Dupont …",
        "Seats of 1 session drawn for 8 players.",
        "The chain holds",
    ):
        assert sentence in page


def test_the_newest_entry_stands_first_and_pages_go_back(client: Client) -> None:
    made = make_tournament(players=16, sessions=3, played=3, hands=8)
    client.force_login(make_organiser(made))
    assert "Session 3 closed." in read(client, made)
    assert "Tournament made: Spring Open." not in read(client, made)
    assert "Tournament made: Spring Open." in read(client, made, "?page=2")


def test_a_changed_entry_is_found(client: Client) -> None:
    made = make_tournament(sessions=2, played=1)
    entry = made.log.get(action="session_closed")
    LogEntry.objects.filter(pk=entry.pk).update(data={"session": 7})
    client.force_login(make_organiser(made))
    assert f"The chain breaks at entry {entry.seq}" in read(client, made)


def test_an_action_nobody_knows_is_called_by_its_key(client: Client) -> None:
    made = make_tournament(players=0)
    assert (
        log_words(made).sentence(LogEntry(action="from_a_newer_version", data={})) == "from_a_newer_version"
    )


def test_a_session_opened_again_is_told(client: Client) -> None:
    made = make_tournament(sessions=2, played=1)
    reopen_session(made.sessions.get(number=1), SYSTEM)
    client.force_login(make_organiser(made))
    assert "Session 1 opened again." in read(client, made)
