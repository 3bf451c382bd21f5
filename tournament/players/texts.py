"""The sentences of players: the log, and what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.texts import joined
from tournament.web.texts.log import Data, LogWords, rows, says, sentences

SHOWN = 5
"""So many names are written out."""


@says("checked_in")
def _checked_in(words: LogWords, data: Data) -> str:
    by = data.get("by") == "themselves"
    return words.fill(_("{player} checked in at the door.") if by else _("{player} is checked in."), data)


@says("check_in_taken_back")
def _check_in_taken_back(words: LogWords, data: Data) -> str:
    return words.fill(_("{player} is not checked in after all."), data)


@says("checked_in_several")
def _checked_in_several(words: LogWords, data: Data) -> str:
    n = len(data["players"])
    text = ngettext("{n} player is checked in: {names}", "{n} players are checked in: {names}", n)
    return text.format(n=n, names=_some_names(words, data["players"]))


def _some_names(words: LogWords, numbers: Sequence[int]) -> str:
    """Write the first of them out by name."""
    return joined(map(words.player, numbers[:SHOWN])) + (" …" if len(numbers) > SHOWN else "")


@says("check_in_restarted")
def _check_in_restarted(words: LogWords, data: Data) -> str:
    n = len(data["players"])
    text = ngettext(
        "Check-in begins anew; {n} player was there.", "Check-in begins anew; {n} players were there.", n
    )
    return text.format(n=n)


@says("check_in_set")
def _check_in_set(words: LogWords, data: Data) -> str:
    if data["ends_at"]:
        at = timezone.localtime(datetime.fromisoformat(data["ends_at"]))
        until = _("Everybody is to be there by {at}.").format(at=date_format(at, "SHORT_DATETIME_FORMAT"))
    else:
        until = _("Everybody is to be there a quarter of an hour before the first session.")
    themselves = gettext_lazy("People check themselves in with the door’s code.")
    desk = gettext_lazy("People are checked in at the desk.")
    return sentences(until, str(themselves if data["by_themselves"] else desk))


@says("missing_withdrawn")
def _missing_withdrawn(words: LogWords, data: Data) -> str:
    n = len(data["players"])
    text = ngettext(
        "{n} player did not come and is withdrawn: {names}",
        "{n} players did not come and are withdrawn: {names}",
        n,
    )
    return text.format(n=n, names=_some_names(words, data["players"]))


@says("missing_readmitted")
def _missing_readmitted(words: LogWords, data: Data) -> str:
    n = len(data["players"])
    text = ngettext("{n} player plays after all: {names}", "{n} players play after all: {names}", n)
    return text.format(n=n, names=_some_names(words, data["players"]))


rows(
    {
        "player_withdrawn": gettext_lazy("{player} withdrew."),
        "player_readmitted": gettext_lazy("{player} plays again."),
    }
)


@says("player_deleted")
def _player_deleted(words: LogWords, data: Data) -> str:
    return words.fill(gettext_lazy("Deleted: player number {player}."), data, player=data["player"])


@says("stand_in_named")
def _stand_in_named(words: LogWords, data: Data) -> str:
    return words.fill(gettext_lazy("{name} plays for {player}, {at}."), data, name=data["stand_in"])


@says("players_added")
def _players_added(words: LogWords, data: Data) -> str:
    people = data["players"]
    numbers = set(data.get("substitutes", ()))
    if substitutes := [number for number in people if number in numbers]:
        return gettext_lazy("Substitutes, not ranked: {names}.").format(
            names=joined(map(words.player, substitutes))
        )
    names = joined(map(words.player, people[:SHOWN]))
    if len(people) > SHOWN:
        return gettext_lazy("{n} players entered: {names} …").format(n=len(people), names=names)
    return gettext_lazy("Entered: {names}.").format(names=names)


@says("list_entered")
def _list_entered(words: LogWords, data: Data) -> str:
    changed = _some_names(words, [change["player"] for change in data["changed"]])
    left = _some_names(words, data.get("left", ()))
    return sentences(
        _players_added(words, data) if data["players"] else "",
        gettext_lazy("Changed by a list: {names}.").format(names=changed) if changed else "",
        gettext_lazy("Withdrawn, not in the list: {names}.").format(names=left) if left else "",
    )


@says("list_undone")
def _list_undone(words: LogWords, data: Data) -> str:
    restored = _some_names(words, [*data["restored"], *data["back"]])
    removed = joined(map(str, data["removed"]))
    return sentences(
        words.fill(gettext_lazy("Entry {step}, a list, taken back."), data, step=data["step"]),
        gettext_lazy("As before: {names}.").format(names=restored) if restored else "",
        gettext_lazy("Removed again, by number: {numbers}.").format(numbers=removed) if removed else "",
    )


@says("player_changed")
def _player_changed(words: LogWords, data: Data) -> str:
    number = data["player"]
    text = gettext_lazy("Player {number} changed: {name}.").format(number=number, name=words.player(number))
    return sentences(text, _ranked_or_not(data))


def _ranked_or_not(data: Data) -> str:
    """What the change of a player did to the ranking; "" when nothing."""
    if "substitute" not in data:
        return ""
    return str(
        gettext_lazy("Not ranked any more: a substitute.")
        if data["substitute"]
        else gettext_lazy("Ranked from now on.")
    )


CHECK_IN: dict[str, str | Promise] = {
    "withdrawn_not_checked_in": gettext_lazy(
        "{name} has withdrawn. An organiser lets them play again first."
    ),
    "nobody_to_check_in": gettext_lazy("Nobody with number {player} is expected."),
    "check_in_at_the_desk": gettext_lazy("People are checked in at the desk here."),
    "door_code_wrong": gettext_lazy(
        "This is not the code at the door. It changes every few minutes: look again."
    ),
    "door_code_guessed": gettext_lazy("Too many wrong codes came from this address. Ask at the desk."),
    "check_in_not_yours": gettext_lazy("It is too late to take this back here. Ask at the desk."),
    "no_player_chosen": gettext_lazy("Choose at least one player."),
    "missing_while_playing": gettext_lazy(
        "A session is being played: who is not at the table is for its umpire to note, or withdraws alone."
    ),
    "came_meanwhile": gettext_lazy("{name} has come or withdrawn meanwhile. Look at the list again."),
    "nobody_to_readmit": gettext_lazy("There is nobody to take back."),
}

SENTENCES: dict[str, str | Promise] = {
    "start_has_a_record": gettext_lazy(
        "A hand, a penalty or an appeal is on record at table {table}, so the session stays begun."
    ),
    "seat_is_vacant": gettext_lazy(
        "{name} has withdrawn and has a seat at table {table}. Plan again, with a substitute if need be, or name a "
        "stand-in."
    ),
    "stand_in_name_missing": gettext_lazy("Who stands in? Write the name."),
    "nobody_missing": gettext_lazy("Nobody is missing: every table is full."),
    "player_has_played": gettext_lazy(
        "{name} has sat at a table in a session that began, so the results stay. Who stops playing withdraws."
    ),
    "player_in_a_final": gettext_lazy("{name} plays in a final. Take the final back first."),
    "player_has_seats": gettext_lazy(
        "{name} has seats in sessions still to come. Withdraw the player and plan these sessions again; "
        "without a seat the player can be deleted."
    ),
    # signing in
    "name_tried_again_and_again": gettext_lazy(
        "Somebody tries this name again and again. Wait {seconds} seconds and try once more."
    ),
    "sign_in_closed": gettext_lazy(
        "Too many wrong passwords or codes came from this address. Signing in from here is closed for {minutes} "
        "minutes."
    ),
    "secret_tried_too_often": gettext_lazy("Too many attempts. Wait {minutes} minutes and try again."),
    "second_factor_code_wrong": gettext_lazy("This is not the code that the app shows now."),
    "guessed_too_often": gettext_lazy(
        "Too many wrong ones came from this address. Wait {seconds} seconds and try once more."
    ),
    # a tournament
    "name_not_repeated": gettext_lazy("This is not the name of the tournament: “{name}”."),
}
