"""Services are verbs: each writes, or it is said here why not. Programs can do what pages can: the API calls each."""

import ast
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from tests.support.rights import NOT_OF_AN_EVENT, RIGHTS

TOURNAMENT = Path(__file__).parents[2] / "tournament"
WRITES = {
    *("bulk_create", "bulk_update", "create", "create_superuser", "create_user", "delete", "get_or_create"),
    *("save", "set", "update", "update_or_create", "verify_token"),
}
"""Methods that store something."""

INSIDE = "other services call it within their own write"
OWN_ACCOUNT = "in a browser, by a person, on the page of their own account"
BACKUPS = "a file with everybody's data: on a page for whoever set Hule up, and manage.py backup and restore"
PREVIEWED = "for many at once, whom a person looks through by name on a page"
LETTERS = "a message that one person wrote to another is read by people, on a page"
HALL_QUIZ = "a pastime between sessions, which a person puts together on a page"
DOOR = "by a person at the door, with the code on its screen"
NOT_FOR_PROGRAMS = {
    name: reason
    for reason, names in {
        INSIDE: """
            absences.leave_seat absences.let_play absences.take_seat_again deletion.remove_file draw.restore
            draw.store_tables dues.come_to_owe in_step.follow missing.leave_together missing.play_again
            people.link_known pictures.drawn_anew players.enter registration_moves.fill_up
            registration_moves.move registrations.store reseating.put reseating.reseat
            rulings.carry_out_for_hand rulings.carry_out_for_penalty staff.assign tables.end_calls
            tables.settle tables.void_signatures timetable.move_timetable totals.close_second totals.keep
            totals.overtake totals.retire totals.store vacancies.forget_stand_ins
        """,
        OWN_ACCOUNT: """
            second_factor.begin_second_factor second_factor.confirm_second_factor
            second_factor.end_second_factor second_factor.renew_recovery_codes signed_in.end_other_visits
            signed_in.end_token signed_in.end_visit signed_in.name_token
        """,
        BACKUPS: "restores.carry_out restores.restore_backup",
        PREVIEWED: "dues.give_dues dues.take_dues_back reminders.remind",
        LETTERS: """
            mails.change_letter mails.restore_letter mails.send_again mails.send_unsent
        """,
        HALL_QUIZ: "puzzles.add_puzzle puzzles.remove_puzzle",
        DOOR: "check_in.check_in_themselves check_in.take_own_check_in_back",
    }.items()
    for name in names.split()
} | {
    "accounts.make_first_organiser": "in a browser, with the code that is printed when the server first starts",
    "arrivals.note_taken": "the address calls take_away, which writes the file first",
    "arrivals.take_in": "the address calls bring_in, which reads the file first",
    "contacts.delete_old_contacts": "every day, by the worker; delete_contacts is for one event",
    "draw.seat": "stores a draw that is there: draw_seats, and an event that is played again from its transcript",
    "erasing.erase_person": "erase_player at each of their tournaments: programs ask for each",
    "finals.take_final": "stores a final that is there: set_up_final, and an event that is played again",
    "invitations.join": "in a browser, by a person, on the page of their invitation: programs accept with an account",
    "players.add_players": "lists come to enter_list; it is for events played again from their transcript",
    "registration_expiry.forget_unconfirmed": "every day, by the worker",
    "second_factor.take_code": "a program signs in with one: accounts/sign_in counts the attempt and calls it",
    "signed_in.forget_what_is_over": "every day, by the worker",
    "signed_in.note_use": "whenever a program shows its token",
    "trials.request_trial": "for somebody who looks around in a browser; programs have manage.py demo",
}
"""Services that write and have no address in the API, with the reason."""

ELSEWHERE = ("second_factor.", "signed_in.", "backups.", "restores.")
"""Of one's own account (tests/accounts/test_account.py, tests/accounts/test_second_factor.py), and for whoever set Hule up
(tests/backup/test_there_and_back.py, tests/backup/test_backups.py)."""
OF_WHOEVER_HAS_THE_LINK = {"invitations.accept_invitation", "invitations.join"}
"""They ask for the token of an open invitation: tests/staff/test_staff.py."""

GUARDS = {
    "check_in.require_code": "refuses who has not read the code at the door",
    "closing.go_past": "refuses a step while something is open, and gives the reason to be logged",
    "leaving.check_somebody_is_left": "refuses to end a role that a tournament needs",
    "tables.check_open": "refuses a write at a table of a session that is not being played",
    "tables.check_version": "refuses a write by who has not seen the newest state of a table",
    "tables.opened": "refuses as those two do, and gives the table as it is now",
}
"""Services that write nothing: they stand before the writes of others, and know how to turn them down."""

BESIDE = {
    f"backups.{verb}"
    for verb in ("delete_backup", "keep_backups", "keep_upload", "make_backup", "request_backup")
} | {"restores.request_restore", "restores.request_first_restore"}
"""Services that write files beside the database, and no row."""
FRESH = {"fresh.fresh"}
"""What services read a row anew with, under the lock."""


Functions = dict[str, tuple[ast.FunctionDef, Mapping[str, str]]]
"""module.name → the function, and what its module imports."""


def services() -> dict[str, str]:
    """Module → its text."""
    return {path.stem: path.read_text("utf-8") for path in (TOURNAMENT / "services").glob("*.py")}


def writing(modules: Mapping[str, str]) -> set[str]:
    """The public functions, as module.name, that store something themselves or by calling others that do."""
    every = functions(modules)
    calls = {name: called(function, name.split(".")[0], known) for name, (function, known) in every.items()}
    writers = {name for name, (function, _) in every.items() if any(map(stores, ast.walk(function)))}
    while more := {name for name, others in calls.items() if others & writers} - writers:
        writers |= more
    return public(writers)


def asking(modules: Mapping[str, str]) -> set[str]:
    """The public functions, as module.name, that store nothing."""
    return public(functions(modules)) - writing(modules)


def public(names: Iterable[str]) -> set[str]:
    return {name for name in names if not name.split(".")[1].startswith("_")}


def functions(modules: Mapping[str, str]) -> Functions:
    trees = {module: ast.parse(text) for module, text in modules.items()}
    return {
        f"{module}.{function.name}": (function, imported(tree))
        for module, tree in trees.items()
        for function in tree.body
        if isinstance(function, ast.FunctionDef)
    }


def imported(tree: ast.Module) -> dict[str, str]:
    """What a module calls a service → module.name."""
    return {
        alias.asname or alias.name: f"{node.module.rsplit('.')[-1]}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tournament.services.")
        for alias in node.names
    }


def called(function: ast.FunctionDef, module: str, known: Mapping[str, str]) -> set[str]:
    """The functions of services that it names."""
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    return {known.get(name, f"{module}.{name}") for name in names}


def stores(node: ast.AST) -> bool:
    """Whether it opens an entry of the log, or stores a row."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    opens = isinstance(node.func.value, ast.Name) and (node.func.value.id, node.func.attr) == ("log", "write")
    return opens or node.func.attr in WRITES


def named_by(programs: Iterable[str]) -> set[str]:
    """The services that modules with these texts import."""
    return {name for text in programs for name in imported(ast.parse(text)).values()}


@cache
def written_and_asked() -> tuple[set[str], set[str]]:
    """The services that write, and those that do not."""
    return writing(services()), asking(services())


def test_services_are_verbs() -> None:
    _written, asked = written_and_asked()
    assert asked == set(GUARDS) | BESIDE | FRESH, "a question goes to tournament/selectors"


def test_every_service_that_writes_has_an_address_or_an_excuse() -> None:
    programs = (path.read_text("utf-8") for path in (TOURNAMENT / "api").rglob("*.py"))
    without_address = written_and_asked()[0] - named_by(programs)
    assert without_address - set(NOT_FOR_PROGRAMS) == set()
    assert set(NOT_FOR_PROGRAMS) - without_address == set(), "has an address, or is gone"


def test_every_service_that_writes_says_who_may_use_it() -> None:
    inside = {name for name, why in NOT_FOR_PROGRAMS.items() if why == INSIDE}
    of_events = {name for name in written_and_asked()[0] if not name.startswith(ELSEWHERE)}
    assert of_events - inside - set(NOT_OF_AN_EVENT) - OF_WHOEVER_HAS_THE_LINK == set(RIGHTS)


SERVICES = {
    "teas": """
from tournament.base import log
from tournament.services.cups import fill, look

def pour(tournament, actor):
    with log.write(tournament, actor, "tea_poured"):
        pass

def serve(tournament, actor):
    pour(tournament, actor)

def again(tournament, actor):
    fill(tournament)

def _hidden(tournament, actor):
    pour(tournament, actor)

def shown(tournament):
    return look(tournament)
""",
    "cups": """
def fill(tournament):
    _into(tournament.cups.first())

def _into(cup):
    cup.save()

def look(tournament):
    return tournament.cups.all()
""",
}


def test_what_writes_and_what_asks_is_found_however_it_does() -> None:
    assert writing(SERVICES) == {"teas.pour", "teas.serve", "teas.again", "cups.fill"}
    assert asking(SERVICES) == {"teas.shown", "cups.look"}
    programs = ["from tournament.services.teas import pour as poured, serve\n"]
    assert writing(SERVICES) - named_by(programs) == {"teas.again", "cups.fill"}
