"""What now: the one thing for the organiser to do next. Follows from the event's state and the time alone."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from tournament.base.engine.rotation import HANDS_PER_SESSION
from tournament.base.models.tournament import Tournament
from tournament.registration.selectors.registration_plan import Phase, phase_at
from tournament.site.selectors.event_state import Coming, EventState, Running, TableState, event_state
from tournament.site.selectors.steps import Code, Step, Way

BEHIND = 15
"""A table so many minutes behind the clock is looked after: two hands at the usual pace."""
ROUNDED = 5
"""How exactly that is said, in minutes: a bar that changes every minute is read out every minute."""


def next_step(tournament: Tournament) -> Step:
    """The step of a tournament now."""
    return step_of(event_state(tournament), timezone.now())


def step_of(state: EventState, now: datetime) -> Step:
    """Exactly one, whatever the state."""
    if not state.sessions:
        return _registration(state, now) or _before_the_draw(state)
    if waiting := _somebody_waits(state):
        return waiting
    if state.running:
        return _being_played(state.running, now)
    if state.is_over and state.hidden:
        return Step(Code.CEREMONY, Way("organiser_ceremony"))
    if state.to_publish and state.closed not in state.hidden:
        return _publish(state, now)
    if state.coming:
        return _next_session(state, state.coming)
    if state.appeals_until and state.appeals_until > now:
        until = state.appeals_until
        return Step(Code.APPEALS, Way("appeals"), {"until": until}, until=until)
    return Step(Code.ARCHIVE, Way("organiser_documents"))


def _registration(state: EventState, now: datetime) -> Step | None:
    """What comes before the list of players, where people register."""
    if (registered := state.registered) is None:
        return None
    way, phase = Way("organiser_registrations"), phase_at(registered, now)
    is_open = phase is Phase.OPEN
    until = registered.changes_after(now)
    if registered.pending:
        return Step(Code.LOOK_AT, way, {"pending": registered.pending}, until=until)
    if registered.to_enter and (state.players or not is_open):
        return Step(Code.ENTER, way, {"n": registered.to_enter}, until=until)
    if is_open and not state.players:
        return Step(Code.REGISTERING, way, {"n": registered.to_enter}, until=until)
    if phase is Phase.COMING and not state.players:
        return Step(Code.OPENING, way, {"opens": registered.opens_at}, until=until)
    return None


def _before_the_draw(state: EventState) -> Step:
    if not state.players:
        return Step(Code.IMPORT, Way("organiser_import"), also=Way("organiser_registrations"))
    if state.missing:
        return _fill(state)
    return Step(Code.DRAW, Way("organiser_draw"), {"players": state.players})


def _fill(state: EventState) -> Step:
    return Step(Code.FILL, Way("organiser_players"), {"missing": state.missing, "players": state.players})


def _somebody_waits(state: EventState) -> Step | None:
    """People wait: that comes first."""
    if state.calls and state.running:
        way = Way("organiser_session", (state.running.number,), "calls")
        return Step(Code.CALL, way, {"table": state.calls[0], "more": len(state.calls) - 1})
    if state.appeals:
        first = state.appeals[0]
        code = Code.RULING if first.is_pending else Code.APPEAL
        params = {"session": first.session, "table": first.table, "more": len(state.appeals) - 1}
        return Step(code, Way("appeals", anchor=f"a{first.uuid}"), params)
    return None


def _being_played(running: Running, now: datetime) -> Step:
    still_open, session = running.still_open, running.number
    way = Way("organiser_session", (session,))
    if not still_open:
        return Step(Code.CLOSE, Way("organiser_session_close", (session,)), {"session": session})
    if step := _on_paper(running, way, now):
        return step
    if len(still_open) < len(running.tables) and not any(table.hands for table in still_open):
        about = {"session": session, "table": still_open[0].number, "more": len(still_open) - 1}
        return Step(Code.UNPLAYED, Way("organiser_session", (session,), "unplayed"), about)
    if late := next((table for table in still_open if table.late), None):
        about = {"session": session, "table": late.number, "hand": late.late[0], "more": len(late.late) - 1}
        return Step(Code.AFTER_TIME, Way("desk", (session, late.number), "sheet"), about)
    about, now = (
        {"session": session, "open": len(still_open), "of": len(running.tables)},
        running.clock.shows(now),
    )
    if not (in_time := [table for table in still_open if _ends(running, table) > now]):
        return Step(
            Code.TIME_UP,
            Way("organiser_session", (session,), "tables"),
            about | {"table": still_open[0].number},
        )
    if running.clock.pause:
        return Step(Code.PAUSED, Way("hall_clock"), {"session": session})
    return _look_after(running, in_time, now) or Step(
        Code.PLAYING, way, about, until=min(_is_behind_at(running, table) for table in in_time)
    )


def _on_paper(running: Running, way: Way, now: datetime) -> Step | None:
    """Once a sheet is typed, or the time is up, the others on paper are waited for."""
    still_open, shown = running.still_open, running.clock.shows(now)
    if not all(table.on_paper for table in still_open):
        return None
    if len(still_open) == len(running.tables) and any(_ends(running, table) > shown for table in still_open):
        return None
    about = {"session": running.number, "open": len(still_open), "of": len(running.tables)}
    return Step(Code.TOTALS, Way("paper", way.where), about)


def _look_after(running: Running, tables: list[TableState], now: datetime) -> Step | None:
    """The table furthest behind the clock, once it is so far that somebody should go there."""
    slow = [table for table in tables if _is_behind_at(running, table) <= now]
    if not slow:
        return None
    worst = max(slow, key=lambda table: (now - _due(running, table), -table.number))
    minutes = int((now - _due(running, worst)) / timedelta(minutes=1)) // ROUNDED * ROUNDED
    about = {"session": running.number, "table": worst.number, "minutes": minutes, "more": len(slow) - 1}
    until = min(_due(running, worst) + timedelta(minutes=minutes + ROUNDED), _ends(running, worst))
    return Step(Code.BEHIND, Way("desk", (running.number, worst.number)), about, until=until)


def _ends(running: Running, table: TableState) -> datetime:
    return running.clock.after(timedelta(minutes=running.minutes + table.extra))


def _due(running: Running, table: TableState) -> datetime:
    """When the hand under way is over at a table that plays its sixteen hands in the time it has."""
    each = timedelta(minutes=running.minutes + table.extra) / HANDS_PER_SESSION
    return running.clock.after(each * min(table.hands + 1, HANDS_PER_SESSION))


def _is_behind_at(running: Running, table: TableState) -> datetime:
    """When it will be so far behind; with its time over, or all played, that is no question of pace any more."""
    if table.hands >= HANDS_PER_SESSION or table.on_paper:
        return _ends(running, table)
    return min(_due(running, table) + timedelta(minutes=BEHIND), _ends(running, table))


def _publish(state: EventState, now: datetime) -> Step:
    way, about = Way("organiser_publish"), {"session": state.closed, "again": int(state.is_out_of_date)}
    if not state.is_over:
        return Step(Code.PUBLISH, way, about)
    until = state.appeals_until if state.appeals_until and state.appeals_until > now else None
    return Step(Code.PUBLISH_FINAL, way, about | {"until": until}, Way("organiser_ceremony"), until)


def _next_session(state: EventState, coming: Coming) -> Step:
    number = coming.number
    about = {"session": number, "vacant": coming.vacant, "unseated": coming.unseated}
    if coming.changed or not coming.is_seated:
        if state.missing:
            return _fill(state)
        if not coming.is_seated:
            return Step(Code.SEAT, Way("organiser_seats", (number,)), {"session": number})
        also = Way("organiser_session", (number,), "vacancies") if coming.vacant else None
        return Step(Code.REPLAN, Way("organiser_replan"), about, also)
    also = None if state.closed else Way("organiser_draw")
    about = {"session": number, "first": int(not state.closed)}
    return Step(Code.START, Way("organiser_session_start", (number,)), about | {"at": coming.starts_at}, also)
