"""What a player's phone is told, from the write to the words that the browser decrypts; which phones are kept."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.utils import timezone
from kombu.exceptions import OperationalError

from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM, WEEKEND, make_tournament, play_hands, play_session, seats_for
from tests.support.push_service import Browser, PushService, push_service
from tournament.base.access import Actor
from tournament.base.errors import Forbidden
from tournament.base.models.events import TimetableItem
from tournament.base.models.people import Player
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.events.services import set_timetable
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.services import announce, cancel_announcement
from tournament.messages.push import services as push_services
from tournament.messages.push import tasks
from tournament.messages.push.models import Phone
from tournament.messages.push.notifications import notifications_for_entry, welcome_notifications
from tournament.messages.push.services import (
    Subscription,
    delete_expired_phones,
    subscribe_phone,
    unsubscribe_phones,
)
from tournament.play.services.absences import name_stand_in
from tournament.play.services.sessions import close_session, reopen_session, start_session
from tournament.play.services.tables import hand_in
from tournament.players.services.players import withdraw_player
from tournament.ranking.engine.finals import FinalsOptions, FinalStage
from tournament.ranking.services import hide_results, open_results, publish_standings
from tournament.seating.services.corrections import unstart_session
from tournament.seating.services.seatings import seat_players, set_up_final, swap_players

Committed = Callable[[], AbstractContextManager[Any]]


@pytest.fixture
def service(settings: Any) -> Iterator[PushService]:
    with push_service() as push_server:
        settings.PUSH_HOSTS = [push_server.host]
        yield push_server


@pytest.fixture
def committed(django_capture_on_commit_callbacks: Any) -> Committed:
    """`with committed(): …` does what follows the commit, too; the worker's tasks run where they are called."""
    return lambda: django_capture_on_commit_callbacks(execute=True)


class Hall:
    """A tournament, and players' phones by name; each note is read once."""

    def __init__(self, tournament: Tournament, service: PushService, committed: Committed) -> None:
        self.tournament, self.service, self.committed = tournament, service, committed
        self.browsers: dict[str, Browser] = {}

    def listen(self, name: str, number: int, language: str = "en") -> list[dict[str, Any]]:
        """Register the player's phone; return what it is told at once."""
        browser = self.browsers[name] = self.service.browser(name)
        player = self.tournament.players.get(number=number)
        with self.committed():
            subscribe_phone(player, SYSTEM, browser.subscription, language=language, site="hule.example.org")
        return self.notes(name)

    def titles(self, name: str) -> list[str]:
        """The titles of the notes since the last reading."""
        return [note["title"] for note in self.notes(name)]

    def notes(self, name: str) -> list[dict[str, Any]]:
        notes = self.service.messages_of(self.browsers[name])
        self.service.delivered = [note for note in self.service.delivered if note.path != f"/{name}"]
        return notes

    def session(self, number: int) -> Session:
        return self.tournament.sessions.get(number=number)

    def play(self, number: int) -> None:
        with self.committed():
            for table in self.session(number).tables.all():
                play_hands(table, 1)
                hand_in(table, SYSTEM)
            close_session(self.session(number), SYSTEM)

    def start(self, number: int) -> None:
        with self.committed():
            start_session(self.session(number), SYSTEM)

    def announce(self, text: str = "Lunch", **how: Any) -> Any:
        with self.committed():
            return announce(Announcement(tournament=self.tournament, text=text, **how), SYSTEM)

    def set_up_final(self) -> None:
        with self.committed():
            set_up_final(self.tournament, SYSTEM, FinalsOptions(FinalStage(4, 4), 1, "seed"))

    def first_and_last(self) -> tuple[int, int]:
        """Their numbers."""
        rows = self.tournament.publications.get().rows
        return rows[0]["number"], rows[-1]["number"]


@pytest.fixture
def hall(service: PushService, committed: Committed) -> Hall:
    return Hall(make_tournament(), service, committed)


def test_a_new_phone_gets_its_seat_and_later_only_changes(hall: Hall) -> None:
    (note,) = hall.listen("mine", 1)
    assert note == {
        "title": "Next, session 1: table 1, East",
        "body": "With Håkan Dupont, Noémie Nowak, Tünde Kovács",
        "path": "/t/spring-open/players/1/",
        "tag": "seat",
        "lang": "en",
    }
    for name, number in (("other", 2), ("third", 3)):
        hall.listen(name, number)
    with hall.committed():
        swap_players(hall.tournament, SYSTEM, 1, 2, [1])
    assert hall.titles("mine") == ["Next, session 1: table 2, East"]
    assert hall.titles("other") == ["Next, session 1: table 1, East"]
    assert hall.titles("third") == []


def test_without_seats_the_first_message_announces_later_ones(
    service: PushService, committed: Committed
) -> None:
    hall = Hall(make_tournament(drawn=False), service, committed)
    (note,) = hall.listen("mine", 1)
    assert note["body"] == "This phone receives your seats, session starts and announcements."
    with committed():
        seat_players(hall.tournament, SYSTEM, seats_for(16, 2))
    assert hall.titles("mine") == ["Next, session 1: table 1, East"]


@pytest.mark.thorough
def test_a_session_begins_and_the_next_seat_follows_when_it_is_closed(hall: Hall) -> None:
    hall.listen("mine", 1)
    hall.start(1)
    (note,) = hall.notes("mine")
    assert note["title"] == "Session 1 begins: table 1, East"
    assert note["path"] == "/t/spring-open/sessions/1/1/"
    hall.play(1)
    assert hall.titles("mine") == ["Next, session 2: table 1, South"]
    with hall.committed():
        reopen_session(hall.session(1), SYSTEM)
        swap_players(hall.tournament, SYSTEM, 3, 4, [2])
        close_session(hall.session(1), SYSTEM)
    assert hall.titles("mine") == [], "a session that is opened again does not begin again"
    hall.start(2)
    assert hall.titles("mine") == ["Session 2 begins: table 1, South"]
    hall.play(2)
    assert hall.titles("mine") == []


def test_a_start_that_is_undone_is_sent_and_so_is_the_next_gong(hall: Hall) -> None:
    hall.start(1)
    notes = hall.listen("mine", 1)
    assert [note["title"] for note in notes] == ["Session 1: table 1, East"], "not that it begins"
    with hall.committed():
        unstart_session(hall.session(1), SYSTEM)
    assert hall.titles("mine") == ["Start undone, session 1: table 1, East"]
    hall.start(1)
    assert hall.titles("mine") == ["Session 1 begins: table 1, East"]


def test_the_next_seat_is_sent_with_its_time(hall: Hall) -> None:
    first_day = hall.tournament.starts_on
    with hall.committed():
        set_timetable(hall.tournament, SYSTEM, [TimetableItem(session=1, day=first_day, starts=time(14))])
    (note,) = hall.listen("mine", 1)
    assert note["body"].startswith(f"{first_day:%A} 14:00, with ")


def test_an_announcement_goes_to_everybody_or_to_its_tables_in_each_phones_language(hall: Hall) -> None:
    hall.start(1)
    hall.listen("mine", 1)
    hall.listen("hers", 2, "zh-hans")
    hall.announce("Lunch at 12:30", translations={"zh-hans": "12:30 午餐"})
    (mine,), (hers,) = hall.notes("mine"), hall.notes("hers")
    assert (mine["title"], mine["body"], mine["lang"]) == ("Spring Open", "Lunch at 12:30", "en")
    assert (hers["body"], hers["path"]) == ("12:30 午餐", "/t/spring-open/players/2/")
    assert mine["tag"] == hers["tag"] != "seat"
    hall.announce("Please wait", tables=[1])
    assert hall.titles("mine") == ["Spring Open, table 1"]
    assert hall.titles("hers") == []


def test_an_announcement_that_has_ended_is_not_sent(hall: Hall) -> None:
    hall.listen("mine", 1)
    announcement = announce(Announcement(tournament=hall.tournament, text="Lunch"), SYSTEM)
    seq = hall.tournament.version
    assert len(notifications_for_entry(hall.tournament.pk, seq)) == 1
    cancel_announcement(announcement, SYSTEM)
    assert notifications_for_entry(hall.tournament.pk, seq) == []
    announcement = announce(Announcement(tournament=hall.tournament, text="Lunch"), SYSTEM, minutes=1)
    (note,) = notifications_for_entry(hall.tournament.pk, hall.tournament.version)
    assert note["seconds"] <= 60
    announcement.ends_at = timezone.now() - timedelta(seconds=1)
    announcement.save()
    assert notifications_for_entry(hall.tournament.pk, hall.tournament.version) == []


def test_a_repeated_task_sends_a_seat_once(hall: Hall) -> None:
    hall.listen("mine", 1)
    hall.start(1)
    tasks.tell_phones(hall.tournament.pk, Tournament.objects.get(pk=hall.tournament.pk).version)
    assert hall.titles("mine") == ["Session 1 begins: table 1, East"]


def test_without_phones_and_for_hands_nothing_is_queued(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    hall.start(1)
    with monkeypatch.context() as patch:
        patch.setattr(tasks.tell_phones, "apply_async", lambda *args, **kwargs: pytest.fail("queued"))
        hall.announce()
    hall.listen("mine", 1)
    monkeypatch.setattr(tasks.tell_phones, "apply_async", lambda *args, **kwargs: pytest.fail("queued"))
    with hall.committed():
        play_hands(hall.session(1).tables.get(number=1), 2)


def test_a_withdrawn_player_gets_no_seat(hall: Hall) -> None:
    hall.listen("mine", 1)
    withdraw_player(hall.tournament.players.get(number=1), SYSTEM)
    name_stand_in(hall.session(1).tables.get(number=1), SYSTEM, 1, "Ana Lima")
    hall.start(1)
    assert hall.titles("mine") == []


@pytest.mark.thorough
def test_a_player_outside_the_finals_gets_their_rank(service: PushService, committed: Committed) -> None:
    hall = Hall(make_tournament(players=8, sessions=1, played=1), service, committed)
    for number in range(1, 9):
        hall.listen(str(number), number)
    hall.set_up_final()
    counts = [len(hall.titles(str(number))) for number in range(1, 9)]
    assert sorted(counts) == [0] * 4 + [1] * 4, "the finalists' seats, and nothing else"
    with committed():
        publish_standings(hall.tournament, SYSTEM)
    first, last = hall.first_and_last()
    assert hall.titles(str(first)) == []
    (note,) = hall.notes(str(last))
    assert (note["title"], note["body"]) == (
        "The finalists are set; you did not qualify",
        "Rank 8 after session 1.",
    )
    assert note["path"] == "/t/spring-open/ranking/"
    hall.start(2)
    assert hall.titles(str(last)) == []


def test_no_rank_is_sent_before_the_results_are_open(service: PushService, committed: Committed) -> None:
    hall = Hall(make_tournament(players=8, sessions=1), service, committed)
    hide_results(hall.session(1), SYSTEM)
    play_session(hall.session(1))
    publish_standings(hall.tournament, SYSTEM)
    hall.set_up_final()
    (note,) = hall.listen("last", hall.first_and_last()[1])
    assert note["title"] == "Spring Open"
    with committed():
        open_results(hall.tournament, SYSTEM)
    assert hall.titles("last") == ["The finalists are set; you did not qualify"]


@pytest.mark.parametrize("status", [404, 410])
def test_a_phone_that_is_gone_is_deleted(hall: Hall, status: int) -> None:
    hall.listen("mine", 1)
    hall.listen("other", 1)
    hall.service.answers["/mine"] = [status]
    hall.announce()
    assert [phone.endpoint.rpartition("/")[2] for phone in Phone.objects.all()] == ["other"]


def test_a_failed_message_is_retried_three_times_for_that_phone(hall: Hall) -> None:
    hall.listen("mine", 1)
    hall.listen("other", 2)
    for statuses, tries in (([503, 201], 2), ([503], tasks.MAX_TRIES)):
        hall.service.answers["/mine"] = statuses
        hall.announce()
        assert (len(hall.titles("mine")), len(hall.titles("other"))) == (tries, 1)
    assert Phone.objects.count() == 2


def test_a_phone_that_unsubscribed_meanwhile_gets_nothing(hall: Hall) -> None:
    hall.listen("mine", 1)
    announce(Announcement(tournament=hall.tournament, text="Lunch"), SYSTEM)
    notes = notifications_for_entry(hall.tournament.pk, hall.tournament.version)
    unsubscribe_phones([hall.browsers["mine"].subscription.endpoint])
    tasks.send_notes(notes)
    assert hall.titles("mine") == []


def test_an_unreachable_queue_does_not_stop_a_session(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*args: Any, **kwargs: Any) -> None:
        raise OperationalError

    hall.listen("mine", 1)
    monkeypatch.setattr(tasks.tell_phones, "apply_async", away)
    hall.start(1)
    assert hall.session(1).state == Session.State.RUNNING


def test_messages_to_a_full_hall_are_split_into_several_tasks(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "BATCH_SIZE", 3)
    for number in range(1, 9):
        hall.listen(str(number), number)
    hall.announce()
    assert sorted(note.path for note in hall.service.delivered) == [f"/{number}" for number in range(1, 9)]


def browser(name: str = "a") -> Subscription:
    return Browser("https://push.example.org", name).subscription


def ask(player: Player, subscription: Subscription, language: str = "en") -> Phone:
    return subscribe_phone(player, Actor.of(None), subscription, language=language, site="hule.example.org")


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A clock that is set: now(days) from the noon of the first day."""
    start = datetime.combine(WEEKEND[0], time(12), UTC)

    def set_to(days: float) -> None:
        monkeypatch.setattr(timezone, "now", lambda: start + timedelta(days=days))

    set_to(0)
    return set_to


@pytest.fixture
def tournament(now: Any) -> Tournament:
    return make_tournament(days=WEEKEND)


def player(tournament: Tournament, number: int = 1) -> Player:
    return tournament.players.get(number=number)


def refusal(player: Player, subscription: Subscription) -> str:
    return refused_codes(ask, player, subscription)[0]


def test_the_same_subscription_again_is_the_same_phone_in_its_new_language(tournament: Tournament) -> None:
    phone = ask(player(tournament), browser())
    assert ask(player(tournament), browser(), "zh-hans") == phone
    assert (phone.player, Phone.objects.get().language) == (player(tournament), "zh-hans")
    before = tournament.version
    tournament.refresh_from_db()
    assert tournament.version == before == tournament.log.count(), "without a trace in the log"


def test_unreached_phones_do_not_displace_reached_ones(hall: Hall) -> None:
    """They are forgotten after the last try, and before that the newest of them stay."""
    hall.listen("mine", 1)
    for number in range(push_services.MAX_PHONES + 1):
        hall.service.answers[f"/{number}"] = [503]
        ask(hall.tournament.players.get(number=1), hall.service.browser(str(number)).subscription)
    hall.listen("other", 1)
    left = [phone.endpoint.rpartition("/")[2] for phone in Phone.objects.order_by("pk")]
    assert left == ["mine", *map(str, range(2, push_services.MAX_PHONES + 1)), "other"]
    tasks.send_notes([note for phone in Phone.objects.all() for note in welcome_notifications(phone.pk)])
    assert [phone.endpoint.rpartition("/")[2] for phone in Phone.objects.order_by("pk")] == ["mine", "other"]


@pytest.mark.parametrize("status", [400, 503])
def test_a_phone_that_rejects_its_first_message_is_deleted(hall: Hall, status: int) -> None:
    hall.service.answers["/mine"] = [status]
    hall.listen("mine", 1)
    assert not Phone.objects.exists()


def test_new_phones_displace_none_that_is_in_use(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger's push service accepts everything, so that its phones count as reached."""
    monkeypatch.setattr(push_services, "MAX_PHONES", 2)
    for name in ("mine", "spectator"):
        hall.listen(name, 1)
    player = hall.tournament.players.get(number=1)
    assert refusal(player, browser("stranger")) == "phones_full"
    Phone.objects.update(used_at=timezone.now() - push_services.IN_USE)
    ask(player, hall.browsers["mine"].subscription)
    hall.listen("stranger", 1)
    left = [phone.endpoint.rpartition("/")[2] for phone in Phone.objects.order_by("pk")]
    assert left == ["mine", "stranger"]


def test_one_address_cannot_take_all_places_within_the_hour() -> None:
    assert push_services.NEW_PHONES_PER_PLAYER.maximum < push_services.MAX_PHONES
    assert push_services.NEW_PHONES_PER_PLAYER.within >= 3600


def test_phones_of_a_player_unsubscribe_separately(tournament: Tournament) -> None:
    subscriptions = [browser(str(number)) for number in range(push_services.MAX_PHONES)]
    for subscription in [*subscriptions, subscriptions[0]]:
        ask(player(tournament), subscription)
    ask(player(tournament, 2), browser("more"))
    unsubscribe_phones([subscriptions[0].endpoint, "https://push.example.org/nobody"])
    left = set(player(tournament).phones.values_list("endpoint", flat=True))
    assert left == {subscription.endpoint for subscription in subscriptions[1:]}
    assert Phone.objects.count() == push_services.MAX_PHONES


def test_an_invalid_push_service_is_refused(tournament: Tournament) -> None:
    """Which places are push services: tests/messages/outbound/test_addresses.py."""
    real = browser()
    wrong = [Subscription(real.endpoint, "x", real.secret)]
    for endpoint in (
        "http://push.example.org/a",
        "https://10.0.0.1/a",
        "https://push.example.org/" + "a" * 600,
    ):
        wrong.append(Subscription(endpoint, real.key, real.secret))
    codes = {refusal(player(tournament), subscription) for subscription in wrong}
    assert codes == {"phone_unknown_service"}


def test_a_private_tournament_takes_no_phones_of_strangers() -> None:
    hidden = make_tournament(public=False)
    with pytest.raises(Forbidden):
        ask(player(hidden), browser())
    subscribe_phone(player(hidden), SYSTEM, browser(), language="en", site="x")


@pytest.mark.thorough
def test_phones_are_deleted_a_week_after_the_last_session(tournament: Tournament, now: Any) -> None:
    ask(player(tournament), browser())
    for session in tournament.sessions.all():
        play_session(session, 1)
    other = make_tournament(name="Autumn Open", days=(WEEKEND[0], WEEKEND[1] + timedelta(days=16)))
    elsewhere = ask(player(other), browser("elsewhere"))
    now(6.9)
    assert delete_expired_phones() == 0
    now(7.1)
    assert refusal(player(tournament), browser("late")) == "phone_too_late"
    assert delete_expired_phones() == 1
    assert Phone.objects.get() == elsewhere


def test_phones_stay_while_sessions_are_left_to_play(tournament: Tournament, now: Any) -> None:
    ask(player(tournament), browser())
    play_session(tournament.sessions.get(number=1), 1)
    now(6.9)
    assert delete_expired_phones() == 0
    Session.objects.filter(number=2).update(state=Session.State.RUNNING)
    now(100)
    assert delete_expired_phones() == 0


def test_phones_of_an_event_not_played_are_deleted_a_week_after_its_days(
    tournament: Tournament, now: Any
) -> None:
    ask(player(tournament), browser())
    now(8)
    assert delete_expired_phones() == 0
    now(9)
    assert delete_expired_phones() == 1
