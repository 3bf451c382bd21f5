"""Deleting a whole tournament: every row of it, its log too, the files made of it, and the accounts behind its passes
and its former staff.

What remains is a line in the server's log. The hubs find the tournament gone at their next look: they end its streams,
and the pages kept of it are not handed out any more.
"""

from __future__ import annotations

import logging
from functools import partial

from django.contrib.auth.models import User
from django.db import transaction

from penalties.models import Penalty
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import refuse
from tournament.base.models.appeals import Appeal
from tournament.base.models.certificates import CertificateDesign
from tournament.base.models.documents import DocumentJob
from tournament.base.models.hands import Hand
from tournament.base.models.play import Absence
from tournament.base.models.tournament import Tournament
from tournament.events.models.event_page import EventDocument
from tournament.play.models.signing import Signature
from tournament.play.models.totals import Totals
from tournament.play.services.fresh import fresh

logger = logging.getLogger(__name__)


@transaction.atomic
def delete_tournament(tournament: Tournament, actor: Actor, *, name: str = "") -> None:
    """Delete it for good, for an owner who types its `name`; a trial without. Accounts of people stay."""
    access.require(actor, tournament, Right.OWN)
    tournament = fresh(Tournament.objects.select_for_update(), tournament)
    if not tournament.is_trial and " ".join(name.split()) != " ".join(tournament.name.split()):
        raise refuse("name_not_repeated", "name", name=name.strip())
    # A line that is there whatever the log level is set to by default: the tournament's own log goes with it.
    said = (tournament.name, tournament.slug, tournament.version, actor.name)
    transaction.on_commit(partial(logger.warning, "Tournament “%s” (%s, version %s) deleted by %s", *said))
    for job in tournament.documents.exclude(file=""):
        transaction.on_commit(partial(remove_file, job))
    for document in tournament.event_documents.all():
        transaction.on_commit(partial(remove_file, document))
    if (design := CertificateDesign.objects.filter(tournament=tournament).first()) and design.file:
        transaction.on_commit(partial(remove_file, design))
    _delete_play(tournament)
    User.objects.filter(memberships__tournament=tournament, memberships__desk_pass__isnull=False).delete()
    User.objects.filter(former_account__tournament=tournament).delete()
    transaction.on_commit(partial(log.tell, tournament.pk, tournament.version, "tournament_deleted"))
    tournament.delete()


def remove_file(kept: DocumentJob | EventDocument | CertificateDesign) -> None:
    """Delete a document's file; one that cannot be deleted is said and stays."""
    try:
        kept.file.delete(save=False)
    except OSError:
        logger.exception("The file %s could not be deleted", kept.file.name)


def _delete_play(tournament: Tournament) -> None:
    """What names players and so keeps them from being deleted: newest first, so that nothing is named any more."""
    hands = Hand.objects.filter(table__session__tournament=tournament)
    hands.update(replaces=None)
    Totals.objects.filter(table__session__tournament=tournament).update(replaces=None)
    Penalty.objects.filter(tournament=tournament).delete()
    for kind in (Hand, Totals, Appeal, Absence, Signature):
        kind._default_manager.filter(table__session__tournament=tournament).delete()
    tournament.sessions.all().delete()
