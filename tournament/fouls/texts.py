"""Log sentences about penalties, the foul book, and who was missing."""

from __future__ import annotations

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext_lazy as _

from penalties.engine import Names, Sanction
from penalties.texts import sanction_text
from scoring.texts import joined
from tournament.base.engine.rules import Credit
from tournament.web.texts.log import Data, LogWords, rows, says, sentences, word
from tournament.web.texts.words import signed

rows(
    {
        "penalty_cancelled": _("Taken back: {foul}, {player}, {at}. Reason: {reason}"),
        "foul_changed": _("Foul changed: {foul}."),
        "foul_added": _("House foul added: {foul}."),
        "foul_restored": _("Foul as in the rulebook again, or taken out: {foul}."),
        "player_absent": _("{player} is missing: {at}."),
        "begun_without": _("The others begin without {player}: {at}. Reason: {reason}"),
        "absence_taken_back": _("{player} is not missing after all: {at}."),
        "stand_in_seated": _("{stand_in} plays for {player}: {at}."),
        "player_seated_again": _("{player} plays again, no longer {stand_in}: {at}."),
    }
)


@word("foul")
def _foul(words: LogWords, data: Data) -> str:
    """Name the foul as it was called when this was written, where the entry keeps that."""
    if "names" in data:
        return Names.from_json(data["names"]).in_language(get_language() or "en")
    return words.foul(data["foul"])


@says("penalty_given")
def _penalty_given(words: LogWords, data: Data) -> str:
    # By number: databases keep the names of an object in orders of their own.
    by_number = sorted(data.get("effects", {}).items(), key=lambda item: int(item[0]))
    effects = joined(f"{words.player(int(number))} {signed(points)}" for number, points in by_number)
    text = _("{foul}: {player}, {at} ({effects}).") if effects else _("{foul}: {player}, {at}.")
    given = words.fill(text, data, effects=effects)
    if "because" not in data:
        return given
    instead = _("Imposed: {sanction}; the foul book says: {proposed}. Reason: {reason}").format(
        sanction=sanction_text(Sanction.from_json(data["sanction"])),
        proposed=sanction_text(Sanction.from_json(data["proposed"])),
        reason=data["because"],
    )
    return sentences(given, instead)


@says("penalties_shown")
def _penalties_shown(words: LogWords, data: Data) -> str:
    everybody = _("Penalties are shown to everybody.")
    return str(everybody if data["public"] else _("Penalties are shown to organisers and umpires only."))


@says("attendance_changed")
def _attendance_changed(words: LogWords, data: Data) -> str:
    nobody = data["stand_in"] == Credit.NOBODY
    start = _("A player starts a session with {points} points: lateness docks no more than they hold.")
    points = data.get("starting_points")
    return sentences(
        _("A stand-in’s result is nobody’s.") if nobody else _("A stand-in’s result is the absent player’s."),
        _("Who withdraws keeps a rank.") if data["withdrawn_ranked"] else _("Who withdraws is not ranked."),
        start.format(points=points) if points else "",
    )


@says("player_arrived")
def _player_arrived(words: LogWords, data: Data) -> str:
    text = ngettext(
        "{player} came {n} minute late: {at}.", "{player} came {n} minutes late: {at}.", data["minutes"]
    )
    return words.fill(text, data, n=data["minutes"])
