"""What a trial that is being made says on a page."""

from __future__ import annotations

from typing import ClassVar

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.base.models.tournament import CRASHED, UNREACHABLE, TrialJob
from tournament.demo.trials import RUNNING
from tournament.web.display import JobStatus


class TrialStatus(JobStatus[TrialJob]):
    WAITING = gettext_lazy("Waiting for the background worker …")
    NO_ANSWER = gettext_lazy(
        "The background worker does not answer. The tournament will be made as soon as it does. bin/run starts it "
        "together with the server; if you do not run this server yourself, tell whoever does."
    )
    LOST = gettext_lazy("The background worker stopped on the way. Ask for another tournament to try.")
    ERRORS: ClassVar[dict[str, Promise]] = {
        CRASHED: gettext_lazy(
            "The tournament could not be made. What went wrong is in the server’s log. Ask for it again; if it "
            "fails again, tell whoever runs this server."
        ),
        UNREACHABLE: gettext_lazy(
            "The background worker could not be reached. Ask for the tournament again in a minute."
        ),
    }

    @property
    def _step(self) -> str:
        """The players and their seats are the first step; then it is played table by table."""
        tables = (self.job.steps - 1) // RUNNING
        played = min(self.job.done_steps - 1, RUNNING * tables - 1)
        about = {"session": played // tables + 1, "table": played % tables + 1, "of": tables}
        return _("Playing session %(session)s, table %(table)s of %(of)s …") % about

    @property
    def _done(self) -> str:
        return _("It is there.")


def trial_status(job: TrialJob) -> TrialStatus:
    return TrialStatus(job, timezone.now())
