"""Files of events in words: where in an event something is, what is wrong with a file, and what the audit finds."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.engine.problems import Problem
from tournament.base.models.play import Hand, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.web.texts.problems import sentence


def entry_place(tournament: Tournament, entry: int) -> str:
    return _("{event}, log entry {entry}").format(event=tournament.slug, entry=entry)


def session_place(session: Session) -> str:
    return _("{event}, session {session}").format(event=session.tournament.slug, session=session.number)


def final_place(tournament: Tournament, after: int) -> str:
    return _("{event}, final after session {session}").format(event=tournament.slug, session=after)


def table_place(table: Table) -> str:
    session = table.session
    return _("{event}, session {session}, table {table}").format(
        event=session.tournament.slug, session=session.number, table=table.number
    )


def hand_place(table: Table, number: int, version: Hand | None = None) -> str:
    """`version`: the one it is about, where that is not the hand as it stands."""
    if version is None:
        return _("{place}, hand {hand}").format(place=table_place(table), hand=number)
    return _("{place}, hand {hand} version {version}").format(
        place=table_place(table), hand=number, version=version.version
    )


def about(place: str, whom: object) -> str:
    """Somebody or something there that has a name."""
    return _("{place}, {whom}").format(place=place, whom=whom)


AUDIT: dict[str, str | Promise] = {
    "audit_chain": gettext_lazy("does not follow from the one before"),
    "audit_public_number": gettext_lazy("is not counted for the public as it should be"),
    "audit_not_as_logged": gettext_lazy("is not as the log has it"),
    "audit_not_as_signed": gettext_lazy("is not what {player} signed"),
    "audit_figure": gettext_lazy("{name} is stored as {stored} and comes to {due}"),
    # hands
    "audit_hand_numbers": gettext_lazy("its hands are numbered {numbers}"),
    "audit_hand_count": gettext_lazy("counts {counted} hands and has {there}"),
    "audit_hand_not_logged": gettext_lazy("has {points} points, the log says nothing of it"),
    "audit_hand_points": gettext_lazy("has {points} points, the log says {said}"),
    "audit_hand_worth": gettext_lazy("has {points} points, what was entered comes to {due}"),
    "audit_hand_payments": gettext_lazy("its payments do not follow from its points"),
    "audit_hand_illegal": gettext_lazy("is not legal: {codes}"),
    "audit_hand_contradicted": gettext_lazy("wants correcting: {because}"),
    # penalties
    "audit_penalty_too_late": gettext_lazy("is of hand {number}, of {begun} that have begun"),
    "audit_penalty_without_hand": gettext_lazy("holds for one hand and names none"),
    "audit_penalty_of_nobody": gettext_lazy("is of nobody at this table"),
    "audit_penalty_unpayable": gettext_lazy("cannot be paid: {codes}"),
    "audit_penalty_points": gettext_lazy("its points do not follow from its sanction"),
    # totals from paper
    "audit_totals_missing": gettext_lazy("counts totals and has none"),
    "audit_totals_uncounted": gettext_lazy("has totals that it does not count"),
    "audit_totals_not_logged": gettext_lazy("totals version {version}: the log has nothing of them"),
    "audit_totals_not_as_logged": gettext_lazy("totals version {version}: are not as the log has them"),
    "audit_totals_played": gettext_lazy(
        "totals version {version}: what was played does not follow from what was typed"
    ),
    # clocks
    "audit_extra_time": gettext_lazy("plays {minutes} minutes longer, the log says {said}"),
    "audit_pauses": gettext_lazy("its clock was paused at other times than the log says"),
}
"""What is stored and does not agree with what was done. The place stands in front: these go on from there."""

FILES: dict[str, str | Promise] = {
    "list_unreadable": gettext_lazy(
        "This file is not a list that can be read. Save it as CSV or XLSX and try again."
    ),
    "list_too_long": gettext_lazy("The list has more than {most} rows; no more can be read at once."),
    "list_empty": gettext_lazy("There is nobody in this list."),
    "list_lost": gettext_lazy("The list did not come back whole. Please upload it once more."),
    "no_name_column": gettext_lazy("Which column holds the last names? Choose it."),
    "column_twice": gettext_lazy("Another column is already read as this."),
    "number_not_whole": gettext_lazy("“{text}” is not a player number: write digits only."),
    "formula_cell": gettext_lazy("“{text}” is a formula for a spreadsheet and not a name."),
    "ema_number_lost_zero": gettext_lazy(
        "An EMA number has eight digits; this one has {digits}. "
        "If a spreadsheet dropped the zero in front, it is {likely}."
    ),
    "row_repeated": gettext_lazy(
        "The same person stands in row {row}. "
        "Leave this row out, or write the name so that the two can be told apart."
    ),
    "namesake": gettext_lazy(
        "Row {row} has the same name. If these are two persons, say so; else leave one of the rows out."
    ),
    "namesake_entered": gettext_lazy(
        "{name}, number {number}, is entered already. If this is another person, say so; else leave the row out."
    ),
    "difference_gone": gettext_lazy("“{key}” is no difference of this list by now: look at it again."),
    "changed_since": gettext_lazy("Player {player} was changed since you looked. Look again."),
    "keys_disagree": gettext_lazy(
        "Number {number} is {name}, but the EMA number is that of {other}. Which of them is it? Mend one of the two."
    ),
    "number_not_of_name": gettext_lazy(
        "Number {number} is {name}, but the name is that of {other}. Which of them is it? Mend one of the two."
    ),
    "name_of_several": gettext_lazy(
        "{n} players are called {name}. Write the number of the one that is meant."
    ),
    "row_of_same_player": gettext_lazy("Row {row} is about {name}, too. Leave one of the two rows out."),
    "list_step_gone": gettext_lazy(
        "There is no list to undo any more: another came after it, or it is undone already."
    ),
    "list_player_gone": gettext_lazy("Number {number}, {name}, is nobody’s any more."),
    "list_player_changed": gettext_lazy(
        "Number {number}, {name}, was changed since, and stays as it is now."
    ),
    "site_not_public": gettext_lazy(
        "This tournament is shown to nobody: there are no public pages to take along."
    ),
    "site_before_the_end": gettext_lazy(
        "A session is still to be played: the site is made once the event is over."
    ),
    "paper_unfit": gettext_lazy("This document is not laid out for that paper."),
    "sheet_unknown": gettext_lazy("There is no sheet “{sheet}” in this file."),
    "ema_number_repeated": gettext_lazy("EMA number {ema_number} stands in row {row} too."),
}
"""What is wrong with a list of players, or with a document that is asked for."""

TOURNAMENT_FILES: dict[str, str | Promise] = {
    **AUDIT,
    "not_a_tournament_file": gettext_lazy("This is not a tournament’s file (hule-tournament)."),
    "tournament_file_cut": gettext_lazy(
        "This file cannot be read from line {line} on. Perhaps it did not come whole."
    ),
    "tournament_file_too_large": gettext_lazy(
        "This file has more than {most} MB. No file of a tournament is that large."
    ),
    "tournament_file_too_many": gettext_lazy(
        "This file holds more than {most} values. No file of a tournament has so many."
    ),
    "tournament_file_newer": gettext_lazy(
        "This file is of version {version}, and this Hule reads up to version {known}. Bring Hule up to date first."
    ),
    "section_changed": gettext_lazy(
        "The section “{section}” is not as it was written: its digest is another one."
    ),
    "chain_broken": gettext_lazy(
        "The log does not hold together at entry {entry}: something in it was changed."
    ),
    "file_contradicts": gettext_lazy("The file contradicts its own log. {place}: {what}."),
    "file_does_not_hold": gettext_lazy("What is in this file does not hold together: it cannot be shown."),
    "event_is_here": gettext_lazy("This event is here already: {name} ({slug})."),
    "slug_taken": gettext_lazy("There is an event at the address “{slug}” already. Choose another one."),
    "slug_wrong": gettext_lazy("An address has letters a to z, digits and hyphens."),
    "here_already": gettext_lazy("this belongs to another event here."),
    "row_does_not_fit": gettext_lazy("this contradicts another row, or itself."),
    "points_nowhere": gettext_lazy("the field “{field}” names something that is not in the file."),
    "said_twice": gettext_lazy("the field “{field}” is the same as in a row before."),
    "field_unknown": gettext_lazy("there is no field “{field}”."),
    "field_not_allowed": gettext_lazy("the field “{field}” has a value that is not allowed."),
    "field_not_a_moment": gettext_lazy(
        "the field “{field}” is not a time written like 2026-11-14T09:00:00+00:00."
    ),
    "field_not_an_hour": gettext_lazy("the field “{field}” is not a time of day written like 09:00:00."),
    "field_not_an_amount": gettext_lazy("the field “{field}” is not an amount written like 12.50."),
    "field_not_a_uuid": gettext_lazy("the field “{field}” is not a UUID."),
    "field_not_base64": gettext_lazy("the field “{field}” is not a file in Base64."),
    "field_too_deep": gettext_lazy("the field “{field}” is nested more than {most} deep."),
}
"""Why the file of a tournament is not taken in, with what the audit finds in one.

Those about a field say no place: it stands in front.
"""

TRANSCRIPTS: dict[str, str | Promise] = {
    **TOURNAMENT_FILES,
    # what a transcript cannot hold
    "nothing_to_write_down": gettext_lazy("No session is closed yet, so there is nothing to write down."),
    "transcript_open_sessions": gettext_lazy("Sessions that are not closed are left out of it."),
    "transcript_own_rules": gettext_lazy(
        "It does not hold everything that this tournament changed in its rulebook."
    ),
    # what is wrong with one
    "not_json": gettext_lazy("this is not JSON."),
    "not_a_transcript": gettext_lazy("this is not a hule-transcript of version 1."),
    "not_an_object": gettext_lazy("this is not an object ({{…}}), as the format asks for."),
    "field_missing": gettext_lazy("the field “{field}” is missing."),
    "field_not_text": gettext_lazy("the field “{field}” is not a text."),
    "field_too_long": gettext_lazy("the field “{field}” has more than {most} characters."),
    "field_not_a_number": gettext_lazy("the field “{field}” is not a whole number."),
    "field_out_of_range": gettext_lazy("the field “{field}” is not between {least} and {most}."),
    "field_not_yes_or_no": gettext_lazy("the field “{field}” is neither true nor false."),
    "field_not_a_day": gettext_lazy("the field “{field}” is not a day written like 2026-11-14."),
    "field_not_an_object": gettext_lazy("the field “{field}” is not an object ({{…}})."),
    "field_not_a_list": gettext_lazy("the field “{field}” is not a list ([…])."),
    "out_of_order": gettext_lazy("number {given} stands where number {next} has to."),
    "sessions_missing": gettext_lazy("{planned} sessions are announced and {written} are written down."),
    "not_seated": gettext_lazy("player {player} has no seat in this session."),
    "seated_all_the_same": gettext_lazy("player {player} does not play in this session, and has a seat."),
    "played_all_the_same": gettext_lazy("nobody played here, and there are hands."),
    "nothing_carries_it_out": gettext_lazy("nothing on this sheet carries the ruling out."),
}
"""What is wrong with a transcript, and what one leaves out; with those of a tournament's file."""


def placed(problem: Problem) -> str:
    """The place as a JSON pointer, where it is one, and the sentence: "/hands/3/points: …"."""
    text = sentence(problem)
    return f"{problem.where}: {text}" if problem.where.startswith("/") else text
