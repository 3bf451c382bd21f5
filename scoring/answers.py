"""The JSON of a scored hand and of an evening, as the API describes it: what `to_json` of the engines returns."""

from typing import Any, NotRequired, TypedDict


class GroupOfTiles(TypedDict):
    """A set, a pair or other tiles that belong together. `form`: chow, pung, kong, pair, …"""

    form: str
    tiles: list[str]
    concealed: bool


class HandReading(TypedDict):
    """How the tiles are read. Groups are named by their place in `groups`, from 0."""

    shape: str
    groups: list[GroupOfTiles]


class CountedFan(TypedDict):
    """`groups`: for each time it counts, the groups that earn it; empty where the whole hand does."""

    key: str
    name: str
    points: int
    count: int
    clause: str
    groups: list[list[int]]


class RejectedFan(TypedDict):
    """A fan that looks claimable and does not count. `by`: the fan that bars it; `also_counted`: another one counts."""

    key: str
    name: str
    count: int
    reason: str
    clause: str
    by: str | None
    groups: list[list[int]]
    tiles: list[str]
    also_counted: bool
    message: NotRequired[str]


class Worth(TypedDict):
    """What a hand comes to. `counted_points`: those that count towards the minimum."""

    rulebook: str
    win: bool
    points: int
    points_without_flowers: int
    counted_points: int
    minimum: int
    meets_minimum: bool
    notation: str


class WayToWin(Worth):
    """`payments`: gains of `winner`, `discarder` and each of the `others`; empty below the minimum."""

    self_drawn: bool
    payments: dict[str, int]


class OtherRulebook(Worth):
    """The same hand by another rulebook: fans that count `more` or `less` there, and why."""

    more: list[CountedFan]
    less: list[CountedFan]
    reasons: list[RejectedFan]


class WaitingFor(TypedDict):
    """A tile that completes the hand; `left`: copies that the hand itself does not hold."""

    tile: str
    left: NotRequired[int]
    reaches_minimum: NotRequired[bool]
    self_drawn: Worth | int
    by_discard: Worth | int


class OtherHandReading(TypedDict):
    reading: HandReading
    points_without_flowers: int
    fans: list[CountedFan]


class HandImprovement(TypedDict):
    """A near hand that may be declared. `step`: what to change."""

    step: str
    points: int
    tile: str | None
    instead_of: str | None
    message: NotRequired[str]


class AnnouncementDifference(TypedDict):
    """Where an announcement differs from the score."""

    slip: str
    fan: str | None
    announced: int
    counted: int
    because: RejectedFan | None
    message: NotRequired[str]


class ClassicalLine(TypedDict):
    """A line of a score in the classical game. `value`: points to add, a factor, or the limit."""

    key: str
    sort: str
    value: int
    clause: str
    groups: list[int]
    flowers: list[str]
    name: NotRequired[str]
    worth: NotRequired[str]
    flower_names: NotRequired[list[str]]


class ClassicalScore(TypedDict):
    """`in_full`: `added` times `factor`, before the limit."""

    rules: str
    win: bool
    points: int
    added: int
    factor: int
    in_full: int
    limit: int
    lines: list[ClassicalLine]
    reading: HandReading | None


class ClassicalPayment(TypedDict):
    """`factor`: 2 where one of the two is East."""

    payer: str
    payee: str
    points: int
    factor: int


class ScoredHand(TypedDict):
    """Of 13 tiles `waits`; of 14 the score. `differences`: null where nothing was announced."""

    rulebook: str
    problems: list[Any]
    tiles_to_come: int
    waits: list[WaitingFor]
    win: NotRequired[bool]
    points: NotRequired[int]
    points_without_flowers: NotRequired[int]
    counted_points: NotRequired[int]
    minimum: NotRequired[int]
    meets_minimum: NotRequired[bool]
    notation: NotRequired[str]
    flowers: NotRequired[int]
    fans: NotRequired[list[CountedFan]]
    reading: NotRequired[HandReading | None]
    completed: NotRequired[int | None]
    rejected: NotRequired[list[RejectedFan]]
    other_readings: NotRequired[list[OtherHandReading]]
    missing: NotRequired[int]
    improvements: NotRequired[list[HandImprovement]]
    hand: NotRequired[dict[str, Any]]
    ways: NotRequired[list[WayToWin]]
    rulebooks: NotRequired[list[OtherRulebook]]
    differences: NotRequired[list[AnnouncementDifference] | None]


class ScoredClassicalHand(TypedDict):
    """Of 13 tiles `waits`; of 14 the score and, of a win, who pays whom while the losers score nothing."""

    rulebook: str
    problems: list[Any]
    tiles_to_come: int
    waits: list[WaitingFor]
    rules: NotRequired[str]
    win: NotRequired[bool]
    points: NotRequired[int]
    added: NotRequired[int]
    factor: NotRequired[int]
    in_full: NotRequired[int]
    limit: NotRequired[int]
    lines: NotRequired[list[ClassicalLine]]
    reading: NotRequired[HandReading | None]
    hand: NotRequired[dict[str, Any]]
    payments: NotRequired[list[ClassicalPayment]]
    changes: NotRequired[dict[str, int]]


class HandOfEvening(TypedDict):
    """`winner`: a place, 0 to 3; null: nobody. `players`: of each place {"points"}, {"tiles", "flowers"} or {}."""

    winner: NotRequired[int | None]
    ways: NotRequired[list[str]]
    players: list[dict[str, Any]]


class EveningRequest(TypedDict):
    """`rules`: what is settled otherwise than usual."""

    names: list[str]
    rules: NotRequired[dict[str, Any]]
    hands: NotRequired[list[HandOfEvening]]


class PlayedHand(TypedDict):
    """One hand settled. Lists are by place; null for a wash-out."""

    winner: int | None
    dealer: int
    prevalent_wind: str
    points: list[int] | None
    scores: list[ClassicalScore | None] | None
    payments: list[ClassicalPayment]
    changes: list[int]
    totals: list[int]


class NextHand(TypedDict):
    dealer: int
    prevalent_wind: str
    is_over: bool


class EveningAnswer(EveningRequest):
    sheet: list[PlayedHand]
    totals: list[int]
    next: NextHand
