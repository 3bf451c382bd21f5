"""Services are verbs: each writes, or it is said here why not. Programs can do what pages can: the API calls each."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

TOURNAMENT = Path(__file__).parents[2] / "tournament"
WRITES = {
    "bulk_create",
    "bulk_update",
    "create",
    "create_superuser",
    "create_user",
    "delete",
    "get_or_create",
    "save",
    "set",
    "update",
    "update_or_create",
    "verify_token",
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
    "arrivals.take_in": "the address calls bring_in, which reads the file first",
    "arrivals.note_taken": "the address calls take_away, which writes the file first",
    "absences.leave_seat": INSIDE,
    "absences.let_play": INSIDE,
    "absences.take_seat_again": INSIDE,
    "accounts.make_first_organiser": "in a browser, with the code that is printed when the server first starts",
    "check_in.check_in_themselves": DOOR,
    "check_in.take_own_check_in_back": DOOR,
    "contacts.delete_old_contacts": "every day, by the worker; delete_contacts is for one event",
    "deletion.remove_file": INSIDE,
    "draw.restore": INSIDE,
    "erasing.erase_person": "erase_player at each of their tournaments: programs ask for each",
    "dues.come_to_owe": INSIDE,
    "dues.give_dues": PREVIEWED,
    "dues.take_dues_back": PREVIEWED,
    "draw.seat": "stores a draw that is there: draw_seats, and an event that is played again from its transcript",
    "draw.store_tables": INSIDE,
    "finals.take_final": "stores a final that is there: set_up_final, and an event that is played again",
    "missing.leave_together": INSIDE,
    "missing.play_again": INSIDE,
    "mails.change_letter": LETTERS,
    "mails.restore_letter": LETTERS,
    "mails.send_again": LETTERS,
    "mails.send_unsent": LETTERS,
    "people.link_known": INSIDE,
    "invitations.join": "in a browser, by a person, on the page of their invitation: programs accept with an account",
    "players.add_players": "lists come to enter_list; it is for events played again from their transcript",
    "players.enter": INSIDE,
    "reminders.remind": PREVIEWED,
    "pictures.drawn_anew": INSIDE,
    "reseating.put": INSIDE,
    "reseating.reseat": INSIDE,
    "in_step.follow": INSIDE,
    "registration_expiry.forget_unconfirmed": "every day, by the worker",
    "registration_moves.fill_up": INSIDE,
    "registration_moves.move": INSIDE,
    "registrations.store": INSIDE,
    "rulings.carry_out_for_hand": INSIDE,
    "rulings.carry_out_for_penalty": INSIDE,
    "puzzles.add_puzzle": HALL_QUIZ,
    "puzzles.remove_puzzle": HALL_QUIZ,
    "restores.carry_out": BACKUPS,
    "restores.restore_backup": BACKUPS,
    "second_factor.begin_second_factor": OWN_ACCOUNT,
    "second_factor.confirm_second_factor": OWN_ACCOUNT,
    "second_factor.end_second_factor": OWN_ACCOUNT,
    "second_factor.renew_recovery_codes": OWN_ACCOUNT,
    "second_factor.take_code": "a program signs in with one: tournament/sign_in counts the attempt and calls it",
    "signed_in.end_other_visits": OWN_ACCOUNT,
    "signed_in.end_token": OWN_ACCOUNT,
    "signed_in.end_visit": OWN_ACCOUNT,
    "signed_in.forget_what_is_over": "every day, by the worker",
    "signed_in.name_token": OWN_ACCOUNT,
    "signed_in.note_use": "whenever a program shows its token",
    "staff.assign": INSIDE,
    "tables.end_calls": INSIDE,
    "tables.settle": INSIDE,
    "tables.void_signatures": INSIDE,
    "timetable.move_timetable": INSIDE,
    "totals.close_second": INSIDE,
    "totals.keep": INSIDE,
    "totals.overtake": INSIDE,
    "totals.retire": INSIDE,
    "totals.store": INSIDE,
    "trials.request_trial": "for somebody who looks around in a browser; programs have manage.py demo",
    "vacancies.forget_stand_ins": INSIDE,
}
"""Services that write and have no address in the API, with the reason."""


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


def services() -> dict[str, str]:
    """Module → its text."""
    return {path.stem: path.read_text("utf-8") for path in (TOURNAMENT / "services").glob("*.py")}


def missing() -> set[str]:
    """The services that write and that no module of the API names."""
    programs = (path.read_text("utf-8") for path in (TOURNAMENT / "api").rglob("*.py"))
    return writing(services()) - named_by(programs)


def writing(modules: Mapping[str, str]) -> set[str]:
    """The public functions, as module.name, that store something themselves or by calling others that do."""
    calls: dict[str, set[str]] = {}
    found = set()
    for name, (function, known) in functions(modules).items():
        calls[name] = set(called(function, name.split(".")[0], known))
        if any(stores(node) for node in ast.walk(function)):
            found.add(name)
    while more := {name for name, others in calls.items() if others & found} - found:
        found |= more
    return public(found)


def asking(modules: Mapping[str, str]) -> set[str]:
    """The public functions, as module.name, that store nothing."""
    return public(functions(modules)) - writing(modules)


def public(names: Iterable[str]) -> set[str]:
    return {name for name in names if not name.split(".")[1].startswith("_")}


def functions(modules: Mapping[str, str]) -> dict[str, tuple[ast.FunctionDef, Mapping[str, str]]]:
    """module.name → the function, and what its module imports."""
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


def called(function: ast.FunctionDef, module: str, known: Mapping[str, str]) -> Iterator[str]:
    """The functions of services that it names."""
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            yield known.get(node.id, f"{module}.{node.id}")


def stores(node: ast.AST) -> bool:
    """Whether it opens an entry of the log, or stores a row."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    opens = isinstance(node.func.value, ast.Name) and (node.func.value.id, node.func.attr) == ("log", "write")
    return opens or node.func.attr in WRITES


def named_by(programs: Iterable[str]) -> set[str]:
    """The services that modules with these texts import."""
    return {name for text in programs for name in imported(ast.parse(text)).values()}


def test_services_are_verbs() -> None:
    assert asking(services()) == set(GUARDS) | BESIDE | FRESH, "a question goes to tournament/selectors"


def test_every_service_that_writes_has_an_address() -> None:
    assert missing() - set(NOT_FOR_PROGRAMS) == set()


def test_nothing_is_excused_that_has_an_address_or_is_gone() -> None:
    assert set(NOT_FOR_PROGRAMS) - missing() == set()


SERVICES = {
    "teas": """
from tournament import log
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


def test_a_service_without_an_address_is_found_however_it_writes() -> None:
    assert writing(SERVICES) == {"teas.pour", "teas.serve", "teas.again", "cups.fill"}


def test_a_question_among_them_is_found() -> None:
    assert asking(SERVICES) == {"teas.shown", "cups.look"}


def test_an_address_is_known_by_what_it_imports() -> None:
    programs = ["from tournament.services.teas import pour as poured, serve\n"]
    assert writing(SERVICES) - named_by(programs) == {"teas.again", "cups.fill"}
