"""An overlay over a video's picture: transparent around the card, and mended when a hand is written."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from tests.browser.conftest import DESKTOP, House

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

SEED = """
from tests.support.factories import make_tournament
make_tournament(players=8, sessions=1, running=1)
"""
ANOTHER = """
from tests.support.factories import SYSTEM, hand_entry, hand_uuid
from tournament.models import Table
from tournament.services.hands import record_hand
table = Table.objects.get(number=1)
record_hand(table, SYSTEM, hand_entry(table, 2), number=2, uuid=hand_uuid(table, 2))
"""


def test_only_the_card_covers_the_picture_and_it_follows_the_table(house: House, browser: Browser) -> None:
    house.place.run(SEED)
    with house.open(browser, DESKTOP) as window:
        page = window.page
        page.goto("/t/spring-open/overlay/table/1/")
        expect(page.locator(".over-head")).to_contain_text("Hand 2")
        opaque = Image.open(BytesIO(page.screenshot(omit_background=True))).getchannel("A")
        box = page.locator(".over-card").bounding_box()
        assert box is not None
        inside = (int(box["x"] + box["width"] / 2), int(box["y"] + 4))
        assert opaque.getpixel((opaque.width - 1, opaque.height - 1)) == 0
        assert opaque.getpixel(inside) == 255
        house.place.run(ANOTHER)
        expect(page.locator(".over-head")).to_contain_text("Hand 3")
