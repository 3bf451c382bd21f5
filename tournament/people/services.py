"""Link players to people, merge people, and hide their names."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.engine.names import name_key
from tournament.base.errors import Refused
from tournament.base.models.people import Person, PersonChange, PersonName, Player, RejectedPerson
from tournament.base.models.tournament import Tournament
from tournament.people import texts as actions
from tournament.people.engine import is_certain_match, match_reasons
from tournament.people.selectors import (
    accounts_that_hid,
    can_show,
    candidates,
    is_ema_number_taken,
    own_people,
    traits_of,
    undoable_linking,
    visible_people,
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
    """Link a player to a person visible to the actor. Idempotent.

    Raises Refused if that person already plays in the tournament.
    """
    with log.write(player.tournament, actor, actions.PLAYER_LINKED, Right.ORGANISE) as entry:
        player = _fresh(player)
        if player.person_id == person.pk:
            return entry.unchanged(player)
        _check_visible(actor, person)
        _link(player, actor, person)
        entry.data = {"player": player.number, "person": person.pk}
    return player


def unlink_player(player: Player, actor: Actor) -> Player:
    """Remove the link of a player to a person. Idempotent."""
    with log.write(player.tournament, actor, actions.PLAYER_UNLINKED, Right.ORGANISE) as entry:
        player = _fresh(player)
        if player.person is None:
            return entry.unchanged(player)
        entry.data = {"player": player.number, "person": player.person.pk}
        _unlink(player)
    return player


def reject_proposal(player: Player, actor: Actor, person: Person) -> RejectedPerson:
    """Store that a player is not this person, who is not proposed again. Idempotent."""
    with log.write(player.tournament, actor, actions.PERSON_REJECTED, Right.ORGANISE) as entry:
        _check_visible(actor, person)
        refusal, is_new = RejectedPerson.objects.get_or_create(player=player, person=person)
        if not is_new:
            entry.mark_unchanged()
        entry.data = {"player": player.number, "person": person.pk}
    return refusal


def link_players(
    tournament: Tournament, actor: Actor, links: Mapping[int, int | None]
) -> list[tuple[Player, Person]]:
    """Link several players, all or none. `links`: player's number → person's key; None creates a person.

    Raises Refused for a person whom the actor cannot see, as if there were none: a link would make their data public.
    """
    with log.write(tournament, actor, actions.PLAYERS_LINKED, Right.ORGANISE) as entry:
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
        name: getattr(player, name)
        for name in ("first_name", "last_name", "family_name_first", "country", "ema_number", "club")
    }
    if is_ema_number_taken(actor, player.ema_number):
        raise Refused(PERSON_WITH_THIS_EMA_NUMBER("players", ema_number=player.ema_number))
    person = Person.objects.create(**facts, key=name_key(player.first_name, player.last_name))
    PersonChange.objects.create(person=person, what=PersonChange.What.MADE, by=actor.user)
    return person


def undo_linking(tournament: Tournament, actor: Actor) -> list[Player]:
    """Undo the newest `link_players`; delete the people it created unless they have other players by now."""
    with log.write(tournament, actor, actions.PLAYERS_UNLINKED, Right.ORGANISE) as entry:
        last = undoable_linking(entry.tournament)
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


def link_certain_matches(players: Sequence[Player], actor: Actor) -> dict[int, int]:
    """Link players whose EMA number and name are those of a visible person; return number → person's key.

    Called within the write that enters the players. Other matches are only proposed to the organiser.
    """
    numbered = [player for player in players if player.ema_number]
    if not numbered:
        return {}
    known = candidates(set(), {player.ema_number for player in numbered}, visible_people(actor))
    linked = {}
    for player in numbered:
        player_traits = traits_of(player)
        matches = [
            person
            for person, all_traits in known.items()
            if any(is_certain_match(match_reasons(player_traits, traits)) for traits in all_traits)
        ]
        if len(matches) == 1 and not _is_in_tournament(matches[0], player):
            _link(player, actor, matches[0])
            linked[player.number] = matches[0].pk
    return linked


def _fresh(player: Player) -> Player:
    return fresh(Player.objects.select_related("person", "tournament"), player)


def _is_in_tournament(person: Person, player: Player) -> bool:
    """Whether the person is another player of the player's tournament."""
    return person.players.filter(tournament=player.tournament).exclude(pk=player.pk).exists()


def _check_visible(actor: Actor, *people: Person) -> None:
    """Raise Refused for people whom the actor cannot see, as if they were deleted."""
    keys = {person.pk for person in people}
    if visible_people(actor).filter(pk__in=keys).count() < len(keys):
        raise Refused(PERSON_GONE())


def _require_own(actor: Actor, *people: Person) -> None:
    """Raise Forbidden for people of other organisers' tournaments; Refused for people whom the actor cannot see."""
    _check_visible(actor, *people)
    access.require_that(
        actor,
        lambda who: own_people(who).filter(pk__in=[person.pk for person in people]).count() == len(people),
        "only an organiser of a tournament that they played at may change a person",
    )


def _link(player: Player, actor: Actor, person: Person) -> None:
    if _is_in_tournament(person, player):
        raise Refused(PERSON_TWICE("players", name=player.name))
    gets_number = (
        bool(player.ema_number and not person.ema_number)
        and own_people(actor).filter(pk=person.pk).exists()
        and not is_ema_number_taken(actor, player.ema_number)
    )
    player.person = person
    player.save(update_fields=["person"])
    player.rejected_people.filter(person=person).delete()
    if gets_number:
        person.ema_number = player.ema_number
        person.save(update_fields=["ema_number"])
    for key, name in player.names_by_key.items():
        if key != person.key:
            PersonName.objects.get_or_create(person=person, name=name, defaults={"key": key})


def _unlink(player: Player) -> None:
    """Remove the link, and the player's name from the person's names unless another player of theirs has it."""
    person = player.person
    player.person = None
    player.save(update_fields=["person"])
    assert person is not None
    other_keys = {key for other in person.players.all() for key in other.names_by_key}
    person.names.filter(key__in=player.names_by_key.keys() - other_keys).delete()


# --- People ---


What = PersonChange.What
INHERITED: Final[dict[str, str | bool]] = {"ema_number": "", "is_hidden": False}
"""Fields that a merge copies if the remaining person has none, with their empty values."""


@transaction.atomic
def merge_people(person: Person, actor: Actor, into: Person) -> PersonChange:
    """Merge a person into another, who gets all players, the EMA number of either and the hidden state of either.

    Both must be of the actor's own tournaments. Raises Refused for two EMA numbers, a tournament both played at, and
    people the actor cannot see.
    """
    locked = {row.pk: row for row in Person.objects.select_for_update().filter(pk__in=[person.pk, into.pk])}
    if len(locked) < 2:
        raise Refused(MERGE_WITH_ONESELF("into"))
    person, into = locked[person.pk], locked[into.pk]
    if person.merged_into_id or into.merged_into_id:
        raise Refused(MERGED_ALREADY("into"))
    _require_own(actor, person, into)
    if person.ema_number and into.ema_number and person.ema_number != into.ema_number:
        raise Refused(TWO_EMA_NUMBERS("into", one=person.ema_number, other=into.ema_number))
    if (both := Tournament.objects.filter(players__person=person).filter(players__person=into)).exists():
        visible = both.filter(pk__in=access.visible_tournaments(actor)).first()
        raise (
            Refused(BOTH_AT_ONE_EVENT("into", tournament=visible.name))
            if visible
            else Refused(BOTH_AT_A_PRIVATE_EVENT("into"))
        )
    inherited = [name for name in INHERITED if getattr(person, name) and not getattr(into, name)]
    moved = {
        "players": list(person.players.values_list("pk", flat=True)),
        "people": list(person.merged.values_list("pk", flat=True)),
        "took": inherited,
    }
    person.players.update(person=into)
    person.merged.update(merged_into=into)
    person.merged_into = into
    person.save(update_fields=["merged_into"])
    for name in inherited:
        setattr(into, name, getattr(person, name))
    into.save(update_fields=inherited)
    return PersonChange.objects.create(person=person, what=What.MERGED, into=into, moved=moved, by=actor.user)


@transaction.atomic
def undo_merge(change: PersonChange, actor: Actor) -> PersonChange:
    """Undo a merge: each person has their own players again. Idempotent.

    Raises Refused if the two were merged with somebody else since.
    """
    change = fresh(
        PersonChange.objects.select_for_update(of=("self",)).select_related("person", "into"), change
    )
    if change.what != What.MERGED or change.cancelled_at is not None:
        return change
    person = change.person
    if person.merged_into_id != change.into_id:
        raise Refused(MERGED_SINCE("change"))
    if change.into is not None:
        _require_own(actor, change.into)
    Player.objects.filter(pk__in=change.moved["players"], person=change.into_id).update(person=person)
    Person.objects.filter(pk__in=change.moved["people"], merged_into=change.into_id).update(
        merged_into=person
    )
    _clear_inherited(change)
    if is_ema_number_taken(actor, person.ema_number):
        raise Refused(PERSON_WITH_THIS_EMA_NUMBER("change", ema_number=person.ema_number))
    person.merged_into = None
    person.save(update_fields=["merged_into"])
    change.cancelled_at, change.cancelled_by = timezone.now(), actor.user
    change.save(update_fields=["cancelled_at", "cancelled_by"])
    return change


def _clear_inherited(change: PersonChange) -> None:
    """Clear the fields that the merge copied, unless they have changed since."""
    into = change.into
    assert into is not None, "every merge has one"
    unchanged = [
        name for name in change.moved.get("took", ()) if getattr(into, name) == getattr(change.person, name)
    ]
    for name in unchanged:
        setattr(into, name, INHERITED[name])
    into.save(update_fields=unchanged)


@transaction.atomic
def set_person_shown(person: Person, actor: Actor, *, shown: bool) -> Person:
    """Hide or show the name of a person of one's own tournaments. Idempotent.

    Only who hid a name, or who runs this site, may show it again: a person asked one organiser to hide it, and others
    do not know of it. Raises Refused for everybody else.
    """
    person = fresh(Person.objects.select_for_update(), person)
    _require_own(actor, person)
    if person.is_hidden == (not shown):
        return person
    if shown and not can_show(actor, accounts_that_hid([person])[person.pk]):
        raise Refused(HIDDEN_BY_SOMEBODY_ELSE("shown"))
    person.is_hidden = not shown
    person.save(update_fields=["is_hidden"])
    PersonChange.objects.create(person=person, what=What.SHOWN if shown else What.HIDDEN, by=actor.user)
    return person
