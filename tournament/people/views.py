"""People across tournaments and of an event: who is who, for organisers and for everybody."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from scoring.engine import FANS
from tournament.base import access
from tournament.base.errors import Refused
from tournament.base.models.people import Person, PersonChange, Player
from tournament.base.models.tournament import Tournament
from tournament.people.selectors import (
    find_people,
    head_to_head,
    likely_pairs,
    newest_linking,
    people_listed,
    people_of_event,
    person_page,
    public_people,
    recent_changes,
    tournaments_of,
    visible_people,
)
from tournament.people.services import (
    link_several,
    merge_people,
    refuse_person,
    show_person,
    undo_linking,
    undo_merging,
    unlink_player,
)
from tournament.people.texts import person_slug, proposed_lines, shown_name
from tournament.web.views.frame import UNPROCESSABLE, actor_of, organiser_page, press, show, tell_refusal

# --- The people of an event: who of the players is known from others, who may be, and who is new ---


NEW, NOT_NOW = "new", ""


@organiser_page
def people_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Each player with what is proposed; a POST takes all that was chosen, `player-<number>` for each."""
    status = 200
    if request.method == "POST":
        try:
            done = link_several(tournament, actor_of(request), _chosen(request))
        except Refused as refused:
            tell_refusal(request, refused)
            status = UNPROCESSABLE
        else:
            said = ngettext("%(n)s player is known now.", "%(n)s players are known now.", len(done))
            messages.success(request, said % {"n": len(done)})
            return redirect("organiser_people", tournament.slug)
    people = people_of_event(tournament, actor_of(request))
    context = {
        "proposed": [(one.player, proposed_lines(one.proposals)) for one in people if one.proposals],
        "unknown": [one.player for one in people if one.player.person is None and not one.proposals],
        "linked": [
            (one.player, one.player.person, person_slug(one.player.person))
            for one in people
            if one.player.person
        ],
        "undoes": newest_linking(tournament),
    }
    return show(request, "people/people", tournament, "people", context, status=status)


def _chosen(request: HttpRequest) -> dict[int, int | None]:
    """Number → person's key, None for somebody new; who was not said is left out."""
    found: dict[int, int | None] = {}
    for name, value in request.POST.items():
        number = name.removeprefix("player-")
        if number == name or not (number.isdecimal() and len(number) < 6):
            continue
        if value == NEW:
            found[int(number)] = None
        elif isinstance(value, str) and value.isdecimal() and len(value) < 10:
            found[int(number)] = int(value)
    return found


@organiser_page
@require_POST
def people_undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return press(
        request,
        lambda: undo_linking(tournament, actor_of(request)),
        _("It is taken back."),
        "organiser_people",
        tournament.slug,
    )


@organiser_page
@require_POST
def people_not_them(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """`person`: the one who it is not. Linked, the link goes; proposed, they are not proposed again."""
    player = get_object_or_404(tournament.players.select_related("person"), number=number)
    if player.person is not None:
        return press(
            request,
            lambda: unlink_player(player, actor_of(request)),
            _("It is not said any more who this is."),
            "organiser_people",
            tournament.slug,
        )
    key = request.POST.get("person", "")
    people: dict[str, int] = {"pk": int(key) if key.isdecimal() and len(key) < 10 else 0}
    person: Person = get_object_or_404(visible_people(actor_of(request)), **people)
    return press(
        request,
        lambda: refuse_person(player, actor_of(request), person),
        _("They are not proposed again."),
        "organiser_people",
        tournament.slug,
    )


# --- People public ---
# People across tournaments: finding one, what they have done in all of them, and two beside each other.


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
def person_public_page(request: HttpRequest, person: str) -> HttpResponse:
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


# --- People across tournaments, for those who may say that two are one ---


def keepers(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For who may make tournaments; what each may see of people follows from theirs and the public ones."""

    @never_cache
    @login_required
    def answer(request: HttpRequest, **where: Any) -> HttpResponse:
        access.require_creator(actor_of(request))
        return view(request, **where)

    return answer


@keepers
def persons_page(request: HttpRequest) -> HttpResponse:
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


@keepers
@require_POST
def person_merge(request: HttpRequest) -> HttpResponse:
    one, into = (
        get_object_or_404(visible_people(actor_of(request)), pk=_key(request, n)) for n in ("one", "into")
    )
    return _pressed(request, lambda: merge_people(one, actor_of(request), into), _("The two are one now."))


@keepers
@require_POST
def persons_undo(request: HttpRequest, pk: int) -> HttpResponse:
    change = get_object_or_404(PersonChange, pk=pk, into__in=visible_people(actor_of(request)))
    return _pressed(request, lambda: undo_merging(change, actor_of(request)), _("They are two again."))


@keepers
@require_POST
def person_shown(request: HttpRequest, pk: int) -> HttpResponse:
    """`shown` says whether; who has asked not to be shown is there by initials alone."""
    person = get_object_or_404(visible_people(actor_of(request)), pk=pk)
    wish = request.POST.get("shown") == "yes"
    done = _("The name is shown.") if wish else _("The name is not shown any more.")
    return _pressed(request, lambda: show_person(person, actor_of(request), shown=wish), done)


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
