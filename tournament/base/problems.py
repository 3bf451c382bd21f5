"""Problems as sentences in the active language, and codes that several packages raise."""

from penalties.engine import Names
from scoring.engine.problems import PROBLEM_CODES, Problem, problem_code
from scoring.texts import joined, problem_sentence, problem_template, translated

SESSION_STILL_RUNNING = problem_code("session_still_running", "Session {session} is still being played.")
NO_SUCH_SESSION = problem_code("no_such_session", "There is no session {session}.")
NAME_MISSING = problem_code("name_missing", "The name is missing.", also=("name",))
UNKNOWN_COUNTRY = problem_code("unknown_country", "There is no country “{country}”.", also=("name",))
NO_SUCH_ACCOUNT = problem_code("no_such_account", "There is no account named “{username}”.")
NOT_TABLE_NUMBERS = problem_code(
    "not_table_numbers", "“{text}” is not a list of tables: write for instance 1-5, 8."
)
NO_SUCH_TABLE = problem_code("no_such_table", "There is no table {table}.", also=("session",))
NOT_UNDERSTOOD = problem_code("not_understood", "“{field}” could not be read.")
VALUE_MISSING = problem_code("value_missing", "Fill this in.")
VALUE_TOO_LOW = problem_code("value_too_low", "At least {minimum}.")
VALUE_TOO_HIGH = problem_code("value_too_high", "At most {maximum}.")
TEXT_TOO_LONG = problem_code(
    "text_too_long", "This is too long: {length} characters, at most {maximum} are kept.", also=("name",)
)
UNKNOWN_LANGUAGE = problem_code("unknown_language", "“{language}” is not supported.")
TEXT_UNREADABLE = problem_code(
    "text_unreadable", "It contains characters that cannot be shown. Type it again."
)
LINE_FAR_FROM_THE_DAYS = problem_code(
    "line_far_from_the_days", "That is more than {days} days from the tournament."
)
LIST_EMPTY = problem_code("list_empty", "There is nobody in this list.")
EARLIER_SESSION_OPEN = problem_code("earlier_session_open", "Session {session} has to be closed first.")
SESSION_ALREADY_BEGUN = problem_code("session_already_begun", "Session {session} has already begun.")
SESSION_NOT_RUNNING = problem_code("session_not_running", "Session {session} is not being played.")

LISTED = ("allowed", "playable", "names", "hands")
"""Params that may hold several values, "5, 10, 20"."""


def sentence(problem: Problem) -> str:
    """Return a problem as a sentence in the active language."""
    return problem_sentence(problem, sentence_params(problem))


def sentence_params(problem: Problem) -> dict[str, str | int]:
    """Return a problem's params formatted for its sentence: lists joined, fouls by name, real minus signs."""
    params = {
        name: f"−{-value}" if isinstance(value, int) and value < 0 else value
        for name, value in problem.params.items()
    }
    for name in params.keys() & LISTED:
        params[name] = joined(str(params[name]).split(", "))
    names = {language: params.pop(f"foul_{language}", "") for language in ("en", "zh_hans", "zh_hant")}
    if names["en"]:
        params["foul"] = translated(Names.from_json(names))
    return params


def templates() -> dict[str, str | list[str]]:
    """Return code → sentence with {braces} in the active language, for programs that fill them in themselves.

    A sentence with a number in it is [singular, plural, the parameter with the number].
    """
    return {
        code: [problem_template(code, 1), problem_template(code, 2), declared.by]
        if declared.plural
        else problem_template(code)
        for code, declared in sorted(PROBLEM_CODES.items())
    }
