"""Who of those known is who, and what helps to say that two are one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple, Protocol

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from scoring.texts.folding import folded
from tournament.base.access import Actor, visible_tournaments
from tournament.base.models.log import LogEntry
from tournament.base.models.people import NotThem, Person, PersonChange, PersonName, Player
from tournament.base.models.tournament import Arrival, Tournament
from tournament.people.engine import Reason, Traits, reasons, strength

# --- Known people ---
# Who of those known is who: the people proposed for players, with the reasons, in a fixed number of queries.


MOST: Final = 3
"""So many people are proposed for a player."""
_WORDS: Final = re.compile(r"[\W_]+")
_ONE_BY_ONE: Final = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])")
"""Scripts written without spaces: 张伟 is 伟 张."""


class Named(Protocol):
    """What has a name, a country, an EMA number and a club: a player, a person, an entrant, a registration."""

    @property
    def first_name(self) -> str: ...
    @property
    def last_name(self) -> str: ...
    @property
    def country(self) -> str: ...
    @property
    def ema_number(self) -> str: ...
    @property
    def club(self) -> str: ...


class Proposal(NamedTuple):
    """Somebody known who may be the player."""

    person: Person
    reasons: tuple[Reason, ...]


@dataclass(frozen=True)
class EventPerson:
    """A player, and who that is as far as it is known."""

    player: Player
    proposals: tuple[Proposal, ...] = ()


def name_key(*parts: str) -> str:
    """A name as it is looked for: without accents, in any case, in any order.

    >>> name_key("Björn", "LINDQVIST") == name_key("lindqvist", "Bjorn"), name_key("伟", "张") == name_key("", "张伟")
    (True, True)
    """
    apart = _ONE_BY_ONE.sub(r" \1 ", folded(" ".join(parts)))
    return " ".join(sorted(word for word in _WORDS.split(apart) if word))[:170]


def sought(wanted: str) -> Q:
    """People by every word of a name of theirs, or of who was merged into them, or by the whole EMA number; everybody
    by nothing. The other names are looked through once, not once for each person."""
    wanted = wanted.replace("\0", "").strip()  # which PostgreSQL cannot be asked for
    if not wanted:
        return Q()
    numbered, named = Q(ema_number=wanted), Q()
    for word in (words := name_key(wanted).split()):
        named &= Q(key__contains=word)
    if not words:
        return numbered
    merged = Person.objects.filter(named | numbered, merged_into__isnull=False).values("merged_into")
    return named | numbered | Q(pk__in=PersonName.objects.filter(named).values("person")) | Q(pk__in=merged)


def traits_of(one: Named, aliases: Iterable[str] = ()) -> Traits:
    return Traits(
        name_key(one.first_name, one.last_name),
        one.country,
        one.ema_number,
        name_key(one.club),
        frozenset(aliases),
    )


def visible_people(actor: Actor) -> QuerySet[Person]:
    """Who is known from a tournament that the actor may see; nobody who has been merged into somebody else."""
    played = Player.objects.filter(person=OuterRef("pk"), tournament__in=visible_tournaments(actor))
    return Person.objects.filter(Exists(played), merged_into=None)


def proposals_for(wanted: Sequence[Named], actor: Actor) -> list[tuple[Proposal, ...]]:
    """For each, who of the people known they may be, the likeliest first. Three queries, however many are asked for."""
    traits = [traits_of(one) for one in wanted]
    known = candidates(
        {one.name for one in traits}, {one.ema_number for one in traits}, visible_people(actor)
    )
    return [_proposed(one, known) for one in traits]


def candidates(
    keys: set[str], ema_numbers: set[str], people: QuerySet[Person]
) -> Mapping[Person, tuple[Traits, ...]]:
    """Who has one of these names or numbers → the traits of theirs, those of who was merged into them too."""
    named = PersonName.objects.filter(key__in=keys - {""}).values("person")
    like = Q(key__in=keys - {""}) | Q(ema_number__in=ema_numbers - {""}) | Q(pk__in=named)
    every = list(Person.objects.filter(like).select_related("merged_into").prefetch_related("names"))
    roots = {one.merged_into_id or one.pk for one in every}
    allowed = {one.pk: one for one in people.filter(pk__in=roots)}
    found: dict[Person, list[Traits]] = defaultdict(list)
    for one in every:
        if (root := allowed.get(one.merged_into_id or one.pk)) is not None:
            found[root].append(traits_of(one, (name.key for name in one.names.all())))
    return {person: tuple(traits) for person, traits in found.items()}


def _proposed(one: Traits, known: Mapping[Person, tuple[Traits, ...]]) -> tuple[Proposal, ...]:
    found = []
    for person, of_theirs in known.items():
        if likeliest := min(
            filter(None, (reasons(one, other) for other in of_theirs)), key=strength, default=()
        ):
            found.append(Proposal(person, likeliest))
    return tuple(sorted(found, key=lambda each: (strength(each.reasons), each.person.pk))[:MOST])


def people_of_event(tournament: Tournament, actor: Actor) -> list[EventPerson]:
    """Every player, by number: with the person, or with who it may be."""
    return _with_proposals(tournament.players.filter(is_substitute=False).select_related("person"), actor)


def how_many_may_be_known(tournament: Tournament, actor: Actor) -> int:
    """Of how many players nobody has said yet who they are, while somebody is proposed."""
    unknown = tournament.players.filter(is_substitute=False, person=None)
    return sum(bool(one.proposals) for one in _with_proposals(unknown, actor))


def who_it_may_be(player: Player, actor: Actor) -> tuple[Proposal, ...]:
    """Of one player, who is proposed; nobody once it is said who they are."""
    found = _with_proposals(Player.objects.filter(pk=player.pk, is_substitute=False), actor)
    return found[0].proposals if found else ()


def _with_proposals(found: QuerySet[Player], actor: Actor) -> list[EventPerson]:
    players = list(found)
    unknown = [player for player in players if player.person_id is None]
    refused = set(NotThem.objects.filter(player__in=unknown).values_list("player", "person"))
    proposed = dict(zip((one.pk for one in unknown), proposals_for(unknown, actor), strict=True))
    return [
        EventPerson(
            player,
            tuple(one for one in proposed.get(player.pk, ()) if (player.pk, one.person.pk) not in refused),
        )
        for player in players
    ]


def newest_linking(tournament: Tournament) -> LogEntry | None:
    """The newest step over many, as long as it can be taken back: nothing was done to people here since. What was done
    in another installation was done to its own."""
    arrival = Arrival.objects.filter(tournament=tournament).first()
    entry = tournament.log.filter(action__in=LINKING).order_by("-seq").first()
    if entry is None or (arrival is not None and entry.seq <= arrival.version):
        return None
    return entry if entry.action == "players_linked" else None


LINKING: Final = ("player_linked", "player_unlinked", "players_linked", "players_unlinked")


# --- What helps to say that two people are one: who is alike, who was merged, who is called so ---


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
