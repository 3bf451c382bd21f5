"""People across tournaments: finding one, what they have done in all of them, and two beside each other."""

from __future__ import annotations

from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from scoring.engine import FANS
from tournament.base import access
from tournament.base.models.people import Person
from tournament.people.selectors.head_to_head import head_to_head
from tournament.people.selectors.persons import find_people, person_page, public_people, tournaments_of
from tournament.people.texts.persons import person_slug, shown_name
from tournament.web.views.common import actor_of

MCR_FANS = [fan for fan in FANS if fan.number <= 81]


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """`?q=`: a name in any script and order, or an EMA number; without it, everybody known as far as there is room."""
    wanted = request.GET.get("q", "").strip()[:80]
    found = find_people(wanted)
    played = tournaments_of(found)
    context = {
        "wanted": wanted,
        "people": [(one, person_slug(one), played[one.pk]) for one in found],
        "may_merge": access.can_create(actor_of(request)),
    }
    return _answered(request, "people/people_public", context)


@require_safe
def page(request: HttpRequest, person: str) -> HttpResponse:
    """`?q=` looks for somebody to stand beside them."""
    found = _person(person)
    if person != person_slug(found):
        return redirect("person", person_slug(found), permanent=not found.merged_into_id)
    about, wanted = person_page(found), request.GET.get("q", "").strip()[:80]
    context = {
        "person": found,
        "name": shown_name(found),
        "slug": person,
        "about": about,
        "collection": _collection(about.fans),
        "made": sum(fan.key in about.fans for fan in MCR_FANS),
        "all": len(MCR_FANS),
        "met": [(one, n, shown_name(one), person_slug(one)) for one, n in about.met[:24]],
        "wanted": wanted,
        "others": [(one, person_slug(one)) for one in find_people(wanted) if one.pk != found.pk]
        if wanted
        else (),
    }
    return _answered(request, "people/person", context, hidden=found.is_hidden)


@require_safe
def beside(request: HttpRequest, person: str, other: str) -> HttpResponse:
    """Two people, table by table; nothing of who has asked not to be shown."""
    one, two = _person(person), _person(other)
    if one.is_hidden or two.is_hidden or one.pk == two.pk:
        raise Http404
    if (person, other) != (person_slug(one), person_slug(two)):
        return redirect("head_to_head", person_slug(one), person_slug(two))
    context = {
        "one": shown_name(one),
        "other": shown_name(two),
        "person": person,
        "slug": other,
        "both": head_to_head(one, two),
    }
    return _answered(request, "people/head_to_head", context)


def _person(slug: str) -> Person:
    """By the key at the beginning of the address; of one who was merged, the one they are now."""
    key = slug.partition("-")[0]
    if not (key.isascii() and key.isdecimal() and len(key) < 10):
        raise Http404
    known = Person.objects.filter(pk=int(key)).first()
    found = public_people().filter(pk=known.merged_into_id or known.pk).first() if known else None
    if found is None:
        raise Http404
    return found


def _collection(fans: object) -> list[tuple[int, list[tuple[object, int]]]]:
    """The 81 by points, each with how often it was made."""
    made = dict(fans)  # type: ignore[call-overload]
    rows = sorted(MCR_FANS, key=lambda fan: (-fan.points, fan.number))
    return [
        (points, [(fan, made.get(fan.key, 0)) for fan in alike])
        for points, alike in groupby(rows, key=lambda fan: fan.points)
    ]


def _answered(
    request: HttpRequest, template: str, context: dict[str, object], *, hidden: bool = False
) -> HttpResponse:
    response = render(request, f"{template}.html", context)
    patch_cache_control(response, private=True, no_cache=True)
    if hidden:
        response["X-Robots-Tag"] = "noindex"
    return response
