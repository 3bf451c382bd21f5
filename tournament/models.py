# ruff: noqa: F401
"""All models of the app, where Django looks for them. Each is defined in its package."""

from tournament.base.models import documents, events, log, people, play, registration, tournament
from tournament.dues import models as dues
from tournament.ema import models as ema
from tournament.messages.announcements import models as announcements
from tournament.messages.mail import models as mail
from tournament.messages.push import models as push
from tournament.messages.webhooks import models as webhooks
from tournament.play import models as calls
from tournament.players import models as players
from tournament.privacy import models as privacy
from tournament.prizes import models as prizes
from tournament.screens import models as screens
from tournament.staff import models as staff
