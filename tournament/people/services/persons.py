"""What is done to people beyond any one tournament. It is kept with who did it, and can be undone."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from tournament.base import access
from tournament.base.access import Actor
from tournament.base.errors import refuse
from tournament.base.models.people import Person, PersonChange, Player
from tournament.play.services.fresh import fresh

What = PersonChange.What
NOTHING: Final[dict[str, str | bool]] = {"ema_number": "", "is_hidden": False}
"""What who stays takes over from who is merged into them, where they have none."""


@transaction.atomic
def merge_people(one: Person, actor: Actor, into: Person) -> PersonChange:
    """The two are the same human: `into` stays, and has all players of both, the EMA number of either, and the wish of
    either not to be shown."""
    access.require_creator(actor)
    found = {each.pk: each for each in Person.objects.select_for_update().filter(pk__in=[one.pk, into.pk])}
    if len(found) < 2:
        raise refuse("merge_with_oneself", "into")
    one, into = found[one.pk], found[into.pk]
    if one.merged_into_id or into.merged_into_id:
        raise refuse("merged_already", "into")
    if one.ema_number and into.ema_number and one.ema_number != into.ema_number:
        raise refuse("two_ema_numbers", "into", one=one.ema_number, other=into.ema_number)
    events = into.players.values("tournament")
    if (twice := one.players.filter(tournament__in=events).select_related("tournament").first()) is not None:
        raise refuse("both_at_one_event", "into", tournament=twice.tournament.name)
    took = [name for name in NOTHING if getattr(one, name) and not getattr(into, name)]
    moved = {
        "players": list(one.players.values_list("pk", flat=True)),
        "people": list(one.merged.values_list("pk", flat=True)),
        "took": took,
    }
    one.players.update(person=into)
    one.merged.update(merged_into=into)
    one.merged_into = into
    one.save(update_fields=["merged_into"])
    for name in took:
        setattr(into, name, getattr(one, name))
    into.save(update_fields=took)
    return PersonChange.objects.create(person=one, what=What.MERGED, into=into, moved=moved, by=actor.user)


@transaction.atomic
def undo_merging(change: PersonChange, actor: Actor) -> PersonChange:
    """Both are there again, each with the players that were theirs. Undone twice is undone once."""
    access.require_creator(actor)
    change = fresh(
        PersonChange.objects.select_for_update(of=("self",)).select_related("person", "into"), change
    )
    if change.what != What.MERGED or change.undone_at is not None:
        return change
    person = change.person
    if person.merged_into_id != change.into_id:
        raise refuse("merged_since", "change")
    Player.objects.filter(pk__in=change.moved["players"], person=change.into_id).update(person=person)
    Person.objects.filter(pk__in=change.moved["people"], merged_into=change.into_id).update(
        merged_into=person
    )
    _give_back(change)
    other = person.ema_number and Person.objects.filter(ema_number=person.ema_number, merged_into=None)
    if other and other.exists():
        raise refuse("person_with_this_ema_number", "change", ema_number=person.ema_number)
    person.merged_into = None
    person.save(update_fields=["merged_into"])
    change.undone_at, change.undone_by = timezone.now(), actor.user
    change.save(update_fields=["undone_at", "undone_by"])
    return change


def _give_back(change: PersonChange) -> None:
    """What the other took over, unless it is another by now."""
    into = change.into
    assert into is not None, "a merging has one"
    same = [
        name for name in change.moved.get("took", ()) if getattr(into, name) == getattr(change.person, name)
    ]
    for name in same:
        setattr(into, name, NOTHING[name])
    into.save(update_fields=same)


@transaction.atomic
def show_person(person: Person, actor: Actor, *, shown: bool) -> Person:
    """A person has asked not to be shown, or to be shown again."""
    access.require_creator(actor)
    person = fresh(Person.objects.select_for_update(), person)
    if person.is_hidden == (not shown):
        return person
    person.is_hidden = not shown
    person.save(update_fields=["is_hidden"])
    PersonChange.objects.create(person=person, what=What.SHOWN if shown else What.HIDDEN, by=actor.user)
    return person
