"""Results for the European Mahjong Association, and reckoning with its ranking."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.ema.engine import DEFAULT, Column, quotas, score
from tournament.ema.forms import ColumnFormSet, QuotasForm, ScoreForm
from tournament.ema.selectors import Found, Gap, columns_of, ema_results
from tournament.ema.services import set_ema_columns
from tournament.ema.texts import UNCHECKED
from tournament.web.generic import EditView
from tournament.web.views import actor_of, organiser_page, render_page, run_and_redirect

Way = tuple[str, str | Promise, str]
"""The name of the page where a gap is mended, what its link is called, and the place on it."""
_EVENT_PAGE: Final = gettext_lazy("Open event page")
_COLUMNS: Final = gettext_lazy("Edit columns")
_PLAYERS: Final = gettext_lazy("Show players")
_RULES: Final = gettext_lazy("Open rules")
WAYS: Final[Mapping[Gap, Way]] = {
    Gap.NOT_FINAL: ("organiser_publish", gettext_lazy("Publish standings"), ""),
    Gap.MAY_CHANGE: ("appeals", gettext_lazy("Show appeals"), ""),
    Gap.SESSIONS: ("organiser_board", gettext_lazy("Open sessions"), ""),
    Gap.FEW: ("organiser_players", _PLAYERS, ""),
    Gap.SUBSTITUTES: ("organiser_players", _PLAYERS, ""),
    Gap.NOT_COUNTED: ("organiser_event_page", _EVENT_PAGE, "#id_mers"),
    Gap.EVENT_COUNTRY: ("organiser_event_page", _EVENT_PAGE, "#id_country"),
    Gap.REFEREE: ("organiser_event_page", _EVENT_PAGE, "#id_referees"),
    Gap.RULEBOOK: ("organiser_particulars", _RULES, ""),
    Gap.SCALE: ("organiser_particulars", _RULES, ""),
    Gap.COLUMN_EMPTY: ("organiser_ema_columns", _COLUMNS, ""),
    Gap.COLUMN_MISSING: ("organiser_ema_columns", _COLUMNS, ""),
}
"""Of gaps that are about neither a player nor a table."""


@organiser_page
@require_safe
def ema_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show gaps in the EMA's file, the file, the weight, and every player's base."""
    results = ema_results(tournament)
    gaps = results.gaps
    context = {
        "results": results,
        "gaps": [_gap_line(tournament, gap) for gap in gaps if not gap.is_note],
        "notes": [_gap_line(tournament, gap) for gap in gaps if gap.is_note],
        "unchecked": UNCHECKED.items(),
    }
    return render_page(request, "ema/ema", tournament, "ema", context)


def _gap_line(tournament: Tournament, gap: Found) -> dict[str, str]:
    """Return the sentence and the link to where the gap is fixed."""
    place = ""
    if gap.table is not None:
        way, url = _("Open table"), reverse("desk", args=[tournament.slug, gap.session, gap.table])
    elif gap.player is not None:
        way, url = _("Open player"), reverse("organiser_player", args=[tournament.slug, gap.player])
    else:
        name, link, place = WAYS[gap.gap]
        way, url = str(link), reverse(name, args=[tournament.slug])
    return {"text": sentence(gap.problem), "way": way, "url": url + place}


class EditColumns(EditView):
    """All columns at once."""

    template = "ema/ema_columns"
    section = "ema"
    rows_name = "columns"
    success_page = "organiser_ema"

    def get_formset(self, data: Any = None, files: Any = None) -> Any:
        columns = columns_of(self.tournament)
        return ColumnFormSet(data, files, initial=[asdict(column) for column in columns])

    def save(self, instance: None, rows: list[Any]) -> None:
        set_ema_columns(self.tournament, self.actor, [Column(**row) for row in rows])

    def extra_context(self) -> dict[str, Any]:
        return {"is_usual": columns_of(self.tournament) == DEFAULT}


@organiser_page
@require_POST
def ema_columns_usual(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Reset the columns to the default ones."""
    return run_and_redirect(
        request,
        lambda: set_ema_columns(tournament, actor_of(request), DEFAULT),
        _("The usual columns are back."),
        "organiser_ema_columns",
        tournament.slug,
    )


@require_safe
def mers_player(request: HttpRequest) -> HttpResponse:
    """?results=…&on=…"""
    form = ScoreForm(request.GET if "results" in request.GET else None)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        on = form.cleaned_data["on"]
        context["is_answered"] = True
        context["score"] = score(form.cleaned_data["results"], (on.year, on.month, on.day) if on else None)
    return render(request, "book/calculator/mers.html", context)


@require_safe
def mers_seats(request: HttpRequest) -> HttpResponse:
    """?seats=…&nations=…"""
    form = QuotasForm(request.GET if "nations" in request.GET else None)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        shared = quotas(form.cleaned_data["seats"], form.cleaned_data["nations"])
        total = sum(quota.total for quota in shared)
        left = form.cleaned_data["seats"] - total
        has_most = any(quota.nation.above is not None for quota in shared)
        context |= {"quotas": shared, "given": total, "left": left, "has_most": has_most}
    return render(request, "book/calculator/quotas.html", context)
