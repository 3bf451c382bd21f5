"""Calls for an umpire by program: raised without an account, within limits; answered by who umpires in person."""

from typing import Any

import pytest
from django.utils import timezone

from tests.support.factories import SYSTEM, make_card, make_umpire, make_user
from tests.support.programs import Program, client_of, refusal
from tournament.base.limits import Limit
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.play.models import Call
from tournament.play.services import sessions
from tournament.play.services.sessions import accept_call, raise_call

PATH = "sessions/1/tables/1/calls/"

pytestmark = pytest.mark.stored


@pytest.fixture
def event(running_event: Tournament) -> Tournament:
    return running_event


def call(base_url: str, **body: Any) -> Any:
    """What a call from table 1 is answered with."""
    return Program().post(base_url, {"topic": "tiles"} | body)


def tables(event: Tournament) -> list[Table]:
    return list(event.sessions.get(number=1).tables.order_by("number"))


def test_without_an_account_an_umpire_is_called_and_seen_to_be_on_the_way(base_url: str) -> None:
    assert Program().get(base_url).json() == []
    assert call(base_url).status_code == 201
    assert call(base_url, topic="score").json() == call(base_url).json()
    accept_call(Call.objects.get(), SYSTEM)
    (seen,) = Program().get(base_url).json()
    assert seen["taken_at"]
    assert not {"topic", "taken_by"} & set(seen)


def test_an_umpire_takes_a_call_and_ends_it_and_the_longest_waiting_comes_first(
    event: Tournament, umpire_client: Program, event_url: str
) -> None:
    for table in tables(event)[:3]:
        raise_call(table, SYSTEM, "foul")
    waiting, *_others = umpire_client.get(event_url + "calls/").json()
    assert (waiting["session"], waiting["table"], waiting["topic"], waiting["taken_by"]) == (1, 1, "foul", "")
    assert umpire_client.post(waiting["url"]).json()["taken_by"] == "uma"
    assert [call["table"] for call in umpire_client.get(event_url + "calls/").json()] == [2, 3, 1], (
        "those taken last"
    )
    late = client_of(make_umpire(event, "una")).post(waiting["url"])
    assert refusal(late) == (422, ["call_taken_already"])
    assert umpire_client.get(waiting["url"]).json()["done_at"] is None
    assert umpire_client.delete(waiting["url"]).json()["done_at"]
    assert [call["table"] for call in umpire_client.get(event_url + "calls/").json()] == [2, 3]


def called_and_ended(base_url: str, at: str = "127.0.0.1") -> Any:
    """What a further call is answered with; one that is made is over at once."""
    answer = Program(REMOTE_ADDR=at).post(base_url, {"topic": "tiles"})
    Call.objects.update(done_at=timezone.now() - sessions.CALL_COOLDOWN)
    return answer


@pytest.mark.parametrize("limit", ["FROM_ONE_ADDRESS", "TO_ONE_TABLE"])
def test_pages_and_programs_share_a_limit(
    event: Tournament, base_url: str, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, limit, Limit("few", maximum=3, within=600))
    assert [called_and_ended(base_url).status_code for _again in range(3)] == [201] * 3
    assert refusal(called_and_ended(base_url)) == (429, ["calls_too_many"])
    page = f"/t/{event.slug}/sessions/1/1/call/"
    sent = Program().post(page, {"topic": "tiles"}, format="multipart", follow=True)
    assert "Too many calls from here." in sent.text


def test_refused_and_repeated_calls_do_not_count_towards_the_limit(
    event: Tournament, base_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither those of a phone elsewhere nor those of the desk at the table."""
    monkeypatch.setattr(sessions, "TO_ONE_TABLE", Limit("few", maximum=2, within=600))
    assert [call(base_url, topic="pizza").status_code for _again in range(4)] == [422] * 4
    assert [call(base_url).status_code for _again in range(4)] == [201] * 4, "one call, answered again"
    assert [called_and_ended(base_url).status_code for _again in range(3)] == [201, 201, 429]
    assert called_and_ended(base_url, at="192.0.2.9").status_code == 201
    assert client_of(make_card(event, 1)).post(base_url, {"topic": "tiles"}).status_code == 201


def test_the_limit_of_a_table_leaves_other_tables_their_calls(event: Tournament, base_url: str) -> None:
    while called_and_ended(base_url).status_code == 201:
        pass
    assert raise_call(tables(event)[1], SYSTEM, "tiles").is_open
    Tournament.objects.update(is_public=False)
    assert call(base_url.replace("tables/1", "tables/3")).status_code == 404, (
        "strangers do not call in a private one"
    )


def test_a_call_says_what_it_is_about(base_url: str) -> None:
    for topic in ("", "pizza"):
        refused = call(base_url, topic=topic)
        assert (refused.status_code, refused.json()["problems"][0]["where"]) == (422, "topic"), topic
    for unreadable in (None, {"$": 1}, "x" * 4000, "\0"):
        assert call(base_url, topic=unreadable).status_code == 400, unreadable
    assert not Call.objects.exists()


def test_neither_players_nor_the_tables_card_answer_calls(
    event: Tournament, event_url: str, base_url: str
) -> None:
    url = call(base_url).json()["url"]
    player, card = client_of(make_user("pia")), client_of(make_card(event, 1))
    for client, status in ((Program(), 401), (player, 403), (card, 403)):
        assert (client.post(url).status_code, client.delete(url).status_code) == (status, status)
    assert card.get(event_url + "calls/").json() == []
    assert Program().get(event_url + "calls/").status_code == 401
