"""The rules that lead from a foul to a sanction: five kinds, each plain data with a JSON form.

A rule names the facts that it needs, finds problems with the facts stated, and proposes a sanction. Organisers write
rules of their own for a foul book: `parse_rule` accepts only rules by which penalties can be given.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from itertools import pairwise
from math import ceil
from typing import Annotated, Any, ClassVar, Final, NotRequired, TypeAlias, TypedDict

from penalties.engine.facts import Facts, Need, Reason, RepeatScope
from penalties.engine.sanctions import (
    MAX_POINTS,
    NO_SANCTION,
    PARSE_ERRORS,
    VICTIM_MISSING,
    WARNING,
    PaidTo,
    Points,
    PointScope,
    Sanction,
)
from scoring.engine.names import Names
from scoring.engine.problems import Problem, ProblemCode, problem_code

MINUTES_NOT_POSITIVE = problem_code(
    "minutes_not_positive", "Minutes late must be 1 or more.", also=("minutes",)
)
POINTS_NOT_ON_SCALE = problem_code(
    "points_not_on_scale",
    "{points} point cannot be imposed here: {allowed}.",
    "{points} points cannot be imposed here: {allowed}.",
    by="points",
)
CIRCUMSTANCE_UNKNOWN = problem_code(
    "circumstance_unknown", "“{circumstance}” is not allowed. Choose one of: {allowed}."
)
HAND_NUMBER_MISSING = problem_code("hand_number_missing", "In which hand was it?")

Amounts: TypeAlias = tuple[int, ...] | range
"""The amounts to choose from: ascending figures, or a range of integers."""


def amounts(minimum: int, maximum: int) -> range:
    """Return the integers from ``minimum`` to ``maximum``, both included."""
    if not 0 < minimum < maximum:
        raise ValueError(f"no range of points: {minimum} to {maximum}")
    return range(minimum, maximum + 1)


def amounts_text(choice: Amounts) -> str:
    """Format amounts as they are typed, the same in every language: "5, 10, 20", or "5–60"."""
    if isinstance(choice, range):
        return f"{min(choice)}–{max(choice)}"
    return ", ".join(str(amount) for amount in choice)


class AmountsJson(TypedDict):
    least: int
    most: int


def amounts_to_json(choice: Amounts) -> list[int] | AmountsJson:
    """Return a list, or ``{"least", "most"}`` for a range."""
    if isinstance(choice, range):
        return {"least": min(choice), "most": max(choice)}
    return list(choice)


def amounts_from_json(data: Any) -> Amounts:
    """Build amounts from ``amounts_to_json``. Raises KeyError, TypeError or ValueError for other data."""
    if isinstance(data, Sequence):
        return tuple(int(amount) for amount in data)
    return amounts(int(data["least"]), int(data["most"]))


Outcome: TypeAlias = tuple[Sanction, Reason]
SanctionJson: TypeAlias = Annotated[dict[str, Any], Sanction]


class FixedJson(TypedDict):
    kind: str
    sanction: SanctionJson


class LadderJson(TypedDict):
    """`steps`: the sanction of each repeat; `if_seen`: added to it if the tile was seen."""

    kind: str
    steps: list[SanctionJson]
    repeats: Annotated[str, RepeatScope]
    if_seen: SanctionJson


class ChoiceJson(TypedDict):
    """`warning`: 0 points can be chosen, which is a warning; `stops`: the umpire may stop the offender from playing."""

    kind: str
    amounts: list[int] | AmountsJson
    scope: Annotated[str, PointScope]
    paid_to: Annotated[str, PaidTo]
    warning: NotRequired[bool]
    stops: NotRequired[bool]


class LateJson(TypedDict):
    """`bands`: [last minute, sanction], ascending. After the last: `beyond`, or growing points if that is null."""

    kind: str
    bands: list[list[Any]]
    further_minutes: int
    further_points: int
    beyond: SanctionJson | None
    others_start_after: int


class CaseJson(TypedDict):
    key: str
    names: dict[str, str]
    sanction: SanctionJson


class CasesJson(TypedDict):
    kind: str
    fact: Annotated[str, Need]
    cases: list[CaseJson]


RuleJson: TypeAlias = FixedJson | LadderJson | ChoiceJson | LateJson | CasesJson


class Rule:
    """Base class of the kinds of rule. ``occurrence`` is 1 for the first such foul within ``repeats``."""

    __slots__ = ()
    kind: ClassVar[str]

    @property
    def needs(self) -> frozenset[Need]:
        raise NotImplementedError

    @property
    def repeats(self) -> RepeatScope | None:
        return None

    def problems(self, facts: Facts) -> tuple[Problem, ...]:
        return missing_facts(self.needs, facts)

    def outcome(self, facts: Facts, occurrence: int) -> Outcome:
        raise NotImplementedError

    def to_json(self) -> Any:
        """Return the kind and the fields, without those that are False."""
        values = ((field.name, _to_json(getattr(self, field.name))) for field in fields(self))  # type: ignore[arg-type]
        return {"kind": self.kind} | {name: value for name, value in values if value is not False}


def _to_json(value: Any) -> Any:
    match value:
        case Sanction() | Names():
            return value.to_json()
        case range():
            return amounts_to_json(value)
        case tuple():
            return [_to_json(part) for part in value]
        case Case():
            return {field.name: _to_json(getattr(value, field.name)) for field in fields(value)}
        case StrEnum():
            return value.value
        case _:
            return value


def victim_need(*sanctions: Sanction) -> frozenset[Need]:
    """Return {VICTIM} if any of the sanctions is paid to the victim."""
    pays_victim = any(sanction.points and sanction.points.paid_to is PaidTo.VICTIM for sanction in sanctions)
    return frozenset({Need.VICTIM} if pays_victim else ())


MISSING_CODES: Final[Mapping[Need, ProblemCode]] = {
    Need.MINUTES: problem_code("minutes_missing", "How many minutes late?"),
    Need.POINTS: problem_code("points_missing", "How many points?"),
    Need.VICTIM: VICTIM_MISSING,
    Need.HU_WAS_VALID: problem_code("hu_was_valid_missing", "Was the hu valid?"),
    Need.CIRCUMSTANCE: problem_code("circumstance_missing", "How did it happen?"),
}


def missing_facts(needs: Iterable[Need], facts: Facts) -> tuple[Problem, ...]:
    """Return a problem ``<fact>_missing`` for each needed fact that is not stated."""
    absent = (need for need in Need if need in needs and getattr(facts, need.value) is None)
    return tuple(MISSING_CODES[need](need.value) for need in absent)


def cap_to_points_held(sanction: Sanction, facts: Facts) -> Sanction:
    """Limit the points of a sanction to those held, where players start with points (seed 000, "Being late")."""
    points_held = facts.points_held
    if points_held is None or sanction.points is None or sanction.points.total <= points_held:
        return sanction
    share = max(0, points_held) * sanction.points.amount // sanction.points.total
    return replace(sanction, points=replace(sanction.points, amount=share) if share else None)


@dataclass(frozen=True, slots=True)
class Fixed(Rule):
    """Always the same sanction. An empty one leaves the sanction to the umpire's discretion."""

    kind: ClassVar[str] = "fixed"
    sanction: Sanction = NO_SANCTION

    @property
    def needs(self) -> frozenset[Need]:
        return victim_need(self.sanction)

    def outcome(self, facts: Facts, occurrence: int) -> Outcome:
        code = "fixed" if self.sanction != NO_SANCTION else "discretion"
        return cap_to_points_held(self.sanction, facts), Reason(code)


@dataclass(frozen=True, slots=True)
class Ladder(Rule):
    """A sanction for each repeat, the last one for all further ones; ``if_seen`` is added if the tile was seen.

    An empty step leaves the sanction to the umpire's discretion.
    """

    kind: ClassVar[str] = "ladder"
    steps: tuple[Sanction, ...]
    repeats: RepeatScope = RepeatScope.SESSION
    if_seen: Sanction = NO_SANCTION

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError("a ladder has at least one step")

    @property
    def needs(self) -> frozenset[Need]:
        return victim_need(*self.steps, self.if_seen)

    def problems(self, facts: Facts) -> tuple[Problem, ...]:
        problems = missing_facts(self.needs, facts)
        if self.repeats in (RepeatScope.HAND, RepeatScope.WIND_ROUND) and facts.hand_number is None:
            return (*problems, HAND_NUMBER_MISSING("hand_number"))
        return problems

    def outcome(self, facts: Facts, occurrence: int) -> Outcome:
        sanction = self.steps[min(occurrence, len(self.steps)) - 1]
        if facts.tile_seen:
            sanction |= self.if_seen
        if sanction == NO_SANCTION:
            return sanction, Reason("discretion")
        seen = int(facts.tile_seen and self.if_seen != NO_SANCTION)
        params = {"occurrence": occurrence, "scope": self.repeats.value, "tile_seen": seen}
        return cap_to_points_held(sanction, facts), Reason("ladder", params)


@dataclass(frozen=True, slots=True)
class Choice(Rule):
    """The umpire chooses the points from ``amounts``.

    With ``warning`` 0 can be chosen, which is a warning; with ``stops`` the umpire may also stop the offender from
    playing on.
    """

    kind: ClassVar[str] = "choice"
    amounts: Amounts
    scope: PointScope = PointScope.SESSION
    paid_to: PaidTo = PaidTo.NOBODY
    warning: bool = False
    stops: bool = False

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset({Need.POINTS, Need.VICTIM} if self.paid_to is PaidTo.VICTIM else {Need.POINTS})

    def problems(self, facts: Facts) -> tuple[Problem, ...]:
        problems = missing_facts(self.needs, facts)
        if facts.points is None or facts.points in self.amounts or (self.warning and facts.points == 0):
            return problems
        allowed = f"0, {amounts_text(self.amounts)}" if self.warning else amounts_text(self.amounts)
        return (*problems, POINTS_NOT_ON_SCALE("points", points=facts.points, allowed=allowed))

    def outcome(self, facts: Facts, occurrence: int) -> Outcome:
        amount = facts.points or 0
        sanction = Sanction(points=Points(amount, self.scope, self.paid_to)) if amount else WARNING
        if self.stops and facts.stopped:
            sanction |= Sanction(may_not_continue=True)
        return cap_to_points_held(sanction, facts), Reason("chosen", {"points": amount})


@dataclass(frozen=True, slots=True)
class Step:
    """The sanction from minute ``low`` to ``high``, both included; ``high`` 0: no upper limit."""

    low: int
    high: int
    sanction: Sanction


@dataclass(frozen=True, slots=True)
class Late(Rule):
    """Lateness by minutes (seed 000). ``bands``: (last minute, sanction), ascending.

    After the last band ``beyond`` applies; without it the points of the last band grow by ``further_points`` for each
    ``further_minutes`` begun. After ``others_start_after`` minutes the other players start.
    """

    kind: ClassVar[str] = "late"
    bands: tuple[tuple[int, Sanction], ...]
    further_minutes: int = 5
    further_points: int = 20
    beyond: Sanction | None = None
    others_start_after: int = 15
    needs: ClassVar[frozenset[Need]] = frozenset({Need.MINUTES})

    def __post_init__(self) -> None:
        limits = [0, *(limit for limit, _ in self.bands)]
        if len(limits) == 1 or any(limit <= before for before, limit in pairwise(limits)):
            raise ValueError(f"bands of minutes must grow: {limits[1:]}")
        if self.beyond is None and (self.bands[-1][1].points is None or self.further_minutes <= 0):
            raise ValueError("points can only grow from points, by a number of minutes")

    def steps(self, until: int, points_held: int | None = None) -> tuple[Step, ...]:
        """Return the sanctions by minute, up to the step that reaches minute ``until`` or has no upper limit.

        For a player who holds ``points_held`` points, the last step is the first that takes all of them.
        """
        steps: list[Step] = []
        low = 1
        while not steps or (steps[-1].high and steps[-1].high < until):
            sanction, reason = self.outcome(Facts(minutes=low, points_held=points_held), 1)
            steps.append(Step(low, int(reason.params["to"]), sanction))
            low = steps[-1].high + 1
        if points_held is None or self.beyond is not None:
            return tuple(steps)
        taking_all = [
            step
            for step in steps
            if (step.sanction.points.total if step.sanction.points else 0) >= points_held
        ]
        return (*steps[: -len(taking_all)], replace(taking_all[0], high=0)) if taking_all else tuple(steps)

    def problems(self, facts: Facts) -> tuple[Problem, ...]:
        if facts.minutes is not None and facts.minutes <= 0:
            return (MINUTES_NOT_POSITIVE("minutes", minutes=facts.minutes),)
        return missing_facts(self.needs, facts)

    def outcome(self, facts: Facts, occurrence: int) -> Outcome:
        minutes = facts.minutes or 0
        low = 1
        for limit, sanction in self.bands:
            if minutes <= limit:
                return cap_to_points_held(sanction, facts), _minutes_reason(minutes, low, limit)
            low = limit + 1
        if self.beyond is not None:
            return cap_to_points_held(self.beyond, facts), _minutes_reason(minutes, low, 0)
        last, sanction = self.bands[-1]
        steps = -(-(minutes - last) // self.further_minutes)
        high = last + steps * self.further_minutes
        assert sanction.points is not None, "points can only grow from points"
        amount = min(sanction.points.amount + steps * self.further_points, MAX_POINTS)
        grown = replace(sanction, points=replace(sanction.points, amount=amount))
        return cap_to_points_held(grown, facts), _minutes_reason(
            minutes, high - self.further_minutes + 1, high
        )


def minutes_late(seconds: float) -> int:
    """Return the minutes begun, at least 1: 11 as soon as ten minutes have passed."""
    return max(1, ceil(seconds / 60))


def _minutes_reason(minutes: int, low: int, high: int) -> Reason:
    return Reason("minutes", {"minutes": minutes, "from": low, "to": high})


@dataclass(frozen=True, slots=True)
class Case:
    """A circumstance of a foul, and its sanction."""

    key: str
    names: Names
    sanction: Sanction


@dataclass(frozen=True, slots=True)
class Cases(Rule):
    """A sanction for each circumstance. With ``fact`` HU_WAS_VALID the keys are ``valid`` and ``invalid``."""

    kind: ClassVar[str] = "cases"
    cases: tuple[Case, ...]
    fact: Need = Need.CIRCUMSTANCE

    def __post_init__(self) -> None:
        keys = [case.key for case in self.cases]
        if len(set(keys)) != len(keys) or not keys:
            raise ValueError(f"cases need different keys: {keys}")
        if self.fact is Need.HU_WAS_VALID and set(keys) != {"valid", "invalid"}:
            raise ValueError(f"a hu is valid or invalid: {keys}")
        if self.fact not in (Need.HU_WAS_VALID, Need.CIRCUMSTANCE):
            raise ValueError(f"no cases of {self.fact}")

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset({self.fact}) | victim_need(*(case.sanction for case in self.cases))

    def problems(self, facts: Facts) -> tuple[Problem, ...]:
        key = self._key(facts)
        if key is None:
            return missing_facts({self.fact}, facts)
        case = self._find(key)
        if case is None:
            allowed = ", ".join(case.key for case in self.cases)
            return (CIRCUMSTANCE_UNKNOWN(self.fact.value, circumstance=key, allowed=allowed),)
        return missing_facts(victim_need(case.sanction), facts)

    def outcome(self, facts: Facts, occurrence: int) -> Outcome:
        case = self._find(self._key(facts))
        if case is None:
            raise ValueError("facts with problems have no outcome")
        return cap_to_points_held(case.sanction, facts), Reason("case", {"case": case.key})

    def _key(self, facts: Facts) -> str | None:
        if self.fact is Need.CIRCUMSTANCE:
            return facts.circumstance
        return None if facts.hu_was_valid is None else "valid" if facts.hu_was_valid else "invalid"

    def _find(self, key: str | None) -> Case | None:
        return next((case for case in self.cases if case.key == key), None)


def rule_from_json(data: Mapping[str, Any]) -> Rule:
    """Build a rule from its ``to_json``. Raises one of `PARSE_ERRORS` for other data."""
    match data["kind"]:
        case Fixed.kind:
            return Fixed(Sanction.from_json(data["sanction"]))
        case Ladder.kind:
            steps = tuple(Sanction.from_json(step) for step in data["steps"])
            return Ladder(steps, RepeatScope(data["repeats"]), Sanction.from_json(data["if_seen"]))
        case Late.kind:
            return Late(
                bands=tuple((int(limit), Sanction.from_json(sanction)) for limit, sanction in data["bands"]),
                further_minutes=int(data["further_minutes"]),
                further_points=int(data["further_points"]),
                beyond=Sanction.from_json(data["beyond"]) if data["beyond"] else None,
                others_start_after=int(data["others_start_after"]),
            )
        case Choice.kind:
            return Choice(
                amounts_from_json(data["amounts"]),
                PointScope(data["scope"]),
                PaidTo(data["paid_to"]),
                warning=bool(data.get("warning", False)),
                stops=bool(data.get("stops", False)),
            )
        case Cases.kind:
            cases = (
                Case(case["key"], Names.from_json(case["names"]), Sanction.from_json(case["sanction"]))
                for case in data["cases"]
            )
            return Cases(tuple(cases), Need(data["fact"]))
        case kind:
            raise ValueError(f"no kind of rule: {kind!r}")


HOUSE_KINDS: Final = (Fixed.kind, Ladder.kind, Choice.kind)
"""The kinds of rule of a house foul; only rulebooks have lateness and circumstances."""
MAX_STEPS: Final = 50
MAX_MINUTES: Final = 999


def parse_rule(data: Any, instead_of: Rule | None = None) -> Rule:
    """Build and check a rule written by an organiser. Raises ValueError with the reason.

    ``data`` has to equal the rule's ``to_json``. ``instead_of``: the rule that it replaces, which has the same kind;
    None for a house foul.
    """
    try:
        rule = rule_from_json(data)
    except PARSE_ERRORS:
        raise ValueError("not a rule of a foul book") from None
    kinds = HOUSE_KINDS if instead_of is None else (instead_of.kind,)
    if rule.kind not in kinds:
        raise ValueError(f"the kind has to be one of {kinds}")
    if isinstance(rule, Cases) and isinstance(instead_of, Cases):
        cases = [(case.key, case.names) for case in rule.cases]
        cases_before = [(case.key, case.names) for case in instead_of.cases]
        if (rule.fact, cases) != (instead_of.fact, cases_before):
            raise ValueError("the cases stay as they are but for their sanctions")
    _check_limits(rule)
    if rule.to_json() != data:
        raise ValueError("not a rule in the form in which the foul book gives one")
    return rule


def _check_limits(rule: Rule) -> None:
    match rule:
        case Choice(amounts=choice):
            # Of a range only the ends are checked: it may be very long.
            figures = choice if isinstance(choice, tuple) else (choice[0], choice[-1])
            if not 0 < len(figures) <= MAX_STEPS or not all(1 <= figure <= MAX_POINTS for figure in figures):
                raise ValueError(
                    f"the points to choose from are 1 to {MAX_POINTS}, at most {MAX_STEPS} figures"
                )
        case Ladder():
            if len(rule.steps) > MAX_STEPS:
                raise ValueError(f"a ladder has at most {MAX_STEPS} steps")
            if rule.if_seen.points and any(step.points for step in rule.steps):
                raise ValueError("points are taken by the steps or by if_seen, not by both")
        case Late():
            _check_lateness(rule)


def _check_lateness(rule: Late) -> None:
    if len(rule.bands) > MAX_STEPS or rule.bands[-1][0] > MAX_MINUTES:
        raise ValueError(f"lateness has at most {MAX_STEPS} bands, to minute {MAX_MINUTES}")
    figures = (rule.further_minutes, rule.further_points, rule.others_start_after)
    if not all(1 <= figure <= MAX_POINTS for figure in figures):
        raise ValueError(f"minutes and points are 1 to {MAX_POINTS}")
    sanctions: tuple[Sanction, ...] = tuple(sanction for _limit, sanction in rule.bands)
    sanctions += (rule.beyond,) if rule.beyond else ()
    if any(sanction.points and sanction.points.paid_to is PaidTo.VICTIM for sanction in sanctions):
        raise ValueError("lateness is done to nobody in particular")
