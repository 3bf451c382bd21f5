"""Playing an invented event."""

from celery import shared_task


@shared_task
def make_trial(job_id: int) -> None:
    """Go on with the tournament of a TrialJob for a while, and queue the rest behind what waits."""
    from tournament.demo.trials import run

    if run(job_id):
        make_trial.delay(job_id)
