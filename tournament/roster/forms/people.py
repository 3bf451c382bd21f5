"""The form of what only players have."""

from tournament.base.models.people import Player
from tournament.web.forms import ModelForm


class PlayerNumberForm(ModelForm):
    """Of a player whose other fields are those of a registration."""

    prefix = "player"

    class Meta:
        model = Player
        fields = ["number", "is_substitute"]
