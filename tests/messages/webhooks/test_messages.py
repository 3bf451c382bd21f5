"""What a write tells: which kinds, in whose language, and nothing that the public pages do not say."""

from typing import Any
from uuid import uuid4

import pytest

from tests.messages.webhooks.conftest import Add
from tests.support.factories import SYSTEM
from tournament.base.access import Actor
from tournament.base.engine.notices import Kind
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.fouls.services.penalties import cancel_penalty, give_penalty
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.services import announce, cancel_announcement
from tournament.messages.webhooks import delivery
from tournament.messages.webhooks.engine import STAFF_KINDS, SUBSCRIBABLE_KINDS
from tournament.messages.webhooks.models import Delivery, Webhook
from tournament.play.engine.statements import Accusation
from tournament.play.services.sessions import close_session, raise_call
from tournament.play.services.tables import hand_in, reopen
from tournament.privacy.services import erase_player
from tournament.ranking.services import hide_results, open_results, publish_standings


def table(event: Tournament, number: int = 1) -> Table:
    return Table.objects.select_related("session__tournament").get(
        session__tournament=event, session__number=1, number=number
    )


@pytest.fixture
def webhook(add: Add) -> Webhook:
    """It is told everything, in English."""
    return add()


def messages_of(webhook: Webhook, kind: Kind | None = None) -> list[dict[str, Any]]:
    """The messages, in order."""
    rows = webhook.deliveries.order_by("posted_at", "pk")
    return [row.message for row in (rows.filter(kind=kind) if kind else rows)]


def sentence(webhook: Webhook, kind: Kind) -> str:
    return str(messages_of(webhook, kind)[-1]["data"]["sentence"])


def end_session(event: Tournament) -> None:
    session = event.sessions.get(number=1)
    for at_table in session.tables.all():
        hand_in(at_table, SYSTEM)
    close_session(session, SYSTEM)


def test_a_call_is_queued_in_the_webhooks_language(event: Tournament, add: Add) -> None:
    english, *chinese, other = [
        *(add(name=language, language=language) for language in ("en", "zh-hans", "zh-hant")),
        add(name="other", kinds=[Kind.APPEAL]),
    ]
    raise_call(table(event), Actor.of(None), "claim")
    (message,) = messages_of(english)
    assert message["type"] == "umpire.called"
    assert message["data"]["sentence"] == "Table 1 calls an umpire: disputed claim."
    assert (message["data"]["session"], message["data"]["table"]) == (1, 1)
    assert message["data"]["link"] == f"http://testserver/umpire/{event.slug}/"
    sentences = {sentence(webhook, Kind.UMPIRE_CALLED) for webhook in (english, *chinese)}
    assert len(sentences) == 3
    assert all("1" in text for text in sentences)
    assert messages_of(other) == []


def test_a_finished_table_is_sent_with_its_points(event: Tournament, webhook: Webhook) -> None:
    """So is that it is taken back."""
    hand_in(table(event), SYSTEM)
    results = messages_of(webhook, Kind.TABLE_FINISHED)[0]["data"]["results"]
    seats = table(event).seats.select_related("player")
    assert [(result["name"], result["game_points"]) for result in results] == [
        (seat.player.name, seat.game_points) for seat in seats
    ]
    assert sentence(webhook, Kind.TABLE_FINISHED).startswith("Table 1 has finished session 1: East ")
    reopen(table(event), SYSTEM)
    assert [message["data"]["undone"] for message in messages_of(webhook, Kind.TABLE_FINISHED)] == [
        False,
        True,
    ]


def test_a_changed_ranking_replaces_its_waiting_message(event: Tournament, webhook: Webhook) -> None:
    for number in (1, 2, 3):
        hand_in(table(event, number), SYSTEM)
    assert [message["data"]["table"] for message in messages_of(webhook, Kind.STANDINGS_CHANGED)] == [3]


def test_a_published_ranking_has_places_and_all_have_a_page(event: Tournament, webhook: Webhook) -> None:
    end_session(event)
    publish_standings(event, SYSTEM)
    places = messages_of(webhook, Kind.RESULTS_PUBLISHED)[0]["data"]["places"]
    assert (places[0]["rank"], len(places)) == (1, event.players.count())
    assert sentence(webhook, Kind.RESULTS_PUBLISHED).startswith("Ranking after session 1: 1. ")
    assert set(webhook.kinds) == set(SUBSCRIBABLE_KINDS)
    assert all(message["data"]["sentence"] and message["data"]["link"] for message in messages_of(webhook))


def test_an_announcement_is_sent_in_the_webhooks_language(event: Tournament, add: Add) -> None:
    """Sent a second time it is the first."""
    webhook, uuid = add(language="zh-hans"), uuid4()
    for _again in range(2):
        announcement = announce(
            Announcement(tournament=event, uuid=uuid, text="Lunch", translations={"zh-hans": "午饭"}), SYSTEM
        )
    cancel_announcement(announcement, SYSTEM)
    first, second = messages_of(webhook, Kind.ANNOUNCEMENT)
    assert (first["data"]["sentence"], second["data"]["undone"]) == ("午饭", True)


def test_a_foul_names_nobody(event: Tournament, webhook: Webhook) -> None:
    player = table(event).seats.order_by("id")[0].player
    penalty = give_penalty(table(event), SYSTEM, Accusation(player.number, "false_hu", 1), uuid=uuid4())
    cancel_penalty(penalty, SYSTEM, reason="a mistake")
    for message in messages_of(webhook, Kind.PENALTY):
        assert message["data"]["player"] == player.number
        assert player.name not in str(message)


def test_play_of_a_hidden_session_is_not_sent(event: Tournament, webhook: Webhook) -> None:
    hide_results(event.sessions.get(number=1), SYSTEM)
    hand_in(table(event), SYSTEM)
    raise_call(table(event, 2), Actor.of(None), "other")
    assert [message["type"] for message in messages_of(webhook)] == ["umpire.called"]
    assert sentence(webhook, Kind.UMPIRE_CALLED) == "Table 2 calls an umpire."


def test_a_ranking_with_a_hidden_session_waits_until_that_is_opened(
    event: Tournament, webhook: Webhook
) -> None:
    hide_results(event.sessions.get(number=1), SYSTEM)
    end_session(event)
    publish_standings(event, SYSTEM)
    assert messages_of(webhook, Kind.RESULTS_PUBLISHED) == []
    open_results(event, SYSTEM)
    assert sentence(webhook, Kind.RESULTS_PUBLISHED) == "Results revealed: session 1."


def test_a_delivery_hidden_after_it_was_queued_is_withheld(event: Tournament, add: Add) -> None:
    webhook = add(kinds=[Kind.TABLE_FINISHED])
    hand_in(table(event), SYSTEM)
    Session.objects.filter(tournament=event, number=1).update(hidden=True)
    delivery.deliver()
    assert webhook.deliveries.get().state == Delivery.State.WITHHELD


def test_a_private_event_sends_staff_kinds_only(event: Tournament, webhook: Webhook) -> None:
    Tournament.objects.filter(pk=event.pk).update(is_public=False)
    event.refresh_from_db()
    hand_in(table(event), SYSTEM)
    raise_call(table(event, 2), SYSTEM, "other")
    kinds = {Kind(message["type"]) for message in messages_of(webhook)}
    assert kinds == {Kind.UMPIRE_CALLED}
    assert kinds <= STAFF_KINDS


def test_no_delivery_names_an_erased_player(event: Tournament, add: Add) -> None:
    """Neither an address nor a secret stands in the log."""
    webhook = add(chat="7f3a-needle")
    hand_in(table(event), SYSTEM)
    player = table(event).seats.order_by("id")[0].player
    erase_player(player, SYSTEM, name=player.name)
    assert not any(player.name in str(message) for message in messages_of(webhook))
    log = str(list(event.log.values_list("data", "texts")))
    assert not any(word in log for word in (webhook.url, webhook.secret, webhook.name, "7f3a-needle"))
