"""People across tournaments and of an event: who is who, for organisers and for everybody."""

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
from tournament.base.models.people import Person, PersonChange
from tournament.base.models.tournament import Tournament
from tournament.people.selectors import (
    find_people,
    head_to_head,
    is_key,
    likely_pairs,
    may_show,
    newest_linking,
    people_listed,
    people_of_event,
    person_page,
    players_seen,
    public_people,
    recent_changes,
    tournaments_of,
    visible_people,
    who_hid,
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
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    add_refusal_messages,
    organiser_page,
    render_page,
    run_and_redirect,
)

# --- The people of an event ---


NEW, NOT_NOW = "new", ""


@organiser_page
def people_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Each player with what is proposed; a POST takes all that was chosen, `player-<number>` for each."""
    status = 200
    if request.method == "POST":
        try:
            linked = link_several(tournament, actor_of(request), _chosen_people(request))
        except Refused as refused:
            add_refusal_messages(request, refused)
            status = UNPROCESSABLE
        else:
            done = ngettext(
                "%(n)s player is now recognised.", "%(n)s players are now recognised.", len(linked)
            )
            messages.success(request, done % {"n": len(linked)})
            return redirect("organiser_people", tournament.slug)
    people = people_of_event(tournament, actor_of(request))
    context = {
        "proposed": [(known.player, proposed_lines(known.proposals)) for known in people if known.proposals],
        "unknown": [known.player for known in people if known.player.person is None and not known.proposals],
        "linked": [
            (known.player, known.player.person, person_slug(known.player.person))
            for known in people
            if known.player.person
        ],
        "undoes": newest_linking(tournament),
    }
    return render_page(request, "people/people", tournament, "people", context, status=status)


def _chosen_people(request: HttpRequest) -> dict[int, int | None]:
    """Number → person's key, None for somebody new; who was not said is left out."""
    chosen: dict[int, int | None] = {}
    for name, value in request.POST.items():
        number = name.removeprefix("player-")
        if number == name or not is_key(number):
            continue
        if value == NEW:
            chosen[int(number)] = None
        elif isinstance(value, str) and is_key(value):
            chosen[int(number)] = int(value)
    return chosen


@organiser_page
@require_POST
def people_undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return run_and_redirect(
        request,
        lambda: undo_linking(tournament, actor_of(request)),
        _("Undone."),
        "organiser_people",
        tournament.slug,
    )


@organiser_page
@require_POST
def people_not_them(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """`person`: the one who it is not. Linked, the link goes; proposed, they are not proposed again."""
    player = get_object_or_404(tournament.players.select_related("person"), number=number)
    if player.person is not None:
        return run_and_redirect(
            request,
            lambda: unlink_player(player, actor_of(request)),
            _("The match has been removed."),
            "organiser_people",
            tournament.slug,
        )
    person = _visible_person_or_404(request, request.POST.get("person", ""))
    return run_and_redirect(
        request,
        lambda: refuse_person(player, actor_of(request), person),
        _("This match will not be proposed again."),
        "organiser_people",
        tournament.slug,
    )


def _visible_person_or_404(request: HttpRequest, key: str) -> Person:
    """By their key: somebody of whom the asker may know."""
    if not is_key(key):
        raise Http404
    return get_object_or_404(visible_people(actor_of(request)), pk=int(key))


# --- People for everybody ---


MCR_FANS = [fan for fan in FANS if fan.number <= 81]


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """`?q=`: a name in any script and order, or an EMA number; without it, everybody known as far as there is room."""
    text = request.GET.get("q", "").strip()[:80]
    people = find_people(text)
    played = tournaments_of(people)
    context = {
        "wanted": text,
        "people": [(person, person_slug(person), played[person.pk]) for person in people],
        "may_merge": access.can_create(actor_of(request)),
    }
    return _public_html(request, "people/people_public", context)


@require_safe
def person_public_page(request: HttpRequest, person: str) -> HttpResponse:
    """`?q=` looks for somebody to stand beside them."""
    shown = _person_or_404(person)
    if person != person_slug(shown):
        return redirect("person", person_slug(shown), permanent=not shown.merged_into_id)
    page, text = person_page(shown), request.GET.get("q", "").strip()[:80]
    context = {
        "person": shown,
        "name": shown_name(shown),
        "slug": person,
        "about": page,
        "collection": _fans_by_points(page.fans),
        "made": sum(fan.key in page.fans for fan in MCR_FANS),
        "all": len(MCR_FANS),
        "met": [(other, n, shown_name(other), person_slug(other)) for other, n in page.met[:24]],
        "wanted": text,
        "others": [(other, person_slug(other)) for other in find_people(text) if other.pk != shown.pk]
        if text
        else (),
    }
    return _public_html(request, "people/person", context, hidden=shown.is_hidden)


def _fans_by_points(fans: object) -> list[tuple[int, list[tuple[object, int]]]]:
    """The 81 by points, each with how often it was made."""
    times = dict(fans)  # type: ignore[call-overload]
    rows = sorted(MCR_FANS, key=lambda fan: (-fan.points, fan.number))
    return [
        (points, [(fan, times.get(fan.key, 0)) for fan in alike])
        for points, alike in groupby(rows, key=lambda fan: fan.points)
    ]


@require_safe
def beside(request: HttpRequest, person: str, other: str) -> HttpResponse:
    """Two people, table by table; nothing of who has asked not to be shown."""
    first, two = _person_or_404(person), _person_or_404(other)
    if first.is_hidden or two.is_hidden or first.pk == two.pk:
        raise Http404
    if (person, other) != (person_slug(first), person_slug(two)):
        return redirect("head_to_head", person_slug(first), person_slug(two))
    context = {
        "one": shown_name(first),
        "other": shown_name(two),
        "person": person,
        "slug": other,
        "both": head_to_head(first, two),
    }
    return _public_html(request, "people/head_to_head", context)


def _person_or_404(slug: str) -> Person:
    """By the key at the beginning of the address; of one who was merged, the one they are now."""
    key = slug.partition("-")[0]
    if not is_key(key):
        raise Http404
    known = Person.objects.filter(pk=int(key)).first()
    shown = public_people().filter(pk=known.merged_into_id or known.pk).first() if known else None
    if shown is None:
        raise Http404
    return shown


def _public_html(
    request: HttpRequest, template: str, context: dict[str, object], *, hidden: bool = False
) -> HttpResponse:
    response = render(request, f"{template}.html", context)
    patch_cache_control(response, private=True, no_cache=True)
    if hidden:
        response["X-Robots-Tag"] = "noindex"
    return response


# --- Merging ---


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
    actor, text = actor_of(request), request.GET.get("q", "").strip()[:80]
    person, into = _person_asked_for(request, "one"), _person_asked_for(request, "into")
    people = people_listed(actor, text) if text else []
    context = {
        "wanted": text,
        "people": people,
        "hidden": {key: (hid - {None}, may_show(actor, hid)) for key, hid in who_hid(people).items()},
        "pairs": likely_pairs(actor),
        "changes": recent_changes(actor),
        "one": person,
        "into": into,
        "moving": players_seen(person, actor) if person and into else (),
        "staying": players_seen(into, actor) if person and into else (),
    }
    return render(request, "people/persons.html", context)


def _person_asked_for(request: HttpRequest, name: str) -> Person | None:
    key = request.GET.get(name)
    return _visible_person_or_404(request, key) if key else None


@keepers
@require_POST
def person_merge(request: HttpRequest) -> HttpResponse:
    merged, into = (_visible_person_or_404(request, request.POST.get(name, "")) for name in ("one", "into"))
    return run_and_redirect(
        request,
        lambda: merge_people(merged, actor_of(request), into),
        _("The two have been merged."),
        "persons",
    )


@keepers
@require_POST
def persons_undo(request: HttpRequest, pk: int) -> HttpResponse:
    change = get_object_or_404(PersonChange, pk=pk, into__in=visible_people(actor_of(request)))
    return run_and_redirect(
        request, lambda: undo_merging(change, actor_of(request)), _("The merge has been undone."), "persons"
    )


@keepers
@require_POST
def person_shown(request: HttpRequest, pk: int) -> HttpResponse:
    """`shown` says whether; who has asked not to be shown is there by initials alone."""
    person = get_object_or_404(visible_people(actor_of(request)), pk=pk)
    is_shown = request.POST.get("shown") == "yes"
    done = _("The name is shown.") if is_shown else _("The name is no longer shown.")
    return run_and_redirect(
        request, lambda: show_person(person, actor_of(request), shown=is_shown), done, "persons"
    )
