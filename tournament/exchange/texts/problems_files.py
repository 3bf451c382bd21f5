"""What is wrong with a list of players."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FILES: dict[str, str | Promise] = {
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
    "keys_disagree": _(
        "Number {number} is {name}, but the EMA number is that of {other}. Which of them is it? Mend one of the two."
    ),
    "number_not_of_name": _(
        "Number {number} is {name}, but the name is that of {other}. Which of them is it? Mend one of the two."
    ),
    "name_of_several": _("{n} players are called {name}. Write the number of the one that is meant."),
    "row_of_same_player": _("Row {row} is about {name}, too. Leave one of the two rows out."),
    "list_step_gone": _("There is no list to undo any more: another came after it, or it is undone already."),
    "list_player_gone": _("Number {number}, {name}, is nobody’s any more."),
    "list_player_changed": _("Number {number}, {name}, was changed since, and stays as it is now."),
    "site_not_public": _("This tournament is shown to nobody: there are no public pages to take along."),
    "site_before_the_end": _("A session is still to be played: the site is made once the event is over."),
    "paper_unfit": _("This document is not laid out for that paper."),
    "sheet_unknown": _("There is no sheet “{sheet}” in this file."),
    "ema_number_repeated": _("EMA number {ema_number} stands in row {row} too."),
}
