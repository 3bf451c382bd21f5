"""Sentences about transcripts: what is wrong with one, and what one leaves out; with those of a tournament's file."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.exchange.texts.problems_tournament_files import TOURNAMENT_FILES

TRANSCRIPTS: dict[str, str | Promise] = {
    **TOURNAMENT_FILES,
    # what a transcript cannot hold
    "nothing_to_write_down": _("No session is closed yet, so there is nothing to write down."),
    "transcript_open_sessions": _("Sessions that are not closed are left out of it."),
    "transcript_own_rules": _("It does not hold everything that this tournament changed in its rulebook."),
    # what is wrong with one
    "not_json": _("this is not JSON."),
    "not_a_transcript": _("this is not a hule-transcript of version 1."),
    "not_an_object": _("this is not an object ({{…}}), as the format asks for."),
    "field_missing": _("the field “{field}” is missing."),
    "field_not_text": _("the field “{field}” is not a text."),
    "field_too_long": _("the field “{field}” has more than {most} characters."),
    "field_not_a_number": _("the field “{field}” is not a whole number."),
    "field_out_of_range": _("the field “{field}” is not between {least} and {most}."),
    "field_not_yes_or_no": _("the field “{field}” is neither true nor false."),
    "field_not_a_day": _("the field “{field}” is not a day written like 2026-11-14."),
    "field_not_an_object": _("the field “{field}” is not an object ({{…}})."),
    "field_not_a_list": _("the field “{field}” is not a list ([…])."),
    "out_of_order": _("number {given} stands where number {next} has to."),
    "sessions_missing": _("{planned} sessions are announced and {written} are written down."),
    "not_seated": _("player {player} has no seat in this session."),
    "seated_all_the_same": _("player {player} does not play in this session, and has a seat."),
    "played_all_the_same": _("nobody played here, and there are hands."),
    "nothing_carries_it_out": _("nothing on this sheet carries the ruling out."),
}
