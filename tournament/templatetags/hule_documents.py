"""Document jobs on a page."""

from django import template

from tournament.documents.status import DocumentStatus, job_status, paper_of
from tournament.models import DocumentJob

register = template.Library()
register.filter("paper_of", paper_of)


@register.filter
def status(job: DocumentJob) -> DocumentStatus:
    """How far a job is, in words and figures: `{% with now=job|status %}{{ now.sentence }}{% endwith %}`."""
    return job_status(job)


@register.simple_tag
def papers() -> list[tuple[str, str]]:
    """The sizes of paper there are."""
    return [(paper.value, str(paper.label)) for paper in DocumentJob.Paper]
