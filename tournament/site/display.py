"""The cards of the organiser's board, each drawn once for what it says, and the bar that says what to do next."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from tournament.base.models.tournament import Tournament
from tournament.play.selectors.organiser import Card
from tournament.play.selectors.tables import SeatNow
from tournament.site.selectors.next_step import Step, Way, next_step
from tournament.site.texts.next_step import Told, told

MOST_KEPT_CARDS = 2_000
"""Cards, 2 to 3 KB each: all tables of several halls in two languages."""


def drawn(card: Card, slug: str, *, at_desk: bool = True) -> SafeString:
    """The card in the language of the request."""
    return _drawn_once(figures(card, slug, at_desk=at_desk), get_language() or "")


@lru_cache(maxsize=MOST_KEPT_CARDS)
def _drawn_once(card: Figures, language: str) -> SafeString:
    return mark_safe(render_to_string("site/_board_card.html", {"card": card}))


class Figures(NamedTuple):
    """All that a card shows, and so all that it can change with.

    A board of a hundred tables is asked for after every hand, and ninety-nine of its cards say what they said before.
    """

    slug: str
    at_desk: bool
    """Whether it leads to the desk, for who writes there; else to the page that everybody sees."""
    session: int
    number: int
    version: int
    state: str
    hand_number: int
    hands_played: int
    on_paper: bool
    extra_minutes: int
    signed: int
    is_signed_by_any: bool
    appeals: tuple[CardAppeal, ...]
    seats: tuple[CardSeat, ...]


def figures(card: Card, slug: str, *, at_desk: bool = True) -> Figures:
    now, table = card.now, card.now.table
    return Figures(
        slug=slug,
        at_desk=at_desk,
        session=table.session.number,
        number=table.number,
        version=table.version,
        state=card.state.value,
        hand_number=now.hand_number,
        hands_played=table.hands_played,
        on_paper=table.is_on_paper,
        extra_minutes=table.extra_minutes,
        signed=len(now.signed),
        is_signed_by_any=bool(now.signatures),
        appeals=tuple(CardAppeal(appeal.is_pending, appeal.hand_number) for appeal in now.open_appeals),
        seats=tuple(_card_seat(seat) for seat in now.seats),
    )


class CardSeat(NamedTuple):
    """A player in a card's list. `player`: what the tags beside a name are asked of."""

    name: str
    player: Tags
    stand_in: str
    start_wind: str
    score: int | None


class Tags(NamedTuple):
    excluded_as: str
    get_excluded_as_display: str
    is_withdrawn: bool
    is_substitute: bool


class CardAppeal(NamedTuple):
    is_pending: bool
    hand_number: int | None


def _card_seat(seat: SeatNow) -> CardSeat:
    player = seat.player
    tags = Tags(
        player.excluded_as,
        player.get_excluded_as_display(),
        player.is_withdrawn,
        player.is_substitute,
    )
    return CardSeat(player.name, tags, seat.stand_in, seat.start_wind, seat.score)


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
    """Give the bar of a tournament; `path`: of the page that shows it."""
    step = next_step(tournament)
    url = _url_of(tournament, step.way)
    return Bar(
        step=step,
        told=told(step.code.value, step.params, tournament),
        url=url,
        page=reverse("organiser_board", args=[tournament.slug]) if step.is_pressed else url,
        also_url=_url_of(tournament, step.also) if step.also else "",
        is_here=any(not way.anchor and path.startswith(_url_of(tournament, way)) for way in step.ways),
    )


def bar_section(tournament: Tournament, path: str) -> dict[str, Bar]:
    """For the frame of organisers' pages."""
    return {"bar": bar_of(tournament, path)}


def _url_of(tournament: Tournament, way: Way) -> str:
    url = reverse(way.address, args=[tournament.slug, *way.where])
    return f"{url}#{way.anchor}" if way.anchor else url
