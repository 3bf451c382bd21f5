"""Services are verbs: each writes, or it is said here why not. Programs can do what pages can: the API calls each."""

import ast
import re
from collections.abc import Iterable, Mapping
from functools import cache

from tests.support.packages import TOURNAMENT, modules_of_layer
from tests.support.rights import NOT_OF_AN_EVENT, RIGHTS

LOG_WRITES = {("log", "write"), ("log", "write_at")}
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
            ranking.publish_club_evening
            play.vacate_seat play.return_to_seat play.delete_photos seating.restore_umpires
            seating.create_tables dues.create_dues_for dues.create_due_at_registration registration.copy_from_players
            players.withdraw_players players.reinstate_players
            people.link_certain_matches players.create_players
            players.mark_namesakes registration.promote_from_waiting_list registration.close_at_draw
            registration.set_state registration.store_registrations seating.replace_seats seating.apply_plan_change
            fouls.settle_appeals fouls.settle_appeals_for_hand accounts.make_account play.end_calls
            play.recalculate play.void_signatures events.move_timetable play.insert
            play.clear_stand_ins registration.follow_state registration.complete_linked
            registration.unlink_players
        """,
        OWN_ACCOUNT: """
            accounts.begin_second_factor accounts.confirm_second_factor
            accounts.end_second_factor accounts.renew_recovery_codes accounts.end_other_visits
            accounts.end_token accounts.end_visit accounts.make_named_token
        """,
        BACKUPS: "backup.run_restore backup.restore_backup",
        PREVIEWED: "dues.charge_debtors dues.undo_charge",
        LETTERS: """
            mail.change_letter mail.restore_letter mail.send_again mail.send_unsent roster.send_message
        """,
        HALL_QUIZ: "screens.add_puzzle screens.remove_puzzle",
        DOOR: "players.check_in_self players.undo_own_check_in",
    }.items()
    for name in names.split()
} | {
    "accounts.make_first_organiser": "in a browser, with the code that is printed when the server first starts",
    "privacy.delete_old_contacts": "every day, by the worker; delete_contacts is for one event",
    "seating.seat_players": "stores a draw that is there: draw_seats, and an event replayed from its transcript",
    "privacy.erase_person": "erase_player at each of their tournaments: programs ask for each",
    "seating.restore_final": "stores a final that is there: set_up_final, and an event replayed",
    "staff.give_role": "programs name an account: make_member",
    "staff.accept_with_new_account": "on the page of an invitation; programs accept with an account",
    "players.enter_list": "enter_people calls it",
    "players.add_players": "lists come to enter_list; it is for events played again from their transcript",
    "registration.delete_expired": "every day, by the worker",
    **dict.fromkeys(("push.mark_reached", "push.delete_unreached"), "by the worker, as push services answer"),
    "accounts.use_code": "a program signs in with one: accounts/sign_in counts the attempt and calls it",
    "accounts.delete_expired": "every day, by the worker",
    "accounts.record_token_use": "whenever a program shows its token",
    "push.delete_expired_phones": "every day, by the worker",
    "push.unsubscribe_phones": "the page's own script asks for it, in the browser whose phone it is",
    "push.subscribe_phone": "the page's own script asks for it, in the browser whose phone it is",
    "site.create_event": "programs create a tournament and its players with the endpoints of each",
    "site.request_trial": "for somebody who looks around in a browser; programs have manage.py demo",
}
"""Services that write and have no address in the API, with the reason."""

ELSEWHERE = ("accounts.", "backup.", "push.")
"""Of one's own account or phone, and for whoever set Hule up: the tests of these packages."""
OF_WHOEVER_HAS_THE_LINK = {"staff.accept_invitation", "staff.accept_with_new_account"}
"""They ask for the token of an open invitation: tests/staff/test_staff.py."""

QUEUES = {"push.notify_after_write", "registration.send_letters", "accounts.request_password_link"}
"""Services that write nothing: they hand a task to the worker."""
GUARDS = {
    "players.require_code": "refuses who has not read the code at the door",
    "play.accept_open_findings": "refuses a step while something is open, and gives the reason to be logged",
    "staff.check_not_last": "refuses to end a role that a tournament needs",
    "play.check_open": "refuses a write at a table of a session that is not being played",
    "play.check_version": "refuses a write by who has not seen the newest state of a table",
    "play.fresh_open_table": "refuses as those two do, and gives the table as it is now",
}
"""Services that write nothing: they stand before the writes of others, and know how to turn them down."""

BESIDE = {
    f"backup.{verb}"
    for verb in ("delete_backup", "back_up_if_changed", "store_upload", "make_backup", "request_backup")
} | {"backup.request_restore", "backup.request_first_restore"}
"""Services that write files beside the database, and no row."""
FRESH = {"play.fresh"}
"""What services read a row anew with, under the lock."""

Functions = dict[str, tuple[ast.FunctionDef, Mapping[str, str]]]
"""The function's dotted name below `tournament` → the function, and what its module imports."""


def layer(name: str) -> dict[str, str]:
    """Return each module of this layer, by its dotted name below `tournament`, with its text."""
    return {
        ".".join(path.relative_to(TOURNAMENT).with_suffix("").parts): path.read_text("utf-8")
        for paths in modules_of_layer(name).values()
        for path in paths
    }


def writing(modules: Mapping[str, str]) -> set[str]:
    """The public functions, as package.name, that store something themselves or by calling others that do."""
    every = functions(modules)
    calls = {
        name: called(function, name.rpartition(".")[0], known) for name, (function, known) in every.items()
    }
    writers = {name for name, (function, _) in every.items() if any(map(stores, ast.walk(function)))}
    while more := {name for name, others in calls.items() if others & writers} - writers:
        writers |= more
    return public(writers)


def reading(modules: Mapping[str, str]) -> set[str]:
    """The public functions, as package.name, that store nothing."""
    return public(functions(modules)) - writing(modules)


def public(names: Iterable[str]) -> set[str]:
    """The services among these dotted names that are not private, as package.name."""
    services = (re.fullmatch(r"(?:.*\.)?(\w+)\.services\.(?:\w+\.)?([a-z]\w*)", name) for name in names)
    return {f"{service[1]}.{service[2]}" for service in services if service}


def functions(modules: Mapping[str, str]) -> Functions:
    trees = {module: ast.parse(text) for module, text in modules.items()}
    return {
        f"{module}.{function.name}": (function, imported(tree))
        for module, tree in trees.items()
        for function in tree.body
        if isinstance(function, ast.FunctionDef)
    }


def imported(tree: ast.Module) -> dict[str, str]:
    """Return what a module calls a service → the service's dotted name below `tournament`."""
    return {
        alias.asname or alias.name: f"{node.module.removeprefix('tournament.')}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and node.module
        and re.match(r"tournament\.(\w+\.)+services\b", node.module)
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
    opens = isinstance(node.func.value, ast.Name) and (node.func.value.id, node.func.attr) in LOG_WRITES
    return opens or node.func.attr in WRITES


def named_by(programs: Iterable[str]) -> set[str]:
    """The services that modules with these texts import."""
    return public(name for text in programs for name in imported(ast.parse(text)).values())


@cache
def services() -> tuple[set[str], set[str]]:
    """The services that write, and those that do not."""
    return writing(layer("services")), reading(layer("services"))


def test_every_service_writes_or_is_listed_with_a_reason() -> None:
    _written, reading_services = services()
    assert reading_services == set(GUARDS) | BESIDE | FRESH | QUEUES, "a question goes to the selectors"


def test_every_writing_service_has_an_endpoint_or_is_listed() -> None:
    without_address = services()[0] - named_by(layer("api").values())
    assert without_address - set(NOT_FOR_PROGRAMS) == set()
    assert set(NOT_FOR_PROGRAMS) - without_address == set(), "has an address, or is gone"


def test_every_writing_service_declares_its_rights() -> None:
    inside = {name for name, why in NOT_FOR_PROGRAMS.items() if why == INSIDE}
    of_events = {name for name in services()[0] if name in RIGHTS or not name.startswith(ELSEWHERE)}
    assert of_events - inside - set(NOT_OF_AN_EVENT) - OF_WHOEVER_HAS_THE_LINK == set(RIGHTS)


SERVICES = {
    "teas.services": """
from tournament.base import log
from tournament.cups.services import fill, look

def pour(tournament, actor):
    with log.write(tournament, actor, "tea_poured", None):
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
    "cups.services": """
def fill(tournament):
    _into(tournament.cups.first())

def _into(cup):
    cup.save()

def look(tournament):
    return tournament.cups.all()
""",
}


def test_writing_services_are_detected_through_calls() -> None:
    assert writing(SERVICES) == {"teas.pour", "teas.serve", "teas.again", "cups.fill"}
    assert reading(SERVICES) == {"teas.shown", "cups.look"}
    programs = ["from tournament.teas.services import pour as poured, serve\n"]
    assert writing(SERVICES) - named_by(programs) == {"teas.again", "cups.fill"}
