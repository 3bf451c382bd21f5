"""What certificates say, and the picture behind them."""

from __future__ import annotations

from functools import partial
from typing import Final
from uuid import uuid4

from django.core.files.base import ContentFile
from django.db import transaction

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.access.rights import Right
from tournament.base.errors import Refused
from tournament.base.models.certificates import CertificateDesign
from tournament.base.models.tournament import Tournament
from tournament.documents.selectors.certificates import Wording, design_of
from tournament.events.services.deletion import remove_file
from tournament.events.services.pictures import drawn_anew

LONGEST_TEXT: Final = 600
MOST_PLACES: Final = 100


def set_certificates(
    tournament: Tournament,
    actor: Actor,
    said: Wording,
    *,
    picture: bytes | None = None,
    removes: bool = False,
) -> CertificateDesign:
    """They say this. `picture`: a PNG, JPEG or WebP by its content, drawn anew as a JPEG so that nothing else of it is
    kept; None leaves the one there is, and `removes` takes it away. The same again writes nothing."""
    access.require(actor, tournament, Right.ORGANISE)
    with log.write(tournament, actor, "certificates_changed") as entry:
        drawn = _judged(said, picture)
        design = design_of(entry.tournament)
        old = design.file.name if design.file and (drawn or removes) else ""
        about = {"text": said.text.strip(), "places": said.places, "best_hand": said.best_hand}
        changed = [name for name, value in about.items() if getattr(design, name) != value]
        if not changed and not drawn and not old:
            entry.unchanged()
            return design
        for name, value in about.items():
            setattr(design, name, value)
        if old:
            transaction.on_commit(partial(remove_file, CertificateDesign(file=old)))
            design.file = ""
        if drawn:
            design.file.save(f"certificate-{uuid4().hex}.jpeg", ContentFile(drawn), save=False)
        design.save()
        entry.data = {"fields": [*changed, *(["picture"] if drawn or old else [])]}
    return design


def _judged(said: Wording, picture: bytes | None) -> bytes | None:
    """The picture drawn anew; refused with all that is wrong."""
    found = []
    if len(said.text.strip()) > LONGEST_TEXT:
        facts = {"length": len(said.text.strip()), "most": LONGEST_TEXT}
        found.append(Problem("text_too_long", "text", facts))
    if "\0" in said.text:
        found.append(Problem("text_unreadable", "text"))
    if not 0 <= said.places <= MOST_PLACES:
        found.append(Problem("too_many_certificates", "places", {"most": MOST_PLACES}))
    drawn = None
    if picture is not None:
        try:
            drawn = drawn_anew(picture)
        except Refused as refused:
            found += refused.problems
    if found:
        raise Refused(found)
    return drawn
