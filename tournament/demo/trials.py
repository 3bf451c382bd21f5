"""Trials: invented tournaments that the worker plays through the services up to their middle.

A trial is played in slices of two seconds, each going on from the database: other tasks run between two slices, and a
worker that was stopped goes on. The demonstration's logins are here, too.
"""

import logging
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from random import Random
from time import monotonic
from typing import Any, ClassVar, Final

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.base.access import Actor
from tournament.base.engine.rules import HANDS_PER_SESSION
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import CRASHED, UNREACHABLE, Tournament, TrialJob
from tournament.demo.generate import generate
from tournament.events.services import create_tournament, delete_tournament
from tournament.exchange.transcripts.reading import Transcript
from tournament.exchange.transcripts.transcript import play_sheet
from tournament.play.services.sessions import close_session, start_session
from tournament.play.services.tables import hand_in
from tournament.players.services.players import add_players
from tournament.ranking.services import publish_standings
from tournament.seating.services.seatings import seat_players
from tournament.web.display import JobStatus

logger = logging.getLogger(__name__)

SESSIONS: Final = 5
RUNNING_SESSION: Final = 3
"""The session that is running; earlier ones are closed and published."""
SLICE_SECONDS: Final = 2.0
"""Seconds that the worker plays at a time."""

_REASON: Final = "trial"
"""Reason for closing a session with open points, such as a table over time."""


def run(job_id: int) -> bool:
    """Play a trial for a time slice. Return whether there is more to do."""
    job = TrialJob.objects.select_related("tournament", "requested_by").filter(pk=job_id).first()
    if job is None or job.state in (TrialJob.State.DONE, TrialJob.State.FAILED):
        return False  # deleted meanwhile, or a duplicate message
    if job.requested_by is None:  # its organiser's account is gone
        job.delete()
        return False
    try:
        return _work(job, Actor.of(job.requested_by))
    except Exception:
        if TrialJob.objects.filter(pk=job.pk).exists():  # otherwise its organiser has deleted it
            logger.exception("Trial %s failed", job_id)
            _mark_failed(job, Actor.of(job.requested_by))
        return False


def _work(job: TrialJob, organiser: Actor) -> bool:
    until = monotonic() + SLICE_SECONDS
    while _do_step(job, organiser):
        if monotonic() > until:
            return True
    TrialJob.objects.filter(pk=job.pk).update(
        state=TrialJob.State.DONE, done_steps=F("steps"), finished_at=timezone.now()
    )
    return False


def _do_step(job: TrialJob, organiser: Actor) -> bool:
    """Do the next step (the seats, one table, or the end of a session). Return False if there is none."""
    if job.tournament is None:
        _prepare(job, organiser)
        return True
    session = job.tournament.sessions.exclude(state=Session.State.CLOSED).earliest("number")
    if session.state == Session.State.PLANNED:
        start_session(session, organiser)
    if (table := _next_table(session)) is not None:
        play_table(table, job, organiser)
        return True
    if session.number == RUNNING_SESSION:
        return False
    close_session(session, organiser, reason=_REASON)
    publish_standings(job.tournament, organiser, reason=_REASON)
    return True


def _prepare(job: TrialJob, organiser: Actor) -> None:
    """Create players and seats. The tournament is private until its organiser changes that."""
    transcript = _transcript_of(job.players, job.pk, timezone.localdate(job.requested_at))
    with transaction.atomic():
        tournament = Tournament(**{**transcript.particulars, "is_public": False})
        job.tournament = create_tournament(organiser, tournament, is_trial=True)
        add_players(job.tournament, organiser, transcript.players)
        seat_players(
            job.tournament,
            organiser,
            [[sheet.seats for sheet in session.sheets] for session in transcript.sessions],
        )
        job.state, job.done_steps = TrialJob.State.RUNNING, 1
        job.steps = 1 + RUNNING_SESSION * len(transcript.sessions[0].sheets)
        job.save(update_fields=["tournament", "state", "done_steps", "steps"])


@lru_cache(maxsize=1)
def _transcript_of(players: int, seed: int, day: date) -> Transcript:
    """Return the trial's transcript; the same for every slice."""
    return generate(players, SESSIONS, f"trial-{seed}", day, until=RUNNING_SESSION)


def _next_table(session: Session) -> Table | None:
    """Return the next table to play; in the running session each is played once, and not to its end."""
    open_tables = session.tables.filter(is_in=False)
    if session.number == RUNNING_SESSION:
        open_tables = open_tables.filter(hands_played=0)
    return open_tables.order_by("number").first()


def play_table(table: Table, job: TrialJob, organiser: Actor) -> None:
    """Play a table to its end or, in the running session, a few hands of it."""
    transcript = _transcript_of(job.players, job.pk, timezone.localdate(job.requested_at))
    number = table.session.number
    sheet = transcript.sessions[number - 1].sheets[table.number - 1]
    if number == RUNNING_SESSION:
        hands = Random(f"{job.pk}/{table.number}").randint(2, HANDS_PER_SESSION // 2)
        play_sheet(table, sheet, organiser, hands)
    else:
        play_sheet(table, sheet, organiser)
        hand_in(table, organiser)
    TrialJob.objects.filter(pk=job.pk).update(done_steps=F("done_steps") + 1)


def _mark_failed(job: TrialJob, organiser: Actor) -> None:
    """Mark the job as failed and delete its tournament."""
    tournament = Tournament.objects.filter(trial_jobs=job).first()
    TrialJob.objects.filter(pk=job.pk).update(
        state=TrialJob.State.FAILED, error=CRASHED, finished_at=timezone.now(), tournament=None
    )
    if tournament is not None:
        delete_tournament(tournament, organiser)


class TrialStatus(JobStatus[TrialJob]):
    WAITING = gettext_lazy("Waiting for the background worker …")
    NO_ANSWER = gettext_lazy(
        "The background worker does not answer. The tournament will be created as soon as it does. bin/run "
        "starts it together with the server; if you do not run this server yourself, tell its administrator."
    )
    LOST = gettext_lazy("The background worker stopped. Create another trial tournament.")
    ERRORS: ClassVar[dict[str, Promise]] = {
        CRASHED: gettext_lazy(
            "The tournament could not be created. The reason is in the server’s log. Try again; if it fails "
            "again, tell the server’s administrator."
        ),
        UNREACHABLE: gettext_lazy("The background worker could not be reached. Try again in a minute."),
    }

    @property
    def _step(self) -> str:
        """Seating is the first step; each further step is a table."""
        tables = (self.job.steps - 1) // RUNNING_SESSION
        played = min(self.job.done_steps - 1, RUNNING_SESSION * tables - 1)
        params = {"session": played // tables + 1, "table": played % tables + 1, "of": tables}
        return _("Playing session %(session)s, table %(table)s of %(of)s …") % params

    @property
    def _done(self) -> str:
        return _("Ready.")


def trial_status(job: TrialJob) -> TrialStatus:
    return TrialStatus(job, timezone.now())


@dataclass(frozen=True)
class Login:
    username: str
    password: str
    first_name: str
    may_create: bool
    """Whether the account may make tournaments."""


ORGANISER: Final = Login("organiser", "demo-organiser", "Olga", may_create=True)
UMPIRE: Final = Login("umpire", "demo-umpire", "Uma", may_create=False)
LOGINS: Final = (ORGANISER, UMPIRE)


def account(login: Login) -> Any:
    """Return the account of a login, created if need be; an existing one is not changed."""
    model = get_user_model()
    user, is_new = model.objects.get_or_create(
        username=login.username, defaults={"first_name": login.first_name, "is_staff": login.may_create}
    )
    if is_new:
        user.set_password(login.password)
        user.save(update_fields=["password"])
    return user


def demo_logins() -> list[Login]:
    """Return the logins whose accounts a demonstration created; passwords are not checked, which is slow."""
    names = dict(get_user_model().objects.values_list("username", "first_name"))
    return [login for login in LOGINS if names.get(login.username) == login.first_name]
