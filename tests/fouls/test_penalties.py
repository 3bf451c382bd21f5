"""Penalties: points, repeats and dead hands; giving, cancelling and undoing them; the organiser's pages."""

import json
import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from penalties.engine import Names, PaidTo, Points, PointScope, RepeatScope, Sanction
from penalties.engine.rules import Ladder
from penalties.engine.sanctions import fine
from penalties.models import Penalty
from tests.support.checks import audit_is_clean, newest_sentence, refused_codes
from tests.support.closing import players_at
from tests.support.factories import SYSTEM, make_tournament, make_umpire, play_hands, record, wash_out, win
from tests.support.pages import missing, refused_page, signed_in, write_at
from tests.support.play import scores
from tournament.base.access import Actor
from tournament.base.engine.entries import WIN, HandEntry
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import seat_wind
from tournament.base.errors import Refused
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.fouls.engine import answer
from tournament.fouls.selectors import assess, balances
from tournament.fouls.services.foul_book import add_foul
from tournament.fouls.services.penalties import cancel_penalty, give_penalty, undo_penalty
from tournament.play.api.facts import url_of
from tournament.play.engine.statements import Accusation
from tournament.play.services.hands import correct_hand, undo_hand
from tournament.play.services.tables import hand_in
from tournament.ranking.selectors.standings import current_standings

EVENT_WITH = {"sessions": 3, "played": 1, "running": 1}
"""Session 1 is closed, session 2 is running."""


@pytest.fixture
def table() -> Table:
    """A table with one recorded hand."""
    tournament = make_tournament(running=1)
    return tournament.sessions.get(number=1).tables.get(number=1)


def give(
    table: Table, player: int, foul: str, hand: int | None = 1, actor: Actor = SYSTEM, **more: Any
) -> Penalty:
    return give_penalty(table, actor, Accusation(player, foul, hand, **more), uuid=uuid4())


def changes(table: Table, player: int, foul: str, **details: Any) -> dict[int, int]:
    """Give a penalty, and return the changes of the scores at the table."""
    before = scores(table)
    give(table, player, foul, details=details)
    return {number: points - before[number] for number, points in scores(table).items()}


def test_a_false_hu_pays_the_others_and_a_disqualified_player_has_no_rank(table: Table) -> None:
    offender, *others = players_at(table)
    assert changes(table, offender, "false_hu") == {offender: -60} | dict.fromkeys(others, 20)
    assert changes(table, offender, "late", minutes=16) == {offender: -40} | dict.fromkeys(others, 0)
    offender = players_at(table)[0]
    give(table, offender, "severe_disturbance")
    standings = current_standings(Tournament.objects.get(), Audience.STAFF)
    assert standings.find(offender).rank is None


def test_empty_calls_cost_a_warning_then_5_10_20_and_a_cancelled_one_does_not_count(table: Table) -> None:
    offender = players_at(table)[0]
    assert [changes(table, offender, "empty_call")[offender] for _ in range(2)] == [0, -5]
    before = scores(table)
    cancel_penalty(give(table, offender, "empty_call"), SYSTEM, reason="misheard")
    assert scores(table) == before
    assert [changes(table, offender, "empty_call")[offender] for _ in range(2)] == [-10, -20]


@pytest.mark.parametrize("foul", ["false_hu", "wrong_tile_count"])
def test_a_player_with_a_dead_hand_cannot_win_that_hand(table: Table, foul: str) -> None:
    offender, other, *_ = players_at(table)
    give(table, offender, foul, 2)
    assert refused_codes(record, table, win(offender, other)) == ["dead_hand"]
    assert record(table, win(other, offender)).number == 2
    assert record(table, win(offender, other)).number == 3


def test_a_dead_hand_is_reported_in_any_language_and_a_cancelled_one_does_not_count(table: Table) -> None:
    offender, other, *_ = players_at(table)
    penalty = give(table, offender, "false_hu", 2)
    with pytest.raises(Refused) as refused:
        record(table, win(offender, other))
    (problem,) = refused.value.problems
    assert problem.params["foul"] == "false_hu"
    for language, foul in (
        ("en", "dead hand for False hu"),
        ("zh-hans", "（错和）"),
        ("zh-hant", "（錯和）"),
    ):
        with override(language):
            assert foul in sentence(problem)
    cancel_penalty(penalty, SYSTEM, reason="it was right")
    hand = record(table, wash_out())
    give(table, other, "false_claim", 2)
    late = win(other, offender)
    assert refused_codes(correct_hand, hand, SYSTEM, late, reason="seen", uuid=uuid4()) == ["dead_hand"]
    corrected = correct_hand(hand, SYSTEM, win(offender, other), reason="seen", uuid=uuid4())
    assert corrected.winner is not None


def in_turn(table: Table) -> list[int]:
    """Return the players in the order of play in the next hand."""
    chart = table.session.tournament.rules.chart
    seats = table.seats.all()
    winds = {seat.player.number: seat_wind(seat.wind, table.hands_played + 1, chart) for seat in seats}
    return sorted(winds, key=lambda player: "ESWN".index(winds[player]))


def test_a_nearer_claimant_and_a_dead_hand_are_reported_together(table: Table) -> None:
    barred, discarder, nearer, _ = in_turn(table)
    give(table, barred, "false_claim", 2)
    both = HandEntry(WIN, barred, discarder, points=8, claimants=(nearer,))
    assert refused_codes(record, table, both) == ["nearer_claimant", "dead_hand"]


def test_a_claimant_with_a_dead_hand_has_no_precedence(table: Table) -> None:
    discarder, barred, following, last = in_turn(table)
    give(table, barred, "false_claim", 2)
    by_last = HandEntry(WIN, last, discarder, points=8, claimants=(barred, following))
    assert refused_codes(record, table, by_last) == ["nearer_claimant"]
    hand = record(table, HandEntry(WIN, following, discarder, points=8, claimants=(barred, last)))
    assert hand.claimants == [barred, last]


def test_a_foul_is_in_a_hand_that_has_begun_and_a_dead_hand_that_won_is_a_warning(table: Table) -> None:
    offender, before = players_at(table)[0], scores(table)
    for foul in ("empty_call", "late_pung", "false_hu"):
        with pytest.raises(Refused, match=r"^hand_number: hand_not_begun$"):
            give(table, offender, foul, 3)
    assert scores(table) == before
    winner = table.hands.get(number=1).winner
    assert winner is not None
    assessment = assess(table, Accusation(winner.number, "false_claim", hand_number=1))
    assert [problem.code for problem in assessment.warnings] == ["dead_hand_has_won"]
    assert assessment.problems == ()


def warnings(table: Table, *args: Any, **kwargs: Any) -> list[str]:
    return [problem.code for problem in assess(table, Accusation(*args, **kwargs)).warnings]


def test_a_second_lateness_and_a_second_dead_hand_are_warnings(table: Table) -> None:
    offender, other, *_ = players_at(table)
    give(table, offender, "late", None, details={"minutes": 3})
    assert warnings(table, offender, "late", details={"minutes": 12}) == ["late_already"]
    assert warnings(table, other, "late", details={"minutes": 12}) == []
    penalty = give(table, offender, "false_claim", 2)
    assert warnings(table, offender, "wrong_tile_count", 2) == ["dead_hand_already"]
    assert warnings(table, offender, "empty_call", 2) == [], "it costs no hand"
    assert "dead_hand_already" not in warnings(table, offender, "wrong_tile_count", 1)
    cancel_penalty(penalty, SYSTEM, reason="it was right")
    assert warnings(table, offender, "wrong_tile_count", 2) == []


def test_nobody_is_later_than_the_session_lasts(table: Table) -> None:
    offender = players_at(table)[0]
    longest = table.session.minutes
    assert refused_codes(give, table, offender, "late", None, details={"minutes": longest + 1}) == [
        "later_than_the_session"
    ]
    give(table, offender, "late", None, details={"minutes": longest})


def test_a_late_pung_in_hand_16_after_six_hands_is_refused() -> None:
    table = make_tournament(running=(6, 0, 0, 0)).sessions.get(number=1).tables.get(number=1)
    offender = players_at(table)[0]
    (problem,) = assess(table, Accusation(offender, "late_pung", hand_number=16)).problems
    assert sentence(problem) == "Hand 16 has not begun: hand 7 is under way."
    assert assess(table, Accusation(offender, "late_pung", hand_number=7)).problems == ()


@pytest.mark.parametrize(
    "finish", [hand_in, lambda table, actor: play_hands(table, 15, actor)], ids=["in", "full"]
)
def test_there_is_no_dead_hand_after_the_last_hand(table: Table, finish: Any) -> None:
    offender = players_at(table)[0]
    finish(table, SYSTEM)
    played = Table.objects.get(pk=table.pk).hands_played
    (code,) = refused_codes(give, table, offender, "false_hu", played + 1)
    assert code in ("no_hand_under_way", "no_such_hand")
    assert give(table, offender, "false_hu", played)


def test_a_dead_hand_needs_a_hand_number_and_points_do_not(table: Table) -> None:
    (offender, *others), before = players_at(table), scores(table)
    for foul in ("false_hu", "false_claim", "wrong_tile_count"):
        with pytest.raises(Refused, match=r"^hand_number: hand_number_missing$"):
            give(table, offender, foul, None)
    give(table, offender, "false_hu", None, imposed=TWENTY_EACH, because="the hand was over")
    assert scores(table) == {offender: before[offender] - 60} | {n: before[n] + 20 for n in others}


def test_a_hand_is_not_undone_while_the_next_has_a_penalty(table: Table) -> None:
    umpire = Actor.of(make_umpire(table.session.tournament))
    hand = record(table, wash_out(), umpire)
    foul = give(table, players_at(table)[0], "empty_call", 3, umpire)
    assert refused_codes(undo_hand, hand, umpire) == ["cannot_undo"]
    cancel_penalty(foul, umpire, reason="nothing was called")
    assert not undo_hand(hand, umpire).is_current


TWENTY_EACH = Sanction(points=Points(20, PointScope.HAND, PaidTo.EACH_OPPONENT))


def test_another_sanction_needs_a_reason_and_the_proposal_is_stored(table: Table) -> None:
    (offender, *others), before = players_at(table), scores(table)
    assert refused_codes(give, table, offender, "empty_call", 2, imposed=TWENTY_EACH, because=" ") == [
        "because_missing"
    ]
    assert scores(table) == before
    penalty = give(table, offender, "empty_call", 2, imposed=TWENTY_EACH, because="the third warning today")
    assert scores(table) == {offender: before[offender] - 60} | {n: before[n] + 20 for n in others}
    assert (penalty.proposed, penalty.because) == ({"warning": True}, "the third warning today")
    assert audit_is_clean()


def test_the_books_sanction_is_no_override_and_an_overridden_foul_counts_as_a_repeat(table: Table) -> None:
    offender, warning = players_at(table)[0], Sanction(warning=True)
    for foul, sanction in (("empty_call", warning), ("cheating", Sanction(disqualification=True))):
        assert give(table, offender, foul, 2, imposed=sanction).proposed is None
    give(table, offender, "empty_call", 2, imposed=warning, because="unclear")
    assert assess(table, Accusation(offender, "empty_call", 2)).sanction == Sanction(points=Points(10))


def test_a_sanction_that_is_left_to_the_umpire_is_chosen_and_its_reason_kept(table: Table) -> None:
    offender = players_at(table)[0]
    assert refused_codes(give, table, offender, "cheating", 2) == ["sanction_missing"]
    penalty = give(table, offender, "cheating", 2, imposed=Sanction(warning=True), because="Hid a tile")
    assert penalty.because == "Hid a tile"
    assert newest_sentence(table.session.tournament).endswith("Reason: Hid a tile")


def test_points_of_the_tournament_do_not_change_the_table_and_one_uuid_is_one_penalty(table: Table) -> None:
    offender, before = players_at(table)[0], scores(table)
    fine = Sanction(points=Points(30, PointScope.TOURNAMENT))
    give(table, offender, "late", None, details={"minutes": 3}, imposed=fine, because="x")
    assert scores(table) == before
    standings = current_standings(Tournament.objects.get(), Audience.STAFF)
    assert standings.find(offender).game_points == before[offender] - 30
    accusation, uuid = Accusation(players_at(table)[0], "false_hu", 1), uuid4()
    first = give_penalty(table, SYSTEM, accusation, uuid=uuid)
    after = scores(table)
    assert give_penalty(table, SYSTEM, accusation, uuid=uuid) == first
    assert scores(table) == after


def test_an_umpire_undoes_a_mistaken_penalty_within_a_minute(table: Table) -> None:
    umpire, other = (Actor.of(make_umpire(table.session.tournament, name)) for name in ("uma", "una"))
    before = scores(table)
    penalty = give(table, players_at(table)[0], "false_hu", actor=umpire)
    assert refused_codes(undo_penalty, penalty, other, reason="A slip") == ["cannot_undo_penalty"]
    for _again in range(2):
        undone = undo_penalty(penalty, umpire, reason="A slip")
    assert (undone.cancelled_because, scores(table)) == ("A slip", before)
    assert table.session.tournament.log.filter(action="penalty_cancelled").count() == 1
    assert audit_is_clean()
    penalty = give(table, players_at(table)[0], "false_hu", actor=umpire)
    Penalty.objects.update(given_at=timezone.now() - timedelta(seconds=61))
    with pytest.raises(Refused):
        undo_penalty(penalty, umpire, reason="A slip")
    assert cancel_penalty(penalty, umpire, reason="It was a valid call").is_cancelled


def table_of(event: Tournament, player: int, session: int = 1) -> Table:
    tables = Table.objects.select_related("session__tournament")
    return tables.get(session__tournament=event, session__number=session, seats__player__number=player)


def give_at(event: Tournament, player: int, foul: str, session: int = 1, **more: object) -> Penalty:
    accusation = Accusation(player, foul, **more)  # type: ignore[arg-type]
    return give_penalty(table_of(event, player, session), SYSTEM, accusation, uuid=uuid4())


def page(client: Client, event: Tournament, query: str = "") -> str:
    return client.get(reverse("organiser_penalties", args=[event.slug]) + query).text


def new_url(event: Tournament, foul: str) -> str:
    return reverse("organiser_penalty_new", args=[event.slug]) + f"?player=1&session=1&foul={foul}"


def test_an_offline_desk_previews_the_same_as_the_server(client: Client, event: Tournament) -> None:
    """Also for a house foul whose repeats count in the whole tournament."""
    rule = Ladder((Sanction(warning=True), fine(5), fine(10)), RepeatScope.TOURNAMENT)
    phone = add_foul(event, SYSTEM, Names("Phone rings", "", ""), Names("Out loud.", "", ""), rule).key
    give_at(event, 1, phone)
    table = table_of(event, 1, session=2)
    give(table, 1, phone)
    give(table, 1, "empty_call")
    client.force_login(make_umpire(event))
    victim = next(player for player in players_at(table) if player != 1)
    fouls: list[dict[str, Any]] = [
        {"foul": phone},
        {"foul": "empty_call"},
        {"foul": "false_hu"},
        {"foul": "false_claim", "hand_number": None},
        {"foul": "knocked_tiles", "points": 20, "victim": victim},
        {"foul": "late", "minutes": 12},
        {"foul": "late"},
        {"foul": "empty_call", "sanction": {"dead_hand": True}},
    ]
    accusations = [{"player": 1, "hand_number": 1} | foul for foul in fouls]
    previews = [write_at(client, table, "api_penalty_preview", body).json() for body in accusations]
    offline = [offline_outcome(client, table, body) for body in accusations]
    assert offline == [outcome(preview) for preview in previews]


def test_the_button_names_every_part_of_the_sanction(client: Client, event: Tournament) -> None:
    client.force_login(make_umpire(event))
    body = {"player": 1, "hand_number": 1, "foul": "false_hu"}
    preview = write_at(client, table_of(event, 1), "api_penalty_preview", body).json()
    assert re.fullmatch("Take 60 points from .+, dead hand", preview["proposal"]["button"])


def offline_outcome(client: Client, table: Table, accusation: dict[str, Any]) -> Any:
    """Return the outcome of the engine's answer to the question of preview.js."""
    state = client.get(url_of("api_desk", table)).json()["state"]
    rules = client.get(reverse("desk_words", args=[state["tournament"]])).json()["rules"]
    own = [penalty for penalty in state["penalties"] if penalty["player"] == accusation["player"]]
    earlier = [(penalty["key"], penalty["hand"], state["session"]) for penalty in own]
    question = {
        "rules": rules,
        "session": state["session"],
        "scores": {seat["player"]: seat["score"] for seat in state["seats"]},
        "earlier": [*earlier, *state["fouled_elsewhere"].get(str(accusation["player"]), [])],
        "accusation": accusation,
    }
    return outcome(json.loads(answer(json.dumps(question))))


def outcome(preview: dict[str, Any]) -> Any:
    """Return the codes of the problems, or the sanction and its effects."""
    proposal = preview["proposal"]
    if proposal is None:
        return [(problem["code"], problem["where"]) for problem in preview["problems"]]
    effects = proposal["effects"]
    if isinstance(effects, list):
        effects = {str(row["player"]): row["change"] for row in effects}
    return proposal["imposed"], proposal["open"], proposal["judgement"], effects


@pytest.mark.thorough
def test_the_list_is_filtered_by_player_foul_and_session(olga: Client, event: Tournament) -> None:
    first = give_at(event, 1, "false_claim", hand_number=1)
    other = give_at(event, 2, "late", 2, details={"minutes": 3})
    for query in ("?player=1", "?foul=false_claim", "?session=1"):
        text = page(olga, event, query)
        assert f"p{first.uuid}" in text
        assert f"p{other.uuid}" not in text
    assert f"p{first.uuid}" in page(olga, event, "?player=nobody&session=99")


def test_a_penalty_given_after_the_session_changes_the_standings(olga: Client, event: Tournament) -> None:
    form = olga.get(new_url(event, "late"), headers={"accept-language": "zh-hant"}).text
    assert ('name="minutes"' in form, 'name="hu_was_valid"' in form) == (True, False)
    assert "《麻將競賽規則》「扣分」：遲到" in form, "the source in the organiser's language"
    refused = olga.post(new_url(event, "late"), {"uuid": str(uuid4())}, headers={"accept-language": "en"})
    assert "How many minutes late?" in refused_page(refused)
    assert not Penalty.objects.exists()
    before = current_standings(event, Audience.STAFF).find(1).game_points
    answer = olga.post(new_url(event, "late"), {"uuid": str(uuid4()), "minutes": 16})
    assert answer.status_code == 302
    event.refresh_from_db()
    assert current_standings(event, Audience.STAFF).find(1).game_points == before - 40


def test_a_penalty_is_previewed_given_with_another_sanction_and_cancelled(
    olga: Client, event: Tournament
) -> None:
    form = {"uuid": str(uuid4()), "hand_number": "1", "preview": "1"}
    text = olga.post(new_url(event, "false_hu"), form).text
    assert missing(text, "20 points to each of the others", "−60") == []
    assert not Penalty.objects.exists()
    form = {"own": "on", "amount": "30", "paid_to": "nobody", "scope": "tournament", "uuid": str(uuid4())}
    assert "Give a reason" in olga.post(new_url(event, "false_claim"), form).text
    olga.post(new_url(event, "false_claim"), form | {"because": "after the session"})
    penalty = Penalty.objects.get()
    assert penalty.sanction["points"] == {"amount": 30, "scope": "tournament", "paid_to": "nobody"}
    assert "after the session" in page(olga, event)
    url = reverse("organiser_penalty", args=[event.slug, penalty.uuid])
    assert olga.post(url, {"reason": " "}).status_code == 422
    olga.post(url, {"reason": "the tram"})
    assert "Cancelled: the tram" in page(olga, event), "it stays in the list"
    assert all(balance.unpaid == 0 for balance in balances(event, Audience.STAFF))


def test_what_a_foul_or_its_cancellation_needs_is_not_called_optional(
    olga: Client, event: Tournament
) -> None:
    label = re.compile(r"<label[^>]*>\s*([^<]*?)\s*(?:<span[^>]*>(optional)</span>)?\s*</label>")
    facts = dict(label.findall(olga.get(new_url(event, "late")).text))
    assert (facts["Minutes late"], facts["Note"]) == ("", "optional")
    give_at(event, 1, "late", details={"minutes": 3})
    url = reverse("organiser_penalty", args=[event.slug, Penalty.objects.get().uuid])
    assert dict(label.findall(olga.get(url).text))["Why is it cancelled?"] == ""


def test_the_organiser_confirms_the_warning_of_a_second_lateness(olga: Client, event: Tournament) -> None:
    give_at(event, 1, "late", details={"minutes": 3})
    form = {"uuid": str(uuid4()), "minutes": "12"}
    shown = olga.post(new_url(event, "late"), form)
    assert "already has a penalty for being late in session 1" in shown.text
    assert Penalty.objects.count() == 1
    olga.post(new_url(event, "late"), form | {"seen": "late_already"})
    assert Penalty.objects.count() == 2


def test_a_chosen_warning_and_may_not_continue_need_no_reason(olga: Client, event: Tournament) -> None:
    olga.post(new_url(event, "rules_violation"), {"uuid": str(uuid4()), "points": "0"})
    knocked = {
        "uuid": str(uuid4()),
        "points": "25",
        "victim": str(others_at_table(event, 1)[0]),
        "stopped": "on",
    }
    olga.post(new_url(event, "knocked_tiles"), knocked)
    warned, stopped = Penalty.objects.order_by("pk")
    assert (warned.sanction, warned.proposed) == ({"warning": True}, None)
    assert (stopped.sanction["may_not_continue"], stopped.proposed) == (True, None)


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


def test_the_balance_is_zero_with_every_kind_of_penalty(event: Tournament) -> None:
    fine = Sanction(points=Points(50, PointScope.TOURNAMENT))
    give_at(event, 1, "false_hu", hand_number=2)
    give_at(event, 2, "late", details={"minutes": 22})
    give_at(
        event, 3, "knocked_tiles", hand_number=1, victim=others_at_table(event, 3)[0], details={"points": 30}
    )
    give_at(event, 4, "late", 2, details={"minutes": 1}, imposed=fine, because="x")
    rows = balances(event, Audience.STAFF)
    assert [(balance.session, balance.unpaid) for balance in rows] == [(1, 60), (2, 0), (None, 50)]
    assert all(balance.is_balanced for balance in rows)
    event.refresh_from_db()
    assert sum(row.game_points for row in current_standings(event, Audience.STAFF).rows) == -110


def others_at_table(event: Tournament, player: int) -> list[int]:
    others = table_of(event, player).seats.exclude(player__number=player)
    return list(others.order_by("id").values_list("player__number", flat=True))


@pytest.mark.thorough
def test_the_organiser_decides_who_sees_the_penalties(olga: Client, event: Tournament) -> None:
    give_at(event, 1, "false_claim", hand_number=1)
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
