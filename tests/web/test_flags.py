"""Flags of a list come on one sheet, with those alone that somebody has."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.support.factories import make_tournament
from tournament.display.flags import drawn, flag_sheet
from tournament.models import Tournament


@pytest.fixture
def event() -> Tournament:
    tournament = make_tournament(players=8, sessions=1, played=1)
    for number, country in enumerate(["FRA", *["CHN"] * 6, ""], 1):
        tournament.players.filter(number=number).update(country=country)
    return tournament


def test_the_sheet_has_the_flags_of_those_who_play(event: Tournament) -> None:
    assert flag_sheet(event).codes == ("cn", "fr")
    response = Client().get(flag_sheet(event).address)
    assert response["Content-Type"] == "image/svg+xml"
    assert "immutable" in response["Cache-Control"]
    views = re.findall(r'<view id="(\w+)" viewBox="([^"]+)"', response.content.decode())
    assert views == [("cn", "0 0 640 480"), ("fr", "0 480 640 480")]


def test_lists_show_it_and_a_page_about_one_shows_one_flag(event: Tournament) -> None:
    for address in ("/t/spring-open/ranking/", "/t/spring-open/players/"):
        html = Client().get(address).content.decode()
        assert html.count(f'src="{flag_sheet(event).address}#cn"') == 6
        assert "vendor/flags/" not in html
    assert "vendor/flags/fr.svg" in Client().get("/t/spring-open/players/1/").content.decode()


def test_an_older_page_s_sheet_is_the_newest_for_now(event: Tournament) -> None:
    old = flag_sheet(event).address
    event.players.filter(number=8).update(country="DEU")
    Tournament.objects.update(version=event.version + 1)
    event.refresh_from_db()
    assert flag_sheet(event).address != old
    response = Client().get(old)
    assert response["Cache-Control"] == "private, no-cache"
    assert b'id="de"' in response.content


def test_every_flag_can_stand_beside_every_other() -> None:
    """What a flag is made of is named so that no two names meet; an SVG without players is one, too."""
    codes = sorted(path.stem for path in Path(settings.BASE_DIR, "static/vendor/flags").glob("*.svg"))
    sheet = ET.fromstring(drawn(tuple(codes)))
    names = [element.attrib["id"] for element in sheet.iter() if "id" in element.attrib]
    assert len(codes) > 240
    assert len(names) == len(set(names))
    ET.fromstring(drawn(()))
