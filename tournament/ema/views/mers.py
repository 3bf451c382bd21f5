"""Reckoning with the European ranking: what results come to, and how seats are shared. An address is a calculation."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament.ema.engine.mers import quotas, score
from tournament.ema.forms.mers import QuotasForm, ScoreForm


@require_safe
def player(request: HttpRequest) -> HttpResponse:
    """?results=…&on=…"""
    form = ScoreForm(request.GET if "results" in request.GET else None)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        on = form.cleaned_data["on"]
        context["is_answered"] = True
        context["score"] = score(form.cleaned_data["results"], (on.year, on.month, on.day) if on else None)
    return render(request, "book/calculator/mers.html", context)


@require_safe
def seats(request: HttpRequest) -> HttpResponse:
    """?seats=…&nations=…"""
    form = QuotasForm(request.GET if "nations" in request.GET else None)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        found = quotas(form.cleaned_data["seats"], form.cleaned_data["nations"])
        given = sum(quota.total for quota in found)
        left = form.cleaned_data["seats"] - given
        has_most = any(quota.nation.above is not None for quota in found)
        context |= {"quotas": found, "given": given, "left": left, "has_most": has_most}
    return render(request, "book/calculator/quotas.html", context)
