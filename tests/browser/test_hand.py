"""The shortest way through the house: a hand tapped on a phone moves a ranking that somebody watches.

The evening and every edge of it are among the thorough tests.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PHONE, House
from tests.browser.test_evening import (
    open_table,
    open_the_ranking,
    points_of,
    record_self_drawn,
    scores_sum_to_zero,
    sign_in,
)

pytestmark = [pytest.mark.browser]

PASSWORD = "four-winds-blow"
A_RUNNING_SESSION = f"""
from django.contrib.auth.models import User
from tests.support.factories import make_tournament, make_umpire
tournament = make_tournament(players=8, sessions=1, running=0)
make_umpire(tournament, "uma")
umpire = User.objects.get(username="uma")
umpire.set_password("{PASSWORD}")
umpire.save()
seat = tournament.sessions.get().tables.get(number=1).seats.get(wind="E")
print(seat.player)
"""


@pytest.mark.thorough
def test_a_hand_on_a_phone_moves_the_ranking_that_somebody_watches(house: House, browser: Browser) -> None:
    east = house.place.run(A_RUNNING_SESSION).strip()
    with (
        house.open(browser, PHONE, has_touch=True, is_mobile=True) as umpire,
        house.open(browser) as player,
    ):
        sign_in(umpire.page, "uma", PASSWORD)
        open_table(umpire.page, 1)
        open_the_ranking(player.page)

        record_self_drawn(umpire.page, 1, east)

        expect(points_of(player.page, east)).to_have_text("102")
        assert player.page.evaluate("window.hereBefore"), "the ranking was reloaded"
        scores_sum_to_zero(umpire.page)
        assert umpire.faults == player.faults == []
