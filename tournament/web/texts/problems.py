"""Codes → sentences, in the language of the moment, and what is wrong with one field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import get_language, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from penalties import texts as penalties
from penalties.engine import Names
from scoring.engine.problems import Problem
from scoring.texts import SENTENCES as SCORING
from scoring.texts import joined, problem_sentence
from tournament.web.texts.words import with_minus

# --- Fields ---


Sentences = Mapping[str, str | Promise]

_CHOOSE: Final = _("Choose one.")
_NOT_A_CHOICE: Final = _("“%(value)s” is not one of the choices.")
_NUMBER: Final = _("Only a whole number in digits fits here.")

EVERY: Final[Sentences] = {
    "required": _("Fill this in."),
    "invalid": _("That cannot be read. Type it anew."),
    "min_value": _("At least %(limit_value)s."),
    "max_value": _("At most %(limit_value)s."),
    "step_size": _("Only steps of %(limit_value)s fit here."),
    "min_length": ngettext_lazy(
        "At least %(limit_value)d character; there are %(show_value)d.",
        "At least %(limit_value)d characters; there are %(show_value)d.",
        "limit_value",
    ),
    "max_length": ngettext_lazy(
        "At most %(limit_value)d character; there are %(show_value)d.",
        "At most %(limit_value)d characters; there are %(show_value)d.",
        "limit_value",
    ),
    "null_characters_not_allowed": _("There are signs in it that cannot be shown. Type it anew."),
}
"""What may be wrong with any field, by Django's code for it: `web/forms.py` says these in the place of Django's own."""

OF_KIND: Final[Mapping[str, Sentences]] = {
    "IntegerField": {"invalid": _NUMBER},
    "DateField": {"invalid": _("That is no date: year, month and day, for instance 2027-03-14.")},
    "TimeField": {"invalid": _("That is no time: hours and minutes, for instance 18:30.")},
    "ChoiceField": {"required": _CHOOSE, "invalid_choice": _NOT_A_CHOICE},
    "MultipleChoiceField": {
        "required": _("Choose at least one."),
        "invalid_choice": _NOT_A_CHOICE,
        "invalid_list": _("Choose from the list."),
    },
    "FileField": {
        "required": _("Choose a file."),
        "missing": _("The file did not come with the form. Choose it again."),
        "invalid": _("The file did not come with the form. Choose it again."),
        "empty": _("There is nothing in this file."),
        "max_length": ngettext_lazy(
            "The file’s name has %(length)d characters; at most %(max)d fits.",
            "The file’s name has %(length)d characters; at most %(max)d fit.",
            "max",
        ),
        "contradiction": _("Choose a file or take it away, not both."),
    },
    "UUIDField": {"invalid": _("This form has lost its number. Load the page again.")},
}
"""What is said otherwise of some kinds of fields, and of those made from them."""

USERNAME: Final = _("Letters, digits and @ . + - _ make a name to sign in with, and no spaces.")
ADDRESS: Final = _("That is no address: it begins with http:// or https://.")

ACCOUNTS: Final[Mapping[str, Any]] = {
    "invalid_login": _("No account has this name and this password. Capitals and small letters differ."),
    "inactive": _("This account is closed."),
    "password_mismatch": _("The two passwords differ."),
    "password_incorrect": _("That is not the password you have now."),
}
"""What is wrong with a name and its password together."""


# --- Problems ---


SENTENCES: dict[str, str | Promise] = {
    # who, where, when
    "winner_missing": _("Who won? Choose the winner."),
    "not_at_this_table": _("Player {player} does not sit at this table."),
    "discarder_is_winner": _("The winner cannot have discarded the winning tile."),
    "tiles_missing": _("The winning hand’s tiles are missing."),
    "cannot_undo": _("Hand {number} can no longer be undone. Correct it instead."),
    "cannot_undo_penalty": _("The penalty can no longer be undone. An umpire cancels it, with a reason."),
    "hand_taken_back": _("Hand {number} was taken back in the meantime. Record it anew."),
    "nothing_to_override": _("Nothing was announced, so there is nothing to count instead of the tiles."),
    "claimants_without_discard": _("A self-drawn tile cannot be claimed by others."),
    "discarder_claims": _("Player {player} discarded the tile and cannot claim it."),
    "nearer_claimant": _("Player {player} claimed too and comes first in turn after the discarder."),
    "fans_missing": _("Which fans? Choose at least one."),
    "announced_sum": _("These fans come to {sum} points, not {points}."),
    "announced_below_minimum": _("{points} points do not win: {minimum} are needed."),
    "announced_too_many": _("No hand comes to {points} points. Check the figure."),
    "unknown_outcome": _("“{outcome}” is not an outcome: a hand is won or washed out."),
    "wash_out_with_winner": _("A wash-out has no winner, no discarder and no tiles."),
    "no_such_hand": _("There is no hand {number}: a session has hands 1 to {hands}."),
    "no_hand_after_sixteen": _("All {hands} hands of this session are recorded."),
    "hand_not_begun": _("Hand {number} has not begun: hand {under_way} is under way."),
    "no_hand_under_way": _("Hand {number} was not played: no hand is under way at table {table}."),
    "not_the_next_hand": _("Hand {given} cannot be recorded: the next one is hand {next}."),
    "no_hand_recorded": _("Nothing is recorded at table {table} yet."),
    "table_is_in": _("Table {table} has been handed in. Reopen it to record more."),
    "uuid_of_another_table": _("This entry was already saved at another table."),
    "no_seats_in_session": _("Nobody has a seat in session {session} yet."),
    "no_seats_yet": _("Nobody has a seat yet: draw the seats first."),
    "foul_book_full": _("A foul book has at most {most} house fouls. Take one out first."),
    "foul_in_use": _("There are penalties for this foul, so it stays in the book."),
    "dead_hand": _("{name} has a dead hand in hand {hand} ({foul}) and may not win it."),
    "dead_hand_has_won": _(
        "{name} won hand {hand} as it is recorded; with a dead hand that cannot be. Correct the hand."
    ),
    "because_missing": _("Say why: another sanction than the foul book’s needs a reason."),
    "reason_missing": _("Say why: a correction needs a reason."),
    "deleted_meanwhile": _("Somebody else has deleted this in the meantime."),
    "stale": _("Somebody else has written at this table in the meantime."),
    # winds and the way of winning, when the record states them
    "wrong_seat_wind": _("The winner’s seat wind in this hand is {right}, not {given}."),
    "wrong_prevalent_wind": _("The prevalent wind in this hand is {right}, not {given}."),
    "wrong_self_drawn": _("Self-drawn and a discarder contradict each other."),
    # the score
    "not_a_winning_hand": _("These tiles are not a winning hand."),
    "below_minimum": _("The hand has {points} points without flowers; {minimum} are needed to win."),
    # sessions
    "session_not_started": _("Session {session} has not started."),
    "session_not_running": _("Session {session} is not being played."),
    "session_closed": _("Session {session} is closed; only the organiser can still change it."),
    "result_is_final": _("The result of session {session} is final. Say why it is changed."),
    "session_not_closed": _("Session {session} is not closed."),
    "session_already_begun": _("Session {session} has already begun."),
    "earlier_session_open": _("Session {session} has to be closed first."),
    "session_still_running": _("Session {session} is still being played."),
    "table_still_open": _("Table {table} is not in yet."),
    "nothing_to_publish": _("No session is closed yet, so there is nothing to publish."),
    # the hall
    "puzzle_waits_for_nothing": _("No tile completes this hand."),
    "puzzle_is_no_win": _("These tiles are not a winning hand."),
    "too_many_puzzles": _("An event has at most {most} puzzles."),
    "announcement_missing": _("Say something: the announcement is empty."),
    "announcement_minutes": _("An announcement lasts 1 to {most} minutes, or until it is withdrawn."),
    "screen_name_wrong": _("“{name}” cannot be the name of a screen: write letters, digits and hyphens."),
    "screen_name_taken": _("There is a screen “{name}” already."),
    "screens_too_many": _("There can be {most} screens."),
    "screen_unknown": _("There is no screen “{name}”."),
    "screen_page_missing": _("Which page? Look at the screen again."),
    "screen_kind_missing": _("Choose what to show."),
    "screen_turns_too_many": _("A rotation has at most {most} parts."),
    "screen_seconds": _("Each page is shown for {least} to {most} seconds."),
    "unknown_language": _("“{language}” is not a language Hule speaks."),
    # tournament, players, seats
    "ends_before_it_starts": _("The last day comes before the first."),
    "unknown_time_zone": _("There is no time zone “{name}”."),
    "timetable_changed_meanwhile": _(
        "Somebody else has changed the timetable in the meantime. Look at it in another tab; saving again puts these "
        "lines in its place."
    ),
    "too_many_lines": _("A timetable has at most {most} lines."),
    "line_title_missing": _("Say what it is."),
    "line_title_too_long": _("At most {most} characters."),
    "line_day_missing": _("The day is missing."),
    "line_start_missing": _("The start is missing."),
    "line_ends_before_it_starts": _("The end comes before the start."),
    "no_such_session": _("There is no session {session}."),
    "session_outside_the_days": _("The tournament is not on that day."),
    "line_far_from_the_days": _("That is more than {days} days from the tournament."),
    "session_planned_twice": _("Session {session} has a time already."),
    "session_before_the_last_is_over": _("Session {session} is played until {until}."),
    "day_past_midnight": _(
        "The sessions of a day would last past midnight. Begin earlier or make the pauses shorter."
    ),
    "unknown_rulebook": _("No tournament is played by a rulebook “{rulebook}”; there are {playable}."),
    "fixed_by_the_draw": _("This is fixed once the seats are drawn."),
    "pass_already_over": _("That day is over. Choose today or a later one."),
    "tables_not_named": _("Which tables? Name at least one."),
    "name_missing": _("The name is missing."),
    "number_out_of_range": _("{number} is not a player number: 1 to 9999."),
    "number_taken": _("Number {number} belongs to another player."),
    "unknown_country": _("There is no country “{country}”."),
    "already_withdrawn": _("Player {player} has already withdrawn."),
    "not_withdrawn": _("Player {player} has not withdrawn."),
    "substitutes_needed": _("{players} players do not fill whole tables. Still needed: {substitutes}."),
    "team_too_large": _("Team “{team}” has {size} players, more than the {tables} tables."),
    "repeats_unavoidable": _("Nobody meeting twice is possible for {most} sessions, not for {sessions}."),
    "repeats_or_wishes": _(
        "With {sessions} sessions nobody can meet twice only if team-mates or pairs to be kept apart meet."
    ),
    "player_twice": _("Player {player} is named twice."),
    "player_unknown": _("Player {player} is not in this draw."),
    "pair_of_one": _("Player {player} cannot be kept apart from the same player."),
    "table_unknown": _("There is no table {table}: the tables are 1 to {tables}."),
    "table_shared": _("Only one player can stay at table {table}, not {players}."),
    "stay_impossible": _(
        "Player {player} cannot stay at table {table} beside the other players who stay at theirs."
    ),
    "too_few_players": _("{players} players are too few: a draw starts at {least}."),
    "sessions_not_positive": _("A tournament has at least one session."),
    "draw_changed": _("The players have changed since you looked at this draw. Look at it again."),
    "seats_changed": _("The seats have changed since you looked. Look again."),
    "swap_with_self": _("Choose two different players."),
    "no_seat_in_session": _("Player {player} has no seat in session {session}."),
    "nothing_left_to_play": _("No session is left to play."),
    "no_seats_to_restore": _("There is no change of seats to take back."),
    "session_has_no_seats": _("Session {session} has no seats yet: seat it first."),
    "earlier_session_unseated": _("Session {session} has to be seated first."),
    "finals_too_early": _("No session is finished yet, so there is nobody to choose for a final."),
    "finals_set_already": _("A final after session {session} is set up already. Take it back first."),
    "too_few_finalists": _("Fewer than {top} players can go on."),
    "finals_in_groups": _(
        "This final is played in groups: seat the session by hand, or set the final up again."
    ),
    "finals_not_replanned": _(
        "A final is set up, so the rest is not planned again. Take the final back and set it up once more, "
        "or seat the session by hand."
    ),
    "final_groups_uneven": _("The groups of a final are of one size, four players or a multiple."),
    "finals_follow": _("The final follows from session {session}. Take the final back first."),
    "nothing_to_seat_by": _("No session is finished yet, so there are no standings to seat by: seat by lot."),
    "stream_players": _("Choose one to {most} players."),
    "stream_one_session": _("Several players can be together at one table in one session only."),
    "plan_changes_nothing": _("These are the seats that there are already."),
    "plan_line_short": _("A line needs six cells: session, table and the players at E, S, W and N."),
    "plan_not_number": _("“{text}” is not the number of a session or a table."),
    "plan_name_unknown": _(
        "“{text}” is nobody’s name: write it as the list of players has it, or the number."
    ),
    "plan_name_shared": _("“{text}” is the name of more than one player: write the number."),
    "plan_table_twice": _("Table {table} of session {session} stands in another line too."),
    "plan_table_missing": _("Table {table} of session {session} is missing."),
    "seated_twice_in": _("Player {player} is seated twice in session {session}."),
    "not_seated_by_hand": _("Player {player} has no seat."),
    "not_pairs": _("“{text}” is not a pair of player numbers: write for instance 3-17, 5-12."),
    "not_stays": _("“{text}” is not a player and a table: write for instance 3:1, 17:4."),
    "no_seats": _("There are no seats in this draw."),
    "seats_not_four_winds": _("A table needs one player each for East, South, West and North."),
    "unknown_player": _("There is no player {player}."),
    "seated_twice": _("Player {player} is seated twice."),
    # umpires and accounts
    "nobody_to_call": _("There is nobody to call yet."),
    "ceremony_over": _("This ceremony is over."),
    "no_such_account": _("There is no account of the name “{username}”."),
    "username_taken": _("An account of the name “{username}” exists already."),
    "not_table_numbers": _("“{text}” is not a list of tables: write for instance 1-5, 8."),
    "no_such_table": _("There is no table {table}."),
    "wrong_setup_code": _("This is not the code that was printed when Hule started."),
    # what a program sent
    "not_understood": _("“{field}” could not be read."),
    "text_too_long": _("This is too long: {length} characters, at most {most} are kept."),
    # phones that are told
    "phone_unknown_service": _(
        "This browser’s messages come from a place that is not known. Use another browser."
    ),
    "phone_too_late": _("This tournament is over; there is nothing more to tell."),
    "phones_too_many": _("{most} phones are told of this player already."),
}
LISTED = ("allowed", "playable", "names", "hands")
"""Params that may hold several, "5, 10, 20"."""


def sentence(problem: Problem) -> str:
    """Say a problem, in the language of the moment: engines and services speak in codes, people read these.

    Those of the scoring engine are asked there. KeyError for a code nobody knows.
    """
    text = SENTENCES.get(problem.code) or penalties.SENTENCES.get(problem.code)
    if text is None:
        return problem_sentence(problem)
    return str(text).format(**said(problem))


def said(problem: Problem) -> dict[str, str | int]:
    """Its params as the sentence says them: several as a list, a foul by its name in the reader's language."""
    params = with_minus(problem.params)
    for name in params.keys() & LISTED:
        params[name] = joined(str(params[name]).split(", "))
    names = {language: params.pop(f"foul_{language}", "") for language in ("en", "zh_hans", "zh_hant")}
    if names["en"]:
        params["foul"] = Names.from_json(names).in_language(get_language() or "en")
    return params


def templates() -> dict[str, str]:
    """Code → sentence with {braces}, in the reader's language: for a program that fills them in itself."""
    return {code: str(text) for code, text in {**SCORING, **penalties.SENTENCES, **SENTENCES}.items()}
