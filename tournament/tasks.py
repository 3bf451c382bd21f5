"""What Celery's worker does."""

from celery import shared_task


@shared_task
def render_document(job_id: int) -> None:
    """Make the document of a DocumentJob and store it there, or store why it could not be made."""
    from tournament.documents.jobs import run

    run(job_id)
