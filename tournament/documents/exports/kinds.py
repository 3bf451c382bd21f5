"""Every kind of document, and what makes its draft."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tournament.base.models.documents import DocumentJob
from tournament.documents.exports import forms, lists, report, results
from tournament.documents.exports.badges import badges
from tournament.documents.exports.bundle import bundle
from tournament.documents.exports.card import umpires_card
from tournament.documents.exports.card_pdf import card_draft
from tournament.documents.exports.certificates import certificates
from tournament.documents.exports.drafts import Draft, draft
from tournament.documents.exports.paper import page_css
from tournament.documents.exports.seat_papers import SeatPapers, score_sheets, seat_lists, seat_papers
from tournament.documents.exports.site.draft import site
from tournament.documents.exports.standings import standings_sheet
from tournament.web.texts.days import time_text

Maker = Callable[[DocumentJob], Draft]


def _standings(job: DocumentJob) -> Draft:
    sheet = standings_sheet(job.tournament, job.paper)
    return draft(
        "documents/standings.html",
        {"sheet": sheet},
        sheet.made,
        pages=sheet.layout.pages,
        version=sheet.version,
        state=sheet.state,
    )


def _card(job: DocumentJob) -> Draft:
    return card_draft(umpires_card(job.tournament, job.paper))


def _of_seats(template: str, context: Callable[[SeatPapers, DocumentJob], dict[str, object]]) -> Maker:
    """A maker of one of the papers of the seats."""

    def make(job: DocumentJob) -> Draft:
        papers = seat_papers(job)
        made = time_text(papers.made_at)
        about = {"papers": papers, "css": page_css(job.paper), "made": made}
        return draft(template, about | context(papers, job), made)

    return make


MAKERS: Final[Mapping[str, Maker]] = {
    DocumentJob.Kind.STANDINGS: _standings,
    DocumentJob.Kind.TEAMS: results.teams,
    DocumentJob.Kind.NATIONS: results.nations,
    DocumentJob.Kind.SESSION: results.session_standings,
    DocumentJob.Kind.STATISTICS: results.statistics,
    DocumentJob.Kind.BADGES: badges,
    DocumentJob.Kind.CERTIFICATES: certificates,
    DocumentJob.Kind.FOULS: forms.foul_record,
    DocumentJob.Kind.TABULATION: forms.tabulation,
    DocumentJob.Kind.CHECK_IN: lists.check_in_list,
    DocumentJob.Kind.DUES: lists.dues_list,
    DocumentJob.Kind.ROUNDS: lists.umpires,
    DocumentJob.Kind.REPORT: report.report,
    DocumentJob.Kind.OBSERVER: report.observers_report,
    DocumentJob.Kind.BUNDLE: lambda job: bundle(MAKERS, job),
    DocumentJob.Kind.CARD: _card,
    DocumentJob.Kind.SITE: site,
    DocumentJob.Kind.SEATS: _of_seats("documents/seats.html", seat_lists),
    DocumentJob.Kind.SCHEDULES: _of_seats("documents/schedules.html", lambda papers, job: {}),
    DocumentJob.Kind.SCORE_SHEETS: _of_seats("documents/score_sheets.html", score_sheets),
    DocumentJob.Kind.TABLE_NUMBERS: _of_seats("documents/table_numbers.html", lambda papers, job: {}),
}
