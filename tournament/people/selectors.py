"""People across tournaments: as everybody may know them, and who of an event may be known."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

from django.contrib.auth.models import User
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from penalties.models import Penalty
from scoring.texts import folded
from tournament.base import access
from tournament.base.access import Actor, Right, may, visible_tournaments
from tournament.base.engine.text import display_name
from tournament.base.models.log import LogEntry
from tournament.base.models.people import NotThem, Person, PersonChange, PersonName, Player
from tournament.base.models.play import Hand, Seat, Session, Table
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Arrival, Publication, Tournament
from tournament.people import texts as actions
from tournament.people.engine import Reason, Traits, reasons, strength
from tournament.people.texts import censure_text
from tournament.play.selectors.hands import Statistics
from tournament.play.selectors.totals import ListedHand, highest_scoring, noted_hands

# --- A person's page ---


BEST: Final = 3
"""So many of the dearest hands are shown."""
FOUND: Final = 50
"""So many people are listed."""


@dataclass(frozen=True)
class Entry:
    """One tournament of theirs. Rank and points as they were published; None where nothing was."""

    player: Player
    rank: int | None
    of: int
    table_points: str
    game_points: int

    @property
    def tournament(self) -> Tournament:
        return self.player.tournament


@dataclass(frozen=True)
class PersonPage:
    """All that everybody may know of a person, the newest tournament first: from public tournaments, without sessions
    that are hidden."""

    person: Person
    entries: tuple[Entry, ...]
    statistics: Statistics
    fans: Mapping[str, int]
    """Key → in how many hands won."""
    best: tuple[ListedHand, ...]
    met: list[tuple[Person, int]]
    """Other people, with at how many tables; the most often met first."""


def public_players() -> QuerySet[Player]:
    """Whose results anybody may put together: no private tournament, none that is invented."""
    everybody = Actor.of(None)
    return Player.objects.filter(tournament__in=visible_tournaments(everybody).filter(is_trial=False))


def public_people(among: QuerySet[Person] | None = None) -> QuerySet[Person]:
    """Those who have played in public, of `among` or of everybody. That is asked last: it costs the most for each."""
    played = public_players().filter(person=OuterRef("pk"))
    everybody = Person.objects.all() if among is None else among
    return everybody.filter(merged_into=None).filter(Exists(played))


def find_people(text: str) -> list[Person]:
    """By every word of a name of theirs, or the whole EMA number; nobody who has asked not to be shown."""
    people = public_people(Person.objects.filter(sought(text), is_hidden=False))
    return list(people.order_by("last_name", "first_name", "pk")[:FOUND])


def tournaments_of(people: Sequence[Person]) -> Mapping[int, int]:
    """Person's key → at how many tournaments they have played."""
    rows = public_players().filter(person__in=people).order_by().values_list("person").annotate(Count("pk"))
    return dict(rows)


def person_page(person: Person) -> PersonPage:
    """The same number of queries however many tournaments there are."""
    players = list(
        public_players()
        .filter(person=person)
        .select_related("tournament")
        .defer("tournament__rules_snapshot")
        .order_by("-tournament__starts_on", "-pk")
    )
    played = shown_seats().filter(player__in=players).select_related("table__session")
    seats = list(played.order_by("table__session__number"))
    hands = _hands_played(players, seats)
    keys = {player.pk for player in players}
    won = [hand for hand in hands if hand.winner_id in keys]
    return PersonPage(
        person=person,
        entries=tuple(_entries(players, seats)),
        statistics=Statistics.of(hands, won, keys),
        fans=Counter(fan["key"] for hand in won for fan in hand.fans),
        best=_dearest_hands(won, players, seats),
        met=_people_met(person, seats),
    )


def _hands_played(players: Sequence[Player], seats: Sequence[Seat]) -> list[Hand]:
    """The hands they have sat through themselves: not those of an empty seat, nor of a stand-in."""
    numbers = {player.pk: player.number for player in players}
    mine = {seat.table_id: seat for seat in seats}
    at_table = Hand.objects.filter(table__in=mine, is_current=True).only(
        "id", "table", "number", "winner", "discarder", "points", "fans", "absent"
    )
    hands = []
    for hand in at_table:
        seat = mine[hand.table_id]
        by_stand_in = seat.stand_in_from is not None and hand.number >= seat.stand_in_from
        if not by_stand_in and numbers[seat.player_id] not in hand.absent:
            hands.append(hand)
    return hands


def _dearest_hands(
    won: Sequence[Hand], players: Sequence[Player], seats: Sequence[Seat]
) -> tuple[ListedHand, ...]:
    """The dearest, the earliest of equals first, then those that are only noted: not where a stand-in sat, too, who may
    have won it."""
    keys = [hand.pk for hand in sorted(won, key=lambda hand: (-hand.points, hand.pk))[:BEST]]
    hands = Hand.objects.select_related("table__session__tournament", "winner", "discarder")
    by_key = hands.defer("table__session__tournament__rules_snapshot").in_bulk(keys)
    alone = [seat.table_id for seat in seats if seat.stand_in_from is None]
    noted = noted_hands(Table.objects.filter(pk__in=alone), players)
    return tuple(highest_scoring([by_key[key] for key in keys], noted)[:BEST])


def _entries(players: Sequence[Player], seats: Sequence[Seat]) -> Iterator[Entry]:
    published = _newest_publications(players)
    played: Counter[int] = Counter()
    for seat in seats:
        played[seat.player_id] += seat.game_points
    for player in players:
        publication = published.get(player.tournament_id)
        rows = publication.rows if publication else []
        row = next((row for row in rows if row["number"] == player.number), None)
        if row is None:
            yield Entry(player, None, 0, "", played[player.pk])
        else:
            yield Entry(player, row["rank"], len(rows), row["table_points"], row["game_points"])


def _newest_publications(players: Sequence[Player]) -> dict[int, Publication]:
    """Tournament → the newest standings that were published, none that a hidden session is in."""
    hidden = Session.objects.filter(
        tournament=OuterRef("tournament"), number__lte=OuterRef("after_session"), hidden=True
    )
    events = {player.tournament_id for player in players}
    publications = Publication.objects.filter(tournament__in=events).exclude(Exists(hidden))
    return {publication.tournament_id: publication for publication in publications.order_by("version")}


def _people_met(person: Person, seats: Sequence[Seat]) -> list[tuple[Person, int]]:
    at_tables = Person.objects.filter(players__seats__table__in=[seat.table_id for seat in seats])
    others = at_tables.exclude(pk=person.pk).annotate(times=Count("players__seats__table"))
    return [(other, other.times) for other in others.order_by("-times", "pk")]


def shown_seats() -> QuerySet[Seat]:
    """Of sessions that have begun and whose results the public is told."""
    return Seat.objects.filter(table__session__hidden=False).exclude(
        table__session__state=Session.State.PLANNED
    )


# --- Two people at one table ---


@dataclass(frozen=True)
class HeadToHead:
    tables: list[tuple[Seat, Seat]]
    """Where each sat at a table that had both, the newest first."""
    won_off: tuple[int, int]
    """Hands that each won by the other's discard."""

    @property
    def ahead(self) -> tuple[int, int]:
        """At how many tables each made more points."""
        more = [first.game_points - second.game_points for first, second in self.tables]
        return sum(points > 0 for points in more), sum(points < 0 for points in more)

    @property
    def points(self) -> tuple[int, int]:
        mine = sum(first.game_points for first, _other in self.tables)
        return mine, sum(other.game_points for _one, other in self.tables)


def head_to_head(first: Person, second: Person) -> HeadToHead:
    """In three queries."""
    mine, theirs = _seats_by_table(first), _seats_by_table(second)
    shared = [(mine[table], theirs[table]) for table in mine if table in theirs]
    shared.sort(
        key=lambda seats: (seats[0].table.session.tournament.starts_on, seats[0].table_id), reverse=True
    )
    return HeadToHead(shared, _hands_won_off(shared))


def _seats_by_table(person: Person) -> Mapping[int, Seat]:
    """Table → their seat there."""
    seats = shown_seats().filter(player__in=public_players().filter(person=person))
    seats = seats.select_related("table__session__tournament", "player")
    return {seat.table_id: seat for seat in seats.defer("table__session__tournament__rules_snapshot")}


def _hands_won_off(shared: Sequence[tuple[Seat, Seat]]) -> tuple[int, int]:
    mine, theirs = ({seats[who].player_id for seats in shared} for who in (0, 1))
    tables = [first.table_id for first, _other in shared]
    hands = Hand.objects.filter(table__in=tables, is_current=True)
    won, lost = Q(winner__in=mine, discarder__in=theirs), Q(winner__in=theirs, discarder__in=mine)
    counts = hands.aggregate(won=Count("pk", filter=won), lost=Count("pk", filter=lost))
    return counts["won"], counts["lost"]


# --- Who may be who ---


MOST: Final = 3
"""So many people are proposed for a player."""
_WORDS: Final = re.compile(r"[\W_]+")
_ONE_BY_ONE: Final = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])")
"""Scripts written without spaces: 张伟 is 伟 张."""


Named: TypeAlias = Player | Person | Registration


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


def sought(text: str) -> Q:
    """People by every word of a name of theirs, or of who was merged into them, or by the whole EMA number; everybody
    by nothing. The other names are looked through once, not once for each person."""
    text = text.replace("\0", "").strip()  # which PostgreSQL cannot be asked for
    if not text:
        return Q()
    numbered, named = Q(ema_number=text), Q()
    for word in (words := name_key(text).split()):
        named &= Q(key__contains=word)
    if not words:
        return numbered
    merged = Person.objects.filter(named | numbered, merged_into__isnull=False).values("merged_into")
    return named | numbered | Q(pk__in=PersonName.objects.filter(named).values("person")) | Q(pk__in=merged)


def traits_of(named: Named, aliases: Iterable[str] = ()) -> Traits:
    return Traits(
        name_key(named.first_name, named.last_name),
        named.country,
        named.ema_number,
        name_key(named.club),
        frozenset(aliases),
    )


def is_key(text: str) -> bool:
    """Whether it may be somebody's key, or a number."""
    return text.isascii() and text.isdecimal() and len(text) < 10


def visible_people(actor: Actor) -> QuerySet[Person]:
    """Who is known from a tournament that the actor may see; nobody who has been merged into somebody else."""
    if actor.is_system:
        return Person.objects.filter(merged_into=None)
    played = Player.objects.filter(person=OuterRef("pk"), tournament__in=visible_tournaments(actor))
    return Person.objects.filter(Exists(played), merged_into=None)


def has_number(actor: Actor, ema_number: str) -> bool:
    """Whether somebody of whom the actor may know has this EMA number. Of all others it is not told, so two people may
    have one number until they turn out to be one."""
    return bool(ema_number) and visible_people(actor).filter(ema_number=ema_number).exists()


def proposals_for(people: Sequence[Named], actor: Actor) -> list[tuple[Proposal, ...]]:
    """For each, who of the people known they may be, the likeliest first. Three queries, however many are asked for."""
    wanted_traits = [traits_of(named) for named in people]
    names = {traits.name for traits in wanted_traits}
    ema_numbers = {traits.ema_number for traits in wanted_traits}
    known = candidates(names, ema_numbers, visible_people(actor))
    return [_proposed(traits, known) for traits in wanted_traits]


def _proposed(traits: Traits, known: Mapping[Person, tuple[Traits, ...]]) -> tuple[Proposal, ...]:
    proposals = []
    for person, of_theirs in known.items():
        if likeliest := min(
            filter(None, (reasons(traits, other) for other in of_theirs)), key=strength, default=()
        ):
            proposals.append(Proposal(person, likeliest))
    return tuple(
        sorted(proposals, key=lambda proposal: (strength(proposal.reasons), proposal.person.pk))[:MOST]
    )


def candidates(
    keys: set[str], ema_numbers: set[str], people: QuerySet[Person]
) -> Mapping[Person, tuple[Traits, ...]]:
    """Who has one of these names or numbers → the traits of theirs, those of who was merged into them too."""
    named = PersonName.objects.filter(key__in=keys - {""}).values("person")
    like = Q(key__in=keys - {""}) | Q(ema_number__in=ema_numbers - {""}) | Q(pk__in=named)
    every = list(Person.objects.filter(like).select_related("merged_into").prefetch_related("names"))
    roots = {match.merged_into_id or match.pk for match in every}
    allowed = {match.pk: match for match in people.filter(pk__in=roots)}
    traits_by_person: dict[Person, list[Traits]] = defaultdict(list)
    for match in every:
        if (root := allowed.get(match.merged_into_id or match.pk)) is not None:
            traits_by_person[root].append(traits_of(match, (name.key for name in match.names.all())))
    return {person: tuple(traits) for person, traits in traits_by_person.items()}


def people_of_event(tournament: Tournament, actor: Actor) -> list[EventPerson]:
    """Every player, by number: with the person, or with who it may be."""
    return _with_proposals(tournament.players.filter(is_substitute=False).select_related("person"), actor)


def how_many_may_be_known(tournament: Tournament, actor: Actor) -> int:
    """Of how many players nobody has said yet who they are, while somebody is proposed."""
    unknown = tournament.players.filter(is_substitute=False, person=None)
    return sum(bool(player.proposals) for player in _with_proposals(unknown, actor))


def who_it_may_be(player: Player, actor: Actor) -> tuple[Proposal, ...]:
    """Of one player, who is proposed; nobody once it is said who they are."""
    people = _with_proposals(Player.objects.filter(pk=player.pk, is_substitute=False), actor)
    return people[0].proposals if people else ()


def _with_proposals(rows: QuerySet[Player], actor: Actor) -> list[EventPerson]:
    players = list(rows)
    unknown = [player for player in players if player.person_id is None]
    refused = set(NotThem.objects.filter(player__in=unknown).values_list("player", "person"))
    proposed = dict(zip((player.pk for player in unknown), proposals_for(unknown, actor), strict=True))
    return [
        EventPerson(
            player,
            tuple(
                proposal
                for proposal in proposed.get(player.pk, ())
                if (player.pk, proposal.person.pk) not in refused
            ),
        )
        for player in players
    ]


LINKING: Final = (
    actions.PLAYER_LINKED,
    actions.PLAYER_UNLINKED,
    actions.PLAYERS_LINKED,
    actions.PLAYERS_UNLINKED,
)


def newest_linking(tournament: Tournament) -> LogEntry | None:
    """The newest step over many, as long as it can be taken back: nothing was done to people here since. What was done
    in another installation was done to its own."""
    arrival = Arrival.objects.filter(tournament=tournament).first()
    entry = tournament.log.of(*LINKING).order_by("-seq").first()
    if entry is None or (arrival is not None and entry.seq <= arrival.version):
        return None
    return entry if entry.action == actions.PLAYERS_LINKED.code else None


# --- Bans and open criticism ---


CENSURES: Final = ("ban", "criticism")
"""The parts of a sanction that follow a person to other tournaments."""


class Censure(NamedTuple):
    """A standing penalty with a ban or open criticism, given at another tournament."""

    penalty: Penalty
    reasons: tuple[Reason, ...]
    """Why it may be the same person; nothing where it is known to be."""

    @property
    def parts(self) -> list[str]:
        return [part for part in CENSURES if self.penalty.sanction.get(part)]


def censures_of(people: Sequence[Named], actor: Actor, here: Tournament) -> list[list[Censure]]:
    """For each player or registration of the tournament `here`: bans and criticism of theirs, the newest first.

    Those given at tournaments that the actor may see.
    """
    censured = Q()
    for part in CENSURES:
        censured |= Q(sanction__has_key=part)
    given_penalties = Penalty.objects.filter(
        censured, cancelled_at=None, tournament__in=visible_tournaments(actor).filter(is_trial=False)
    )
    given_penalties = given_penalties.exclude(tournament=here).select_related("player__person", "tournament")
    penalties = list(given_penalties.prefetch_related("player__person__names").order_by("-given_at"))
    if not penalties:
        return [[] for _named in people]
    players = [player for named in people if (player := _player_of(named))]
    refused = set(NotThem.objects.filter(player__in=players).values_list("player", "person"))
    return [
        [
            Censure(penalty, why)
            for penalty in penalties
            if (why := _why_theirs(named, penalty.player, refused)) is not None
        ]
        for named in people
    ]


def censured_lines(
    people: Sequence[Named], url_of: Callable[[Any], str], actor: Actor, here: Tournament
) -> list[tuple[str, str, list[str]]]:
    """List who of an event was banned or criticised elsewhere, for its organisers: the name, the address of their page
    there, and what was imposed."""
    if not may(actor, here, Right.ORGANISE):
        return []
    return [
        (
            display_name(named.first_name, named.last_name),
            url_of(named),
            [censure_text(censure.penalty, censure.parts, censure.reasons) for censure in censures],
        )
        for named, censures in zip(people, censures_of(people, actor, here), strict=True)
        if censures
    ]


def _player_of(named: Named) -> Player | None:
    return named if isinstance(named, Player) else getattr(named, "player", None)


def _why_theirs(
    named: Named, punished: Player, refused: Collection[tuple[int, int]]
) -> tuple[Reason, ...] | None:
    """Say why somebody may be the player who was punished: nothing where both are linked to one person; None where they
    are not."""
    person, player = punished.person, _player_of(named)
    if player is not None and person is not None:
        if player.person_id == person.pk:
            return ()
        if player.person_id is not None or (player.pk, person.pk) in refused:
            return None
    aliases = [person.key, *(name.key for name in person.names.all())] if person else []
    return reasons(traits_of(named), traits_of(punished, aliases)) or None


# --- Who may be one ---


LISTED: Final = 50


def people_listed(actor: Actor, text: str) -> list[Person]:
    """Those the actor may know of, hidden ones too, with at how many tournaments that they may see each has played."""
    people = visible_people(actor).filter(sought(text))
    seen = Count("players", filter=Q(players__tournament__in=visible_tournaments(actor)))
    return list(people.annotate(played=seen).order_by("last_name", "first_name", "pk")[:LISTED])


def players_seen(person: Person, actor: Actor) -> list[Player]:
    """Their entries at tournaments that the actor may see."""
    players = Player.objects.filter(person=person, tournament__in=visible_tournaments(actor))
    return list(players.select_related("tournament"))


def likely_pairs(actor: Actor) -> list[tuple[Person, Person, tuple[Reason, ...]]]:
    """Two people of the same name or EMA number whom nothing tells apart; the older one is the second, to be stayed
    with."""
    visible = visible_people(actor)
    pairs: dict[tuple[int, int], tuple[Person, Person, tuple[Reason, ...]]] = {}
    for field in ("ema_number", "key"):
        shared = (
            visible.order_by().values(field).annotate(n=Count("pk")).filter(n__gt=1).exclude(**{field: ""})
        )
        people = visible.filter(**{f"{field}__in": shared.values(field)[:LISTED]}).order_by(field, "pk")
        for older, newer in pairwise(people):
            is_shared = getattr(older, field) == getattr(newer, field)
            if is_shared and (why := reasons(traits_of(older), traits_of(newer))):
                pairs[newer.pk, older.pk] = (newer, older, why)
    return list(pairs.values())


def who_hid(people: Iterable[Person]) -> dict[int, set[User | None]]:
    """Of hidden people, the accounts that hid them, or who was merged into them; None for one that is deleted."""
    keys = {person.pk for person in people if person.is_hidden}
    changes = PersonChange.objects.filter(
        Q(person__in=keys) | Q(person__merged_into__in=keys),
        what=PersonChange.What.HIDDEN,
        person__is_hidden=True,
    )
    newest = {
        change.person_id: change for change in changes.select_related("person", "by").order_by("pk")
    }.values()
    by_person: dict[int, set[User | None]] = {key: set() for key in keys}
    for change in newest:
        by_person[change.person.merged_into_id or change.person_id].add(change.by)
    return by_person


def may_show(actor: Actor, hid: set[User | None]) -> bool:
    """Whether the actor may show somebody by name whom these accounts have hidden: they have asked one of them."""
    return access.can_manage_backups(actor) or hid == {actor.user}


def recent_changes(actor: Actor) -> list[PersonChange]:
    """What was merged, the newest first, of people the actor may know of."""
    merged = PersonChange.objects.filter(
        what=PersonChange.What.MERGED, into__in=visible_people(actor), undone_at=None
    )
    return list(merged.select_related("person", "into", "by")[:LISTED])
