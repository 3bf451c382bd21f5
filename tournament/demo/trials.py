"""Making a trial: what the worker calls. An invented tournament, played through the services to its middle."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from tournament.access import Actor
from tournament.demo.generate import generate
from tournament.engine.rotation import HANDS_PER_SESSION
from tournament.exchange.transcript import Stop, Transcript, play_on
from tournament.models import Tournament, TrialJob
from tournament.models.jobs import CRASHED
from tournament.services.deletion import delete_tournament
from tournament.services.tournaments import create_tournament, publish_standings

logger = logging.getLogger(__name__)

SESSIONS: Final = 5
RUNNING: Final = 3
"""The session that is being played: what is before it is closed, and published."""


def run(job_id: int) -> None:
    """Make the trial of a job; safe to repeat, as when a worker was stopped half-way: it is begun anew then."""
    job = TrialJob.objects.select_related("tournament", "requested_by").filter(pk=job_id).first()
    if job is None or job.requested_by is None or job.state == TrialJob.State.DONE:
        return  # it was deleted meanwhile, or the message came twice
    organiser = Actor.of(job.requested_by)
    _take_away(job, organiser)
    tables = job.players // 4 * RUNNING
    TrialJob.objects.filter(pk=job.pk).update(
        state=TrialJob.State.RUNNING, done_steps=0, steps=tables + 1, error=""
    )
    try:
        _make(job, organiser)
    except Exception:
        if not TrialJob.objects.filter(pk=job.pk).exists():
            return  # the organiser has deleted it while it was made
        logger.exception("Trial %s failed", job_id)
        _take_away(job, organiser)
        _finish(job, TrialJob.State.FAILED, CRASHED)
    else:
        _finish(job, TrialJob.State.DONE)


def _make(job: TrialJob, organiser: Actor) -> None:
    """Each write on its own: an organiser at work beside it waits for one hand at most, not for four hundred players."""
    transcript, stop = _written(job.players, seed=f"trial-{job.pk}")
    with transaction.atomic():
        job.tournament = create_tournament(organiser, transcript.particulars, is_trial=True)
        job.save(update_fields=["tournament"])
    play_on(
        job.tournament,
        transcript,
        organiser,
        stop,
        after_session=lambda number: _publish(job.tournament, organiser),
        after_table=partial(_one_more, job.pk),
    )


def _written(players: int, seed: str) -> tuple[Transcript, Stop]:
    """What is to be played. Nobody but its organiser sees it until that is changed in its settings."""
    written = generate(players, SESSIONS, seed, timezone.localdate(), until=RUNNING)
    random = Random(seed)
    hands = tuple(random.randint(2, HANDS_PER_SESSION // 2) for _ in range(players // 4))
    particulars = replace(written.particulars, is_public=False)
    return replace(written, particulars=particulars), Stop(RUNNING, hands)


def _publish(tournament: Tournament | None, organiser: Actor) -> None:
    if tournament is not None:
        publish_standings(tournament, organiser, reason="trial")


def _one_more(job: int) -> None:
    TrialJob.objects.filter(pk=job).update(done_steps=F("done_steps") + 1)


def _take_away(job: TrialJob, organiser: Actor) -> None:
    """What there is of it already. The job stays."""
    if (begun := Tournament.objects.filter(trial_jobs=job).first()) is None:
        return
    TrialJob.objects.filter(pk=job.pk).update(tournament=None)
    delete_tournament(begun, organiser)


def _finish(job: TrialJob, state: TrialJob.State, error: str = "") -> None:
    TrialJob.objects.filter(pk=job.pk).update(
        state=state, error=error, done_steps=F("steps"), finished_at=timezone.now()
    )
