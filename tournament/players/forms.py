"""Forms of check-in, a player, and a list of players."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.players.exports.player_import import ListInput
from tournament.players.models import CheckIn
from tournament.web.forms import ListForm, ModelForm, MomentInput


class CheckInForm(ModelForm):
    class Meta:
        model = CheckIn
        fields = ["ends_at", "self_check_in"]
        widgets = {"ends_at": MomentInput()}


class PlayerForm(ModelForm):
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
        self.teams = self._suggestions("team")
        self.clubs = self._suggestions("club")

    def _suggestions(self, name: str) -> list[str]:
        """Return the values of other players in a field, for its datalist `<name>s`."""
        players = self.instance.tournament.players
        names = players.exclude(**{name: ""}).order_by(name).values_list(name, flat=True)
        values = list(names.distinct())
        if values:
            self.fields[name].widget.attrs["list"] = f"{name}s"
        return values


class PlayerListForm(ListForm):
    """A list of players. `previous`: the list of the last preview, with its answers (`ListInput.to_json`)."""

    previous = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].help_text = _(
            "CSV or XLSX; headings in any language, any separator; extra titles above or notes below "
            "do not matter."
        )

    @classmethod
    def of(cls, source: ListInput) -> PlayerListForm:
        """Return the form with a list that was previewed."""
        return cls(
            initial={"previous": source.to_json(), "pasted": "" if source.name else _pasted_text(source)}
        )

    def is_list_required(self) -> bool:
        return not self.previous_file

    @property
    def previous_file(self) -> str:
        """The name of the previewed file; "" if the list was pasted."""
        previous = self._previous()
        return previous.name if previous else ""

    def to_input(self) -> ListInput:
        """Return the list of a valid form: the file, else an unchanged previous list, else the text."""
        file, pasted, previous = self.cleaned_data.get("file"), self.cleaned_data["pasted"], self._previous()
        is_unchanged = previous and (
            not pasted.strip() if previous.name else _lines(pasted) == _lines(_pasted_text(previous))
        )
        if previous and is_unchanged and file is None:
            return previous
        return ListInput(self.content(), name=(file.name or "") if file is not None else "")

    def _previous(self) -> ListInput | None:
        text = self["previous"].value()
        try:
            return ListInput.from_json(text) if text else None
        except Refused:
            return None


def _pasted_text(source: ListInput) -> str:
    return source.data.decode(errors="replace")


def _lines(text: str) -> list[str]:
    """Split into lines, since browsers send other line ends than they got."""
    return text.strip().splitlines()
