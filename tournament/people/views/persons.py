"""People across tournaments, for those who may say that two are one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournament.base import access
from tournament.base.errors import Refused
from tournament.base.models.people import Person, PersonChange, Player
from tournament.people.forms import ErasureForm
from tournament.people.selectors.erasure import theirs_to_erase
from tournament.people.selectors.known_people import visible_people
from tournament.people.selectors.merging import likely_pairs, people_listed, recent_changes
from tournament.people.services.erasing import erase_person
from tournament.people.services.persons import merge_people, show_person, undo_merging
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of, tell_refusal


def _keepers(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For who may make tournaments; what each may see of people follows from theirs and the public ones."""

    @never_cache
    @login_required
    def answer(request: HttpRequest, **where: Any) -> HttpResponse:
        access.require_creator(actor_of(request))
        return view(request, **where)

    return answer


@_keepers
def page(request: HttpRequest) -> HttpResponse:
    """`?q=` finds people, `?one=&into=` shows what merging two would do."""
    actor, wanted = actor_of(request), request.GET.get("q", "").strip()[:80]
    one, into = _asked(request, "one"), _asked(request, "into")
    context = {
        "wanted": wanted,
        "people": people_listed(actor, wanted) if wanted else (),
        "pairs": likely_pairs(actor),
        "changes": recent_changes(actor),
        "one": one,
        "into": into,
        "moving": _of_theirs(one) if one and into else (),
        "staying": _of_theirs(into) if one and into else (),
    }
    return render(request, "people/persons.html", context)


def _asked(request: HttpRequest, name: str) -> Person | None:
    key = request.GET.get(name, "")
    if not key:
        return None
    if not (key.isdecimal() and len(key) < 10):
        raise Http404
    return get_object_or_404(visible_people(actor_of(request)), pk=int(key))


def _of_theirs(person: Person | None) -> list[Player]:
    return list(Player.objects.filter(person=person).select_related("tournament")) if person else []


@_keepers
@require_POST
def merge(request: HttpRequest) -> HttpResponse:
    one, into = (
        get_object_or_404(visible_people(actor_of(request)), pk=_key(request, n)) for n in ("one", "into")
    )
    return _pressed(request, lambda: merge_people(one, actor_of(request), into), _("The two are one now."))


@_keepers
@require_POST
def undo(request: HttpRequest, pk: int) -> HttpResponse:
    change = get_object_or_404(PersonChange, pk=pk, into__in=visible_people(actor_of(request)))
    return _pressed(request, lambda: undo_merging(change, actor_of(request)), _("They are two again."))


@_keepers
@require_POST
def shown(request: HttpRequest, pk: int) -> HttpResponse:
    """`shown` says whether; who has asked not to be shown is there by initials alone."""
    person = get_object_or_404(visible_people(actor_of(request)), pk=pk)
    wish = request.POST.get("shown") == "yes"
    done = _("The name is shown.") if wish else _("The name is not shown any more.")
    return _pressed(request, lambda: show_person(person, actor_of(request), shown=wish), done)


@_keepers
@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: HttpRequest, pk: int) -> HttpResponse:
    """At which tournaments they are erased, and where somebody else has to be asked; a POST with the name does it."""
    actor = actor_of(request)
    person = get_object_or_404(visible_people(actor), pk=pk)
    form = ErasureForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            erase_person(person, actor, name=form.cleaned_data["name"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Erased. Their results stay."))
            return redirect("persons")
    context = {"person": person, "theirs": theirs_to_erase(person, actor), "form": form}
    return render(request, "people/person_erase.html", context, status=422 if form.errors else 200)


def _key(request: HttpRequest, name: str) -> int:
    key = request.POST.get(name, "")
    return int(key) if key.isdecimal() and len(key) < 10 else 0


def _pressed(request: HttpRequest, write: Callable[[], object], done: str) -> HttpResponse:
    try:
        write()
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        messages.success(request, done)
    return redirect("persons")
