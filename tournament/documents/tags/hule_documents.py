"""Document jobs on a page."""

from django import template

from tournament.base.models.documents import DocumentJob
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.shelf import job_status, paper_of, shelf_of

register = template.Library()


register.simple_tag(paper_of, name="usual_paper")
register.simple_tag(shelf_of, name="shelf")
register.filter("status", job_status)


@register.simple_tag
def papers(kind: str) -> list[tuple[str, str]]:
    """The sizes of paper that a kind of document is made for."""
    return [(paper.value, str(paper.label)) for paper in DocumentJob.papers_of(kind)]


@register.simple_tag
def seated_sessions(tournament: Tournament) -> list[int]:
    """The numbers of the sessions that have seats, for what is printed of one."""
    seated = tournament.sessions.filter(tables__seats__isnull=False).distinct()
    return list(seated.order_by("number").values_list("number", flat=True))


@register.simple_tag
def next_to_print(tournament: Tournament, seated: list[int]) -> int | None:
    """The session whose papers are wanted most likely: the first that is not closed."""
    unclosed = tournament.sessions.exclude(state=Session.State.CLOSED).values_list("number", flat=True)
    return next((number for number in seated if number in set(unclosed)), seated[-1] if seated else None)
