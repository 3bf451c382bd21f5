"""Task that plays trial tournaments."""

from celery import shared_task


@shared_task
def make_trial(job_id: int) -> None:
    """Play the tournament of a TrialJob for a time slice, and queue the rest."""
    from tournament.demo.trials import run

    if run(job_id):
        make_trial.delay(job_id)
