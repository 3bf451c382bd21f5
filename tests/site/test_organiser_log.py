"""The log in sentences, and whether its chain holds."""

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

import tournament
from tests.support.factories import SYSTEM, evening, make_tournament
from tests.support.pages import missing, organised
from tournament.base import log
from tournament.base.engine.notices import Topic
from tournament.base.log_actions import ACTIONS, LogAction
from tournament.base.models.log import LogEntry
from tournament.exchange.transcripts.transcript import Stop
from tournament.play.services.sessions import reopen_session
from tournament.players.texts import PLAYER_WITHDRAWN
from tournament.web.selectors import log_words
from tournament.web.texts.log import log_placeholder

pytestmark = pytest.mark.stored

HERE = Path(tournament.__file__).parents[1]


def test_undeclared_and_duplicate_actions_fail() -> None:
    with pytest.raises(ValueError, match="hand_recorded"):
        LogAction("hand_recorded", "Once more.")
    with pytest.raises(ValueError, match="player"):
        log_placeholder("player")(lambda words, data: "")
    event = make_tournament(players=0)
    with pytest.raises(AttributeError), log.write(event, SYSTEM, "tea_poured", None):  # type: ignore[arg-type]
        pass
    with pytest.raises(KeyError, match="player"), log.write(event, SYSTEM, PLAYER_WITHDRAWN, None):
        pass


def test_refreshed_topics_are_topics_of_actions() -> None:
    templates = "".join(path.read_text("utf-8") for path in (HERE / "templates").rglob("*.html"))
    awaited = set(re.findall(r'data-refresh-on="([^"]+)"', templates))
    by_scripts = {Topic.EVENT, Topic.CALLS, Topic.SCREENS}
    declared = {topic for action in ACTIONS.values() for topic in action.topics}
    assert awaited | by_scripts == declared == set(Topic)


@pytest.mark.thorough
def test_every_entry_of_an_evening_is_a_sentence() -> None:
    event = evening(Stop(2, (5, 0, 0, 1)))
    texts = log_words(event)
    sentences = [texts.sentence(entry) for entry in event.log.all()]
    assert [sentence for sentence in sentences if "{" in sentence or "None" in sentence] == []
    assert any("self-drawn" in sentence for sentence in sentences)
    unknown = LogEntry(action="from_a_newer_version", data={})
    assert texts.sentence(unknown) == "from_a_newer_version"


@pytest.mark.thorough
def test_the_log_is_sorted_newest_first_and_shows_broken_links(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournament.site.views.files.ENTRIES_A_PAGE", 20)
    event = organised(client, players=8, sessions=3, played=3)
    address = reverse("organiser_log", args=[event.slug])
    first, second = client.get(address).text, client.get(address + "?page=2").text
    for sentence in ("Session 3 closed.", "Handed in: session 3, table 2, 2 hands.", "The log is intact"):
        assert sentence in first
    for sentence in (
        "Tournament created: Spring Open.",
        "Players entered: 8 (Mātīss Bērziņš, 张静, Björn Lindqvist, 李伟, Håkan Dupont …).",
        "Seats of 3 sessions drawn. Players: 8.",
    ):
        assert sentence not in first
        assert sentence in second
    reopen_session(event.sessions.get(number=3), SYSTEM)
    entry = event.log.get(action="session_closed", data__session=2)
    LogEntry.objects.filter(pk=entry.pk).update(data={"session": 7})
    page = client.get(address).text
    assert missing(page, "Session 3 reopened.", f"The log has been altered at entry {entry.seq}") == []
