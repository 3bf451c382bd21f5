"""Forms: check-in, a player entered by hand, and a list of players."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.players.exports.player_import import Wish
from tournament.players.models import CheckIn
from tournament.web.forms import ListForm, ModelForm, MomentInput


class CheckInForm(ModelForm):
    """Until when people have to be there, and how they say that they are."""

    class Meta:
        model = CheckIn
        fields = ["ends_at", "by_themselves"]
        widgets = {"ends_at": MomentInput()}


class PlayerForm(ModelForm):
    """A person in one tournament."""

    class Meta:
        model = Player
        fields = [
            *("last_name", "first_name", "country", "ema_number", "team", "club", "number"),
            "is_substitute",
        ]
        help_texts = {"club": _("The draw can keep club-mates apart for as long as possible.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["number"].required = False
        self.teams = self._proposed("team")
        self.clubs = self._proposed("club")

    def _proposed(self, name: str) -> list[str]:
        """The names that other players have in a field, for its list `<name>s`."""
        players = self.instance.tournament.players
        names = players.exclude(**{name: ""}).order_by(name).values_list(name, flat=True)
        known = list(names.distinct())
        if known:
            self.fields[name].widget.attrs["list"] = f"{name}s"
        return known


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
