"""The transcript of a whole tournament (`hule-transcript`, version 1), played through the services.

What the rules say is checked by the same services the umpire's form uses. The format is described in
docs/api/transcript.md; `load` reads it.
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
from tournament.fouls.services import show_penalties
from tournament.play.selectors.timetable import vacant_seats
from tournament.play.services.sessions import (
    close_session,
    extend_clock,
    pause_clock,
    resume_clock,
    start_session,
)
from tournament.play.services.tables import hand_in
from tournament.players.services.players import add_players, readmit_player, withdraw_player
from tournament.seating.engine.plans import UNKNOWN_PLAYER
from tournament.seating.services.seatings import restore_final, seat_players
from tournament.staff.services import give_role

NOT_SEATED = problem_code("not_seated", "player {player} has no seat in this session.")
SEATED_ALL_THE_SAME = problem_code(
    "seated_all_the_same", "player {player} does not play in this session, and has a seat."
)

__all__ = ["Stop", "Transcript", "TranscriptError", "contradictions", "load", "play", "write_sheet"]


@dataclass(frozen=True)
class Stop:
    """Where to stop playing: in session `session`, with so many hands at its tables, in the tables' order."""

    session: int
    hands: tuple[int, ...]


@transaction.atomic
def play(
    transcript: Transcript,
    organiser: Actor,
    stop: Stop | None = None,
    *,
    umpire: Actor | None = None,
    after_session: Callable[[int], None] = lambda number: None,
) -> Tournament:
    """Play a transcript from the first registration on. All of it is kept, or nothing (TranscriptError).

    The organiser writes everything, or leaves the tables to an `umpire`, named for the whole tournament.
    `after_session` is called with the number of each session that has been played to its end.
    """
    tournament = _create_tournament(transcript, organiser)
    if umpire is not None:
        give_role(tournament, organiser, umpire.user)
    replay = _Replay(transcript, organiser, umpire or organiser, stop)
    for number in range(1, len(transcript.sessions) + 1):
        if stop and number > stop.session:
            break
        if replay.play(tournament, number):
            after_session(number)
    tournament.refresh_from_db()
    return tournament


def contradictions(tournament: Tournament) -> Iterator[tuple[str, Problem]]:
    """The hands that a penalty given afterwards takes from their winner: played as written, and to be corrected."""
    tables = Table.objects.filter(session__tournament=tournament, penalties__isnull=False).distinct()
    for table in tables.select_related("session__tournament").order_by("session__number", "number"):
        for number, problem in contradicted_hands(table):
            yield place_in(table, f"hand {number}"), problem


def _create_tournament(transcript: Transcript, organiser: Actor) -> Tournament:
    """The tournament with its players seated, up to the first final; nothing played yet."""
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
    """The seats of the first session, and of those after it that belong to the same part of the event."""
    part = [*sessions[:1], *takewhile(lambda session: session.final is None, sessions[1:])]
    return [[sheet.seats for sheet in session.sheets] for session in part]


def _check_everybody_seated(transcript: Transcript) -> None:
    """An organiser may leave somebody out of a session; a transcript that does lacks a table, or says so."""
    playing = {player.number or 0 for player in transcript.players}
    for number, session in enumerate(transcript.sessions, 1):
        if session.final is not None:
            playing = {player for group in session.final.groups for player in group}
        here = playing - set(session.without)
        seated = {player for sheet in session.sheets for player in sheet.seats.values()}
        for code, wrong in ((NOT_SEATED, here - seated), (SEATED_ALL_THE_SAME, seated - here)):
            if wrong:
                raise TranscriptError(f"session {number}", code(player=min(wrong)))


@dataclass(frozen=True)
class _Replay:
    """The people who write, and how far they do."""

    transcript: Transcript
    organiser: Actor
    umpire: Actor
    stop: Stop | None

    def play(self, tournament: Tournament, number: int) -> bool:
        """Play a session, to its end if that is wanted; says whether it was."""
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
        """As long after the gong as it was, however short a replay is."""
        session.refresh_from_db()
        for n, stood in enumerate(played.pauses, 1):
            assert session.started_at is not None, "it has just been played"
            begin, why = session.started_at + timedelta(seconds=stood.refusals_at), stood.because
            with refusals_at(f"session {session.number}, pause {n}"):
                pause_clock(session, self.organiser, reason=why, refusals_at=begin)
                if stood.seconds is not None:
                    end = begin + timedelta(seconds=stood.seconds)
                    resume_clock(session, self.organiser, reason=DEFAULT_REASON, refusals_at=end)

    def _close(self, session: Session, played: TranscriptSession) -> None:
        unplayed = [n for n, sheet in enumerate(played.sheets, 1) if sheet.unplayed]
        where = f"session {session.number}"
        with refusals_at(where):
            close_session(session, self.organiser, unplayed=unplayed, reason=DEFAULT_REASON)
        _withdraw_and_readmit(session.tournament, self.organiser, played.withdrawn, played.readmitted, where)


def _withdraw_and_readmit(
    tournament: Tournament, organiser: Actor, withdrawn: Iterable[int], readmitted: Iterable[int], where: str
) -> None:
    """Between two sessions: who leaves, and who comes back."""
    for numbers, write in ((withdrawn, withdraw_player), (readmitted, readmit_player)):
        for number in numbers:
            with refusals_at(where):
                player = tournament.players.filter(number=number).first()
                if player is None:
                    raise Refused(UNKNOWN_PLAYER(player=number))
                write(player, organiser)
