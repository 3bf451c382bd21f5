"""The sentence and the buttons of each step."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.base.models.tournament import Tournament
from tournament.web.texts.words import when

Params = Mapping[str, Any]


@dataclass(frozen=True)
class StepText:
    """A step's text in the active language. `also`: label of the additional link, or ""."""

    text: str
    button: str
    also: str = ""


def step_text(code: str, params: Params, tournament: Tournament) -> StepText:
    """Return the text of a step (`site/selectors/next_step.py`), with times in the tournament's time zone."""
    values = {name: _in_local_time(value, tournament) for name, value in params.items()}
    values["public"] = tournament.is_public
    return StepText(
        TEXTS[code](values).format(**values),
        str(BUTTONS[code]).format(**values),
        str(ALSO.get(code, "")).format(**values),
    )


def _in_local_time(value: Any, tournament: Tournament) -> Any:
    return when(value.astimezone(tournament.zone), tournament) if isinstance(value, datetime) else value


def _always(text: str | Promise) -> Callable[[Params], str]:
    return lambda params: str(text)


def _fill(params: Params) -> str:
    return ngettext(
        "{missing} more player is needed to fill the last table.",
        "{missing} more players are needed to fill the last table.",
        params["missing"],
    )


def _draw(params: Params) -> str:
    return ngettext("{players} player entered.", "{players} players entered.", params["players"])


def _start(params: Params) -> str:
    if params["first"]:
        return (
            _("The seats are drawn; session {session} is planned for {at}.")
            if params["at"]
            else _("The seats are drawn. Everybody can see them.")
            if params["public"]
            else _("The seats are drawn.")
        )
    if params["at"]:
        return _("Session {session} is ready, planned for {at}.")
    return _("Session {session} is ready.")


def _left(params: Params) -> str:
    if params["n"] == 1:
        return _("{name} has left: fill the seat.")
    return ngettext(
        "{n} player has left: fill the seat.", "{n} players have left: fill their seats.", params["n"]
    )


def _call(params: Params) -> str:
    if not params["more"]:
        return _("Table {table} is waiting for an umpire.")
    return ngettext(
        "Table {table} and {more} other are waiting for an umpire.",
        "Table {table} and {more} others are waiting for an umpire.",
        params["more"],
    )


def _appeal(params: Params) -> str:
    if not params["more"]:
        return _("An appeal is open: session {session}, table {table}.")
    return ngettext(
        "An appeal is open: session {session}, table {table}, and {more} more.",
        "An appeal is open: session {session}, table {table}, and {more} more.",
        params["more"],
    )


def _dispute(params: Params) -> str:
    if not params["more"]:
        return _("Hand {hand} at table {table} is to be ruled on.")
    return ngettext(
        "Hand {hand} at table {table} and {more} other hand are to be ruled on.",
        "Hand {hand} at table {table} and {more} other hands are to be ruled on.",
        params["more"],
    )


def _unplayed(params: Params) -> str:
    if not params["more"]:
        return _("All tables have been handed in except table {table}, which has no recorded hands.")
    return ngettext(
        "All tables have been handed in except table {table} and {more} other, which have no recorded hands.",
        "All tables have been handed in except table {table} and {more} others, which have no recorded hands.",
        params["more"],
    )


def _late(params: Params) -> str:
    if not params["more"]:
        return _("At table {table}, hand {hand} was saved after time.")
    return ngettext(
        "At table {table}, hand {hand} and {more} more were saved after time.",
        "At table {table}, hand {hand} and {more} more were saved after time.",
        params["more"],
    )


def _time_up(params: Params) -> str:
    if params["open"] == 1:
        return _("The time is up. Table {table} has not been handed in.")
    return ngettext(
        "The time is up. {open} table has not been handed in.",
        "The time is up. {open} tables have not been handed in.",
        params["open"],
    )


def _behind(params: Params) -> str:
    if not params["more"]:
        return _("Table {table} is {minutes} minutes behind.")
    return ngettext(
        "Table {table} is {minutes} minutes behind, and {more} other is late.",
        "Table {table} is {minutes} minutes behind, and {more} others are late.",
        params["more"],
    )


def _publish(params: Params) -> str:
    if params["again"]:
        return _("The results have been corrected since the standings were published.")
    return _("The standings after session {session} are not published yet.")


def _publish_final(params: Params) -> str:
    if params["again"]:
        return _publish(params)
    if params["until"]:
        return _("All sessions are closed. Appeals are taken until {until}.")
    return _("All sessions are closed.")


def _look_at(params: Params) -> str:
    return ngettext(
        "{pending} registration is waiting for review.",
        "{pending} registrations are waiting for review.",
        params["pending"],
    )


def _registering(params: Params) -> str:
    return ngettext(
        "Registration is open; {n} person has a place so far.",
        "Registration is open; {n} people have a place so far.",
        params["n"],
    )


def _enter(params: Params) -> str:
    return ngettext(
        "{n} person has a place but is not on the player list yet.",
        "{n} people have a place but are not on the player list yet.",
        params["n"],
    )


TEXTS: Final[Mapping[str, Callable[[Params], str]]] = {
    "import_players": _always(gettext_lazy("No players yet.")),
    "open_registration": _always(gettext_lazy("No players yet.")),
    "look_at_registrations": _look_at,
    "wait_for_opening": _always(gettext_lazy("Registration opens {opens}.")),
    "wait_for_registrations": _registering,
    "enter_registered": _enter,
    "fill_tables": _fill,
    "draw_seats": _draw,
    "seat_session": _always(gettext_lazy("Session {session} has no seats yet.")),
    "plan_again": _always(gettext_lazy("The list of players has changed since the draw.")),
    "check_finalists": _always(gettext_lazy("By the standings now, the finalists would be different.")),
    "name_stand_in": _left,
    "start_session": _start,
    "answer_call": _call,
    "rule_on_appeal": _appeal,
    "carry_out_ruling": _always(
        gettext_lazy("A granted appeal is to be carried out: session {session}, table {table}.")
    ),
    "rule_on_hand": _dispute,
    "close_session": _always(gettext_lazy("All tables have been handed in.")),
    "type_totals": _always(gettext_lazy("Paper sheets still to be entered: {open} of {of}.")),
    "close_without": _unplayed,
    "look_at_late_hands": _late,
    "bring_tables_in": _time_up,
    "go_on": _always(gettext_lazy("The clock of session {session} is paused.")),
    "look_after_table": _behind,
    "wait_for_tables": _always(
        gettext_lazy("Session {session} is being played. Tables still open: {open} of {of}.")
    ),
    "publish_standings": _publish,
    "publish_final": _publish_final,
    "hold_ceremony": _always(
        gettext_lazy("All sessions are closed. Hidden results are waiting for the ceremony.")
    ),
    "announce_places": _always(gettext_lazy("The ceremony has begun.")),
    "reveal_results": _always(gettext_lazy("The ceremony is over. Results are still hidden.")),
    "wait_for_appeals": _always(
        gettext_lazy("The final standings are published. Appeals are taken until {until}.")
    ),
    "keep_archive": _always(gettext_lazy("All sessions are played and published. Save the documents.")),
}
BUTTONS: Final[Mapping[str, Promise]] = {
    "import_players": gettext_lazy("Add from a list"),
    "open_registration": gettext_lazy("Open registration"),
    "look_at_registrations": gettext_lazy("View them"),
    "wait_for_opening": gettext_lazy("Show registrations"),
    "wait_for_registrations": gettext_lazy("Show registrations"),
    "enter_registered": gettext_lazy("Confirm the player list"),
    "fill_tables": gettext_lazy("Add players"),
    "draw_seats": gettext_lazy("Draw the seats"),
    "seat_session": gettext_lazy("Assign seats for session {session}"),
    "plan_again": gettext_lazy("Preview new seats"),
    "check_finalists": gettext_lazy("Check finalists"),
    "name_stand_in": gettext_lazy("Name a stand-in"),
    "start_session": gettext_lazy("Start session {session}"),
    "answer_call": gettext_lazy("Show calls"),
    "rule_on_appeal": gettext_lazy("Rule on the appeal"),
    "carry_out_ruling": gettext_lazy("Carry out the ruling"),
    "rule_on_hand": gettext_lazy("Rule on the hand"),
    "close_session": gettext_lazy("Close session {session}"),
    "type_totals": gettext_lazy("Enter totals"),
    "close_without": gettext_lazy("Close session {session} without unplayed tables"),
    "look_at_late_hands": gettext_lazy("Show sheet"),
    "bring_tables_in": gettext_lazy("Show tables"),
    "go_on": gettext_lazy("Resume play"),
    "look_after_table": gettext_lazy("Open table {table}"),
    "wait_for_tables": gettext_lazy("Show tables"),
    "publish_standings": gettext_lazy("Publish standings after session {session}"),
    "publish_final": gettext_lazy("Publish final standings"),
    "hold_ceremony": gettext_lazy("Open ceremony"),
    "announce_places": gettext_lazy("Open ceremony"),
    "reveal_results": gettext_lazy("Reveal the results and publish"),
    "wait_for_appeals": gettext_lazy("Show appeals"),
    "keep_archive": gettext_lazy("Documents"),
}
ALSO: Final[Mapping[str, Promise]] = {
    "import_players": gettext_lazy("Open registration"),
    "open_registration": gettext_lazy("Add from a list"),
    "plan_again": gettext_lazy("Name a stand-in"),
    "start_session": gettext_lazy("Print the seats"),
    "publish_final": gettext_lazy("Ceremony"),
}
