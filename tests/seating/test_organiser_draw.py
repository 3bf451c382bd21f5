"""Drawing seats, the certificate that lets anybody repeat the draw, and finals."""

import json
import re
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook
from pytest_django.asserts import assertInHTML

from tests.support.factories import SYSTEM, make_organiser, make_tournament, play_session, record, wash_out
from tests.support.html import attribute, element, elements, read, words
from tests.support.pages import missing, organised, refused_page
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import two_decimals
from tournament.base.models.log import LogEntry
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.standings import standings_sheet
from tournament.play.services.sessions import close_session, start_session
from tournament.play.services.tables import hand_in
from tournament.players.services.players import withdraw_player
from tournament.ranking.exports import RANKING
from tournament.ranking.selectors.standings import current_standings
from tournament.seating.services.seatings import draw_seats, seat_players
from tournament.web.exports.lists import Reader
from tournament.web.selectors import log_words
from tournament.web.texts.words import table_points

FINAL = {"size": "4", "carry": "half", "sessions": "1", "seed": "lotto"}


def page(client: Client, tournament: Tournament, query: str = "") -> str:
    return client.get(reverse("organiser_draw", args=[tournament.slug]) + query).text


def draw(client: Client, tournament: Tournament, seed: str) -> str:
    return client.post(reverse("organiser_draw", args=[tournament.slug]), {"seed": seed}, follow=True).text


@pytest.fixture
def sixteen(client: Client) -> Tournament:
    return organised(client, players=16, sessions=5, drawn=False)


def preview(client: Client, tournament: Tournament, **query: str) -> Any:
    return client.get(reverse("organiser_draw_preview", args=[tournament.slug]), query)


def seats(tournament: Tournament) -> list[tuple[int, int, str, int]]:
    """Return (session, table, wind, player) of each seat, sorted."""
    fields = ("table__session__number", "table__number", "wind", "player__number")
    seats = Seat.objects.filter(table__session__tournament=tournament)
    return list(seats.order_by(*fields).values_list(*fields))


@pytest.mark.thorough
def test_invalid_seeds_and_options_are_refused(client: Client, sixteen: Tournament) -> None:
    url = reverse("organiser_draw", args=[sixteen.slug])
    assert " · " in client.get(url).context["form"]["seed"].value()
    for seed in ("", " ", "x" * 81):
        response = client.post(url, {"seed": seed})
        assert (response.status_code, "seed" in response.context["form"].errors) == (422, True), seed
    for field, typed, problem in (
        ("forbidden", "1+2", "“1+2” is not a pair of player numbers"),
        ("forbidden", "1-1", "needs two different players"),
        ("forbidden", "1-99", "Player 99 is not in this draw."),
        ("stay", "3", "“3” is not a player and a table"),
        ("stay", "3:9", "There is no table 9: the tables are 1 to 4."),
        ("stay", "3:1, 4:1", "Only one player can stay at table 1"),
    ):
        response = preview(client, sixteen, seed="one", **{field: typed})
        assert response.status_code == 422, typed
        assert problem in response.context["form"].errors[field][0], typed


def test_players_that_fill_no_tables_are_refused_and_can_be_joined_by_substitutes(client: Client) -> None:
    for players in (3, 18):
        tournament = make_tournament(players=players, drawn=False, name=f"Open {players}")
        client.force_login(make_organiser(tournament, f"olga-{players}"))
        response = client.post(reverse("organiser_draw", args=[tournament.slug]), {"seed": "one"})
        assert response.status_code == 422
        assert response.context["form"].non_field_errors()
    assert "Add 2 substitutes who are not ranked" in preview(client, tournament, seed="one").text


def test_no_new_draw_once_a_session_has_begun(client: Client) -> None:
    tournament = organised(client, running=0)
    before = seats(tournament)
    assert "Draw again" not in page(client, tournament)
    assert "Session 1 has already begun." in draw(client, tournament, "one")
    assert seats(tournament) == before


@pytest.mark.thorough
def test_a_preview_stores_nothing_and_shows_the_seats_that_are_drawn(
    client: Client, sixteen: Tournament
) -> None:
    shown = preview(client, sixteen, seed="3 · 17 · 22")
    assert missing(shown.text, "Nothing is stored yet.", "No two players meet twice") == []
    assert seats(sixteen) == []
    after = draw(client, sixteen, "3 · 17 · 22")
    assert missing(after, "The seats are drawn.", "No two players meet twice", "3 · 17 · 22", 'id="s5"') == []
    assert len(seats(sixteen)) == 16 * 5
    assert seats(sixteen) == sorted(
        (session, table, wind, player.number)
        for session, tables in enumerate(shown.context["sessions"], 1)
        for table, at in enumerate(tables, 1)
        for wind, player in at
    )
    assert re.search(r'<th scope="row">\s*张静\s*</th>', page(client, sixteen, "?by=player"))
    assert "All seats are the same." in preview(client, sixteen, seed="3 · 17 · 22").text


def test_two_draws_side_by_side_with_the_seats_that_differ(client: Client, sixteen: Tournament) -> None:
    response = preview(client, sixteen, seed="one", other="two")
    assert [draw["seed"] for draw in response.context["draws"]] == ["one", "two"]
    assert dict(response.context["figures"])["repeats"] == (0, 0)
    assert len(response.context["compared"].moved) > 40
    assert "Use the other draw" in response.text
    assert preview(client, sixteen, seed="one", other="one").context["compared"].moved == ()


def test_a_draw_that_differs_from_its_preview_is_refused(client: Client, sixteen: Tournament) -> None:
    seen = preview(client, sixteen, seed="one").context["draws"][0]["seen"]
    for number in range(1, 5):
        withdraw_player(sixteen.players.get(number=number), SYSTEM)
    refused = client.post(reverse("organiser_draw", args=[sixteen.slug]), {"seed": "one", "seen": seen})
    assert "The players have changed since this draw was made." in refused_page(refused)
    assert seats(sixteen) == []


@pytest.mark.thorough
def test_constraints_are_met_and_remembered(client: Client, sixteen: Tournament) -> None:
    constraints = {"forbidden": "1-5, 2–6", "stay": "7:2"}
    shown = preview(client, sixteen, seed="one", **constraints).text
    for part in ("<dt>Pairs who do not meet</dt>", "<dd>1–5, 2–6</dd>", "<dt>Always at the same table</dt>"):
        assertInHTML(part, shown)
    assertInHTML("<dd>player 7 at table 2</dd>", shown)
    url = reverse("organiser_draw", args=[sixteen.slug])
    client.post(url, constraints | {"seed": "one", "teams": "on"})
    tables: dict[tuple[int, int], set[int]] = {}
    for session, table, _wind, number in seats(sixteen):
        tables.setdefault((session, table), set()).add(number)
    assert not any({1, 5} <= four or {2, 6} <= four for four in tables.values())
    assert not any(len({(n - 1) // 4 for n in four}) < 4 for four in tables.values()), "a team met"
    assert all(7 in four for (_session, table), four in tables.items() if table == 2)
    form = client.get(url).context["form"]
    assert (form["forbidden"].value(), form["stay"].value()) == ("1-5, 2-6", "7:2")


@pytest.mark.thorough
def test_clubs_are_an_option_once_there_are_clubs(client: Client, sixteen: Tournament) -> None:
    here = reverse("organiser_draw", args=[sixteen.slug])
    assert "clubs" not in client.get(here).context["form"].fields
    sixteen.players.filter(number__lte=4).update(club="Riichi & Co", team="", country="")
    client.post(here, {"seed": "one", "clubs": "on", "sessions": "4"})
    shown = client.get(here)
    assert shown.context["form"]["clubs"].value() is True
    assert shown.context["certificate"].quality.club_meetings == 0
    data = client.get(reverse("draw_certificate_json", args=[sixteen.slug])).json()
    assert data["inputs"]["clubs"] == dict.fromkeys("1234", "Riichi & Co")
    assert "Club-mates" in client.get(reverse("draw_certificate", args=[sixteen.slug])).text


@pytest.fixture
def drawn() -> Tournament:
    tournament = make_tournament(sessions=5, drawn=False)
    draw_seats(tournament, SYSTEM, seed="3 · 17")
    return tournament


def certificate(client: Client, tournament: Tournament) -> str:
    return client.get(reverse("draw_certificate", args=[tournament.slug])).text


def download(client: Client, tournament: Tournament, tmp_path: Path) -> Path:
    response = client.get(reverse("draw_certificate_json", args=[tournament.slug]))
    assert "attachment" in response["Content-Disposition"]
    file = tmp_path / "draw.json"
    file.write_bytes(response.content)
    return file


def checked(file: Path) -> object:
    out = StringIO()
    call_command("draw", "--check", str(file), stdout=out)
    return json.loads(out.getvalue())["sessions"]


def test_the_certificate_names_a_command_that_finds_a_changed_seat(
    client: Client, drawn: Tournament, tmp_path: Path
) -> None:
    text = certificate(client, drawn)
    command = "python manage.py draw --check draw-spring-open.json"
    assert missing(text, "3 · 17", "No two players meet twice", command) == []
    assert "The seats are exactly those that the code word gives." in text
    address = reverse("draw_certificate", args=[drawn.slug])
    assert address in client.get(reverse("draw_page", args=[drawn.slug])).text
    file = download(client, drawn, tmp_path)
    data = json.loads(file.read_text())
    assert checked(file) == data["sessions"]
    first, other = data["sessions"][1]["tables"][:2]
    first["E"], other["E"] = other["E"], first["E"]
    file.write_text(json.dumps(data))
    with pytest.raises(CommandError, match="2 seats are not what the inputs give, the first in session 2"):
        checked(file)


def test_without_constraints_the_command_needs_no_file(client: Client, drawn: Tournament) -> None:
    drawn.players.update(team="")
    draw_seats(drawn, SYSTEM, seed="lottery 1 2")
    shown = "python manage.py draw --players 16 --sessions 5 --seed &#x27;lottery 1 2&#x27;"
    assert shown in certificate(client, drawn)
    out = StringIO()
    call_command("draw", players=16, sessions=5, seed="lottery 1 2", stdout=out)
    response = client.get(reverse("draw_certificate_json", args=[drawn.slug]))
    assert json.loads(out.getvalue())["sessions"] == response.json()["sessions"]


def test_other_files_are_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    for content in ("{}", "[]", "no", '{"inputs": null, "sessions": []}'):
        file.write_text(content)
        with pytest.raises(CommandError, match=r"other\.json is not the certificate of a draw by seed\."):
            checked(file)
    with pytest.raises(CommandError, match="cannot be read"):
        checked(tmp_path / "nowhere.json")


def test_seats_by_hand_have_figures_and_no_seed(client: Client, drawn: Tournament, tmp_path: Path) -> None:
    plan = client.get(reverse("draw_certificate_json", args=[drawn.slug])).json()["sessions"]
    seat_players(drawn, SYSTEM, [session["tables"] for session in plan])
    assert "These seats were not drawn from a code word" in certificate(client, drawn)
    data = json.loads(download(client, drawn, tmp_path).read_text())
    assert (data["inputs"], data["quality"]["repeats"]) == (None, 0)
    undrawn = make_tournament(drawn=False, name="Undrawn")
    assert "The seats are not drawn yet" in certificate(client, undrawn)
    assert client.get(reverse("draw_certificate_json", args=[undrawn.slug])).status_code == 404


@pytest.fixture
def event(client: Client) -> Tournament:
    """Two of three sessions played."""
    return organised(client, sessions=3, played=2)


def address(tournament: Tournament) -> str:
    return reverse("organiser_finals", args=[tournament.slug])


def set_up(client: Client, tournament: Tournament, **fields: str) -> str:
    shown = client.get(address(tournament), FINAL | fields)
    taken = client.post(address(tournament), FINAL | fields | {"seen": shown.context["seen"]}, follow=True)
    tournament.refresh_from_db()
    return taken.text


def rows_by_rest(client: Client, event: Tournament) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = client.get(reverse("api_standings", args=[event.slug])).json()["rows"]
    return rows


@pytest.mark.thorough
def test_a_final_is_previewed_set_up_and_undone(client: Client, event: Tournament) -> None:
    for page, *number in (("organiser_draw",), ("organiser_session", 2)):
        assert address(event) in client.get(reverse(page, args=[event.slug, *number])).text
    shown = client.get(address(event), FINAL)
    standings = current_standings(event, Audience.STAFF).rows
    places = shown.context["places"]
    assert [player.number for player, place in places if place.group] == [row.number for row in standings[:4]]
    assert [place.after.rank for _player, place in places[4:]] == [row.rank for row in standings[4:]]
    assert [place.above_the_cut for _player, place in places].index(True) == 3
    assert shown.text.count('<tr class="cut">') == 1
    assert [number for number, _tables in shown.context["sessions"]] == [3]
    assert "The seats of session 3 have already been drawn and will be replaced by the final." in shown.text
    assert not event.finals.exists()
    page = set_up(client, event)
    assert "The final is set up." in page
    assert address(event) not in page
    entry = LogEntry.objects.get(action="finals_set")
    assert log_words(event).sentence(entry) == (
        "Final after session 2: the finalists rank first, with half of the points they had, "
        "rounded down to whole game points. 4 finalists. Code word: lotto"
    )
    client.post(reverse("organiser_seats_undo", args=[event.slug]))
    assert not event.finals.exists()
    assert "Undone: Final after session 2" in client.get(reverse("organiser_log", args=[event.slug])).text
    event.sessions.get(number=3).tables.all().delete()
    assert "will be replaced by the final" not in client.get(address(event), FINAL).text


@pytest.mark.thorough
def test_a_tie_for_the_last_place_is_decided_by_the_organiser(client: Client) -> None:
    tournament = make_tournament(players=8, sessions=2)
    session = tournament.sessions.get(number=1)
    start_session(session, SYSTEM)
    for table in session.tables.all():
        record(table, wash_out())
        hand_in(table, SYSTEM)
    close_session(session, SYSTEM)
    client.force_login(make_organiser(tournament))
    shown = client.get(address(tournament), FINAL)
    assert "The last qualifying place is shared" in shown.text
    set_up(client, tournament, first="7")
    assert tournament.finals.get().groups == [[7, 1, 2, 3]]


def test_a_final_that_cannot_be_set_up_is_explained(client: Client, event: Tournament) -> None:
    response = client.get(address(event), FINAL | {"sessions": "0", "size": "5"})
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"sessions", "size"}
    set_up(client, event)
    response = client.get(address(event), FINAL)
    assert response.context["form"].non_field_errors() == [
        "A final after session 2 is already set up. Undo it, or set it up again."
    ]


@pytest.mark.thorough
def test_ranking_paper_and_api_show_the_final(client: Client, event: Tournament) -> None:
    set_up(client, event, size="8", carry="dropped")
    finalist = event.finals.get().numbers[0]
    done = current_standings(event, Audience.STAFF).rows[-1].number
    pages = [client.get(reverse("player_page", args=[event.slug, number])) for number in (done, finalist)]
    assert pages[0].context["page"].next is None, "who is done has no next seat"
    assert pages[1].context["page"].next.session.number == 3
    play_session(event.sessions.get(number=3), 2)
    event.refresh_from_db()
    page = client.get(reverse("ranking", args=[event.slug]))
    assert len(re.findall(r'<span class="tag">\s*finalist\s*</span>', page.text)) == 8
    rows = list(elements(element(read(page), "tbody"), "tr"))
    cut = [number for number, row in enumerate(rows, 1) if "cut" in attribute(row, "class").split()]
    assert cut == [8], "the last finalist stands above a line"
    sentence = "Final after session 2: the finalists rank first, with none of the points they had."
    assert sentence in page.text
    sheet = standings_sheet(event, "a4")
    assert f"{sentence} Their totals count “×0” in place of sessions 1 to 2." in sheet.notes
    by_rest = [(row["rank"], row["game_points"]) for row in rows_by_rest(client, event)]
    assert by_rest == [(row.standing.rank, row.standing.game_points) for row in sheet.ranking.rows]


@pytest.mark.thorough
def test_half_of_the_points_replaces_the_sessions_before(client: Client, event: Tournament) -> None:
    set_up(client, event)
    best = event.finals.get().numbers[0]
    play_session(event.sessions.get(number=3), 2)
    event.refresh_from_db()
    line = current_standings(event, Audience.STAFF).find(best)
    (carried,) = line.carried
    half, last = table_points(carried.table_points), line.sessions[-1]
    assert line.table_points == carried.table_points + last.table_points
    page = read(client.get(reverse("ranking", args=[event.slug])))
    assert "Their totals count “½” in place of sessions 1 to 2." in words(page)
    heads = [words(cell) for cell in elements(element(page, "thead"), "th")]
    assert heads[heads.index("S2") :][:3] == ["S2", "½", "S3"]
    row = element(page, "tr", id=f"p{best}")
    assert f"Half of sessions 1 to 2: {half}" in words(element(row, "span", class_="sessions"))
    assert words(element(row, "td", class_="carried")).split()[0] == half
    own = read(client.get(reverse("player_page", args=[event.slug, best])))
    assert words(element(own, "li", id="f2")).startswith("½ Half of sessions 1 to 2 carried into the final")
    (row_of_rest,) = [row for row in rows_by_rest(client, event) if row["number"] == best]
    points = {"table_points": two_decimals(carried.table_points), "game_points": carried.game_points}
    assert row_of_rest["carried"] == [{"after_session": 2} | points]
    workbook = RANKING.render(Reader(event, Audience.STAFF, SYSTEM), "xlsx")
    sheet = load_workbook(BytesIO(workbook)).worksheets[0]
    table = [[cell.value for cell in line] for line in sheet.iter_rows()]
    column = table[0].index("Half of sessions 1 to 2: table points")
    by_number = {line[1]: line for line in table[1:]}
    assert by_number[best][column : column + 2] == [float(carried.table_points), carried.game_points]
    assert [line[column] for line in table[5:]] == [None] * 12
    printed = standings_sheet(event, "a4").layout.columns
    assert [column.headings for column in printed][-5:-2] == [("S2",), ("½",), ("S3",)]
