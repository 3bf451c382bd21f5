"""The effect of a correction, said line by line: before and after, and what stays as it is."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from scoring.texts import joined
from tournament.play.selectors.effect import Effect
from tournament.web.texts.figures import table_points


def effect_as_json(effect: Effect) -> dict[str, Any]:
    """{"table_points": [{"player", "before", "after"}], "ranks": [{"player", "name", "before", "after"}], "notes"}."""
    return {
        "table_points": [
            {
                "player": seat.player.number,
                "before": table_points(seat.table_points[0]),
                "after": table_points(seat.table_points[1]),
            }
            for seat in effect.seats
        ]
        if effect.moves_table_points
        else [],
        "ranks": [
            {"player": one.player.number, "name": one.player.name, "before": one.before, "after": one.after}
            for one in effect.ranks or ()
        ],
        "notes": _notes(effect),
    }


def _notes(effect: Effect) -> list[dict[str, Any]]:
    """[{"text", "warns"}]: what stays is said too, so that nobody has to look for it."""
    notes = []
    if not effect.moves_table_points:
        shares = sorted((seat.table_points[0] for seat in effect.seats), reverse=True)
        stay = joined(table_points(share) for share in shares)
        notes.append((_("Table points stay {points}").format(points=stay), False))
    if effect.ranks is None:
        notes.append((_("Ranks are told once the results of this session are open"), False))
    elif not effect.ranks:
        notes.append((_("No rank changes"), False))
    if effect.published and (effect.ranks or effect.moves_table_points or _moves_scores(effect)):
        text = _("The standings published after session {session} will be out of date")
        notes.append((text.format(session=effect.published.after_session), True))
    if effect.seated_by_standing and effect.ranks:
        text = _("The seats of session {sessions} were given by the standings as they were before")
        notes.append((text.format(sessions=joined(effect.seated_by_standing)), True))
    elif effect.seated_ahead and effect.ranks is not None:
        notes.append((_("The seats of the sessions to come do not depend on it"), False))
    return [{"text": text, "warns": warns} for text, warns in notes]


def _moves_scores(effect: Effect) -> bool:
    return any(before != after for before, after in (seat.score for seat in effect.seats))
