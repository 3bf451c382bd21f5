"""Document jobs on a page."""

from django import template

from tournament.documents.status import JobStatus, job_status
from tournament.models import DocumentJob

register = template.Library()


@register.filter
def status(job: DocumentJob) -> JobStatus:
    """How far a job is, in words and figures: `{% with now=job|status %}{{ now.sentence }}{% endwith %}`."""
    return job_status(job)
