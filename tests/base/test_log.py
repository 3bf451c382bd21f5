"""The log: one entry a write, numbered without gaps, chained; and the audit finds what was changed past the services.

The chain names people by key. What was typed stands beside it: bound to it, and erasable."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import CharField, F, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.test.utils import CaptureQueriesContext
from hypothesis import example, given
from hypothesis import strategies as st

from penalties.models import Penalty
from tests.support.factories import (
    SYSTEM,
    evening,
    make_tournament,
    make_umpire,
    make_user,
    play_hands,
    record,
)
from tests.support.prose import words_in
from tests.support.rights import EVERYBODY, RIGHTS
from tests.support.scene import make_people, make_scene
from tournament.base.access import Actor
from tournament.base.engine import entries
from tournament.base.engine.entries import WIN, HandEntry
from tournament.base.errors import Refused
from tournament.base.log import first_broken_link
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Player
from tournament.base.models.play import Hand, Seat, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.exchange.audit import audit
from tournament.exchange.transcripts.transcript import Stop
from tournament.fouls.services.penalties import cancel_penalty, give_penalty
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.services import announce
from tournament.play.engine.statements import Accusation
from tournament.play.services.hands import correct_hand
from tournament.play.services.sessions import close_session, pause_clock, reopen_session
from tournament.staff.services import end_role
from tournament.web.selectors import log_words
from tournament.web.texts.log import override_text

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
def test_no_service_writes_names_or_texts_into_the_hash_chain() -> None:
    scene = make_scene()
    people = make_people(scene)
    mark_everybody()
    keys = {role: who.user.pk for role, who in people.items() if who.user}
    words_by_action, before = {}, LogEntry.objects.latest("pk").pk
    for name, (allowed, scenario) in RIGHTS.items():
        role = "organiser" if "organiser" in allowed or allowed == EVERYBODY else min(allowed)
        with transaction.atomic():
            scenario(scene)(Actor.of(User.objects.get(pk=keys[role])))
            for entry in LogEntry.objects.filter(pk__gt=before):
                body = [entry.data, entry.actor_code]
                if words := words_in(body) + [MARK] * (MARK in json.dumps(body)):
                    words_by_action[name, entry.action] = words
            transaction.set_rollback(True)
    assert words_by_action == {}


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
def with_texts() -> Tournament:
    """Two texts were typed in it."""
    tournament = make_tournament(players=8, sessions=1, played=1)
    announce(
        Announcement(
            tournament=tournament, text="Anna Smith, come to the desk", translations={"zh-hans": "Anna！"}
        ),
        SYSTEM,
    )
    reopen_session(tournament.sessions.get(number=1), SYSTEM, reason="Anna Smith was at table 2")
    tournament.refresh_from_db()
    return tournament


def reopened(tournament: Tournament) -> LogEntry:
    return tournament.log.get(action="session_reopened")


def test_log_entries_show_texts_until_they_are_erased(with_texts: Tournament) -> None:
    entry = reopened(with_texts)
    assert entry.data == {"session": 1}
    assert entry.full_data == {"session": 1, "reason": "Anna Smith was at table 2"}
    assert log_words(with_texts).sentence(entry).endswith("Reason: Anna Smith was at table 2")
    entry = reopened(with_texts)
    entry.texts = entries.erase_text(entry.texts, "reason")
    entry.save()
    assert "Anna" not in json.dumps(entry.texts)
    assert log_words(with_texts).sentence(entry) == "Session 1 reopened. Reason: (erased)"
    assert first_broken_link(with_texts) is None


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
    with_texts: Tournament, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    entry = reopened(with_texts)
    entry.texts = change(entry.texts)
    entry.save()
    assert first_broken_link(with_texts) == entry.seq


def test_equal_texts_have_different_hashes(with_texts: Tournament) -> None:
    """Nobody sees by the hashes alone that two entries say the same, or tries names until one fits."""
    first, other = (entries.separate_texts({"reason": "x"}, salt)[1] for salt in (lambda: "1", lambda: "2"))
    assert entries.text_hashes(first) != entries.text_hashes(other)
    assert "salt" not in entries.erase_text(first, "reason")["reason"]


def announced_by(tournament: Tournament, user: User) -> LogEntry:
    pause_clock(tournament.sessions.get(number=1), Actor.of(user), reason="Fire alarm")
    tournament.refresh_from_db()
    return tournament.log.latest("seq")


def test_log_entries_show_the_current_name_or_a_number_for_a_deleted_account(with_texts: Tournament) -> None:
    umpire = make_umpire(with_texts, "uma")
    entry, key = announced_by(with_texts, umpire), umpire.pk
    User.objects.filter(pk=key).update(first_name="Ute", last_name="Neu")
    assert LogEntry.objects.get(pk=entry.pk).actor_name == "Ute Neu"
    end_role(with_texts.memberships.get(user=umpire), SYSTEM)
    umpire.delete()
    assert LogEntry.objects.get(pk=entry.pk).actor_name == f"staff {key}"
    with_texts.refresh_from_db()
    assert first_broken_link(with_texts) is None
    sentence = log_words(with_texts).sentence(with_texts.log.get(action="role_ended"))
    assert sentence == f"staff {key} is no longer umpire."


def test_another_account_beside_an_entry_breaks_the_chain(with_texts: Tournament) -> None:
    entry = announced_by(with_texts, make_umpire(with_texts, "uma"))
    LogEntry.objects.filter(pk=entry.pk).update(actor=make_user("bo"))
    with_texts.refresh_from_db()
    assert first_broken_link(with_texts) == entry.seq


WORD = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | WORD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORD, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(WORD, JSON, max_size=4))
@example({"": {"how": "0"}})
def test_log_data_survives_storage_and_its_hashed_part_has_no_texts(data: dict[str, Any]) -> None:
    body, texts = entries.separate_texts(data, lambda: "salt")
    assert entries.join_texts(body, texts) == data
    assert all(map(entries.is_intact, texts.values()))
    for key in texts:
        texts = entries.erase_text(texts, key)
    assert all(map(entries.is_intact, texts.values()))
    left = without_codes(body)
    assert entries.erase_value(left) == left


def without_codes(value: Any) -> Any:
    """Leave out what may be a code, at whatever depth."""
    if isinstance(value, list):
        return [without_codes(part) for part in value]
    if isinstance(value, dict):
        return {key: without_codes(part) for key, part in value.items() if key not in entries.CODE_KEYS}
    return value


def findings(tournament: Tournament) -> list[str]:
    return [str(finding) for finding in audit(Tournament.objects.get(pk=tournament.pk))]


def first_table(tournament: Tournament) -> tuple[Table, list[int]]:
    """The table and the numbers of its players, from East on."""
    table = tournament.sessions.get(number=1).tables.get(number=1)
    return table, list(table.seats.order_by("id").values_list("player__number", flat=True))


@pytest.mark.thorough
def test_the_audit_of_an_evening_finds_only_the_hand_won_with_a_dead_hand() -> None:
    assert findings(evening(Stop(2, (4, 6, 7, 4)))) == [
        (
            "evening-of-16, session 2, table 1, hand 3: needs correcting: 芳 Li may not win hand 3: "
            "dead hand for False hu."
        )
    ]


def test_audit_queries_do_not_grow_with_the_hands() -> None:
    """While a file is taken in it is asked within the write, and others wait for it."""
    counts = []
    for hands in (1, 4):
        tournament = make_tournament(running=(hands,) * 4, name=f"With {hands}")
        with CaptureQueriesContext(connection) as queries:
            assert findings(tournament) == []
        counts.append(len(queries))
    assert counts[0] == counts[1]


def first_win() -> QuerySet[Hand]:
    return Hand.objects.filter(pk=Hand.objects.filter(is_current=True, outcome="win")[0].pk)


def dearer_hand() -> None:
    first_win().update(points=F("points") + 1)


def richer_seat() -> None:
    seat = Seat.objects.filter(hands_won__gt=0)[0]
    Seat.objects.filter(pk=seat.pk).update(game_points=F("game_points") + 8)


def rewritten_log() -> None:
    entry = LogEntry.objects.filter(action="hand_recorded")[0]
    LogEntry.objects.filter(pk=entry.pk).update(data=entry.data | {"points": 88})


TAMPERED: dict[Callable[[], object], str] = {
    dearer_hand: "but the entries give",
    lambda: first_win().update(payments=dict.fromkeys(first_win().get().payments, 0)): (
        "its payments do not follow from its points"
    ),
    richer_seat: "game_points is stored as",
    lambda: Hand.objects.filter(is_current=True, number=1)[0].delete(): "counts 2 hands but has 1",
    rewritten_log: "does not follow from the previous entry",
    lambda: LogEntry.objects.latest("seq").delete(): "does not follow from the previous entry",
}


@pytest.mark.thorough
def test_the_audit_finds_changes_made_outside_the_services(subtests: pytest.Subtests) -> None:
    tournament = make_tournament(running=(2, 2, 2, 2))
    assert findings(tournament) == []
    for tamper, finding in TAMPERED.items():
        with subtests.test(finding), transaction.atomic():
            tamper()
            assert [line for line in findings(tournament) if finding in line]
            transaction.set_rollback(True)


def test_the_check_command_fails_with_a_sentence_for_each_finding() -> None:
    """So a refusal of a file says it in the reader's language."""
    tournament = make_tournament(name="Spring Open", running=(2, 2, 2, 2))
    call_command("check")
    richer_seat()
    with pytest.raises(CommandError, match=r"spring-open, session 1, table \d, .*game_points"):
        call_command("check")
    dearer_hand()
    problems = {finding.problem.code: finding for finding in audit(Tournament.objects.get(pk=tournament.pk))}
    finding = problems["audit_hand_points"]
    assert finding.text == sentence(finding.problem)


@pytest.fixture
def fouled() -> Penalty:
    """Two hands at the first table, a false hu in the second by who lost it."""
    tournament = make_tournament(running=(1, 1, 1, 1))
    table, (east, south, *_others) = first_table(tournament)
    penalty = give_penalty(table, SYSTEM, Accusation(east, "false_hu", 2), uuid=uuid4())
    record(table, HandEntry(WIN, south, east, points=19))
    assert findings(tournament) == []
    return penalty


PENALTY_TAMPERED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"hand_number": 9}, "is of hand 9, of 3 that have begun"),
    ({"hand_number": None}, "applies to one hand but names none"),
    ({"effects": {}}, "its points do not follow from its sanction"),
    ({"sanction": {"warning": True}, "effects": {}}, "differs from the log"),
    ({"cancelled_at": datetime(2026, 11, 14, tzinfo=UTC)}, "differs from the log"),
)


@pytest.mark.thorough
def test_the_audit_finds_a_changed_penalty(fouled: Penalty, subtests: pytest.Subtests) -> None:
    for change, finding in PENALTY_TAMPERED:
        line = f"session 1, table 1, {fouled.player.name}, false_hu: {finding}"
        with subtests.test(**change), transaction.atomic():
            Penalty.objects.filter(pk=fouled.pk).update(**change)
            assert [fault for fault in findings(fouled.tournament) if line in fault]
            transaction.set_rollback(True)


def test_the_audit_finds_a_winner_with_a_dead_hand(fouled: Penalty) -> None:
    hand = Hand.objects.get(table=fouled.table, number=2)
    loser, winner = fouled.player, hand.winner
    assert winner is not None
    turned = {str(loser.number): str(winner.number), str(winner.number): str(loser.number)}
    payments = {turned.get(player, player): points for player, points in hand.payments.items()}
    Hand.objects.filter(pk=hand.pk).update(winner=loser, discarder=winner, payments=payments)
    line = "spring-open, session 1, table 1, hand 2 version 1: is not legal: dead_hand"
    assert line in findings(fouled.tournament)


def test_a_cancelled_dead_hand_requires_the_winner_to_be_corrected() -> None:
    tournament = make_tournament(running=(0, 0, 0, 0))
    table, (east, south, west, _north) = first_table(tournament)
    penalty = give_penalty(table, SYSTEM, Accusation(south, "false_claim", 1), uuid=uuid4())
    hand = record(table, HandEntry(WIN, west, east, points=8, claimants=(south,)))
    assert findings(tournament) == []
    cancel_penalty(penalty, SYSTEM, reason="it was right")
    (line,) = findings(tournament)
    assert line.startswith("spring-open, session 1, table 1, hand 1: needs correcting: ")
    right = HandEntry(WIN, south, east, points=8, claimants=(west,))
    correct_hand(hand, SYSTEM, right, reason="South was first", uuid=uuid4())
    assert findings(tournament) == []


@pytest.mark.parametrize(
    ("action", "key", "more"),
    [
        ("players_added", "players", " …)"),
        ("players_unlinked", "players", " …"),
        ("registrations_entered", "registrations", " more"),
    ],
)
def test_a_log_sentence_names_at_most_five_people(action: str, key: str, more: str) -> None:
    event = make_tournament(players=0)
    endings = []
    for count in (5, 6):
        entry = LogEntry(tournament=event, action=action, data={key: [*range(1, count + 1)]})
        endings.append(log_words(event).sentence(entry).removesuffix(".").endswith(more))
    assert endings == [False, True]


def test_an_override_shows_its_reason_and_the_points_of_the_tiles() -> None:
    assert override_text(None, "by sight") == "umpire’s decision below the minimum: by sight"
    assert override_text(6, "by sight") == "umpire’s decision, the tiles come to 6: by sight"
