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

pytestmark = pytest.mark.django_db


@pytest.fixture
def held() -> Tournament:
    made = make_tournament(players=8, sessions=1, played=1)
    made.players.filter(number=1).update(country="FRA")
    made.players.filter(number__gt=1).update(country="CHN")
    made.players.filter(number=8).update(country="")
    return made


def test_the_sheet_has_the_flags_of_those_who_play(held: Tournament) -> None:
    assert flag_sheet(held).codes == ("cn", "fr")
    answer = Client().get(flag_sheet(held).address)
    assert answer["Content-Type"] == "image/svg+xml"
    assert "immutable" in answer["Cache-Control"]
    views = re.findall(r'<view id="(\w+)" viewBox="([^"]+)"', answer.content.decode())
    assert views == [("cn", "0 0 640 480"), ("fr", "0 480 640 480")]


def test_lists_show_it_and_a_page_about_one_shows_one_flag(held: Tournament) -> None:
    for address in ("/t/spring-open/ranking/", "/t/spring-open/players/"):
        html = Client().get(address).content.decode()
        assert html.count(f'src="{flag_sheet(held).address}#cn"') == 6
        assert "vendor/flags/" not in html
    assert "vendor/flags/fr.svg" in Client().get("/t/spring-open/players/1/").content.decode()


def test_an_older_page_s_sheet_is_the_newest_for_now(held: Tournament) -> None:
    old = flag_sheet(held).address
    held.players.filter(number=8).update(country="DEU")
    Tournament.objects.update(version=held.version + 1)
    held.refresh_from_db()
    assert flag_sheet(held).address != old
    answer = Client().get(old)
    assert answer["Cache-Control"] == "private, no-cache"
    assert b'id="de"' in answer.content


def test_every_flag_can_stand_beside_every_other() -> None:
    """What a flag is made of is named so that no two names meet; an SVG without players is one, too."""
    codes = sorted(path.stem for path in Path(settings.BASE_DIR, "static/vendor/flags").glob("*.svg"))
    names = [one.attrib["id"] for one in ET.fromstring(drawn(tuple(codes))).iter() if "id" in one.attrib]
    assert len(codes) > 240
    assert len(names) == len(set(names))
    ET.fromstring(drawn(()))
