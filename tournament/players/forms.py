"""Forms of check-in and of a player."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from tournament.base.models.people import Player
from tournament.players.models import CheckIn
from tournament.web.forms import ModelForm, MomentInput


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
