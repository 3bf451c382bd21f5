"""Forms for the clock of the hall, photographs of disputed hands, and totals typed from paper."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final
from uuid import uuid4

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem, problem_code
from tournament.base.errors import Invalid, Refused
from tournament.base.models.play import Seat
from tournament.base.problems import sentence
from tournament.play.engine.statements import (
    TOTAL_MISSING,
    TOTAL_UNLIKELY,
    TOTALS_SAME_AS_TABLE,
    TOTALS_TOO_LOW,
    BestHand,
    TotalsEntry,
)
from tournament.play.models import Totals
from tournament.play.services.tables import MAX_EXTRA_MINUTES
from tournament.web.forms import CheckedByService, Form, add_problems

TOTAL_NOT_WHOLE = problem_code("total_not_whole", "“{text}” is not a whole number, such as 12 or -34.")
BEST_INCOMPLETE = problem_code(
    "best_incomplete", "Give both the winner and the points of the best hand, or neither."
)

# --- Clock of the hall ---


class ReasonForm(Form):
    """The reason why the clock is paused, resumed or extended: one of the usual reasons, or free text.

    `usual`: the usual reasons, shown as buttons. `chosen`: the first is preselected.
    """

    usual: Sequence[str | Promise] = ()
    chosen = False

    why = forms.CharField(required=False, max_length=300)
    reason = CheckedByService(
        label=_("Another reason"),
        required=False,
        max_length=300,
        widget=forms.TextInput({"autocomplete": "off"}),
    )

    @property
    def entered_reason(self) -> str:
        """Return the free text or, without it, the chosen usual reason."""
        return str(self.cleaned_data.get("reason") or self.cleaned_data.get("why", ""))

    @property
    def chips(self) -> list[tuple[str, bool]]:
        """Return the usual reasons, each with whether it is chosen."""
        names = [str(name) for name in self.usual]
        chosen = self.data.get("why", "") if self.is_bound else names[0] if self.chosen else ""
        return [(name, name == chosen) for name in names]


class PauseForm(ReasonForm):
    usual = (
        _("Fire alarm"),
        _("Power or lighting failure"),
        _("Someone needs help"),
        _("Announcement to everybody"),
    )


class ResumeForm(ReasonForm):
    usual = (_("All clear"), _("Everybody is back"))
    chosen = True


class ExtendForm(ReasonForm):
    usual = (_("Late start"), _("A disturbance"), _("Many tables are slow"))

    minutes = forms.IntegerField(
        label=_("How many minutes longer than planned?"),
        help_text=_("In total, for the whole hall; 0 cancels it."),
        min_value=0,
        max_value=MAX_EXTRA_MINUTES,
        widget=forms.NumberInput({"inputmode": "numeric"}),
    )

    def __init__(self, data: Any = None, *, longer: int = 0) -> None:
        super().__init__(data, initial={"minutes": longer or 5}, prefix=None)
        self.order_fields(["minutes", "why", "reason"])


# --- Disputed hands ---


class PhotoForm(Form):
    """A photograph of a disputed hand. Sending the same `uuid` twice adds one."""

    picture = forms.FileField(
        label=_("Photograph"),
        help_text=_("PNG, JPEG or WebP, 5 MB at most. A phone offers its camera; it needs the network."),
        widget=forms.FileInput(attrs={"accept": "image/*", "data-shrink": ""}),
    )
    uuid = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)


# --- Totals ---


MAX_DIGITS: Final = 9
"""A longer number is certainly a mistake; shorter ones are checked by the rules."""
SHOWN: Final = 20
"""How many characters of an unreadable figure the error repeats."""
MINUS: Final = str.maketrans({"−": "-", "–": "-", "—": "-", "‒": "-", "﹣": "-"})
WHOLE: Final = re.compile(rf"[+-]?\d{{1,{MAX_DIGITS}}}", re.ASCII)


def whole(text: str) -> int:
    """Read a whole number, with any minus and full-width digits; ValueError for anything else."""
    plain = unicodedata.normalize("NFKC", text).translate(MINUS).replace(" ", "")
    if not WHOLE.fullmatch(plain):
        raise ValueError(text)
    return int(plain)


class Whole(forms.CharField):
    """A whole number, or nothing; anything else, such as half a point, is an error."""

    def __init__(self, **kwargs: Any) -> None:
        attrs = {"autocomplete": "off", "class": "number", "maxlength": 40}
        super().__init__(required=False, widget=forms.TextInput(attrs=attrs), **kwargs)

    def to_python(self, value: Any) -> Any:
        text = (super().to_python(value) or "").strip()
        try:
            return whole(text) if text else None
        except ValueError:
            cut = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
            raise Invalid(TOTAL_NOT_WHOLE(text=cut)) from None

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(str(data or "").strip())


class TotalsForm(Form):
    """Four totals of a table, as somebody types them from its sheet. What is wrong with them the engine says.

    Its fields are named after the table: `t3-points_12`. With `more` it asks for wins, deal-ins and the best hand too.
    """

    sure = forms.BooleanField(required=False, label=_("It is on the sheet"))
    version = forms.IntegerField(required=False, widget=forms.HiddenInput, max_value=2**31 - 1)
    uuid = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, seats: Sequence[Seat], table: int, data: Any = None, *, version: int, more: bool = False
    ) -> None:
        super().__init__(data, prefix=f"t{table}", initial={"version": version, "uuid": uuid4()})
        self.seats, self.players, self.more = tuple(seats), tuple(seat.player for seat in seats), more
        self.fields |= {f"points_{player.number}": Whole(label=player.name) for player in self.players}
        if more:
            self._add_more()

    def _add_more(self) -> None:
        for player in self.players:
            self.fields[f"wins_{player.number}"] = Whole(label=_("Wins"))
            self.fields[f"deal_ins_{player.number}"] = Whole(label=_("Deal-ins"))
        self.fields["hands"] = Whole(label=_("Hands on the sheet"))
        choices = [("", "–"), *((str(player.number), player.name) for player in self.players)]
        self.fields["best_player"] = forms.ChoiceField(
            choices=choices, required=False, label=_("Player with the best hand")
        )
        self.fields["best_points"] = Whole(label=_("Points of the best hand"))

    def fill(self, totals: Totals) -> None:
        """Start from the totals that are stored."""
        best = totals.best or {}
        stored: dict[str, Any] = {
            "hands": totals.hands,
            "best_player": str(best.get("player", "")),
            "best_points": best.get("points"),
        }
        for name in ("points", "wins", "deal_ins"):
            for player, figure in (getattr(totals, name) or {}).items():
                stored[f"{name}_{player}"] = figure
        self.initial = {**self.initial, **stored}

    @property
    def is_empty(self) -> bool:
        """Whether nothing was typed: the table is left for later."""
        names = [name for name in self.fields if name not in ("sure", "version", "uuid")]
        return not any(str(self.data.get(self.add_prefix(name), "")).strip() for name in names)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """List the fields of each player, in the order of the seats."""
        names = ("points", "wins", "deal_ins") if self.more else ("points",)
        return [
            {"seat": seat} | {name: self[f"{name}_{seat.player.number}"] for name in names}
            for seat in self.seats
        ]

    @property
    def asks_if_sure(self) -> bool:
        """Whether there are unlikely or repeated totals to be confirmed, or they just were."""
        return self.is_bound and (bool(self.cleaned_data.get("sure")) or getattr(self, "unlikely", False))

    @property
    def first_error(self) -> str:
        """Return an error for the list on top of the page, which leads to the table."""
        return str(next(iter(self.errors.values()))[0])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if self.more and (data.get("best_points") is None) != (not data.get("best_player")):
            missing = "best_points" if data.get("best_player") else "best_player"
            if missing not in self.errors:
                self.add_error(missing, sentence(BEST_INCOMPLETE()))
        return data

    def entry(self) -> TotalsEntry:
        data = self.cleaned_data
        best = None
        if data.get("best_player") and data.get("best_points") is not None:
            best = BestHand(int(data["best_player"]), data["best_points"])
        return TotalsEntry(
            points=self._figures("points"),
            wins=self._counted("wins"),
            deal_ins=self._counted("deal_ins"),
            hands=data.get("hands"),
            best=best,
            sure=bool(data.get("sure")),
        )

    def _figures(self, name: str) -> dict[int, int | None]:
        return {player.number: self.cleaned_data.get(f"{name}_{player.number}") for player in self.players}

    def _counted(self, name: str) -> dict[int, int | None] | None:
        """Return the figures called `name`; None where nobody counted them: all four are empty."""
        figures = self._figures(name)
        return None if all(value is None for value in figures.values()) else figures

    def show_problems(self, problems: Refused | Iterable[Problem]) -> None:
        """Show each problem beside its figure; a figure that could not be read has its error already."""
        listed = list(problems.problems if isinstance(problems, Refused) else problems)
        codes = {problem.code for problem in listed}
        self.unlikely = bool(codes & {TOTAL_UNLIKELY.code, TOTALS_SAME_AS_TABLE.code})
        self.lacks_penalty = TOTALS_TOO_LOW.code in codes
        placed = [replace(problem, where=problem.where.replace(".", "_")) for problem in listed]
        unread = any(name.startswith("points_") for name in self.errors)
        add_problems(
            self,
            [
                problem
                for problem in placed
                if problem.where not in self.errors and not (unread and problem.code == TOTAL_MISSING.code)
            ],
        )


class CorrectionForm(TotalsForm):
    """Totals with a reason: required of who corrects, optional for who settles two readings."""

    def __init__(self, *args: Any, needs_reason: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kind = CheckedByService if needs_reason else forms.CharField
        longest = Totals.reason.field.max_length
        self.fields["reason"] = kind(required=needs_reason, max_length=longest, label=_("Reason"))
