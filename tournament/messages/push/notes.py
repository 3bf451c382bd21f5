"""What a player's phone says, in the language of the moment."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.texts import joined
from tournament.base.models.people import Player
from tournament.base.models.play import Wind
from tournament.messages.announcements.models import Announcement
from tournament.play.selectors.situations import Out, Seated, Situation
from tournament.web.texts.days import when
from tournament.web.texts.places import tables_text

SEAT = "seat"
"""The subject under which a newer message takes the place of an older one."""


@dataclass(frozen=True)
class Note:
    """A message as the phone shows it, and the page that a tap on it opens."""

    title: str
    body: str
    path: str
    subject: str


def situation_note(
    player: Player, situation: Situation, *, gong: bool = False, unstarted: bool = False
) -> Note:
    """`gong`: the session begins this moment; `unstarted`: its start has just been taken back."""
    if isinstance(situation, Out):
        return _out(player, situation)
    return _seated(player, situation, gong, unstarted)


def announcement_note(player: Player, announcement: Announcement) -> Note:
    said = announcement.text_in(get_language() or "")
    title = str(player.tournament)
    if announcement.tables:
        title = _("{tournament}, {tables}").format(tournament=title, tables=tables_text(announcement.tables))
    return Note(title, said, player_path(player), f"said-{announcement.pk}")


def welcome_note(player: Player, situation: Situation | None) -> Note:
    """The first message, which shows that messages arrive: the player's situation if there is one."""
    if situation is not None:
        return situation_note(player, situation)
    body = _("This phone is told your seats, when sessions begin, and announcements.")
    return Note(str(player.tournament), body, player_path(player), SEAT)


def player_path(player: Player) -> str:
    return reverse("player_page", args=[player.tournament.slug, player.number])


def _seated(player: Player, seated: Seated, gong: bool, unstarted: bool) -> Note:
    place = {
        "session": seated.session.number,
        "table": seated.seat.table.number,
        "wind": Wind(seated.seat.wind).label,
    }
    names = joined(other.name for other in seated.others)
    if seated.begins:
        title = (
            _("Session {session} begins: table {table}, {wind}")
            if gong
            else _("Session {session}: table {table}, {wind}")
        )
        path = reverse("table_page", args=[player.tournament.slug, place["session"], place["table"]])
        return Note(title.format(**place), _("With {names}").format(names=names), path, SEAT)
    title = (
        _("Not begun after all, session {session}: table {table}, {wind}")
        if unstarted
        else _("Next, session {session}: table {table}, {wind}")
    ).format(**place)
    at = when(seated.entry.starts_at, player.tournament) if seated.entry else ""
    body = _("{time}, with {names}") if at else _("With {names}")
    return Note(title, body.format(time=at, names=names), player_path(player), SEAT)


def _out(player: Player, out: Out) -> Note:
    facts = {"session": out.final.after_session, "rank": out.rank}
    body = _("Rank {rank} after session {session}.").format(**facts) if out.rank else str(player.tournament)
    path = reverse("ranking", args=[player.tournament.slug])
    return Note(_("The finals are set, without you"), body, path, SEAT)
