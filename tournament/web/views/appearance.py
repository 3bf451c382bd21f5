"""Choosing light or dark, and the contrast, without JavaScript."""

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from tournament.base import appearance


@csrf_exempt  # a look harms nobody, and pages without a token of their own can be kept for everybody
@require_POST
def set_appearance(request: HttpRequest) -> HttpResponse:
    """POST theme= or contrast= (empty: as the device) and next=: keeps the choice and goes back."""
    back = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = "/"
    response = HttpResponseRedirect(back)
    for name in appearance.CHOICES:
        value = request.POST.get(name)
        if value is None:
            continue
        if value not in appearance.CHOICES[name]:
            return HttpResponseBadRequest()
        appearance.choose(response, name, value)
    return response
