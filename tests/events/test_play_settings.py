"""Play settings: defaults of the rulebook, changes by the organiser, and when they are fixed."""

from dataclasses import replace
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse

from penalties.engine import Names, find_foul_book
from penalties.engine.rules import Fixed, Ladder
from penalties.engine.sanctions import WARNING, fine
from scoring.engine import find_rulebook
from tests.support.checks import newest_sentence, refused_codes, refused_problems
from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tests.support.pages import missing, organised, refused_page
from tests.support.programs import Program, client_of
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import (
    EXCHANGED,
    PLAYABLE,
    STANDARD_SCALE,
    Attendance,
    Credit,
    LastHand,
    PlaySettings,
    Rules,
    rules_named,
)
from tournament.base.models.tournament import Tournament
from tournament.events.services import set_play_settings, update_tournament
from tournament.fouls.services.foul_book import add_foul, change_foul
from tournament.play.services.sessions import start_session
from tournament.ranking.selectors.ranking import ranking

OWN = PlaySettings(
    last_hand=LastHand.FINISHED,
    warning=10,
    chart=EXCHANGED,
    scale=(Fraction(5), Fraction(3), Fraction(1), Fraction(0)),
    criteria=("game_points", "hands_won"),
    held_out_waits=False,
)
TYPED = {
    "last_hand": "finished",
    "warning": "10",
    "chart": "exchanged",
    "scale": "5, 3 1，0",
    "criteria_0": "game_points",
    "criteria_1": "",
    "criteria_2": "hands_won",
    "held_out_waits": "False",
    "rulebook": "mcr",
    "foul_book": "mers",
    "appeal_minutes": "30",
    "appeal_deposit": "€100",
    "stand_in": "player",
    "withdrawn_ranked": "False",
    "starting_points": "200",
    "disqualified_ranked": "True",
}


def again(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


def test_every_rulebook_has_its_defaults_and_botzone_the_fouls_of_mcr() -> None:
    assert PLAYABLE == ("mcr", "mwt", "botzone", "guide")
    for name in PLAYABLE:
        play = rules_named(name).play
        assert (play.last_hand, play.warning, play.scale) == (LastHand.VOID, 15, STANDARD_SCALE)
        assert play.criteria == ("table_points", "game_points")
        assert play.held_out_waits is find_rulebook(name).held_out_waits
        assert play.problems() == []
    assert rules_named("botzone").fouls == find_foul_book("mcr")


def test_settings_survive_the_snapshot() -> None:
    rules = rules_named("guide").with_play(OWN)
    assert Rules.from_json(rules.to_json()).play == PlaySettings.from_json(OWN.to_json()) == OWN
    assert rules.with_play(rules_named("guide").play) == rules_named("guide")


def test_invalid_settings_are_refused_with_all_problems() -> None:
    tournament = make_tournament(players=0, drawn=False)
    wrong = replace(OWN, warning=0, scale=(*OWN.scale, Fraction(0)), criteria=())
    places = ["warning", "scale", "criteria"]
    assert [where for _, where in refused_problems(set_play_settings, tournament, SYSTEM, wrong)] == places
    for change, code in (
        ({"scale": OWN.scale[::-1]}, "scale_rises"),
        ({"scale": (Fraction(101), *OWN.scale[1:])}, "scale_of_four"),
        ({"criteria": ("hands_won", "hands_won")}, "criterion_twice"),
        ({"criteria": ("height",)}, "criteria_unknown"),
    ):
        codes = [problem.code for problem in replace(OWN, **change).problems()]
        assert codes == [code], change
    Tournament.objects.update(minutes=30)
    late = replace(OWN, warning=30)
    assert refused_problems(set_play_settings, again(tournament), SYSTEM, late) == [
        ("warning_too_early", "warning")
    ]
    assert again(tournament).rules.play == rules_named("mcr").play


@pytest.mark.stored
def test_settings_are_fixed_by_the_draw_and_the_start() -> None:
    """Only the warning can be changed during play."""
    tournament = make_tournament(players=8, sessions=1)
    fixed = refused_problems(set_play_settings, tournament, SYSTEM, OWN)
    assert fixed == [("fixed_by_the_draw", "chart"), ("fixed_by_the_draw", "held_out_waits")]
    default = tournament.rules.play
    drawn = replace(OWN, chart=default.chart, held_out_waits=default.held_out_waits)
    set_play_settings(tournament, SYSTEM, drawn)
    start_session(tournament.sessions.get(), SYSTEM)
    assert refused_problems(set_play_settings, again(tournament), SYSTEM, default) == [
        ("fixed_by_the_start", name) for name in ("last_hand", "scale", "criteria")
    ]
    set_play_settings(again(tournament), SYSTEM, replace(drawn, warning=5))
    assert again(tournament).rules.play == replace(drawn, warning=5)
    assert newest_sentence(tournament) == "Rules of play changed: warning before the end."
    version = again(tournament).version
    set_play_settings(again(tournament), SYSTEM, replace(drawn, warning=5))
    assert again(tournament).version == version, "idempotent"


def test_standings_use_the_scale_and_the_criteria() -> None:
    tournament = make_tournament(players=4, sessions=1)
    default = tournament.rules.play
    set_play_settings(tournament, SYSTEM, replace(default, scale=OWN.scale, criteria=OWN.criteria))
    played = make_tournament(players=4, sessions=1, played=1)
    Tournament.objects.filter(pk=played.pk).update(rules_snapshot=again(tournament).rules.to_json())
    rows = [row.standing for row in ranking(again(played), Audience.PUBLIC).rows]
    assert sum(row.table_points for row in rows) == sum(OWN.scale)
    points = [row.game_points for row in rows]
    assert points == sorted(points, reverse=True), "game points decide, not table points"


def test_another_rulebook_keeps_the_organisers_settings() -> None:
    tournament = make_tournament(players=0, drawn=False)
    set_play_settings(tournament, SYSTEM, replace(OWN, held_out_waits=True))
    tournament = again(tournament)
    tournament.rulebook = "botzone"
    update_tournament(tournament, SYSTEM)
    changed = again(tournament)
    assert changed.rules.play == OWN, "the default of Botzone does not replace it"
    assert (changed.rules.scoring, changed.rulebook) == (find_rulebook("botzone"), "botzone")


def test_another_foul_book_keeps_the_waits_and_the_changes_that_fit() -> None:
    """A change is kept only for a foul that the new book has, with a rule of the same kind."""
    tournament = make_tournament(players=0, drawn=False)
    set_play_settings(tournament, SYSTEM, replace(OWN, held_out_waits=False))
    change_foul(tournament, SYSTEM, "empty_call", Ladder((WARNING, fine(7))))
    change_foul(tournament, SYSTEM, "late_pung", Ladder((fine(3),)))
    change_foul(tournament, SYSTEM, "passing_information", Fixed(fine(2)))
    add_foul(tournament, SYSTEM, Names.filled("Hat"), Names.filled("Wears one."), Fixed(fine(1)))
    tournament = again(tournament)
    tournament.foul_book = "mers"
    update_tournament(tournament, SYSTEM)
    mers, changed = find_foul_book("mers"), again(tournament).rules
    assert changed.play == OWN
    assert {foul.key: foul.names for foul in changed.fouls.changes()} == {
        "empty_call": mers.fouls[2].names,
        "house_1": Names.filled("Hat"),
    }
    tournament.foul_book = "dominoes"
    assert refused_codes(update_tournament, tournament, SYSTEM) != []


def test_the_settings_page_shows_errors_at_their_fields_and_saves(client: Client) -> None:
    """The tournament's page shows the settings."""
    tournament = organised(client, players=8, drawn=False)
    address = reverse("organiser_rules", args=[tournament.slug])
    shown = client.get(address).context["form"]
    assert [field.name for field in shown if not field.help_text] == []
    refused = client.post(address, TYPED | {"scale": "4, 2, eins", "criteria_2": "game_points"})
    assert 'value="4, 2, eins"' in refused_page(refused)
    assert set(refused.context["form"].errors) == {"scale", "criteria"}
    assert client.post(address, TYPED)["Location"] == address
    rules = again(tournament).rules
    assert (rules.play, rules.attendance) == (OWN, Attendance(Credit.PLAYER, False, 200, True))
    assert rules.fouls == find_foul_book("mers")
    assert client.get(address).context["form"]["scale"].value() == "5, 3, 1, 0"
    page = client.get(reverse("tournament", args=[tournament.slug])).text
    assert (
        missing(page, "finished and counts", "5 · 3 · 1 · 0", "does not count as a wait", "game points") == []
    )
    assert "deposit for an appeal: €100" in page


def test_another_rulebook_on_the_page_brings_its_own_waits(client: Client) -> None:
    tournament = organised(client, players=8, drawn=False)
    address = reverse("organiser_rules", args=[tournament.slug])
    client.post(address, TYPED | {"rulebook": "guide", "held_out_waits": "True", "appeal_minutes": ""})
    changed = again(tournament)
    assert (changed.rulebook, changed.appeal_minutes) == ("guide", 30)
    assert changed.rules.play.held_out_waits == rules_named("guide").play.held_out_waits


def test_a_fixed_setting_is_disabled_with_a_reason(client: Client) -> None:
    drawn = make_tournament(sessions=2)
    client.force_login(make_organiser(drawn))
    address = reverse("organiser_rules", args=[drawn.slug])
    form = client.get(address).context["form"]
    assert {name: field.help_text for name, field in form.fields.items() if field.disabled} == dict.fromkeys(
        ("rulebook", "foul_book", "chart", "held_out_waits"), "This is fixed once the seats are drawn."
    )
    client.post(address, TYPED)
    default = rules_named("mcr").play
    assert again(drawn).rules.play == replace(OWN, chart=default.chart, held_out_waits=default.held_out_waits)


def test_the_api_reads_and_changes_play_settings() -> None:
    tournament = make_tournament(players=8, drawn=False)
    program = client_of(make_organiser(tournament))
    address = f"/api/v1/tournaments/{tournament.slug}/play-settings/"
    settings = OWN.to_json()
    assert settings["scale"] == [5, 3, 1, 0]
    assert program.put(address, settings).json() == settings | {"fixed": {}}
    assert Program().get(address).json() == settings | {"fixed": {}}
    wrong = program.put(address, settings | {"chart": "spiral", "criteria": ["height"], "warning": "soon"})
    assert {problem["where"].split(".")[0] for problem in wrong.json()["problems"]} == {
        "chart",
        "criteria",
        "warning",
    }
    assert program.post(f"/api/v1/tournaments/{tournament.slug}/sessions/", {"seed": "x"}).status_code == 201
    fixed = program.get(address).json()["fixed"]
    assert fixed == dict.fromkeys(("chart", "held_out_waits"), "fixed_by_the_draw")
    refused = program.put(address, settings | {"chart": "appendix2"})
    assert [problem["where"] for problem in refused.json()["problems"]] == ["chart"]
