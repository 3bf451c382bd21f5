"""Where a page hears what is written after the version it shows."""

from __future__ import annotations

from django import template

from tournament.base.access import Audience
from tournament.base.models.tournament import Tournament
from tournament.live.addresses import stream_url

register = template.Library()


@register.simple_tag
def live_url(tournament: Tournament, audience: Audience = Audience.PUBLIC) -> str:
    """For a page of this audience; a screen in the hall is everybody's."""
    return stream_url(tournament, audience)


@register.simple_tag
def staff_live_url(tournament: Tournament) -> str:
    """For a page that only staff reads."""
    return stream_url(tournament, Audience.STAFF)
