"""Saying which human a player is, and what is done to people beyond one tournament."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.people import NotThem, Person, PersonChange, PersonName, Player
from tournament.base.models.tournament import Tournament
from tournament.people import texts as actions
from tournament.people.engine import is_certain, reasons
from tournament.people.selectors import (
    candidates,
    has_number,
    may_show,
    name_key,
    newest_linking,
    traits_of,
    visible_people,
    who_hid,
)
from tournament.play.services.tables import fresh

NO_PLAYER_CHOSEN = problem_code("no_player_chosen", "Choose at least one player.")
NOBODY_TO_LINK = problem_code(
    "nobody_to_link", "Player {player} or that person no longer exists. Reload the list."
)
PERSON_GONE = problem_code("person_gone", "This person no longer exists. Reload the list.")
NO_LINKING_TO_UNDO = problem_code("no_linking_to_undo", "There is nothing to undo.")
PERSON_WITH_THIS_EMA_NUMBER = problem_code(
    "person_with_this_ema_number", "There is already a person with the EMA number {ema_number}."
)
PERSON_TWICE = problem_code("person_twice", "{name} would be in this tournament twice.")
HIDDEN_BY_SOMEBODY_ELSE = problem_code(
    "hidden_by_somebody_else",
    "Only the person who hid this name, or the site’s administrator, can show it again.",
)
MERGE_WITH_ONESELF = problem_code("merge_with_oneself", "Choose two different people.")
MERGED_ALREADY = problem_code(
    "merged_already", "One of the two has been merged in the meantime. Reload the page."
)
TWO_EMA_NUMBERS = problem_code(
    "two_ema_numbers", "They have different EMA numbers, {one} and {other}, so they are two people."
)
BOTH_AT_ONE_EVENT = problem_code(
    "both_at_one_event", "Both have played at {tournament}: nobody plays twice at one tournament."
)
BOTH_AT_A_PRIVATE_EVENT = problem_code(
    "both_at_a_private_event",
    "Both have played at the same private tournament: nobody plays twice at one tournament.",
)
MERGED_SINCE = problem_code("merged_since", "They have been merged with someone else since. Undo that first.")

# --- Players of a tournament ---


def link_player(player: Player, actor: Actor, person: Person) -> Player:
    """Link a player to somebody whom the actor may know of. Nobody is in a tournament twice."""
    access.require(actor, player.tournament, Right.ORGANISE)
    with log.write(player.tournament, actor, actions.PLAYER_LINKED) as entry:
        player = _fresh(player)
        if player.person_id == person.pk:
            entry.mark_unchanged()
            return player
        _check_visible(actor, person)
        _link(player, actor, person)
        entry.data = {"player": player.number, "person": person.pk}
    return player


def unlink_player(player: Player, actor: Actor) -> Player:
    """It is not known who they are."""
    access.require(actor, player.tournament, Right.ORGANISE)
    with log.write(player.tournament, actor, actions.PLAYER_UNLINKED) as entry:
        player = _fresh(player)
        if player.person is None:
            entry.mark_unchanged()
            return player
        entry.data = {"player": player.number, "person": player.person.pk}
        _unlink(player)
    return player


def refuse_person(player: Player, actor: Actor, person: Person) -> NotThem:
    """Note that it is somebody else: this person, of whom the actor may know, is not proposed again for this player."""
    access.require(actor, player.tournament, Right.ORGANISE)
    _check_visible(actor, person)
    with log.write(player.tournament, actor, actions.PERSON_REFUSED) as entry:
        refusal, is_new = NotThem.objects.get_or_create(player=player, person=person)
        if not is_new:
            entry.mark_unchanged()
        entry.data = {"player": player.number, "person": person.pk}
    return refusal


def link_several(
    tournament: Tournament, actor: Actor, links: Mapping[int, int | None]
) -> list[tuple[Player, Person]]:
    """Link many, all or none. `links`: player's number → person's key, None for somebody new, made from the player.

    Whom the actor may not know of is refused like somebody who is not there: linked, their facts would be public.
    """
    access.require(actor, tournament, Right.ORGANISE)
    with log.write(tournament, actor, actions.PLAYERS_LINKED) as entry:
        players = {player.number: player for player in entry.tournament.players.filter(number__in=links)}
        people = visible_people(actor).in_bulk([key for key in links.values() if key])
        linked, new_people = [], []
        for number, key in links.items():
            if number not in players or (key is not None and key not in people):
                raise Refused(NOBODY_TO_LINK("players", player=number))
            person = people[key] if key is not None else _create_person(players[number], actor)
            new_people += [person.pk] if key is None else []
            _link(players[number], actor, person)
            linked.append((players[number], person))
        if not linked:
            raise Refused(NO_PLAYER_CHOSEN("players"))
        entry.data = {
            "players": [[player.number, person.pk] for player, person in linked],
            "made": new_people,
        }
    return linked


def _create_person(player: Player, actor: Actor) -> Person:
    facts: dict[str, Any] = {
        name: getattr(player, name) for name in ("first_name", "last_name", "country", "ema_number", "club")
    }
    if has_number(actor, player.ema_number):
        raise Refused(PERSON_WITH_THIS_EMA_NUMBER("players", ema_number=player.ema_number))
    person = Person.objects.create(**facts, key=name_key(player.first_name, player.last_name))
    PersonChange.objects.create(person=person, what=PersonChange.What.MADE, by=actor.user)
    return person


def undo_linking(tournament: Tournament, actor: Actor) -> list[Player]:
    """Take the newest step over many back; people who were made by it and are nobody else go with it."""
    access.require(actor, tournament, Right.ORGANISE)
    with log.write(tournament, actor, actions.PLAYERS_UNLINKED) as entry:
        last = newest_linking(entry.tournament)
        if last is None:
            raise Refused(NO_LINKING_TO_UNDO())
        linked = dict(last.data["players"])
        players = entry.tournament.players.filter(number__in=linked).select_related("person")
        undone = [player for player in players if player.person_id == linked[player.number]]
        for player in undone:
            _unlink(player)
        Person.objects.filter(pk__in=last.data["made"], players=None, merged=None).delete()
        entry.data = {"players": [player.number for player in undone], "undoes": last.seq}
    return undone


def link_known(players: Sequence[Player], actor: Actor) -> dict[int, int]:
    """Link who has the EMA number and the name of somebody the actor may know of, within the write that enters them.

    Gives number → person's key, for the log. Everybody else is for the organiser to say.
    """
    numbered = [player for player in players if player.ema_number]
    if not numbered:
        return {}
    known = candidates(set(), {player.ema_number for player in numbered}, visible_people(actor))
    linked = {}
    for player in numbered:
        theirs = traits_of(player)
        sure = [
            person
            for person, all_traits in known.items()
            if any(is_certain(reasons(theirs, traits)) for traits in all_traits)
        ]
        if len(sure) == 1 and not _plays_here(player, sure[0]):
            _link(player, actor, sure[0])
            linked[player.number] = sure[0].pk
    return linked


def _fresh(player: Player) -> Player:
    return fresh(Player.objects.select_related("person", "tournament"), player)


def _plays_here(player: Player, person: Person) -> bool:
    return person.players.filter(tournament=player.tournament).exclude(pk=player.pk).exists()


def _check_visible(actor: Actor, *people: Person) -> None:
    """Refuse those of whom the actor may not know as if they were not there."""
    keys = {person.pk for person in people}
    if visible_people(actor).filter(pk__in=keys).count() < len(keys):
        raise Refused(PERSON_GONE())


def _link(player: Player, actor: Actor, person: Person) -> None:
    if _plays_here(player, person):
        raise Refused(PERSON_TWICE("players", name=player.name))
    player.person = person
    player.save(update_fields=["person"])
    player.not_them.filter(person=person).delete()
    if not person.ema_number and player.ema_number and not has_number(actor, player.ema_number):
        person.ema_number = player.ema_number
        person.save(update_fields=["ema_number"])
    key = name_key(player.first_name, player.last_name)
    if key != person.key:
        PersonName.objects.get_or_create(person=person, name=player.name, defaults={"key": key})


def _unlink(player: Player) -> None:
    """A name that nobody else of theirs has is no name of theirs any more."""
    person, key = player.person, name_key(player.first_name, player.last_name)
    player.person = None
    player.save(update_fields=["person"])
    assert person is not None
    others = {name_key(other.first_name, other.last_name) for other in person.players.all()}
    if key not in others:
        person.names.filter(key=key).delete()


# --- Beyond one tournament ---


What = PersonChange.What
NOTHING: Final[dict[str, str | bool]] = {"ema_number": "", "is_hidden": False}
"""What who stays takes over from who is merged into them, where they have none."""


@transaction.atomic
def merge_people(person: Person, actor: Actor, into: Person) -> PersonChange:
    """The two are the same human: `into` stays, and has all players of both, the EMA number of either, and the wish of
    either not to be shown."""
    access.require_creator(actor)
    locked = {row.pk: row for row in Person.objects.select_for_update().filter(pk__in=[person.pk, into.pk])}
    if len(locked) < 2:
        raise Refused(MERGE_WITH_ONESELF("into"))
    person, into = locked[person.pk], locked[into.pk]
    if person.merged_into_id or into.merged_into_id:
        raise Refused(MERGED_ALREADY("into"))
    _check_visible(actor, person, into)
    if person.ema_number and into.ema_number and person.ema_number != into.ema_number:
        raise Refused(TWO_EMA_NUMBERS("into", one=person.ema_number, other=into.ema_number))
    if (both := Tournament.objects.filter(players__person=person).filter(players__person=into)).exists():
        known = both.filter(pk__in=access.visible_tournaments(actor)).first()
        raise (
            Refused(BOTH_AT_ONE_EVENT("into", tournament=known.name))
            if known
            else Refused(BOTH_AT_A_PRIVATE_EVENT("into"))
        )
    took = [name for name in NOTHING if getattr(person, name) and not getattr(into, name)]
    moved = {
        "players": list(person.players.values_list("pk", flat=True)),
        "people": list(person.merged.values_list("pk", flat=True)),
        "took": took,
    }
    person.players.update(person=into)
    person.merged.update(merged_into=into)
    person.merged_into = into
    person.save(update_fields=["merged_into"])
    for name in took:
        setattr(into, name, getattr(person, name))
    into.save(update_fields=took)
    return PersonChange.objects.create(person=person, what=What.MERGED, into=into, moved=moved, by=actor.user)


@transaction.atomic
def undo_merging(change: PersonChange, actor: Actor) -> PersonChange:
    """Both are there again, each with the players that were theirs. Idempotent."""
    access.require_creator(actor)
    change = fresh(
        PersonChange.objects.select_for_update(of=("self",)).select_related("person", "into"), change
    )
    if change.what != What.MERGED or change.undone_at is not None:
        return change
    person = change.person
    if person.merged_into_id != change.into_id:
        raise Refused(MERGED_SINCE("change"))
    if change.into is not None:
        _check_visible(actor, change.into)
    Player.objects.filter(pk__in=change.moved["players"], person=change.into_id).update(person=person)
    Person.objects.filter(pk__in=change.moved["people"], merged_into=change.into_id).update(
        merged_into=person
    )
    _give_back(change)
    if has_number(actor, person.ema_number):
        raise Refused(PERSON_WITH_THIS_EMA_NUMBER("change", ema_number=person.ema_number))
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
    """Hide the name of a person who has asked for it, or show it again.

    Whom somebody else has hidden is shown again by them, or by whoever runs the site: nobody else was asked.
    """
    access.require_creator(actor)
    person = fresh(Person.objects.select_for_update(), person)
    _check_visible(actor, person)
    if person.is_hidden == (not shown):
        return person
    if shown and not may_show(actor, who_hid([person])[person.pk]):
        raise Refused(HIDDEN_BY_SOMEBODY_ELSE("shown"))
    person.is_hidden = not shown
    person.save(update_fields=["is_hidden"])
    PersonChange.objects.create(person=person, what=What.SHOWN if shown else What.HIDDEN, by=actor.user)
    return person
