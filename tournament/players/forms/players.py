"""A player entered by hand, and lists of them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.entrants import LONGEST, Entrant, problems_of
from tournament.web.exports.sheets import MOST_BYTES, tidy
from tournament.web.forms.problems import ServiceChecked, add_problems
from tournament.web.forms.spoken import Form
from tournament.web.texts.countries import country_name, find_country


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
        found = tournament.players.exclude(**{name: ""}).order_by(name).values_list(name, flat=True)
        known = list(found.distinct())
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
        said = {
            name: tidy(self.cleaned_data.get(name) or "")
            for name in PlayerForm.base_fields
            if name not in ("number", "is_substitute")
        }
        said["country"] = find_country(said["country"]) or said["country"]
        said["ema_number"] = said["ema_number"].replace(" ", "")
        return Entrant(
            **said,
            number=self.cleaned_data.get("number"),
            is_substitute=self.cleaned_data.get("is_substitute"),
        )


class ListForm(Form):
    """A list of players, as a file or as text."""

    file = forms.FileField(
        label=_("File"),
        help_text=_("CSV or XLSX; headings in any language, any separator."),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,text/csv,text/plain"}),
    )
    pasted = forms.CharField(
        label=_("Or paste the list"),
        help_text=_("Copied from a spreadsheet, a mail or a web page."),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
    )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        file = data.get("file")
        if file is not None and file.size > MOST_BYTES:
            self.add_error("file", _("This file is too large to be a list of players."))
        elif (
            file is None
            and not data.get("pasted", "").strip()
            and not self.errors
            and self.is_nothing_there()
        ):
            self.add_error("file", _("Choose a file, or paste the list below."))
        return data

    def is_nothing_there(self) -> bool:
        """Whether there is no list when none is sent."""
        return True

    def content(self) -> bytes:
        """What was sent; call when the form is valid. The file goes first."""
        file = self.cleaned_data.get("file")
        content: bytes = file.read() if file is not None else self.cleaned_data["pasted"].encode()
        return content
