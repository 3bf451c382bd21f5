"""Trying Hule: asking for an invented tournament, and watching it being made."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament.base import access
from tournament.base.models.jobs import TrialJob
from tournament.demo.trial_status import trial_status
from tournament.site.services import SIZES, request_trial
from tournament.web.views.common import Request, actor_of


@require_POST
@login_required
def request_one(request: HttpRequest) -> HttpResponse:
    """POST players=, one of the sizes that are offered; "My tournaments" shows how far it is."""
    access.require_creator(actor := actor_of(request))
    players = request.POST.get("players", "")
    if players not in map(str, SIZES):
        return HttpResponseBadRequest()
    request_trial(actor, int(players))
    return redirect("organiser_home")


@never_cache
@login_required
@require_safe
def status(request: Request, job_id: int) -> HttpResponse:
    """How far it is: 204 while it looks as `?seen=` says; once it is there, the page is asked for anew."""
    job = get_object_or_404(TrialJob, pk=job_id, requested_by=request.user)
    if not request.htmx:
        return redirect("organiser_home")
    now = trial_status(job)
    if request.GET.get("seen") == now.mark:
        return HttpResponse(status=204)
    answer = render(request, "site/_trial_job.html", {"job": job, "now": now})
    if job.state == TrialJob.State.DONE:
        answer["HX-Refresh"] = "true"
    return answer
