"""Adding and deleting photographs of disputed hands."""

from functools import partial
from typing import Final
from uuid import UUID, uuid4

from django.core.files.base import ContentFile
from django.db import transaction
from django.db.models import QuerySet

from scoring.engine.problems import problem_code
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.play import Table
from tournament.play.models import HandPhoto
from tournament.play.selectors.photos import dispute_at, require_viewer
from tournament.play.selectors.tables import log_place
from tournament.play.services.tables import fresh_open_table, insert
from tournament.play.texts import log as actions
from tournament.web.uploads import reencode_picture, remove_file

MAX_PHOTOS: Final = 3
HAND_NOT_DISPUTED = problem_code("hand_not_disputed", "Hand {number} is not disputed.")
TOO_MANY_PHOTOS = problem_code(
    "too_many_photos", "A hand has at most {maximum} photographs. Delete one first."
)


def add_photo(table: Table, actor: Actor, number: int, picture: bytes, *, uuid: UUID) -> HandPhoto:
    """Add a photograph to a disputed hand, without the place and other data in the file. Idempotent for the same UUID.

    Raises Refused for what is no picture, and for hands that nobody disputed or that have all their photographs.
    """
    require_viewer(actor, table)
    access.require_at(actor, table, Right.ENTER)
    jpeg = reencode_picture(picture)
    with log.write_at(table, actor, actions.PHOTO_ADDED, Right.ENTER) as write:
        table = fresh_open_table(table, write, actor)
        photos = table.photos.filter(hand_number=number)
        if (existing := photos.filter(uuid=uuid).first()) is not None:
            return write.unchanged(existing)
        if dispute_at(table, number) is None:
            raise Refused(HAND_NOT_DISPUTED(number=number))
        if photos.count() >= MAX_PHOTOS:
            raise Refused(TOO_MANY_PHOTOS(maximum=MAX_PHOTOS))
        photo = HandPhoto(table=table, hand_number=number, uuid=uuid, added_by=actor.user)
        photo.file.save(f"hand-{uuid4().hex}.jpeg", ContentFile(jpeg), save=False)
        try:
            insert(photo)
        except Exception:
            remove_file(photo)
            raise
        write.data = _log_data(photo)
    return photo


def delete_photo(photo: HandPhoto, actor: Actor) -> None:
    """Delete a photograph with its file. Idempotent."""
    require_viewer(actor, photo.table)
    with log.write_at(photo.table, actor, actions.PHOTO_DELETED, Right.ENTER) as write:
        write.data = _log_data(photo)
        if not delete_photos(HandPhoto.objects.filter(pk=photo.pk)):
            write.mark_unchanged()


def _log_data(photo: HandPhoto) -> dict[str, object]:
    return {**log_place(photo.table), "hand": photo.hand_number, "photo": str(photo.uuid)}


def delete_photos(photos: QuerySet[HandPhoto]) -> int:
    """Delete photographs with their files, within the write of another service. Return how many there were."""
    for photo in photos:
        transaction.on_commit(partial(remove_file, photo))
    deleted, _ = photos.delete()
    return deleted
