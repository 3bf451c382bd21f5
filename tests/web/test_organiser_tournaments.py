"""Making a tournament and changing its particulars."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import make_organiser, make_tournament, make_user
from tournament.access import Actor
from tournament.models import Role, Tournament

pytestmark = pytest.mark.django_db

GIVEN = {
    "name": "Spring Open",
    "venue": "Salle des fêtes",
    "starts_on": "2026-11-14",
    "ends_on": "2026-11-15",
    "sessions_planned": "7",
    "minutes": "110",
    "time_zone": "Europe/Paris",
    "rulebook": "mcr",
    "is_public": "on",
}


@pytest.fixture
def olga(client: Client) -> Client:
    client.force_login(make_user(staff=True))
    return client


def test_a_tournament_is_made_in_one_form(olga: Client) -> None:
    answer = olga.post(reverse("organiser_new"), GIVEN)
    made = Tournament.objects.get()
    assert answer["Location"] == reverse("organiser_players", args=[made.slug])
    assert (made.name, made.sessions_planned, made.minutes, made.is_public) == ("Spring Open", 7, 110, True)
    assert made.memberships.get().role == Role.OWNER


def test_a_tournament_of_one_day_needs_no_last_day(olga: Client) -> None:
    olga.post(reverse("organiser_new"), GIVEN | {"ends_on": ""})
    made = Tournament.objects.get()
    assert made.starts_on == made.ends_on


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("name", "", "Fill this in."),
        ("name", "x" * 121, "At most 120 characters"),
        ("starts_on", "14 November", "That is no date"),
        ("ends_on", "2026-11-13", "The last day comes before the first."),
        ("sessions_planned", "0", "At least 1."),
        ("sessions_planned", "many", "Only a whole number in digits"),
        ("minutes", "100000", "At most 600."),
        ("rulebook", "riichi", "is not one of the choices"),
    ],
)
def test_what_is_wrong_is_said_beside_the_field(olga: Client, field: str, value: str, sentence: str) -> None:
    answer = olga.post(reverse("organiser_new"), GIVEN | {field: value})
    assert answer.status_code == 422
    assert sentence in " ".join(answer.context["form"].errors[field])
    assert not Tournament.objects.exists()


def test_everything_wrong_is_said_at_once_and_nothing_typed_is_lost(olga: Client) -> None:
    answer = olga.post(
        reverse("organiser_new"), GIVEN | {"name": "", "ends_on": "2026-11-13", "minutes": "x"}
    )
    assert set(answer.context["form"].errors) == {"name", "ends_on", "minutes"}
    assert 'value="Salle des fêtes"' in answer.text


def test_my_tournaments_are_those_i_organise(olga: Client) -> None:
    make_tournament(players=0, name="Somebody else's")
    olga.post(reverse("organiser_new"), GIVEN)
    page = olga.get(reverse("organiser_home")).text
    assert "Spring Open" in page
    assert "Somebody else" not in page


def test_the_first_page_of_a_new_organiser_shows_the_way_on(olga: Client) -> None:
    assert reverse("organiser_new") in olga.get(reverse("organiser_home")).text


def test_a_tournament_called_new_does_not_hide_behind_a_page(olga: Client) -> None:
    olga.post(reverse("organiser_new"), GIVEN | {"name": "New"})
    assert Tournament.objects.get().slug == "new-2"


def test_the_particulars_can_be_changed(client: Client) -> None:
    made = make_tournament(players=0)
    client.force_login(make_organiser(made))
    client.post(
        reverse("organiser_particulars", args=[made.slug]), GIVEN | {"name": "Autumn Open", "is_public": ""}
    )
    made.refresh_from_db()
    assert (made.name, made.is_public) == ("Autumn Open", False)


def test_rulebook_and_sessions_stay_once_the_seats_are_drawn(client: Client) -> None:
    made = make_tournament(sessions=2)
    client.force_login(make_organiser(made))
    changed = GIVEN | {"name": "Autumn Open", "rulebook": "mwt", "sessions_planned": "9"}
    client.post(reverse("organiser_particulars", args=[made.slug]), changed)
    made.refresh_from_db()
    assert (made.name, made.rulebook, made.sessions_planned) == ("Autumn Open", "mcr", 2)


def offered(olga: Client) -> list[tuple[str, str]]:
    return list(olga.get(reverse("organiser_new")).context["form"].fields["rulebook"].choices)


def test_the_rulebooks_offered_are_those_with_fans_and_fouls_by_their_one_name(olga: Client) -> None:
    assert offered(olga) == [
        ("mcr", "MCR"),
        ("mwt", "MCR to the letter"),
        ("guide", "Guide to Mahjong"),
    ]


@pytest.mark.parametrize("rulebook", ["botzone", "china1998"])
def test_what_cannot_be_played_is_not_offered_nor_taken(olga: Client, rulebook: str) -> None:
    answer = olga.post(reverse("organiser_new"), GIVEN | {"rulebook": rulebook})
    assert answer.status_code == 422
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("rulebook", "chosen", "counted"),
    [("mcr", "", True), ("mwt", "", False), ("guide", "", False), ("mcr", "no", False), ("mwt", "yes", True)],
)
def test_whether_a_held_out_tile_is_a_wait_is_the_rulebooks_or_chosen(
    olga: Client, rulebook: str, chosen: str, counted: bool
) -> None:
    olga.post(reverse("organiser_new"), GIVEN | {"rulebook": rulebook, "held_out_waits": chosen})
    made = Tournament.objects.get()
    assert made.held_out_waits is counted
    page = olga.get(reverse("organiser_particulars", args=[made.slug]))
    assert page.context["form"]["held_out_waits"].value() == chosen


def test_before_the_draw_the_choice_can_be_changed_and_given_back_to_the_rulebook(client: Client) -> None:
    made = make_tournament(players=0)
    client.force_login(make_organiser(made))
    settings = reverse("organiser_particulars", args=[made.slug])
    found = []
    for chosen in ("no", ""):
        client.post(settings, GIVEN | {"held_out_waits": chosen})
        made.refresh_from_db()
        found.append(made.held_out_waits)
    assert found == [False, True]


def test_after_the_draw_the_choice_stays(client: Client) -> None:
    made = make_tournament(sessions=2)
    client.force_login(make_organiser(made))
    before = made.rules_snapshot
    client.post(
        reverse("organiser_particulars", args=[made.slug]), GIVEN | {"name": "Autumn", "held_out_waits": "no"}
    )
    made.refresh_from_db()
    assert (made.name, made.rules_snapshot) == ("Autumn", before)


@pytest.mark.parametrize(("chosen", "sentence"), [("", "counts as a wait"), ("no", "is no wait")])
def test_the_tournaments_page_says_what_is_played(olga: Client, chosen: str, sentence: str) -> None:
    olga.post(reverse("organiser_new"), GIVEN | {"held_out_waits": chosen})
    page = olga.get(reverse("tournament", args=[Tournament.objects.get().slug])).text
    assert f"a tile whose four copies one holds oneself {sentence}" in page


def test_the_log_names_the_maker(olga: Client) -> None:
    olga.post(reverse("organiser_new"), GIVEN)
    made = Tournament.objects.get()
    assert made.log.get().actor_name == Actor.of(made.memberships.get().user).name


def test_a_time_zone_is_searched_for_in_a_list_and_only_one_of_it_is_taken(client: Client) -> None:
    client.force_login(make_user(staff=True))
    address = reverse("organiser_new")
    page = client.get(address).text
    assert 'list="zones"' in page
    assert '<option value="Asia/Shanghai">' in page
    answer = client.post(address, {"name": "Open", "time_zone": "Middle/Earth"})
    assert "time_zone" in answer.context["form"].errors


def test_every_setting_is_one_press_from_settings_with_a_sentence(client: Client) -> None:
    made = make_tournament(players=8)
    client.force_login(make_organiser(made))
    page = client.get(reverse("organiser_settings", args=[made.slug])).text.split("<main")[1]
    entries = re.findall(r'<li>\s*<a href="([^"]+)">\s*<b>([^<]+)</b>\s*<small>([^<]+)</small>', page)
    assert len(entries) == 17
    assert all(client.get(url).status_code == 200 for url, _title, _text in entries)
    assert {url.split("#")[0] for url, _title, _text in entries} >= {
        reverse(f"organiser_{name}", args=[made.slug])
        for name in ("particulars", "timetable", "attendance", "staff", "fouls", "screens", "delete")
    }
    anchored = [url.split("#") for url, _title, _text in entries if "#" in url]
    assert anchored
    assert all(f'id="{anchor}"' in client.get(url).text for url, anchor in anchored)


@pytest.mark.parametrize("name", ["timetable", "staff", "fouls", "particulars", "attendance", "delete"])
def test_what_belongs_to_the_settings_leads_back_to_them(client: Client, name: str) -> None:
    made = make_tournament(players=8)
    client.force_login(make_organiser(made))
    head = (
        client.get(reverse(f"organiser_{name}", args=[made.slug])).text.split("page-head")[1].split("<h1>")[0]
    )
    assert reverse("organiser_settings", args=[made.slug]) in head


def test_every_field_of_a_new_tournament_has_a_hint(olga: Client) -> None:
    form = olga.get(reverse("organiser_new")).context["form"]
    assert [name for name, field in form.fields.items() if not field.help_text] == []
