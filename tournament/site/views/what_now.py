"""The bar on every page of an organiser: the one thing to do now, with its button."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from tournament.base.models.tournament import Tournament
from tournament.site.selectors.next_step import Step, Way, next_step
from tournament.site.texts.next_step import Told, told


@dataclass(frozen=True)
class Bar:
    """A step as pages show it. `also_url`: of the second way, "" without one."""

    step: Step
    told: Told
    url: str
    page: str
    """The page on which it can be done: what is done by a press, on the board."""
    also_url: str
    is_here: bool
    """Whether the step is done on the page looked at: its own button does it, and the bar needs none."""

    @property
    def until(self) -> datetime | None:
        return self.step.until


def bar_of(tournament: Tournament, path: str = "") -> Bar:
    """`path`: of the page that shows it."""
    step = next_step(tournament)
    url = _url(tournament, step.way)
    return Bar(
        step=step,
        told=told(step.code.value, step.params, tournament),
        url=url,
        page=reverse("organiser_board", args=[tournament.slug]) if step.is_pressed else url,
        also_url=_url(tournament, step.also) if step.also else "",
        is_here=any(not way.anchor and path.startswith(_url(tournament, way)) for way in step.ways),
    )


def bar_section(tournament: Tournament, path: str) -> dict[str, Bar]:
    """For the frame of organisers' pages."""
    return {"bar": bar_of(tournament, path)}


def _url(tournament: Tournament, way: Way) -> str:
    url = reverse(way.address, args=[tournament.slug, *way.where])
    return f"{url}#{way.anchor}" if way.anchor else url
