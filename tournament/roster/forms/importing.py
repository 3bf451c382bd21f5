"""The form of an imported list."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.base.errors import Refused
from tournament.roster.exports.list_import import ListInput
from tournament.web.forms import ListForm


class PlayerListForm(ListForm):
    """A list of players. `previous`: the list of the last preview, with its answers (`ListInput.to_json`)."""

    previous = forms.CharField(required=False, widget=forms.HiddenInput)
    is_previous = False
    """Whether `to_input` returned the previous list."""

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
        self.is_previous = bool(previous and is_unchanged and file is None)
        if previous and self.is_previous:
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
