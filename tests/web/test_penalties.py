"""All penalties of a tournament: listed, given and cancelled by the organiser at any time, public or not."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from penalties.engine import Points, PointScope, Sanction
from penalties.models import Penalty
from tests.support.factories import SYSTEM, make_organiser, make_tournament, make_umpire
from tournament.access import Audience
from tournament.engine.statements import Accusation
from tournament.models import Table, Tournament
from tournament.selectors.penalties import balances
from tournament.selectors.standings import current_standings
from tournament.services.penalties import give_penalty


@pytest.fixture
def made() -> Tournament:
    """Session 1 is closed, session 2 is being played."""
    return make_tournament(sessions=3, played=1, running=1)


@pytest.fixture
def organiser(client: Client, made: Tournament) -> Client:
    client.force_login(make_organiser(made))
    return client


def table_of(made: Tournament, player: int, session: int = 1) -> Table:
    tables = Table.objects.select_related("session__tournament")
    return tables.get(session__tournament=made, session__number=session, seats__player__number=player)


def give(made: Tournament, player: int, foul: str, session: int = 1, **more: object) -> Penalty:
    stated = Accusation(player, foul, **more)  # type: ignore[arg-type]
    return give_penalty(table_of(made, player, session), SYSTEM, stated, uuid=uuid4())


def page(client: Client, made: Tournament, query: str = "") -> str:
    return client.get(reverse("organiser_penalties", args=[made.slug]) + query).text


def new_url(made: Tournament, foul: str) -> str:
    return reverse("organiser_penalty_new", args=[made.slug]) + f"?player=1&session=1&foul={foul}"


def test_the_list_is_narrowed_by_player_foul_and_session(organiser: Client, made: Tournament) -> None:
    first = give(made, 1, "false_claim", hand_number=1)
    other = give(made, 2, "late", 2, details={"minutes": 3})
    for query in ("?player=1", "?foul=false_claim", "?session=1"):
        listed = page(organiser, made, query)
        assert f"p{first.uuid}" in listed
        assert f"p{other.uuid}" not in listed
    assert f"p{first.uuid}" in page(organiser, made, "?player=nobody&session=99")


def test_the_lists_query_as_often_for_many_as_for_few(organiser: Client, made: Tournament) -> None:
    queries: dict[str, list[int]] = {"organiser_penalties": [], "penalties_page": []}
    for players in (range(1, 3), range(3, 9)):
        for player in players:
            give(made, player, "late", 2, details={"minutes": 3})
        for name, counts in queries.items():
            organiser.get(url := reverse(name, args=[made.slug]))
            with CaptureQueriesContext(connection) as statements:
                text = organiser.get(url).text
            assert all(penalty.player.name in text for penalty in Penalty.objects.all())
            counts.append(len(statements))
    assert [name for name, (few, many) in queries.items() if few != many] == []


def test_a_penalty_given_later_moves_the_standings(organiser: Client, made: Tournament) -> None:
    form = organiser.get(new_url(made, "late"), headers={"accept-language": "zh-hant"}).text
    assert ('name="minutes"' in form, 'name="hu_was_valid"' in form) == (True, False)
    assert "《麻將競賽規則》「扣分」：遲到" in form, "where it is written, in the organiser's language"
    refused = organiser.post(new_url(made, "late"), {"uuid": str(uuid4())}, headers={"accept-language": "en"})
    assert refused.status_code == 422
    assert "How many minutes late?" in refused.text
    assert not Penalty.objects.exists()
    before = current_standings(made, Audience.STAFF).find(1).game_points
    answer = organiser.post(new_url(made, "late"), {"uuid": str(uuid4()), "minutes": 16})
    assert answer.status_code == 302
    made.refresh_from_db()
    assert current_standings(made, Audience.STAFF).find(1).game_points == before - 40


def test_looking_at_a_penalty_gives_none(organiser: Client, made: Tournament) -> None:
    form = {"uuid": str(uuid4()), "hand_number": "1", "look": "1"}
    text = organiser.post(new_url(made, "false_hu"), form).text
    assert "20 points to each of the others" in text
    assert "−60" in text
    assert not Penalty.objects.exists()


def test_another_sanction_off_the_final_sum_needs_its_reason(organiser: Client, made: Tournament) -> None:
    own = {"own": "on", "amount": "30", "paid_to": "nobody", "scope": "tournament", "uuid": str(uuid4())}
    assert "needs a reason" in organiser.post(new_url(made, "false_claim"), own).text
    organiser.post(new_url(made, "false_claim"), own | {"because": "after the session"})
    penalty = Penalty.objects.get()
    assert penalty.sanction["points"] == {"amount": 30, "scope": "tournament", "paid_to": "nobody"}
    assert "after the session" in page(organiser, made)


def test_a_cancelled_penalty_stays_in_the_list(organiser: Client, made: Tournament) -> None:
    penalty = give(made, 1, "late", details={"minutes": 3})
    url = reverse("organiser_penalty_cancel", args=[made.slug, penalty.uuid])
    assert organiser.post(url, {"reason": " "}).status_code == 422
    organiser.post(url, {"reason": "the tram"})
    assert "Cancelled: the tram" in page(organiser, made)
    assert all(each.unpaid == 0 for each in balances(made, Audience.STAFF))


def test_a_player_without_a_seat_is_refused(organiser: Client, made: Tournament) -> None:
    extra = made.players.create(number=99, last_name="Extra")
    table_of(made, 1).seats.filter(player__number=1).update(player=extra)
    refused = organiser.get(new_url(made, "late"))
    assert refused.status_code == 422
    assert "no seat in this session" in refused.text


def test_the_umpire_chooses_the_amount(organiser: Client, made: Tournament) -> None:
    url = new_url(made, "knocked_tiles")
    page = organiser.get(url)
    assert "Any whole number from 5 to 60." in page.text
    form = {"hand_number": "1", "victim": str(others_at_table(made, 1)[0])}
    form |= {"uuid": page.context["form"]["uuid"].value()}
    assert "cannot be imposed here: 5–60" in organiser.post(url, form | {"points": "4"}).text
    organiser.post(url, form | {"points": "25"})
    assert [penalty.effects["1"] for penalty in Penalty.objects.all()] == [-25]


def test_the_scores_come_out_with_every_kind_of_penalty(made: Tournament) -> None:
    fine = Sanction(points=Points(50, PointScope.TOURNAMENT))
    give(made, 1, "false_hu", hand_number=2)
    give(made, 2, "late", details={"minutes": 22})
    give(made, 3, "knocked_tiles", hand_number=1, victim=others_at_table(made, 3)[0], details={"points": 30})
    give(made, 4, "late", 2, details={"minutes": 1}, imposed=fine, because="x")
    sums = balances(made, Audience.STAFF)
    assert [(each.session, each.unpaid) for each in sums] == [(1, 60), (2, 0), (None, 50)]
    assert all(each.comes_out for each in sums)
    made.refresh_from_db()
    assert sum(row.game_points for row in current_standings(made, Audience.STAFF).rows) == -110


def others_at_table(made: Tournament, player: int) -> list[int]:
    others = table_of(made, player).seats.exclude(player__number=player)
    return list(others.order_by("id").values_list("player__number", flat=True))


def test_the_organiser_decides_who_sees_the_penalties(organiser: Client, made: Tournament) -> None:
    give(made, 1, "false_claim", hand_number=1)
    public = reverse("penalties_page", args=[made.slug])
    places = [
        public,
        reverse("player_page", args=[made.slug, 1]),
        reverse("table_page", args=[made.slug, 1, table_of(made, 1).number]),
    ]
    assert all("False chow" in Client().get(url).text for url in places)
    organiser.post(reverse("organiser_penalties_visibility", args=[made.slug]), {"public": "0"})
    assert not any("False chow" in Client().get(url).text for url in places)
    assert Client().get(public).status_code == 404
    api = reverse("api_penalties", args=[made.slug, 1, table_of(made, 1).number])
    assert Client().get(api).status_code == 404
    umpire = Client()
    umpire.force_login(make_umpire(made))
    assert [umpire.get(url).status_code for url in (public, api)] == [200, 200]
