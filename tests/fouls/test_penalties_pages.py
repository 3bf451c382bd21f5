"""All penalties of a tournament: listed, given and cancelled by the organiser at any time, public or not."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from penalties.engine import Points, PointScope, Sanction
from penalties.models import Penalty
from tests.support.factories import SYSTEM, make_tournament, make_umpire
from tests.support.pages import missing, refused_page, signed_in
from tournament.base.access import Audience
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.fouls.selectors import balances
from tournament.fouls.services.penalties import give_penalty
from tournament.play.engine.statements import Accusation
from tournament.ranking.selectors.standings import current_standings


@pytest.fixture
def event() -> Tournament:
    """Session 1 is closed, session 2 is being played."""
    return make_tournament(sessions=3, played=1, running=1)


def table_of(event: Tournament, player: int, session: int = 1) -> Table:
    tables = Table.objects.select_related("session__tournament")
    return tables.get(session__tournament=event, session__number=session, seats__player__number=player)


def give(event: Tournament, player: int, foul: str, session: int = 1, **more: object) -> Penalty:
    stated = Accusation(player, foul, **more)  # type: ignore[arg-type]
    return give_penalty(table_of(event, player, session), SYSTEM, stated, uuid=uuid4())


def page(client: Client, event: Tournament, query: str = "") -> str:
    return client.get(reverse("organiser_penalties", args=[event.slug]) + query).text


def new_url(event: Tournament, foul: str) -> str:
    return reverse("organiser_penalty_new", args=[event.slug]) + f"?player=1&session=1&foul={foul}"


@pytest.mark.thorough
def test_the_list_is_narrowed_by_player_foul_and_session(olga: Client, event: Tournament) -> None:
    first = give(event, 1, "false_claim", hand_number=1)
    other = give(event, 2, "late", 2, details={"minutes": 3})
    for query in ("?player=1", "?foul=false_claim", "?session=1"):
        listed = page(olga, event, query)
        assert f"p{first.uuid}" in listed
        assert f"p{other.uuid}" not in listed
    assert f"p{first.uuid}" in page(olga, event, "?player=nobody&session=99")


def test_a_penalty_given_later_moves_the_standings(olga: Client, event: Tournament) -> None:
    form = olga.get(new_url(event, "late"), headers={"accept-language": "zh-hant"}).text
    assert ('name="minutes"' in form, 'name="hu_was_valid"' in form) == (True, False)
    assert "《麻將競賽規則》「扣分」：遲到" in form, "where it is written, in the organiser's language"
    refused = olga.post(new_url(event, "late"), {"uuid": str(uuid4())}, headers={"accept-language": "en"})
    assert "How many minutes late?" in refused_page(refused)
    assert not Penalty.objects.exists()
    before = current_standings(event, Audience.STAFF).find(1).game_points
    answer = olga.post(new_url(event, "late"), {"uuid": str(uuid4()), "minutes": 16})
    assert answer.status_code == 302
    event.refresh_from_db()
    assert current_standings(event, Audience.STAFF).find(1).game_points == before - 40


def test_a_penalty_is_looked_at_given_otherwise_and_cancelled(olga: Client, event: Tournament) -> None:
    form = {"uuid": str(uuid4()), "hand_number": "1", "look": "1"}
    text = olga.post(new_url(event, "false_hu"), form).text
    assert missing(text, "20 points to each of the others", "−60") == []
    assert not Penalty.objects.exists()
    own = {"own": "on", "amount": "30", "paid_to": "nobody", "scope": "tournament", "uuid": str(uuid4())}
    assert "needs a reason" in olga.post(new_url(event, "false_claim"), own).text
    olga.post(new_url(event, "false_claim"), own | {"because": "after the session"})
    penalty = Penalty.objects.get()
    assert penalty.sanction["points"] == {"amount": 30, "scope": "tournament", "paid_to": "nobody"}
    assert "after the session" in page(olga, event)
    url = reverse("organiser_penalty_cancel", args=[event.slug, penalty.uuid])
    assert olga.post(url, {"reason": " "}).status_code == 422
    olga.post(url, {"reason": "the tram"})
    assert "Cancelled: the tram" in page(olga, event), "it stays in the list"
    assert all(each.unpaid == 0 for each in balances(event, Audience.STAFF))


def test_the_umpire_chooses_the_amount_for_a_player_with_a_seat(olga: Client, event: Tournament) -> None:
    url = new_url(event, "knocked_tiles")
    page = olga.get(url)
    assert "Any whole number from 5 to 60." in page.text
    form = {"hand_number": "1", "victim": str(others_at_table(event, 1)[0])}
    form |= {"uuid": page.context["form"]["uuid"].value()}
    assert "cannot be imposed here: 5–60" in olga.post(url, form | {"points": "4"}).text
    olga.post(url, form | {"points": "25"})
    assert [penalty.effects["1"] for penalty in Penalty.objects.all()] == [-25]
    extra = event.players.create(number=99, last_name="Extra")
    table_of(event, 1).seats.filter(player__number=1).update(player=extra)
    assert "no seat in this session" in refused_page(olga.get(new_url(event, "late")))


def test_the_scores_come_out_with_every_kind_of_penalty(event: Tournament) -> None:
    fine = Sanction(points=Points(50, PointScope.TOURNAMENT))
    give(event, 1, "false_hu", hand_number=2)
    give(event, 2, "late", details={"minutes": 22})
    give(
        event, 3, "knocked_tiles", hand_number=1, victim=others_at_table(event, 3)[0], details={"points": 30}
    )
    give(event, 4, "late", 2, details={"minutes": 1}, imposed=fine, because="x")
    sums = balances(event, Audience.STAFF)
    assert [(each.session, each.unpaid) for each in sums] == [(1, 60), (2, 0), (None, 50)]
    assert all(each.comes_out for each in sums)
    event.refresh_from_db()
    assert sum(row.game_points for row in current_standings(event, Audience.STAFF).rows) == -110


def others_at_table(event: Tournament, player: int) -> list[int]:
    others = table_of(event, player).seats.exclude(player__number=player)
    return list(others.order_by("id").values_list("player__number", flat=True))


@pytest.mark.thorough
def test_the_organiser_decides_who_sees_the_penalties(olga: Client, event: Tournament) -> None:
    give(event, 1, "false_claim", hand_number=1)
    public = reverse("penalties_page", args=[event.slug])
    table = table_of(event, 1).number
    places = [public, reverse("player_page", args=[event.slug, 1])]
    places += [reverse("table_page", args=[event.slug, 1, table])]
    assert all("False chow" in Client().get(url).text for url in places)
    olga.post(reverse("organiser_penalties_visibility", args=[event.slug]), {"public": "0"})
    assert not any("False chow" in Client().get(url).text for url in places)
    assert Client().get(public).status_code == 404
    api = reverse("api_penalties", args=[event.slug, 1, table])
    assert Client().get(api).status_code == 404
    umpire = signed_in(make_umpire(event))
    assert [umpire.get(url).status_code for url in (public, api)] == [200, 200]
