"""Forms: check-in, a player entered by hand, and a list of players."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.players.exports.player_import import Wish
from tournament.players.models import CheckIn
from tournament.players.selectors.players import LONGEST, Entrant, problems_of
from tournament.web.exports.sheets import tidy
from tournament.web.forms import DayInput, Form, ListForm, ServiceChecked, add_problems
from tournament.web.texts.words import country_name, find_country


class CheckInForm(Form):
    """Until when people have to be there, and how they say that they are."""

    day = forms.DateField(label=_("Be there by: day"), required=False, widget=DayInput())
    time = forms.TimeField(
        label=_("Time"),
        help_text=_("Empty: a quarter of an hour before the first session, by the timetable."),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    by_themselves = forms.BooleanField(
        label=_("People may check themselves in"),
        help_text=_("With the code that a screen at the door shows. It changes every five minutes."),
        required=False,
    )

    def __init__(self, tournament: Tournament, given: Any = None, **more: Any) -> None:
        super().__init__(given, **more)
        self._tournament = tournament

    @staticmethod
    def of(plan: CheckIn) -> dict[str, Any]:
        """What the form starts from."""
        at = timezone.localtime(plan.ends_at) if plan.ends_at else None
        return {
            "day": at.date() if at else plan.tournament.starts_on,
            "time": at.time() if at else None,
            "by_themselves": plan.by_themselves,
        }

    def clean_day(self) -> Any:
        day, event = self.cleaned_data["day"], self._tournament
        if day and not event.starts_on - timedelta(days=1) <= day <= event.ends_on:
            raise forms.ValidationError(_("Choose a day of the tournament, or the one before."))
        return day

    def ends_at(self) -> datetime | None:
        """The moment, by the hall's clock; call when the form is valid."""
        day, time = self.cleaned_data["day"] or self._tournament.starts_on, self.cleaned_data["time"]
        return datetime.combine(day, time, self._tournament.zone) if time else None


class PlayerForm(Form):
    """A person in one tournament. What is wrong the service says; here it is only read."""

    last_name = ServiceChecked(label=_("Last name"), widget=forms.TextInput(attrs={"maxlength": LONGEST}))
    first_name = forms.CharField(
        label=_("First name"), required=False, widget=forms.TextInput(attrs={"maxlength": LONGEST})
    )
    country = forms.CharField(
        label=_("Country"),
        help_text=_("A name in any language, or a code: Denmark, Danmark, DNK."),
        required=False,
        widget=forms.TextInput(attrs={"list": "countries", "autocomplete": "off"}),
    )
    ema_number = forms.CharField(
        label=_("EMA number"),
        help_text=_("Eight digits."),
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    team = forms.CharField(
        label=_("Team"), required=False, widget=forms.TextInput(attrs={"maxlength": LONGEST})
    )
    club = forms.CharField(
        label=_("Club"),
        help_text=_("The draw can keep club-mates apart for as long as possible."),
        required=False,
        widget=forms.TextInput(attrs={"maxlength": LONGEST}),
    )
    number = forms.IntegerField(
        label=_("Number"), help_text=_("Left empty, the next free number."), required=False
    )
    is_substitute = forms.BooleanField(
        label=_("Substitute"),
        help_text=_("Fills a table and takes a place there like anybody; is in no ranking."),
        required=False,
    )

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.teams = self._proposed("team", tournament)
        self.clubs = self._proposed("club", tournament)

    def _proposed(self, name: str, tournament: Tournament) -> list[str]:
        """The names that other players have in a field, for its list `<name>s`."""
        names = tournament.players.exclude(**{name: ""}).order_by(name).values_list(name, flat=True)
        known = list(names.distinct())
        if known:
            self.fields[name].widget.attrs["list"] = f"{name}s"
        return known

    @staticmethod
    def particulars_of(player: Player) -> dict[str, Any]:
        """What a player's form starts from."""
        known = {name: getattr(player, name) for name in PlayerForm.base_fields}
        return known | {"country": country_name(player.country) if player.country else ""}

    def clean(self) -> dict[str, Any]:
        if self.errors:
            add_problems(self, problems_of(self.entrant()))
        return self.cleaned_data

    def entrant(self) -> Entrant:
        """The person as far as could be read; a country nobody knows stays as typed."""
        texts = {
            name: tidy(self.cleaned_data.get(name) or "")
            for name in PlayerForm.base_fields
            if name not in ("number", "is_substitute")
        }
        texts["country"] = find_country(texts["country"]) or texts["country"]
        texts["ema_number"] = texts["ema_number"].replace(" ", "")
        return Entrant(
            **texts,
            number=self.cleaned_data.get("number"),
            is_substitute=self.cleaned_data.get("is_substitute"),
        )


class PlayerListForm(ListForm):
    """A list of players. `kept`: the one looked at before, with all that was said of it (`Wish.to_json`)."""

    kept = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].help_text = _(
            "CSV or XLSX; headings in any language, any separator; titles above and notes below do no harm."
        )

    @classmethod
    def of(cls, sent: Wish) -> PlayerListForm:
        """The form with a list in it that was looked at."""
        return cls(initial={"kept": sent.to_json(), "pasted": "" if sent.name else _pasted_text(sent)})

    def is_nothing_there(self) -> bool:
        return not self.kept_file

    @property
    def kept_file(self) -> str:
        """The name of the file that was looked at before; "" when it was none."""
        kept = self._kept()
        return kept.name if kept else ""

    def wish(self) -> Wish:
        """What was sent; call when the form is valid. The file goes first; what came back unchanged stays as it was."""
        file, pasted, kept = self.cleaned_data.get("file"), self.cleaned_data["pasted"], self._kept()
        is_kept = kept and (not pasted.strip() if kept.name else _lines(pasted) == _lines(_pasted_text(kept)))
        if kept and is_kept and file is None:
            return kept
        return Wish(self.content(), name=(file.name or "") if file is not None else "")

    def _kept(self) -> Wish | None:
        text = self["kept"].value()
        try:
            return Wish.from_json(text) if text else None
        except Refused:
            return None


def _pasted_text(sent: Wish) -> str:
    return sent.data.decode(errors="replace")


def _lines(text: str) -> list[str]:
    """A browser sends other ends of lines than it was given."""
    return text.strip().splitlines()
