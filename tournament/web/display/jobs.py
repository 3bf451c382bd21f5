"""How far a job of the worker is, for a page: whether anybody still works on it, and what is said of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, Generic, TypeVar

from django.utils.functional import Promise

from tournament.base.models.jobs import ANSWER_WITHIN, DONE_WITHIN, Job

J = TypeVar("J", bound=Job)


@dataclass(frozen=True)
class JobStatus(Generic[J]):
    """A job as it is at a moment. A kind of job has its sentences."""

    job: J
    now: datetime

    WAITING: ClassVar[Promise]
    NO_ANSWER: ClassVar[Promise]
    LOST: ClassVar[Promise]
    ERRORS: ClassVar[Mapping[str, Promise]]

    @property
    def is_waiting(self) -> bool:
        """Whether somebody may still finish it, so that it is worth asking again."""
        unfinished = self.job.state in (Job.State.QUEUED, Job.State.RUNNING)
        return unfinished and self._age <= DONE_WITHIN

    @property
    def is_late(self) -> bool:
        """Whether the worker should have taken the job by now."""
        return self.job.state == Job.State.QUEUED and self._age > ANSWER_WITHIN

    @property
    def is_bad(self) -> bool:
        return self.job.state == Job.State.FAILED or self.is_late or self._is_lost

    @property
    def ask_every(self) -> str:
        """How often the page asks."""
        return "5s" if self.is_late else "1s"

    @property
    def mark(self) -> str:
        """Changes whenever the job would look different."""
        return f"{self.job.state}-{self.job.done_steps}-{self.job.steps}-{self.is_bad:d}"

    @property
    def sentence(self) -> str:
        if self._is_lost:
            return str(self.LOST)
        if self.is_late:
            return str(self.NO_ANSWER)
        match self.job.state:
            case Job.State.QUEUED:
                return str(self.WAITING)
            case Job.State.RUNNING:
                return self._step
            case Job.State.FAILED:
                return str(self.ERRORS[self.job.error])
        return self._done

    @property
    def _step(self) -> str:
        """What is being done."""
        raise NotImplementedError

    @property
    def _done(self) -> str:
        raise NotImplementedError

    @property
    def _is_lost(self) -> bool:
        return self.job.state == Job.State.RUNNING and self._age > DONE_WITHIN

    @property
    def _age(self) -> timedelta:
        return self.now - self.job.requested_at
