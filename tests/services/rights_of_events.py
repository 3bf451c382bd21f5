"""What is done to a whole event: its organisers', but for the clock of the hall."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, time, timedelta
from typing import Final
from uuid import uuid4

from django.utils import timezone

from penalties.engine import Names
from penalties.engine.rules.simple import Fixed
from tests.factories import SYSTEM, entrant, make_user, seats_for
from tests.services.rights import CLOCK, CREATORS, JUDGES, ORGANISERS, Deed, right, simply
from tests.services.scene import Scene
from tournament.access import Actor
from tournament.engine.attendance import Attendance
from tournament.engine.finals import Carry, FinalStage, FinalsWish
from tournament.engine.screens import Kind, Turn
from tournament.engine.seating import How
from tournament.engine.statements import Message
from tournament.engine.steering import Command, Way
from tournament.models import Ceremony
from tournament.models.screens import MAIN
from tournament.passes import NewPass, Reach
from tournament.selectors.entrants import FieldChange
from tournament.selectors.particulars import Particulars
from tournament.selectors.session_seats import SessionWish
from tournament.selectors.timetable_lines import TimetableLine
from tournament.services import (
    accounts,
    announcements,
    ceremonies,
    deletion,
    documents,
    draw,
    embargo,
    finals,
    fouls,
    hall_clock,
    passes,
    penalties,
    player_lists,
    players,
    puzzles,
    reseating,
    screens,
    seatings,
    sessions,
    tables,
    timetable,
    tournaments,
    trials,
    unstart,
    vacancies,
    wrong_seats,
)

WORDS: Final = Names.filled("Phone rings")
DAYS: Final = Particulars("Autumn Open", "Hall", date(2026, 11, 14), date(2026, 11, 15))
SHORT: Final = [Turn(Kind.CLOCK, 10)]
WISH: Final = FinalsWish(FinalStage(8, 8, Carry.NOTHING), 1, "lotto")
REASON: Final = "It is time"


def organisers(name: str, deed: Callable[[Scene, Actor], object]) -> None:
    simply(name, ORGANISERS, deed)


# --- the event itself -----------------------------------------------------------------------------------------------
simply(
    "tournaments.create_tournament", CREATORS, lambda at, actor: tournaments.create_tournament(actor, DAYS)
)
simply("trials.request_trial", CREATORS, lambda at, actor: trials.request_trial(actor, 16))
organisers(
    "tournaments.update_tournament",
    lambda at, actor: tournaments.update_tournament(at.tournament, actor, replace(DAYS, sessions_planned=3)),
)
organisers(
    "deletion.delete_tournament",
    lambda at, actor: deletion.delete_tournament(at.tournament, actor, name=at.tournament.name),
)
organisers(
    "documents.request_document",
    lambda at, actor: documents.request_document(at.tournament, actor, kind="standings", language="en"),
)
organisers(
    "announcements.announce",
    lambda at, actor: announcements.announce(at.tournament, actor, Message("Lunch"), uuid=uuid4()),
)
organisers(
    "timetable.set_timetable",
    lambda at, actor: timetable.set_timetable(
        at.tournament,
        actor,
        [TimetableLine(title="Lunch", day=at.tournament.starts_on, starts=time(12), ends=time(13))],
    ),
)


@right("announcements.withdraw_announcement", ORGANISERS)
def _withdraw(at: Scene) -> Deed:
    said = announcements.announce(at.tournament, SYSTEM, Message("Lunch"), uuid=uuid4())
    return lambda actor: announcements.withdraw_announcement(said, actor)


organisers(
    "puzzles.add_puzzle",
    lambda at, actor: puzzles.add_puzzle(at.tournament, actor, "123m 456p 678s 55m 23s +1s", uuid=uuid4()),
)


@right("puzzles.remove_puzzle", ORGANISERS)
def _remove_puzzle(at: Scene) -> Deed:
    added = puzzles.add_puzzle(at.tournament, SYSTEM, "123m 456p 678s 55m 23s +1s", uuid=uuid4())
    return lambda actor: puzzles.remove_puzzle(added, actor)


# --- players --------------------------------------------------------------------------------------------------------
organisers("players.add_player", lambda at, actor: players.add_player(at.tournament, actor, entrant(17)))
organisers("players.add_players", lambda at, actor: players.add_players(at.drawn, actor, [entrant(17)]))
organisers("players.edit_player", lambda at, actor: players.edit_player(at.player(1), actor, entrant(1)))
organisers("players.withdraw_player", lambda at, actor: players.withdraw_player(at.player(1), actor))
organisers(
    "player_lists.enter_list",
    lambda at, actor: player_lists.enter_list(
        at.tournament, actor, [], [FieldChange(1, "country", at.player(1).country, "AUT")]
    ),
)


@right("players.readmit_player", ORGANISERS)
def _readmit(at: Scene) -> Deed:
    players.withdraw_player(at.player(1), SYSTEM)
    return lambda actor: players.readmit_player(at.player(1), actor)


@right("players.delete_player", ORGANISERS)
def _delete(at: Scene) -> Deed:
    new = players.add_player(at.tournament, SYSTEM, entrant(17))
    return lambda actor: players.delete_player(new, actor)


@right("players.add_substitutes", ORGANISERS)
def _substitutes(at: Scene) -> Deed:
    players.withdraw_player(at.player(1), SYSTEM)
    return lambda actor: players.add_substitutes(at.tournament, actor, "Substitute")


# --- seats ----------------------------------------------------------------------------------------------------------
organisers("draw.draw_seats", lambda at, actor: draw.draw_seats(at.drawn, actor, seed="lotto"))
organisers("draw.seat", lambda at, actor: draw.seat(at.drawn, actor, seats_for(16, 2)))
organisers("seatings.swap_players", lambda at, actor: seatings.swap_players(at.drawn, actor, 1, 2, [1]))
organisers("seatings.seat_at_stream", lambda at, actor: seatings.seat_at_stream(at.drawn, actor, [7], 2, [1]))
organisers(
    "seatings.seat_session",
    lambda at, actor: seatings.seat_session(at.drawn, actor, 2, SessionWish(How.LOT, "lotto")),
)
organisers(
    "seatings.take_plan", lambda at, actor: seatings.take_plan(at.drawn, actor, {1: seats_for(16, 2)[1]})
)


@right("seatings.replan_seats", ORGANISERS)
def _replan(at: Scene) -> Deed:
    for number in (1, 2, 3, 4):
        players.withdraw_player(at.drawn.players.get(number=number), SYSTEM)
    return lambda actor: seatings.replan_seats(at.drawn, actor)


@right("reseating.undo_reseating", ORGANISERS)
def _undo_seats(at: Scene) -> Deed:
    seatings.swap_players(at.drawn, SYSTEM, 1, 2, [1])
    return lambda actor: reseating.undo_reseating(at.drawn, actor)


@right("vacancies.name_stand_in", ORGANISERS)
def _name(at: Scene) -> Deed:
    players.withdraw_player(at.player(1), SYSTEM)
    table = at.session(3).tables.get(seats__player__number=1)
    return lambda actor: vacancies.name_stand_in(table, actor, 1, "Ana Lima")


@right("wrong_seats.correct_seats", JUDGES)
def _correct(at: Scene) -> Deed:
    one, other = at.seated[:2]
    return lambda actor: wrong_seats.correct_seats(at.session(2), actor, one, other)


@right("wrong_seats.undo_correction", JUDGES)
def _undo_correction(at: Scene) -> Deed:
    one, other = at.seated[:2]
    wrong_seats.correct_seats(at.session(2), SYSTEM, one, other)
    return lambda actor: wrong_seats.undo_correction(at.session(2), actor)


organisers("finals.set_up_final", lambda at, actor: finals.set_up_final(at.between, actor, WISH))
organisers(
    "finals.take_final",
    lambda at, actor: finals.take_final(
        at.between, actor, Carry.NOTHING, [range(1, 5)], [[dict(zip("ESWN", range(1, 5), strict=True))]]
    ),
)


# --- sessions -------------------------------------------------------------------------------------------------------
organisers(
    "sessions.start_session",
    lambda at, actor: sessions.start_session(at.between.sessions.get(number=2), actor),
)


@right("sessions.close_session", ORGANISERS)
def _close(at: Scene) -> Deed:
    at.hand()
    for table in at.session(2).tables.all():
        tables.hand_in(table, SYSTEM)
    return lambda actor: sessions.close_session(at.session(2), actor)


@right("sessions.reopen_session", ORGANISERS)
def _reopen(at: Scene) -> Deed:
    return lambda actor: sessions.reopen_session(at.between.sessions.get(number=1), actor, reason=REASON)


@right("unstart.unstart_session", ORGANISERS)
def _unstart(at: Scene) -> Deed:
    begun = sessions.start_session(at.between.sessions.get(number=2), SYSTEM)
    return lambda actor: unstart.unstart_session(begun, actor)


simply(
    "hall_clock.pause_clock",
    CLOCK,
    lambda at, actor: hall_clock.pause_clock(at.session(2), actor, reason=REASON),
)
simply(
    "hall_clock.extend_clock",
    CLOCK,
    lambda at, actor: hall_clock.extend_clock(at.session(2), actor, 5, reason=REASON),
)


@right("hall_clock.let_clock_go_on", CLOCK)
def _go_on(at: Scene) -> Deed:
    hall_clock.pause_clock(at.session(2), SYSTEM, reason=REASON)
    return lambda actor: hall_clock.let_clock_go_on(at.session(2), actor, reason=REASON)


# --- results --------------------------------------------------------------------------------------------------------
organisers("embargo.hide_results", lambda at, actor: embargo.hide_results(at.session(3), actor))
organisers(
    "tournaments.publish_standings",
    lambda at, actor: tournaments.publish_standings(at.between, actor, reason=REASON),
)
organisers(
    "ceremonies.start_ceremony",
    lambda at, actor: ceremonies.start_ceremony(at.between, actor, Ceremony.Kind.PLAYERS, 3),
)


@right("embargo.open_results", ORGANISERS)
def _open(at: Scene) -> Deed:
    embargo.hide_results(at.session(2), SYSTEM)
    return lambda actor: embargo.open_results(at.tournament, actor, reason=REASON)


@right("embargo.show_results", ORGANISERS)
def _show(at: Scene) -> Deed:
    embargo.hide_results(at.session(2), SYSTEM)
    return lambda actor: embargo.show_results(at.session(2), actor, reason=REASON)


@right("ceremonies.open_and_publish", ORGANISERS)
def _open_and_publish(at: Scene) -> Deed:
    embargo.hide_results(at.between.sessions.get(number=1), SYSTEM)
    return lambda actor: ceremonies.open_and_publish(at.between, actor, reason=REASON)


def _ceremony(at: Scene) -> Ceremony:
    return ceremonies.start_ceremony(at.between, SYSTEM, Ceremony.Kind.PLAYERS, 3)


@right("ceremonies.tell_next", ORGANISERS)
def _tell(at: Scene) -> Deed:
    ceremony = _ceremony(at)
    return lambda actor: ceremonies.tell_next(ceremony, actor, seen=0)


@right("ceremonies.take_back", ORGANISERS)
def _take_back(at: Scene) -> Deed:
    ceremony = ceremonies.tell_next(_ceremony(at), SYSTEM, seen=0)
    return lambda actor: ceremonies.take_back(ceremony, actor, seen=1)


@right("ceremonies.end_ceremony", ORGANISERS)
def _end(at: Scene) -> Deed:
    ceremony = _ceremony(at)
    return lambda actor: ceremonies.end_ceremony(ceremony, actor)


# --- rules, screens, people -----------------------------------------------------------------------------------------
organisers("fouls.add_foul", lambda at, actor: fouls.add_foul(at.tournament, actor, WORDS, WORDS, Fixed()))
organisers(
    "fouls.change_foul", lambda at, actor: fouls.change_foul(at.tournament, actor, "empty_call", Fixed())
)
organisers(
    "fouls.set_attendance",
    lambda at, actor: fouls.set_attendance(at.tournament, actor, Attendance(withdrawn_ranked=False)),
)
organisers(
    "penalties.show_penalties", lambda at, actor: penalties.show_penalties(at.tournament, actor, public=True)
)
organisers("screens.add_screen", lambda at, actor: screens.add_screen(at.tournament, actor, "foyer"))
organisers(
    "screens.arrange_screen", lambda at, actor: screens.arrange_screen(at.tournament, actor, MAIN, SHORT)
)


@right("fouls.restore_foul", ORGANISERS)
def _restore(at: Scene) -> Deed:
    fouls.change_foul(at.tournament, SYSTEM, "empty_call", Fixed())
    return lambda actor: fouls.restore_foul(at.tournament, actor, "empty_call")


@right("screens.steer_screen", ORGANISERS)
def _steer(at: Scene) -> Deed:
    screens.arrange_screen(at.tournament, SYSTEM, MAIN, [*SHORT, Turn(Kind.RANKING, 10)])
    return lambda actor: screens.steer_screen(at.tournament, actor, MAIN, Command(Way.NEXT))


@right("screens.remove_screen", ORGANISERS)
def _remove(at: Scene) -> Deed:
    screens.add_screen(at.tournament, SYSTEM, "foyer")
    return lambda actor: screens.remove_screen(at.tournament, actor, "foyer")


@right("tournaments.grant_umpire", ORGANISERS)
def _grant(at: Scene) -> Deed:
    user = make_user("nina")
    return lambda actor: tournaments.grant_umpire(at.tournament, actor, user)


@right("tournaments.revoke_umpire", ORGANISERS)
def _revoke(at: Scene) -> Deed:
    membership = tournaments.grant_umpire(at.tournament, SYSTEM, make_user("nina"))
    return lambda actor: tournaments.revoke_umpire(membership, actor)


organisers(
    "accounts.make_umpire", lambda at, actor: accounts.make_umpire(at.tournament, actor, username="nina")
)


def _passes(at: Scene, actor: Actor) -> list[NewPass]:
    return passes.make_passes(
        at.tournament, actor, [Reach("Table 3", table_number=3)], timezone.now() + timedelta(days=1)
    )


organisers("passes.make_passes", _passes)


@right("passes.renew_pass", ORGANISERS)
def _renew(at: Scene) -> Deed:
    (new,) = _passes(at, SYSTEM)
    return lambda actor: passes.renew_pass(new.desk_pass, actor)


@right("passes.revoke_passes", ORGANISERS)
def _revoke_passes(at: Scene) -> Deed:
    (new,) = _passes(at, SYSTEM)
    return lambda actor: passes.revoke_passes(at.tournament, actor, [new.desk_pass])
