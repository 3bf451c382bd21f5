"""Document jobs on a page."""

from django import template

from tournament.documents.status import DocumentStatus, job_status, paper_of
from tournament.models import DocumentJob

register = template.Library()


@register.simple_tag
def usual_paper(jobs: list[DocumentJob], kind: str) -> str:
    """What this kind of document is most likely printed on."""
    return paper_of(jobs, kind)


@register.filter
def status(job: DocumentJob) -> DocumentStatus:
    """How far a job is, in words and figures: `{% with now=job|status %}{{ now.sentence }}{% endwith %}`."""
    return job_status(job)


@register.simple_tag
def papers(kind: str) -> list[tuple[str, str]]:
    """The sizes of paper that a kind of document is made for."""
    return [(paper.value, str(paper.label)) for paper in DocumentJob.papers_of(kind)]
