"""The log in sentences, and whether its chain holds."""

import ast
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

import tournament
from tests.factories import evening, make_organiser, make_tournament
from tournament.exchange.transcript import Stop
from tournament.models import LogEntry, Tournament
from tournament.selectors.log_words import log_words
from tournament.services.sessions import reopen_session
from tournament.words.log import SENTENCES

pytestmark = pytest.mark.django_db


def read(client: Client, made: Tournament, query: str = "") -> str:
    return client.get(reverse("organiser_log", args=[made.slug]) + query).text


def actions_of_the_services() -> set[str]:
    """The action in every `log.write(tournament, actor, "action")` and `write.becomes("action")`."""
    found = set()
    for path in (Path(tournament.__file__).parent / "services").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "log.write":
                found.add(ast.literal_eval(node.args[2]))
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "write.becomes":
                found.add(ast.literal_eval(node.args[0]))
    return found


def test_every_action_has_a_sentence() -> None:
    assert actions_of_the_services() == set(SENTENCES)


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
    from tests.factories import SYSTEM

    made = make_tournament(sessions=2, played=1)
    reopen_session(made.sessions.get(number=1), SYSTEM)
    client.force_login(make_organiser(made))
    assert "Session 1 opened again." in read(client, made)
