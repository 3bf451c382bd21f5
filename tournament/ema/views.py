"""Results for the European Mahjong Association, and calculators for its ranking."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.ema.engine.certification import Clause, Status
from tournament.ema.engine.columns import DEFAULT_COLUMNS, Column
from tournament.ema.engine.mers import quotas, score
from tournament.ema.engine.numbers import Check, Finding
from tournament.ema.forms import (
    CertificationForm,
    ColumnFormSet,
    HistoryForm,
    MembersForm,
    QuotasForm,
    ScoreForm,
)
from tournament.ema.models import EmaCertification
from tournament.ema.selectors.certification import certification_of, clauses_of
from tournament.ema.selectors.numbers import changes_of, check_players
from tournament.ema.selectors.preview import preview_of
from tournament.ema.selectors.results import Gap, GapKind, columns_of, ema_results
from tournament.ema.services import set_certification, set_ema_columns
from tournament.ema.texts import REQUIREMENTS, fact_text
from tournament.players.services.players import enter_list
from tournament.web.generic import EditView, EventView
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    add_refusal_messages,
    organiser_page,
    run_and_redirect,
)

Link = tuple[str, str | Promise, str]
"""URL name, label and fragment."""
_EVENT_PAGE: Final = gettext_lazy("Open event page")
_COLUMNS: Final = gettext_lazy("Edit columns")
_PLAYERS: Final = gettext_lazy("Show players")
_RULES: Final = gettext_lazy("Open rules")
GAP_LINKS: Final[Mapping[GapKind, Link]] = {
    GapKind.NOT_FINAL: ("organiser_publish", gettext_lazy("Publish standings"), ""),
    GapKind.MAY_CHANGE: ("appeals", gettext_lazy("Show appeals"), ""),
    GapKind.SESSIONS: ("organiser_board", gettext_lazy("Open sessions"), ""),
    GapKind.FEW: ("organiser_people", _PLAYERS, ""),
    GapKind.SUBSTITUTES: ("organiser_people", _PLAYERS, ""),
    GapKind.NOT_COUNTED: ("organiser_event", _EVENT_PAGE, "#id_page-mers"),
    GapKind.EVENT_COUNTRY: ("organiser_event", _EVENT_PAGE, "#id_page-country"),
    GapKind.REFEREE: ("organiser_event", _EVENT_PAGE, "#id_page-referees"),
    GapKind.RULEBOOK: ("organiser_rules", _RULES, ""),
    GapKind.SCALE: ("organiser_rules", _RULES, ""),
    GapKind.COLUMN_EMPTY: ("organiser_ema", _COLUMNS, "?columns=1#columns"),
    GapKind.COLUMN_MISSING: ("organiser_ema", _COLUMNS, "?columns=1#columns"),
}
"""Where to fix gaps that are about neither a player nor a table."""


def _gap_row(tournament: Tournament, gap: Gap) -> dict[str, str]:
    """Return the sentence of a gap with a link to where it can be fixed."""
    fragment = ""
    if gap.table is not None:
        label, url = _("Open table"), reverse("desk", args=[tournament.slug, gap.session, gap.table])
    elif gap.player is not None:
        label, url = _("Open player"), reverse("organiser_person", args=[tournament.slug, f"p{gap.player}"])
    else:
        name, text, fragment = GAP_LINKS[gap.kind]
        label, url = str(text), reverse(name, args=[tournament.slug])
    return {"text": sentence(gap.problem), "label": label, "url": url + fragment}


class CertificationPage(EditView):
    """Check the event against the EMA's requirements, clause by clause; edit what Hule cannot know."""

    form_class = CertificationForm
    template = "ema/certification"
    section = "certification"
    success_page = "organiser_certification"

    def get_object(self) -> EmaCertification:
        return certification_of(self.tournament)

    def save(self, instance: EmaCertification, rows: list[Any]) -> None:
        set_certification(instance, self.actor)

    def extra_context(self) -> dict[str, Any]:
        clauses = clauses_of(self.tournament)
        return {
            "groups": [
                {
                    "status": status.value,
                    "title": STATUS_TITLES[status],
                    "clauses": [_clause_row(clause) for clause in clauses if clause.status is status],
                }
                for status in STATUS_TITLES
            ]
        }


STATUS_TITLES: Final[Mapping[Status, Promise]] = {
    Status.NOT_MET: gettext_lazy("Not met"),
    Status.LATER: gettext_lazy("Not yet known or done"),
    Status.NOT_CHECKABLE: gettext_lazy("Check yourself"),
    Status.MET: gettext_lazy("Met"),
}
"""The groups of clauses, in the order of the page."""
CLAUSE_LINKS: Final[Mapping[str, Link]] = {
    **dict.fromkeys(
        (
            "page_place",
            "page_umpires",
            "page_catering",
            "page_travel",
            "private",
            "page_participants",
            "location",
            "no_country",
        ),
        ("organiser_event", _EVENT_PAGE, ""),
    ),
    **dict.fromkeys(
        ("page_registration", "page_fee"),
        ("organiser_registration", gettext_lazy("Open registration"), ""),
    ),
    **dict.fromkeys(
        ("page_timetable", "no_timetable", "a_day", "shortest"),
        ("organiser_timetable", gettext_lazy("Open timetable"), ""),
    ),
    **dict.fromkeys(("umpires", "playing_umpires"), ("organiser_staff", gettext_lazy("Open team"), "")),
    **dict.fromkeys(("members", "no_players", "home"), ("organiser_people", _PLAYERS, "")),
    **dict.fromkeys(
        ("equipment", "draw", "report"), ("organiser_documents", gettext_lazy("Open documents"), "")
    ),
    **dict.fromkeys(("results_shown", "countdown"), ("organiser_hall", gettext_lazy("Open screens"), "")),
    **dict.fromkeys(
        ("page_prizes", "no_prizes", "money_prizes"), ("organiser_prizes", gettext_lazy("Open prizes"), "")
    ),
    "sessions": ("organiser_event", _EVENT_PAGE, ""),
    "other_rule_set": ("organiser_rules", _RULES, ""),
    "results_missing": ("organiser_ema", gettext_lazy("Show what is missing"), ""),
}
"""Fact of a clause → where it can be changed."""


def _clause_row(clause: Clause) -> dict[str, Any]:
    return {
        "number": clause.number,
        "text": REQUIREMENTS[clause.key],
        "fact": fact_text(clause),
        "is_required": clause.is_required,
        "link": CLAUSE_LINKS.get(clause.fact) if clause.status is not Status.MET else None,
    }


class EmaPage(EditView):
    """Show what is missing, the file, the weight and every player's base; edit all columns of the file."""

    template = "ema/ema"
    section = "ema"
    rows_name = "columns"
    success_page = "organiser_ema"

    def get_formset(self, data: Any = None, files: Any = None) -> Any:
        columns = columns_of(self.tournament)
        return ColumnFormSet(data, files, initial=[asdict(column) for column in columns])

    def save(self, instance: None, rows: list[Any]) -> None:
        set_ema_columns(self.tournament, self.actor, [Column(**row) for row in rows])

    def extra_context(self) -> dict[str, Any]:
        results = ema_results(self.tournament)
        rows = [(gap.is_note, _gap_row(self.tournament, gap)) for gap in results.gaps]
        return {
            "results": results,
            "gaps": [row for is_note, row in rows if not is_note],
            "notes": [row for is_note, row in rows if is_note],
            "is_default": columns_of(self.tournament) == DEFAULT_COLUMNS,
        }


class NumbersPage(EventView):
    """Compare the players' EMA numbers with a list. POST with `chosen` stores what the list offers to these players."""

    template, section = "ema/numbers", "ema"

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return self.render({"form": MembersForm()})

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        form = MembersForm(request.POST, request.FILES)
        if not form.is_valid():
            return self.render({"form": form}, UNPROCESSABLE)
        checks, status = check_players(self.tournament, form.cleaned_data["members"]), 200
        if "apply" in request.POST:
            chosen = [int(number) for number in request.POST.getlist("chosen") if number.isdecimal()]
            try:
                result = enter_list(self.tournament, self.actor, (), changes_of(checks, chosen))
            except Refused as refused:
                add_refusal_messages(request, refused)
                status = UNPROCESSABLE
            else:
                n = len(result.changed)
                text = ngettext("{n} EMA number is stored.", "{n} EMA numbers are stored.", n)
                messages.success(request, text.format(n=n))
                return redirect("organiser_ema_numbers", self.tournament.slug)
        return self.render(self._context(form, checks), status)

    def _context(self, form: MembersForm, checks: list[Check]) -> dict[str, Any]:
        """Return the context. What the list offers is sent again with the choice."""
        offered = [check for check in checks if check.number]
        others = [check for check in checks if not check.number and check.finding is not Finding.MATCHES]
        return {
            "form": form,
            "is_checked": True,
            "offered": offered,
            "others": [(check, FINDINGS[check.finding]) for check in others],
            "matches": sum(check.finding is Finding.MATCHES for check in checks),
            "pasted": "\n".join(f"{check.number}\t{check.holder.name}" for check in offered),
        }


FINDINGS: Final[Mapping[Finding, Promise]] = {
    Finding.OTHER_NAME: gettext_lazy("The list has this number with another name:"),
    Finding.AMBIGUOUS: gettext_lazy(
        "The list has this name more than once, or the number belongs to another player."
    ),
    Finding.NOT_LISTED: gettext_lazy("The list has neither this number nor this name."),
    Finding.WITHOUT: gettext_lazy("No number, and the list does not have this name."),
}


class PreviewPage(EventView):
    """Show what the event would bring to each player in the ranking, from earlier results, which are not stored."""

    template, section = "ema/preview", "ema"

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return self.render({"form": HistoryForm()})

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        form = HistoryForm(request.POST, request.FILES)
        if not form.is_valid():
            return self.render({"form": form}, UNPROCESSABLE)
        results = ema_results(self.tournament)
        preview = preview_of(results, form.cleaned_data["history"])
        context = {"preview": preview, "counted_from": date.fromordinal(preview.on)}
        return self.render({"form": form, "weight": results.participation.weight.total} | context)


@organiser_page
@require_POST
def reset_columns(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Reset the columns to the default ones."""
    return run_and_redirect(
        request,
        lambda: set_ema_columns(tournament, actor_of(request), DEFAULT_COLUMNS),
        _("The usual columns are back."),
        "organiser_ema",
        tournament.slug,
    )


@require_safe
def score_calculator(request: HttpRequest) -> HttpResponse:
    """Calculate the score of `?results=&on=`."""
    form = ScoreForm(request.GET if "results" in request.GET else None)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        on = form.cleaned_data["on"]
        context["is_answered"] = True
        context["score"] = score(form.cleaned_data["results"], on.toordinal() if on else None)
    return render(request, "book/calculator/mers.html", context)


@require_safe
def quotas_calculator(request: HttpRequest) -> HttpResponse:
    """Calculate the seats by country for `?seats=&nations=`."""
    form = QuotasForm(request.GET if "nations" in request.GET else None)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        rows = quotas(form.cleaned_data["seats"], form.cleaned_data["nations"])
        total = sum(quota.total for quota in rows)
        left = form.cleaned_data["seats"] - total
        has_maximum = any(quota.nation.above is not None for quota in rows)
        context |= {"quotas": rows, "total": total, "left": left, "has_maximum": has_maximum}
    return render(request, "book/calculator/quotas.html", context)
