"""The texts of log entries about players, and what tells them apart."""

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.texts import joined, joined_parts
from tournament.base.access import Right
from tournament.base.countries import country_name
from tournament.base.engine.notices import Topic
from tournament.base.log_actions import Data, LogAction
from tournament.base.models.people import Player
from tournament.base.models.registration import Registration
from tournament.web.sections import register_section
from tournament.web.texts.log import MAX_NAMES, LogWords, sentences


def _checked_in(words: LogWords, data: Data) -> str:
    by = data.get("by") == "themselves"
    return words.fill(_("{player} checked in at the door.") if by else _("{player} is checked in."), data)


def _checked_in_several(words: LogWords, data: Data) -> str:
    n = len(data["players"])
    text = ngettext("{n} player is checked in: {names}", "{n} players are checked in: {names}", n)
    return text.format(n=n, names=words.first_players(data["players"]))


def _check_in_restarted(words: LogWords, data: Data) -> str:
    n = len(data["players"])
    text = ngettext(
        "Check-in restarted; {n} player had checked in.", "Check-in restarted; {n} players had checked in.", n
    )
    return text.format(n=n)


def _check_in_set(words: LogWords, data: Data) -> str:
    if data["ends_at"]:
        at = timezone.localtime(datetime.fromisoformat(data["ends_at"]))
        until = _("Check-in closes at {at}.").format(at=date_format(at, "SHORT_DATETIME_FORMAT"))
    else:
        until = _("Check-in closes a quarter of an hour before the first session.")
    themselves = gettext_lazy("Players check themselves in with the door code.")
    desk = gettext_lazy("Players are checked in at the desk.")
    return sentences(until, str(themselves if data["by_themselves"] else desk))


def _missing_withdrawn(words: LogWords, data: Data) -> str:
    n = len(data["players"])
    text = ngettext(
        "{n} player did not come and was withdrawn: {names}",
        "{n} players did not come and were withdrawn: {names}",
        n,
    )
    return text.format(n=n, names=words.first_players(data["players"]))


def _missing_readmitted(words: LogWords, data: Data) -> str:
    n = len(data["players"])
    text = ngettext(
        "Withdrawal undone for {n} player: {names}", "Withdrawal undone for {n} players: {names}", n
    )
    return text.format(n=n, names=words.first_players(data["players"]))


def _player_deleted(words: LogWords, data: Data) -> str:
    return words.fill(gettext_lazy("Deleted: player number {player}."), data, player=data["player"])


def _players_added(words: LogWords, data: Data) -> str:
    people = data["players"]
    numbers = set(data.get("substitutes", ()))
    if substitutes := [number for number in people if number in numbers]:
        return gettext_lazy("Substitutes, not ranked: {names}.").format(
            names=joined(map(words.player, substitutes))
        )
    names = joined(map(words.player, people[:MAX_NAMES]))
    if len(people) > MAX_NAMES:
        return gettext_lazy("Players entered: {n} ({names} …).").format(n=len(people), names=names)
    return gettext_lazy("Entered: {names}.").format(names=names)


def _list_entered(words: LogWords, data: Data) -> str:
    changed = words.first_players([change["player"] for change in data["changed"]])
    left = words.first_players(data.get("left", ()))
    return sentences(
        _players_added(words, data) if data["players"] else "",
        gettext_lazy("Changed by a list: {names}.").format(names=changed) if changed else "",
        gettext_lazy("Withdrawn, not in the list: {names}.").format(names=left) if left else "",
    )


def _list_undone(words: LogWords, data: Data) -> str:
    restored = words.first_players([*data["restored"], *data["back"]])
    removed = joined(map(str, data["removed"]))
    return sentences(
        words.fill(gettext_lazy("Import undone (entry {step})."), data, step=data["step"]),
        gettext_lazy("Restored: {names}.").format(names=restored) if restored else "",
        gettext_lazy("Removed, by number: {numbers}.").format(numbers=removed) if removed else "",
    )


def _player_changed(words: LogWords, data: Data) -> str:
    number = data["player"]
    text = gettext_lazy("Player {number} changed: {name}.").format(number=number, name=words.player(number))
    return sentences(text, _ranked_or_not(data))


PLAYER_CHECKED_IN = LogAction("checked_in", _checked_in, topics=(Topic.CHECK_IN,))
CHECK_IN_UNDONE = LogAction(
    "check_in_taken_back", gettext_lazy("Check-in undone: {player}."), topics=(Topic.CHECK_IN,)
)
PLAYERS_CHECKED_IN = LogAction("checked_in_several", _checked_in_several, topics=(Topic.CHECK_IN,))
CHECK_IN_RESTARTED = LogAction("check_in_restarted", _check_in_restarted, topics=(Topic.CHECK_IN,))
CHECK_IN_SET = LogAction("check_in_set", _check_in_set, topics=(Topic.CHECK_IN, Topic.DOOR))
MISSING_PLAYERS_WITHDRAWN = LogAction("missing_withdrawn", _missing_withdrawn)
MISSING_PLAYERS_REINSTATED = LogAction("missing_readmitted", _missing_readmitted)
PLAYER_WITHDRAWN = LogAction("player_withdrawn", gettext_lazy("{player} withdrew."))
PLAYER_REINSTATED = LogAction("player_readmitted", gettext_lazy("{player} plays again."))
PLAYER_DELETED = LogAction("player_deleted", _player_deleted)
PLAYERS_ADDED = LogAction("players_added", _players_added)
PLAYER_LIST_IMPORTED = LogAction("list_entered", _list_entered)
PLAYER_LIST_UNDONE = LogAction("list_undone", _list_undone)
PLAYER_CHANGED = LogAction("player_changed", _player_changed)


def _ranked_or_not(data: Data) -> str:
    """Say whether a change made the player ranked or not; "" if it did neither."""
    if "substitute" not in data:
        return ""
    return str(
        gettext_lazy("No longer ranked: a substitute.")
        if data["substitute"]
        else gettext_lazy("Ranked from now on.")
    )


def described(person: Player | Registration) -> str:
    """Return what tells a person of a tournament apart: "Jürgen Müller, Germany, player no. 10"."""
    parts = (person.full_name, country_name(person.country), _number_text(person))
    return joined_parts(part for part in parts if part)


def _number_text(person: Player | Registration) -> str:
    """Return "player no. 10" or "registration no. 7"; of a row that is not stored yet, that it is one."""
    if person.number is None:
        return _("in another row")
    text = _("player no. {n}") if isinstance(person, Player) else _("registration no. {n}")
    return text.format(n=person.number)


register_section(
    "check_in",
    "play",
    10,
    gettext_lazy("Arrivals"),
    "organiser_check_in",
    Right.ADMIT,
    help="organisers/check-in/",
)
