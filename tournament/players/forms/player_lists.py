"""A list of players to be looked at: a new one, or the one that was looked at before."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.base.errors import Refused
from tournament.players.exports.players_wish import Wish
from tournament.players.forms.players import ListForm


class PlayerListForm(ListForm):
    """A list of players. `kept`: the one looked at before, with all that was said of it (`Wish.to_json`)."""

    kept = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].help_text = _(
            "CSV or XLSX; headings in any language, any separator; titles above and notes below do no harm."
        )

    @classmethod
    def of(cls, wish: Wish) -> PlayerListForm:
        """The form with a list in it that was looked at."""
        return cls(initial={"kept": wish.to_json(), "pasted": "" if wish.name else _text(wish)})

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
        is_kept = kept and (not pasted.strip() if kept.name else _lines(pasted) == _lines(_text(kept)))
        if kept and is_kept and file is None:
            return kept
        return Wish(self.content(), name=(file.name or "") if file is not None else "")

    def _kept(self) -> Wish | None:
        text = self["kept"].value()
        try:
            return Wish.from_json(text) if text else None
        except Refused:
            return None


def _text(wish: Wish) -> str:
    return wish.data.decode(errors="replace")


def _lines(text: str) -> list[str]:
    """A browser sends other ends of lines than it was given."""
    return text.strip().splitlines()
