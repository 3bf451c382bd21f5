"""What is said where there is nothing: a page to people, a problem to programs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.utils.translation import gettext as _
from django.views.defaults import page_not_found

from scoring.refusals import CONTENT_TYPE, problem

OF_PROGRAMS = "/api/"


def not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    if not request.path.startswith(OF_PROGRAMS):
        return page_not_found(request, exception)
    said = _("There is nothing at this address.")
    fault = {"code": "not_found", "where": "", "message": said, "params": {}}
    return JsonResponse(problem(404, said, [fault]), status=404, content_type=CONTENT_TYPE)
