"""Making a tournament and changing its particulars."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import make_organiser, make_tournament, make_user
from tournament.access import Actor
from tournament.models import Role, Tournament

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
    make_tournament(players=0, name="Somebody else's")
    assert reverse("organiser_new") in olga.get(reverse("organiser_home")).text, "the way on of a first visit"
    response = olga.post(reverse("organiser_new"), GIVEN)
    made = Tournament.objects.get(name="Spring Open")
    assert response["Location"] == reverse("organiser_players", args=[made.slug])
    assert (made.sessions_planned, made.minutes, made.is_public) == (7, 110, True)
    membership = made.memberships.get()
    assert membership.role == Role.OWNER
    assert made.log.get().actor_name == Actor.of(membership.user).name
    page = olga.get(reverse("organiser_home")).text
    assert "Spring Open" in page
    assert "Somebody else" not in page, "my tournaments are those I organise"


def test_a_tournament_of_one_day_needs_no_last_day(olga: Client) -> None:
    """One called New does not hide behind a page."""
    olga.post(reverse("organiser_new"), GIVEN | {"ends_on": "", "name": "New"})
    made = Tournament.objects.get()
    assert made.starts_on == made.ends_on
    assert made.slug == "new-2"


def test_what_is_wrong_is_said_beside_the_field(olga: Client, subtests: pytest.Subtests) -> None:
    """Everything at once, and nothing typed is lost."""
    new = reverse("organiser_new")
    for field, value, sentence in (
        ("name", "", "Fill this in."),
        ("name", "x" * 121, "At most 120 characters"),
        ("starts_on", "14 November", "That is no date"),
        ("ends_on", "2026-11-13", "The last day comes before the first."),
        ("sessions_planned", "0", "At least 1."),
        ("sessions_planned", "many", "Only a whole number in digits"),
        ("minutes", "100000", "At most 600."),
        ("time_zone", "Middle/Earth", ""),
        ("rulebook", "riichi", "is not one of the choices"),
        ("rulebook", "botzone", "is not one of the choices"),
        ("rulebook", "china1998", "is not one of the choices"),
    ):
        with subtests.test(f"{field}: {value}"):
            response = olga.post(new, GIVEN | {field: value})
            assert response.status_code == 422
            assert sentence in " ".join(response.context["form"].errors[field])
    response = olga.post(new, GIVEN | {"name": "", "ends_on": "2026-11-13", "minutes": "x"})
    assert set(response.context["form"].errors) == {"name", "ends_on", "minutes"}
    assert 'value="Salle des fêtes"' in response.text
    assert not Tournament.objects.exists()


def change(client: Client, tournament: Tournament, **fields: str) -> Tournament:
    client.force_login(make_organiser(tournament, f"otto-{tournament.pk}"))
    client.post(reverse("organiser_particulars", args=[tournament.slug]), GIVEN | fields)
    return Tournament.objects.get(pk=tournament.pk)


def test_the_particulars_can_be_changed(client: Client) -> None:
    changed = change(client, make_tournament(players=0), name="Autumn Open", is_public="")
    assert (changed.name, changed.is_public) == ("Autumn Open", False)


def test_rules_and_sessions_stay_once_the_seats_are_drawn(client: Client) -> None:
    drawn = make_tournament(sessions=2)
    fields = {"rulebook": "mwt", "sessions_planned": "9", "held_out_waits": "no"}
    changed = change(client, drawn, name="Autumn Open", **fields)
    assert (changed.name, changed.rulebook, changed.sessions_planned) == ("Autumn Open", "mcr", 2)
    assert changed.rules_snapshot == drawn.rules_snapshot


def test_the_form_offers_rulebooks_with_fans_and_fouls_and_time_zones_and_has_hints(olga: Client) -> None:
    page = olga.get(reverse("organiser_new"))
    fields = page.context["form"].fields
    rulebooks = [("mcr", "MCR"), ("mwt", "MCR to the letter"), ("guide", "Guide to Mahjong")]
    assert list(fields["rulebook"].choices) == rulebooks
    assert 'list="zones"' in page.text
    assert '<option value="Asia/Shanghai">' in page.text
    assert [name for name, field in fields.items() if not field.help_text] == []


def test_whether_a_held_out_tile_is_a_wait_is_the_rulebooks_or_chosen(olga: Client) -> None:
    for number, (rulebook, chosen, counted) in enumerate(
        [
            ("mcr", "", True),
            ("mwt", "", False),
            ("guide", "", False),
            ("mcr", "no", False),
            ("mwt", "yes", True),
        ]
    ):
        wish = {"name": f"Open {number}", "rulebook": rulebook, "held_out_waits": chosen}
        olga.post(reverse("organiser_new"), GIVEN | wish)
        made = Tournament.objects.get(name=f"Open {number}")
        assert made.held_out_waits is counted, (rulebook, chosen)
        form = olga.get(reverse("organiser_particulars", args=[made.slug])).context["form"]
        assert form["held_out_waits"].value() == chosen, (rulebook, chosen)


def test_before_the_draw_the_choice_can_be_changed_and_given_back_to_the_rulebook(client: Client) -> None:
    """The tournament's page says what is played."""
    made = make_tournament(players=0)
    client.force_login(make_organiser(made))
    settings = reverse("organiser_particulars", args=[made.slug])
    for chosen, counted, sentence in (("no", False, "is no wait"), ("", True, "counts as a wait")):
        client.post(settings, GIVEN | {"held_out_waits": chosen})
        made.refresh_from_db()
        assert made.held_out_waits is counted
        page = client.get(reverse("tournament", args=[made.slug])).text
        assert f"a tile whose four copies one holds oneself {sentence}" in page


def test_every_setting_is_one_press_from_settings_with_a_sentence_and_leads_back(client: Client) -> None:
    made = make_tournament(players=8)
    client.force_login(make_organiser(made))
    settings = reverse("organiser_settings", args=[made.slug])
    page = client.get(settings).text.split("<main")[1]
    entries = re.findall(r'<li>\s*<a href="([^"]+)">\s*<b>([^<]+)</b>\s*<small>([^<]+)</small>', page)
    assert len(entries) == 17
    pages = {url: client.get(url) for url, _title, _text in entries}
    assert {response.status_code for response in pages.values()} == {200}
    names = ("particulars", "timetable", "attendance", "staff", "fouls", "screens", "delete")
    urls = {name: reverse(f"organiser_{name}", args=[made.slug]) for name in names}
    assert {url.split("#")[0] for url in pages} >= set(urls.values())
    anchored = [url for url in pages if "#" in url]
    assert anchored
    assert all(f'id="{url.split("#")[1]}"' in pages[url].text for url in anchored)
    for name in set(names) - {"screens"}:
        head = client.get(urls[name]).text.split("page-head")[1].split("<h1>")[0]
        assert settings in head, name
