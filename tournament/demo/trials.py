"""Trials: invented tournaments that the worker plays through the services up to their middle.

A trial is played in slices of two seconds, each going on from the database: other tasks run between two slices, and a
worker that was stopped goes on. The demonstration's logins are here, too.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from time import monotonic
from typing import Any, ClassVar, Final

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone, translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.base.access import Actor
from tournament.base.models.play import Session
from tournament.base.models.tournament import CRASHED, UNREACHABLE, Tournament, TrialJob
from tournament.demo.playing import DemoEvent, Play, create_event, demo_event
from tournament.events.services import delete_tournament
from tournament.web.display import JobStatus

logger = logging.getLogger(__name__)

SESSIONS: Final = 5
RUNNING_SESSION: Final = 3
"""The session that is running; earlier ones are closed and published."""
SLICE_SECONDS: Final = 2.0
"""Seconds that the worker plays at a time."""


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
    for _step in _take_steps(job, organiser):
        if monotonic() > until:
            return True
    TrialJob.objects.filter(pk=job.pk).update(state=TrialJob.State.DONE, finished_at=timezone.now())
    return False


def _take_steps(job: TrialJob, organiser: Actor) -> Iterator[None]:
    """Create the tournament, unless it is there, and do the steps that are left, each in its own transaction."""
    event = _event_of(job.players, job.pk, job.requested_at)
    if job.tournament is None:
        _prepare(job, event, organiser)
        yield
    assert job.tournament is not None
    play = Play(event, job.tournament, organiser, organiser)
    for done, step in enumerate(event.steps[job.done_steps - 1 :], job.done_steps + 1):
        with transaction.atomic():
            play.take(step)
            TrialJob.objects.filter(pk=job.pk).update(done_steps=done)
        yield


@lru_cache(maxsize=1)
def _event_of(players: int, seed: int, now: datetime) -> DemoEvent:
    """Return the trial's event; the same for every slice."""
    return demo_event(players, SESSIONS, f"trial-{seed}", now, until=RUNNING_SESSION)


def _prepare(job: TrialJob, event: DemoEvent, organiser: Actor) -> None:
    """Create players and seats. The tournament is private until its organiser changes that."""
    with transaction.atomic(), translation.override(job.language):
        job.tournament = create_event(event, organiser, is_public=False, is_trial=True)
        job.state, job.done_steps, job.steps = TrialJob.State.RUNNING, 1, 1 + len(event.steps)
        job.save(update_fields=["tournament", "state", "done_steps", "steps"])


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
        closed = Session.objects.filter(tournament=self.job.tournament_id, state=Session.State.CLOSED).count()
        return _("Playing session %(session)s of %(of)s …") % {"session": closed + 1, "of": RUNNING_SESSION}

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
    last_name: str
    may_create: bool
    """Whether the account may make tournaments."""
    age: timedelta
    """How long ago the account was made."""


ORGANISER: Final = Login(
    "organiser", "demo-organiser", "Hélène", "Garnier", may_create=True, age=timedelta(days=800)
)
UMPIRE: Final = Login("umpire", "demo-umpire", "Jérôme", "Vidal", may_create=False, age=timedelta(days=410))
LOGINS: Final = (ORGANISER, UMPIRE)


def account(login: Login) -> Any:
    """Return the account of a login, created if need be; an existing one is not changed."""
    model = get_user_model()
    user, is_new = model.objects.get_or_create(
        username=login.username,
        defaults={
            "first_name": login.first_name,
            "last_name": login.last_name,
            "is_staff": login.may_create,
            "date_joined": timezone.now() - login.age,
        },
    )
    if is_new:
        user.set_password(login.password)
        user.save(update_fields=["password"])
    return user


def demo_logins() -> list[Login]:
    """Return the logins whose accounts a demonstration created; passwords are not checked, which is slow."""
    names = dict(get_user_model().objects.values_list("username", "first_name"))
    return [login for login in LOGINS if names.get(login.username) == login.first_name]
