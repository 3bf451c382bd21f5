"""Tasks that make documents. They import late: only workers need WeasyPrint, but every process loads the tasks."""

from celery import shared_task


@shared_task
def render_document(job_id: int) -> None:
    """Make the document of a DocumentJob and store its file, or why it failed."""
    from tournament.documents.exports.jobs import run_job

    run_job(job_id)


@shared_task
def requeue_documents() -> None:
    """Queue unfinished jobs again. Called when a worker starts: the one before may have been killed."""
    from tournament.documents.exports.jobs import requeue_unfinished_jobs

    requeue_unfinished_jobs()
