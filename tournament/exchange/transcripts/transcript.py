"""Play the transcript of a whole tournament (`hule-transcript`, version 1) through the services.

The rules are checked by the same services that the umpires' pages call. docs/api/transcript.md describes the format.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import takewhile

from django.db import transaction

from scoring.engine.problems import Problem, problem_code
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import NOT_UNDERSTOOD
from tournament.events.services import create_tournament
from tournament.exchange.audit import contradicted_hands
from tournament.exchange.transcripts.format import TranscriptError
from tournament.exchange.transcripts.playing import DEFAULT_REASON, name_stand_ins, play_sheet
from tournament.exchange.transcripts.reading import (
    Transcript,
    TranscriptFinal,
    TranscriptSession,
    apply_foul,
    apply_own_rules,
    load,
)
from tournament.exchange.transcripts.score_sheet import Sheet, place_in, refusals_at
from tournament.fouls.services.penalties import show_penalties
from tournament.play.selectors.timetable import vacant_seats
from tournament.play.services.sessions import (
    close_session,
    extend_clock,
    pause_clock,
    resume_clock,
    start_session,
)
from tournament.play.services.tables import hand_in
from tournament.players.services.players import add_players, reinstate_player, withdraw_player
from tournament.seating.engine.plans import UNKNOWN_PLAYER
from tournament.seating.services.seatings import restore_final, seat_players
from tournament.staff.services import give_role

NOT_SEATED = problem_code("not_seated", "player {player} has no seat in this session.")
SEATED_ALL_THE_SAME = problem_code(
    "seated_all_the_same", "player {player} does not play in this session, and has a seat."
)

__all__ = ["Stop", "Transcript", "TranscriptError", "contradictions", "load", "play", "play_sheet"]


@dataclass(frozen=True)
class Stop:
    """Where to stop playing."""

    session: int
    hands: tuple[int, ...]
    """Hands played in this session, table by table."""


@transaction.atomic
def play(
    transcript: Transcript,
    organiser: Actor,
    stop: Stop | None = None,
    *,
    umpire: Actor | None = None,
    after_session: Callable[[int], None] = lambda number: None,
) -> Tournament:
    """Create the tournament of a transcript and play it. Raises TranscriptError and stores nothing then.

    The organiser writes everything, except at the tables if there is an `umpire`, who gets the role in the whole
    tournament. `after_session` is called with the number of each session that was played to its end.
    """
    tournament = _create_tournament(transcript, organiser)
    if umpire is not None:
        give_role(tournament, organiser, umpire.user)
    replay = _Replay(transcript, organiser, umpire or organiser, stop)
    for number in range(1, len(transcript.sessions) + 1):
        if stop and number > stop.session:
            break
        if replay.play_session(tournament, number):
            after_session(number)
    tournament.refresh_from_db()
    return tournament


def contradictions(tournament: Tournament) -> Iterator[tuple[str, Problem]]:
    """Yield (place, problem) of hands whose winner a later penalty barred from winning, and that need correcting."""
    tables = Table.objects.filter(session__tournament=tournament, penalties__isnull=False).distinct()
    for table in tables.select_related("session__tournament").order_by("session__number", "number"):
        for number, problem in contradicted_hands(table):
            yield place_in(table, f"hand {number}"), problem


def _create_tournament(transcript: Transcript, organiser: Actor) -> Tournament:
    """Create the tournament, and seat its players up to the first final."""
    with refusals_at("tournament"):
        tournament = create_tournament(organiser, Tournament(**transcript.particulars))
        apply_own_rules(tournament, organiser, transcript.own_rules)
        show_penalties(tournament, organiser, public=transcript.penalties_public)
    for n, foul in enumerate(transcript.own_rules.get("fouls", ()), 1):
        with refusals_at(f"tournament, foul {n}"):
            if apply_foul(tournament, organiser, foul).key != foul["key"]:
                raise Refused(NOT_UNDERSTOOD("key", field="key"))
    with refusals_at("players"):
        add_players(tournament, organiser, transcript.players)
    with refusals_at("sessions"):
        seat_players(tournament, organiser, _seats_until_final(transcript.sessions))
    _check_everybody_seated(transcript)
    _withdraw_and_readmit(tournament, organiser, transcript.withdrawn, (), "players")
    return tournament


def _seats_until_final(sessions: Sequence[TranscriptSession]) -> list[list[dict[str, int]]]:
    """Return the seats of the first session and of those after it, up to the next final."""
    until_final = [*sessions[:1], *takewhile(lambda session: session.final is None, sessions[1:])]
    return [[sheet.seats for sheet in session.sheets] for session in until_final]


def _check_everybody_seated(transcript: Transcript) -> None:
    """Raise TranscriptError unless the seats of each session are those of its players, except `without`.

    The services allow a session without some players; in a transcript that nearly always means a missing table.
    """
    players = {player.number or 0 for player in transcript.players}
    for number, session in enumerate(transcript.sessions, 1):
        if session.final is not None:
            players = {player for group in session.final.groups for player in group}
        expected = players - set(session.without)
        seated = {player for sheet in session.sheets for player in sheet.seats.values()}
        for code, wrong in ((NOT_SEATED, expected - seated), (SEATED_ALL_THE_SAME, seated - expected)):
            if wrong:
                raise TranscriptError(f"session {number}", code(player=min(wrong)))


@dataclass(frozen=True)
class _Replay:
    """A transcript that is being played: who writes, and where to stop."""

    transcript: Transcript
    organiser: Actor
    umpire: Actor
    stop: Stop | None

    def play_session(self, tournament: Tournament, number: int) -> bool:
        """Play a session, up to the stop if it is there. Return whether it was played to its end."""
        played = self.transcript.sessions[number - 1]
        limits = self.stop.hands if self.stop and number == self.stop.session else None
        if played.final is not None:
            self._set_final(tournament, number, played.final)
        session = tournament.sessions.get(number=number)
        tables = list(zip(session.tables.all(), played.sheets, strict=True))
        for table, sheet in tables:
            name_stand_ins(table, sheet, self.organiser)
        with refusals_at(f"session {number}"):
            empty = [seat.player.number for seat in vacant_seats(session)]
            start_session(session, self.organiser, empty=empty)
            if played.extra_minutes:
                extend_clock(session, self.organiser, played.extra_minutes, reason=DEFAULT_REASON)
        for index, (table, sheet) in enumerate(tables):
            self._play_table(table, sheet, None if limits is None else limits[index])
        if limits is None:
            self._pause(session, played)
            self._close(session, played)
        return limits is None

    def _set_final(self, tournament: Tournament, number: int, final: TranscriptFinal) -> None:
        seats = _seats_until_final(self.transcript.sessions[number - 1 :])
        with refusals_at(f"session {number}"):
            restore_final(tournament, self.organiser, final.carry, final.groups, seats)

    def _play_table(self, table: Table, sheet: Sheet, limit: int | None) -> None:
        play_sheet(table, sheet, self.umpire, limit, organiser=self.organiser)
        if limit is None and not sheet.unplayed:
            with refusals_at(place_in(table)):
                hand_in(table, self.umpire)

    def _pause(self, session: Session, played: TranscriptSession) -> None:
        """Pause the clock at the same times after the start of the session as in the transcript."""
        session.refresh_from_db()
        for n, pause in enumerate(played.pauses, 1):
            assert session.started_at is not None, "it has just been played"
            begin = session.started_at + timedelta(seconds=pause.at)
            with refusals_at(f"session {session.number}, pause {n}"):
                pause_clock(session, self.organiser, reason=pause.because, at=begin)
                if pause.seconds is not None:
                    end = begin + timedelta(seconds=pause.seconds)
                    resume_clock(session, self.organiser, reason=DEFAULT_REASON, at=end)

    def _close(self, session: Session, played: TranscriptSession) -> None:
        unplayed = [n for n, sheet in enumerate(played.sheets, 1) if sheet.unplayed]
        place = f"session {session.number}"
        with refusals_at(place):
            close_session(session, self.organiser, unplayed=unplayed, reason=DEFAULT_REASON)
        _withdraw_and_readmit(session.tournament, self.organiser, played.withdrawn, played.readmitted, place)


def _withdraw_and_readmit(
    tournament: Tournament, organiser: Actor, withdrawn: Iterable[int], readmitted: Iterable[int], place: str
) -> None:
    """Withdraw and readmit players, before the first session or between two."""
    for numbers, write in ((withdrawn, withdraw_player), (readmitted, reinstate_player)):
        for number in numbers:
            with refusals_at(place):
                player = tournament.players.filter(number=number).first()
                if player is None:
                    raise Refused(UNKNOWN_PLAYER(player=number))
                write(player, organiser)
