"""Cards of the organiser's board, cached by content, and the bar with the next step."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache, partial
from typing import NamedTuple

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from tournament.base.models.tournament import Tournament
from tournament.play.selectors.organiser import Card
from tournament.play.selectors.tables import SeatNow
from tournament.site.selectors.next_step import Link, Step, next_step
from tournament.site.selectors.preparing import marks_of
from tournament.site.texts.next_step import StepText, step_text

MAX_CACHED_CARDS = 2_000
"""2 to 3 KB each: all tables of several halls in two languages."""


def render_card(card: Card, slug: str, *, at_desk: bool = True, behind: int = 0) -> SafeString:
    """Render a card in the active language. `behind`: minutes behind the clock, if it needs attention."""
    return _render_card(card_data(card, slug, at_desk=at_desk, behind=behind), get_language() or "")


@lru_cache(maxsize=MAX_CACHED_CARDS)
def _render_card(card: CardData, language: str) -> SafeString:
    return mark_safe(render_to_string("site/_board_card.html", {"card": card}))


class CardData(NamedTuple):
    """Everything that a card shows, and so the key of its cache.

    After each hand a board of a hundred tables is rendered, and ninety-nine of its cards have not changed.
    """

    slug: str
    at_desk: bool
    """Whether it links to the desk; else to the public page."""
    session: int
    number: int
    version: int
    state: str
    hand_number: int
    hands_played: int
    on_paper: bool
    behind: int
    extra_minutes: int
    signed: int
    is_signed_by_any: bool
    appeals: tuple[CardAppeal, ...]
    pending_hands: tuple[int, ...]
    seats: tuple[CardSeat, ...]


def card_data(card: Card, slug: str, *, at_desk: bool = True, behind: int = 0) -> CardData:
    now, table = card.now, card.now.table
    return CardData(
        slug=slug,
        at_desk=at_desk,
        session=table.session.number,
        number=table.number,
        version=table.version,
        state=card.state.value,
        hand_number=now.hand_number,
        hands_played=table.hands_played,
        on_paper=table.is_on_paper,
        behind=behind,
        extra_minutes=table.extra_minutes,
        signed=len(now.signed),
        is_signed_by_any=bool(now.signatures),
        appeals=tuple(CardAppeal(appeal.is_pending, appeal.hand_number) for appeal in now.open_appeals),
        pending_hands=now.pending_hands,
        seats=tuple(_card_seat(seat) for seat in now.seats),
    )


class CardSeat(NamedTuple):
    """A player in a card's list. `player` has what the player's tags need; `number`: of a namesake, in brackets."""

    name: str
    number: str
    player: Tags
    stand_in: str
    is_empty: bool
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
    number = f"({player.number})" if player.has_namesake else ""
    return CardSeat(player.full_name, number, tags, seat.stand_in, seat.is_empty, seat.start_wind, seat.score)


@dataclass(frozen=True)
class Bar:
    """A step as pages show it. `also_url`: of the additional link, or ""."""

    step: Step
    texts: StepText
    url: str
    also_url: str
    is_here: bool
    """Whether the step is done on this page, so that the bar needs no button."""

    @property
    def until(self) -> datetime | None:
        return self.step.until


def next_step_bar(tournament: Tournament, path: str = "") -> Bar:
    """Return the bar of a tournament; `path` is that of the page."""
    step = next_step(tournament)
    url = _url_of(tournament, step.link)
    also_url = _url_of(tournament, step.also) if step.also else ""
    return Bar(
        step=step,
        texts=step_text(step.code.value, step.params, tournament),
        url=url,
        also_url="" if also_url == path else also_url,
        is_here=any(_is_done_on(path, link, _url_of(tournament, link)) for link in step.links),
    )


def _is_done_on(path: str, link: Link, url: str) -> bool:
    """Return whether a page is where a link leads, or below it; the page of a person is below the list of people."""
    return not link.anchor and (path == url if link.url_name == "organiser_people" else path.startswith(url))


def bar_section(tournament: Tournament, path: str) -> dict[str, object]:
    """Return the context of organiser's pages: the bar, and the marks of the navigation."""
    return {"bar": next_step_bar(tournament, path), "marks": SimpleLazyObject(partial(marks_of, tournament))}


def _url_of(tournament: Tournament, link: Link) -> str:
    url = reverse(link.url_name, args=[tournament.slug, *link.args])
    return f"{url}#{link.anchor}" if link.anchor else url
