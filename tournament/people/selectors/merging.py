"""What helps to say that two people are one: who is alike, who was merged, who is called so."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from django.db.models import Count

from tournament.base.access import Actor
from tournament.base.models.people import Person, PersonChange
from tournament.people.engine.likeness import Reason, reasons
from tournament.people.selectors.known_people import sought, traits_of, visible_people

LISTED: Final = 50


def people_listed(actor: Actor, wanted: str) -> list[Person]:
    """Those the actor may know of, hidden ones too, with how many tournaments each has."""
    found = visible_people(actor).filter(sought(wanted))
    return list(found.annotate(played=Count("players")).order_by("last_name", "first_name", "pk")[:LISTED])


def likely_pairs(actor: Actor) -> list[tuple[Person, Person, tuple[Reason, ...]]]:
    """Two people of the same name whom nothing tells apart; the older one is the second, to be stayed with."""
    seen = visible_people(actor)
    again = seen.order_by().values("key").annotate(n=Count("pk")).filter(n__gt=1).exclude(key="")
    people = list(seen.filter(key__in=again.values("key")[:LISTED]).order_by("key", "pk"))
    found = []
    for older, newer in pairwise(people):
        if older.key == newer.key and (why := reasons(traits_of(older), traits_of(newer))):
            found.append((newer, older, why))
    return found


def recent_changes(actor: Actor) -> list[PersonChange]:
    """What was merged, the newest first, of people the actor may know of."""
    merged = PersonChange.objects.filter(
        what=PersonChange.What.MERGED, into__in=visible_people(actor), undone_at=None
    )
    return list(merged.select_related("person", "into", "by")[:LISTED])
