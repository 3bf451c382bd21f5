"""Template tags for requesting documents and showing their jobs."""

from django import template

from tournament.base.models.documents import DocumentJob
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.documents.display import document_groups, job_status, last_paper

register = template.Library()


register.simple_tag(last_paper)
register.simple_tag(document_groups)
register.filter("status", job_status)


@register.simple_tag
def paper_sizes(kind: str) -> list[tuple[str, str]]:
    """Return (value, label) of the sizes of paper that a kind of document has a layout for."""
    return [(paper.value, str(paper.label)) for paper in DocumentJob.papers_of(kind)]


@register.simple_tag
def seated_sessions(tournament: Tournament) -> list[int]:
    """Return the numbers of the sessions that have seats."""
    seated = tournament.sessions.filter(tables__seats__isnull=False).distinct()
    return list(seated.order_by("number").values_list("number", flat=True))


@register.simple_tag
def session_to_print(tournament: Tournament, seated: list[int]) -> int | None:
    """Return the first session with seats that is not closed, else the last one: the default to print."""
    unclosed = tournament.sessions.exclude(state=Session.State.CLOSED).values_list("number", flat=True)
    return next((number for number in seated if number in set(unclosed)), seated[-1] if seated else None)
