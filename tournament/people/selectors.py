"""People across tournaments: public pages, proposed matches, penalties elsewhere and duplicates."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

from django.contrib.auth.models import User
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from penalties.models import Penalty
from tournament.base import access
from tournament.base.access import Actor, Right, may, visible_tournaments
from tournament.base.engine.names import name_key, search_words
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Person, PersonChange, PersonName, Player, RejectedPerson
from tournament.base.models.play import Hand, Seat, Session, Table
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Arrival, Publication, Tournament
from tournament.people import texts as actions
from tournament.people.engine import Reason, Traits, match_reasons, strength_key
from tournament.people.texts import censure_text
from tournament.play.selectors.hands import Statistics
from tournament.play.selectors.totals import ListedHand, highest_scoring, noted_hands

# --- A person's page ---


MAX_BEST_HANDS: Final = 3
MAX_RESULTS: Final = 50
"""People in the result of a search."""


@dataclass(frozen=True)
class TournamentEntry:
    """A tournament of a person. `rank` and points are the published ones; `rank` is None before they are published."""

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
    """A person's results at public tournaments, the newest first, without hidden sessions."""

    person: Person
    entries: tuple[TournamentEntry, ...]
    statistics: Statistics
    fans: Mapping[str, int]
    """Fan → number of hands won with it."""
    best: tuple[ListedHand, ...]
    met: list[tuple[Person, int]]
    """Other people with the number of common tables, the most often met first."""


def public_players() -> QuerySet[Player]:
    """Select the players of public tournaments, without trials."""
    everybody = Actor.of(None)
    return Player.objects.filter(tournament__in=visible_tournaments(everybody).filter(is_trial=False))


def public_people(among: QuerySet[Person] | None = None) -> QuerySet[Person]:
    """Select the people of `among`, or of all, who have played at public tournaments.

    The subquery is the last condition because it is the most expensive.
    """
    played = public_players().filter(person=OuterRef("pk"))
    people = Person.objects.all() if among is None else among
    return people.filter(merged_into=None).filter(Exists(played))


def find_people(text: str) -> list[Person]:
    """Search public people by name or EMA number (`search_filter`), without hidden ones."""
    people = public_people(Person.objects.filter(search_filter(text), is_hidden=False))
    return list(people.order_by("last_name", "first_name", "pk")[:MAX_RESULTS])


def count_tournaments(people: Sequence[Person]) -> Mapping[int, int]:
    """Return person's key → number of public tournaments."""
    rows = public_players().filter(person__in=people).order_by().values_list("person").annotate(Count("pk"))
    return dict(rows)


def person_page(person: Person) -> PersonPage:
    """Return the data of a person's page. The number of queries does not depend on the number of tournaments."""
    players = list(
        public_players()
        .filter(person=person)
        .select_related("tournament")
        .defer("tournament__rules_snapshot")
        .order_by("-tournament__starts_on", "-pk")
    )
    public = public_seats().filter(player__in=players).select_related("table__session")
    seats = list(public.order_by("table__session__number"))
    hands = _hands_played(players, seats)
    keys = {player.pk for player in players}
    won = [hand for hand in hands if hand.winner_id in keys]
    return PersonPage(
        person=person,
        entries=tuple(_entries(players, seats)),
        statistics=Statistics.of(hands, won, keys),
        fans=Counter(fan["key"] for hand in won for fan in hand.fans),
        best=_best_hands(won, players, seats),
        met=_people_met(person, seats),
    )


def _hands_played(players: Sequence[Player], seats: Sequence[Seat]) -> list[Hand]:
    """Return the hands at which the players sat themselves, not a stand-in and not with an empty seat."""
    numbers = {player.pk: player.number for player in players}
    seat_at = {seat.table_id: seat for seat in seats}
    at_table = Hand.objects.filter(table__in=seat_at, is_current=True).only(
        "id", "table", "number", "winner", "discarder", "points", "fans", "absent"
    )
    hands = []
    for hand in at_table:
        seat = seat_at[hand.table_id]
        by_stand_in = seat.stand_in_from is not None and hand.number >= seat.stand_in_from
        if not by_stand_in and numbers[seat.player_id] not in hand.absent:
            hands.append(hand)
    return hands


def _best_hands(
    won: Sequence[Hand], players: Sequence[Player], seats: Sequence[Seat]
) -> tuple[ListedHand, ...]:
    """Return the best hands, recorded or noted on a score sheet; of equal ones the earliest first.

    Noted hands of a table with a stand-in are left out: the stand-in may have won them.
    """
    keys = [hand.pk for hand in sorted(won, key=lambda hand: (-hand.points, hand.pk))[:MAX_BEST_HANDS]]
    hands = Hand.objects.select_related("table__session__tournament", "winner", "discarder")
    by_key = hands.defer("table__session__tournament__rules_snapshot").in_bulk(keys)
    without_stand_in = [seat.table_id for seat in seats if seat.stand_in_from is None]
    noted = noted_hands(Table.objects.filter(pk__in=without_stand_in), players)
    return tuple(highest_scoring([by_key[key] for key in keys], noted)[:MAX_BEST_HANDS])


def _entries(players: Sequence[Player], seats: Sequence[Seat]) -> Iterator[TournamentEntry]:
    published = _newest_publications(players)
    game_points: Counter[int] = Counter()
    for seat in seats:
        game_points[seat.player_id] += seat.game_points
    for player in players:
        publication = published.get(player.tournament_id)
        rows = publication.rows if publication else []
        row = next((row for row in rows if row["number"] == player.number), None)
        if row is None:
            yield TournamentEntry(player, None, 0, "", game_points[player.pk])
        else:
            yield TournamentEntry(player, row["rank"], len(rows), row["table_points"], row["game_points"])


def _newest_publications(players: Sequence[Player]) -> dict[int, Publication]:
    """Return tournament → its newest publication without a hidden session."""
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


def public_seats() -> QuerySet[Seat]:
    """Select the seats of sessions that have begun and are not hidden."""
    return Seat.objects.filter(table__session__hidden=False).exclude(
        table__session__state=Session.State.PLANNED
    )


# --- Two people at one table ---


@dataclass(frozen=True)
class HeadToHead:
    """Two people compared; each pair of values belongs to the first and the second."""

    tables: list[tuple[Seat, Seat]]
    """Their seats at common tables, the newest first."""
    wins_by_discard: tuple[int, int]
    """Hands that each won by the other's discard."""

    @property
    def tables_ahead(self) -> tuple[int, int]:
        """The number of tables at which each had more game points."""
        differences = [first.game_points - second.game_points for first, second in self.tables]
        return sum(points > 0 for points in differences), sum(points < 0 for points in differences)

    @property
    def points(self) -> tuple[int, int]:
        first_sum = sum(first.game_points for first, _second in self.tables)
        return first_sum, sum(second.game_points for _first, second in self.tables)


def head_to_head(first: Person, second: Person) -> HeadToHead:
    """Compare two people at their common tables, in three queries."""
    first_seats, second_seats = _seats_by_table(first), _seats_by_table(second)
    tables = [(seat, second_seats[table]) for table, seat in first_seats.items() if table in second_seats]
    tables.sort(
        key=lambda seats: (seats[0].table.session.tournament.starts_on, seats[0].table_id), reverse=True
    )
    return HeadToHead(tables, _wins_by_discard(tables))


def _seats_by_table(person: Person) -> Mapping[int, Seat]:
    seats = public_seats().filter(player__in=public_players().filter(person=person))
    seats = seats.select_related("table__session__tournament", "player")
    return {seat.table_id: seat for seat in seats.defer("table__session__tournament__rules_snapshot")}


def _wins_by_discard(tables: Sequence[tuple[Seat, Seat]]) -> tuple[int, int]:
    first, second = ({seats[index].player_id for seats in tables} for index in (0, 1))
    hands = Hand.objects.filter(table__in=[seat.table_id for seat, _seat in tables], is_current=True)
    counts = hands.aggregate(
        first=Count("pk", filter=Q(winner__in=first, discarder__in=second)),
        second=Count("pk", filter=Q(winner__in=second, discarder__in=first)),
    )
    return counts["first"], counts["second"]


# --- Matches ---


MAX_PROPOSALS: Final = 3
"""People proposed for a player."""


Named: TypeAlias = Player | Person | Registration


class Proposal(NamedTuple):
    """A person who may be the player."""

    person: Person
    reasons: tuple[Reason, ...]


@dataclass(frozen=True)
class EventPerson:
    """A player with proposals, if no person is linked."""

    player: Player
    proposals: tuple[Proposal, ...] = ()


def search_filter(text: str) -> Q:
    """Return a filter of people by all words of a name, or by the whole EMA number; an empty text matches everybody.

    Other names and merged people are found too, by subqueries that do not depend on each row.
    """
    text = text.replace("\0", "").strip()  # PostgreSQL refuses NUL
    if not text:
        return Q()
    by_number, by_name = Q(ema_number=text), Q()
    for word in (words := search_words(text)):
        by_name &= Q(key__contains=word)
    if not words:
        return by_number
    other_names = PersonName.objects.filter(by_name).values("person")
    merged = Person.objects.filter(by_name | by_number, merged_into__isnull=False).values("merged_into")
    return by_name | by_number | Q(pk__in=other_names) | Q(pk__in=merged)


def traits_of(named: Named, aliases: Iterable[str] = ()) -> Traits:
    own_names = () if isinstance(named, Person) else named.names_by_key
    return Traits(
        name_key(named.first_name, named.last_name),
        named.country,
        named.ema_number,
        name_key(named.club),
        frozenset(aliases).union(own_names),
    )


def is_key(text: str) -> bool:
    """Whether a text can be a primary key or a player's number."""
    return text.isascii() and text.isdecimal() and len(text) < 10


def visible_people(actor: Actor) -> QuerySet[Person]:
    """Select people who have played at a tournament that the actor may see, without merged ones."""
    if actor.is_system:
        return Person.objects.filter(merged_into=None)
    played = Player.objects.filter(person=OuterRef("pk"), tournament__in=visible_tournaments(actor))
    return Person.objects.filter(Exists(played), merged_into=None)


def own_people(actor: Actor) -> QuerySet[Person]:
    """Select the visible people whom the actor may merge and hide.

    They have played at a tournament that the actor organises, or are only in such tournaments. A link alone is not
    enough, as any organiser may link a player to a person of public tournaments. Superusers may change everybody.
    """
    people = visible_people(actor)
    if access.can_manage_backups(actor):
        return people
    if not access.has_account(actor):
        return people.none()
    players, organised = Player.objects.filter(person=OuterRef("pk")), access.organised_tournaments(actor)
    own = players.filter(tournament__in=organised)
    begun = (Session.State.RUNNING, Session.State.CLOSED)
    played = own.filter(tournament__is_trial=False, seats__table__session__state__in=begun)
    elsewhere = players.exclude(tournament__in=organised)
    return people.filter(Exists(played) | (Exists(own) & ~Exists(elsewhere)))


def is_ema_number_taken(actor: Actor, ema_number: str) -> bool:
    """Whether a person visible to the actor has this EMA number.

    Invisible people are not revealed, so two people may have the same number until they are merged.
    """
    return bool(ema_number) and visible_people(actor).filter(ema_number=ema_number).exists()


def proposals_for(people: Sequence[Named], actor: Actor) -> list[tuple[Proposal, ...]]:
    """Return, for each of `people`, the visible people they may be, the likeliest first. Takes three queries."""
    all_traits = [traits_of(named) for named in people]
    names = {name for traits in all_traits for name in (traits.name, *traits.aliases)}
    ema_numbers = {traits.ema_number for traits in all_traits}
    known = candidates(names, ema_numbers, visible_people(actor))
    return [_proposals(traits, known) for traits in all_traits]


def _proposals(traits: Traits, known: Mapping[Person, tuple[Traits, ...]]) -> tuple[Proposal, ...]:
    proposals = []
    for person, all_traits in known.items():
        matches = filter(None, (match_reasons(traits, known_traits) for known_traits in all_traits))
        if strongest := min(matches, key=strength_key, default=()):
            proposals.append(Proposal(person, strongest))
    proposals.sort(key=lambda proposal: (strength_key(proposal.reasons), proposal.person.pk))
    return tuple(proposals[:MAX_PROPOSALS])


def candidates(
    keys: set[str], ema_numbers: set[str], people: QuerySet[Person]
) -> Mapping[Person, tuple[Traits, ...]]:
    """Return person → traits of the person and of those merged into them, for these names or EMA numbers."""
    named = PersonName.objects.filter(key__in=keys - {""}).values("person")
    condition = Q(key__in=keys - {""}) | Q(ema_number__in=ema_numbers - {""}) | Q(pk__in=named)
    matches = list(Person.objects.filter(condition).select_related("merged_into").prefetch_related("names"))
    roots = {match.merged_into_id or match.pk for match in matches}
    visible_roots = {person.pk: person for person in people.filter(pk__in=roots)}
    traits_by_person: dict[Person, list[Traits]] = defaultdict(list)
    for match in matches:
        if (root := visible_roots.get(match.merged_into_id or match.pk)) is not None:
            traits_by_person[root].append(traits_of(match, (name.key for name in match.names.all())))
    return {person: tuple(traits) for person, traits in traits_by_person.items()}


def people_of_event(tournament: Tournament, actor: Actor) -> list[EventPerson]:
    """Return all players but substitutes, by number, each with the linked person or proposals."""
    return _with_proposals(tournament.players.filter(is_substitute=False).select_related("person"), actor)


def count_players_with_proposals(tournament: Tournament, actor: Actor) -> int:
    """Return the number of players without a linked person for whom there are proposals."""
    unlinked = tournament.players.filter(is_substitute=False, person=None)
    return sum(bool(player.proposals) for player in _with_proposals(unlinked, actor))


def proposals_for_player(player: Player, actor: Actor) -> tuple[Proposal, ...]:
    """Return the proposals for one player; nothing once a person is linked."""
    people = _with_proposals(Player.objects.filter(pk=player.pk, is_substitute=False), actor)
    return people[0].proposals if people else ()


def _with_proposals(rows: QuerySet[Player], actor: Actor) -> list[EventPerson]:
    players = list(rows)
    unlinked = [player for player in players if player.person_id is None]
    rejected = set(RejectedPerson.objects.filter(player__in=unlinked).values_list("player", "person"))
    tournaments = {player.tournament_id for player in unlinked}
    linked = Player.objects.filter(tournament__in=tournaments).exclude(person=None)
    playing = set(linked.values_list("person", flat=True))
    proposed = dict(zip((player.pk for player in unlinked), proposals_for(unlinked, actor), strict=True))
    return [
        EventPerson(
            player,
            tuple(
                proposal
                for proposal in proposed.get(player.pk, ())
                if (player.pk, proposal.person.pk) not in rejected and proposal.person.pk not in playing
            ),
        )
        for player in players
    ]


LINKING_ACTIONS: Final = (
    actions.PLAYER_LINKED,
    actions.PLAYER_UNLINKED,
    actions.PLAYERS_LINKED,
    actions.PLAYERS_UNLINKED,
)


def undoable_linking(tournament: Tournament) -> LogEntry | None:
    """Return the log entry of the newest `link_players` if it can be undone, else None.

    It cannot be undone after a later change of links, nor if it came with the file of another installation, whose
    people have other keys.
    """
    arrival = Arrival.objects.filter(tournament=tournament).first()
    entry = tournament.log.of(*LINKING_ACTIONS).order_by("-seq").first()
    if entry is None or (arrival is not None and entry.seq <= arrival.version):
        return None
    return entry if entry.action == actions.PLAYERS_LINKED.code else None


# --- Bans and open criticism at other tournaments ---


CENSURES: Final = ("ban", "criticism")
"""The parts of a sanction that are shown at other tournaments."""


class Censure(NamedTuple):
    """A penalty with a ban or open criticism, given at another tournament and not cancelled."""

    penalty: Penalty
    reasons: tuple[Reason, ...]
    """Why it may be the same person; empty if both are linked to one person."""

    @property
    def parts(self) -> list[str]:
        return [part for part in CENSURES if self.penalty.sanction.get(part)]


def censures_of(people: Sequence[Named], actor: Actor, here: Tournament) -> list[list[Censure]]:
    """Return bans and criticism of each player or registration of the tournament `here`, the newest first.

    Only those given at other tournaments that the actor may see.
    """
    is_censure = Q()
    for part in CENSURES:
        is_censure |= Q(sanction__has_key=part)
    elsewhere = visible_tournaments(actor).filter(is_trial=False).exclude(pk=here.pk)
    censures = Penalty.objects.filter(is_censure, cancelled_at=None, tournament__in=elsewhere)
    censures = censures.select_related("player__person", "tournament")
    penalties = list(censures.prefetch_related("player__person__names").order_by("-given_at"))
    if not penalties:
        return [[] for _named in people]
    players = [player for named in people if (player := _player_of(named))]
    rejected = set(RejectedPerson.objects.filter(player__in=players).values_list("player", "person"))
    return [
        [
            Censure(penalty, reasons)
            for penalty in penalties
            if (reasons := _censure_reasons(named, penalty.player, rejected)) is not None
        ]
        for named in people
    ]


def censured_lines(
    people: Sequence[Named], url_of: Callable[[Any], str], actor: Actor, here: Tournament
) -> list[tuple[str, str, list[str]]]:
    """Return (name, URL, sentences) of those who were banned or criticised elsewhere; only for organisers of `here`.

    `url_of`: returns the URL of a player or registration.
    """
    if not may(actor, here, Right.ORGANISE):
        return []
    return [
        (
            named.full_name,
            url_of(named),
            [censure_text(censure.penalty, censure.parts, censure.reasons) for censure in censures],
        )
        for named, censures in zip(people, censures_of(people, actor, here), strict=True)
        if censures
    ]


def _player_of(named: Named) -> Player | None:
    return named if isinstance(named, Player) else getattr(named, "player", None)


def _censure_reasons(
    named: Named, penalised: Player, rejected: Collection[tuple[int, int]]
) -> tuple[Reason, ...] | None:
    """Return why `named` may be the penalised player.

    An empty tuple if both are linked to one person; None if they are different people.
    """
    person, player = penalised.person, _player_of(named)
    if player is not None and person is not None:
        if player.person_id == person.pk:
            return ()
        if player.person_id is not None or (player.pk, person.pk) in rejected:
            return None
    aliases = [person.key, *(name.key for name in person.names.all())] if person else []
    return match_reasons(traits_of(named), traits_of(penalised, aliases)) or None


# --- Duplicates and hidden people ---


MAX_LISTED: Final = 50


def search_own_people(actor: Actor, text: str) -> list[Person]:
    """Search the actor's own people, hidden ones too; `played` is the number of their visible tournaments."""
    people = own_people(actor).filter(search_filter(text))
    played = Count("players", filter=Q(players__tournament__in=visible_tournaments(actor)))
    return list(people.annotate(played=played).order_by("last_name", "first_name", "pk")[:MAX_LISTED])


def visible_players(person: Person, actor: Actor) -> list[Player]:
    """Return a person's players at tournaments that the actor may see."""
    players = Player.objects.filter(person=person, tournament__in=visible_tournaments(actor))
    return list(players.select_related("tournament"))


def likely_duplicates(actor: Actor) -> list[tuple[Person, Person, tuple[Reason, ...]]]:
    """Return (newer person, older person, reasons) of own people with the same name or EMA number that match."""
    own = own_people(actor)
    pairs: dict[tuple[int, int], tuple[Person, Person, tuple[Reason, ...]]] = {}
    for field in ("ema_number", "key"):
        shared = own.order_by().values(field).annotate(n=Count("pk")).filter(n__gt=1).exclude(**{field: ""})
        people = own.filter(**{f"{field}__in": shared.values(field)[:MAX_LISTED]}).order_by(field, "pk")
        for older, newer in pairwise(people):
            is_shared = getattr(older, field) == getattr(newer, field)
            if is_shared and (reasons := match_reasons(traits_of(older), traits_of(newer))):
                pairs[newer.pk, older.pk] = (newer, older, reasons)
    return list(pairs.values())


def accounts_that_hid(people: Iterable[Person]) -> dict[int, set[User | None]]:
    """Return hidden person's key → the accounts that hid them or somebody merged into them; None for a deleted one."""
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


def can_show(actor: Actor, accounts: set[User | None]) -> bool:
    """Whether the actor may show a name that these accounts have hidden."""
    return access.can_manage_backups(actor) or accounts == {actor.user}


def recent_merges(actor: Actor) -> list[PersonChange]:
    """Return the newest merges into the actor's own people that are not undone."""
    merged = PersonChange.objects.filter(
        what=PersonChange.What.MERGED, into__in=own_people(actor), cancelled_at=None
    )
    return list(merged.select_related("person", "into", "by")[:MAX_LISTED])
