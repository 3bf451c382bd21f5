"""The slide that says who has not come yet, and how they say that they are there."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from tournament.base.access.own_address import own_address
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.public import overview
from tournament.players.selectors.check_in import check_in_ends
from tournament.players.selectors.door import door_code
from tournament.screens.engine.screens import Slide
from tournament.screens.selectors.screens import MISSING_A_PAGE, asks_to_check_in, missing_on_screen
from tournament.web.display.qr import qr_of
from tournament.web.texts.order import by_name


def missing_slide(tournament: Tournament, slide: Slide, request: HttpRequest) -> dict[str, Any]:
    """Drawn anew each time: the code at the door is another one every few minutes."""
    now = overview(tournament)
    missing = sorted(missing_on_screen(tournament, now), key=lambda player: by_name(player.name))
    context: dict[str, Any] = {
        "stage": now,
        "people": missing[(slide.page - 1) * MISSING_A_PAGE : slide.page * MISSING_A_PAGE],
        "missing": len(missing),
        "ends_at": check_in_ends(tournament),
    }
    if not asks_to_check_in(tournament):
        return context
    address, door = own_address(request) + reverse("check_in", args=[tournament.slug]), door_code(tournament)
    return context | {"address": address, "door": door, "code": qr_of(f"{address}?door={door.code}")}
