"""The log: one entry a write, numbered without gaps, chained; a refused write leaves nothing.

The chain names people by key. What was typed stands beside it: bound to it, and erasable.
"""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import CharField, F, Value
from django.db.models.functions import Cast, Concat
from hypothesis import given
from hypothesis import strategies as st

from tests.support.factories import SYSTEM, make_tournament, make_umpire, make_user, play_hands
from tests.support.prose import words_in
from tests.support.rights import EVERYBODY, RIGHTS
from tests.support.scene import make_people, make_scene
from tournament.access import Actor
from tournament.engine import sealed as sealing
from tournament.engine.statements import Message
from tournament.errors import Refused
from tournament.log import first_broken_link
from tournament.models import LogEntry, Player, Tournament
from tournament.selectors.log_words import log_words
from tournament.services.announcements import announce
from tournament.services.hall_clock import pause_clock
from tournament.services.sessions import close_session, reopen_session
from tournament.services.staff import end_role

MARK = "Xyzzy"


def mark_everybody() -> None:
    """Names, clubs, teams, labels and addresses that nothing else is spelt like."""
    number = Cast(F("number"), CharField())
    Player.objects.update(
        **{name: Concat(Value(MARK), number) for name in ("first_name", "last_name", "club", "team")}
    )
    key = Cast(F("pk"), CharField())
    User.objects.update(
        first_name=Concat(Value(MARK), key), email=Concat(Value(MARK), key, Value("@example.org"))
    )


@pytest.mark.thorough
def test_no_service_writes_a_name_or_a_word_into_the_chain() -> None:
    scene = make_scene()
    people = make_people(scene)
    mark_everybody()
    keys = {role: who.user.pk for role, who in people.items() if who.user}
    found, before = {}, LogEntry.objects.latest("pk").pk
    for name, (allowed, scenario) in RIGHTS.items():
        role = "organiser" if "organiser" in allowed or allowed == EVERYBODY else min(allowed)
        with transaction.atomic():
            scenario(scene)(Actor.of(User.objects.get(pk=keys[role])))
            for entry in LogEntry.objects.filter(pk__gt=before):
                body = [entry.data, entry.actor_code]
                if words := words_in(body) + [MARK] * (MARK in json.dumps(body)):
                    found[name, entry.action] = words
            transaction.set_rollback(True)
    assert found == {}


@pytest.fixture
def played() -> Tournament:
    return make_tournament(players=8, sessions=1, running=1)


def test_every_write_is_one_numbered_entry_and_a_changed_or_removed_one_breaks_the_chain(
    played: Tournament,
) -> None:
    before = played.version
    play_hands(played.sessions.get(number=1).tables.get(number=1), 3)
    with pytest.raises(Refused):
        close_session(played.sessions.get(number=1), SYSTEM)
    played.refresh_from_db()
    assert played.version == before + 3
    assert list(played.log.values_list("seq", flat=True)) == list(range(1, played.version + 1))
    assert first_broken_link(played) is None
    played.log.filter(seq=played.version).delete()
    assert first_broken_link(played) == played.version
    played.log.filter(seq=3).update(actor_code="somebody else")
    assert first_broken_link(played) == 3


@pytest.fixture
def spoken() -> Tournament:
    """Two texts were typed in it."""
    tournament = make_tournament(players=8, sessions=1, played=1)
    announce(tournament, SYSTEM, Message("Anna Smith, come to the desk", {"zh-hans": "Anna！"}), uuid=uuid4())
    reopen_session(tournament.sessions.get(number=1), SYSTEM, reason="Anna Smith was at table 2")
    tournament.refresh_from_db()
    return tournament


def reopened(tournament: Tournament) -> LogEntry:
    return tournament.log.get(action="session_reopened")


def test_readers_get_it_all_until_a_text_is_erased(spoken: Tournament) -> None:
    entry = reopened(spoken)
    assert entry.data == {"session": 1}
    assert entry.said == {"session": 1, "reason": "Anna Smith was at table 2"}
    assert log_words(spoken).sentence(entry).endswith("Reason: Anna Smith was at table 2")
    entry = reopened(spoken)
    entry.texts = sealing.without(entry.texts, "reason")
    entry.save()
    assert "Anna" not in json.dumps(entry.texts)
    assert log_words(spoken).sentence(entry) == "Session 1 opened again. Reason: (erased)"
    assert first_broken_link(spoken) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda texts: {"reason": texts["reason"] | {"value": "Bo Lee was at table 2"}},
        lambda texts: {"reason": {"sha": texts["reason"]["sha"], "value": "Bo Lee was at table 2"}},
        lambda texts: {},
        lambda texts: texts | {"note": texts["reason"]},
    ],
    ids=["changed", "posing as erased", "taken out", "put in"],
)
def test_a_text_that_was_changed_breaks_the_chain(
    spoken: Tournament, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    entry = reopened(spoken)
    entry.texts = change(entry.texts)
    entry.save()
    assert first_broken_link(spoken) == entry.seq


def test_the_same_text_twice_is_bound_otherwise(spoken: Tournament) -> None:
    """Nobody sees by the hashes alone that two entries say the same, or tries names until one fits."""
    first, other = (sealing.sealed({"reason": "x"}, salt)[1] for salt in (lambda: "1", lambda: "2"))
    assert sealing.promises(first) != sealing.promises(other)
    assert "salt" not in sealing.without(first, "reason")["reason"]


def announced_by(tournament: Tournament, user: User) -> LogEntry:
    pause_clock(tournament.sessions.get(number=1), Actor.of(user), reason="Fire alarm")
    tournament.refresh_from_db()
    return tournament.log.latest("seq")


def test_a_writer_is_called_as_now_and_a_deleted_account_is_a_number(spoken: Tournament) -> None:
    umpire = make_umpire(spoken, "uma")
    entry, key = announced_by(spoken, umpire), umpire.pk
    User.objects.filter(pk=key).update(first_name="Ute", last_name="Neu")
    assert LogEntry.objects.get(pk=entry.pk).actor_name == "Ute Neu"
    end_role(spoken.memberships.get(user=umpire), SYSTEM)
    umpire.delete()
    assert LogEntry.objects.get(pk=entry.pk).actor_name == f"staff {key}"
    spoken.refresh_from_db()
    assert first_broken_link(spoken) is None
    sentence = log_words(spoken).sentence(spoken.log.get(action="role_ended"))
    assert sentence == f"staff {key}, no longer: umpire."


def test_another_account_beside_an_entry_breaks_the_chain(spoken: Tournament) -> None:
    entry = announced_by(spoken, make_umpire(spoken, "uma"))
    LogEntry.objects.filter(pk=entry.pk).update(actor=make_user("bo"))
    spoken.refresh_from_db()
    assert first_broken_link(spoken) == entry.seq


WORD = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | WORD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORD, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(WORD, JSON, max_size=4))
def test_whatever_is_written_is_read_again_and_what_is_hashed_has_no_word(data: dict[str, Any]) -> None:
    body, texts = sealing.sealed(data, lambda: "salt")
    assert sealing.said(body, texts) == data
    assert all(map(sealing.is_kept, texts.values()))
    for key in texts:
        texts = sealing.without(texts, key)
    assert all(map(sealing.is_kept, texts.values()))
    left = {key: value for key, value in body.items() if key not in sealing.CODES}
    assert sealing.erased(left) == left
