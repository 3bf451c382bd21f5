"""Pages of screens: each kind of slide, the organiser's remote control, overlays, and screens by REST."""

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import (
    SYSTEM,
    edited,
    end_appeals,
    make_organiser,
    make_tournament,
    play_hands,
    record,
    win,
    write_something,
)
from tests.support.html import attribute, element, elements, read, words
from tests.support.pages import missing
from tests.support.programs import Program, refusal
from tests.support.sampling import sample
from tournament.base.engine.entries import WIN, HandEntry
from tournament.base.models.events import TimetableItem
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.fouls.services.appeals import open_appeal
from tournament.play.services.sessions import close_session
from tournament.play.services.tables import hand_in, set_extra_time
from tournament.players.services.players import edit_player
from tournament.ranking.services import hide_results, publish_standings
from tournament.screens.engine import Command, Kind, ScreenAction, Turn
from tournament.screens.models import Ceremony, Screen
from tournament.screens.services import (
    add_screen,
    announce_next_place,
    arrange_screen,
    control_screen,
    start_ceremony,
)

PATH = "screens/"

SHORT = [{"kind": "ranking", "seconds": 20}, {"kind": "welcome"}]
NO_ROTATIONS: tuple[Any, ...] = (
    None,
    [["ranking", 10]],
    [{"kind": "fireworks"}],
    [{"kind": "ranking"}] * 101,
    [{"kind": "ranking", "seconds": 0}],
)


MAIN_URL = "/t/spring-open/screens/main/"
EVENT_WITH = {"sessions": 3, "played": 1, "running": (3, 1, 1, 0)}


def show_only(event: Tournament, kind: Kind) -> None:
    control_screen(event, SYSTEM, "main", Command(ScreenAction.ONLY, kind=kind))


def slide_text(client: Client, event: Tournament, kind: Kind, **headers: Any) -> str:
    """Show only one kind on the main screen, and return the text of the slide."""
    show_only(event, kind)
    return words(element(read(client.get(MAIN_URL, **headers)), "main"))


def slide_texts(client: Client, event: Tournament, kind: Kind) -> list[str]:
    texts = [slide_text(client, event, kind)]
    pages = re.search(r"1 / (\d+)", texts[0])
    for _page in range(int(pages[1]) - 1 if pages else 0):
        control_screen(event, SYSTEM, "main", Command(ScreenAction.NEXT))
        texts.append(words(element(read(client.get(MAIN_URL)), "main")))
    return texts


def test_a_screen_has_attributes_for_its_slide_its_end_and_the_build(
    client: Client, event: Tournament
) -> None:
    before = timezone.now().timestamp() * 1000
    response = client.get(MAIN_URL)
    after = timezone.now().timestamp() * 1000
    attributes = dict(element(read(response), "main").attributes)
    assert attributes["data-screen"] == MAIN_URL
    assert re.fullmatch(r"(clock|ranking)-\d-1", str(attributes["data-slide"]))
    assert before < int(str(attributes["data-until"])) < after + 21_000
    assert str(attributes["data-build"]).isdecimal()
    assert "no-store" in response["Cache-Control"]
    refresh = re.search(r'<noscript><meta http-equiv="refresh" content="(\d+)"></noscript>', response.text)
    assert refresh, "without scripts the page reloads itself"
    assert 2 <= int(refresh[1]) <= 15


def test_screens_are_listed_and_unknown_ones_redirect_to_the_main_screen(
    client: Client, event: Tournament
) -> None:
    add_screen(event, SYSTEM, "大厅")
    page = read(client.get(reverse("screens", args=[event.slug])))
    links = [attribute(link, "href") for link in elements(page, "a", class_="cover")]
    assert links == [MAIN_URL, reverse("screen", args=[event.slug, "大厅"])]
    assert client.get(links[1]).status_code == 200
    response = client.get(reverse("screen", args=[event.slug, "foyer"]))
    assert (response.status_code, response.headers["Location"]) == (302, MAIN_URL)
    make_tournament(name="Hidden", public=False)
    for name in ("main", "foyer"):
        assert client.get(reverse("screen", args=["hidden", name])).status_code == 404


def test_screens_have_no_links_and_no_buttons(client: Client, event: Tournament) -> None:
    for kind in sample(Kind, 4):
        show_only(event, kind)
        main = element(read(client.get(MAIN_URL)), "main")
        assert [list(elements(main, tag)) for tag in ("a", "button", "input", "details")] == [[]] * 4


@pytest.mark.thorough
def test_every_player_is_listed_once_by_name_and_once_by_table(client: Client) -> None:
    large = make_tournament(players=44, sessions=1)
    names, tables = slide_texts(client, large, Kind.NAMES), slide_texts(client, large, Kind.TABLES)
    assert (len(names), len(tables)) == (2, 2)
    text = " ".join(names)
    for seat in Seat.objects.select_related("player", "table"):
        name, table = re.escape(seat.player.name), seat.table.number
        assert re.search(rf"{name} {seat.wind} \w+ Table {table}\b", text)
        assert seat.player.name in next(page for page in tables if f"Table {table} " in page)


def test_the_number_of_a_namesake_stands_apart_from_a_name_that_may_be_cut_off(client: Client) -> None:
    small = make_tournament(sessions=1)
    for number in (1, 2):
        edit_player(edited(small.players.get(number=number), first_name="Anna", last_name="Berg"), SYSTEM)
    for kind in (Kind.NAMES, Kind.TABLES):
        show_only(small, kind)
        slide = element(read(client.get(MAIN_URL)), "main")
        numbered = [
            [words(part) for part in name.children] for name in elements(slide, "span", class_="numbered")
        ]
        assert sorted(numbered) == [["Anna Berg", "(1)"], ["Anna Berg", "(2)"]]


def test_names_are_sorted_in_the_readers_language(client: Client) -> None:
    small = make_tournament(sessions=1)
    names = ["Åsa Berg", "Anna Öst", "Zoë Wang", "Björn Rossi", "伟 Zhang"]
    for player, name in zip(small.players.all(), names, strict=False):
        first, last = name.split(" ")
        player.first_name, player.last_name = first, last
        player.save()
    write_something(small)
    text = slide_text(client, small, Kind.NAMES)
    places = [text.index(name) for name in ("Anna Öst", "Åsa Berg", "Björn Rossi", "Zoë Wang", "伟 Zhang")]
    assert places == sorted(places)


@pytest.mark.thorough
def test_rankings_show_changes_of_rank_in_the_browsers_language(client: Client, event: Tournament) -> None:
    show_only(event, Kind.RANKING)
    page = read(client.get(MAIN_URL))
    assert list(elements(page, "span", class_="up")) != []
    assert "provisional" in words(element(page, "header"))
    teams = slide_text(client, event, Kind.TEAMS)
    assert missing(teams, "Teams in session 2 provisional", "Team 4") == []
    assert "France" in slide_text(client, event, Kind.NATIONS)
    text = slide_text(client, event, Kind.WELCOME)
    assert "http://testserver/t/spring-open/" in text
    assert 'class="qr"' in client.get(MAIN_URL).text
    assert "第 2 輪進行中的排名" in slide_text(client, event, Kind.RANKING, HTTP_ACCEPT_LANGUAGE="zh-hant")


@pytest.mark.thorough
def test_an_open_appeal_keeps_the_ranking_provisional(client: Client) -> None:
    over = make_tournament(sessions=1, played=1)
    end_appeals(over)
    publish_standings(over, SYSTEM)
    assert "provisional" not in slide_text(client, over, Kind.RANKING)
    Session.objects.update(closed_at=timezone.now())
    open_appeal(over.sessions.get(number=1).tables.get(number=1), SYSTEM, 1, "No.", uuid=uuid4())
    assert "provisional" in slide_text(client, over, Kind.RANKING)


@pytest.mark.thorough
def test_seat_slides_say_that_all_sessions_are_played_or_no_seats_are_drawn(client: Client) -> None:
    over = make_tournament(sessions=1, played=1)
    for kind in (Kind.NAMES, Kind.TABLES, Kind.PROGRESS, Kind.CLOCK):
        text = slide_text(client, over, kind)
        assert "All sessions are played" in text, kind
        assert not re.search("Session|0/0", text.replace("All sessions", "")), kind
    early = make_tournament(sessions=1, drawn=False, name="Early")
    for kind in (Kind.NAMES, Kind.TABLES):
        show_only(early, kind)
        assert "The seats are not drawn yet" in client.get("/t/early/screens/main/").text, kind


@pytest.mark.thorough
def test_the_warning_is_on_the_clock_and_beside_the_ranking(client: Client, event: Tournament) -> None:

    def page(kind: Kind, minutes: int) -> str:
        Session.objects.filter(number=2).update(started_at=timezone.now() - timedelta(minutes=minutes))
        write_something(Tournament.objects.get())
        event.refresh_from_db()
        show_only(event, kind)
        return client.get(MAIN_URL).text

    for minutes, sentence in ((110, "The last 15 minutes"), (121, "The time is up")):
        assert "hidden" not in page(Kind.CLOCK, minutes).split(sentence)[0].rsplit("<div", 1)[1]
    for minutes, hidden in ((10, True), (110, False)):
        stage = page(Kind.RANKING, minutes).split('data-stage="warning"')[1].split(">")[0]
        assert ("hidden" in stage) == hidden


def test_the_clock_slide_counts_down_to_the_planned_start(client: Client) -> None:
    seated = make_tournament(sessions=1)
    assert "Session 1 comes next." in slide_text(client, seated, Kind.CLOCK)
    begins = timezone.now().astimezone(seated.zone) + timedelta(minutes=10)
    TimetableItem.objects.create(tournament=seated, session=1, day=begins.date(), starts=begins.time())
    write_something(seated)
    assert "until the gong. Find your table and seat." in slide_text(client, seated, Kind.CLOCK)
    assert "Session 1: find your table" in slide_text(client, seated, Kind.NAMES)


def test_slides_of_clocks_with_extra_time_progress_and_the_best_hand(
    client: Client, event: Tournament
) -> None:
    set_extra_time(event.sessions.get(number=2).tables.get(number=3), SYSTEM, 7, reason="Wall")
    show_only(event, Kind.CLOCK)
    page = read(client.get(MAIN_URL))
    clocks = [*elements(page, "div", class_="hall-clock"), *elements(page, "li")]
    assert len({attribute(clock, "data-ends") for clock in clocks}) == 2
    assert "Table 3" in words(page)
    hand_in(event.sessions.get(number=2).tables.get(number=2), SYSTEM)
    text = slide_text(client, event, Kind.PROGRESS)
    assert missing(text, "1 of 4 tables handed in", "Still playing 1 3 4") == []
    show_only(event, Kind.BEST)
    page = read(client.get(MAIN_URL))
    assert len(list(elements(page, "svg", class_="tile"))) >= 14
    fans = [words(line) for line in elements(element(page, "ul", class_="hall-fans"), "li")]
    points = [int(fan.split()[-1]) for fan in fans]
    assert words(element(element(page, "p", class_="sum"), "span", class_="time")) == str(sum(points))


def test_the_best_hand_names_a_higher_one_of_which_less_is_known(client: Client) -> None:
    event = make_tournament(sessions=1, running=0)
    table = event.sessions.get().tables.get(number=1)
    east, south = (table.seats.get(wind=wind).player for wind in "ES")
    record(table, HandEntry(WIN, south.number, east.number, points=99))
    assert "Most points" not in slide_text(client, event, Kind.BEST)
    record(table, win(east.number))
    assert f"Most points: 99, {south.name}, table 1" in slide_text(client, event, Kind.BEST)


def test_the_ceremony_slide_shows_the_newest_place(client: Client) -> None:
    over = make_tournament(players=8, sessions=1, played=1)
    assert "It begins in a moment." in slide_text(client, over, Kind.CEREMONY)
    ceremony = start_ceremony(over, SYSTEM, Ceremony.Kind.PLAYERS, 3)
    control_screen(over, SYSTEM, "main", Command(ScreenAction.ROTATION))
    announce_next_place(ceremony, SYSTEM, seen=0)
    step = Ceremony.objects.get().newest
    assert step
    assert all(line.name in client.get(MAIN_URL).text for line in step)


def test_an_organiser_adds_arranges_and_removes_a_screen(olga: Client, event: Tournament) -> None:
    hall, foyer = reverse("organiser_hall", args=[event.slug]), {"part": "screen", "screen-name": "foyer"}
    assert "The screen is added." in olga.post(hall, foyer, follow=True).text
    again = olga.post(hall, foyer)
    assert (again.status_code, "There is already a screen “foyer”." in again.text) == (422, True)
    arrange = reverse("organiser_screen", args=[event.slug, "foyer"])
    body = {"form-TOTAL_FORMS": "6", "form-INITIAL_FORMS": "0", "form-0-kind": "clock"}
    body |= {"form-2-kind": "ranking", "form-2-seconds": "8"}
    assert olga.post(arrange, body | {"form-2-seconds": "3"}).status_code == 422
    assert "The screen restarts" in olga.post(arrange, body, follow=True).text
    assert Screen.objects.get().rotation == (Turn(Kind.CLOCK, 20), Turn(Kind.RANKING, 8))
    page = read(olga.get(arrange))
    selected = [words(option) for option in elements(page, "option") if "selected" in dict(option.attributes)]
    assert selected[:3] == ["Clock", "Ranking", "–"]
    olga.post(arrange, body | {"automatic": "1"})
    assert Screen.objects.get().is_automatic
    olga.post(reverse("organiser_screen_remove", args=[event.slug, "foyer"]))
    assert not Screen.objects.exists()


@pytest.mark.thorough
def test_the_remote_control_holds_the_page_that_it_shows(olga: Client, event: Tournament) -> None:
    version = Tournament.objects.get().version
    steer = reverse("organiser_screen_control", args=[event.slug, "main"])
    hold = {"do": "hold", "kind": "clock", "page": "1"}
    bodies: list[dict[str, str]] = [{}, {"do": "dance"}, hold | {"kind": "x"}, hold | {"page": "-1"}]
    assert [body for body in bodies if olga.post(steer, body).status_code != 404] == []
    assert Tournament.objects.get().version == version
    arrange_screen(event, SYSTEM, "main", [Turn(Kind.RANKING, 30), Turn(Kind.BEST, 30)])
    control = reverse("organiser_screen", args=[event.slug, "main"])
    form = element(read(olga.get(control)), "form", class_="remote-keys")
    hidden = elements(form, "input", type="hidden")
    fields = {attribute(field, "name"): attribute(field, "value") for field in hidden}
    assert "Paused" in olga.post(steer, fields | {"do": "hold"}, follow=True).text
    assert Screen.objects.get().only == "ranking"
    following = read(olga.post(steer, {"do": "next"}, follow=True))
    assert "Best hand of the day" in words(element(following, "main"))
    assert "Shown now" in olga.post(steer, {"do": "rotation"}, follow=True).text
    assert "Shown permanently" in olga.post(steer, {"do": "only", "kind": "clock"}, follow=True).text


@pytest.fixture
def filmed() -> Tournament:
    return make_tournament(players=8, sessions=1, running=3)


def overlay(client: Client, kind: str, *place: int) -> str:
    page = client.get(reverse(f"overlay_{kind}", args=["spring-open", *place]))
    return words(element(read(page), "main"))


def test_overlays_of_a_table_and_its_last_hand_and_the_list_of_overlays(
    client: Client, filmed: Tournament
) -> None:
    page = client.get(reverse("overlay_table", args=[filmed.slug, 1]))
    seats = list(elements(element(read(page), "ul", class_="overlay-seats"), "li"))
    scores = [int(words(seat).split()[-1].replace("−", "-")) for seat in seats]
    assert (len(seats), sum(scores), any(scores)) == (4, 0, True)
    make_tournament(players=8, sessions=1, running=0, name="Not begun")
    address = reverse("overlay_hand", args=["not-begun", 1])
    assert words(element(read(client.get(address)), "main")) == "", "nobody has won yet"
    table = filmed.sessions.get().tables.get(number=1)
    hand = table.hands.filter(is_current=True, winner__isnull=False).latest("number")
    assert hand.winner is not None
    text = overlay(client, "hand", 1)
    assert text.startswith(hand.winner.name)
    assert f"{hand.points} points" in text


def test_a_lower_third_has_table_session_hand_and_players_in_an_order_that_stays(
    client: Client, filmed: Tournament
) -> None:
    def names() -> list[str]:
        page = read(client.get(reverse("overlay_lower_third", args=[filmed.slug, 1])))
        players = elements(element(page, "ul", class_="overlay-players"), "li")
        return [words(element(player, "span", class_="who")) for player in players]

    table = filmed.sessions.get().tables.get(number=1)
    assert "Session 1, table 1 East round, hand 4" in overlay(client, "lower_third", 1)
    seated = [table.seats.get(wind=wind).player.name for wind in "ESWN"]
    assert names() == seated
    play_hands(table)
    assert names() == seated


def test_the_overlays_of_a_table_and_a_player_are_listed_with_previews(
    client: Client, filmed: Tournament
) -> None:
    def listed(query: str) -> tuple[list[str], str]:
        page = read(client.get(reverse("overlays", args=[filmed.slug]) + query))
        return [words(code) for code in elements(page, "code")], words(page)

    urls, text = listed("?table=2&player=8&size=l")
    paths = ("lower-third/2/", "table/2/", "hand/2/", "player/8/", "clock/")
    assert urls == [f"http://testserver/t/{filmed.slug}/overlay/{path}?size=l" for path in paths]
    assert overlay(client, "table", 2) in text
    urls, _text = listed("?table=99&player=x&size=xl")
    assert urls[0].endswith("overlay/lower-third/1/?size=m")
    make_tournament(players=8, drawn=False, name="Not drawn")
    assert client.get("/t/not-drawn/overlay/").status_code == 200


def test_overlays_keep_showing_a_session_that_is_over(client: Client, filmed: Tournament) -> None:
    before = overlay(client, "hand", 1)
    session = filmed.sessions.get()
    for table in session.tables.all():
        hand_in(table, SYSTEM)
    close_session(session, SYSTEM, reason="three hands are enough")
    assert overlay(client, "hand", 1) == before
    assert "Session 1" in overlay(client, "table", 1)
    assert "of 8" in overlay(client, "player", 1)
    assert "Session 1" in overlay(client, "clock")


def test_overlays_hide_the_results_of_a_hidden_session_even_from_organisers(
    client: Client, filmed: Tournament
) -> None:
    hide_results(filmed.sessions.get(), SYSTEM)
    client.force_login(make_organiser(filmed))
    assert overlay(client, "hand", 1) == ""
    page = client.get(reverse("overlay_table", args=[filmed.slug, 1]))
    assert list(elements(read(page), "b", class_="num")) == []


def test_overlays_have_the_requested_size_and_unknown_places_are_404(
    client: Client, filmed: Tournament
) -> None:
    for query, size in (("", "m"), ("?size=l", "l"), ("?size=40em;x", "m")):
        page = read(client.get(reverse("overlay_clock", args=[filmed.slug]) + query))
        assert element(page, "main", class_=f"overlay-{size}"), query
    for place in ("table/9", "hand/9", "player/99", f"table/{10**30}"):
        assert client.get(f"/t/{filmed.slug}/overlay/{place}/").status_code == 404, place


def arrange(organiser_client: Program, base_url: str, turns: Any = SHORT) -> Any:
    return organiser_client.put(base_url + "main/", {"turns": turns})


def steer(organiser_client: Program, base_url: str, **body: Any) -> Any:
    return organiser_client.post(base_url + "main/steering/", body)


def test_everybody_reads_what_the_automatic_main_screen_shows(base_url: str) -> None:
    (main,) = Program().get(base_url).json()
    assert (main["name"], main["turns"], main["shows"]["kind"]) == ("main", [], "clock")
    assert main["shows"]["turns_at"]


def test_a_screen_is_added_arranged_and_removed_at_its_own_address(
    organiser_client: Program, base_url: str
) -> None:
    url = organiser_client.post(base_url, {"name": "大厅"}).json()["url"]
    arranged = organiser_client.put(url, {"turns": SHORT}).json()
    assert arranged["turns"] == [{"kind": "ranking", "seconds": 20}, {"kind": "welcome", "seconds": 15}]
    assert arranged["shows"]["kind"] == "ranking"
    assert organiser_client.delete(url).status_code == 204
    assert organiser_client.get(url).status_code == 404
    arrange(organiser_client, base_url)  # of the main screen what was arranged is removed
    assert [organiser_client.delete(base_url + "main/").status_code for _again in range(2)] == [204, 204]
    assert organiser_client.get(base_url + "main/").json()["turns"] == []


def test_a_screen_is_steered_at_its_own_address(organiser_client: Program, base_url: str) -> None:
    steering = arrange(organiser_client, base_url).json()["steering"]
    shows = organiser_client.post(steering, {"way": "next"}).json()["shows"]
    assert (shows["kind"], shows["turn"]) == ("welcome", 1)
    shows = organiser_client.post(steering, {"way": "hold", "kind": "ranking", "page": 1, "turn": 0}).json()[
        "shows"
    ]
    assert (shows["kind"], shows["is_held"], shows["turns_at"]) == ("ranking", True, None)
    shows = steer(organiser_client, base_url, way="only", kind="clock").json()["shows"]
    assert (shows["kind"], shows["is_held"], shows["alone"]) == ("clock", False, True)
    assert not steer(organiser_client, base_url, way="rotation").json()["shows"]["alone"]


def test_invalid_commands_names_and_rotations_are_refused(organiser_client: Program, base_url: str) -> None:
    assert refusal(steer(organiser_client, base_url, way="hold")) == (422, ["screen_page_missing"])
    for body in ({"way": "explode"}, {"way": "hold", "kind": "ranking", "page": 10**9}):
        assert steer(organiser_client, base_url, **body).status_code == 400, body
    assert refusal(organiser_client.post(base_url, {"name": "main"})) == (422, ["screen_name_taken"])
    for turns in NO_ROTATIONS:
        assert arrange(organiser_client, base_url, turns).status_code == 400, turns
    assert not Screen.objects.exists()
