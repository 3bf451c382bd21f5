"""What is wrong with a file: a list of players, a transcript."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FILES: dict[str, str | Promise] = {
    # lists of players
    "list_unreadable": _("This file is not a list that can be read. Save it as CSV or XLSX and try again."),
    "list_too_long": _("The list has more than {most} rows; no more can be read at once."),
    "list_empty": _("There is nobody in this list."),
    "list_lost": _("The list did not come back whole. Please upload it once more."),
    "no_name_column": _("Which column holds the last names? Choose it."),
    "column_twice": _("Another column is already read as this."),
    "number_not_whole": _("“{text}” is not a player number: write digits only."),
    "formula_cell": _("“{text}” is a formula for a spreadsheet and not a name."),
    "ema_number_lost_zero": _(
        "An EMA number has eight digits; this one has {digits}. "
        "If a spreadsheet dropped the zero in front, it is {likely}."
    ),
    "row_repeated": _(
        "The same person stands in row {row}. "
        "Leave this row out, or write the name so that the two can be told apart."
    ),
    "namesake": _(
        "Row {row} has the same name. If these are two persons, say so; else leave one of the rows out."
    ),
    "namesake_entered": _(
        "{name}, number {number}, is entered already. If this is another person, say so; else leave the row out."
    ),
    "difference_gone": _("“{key}” is no difference of this list by now: look at it again."),
    "changed_since": _("Player {player} was changed since you looked. Look again."),
    "sheet_unknown": _("There is no sheet “{sheet}” in this file."),
    "ema_number_repeated": _("EMA number {ema_number} stands in row {row} too."),
    # transcripts
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
}
