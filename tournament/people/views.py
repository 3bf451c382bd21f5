"""People of an event and across tournaments, for organisers and for everybody."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from itertools import groupby
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from scoring.engine import FANS, Fan
from tournament.base import access
from tournament.base.errors import Refused
from tournament.base.models.people import Person, PersonChange, Player
from tournament.base.models.tournament import Tournament
from tournament.people.selectors import (
    EventPerson,
    accounts_that_hid,
    can_show,
    count_tournaments,
    find_people,
    head_to_head,
    is_key,
    likely_duplicates,
    own_people,
    people_of_event,
    person_page,
    public_people,
    recent_merges,
    search_own_people,
    undoable_linking,
    visible_people,
    visible_players,
)
from tournament.people.services import (
    link_players,
    merge_people,
    reject_proposal,
    set_person_shown,
    undo_linking,
    undo_merge,
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


NEW: Final = "new"


@organiser_page
def people_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List the players with their person or proposals. POST links the chosen people (`player-<number>`)."""
    status = 200
    if request.method == "POST":
        try:
            linked = link_players(tournament, actor_of(request), _chosen_people(request))
        except Refused as refused:
            add_refusal_messages(request, refused)
            status = UNPROCESSABLE
        else:
            message = ngettext(
                "%(n)s player is now recognised.", "%(n)s players are now recognised.", len(linked)
            )
            messages.success(request, message % {"n": len(linked)})
            return redirect("organiser_known_people", tournament.slug)
    people = people_of_event(tournament, actor_of(request))
    context = {
        "proposed": list(_with_likeliest(people)),
        "unknown": [row.player for row in people if row.player.person is None and not row.proposals],
        "linked": [
            (row.player, row.player.person, person_slug(row.player.person))
            for row in people
            if row.player.person
        ],
        "undoable": undoable_linking(tournament),
    }
    return render_page(request, "people/people", tournament, "people", context, status=status)


def _with_likeliest(
    people: Iterable[EventPerson],
) -> Iterator[tuple[Player, list[tuple[Person, str]], Person | None]]:
    """Yield each player with proposals, and whom the page chooses at first: nobody twice."""
    chosen: set[Person] = set()
    for row in people:
        if row.proposals:
            others = (person for person, _reasons in row.proposals if person not in chosen)
            if (likeliest := next(others, None)) is not None:
                chosen.add(likeliest)
            yield row.player, proposed_lines(row.proposals), likeliest


def _chosen_people(request: HttpRequest) -> dict[int, int | None]:
    """Return player's number → person's key, None for a new person; players without a choice are left out."""
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
        "organiser_known_people",
        tournament.slug,
    )


@organiser_page
@require_POST
def person_reject(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Remove the link of a player, or reject the proposed person in the field `person`."""
    player = get_object_or_404(tournament.players.select_related("person"), number=number)
    if player.person is not None:
        return run_and_redirect(
            request,
            lambda: unlink_player(player, actor_of(request)),
            _("The match has been removed."),
            "organiser_known_people",
            tournament.slug,
        )
    person = _visible_person_or_404(request, request.POST.get("person", ""))
    return run_and_redirect(
        request,
        lambda: reject_proposal(player, actor_of(request), person),
        _("This match will not be proposed again."),
        "organiser_known_people",
        tournament.slug,
    )


def _visible_person_or_404(request: HttpRequest, key: str) -> Person:
    """Return a person visible to the user, by key."""
    if not is_key(key):
        raise Http404
    return get_object_or_404(visible_people(actor_of(request)), pk=int(key))


# --- People for everybody ---


MCR_FANS: Final = [fan for fan in FANS if fan.number <= 81]


@require_safe
def people_search(request: HttpRequest) -> HttpResponse:
    """List people; `?q=` filters by name or EMA number."""
    text = request.GET.get("q", "").strip()[:80]
    people = find_people(text)
    played = count_tournaments(people)
    context = {
        "query": text,
        "people": [(person, person_slug(person), played[person.pk]) for person in people],
        "may_merge": access.can_manage_people(actor_of(request)),
    }
    return _public_html(request, "people/people_public", context)


@require_safe
def person_public_page(request: HttpRequest, person: str) -> HttpResponse:
    """Show the person with this slug; `?q=` searches for somebody to compare with."""
    shown = _person_or_404(person)
    if person != person_slug(shown):
        return redirect("person", person_slug(shown), permanent=not shown.merged_into_id)
    page, text = person_page(shown), request.GET.get("q", "").strip()[:80]
    context = {
        "person": shown,
        "name": shown_name(shown),
        "slug": person,
        "page": page,
        "collection": _fans_by_points(page.fans),
        "fans_won": sum(fan.key in page.fans for fan in MCR_FANS),
        "all_fans": len(MCR_FANS),
        "met": [(other, n, shown_name(other), person_slug(other)) for other, n in page.met[:24]],
        "query": text,
        "others": [(other, person_slug(other)) for other in find_people(text) if other.pk != shown.pk]
        if text
        else (),
    }
    return _public_html(request, "people/person", context, hidden=shown.is_hidden)


def _fans_by_points(counts: Mapping[str, int]) -> list[tuple[int, list[tuple[Fan, int]]]]:
    """Return (points, [(fan, number of hands)]) of the 81 fans, the highest points first."""
    rows = sorted(MCR_FANS, key=lambda fan: (-fan.points, fan.number))
    return [
        (points, [(fan, counts.get(fan.key, 0)) for fan in fans])
        for points, fans in groupby(rows, key=lambda fan: fan.points)
    ]


@require_safe
def head_to_head_page(request: HttpRequest, person: str, other: str) -> HttpResponse:
    """Compare the people with these two slugs; 404 if one of them is hidden."""
    first, second = _person_or_404(person), _person_or_404(other)
    if first.is_hidden or second.is_hidden or first.pk == second.pk:
        raise Http404
    if (person, other) != (person_slug(first), person_slug(second)):
        return redirect("head_to_head", person_slug(first), person_slug(second))
    context = {
        "name": shown_name(first),
        "other_name": shown_name(second),
        "slug": person,
        "other_slug": other,
        "comparison": head_to_head(first, second),
    }
    return _public_html(request, "people/head_to_head", context)


def _person_or_404(slug: str) -> Person:
    """Return the public person whose key begins the slug, or the person they were merged into."""
    key = slug.partition("-")[0]
    if not is_key(key):
        raise Http404
    stored = get_object_or_404(Person, pk=int(key))
    return get_object_or_404(public_people(), pk=stored.merged_into_id or stored.pk)


def _public_html(
    request: HttpRequest, template: str, context: dict[str, object], *, hidden: bool = False
) -> HttpResponse:
    response = render(request, f"{template}.html", context)
    patch_cache_control(response, private=True, no_cache=True)
    if hidden:
        response["X-Robots-Tag"] = "noindex"
    return response


# --- Merging ---


def people_manager_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view for organisers of any tournament, and superusers."""

    @wraps(view)
    @never_cache
    @login_required
    def wrapper(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        access.require_people_manager(actor_of(request))
        return view(request, **kwargs)

    return wrapper


@people_manager_page
def merge_page(request: HttpRequest) -> HttpResponse:
    """Search people (`?q=`), preview a merge (`?person=&into=`), list likely duplicates and recent merges."""
    actor, text = actor_of(request), request.GET.get("q", "").strip()[:80]
    person, into = _person_from_query(request, "person"), _person_from_query(request, "into")
    people = search_own_people(actor, text) if text else []
    context = {
        "query": text,
        "people": people,
        "hidden": {
            key: (accounts - {None}, can_show(actor, accounts))
            for key, accounts in accounts_that_hid(people).items()
        },
        "pairs": likely_duplicates(actor),
        "changes": recent_merges(actor),
        "person": person,
        "into": into,
        "players": visible_players(person, actor) if person and into else (),
        "into_players": visible_players(into, actor) if person and into else (),
    }
    return render(request, "people/persons.html", context)


def _person_from_query(request: HttpRequest, name: str) -> Person | None:
    key = request.GET.get(name)
    if not key:
        return None
    if not is_key(key):
        raise Http404
    return get_object_or_404(own_people(actor_of(request)), pk=int(key))


@people_manager_page
@require_POST
def person_merge(request: HttpRequest) -> HttpResponse:
    person, into = (
        _visible_person_or_404(request, request.POST.get(name, "")) for name in ("person", "into")
    )
    return run_and_redirect(
        request,
        lambda: merge_people(person, actor_of(request), into),
        _("The two have been merged."),
        "persons",
    )


@people_manager_page
@require_POST
def persons_undo(request: HttpRequest, pk: int) -> HttpResponse:
    change = get_object_or_404(PersonChange, pk=pk, into__in=visible_people(actor_of(request)))
    return run_and_redirect(
        request, lambda: undo_merge(change, actor_of(request)), _("The merge has been undone."), "persons"
    )


@people_manager_page
@require_POST
def person_shown(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a name (`shown=yes`) or hide it."""
    person = get_object_or_404(visible_people(actor_of(request)), pk=pk)
    is_shown = request.POST.get("shown") == "yes"
    message = _("The name is shown.") if is_shown else _("The name is no longer shown.")
    return run_and_redirect(
        request, lambda: set_person_shown(person, actor_of(request), shown=is_shown), message, "persons"
    )
