"""Drawing documents. What draws is loaded only where it is done: every process knows the tasks by name."""

from celery import shared_task


@shared_task
def render_document(job_id: int) -> None:
    """Make the document of a DocumentJob and store it there, or store why it could not be made."""
    from tournament.documents.exports.jobs import run

    run(job_id)


@shared_task
def take_up_documents() -> None:
    """When a worker starts: the documents that one left behind which was killed half-way."""
    from tournament.documents.exports.jobs import take_up_again

    take_up_again()
