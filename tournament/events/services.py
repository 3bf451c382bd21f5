"""Create, change and delete a tournament; store its page, play settings and timetable."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, Final
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.db import transaction
from django.utils.text import slugify

from penalties.engine import Foul, FoulBook, Origin
from penalties.models import Penalty
from scoring.engine.problems import Problem, problem_code
from tournament.base import access, hooks, log
from tournament.base.access import Actor, Right
from tournament.base.engine.rules import PlaySettings, Rules, rules_named
from tournament.base.errors import Refused
from tournament.base.models.documents import CertificateDesign
from tournament.base.models.events import EventDocument, EventPage, TimetableItem
from tournament.base.models.play import Absence, Appeal, Hand
from tournament.base.models.registration import RegistrationPlan
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.base.selectors import event_page_of
from tournament.base.validation import check, problems_of
from tournament.events import texts as actions
from tournament.events.selectors import (
    FIXED_BY_THE_DRAW,
    PARTICULARS,
    PARTICULARS_FIXED_BY_THE_DRAW,
    RESERVED_SLUGS,
    fingerprint,
    particulars_problems,
    play_settings_problems,
    timetable_problems,
)
from tournament.play.models import HandPhoto, Signature, Totals
from tournament.play.services.photos import delete_photos
from tournament.play.services.tables import fresh
from tournament.web.shapes import FILE_TOO_LARGE
from tournament.web.uploads import FILE_UNREADABLE, detect_kind, encode_logo, remove_file

TIMETABLE_CHANGED_MEANWHILE = problem_code(
    "timetable_changed_meanwhile",
    "Someone else has changed the timetable in the meantime. Check it in another tab; saving again replaces it "
    "with these lines.",
)
NAME_NOT_REPEATED = problem_code("name_not_repeated", "This is not the name of the tournament: “{name}”.")
EVENT_PAGE_CHANGED_MEANWHILE = problem_code(
    "event_page_changed_meanwhile",
    "Someone else has changed this page in the meantime. Check it in another tab; saving again replaces it "
    "with your text.",
)
FILE_OF_NO_KIND = problem_code(
    "file_of_no_kind", "Only PDF, PNG, JPEG and WebP files are shown here.", also=("field",)
)
TOO_MANY_FILES = problem_code("too_many_files", "A page has at most {maximum} files. Remove one first.")
UUID_OF_ANOTHER_EVENT = problem_code(
    "uuid_of_another_event", "This file was already saved for another event."
)

logger = logging.getLogger(__name__)

# --- The tournament ---


@transaction.atomic
def create_tournament(actor: Actor, tournament: Tournament, *, is_trial: bool = False) -> Tournament:
    """Store a new tournament with a snapshot of its rulebook; the actor becomes its owner.

    Raises Refused with all problems of its particulars.
    """
    access.require_creator(actor)
    if problems := particulars_problems(tournament):
        raise Refused(problems)
    tournament.slug, tournament.is_trial = _free_slug(tournament.name), is_trial
    tournament.rules_snapshot = rules_named(tournament.rulebook, tournament.foul_book).to_json()
    tournament.save(force_insert=True)
    if actor.user is not None:
        Membership.objects.create(tournament=tournament, user=actor.user, role=Role.OWNER)
    with log.write(tournament, actor, actions.TOURNAMENT_CREATED, None) as entry:
        entry.data = _particulars_data(tournament)
    return tournament


def _free_slug(name: str) -> str:
    """Return an unused slug for a name, numbered if necessary; "tournament" replaces a name without Latin letters."""
    stem = slugify(name)[:50]
    if not any(letter.isalpha() for letter in stem):
        stem = f"tournament-{stem}".rstrip("-")
    taken = RESERVED_SLUGS | set(
        Tournament.objects.filter(slug__startswith=stem).values_list("slug", flat=True)
    )
    return next(
        slug for slug in (stem, *(f"{stem}-{n}" for n in range(2, len(taken) + 3))) if slug not in taken
    )


def _particulars_data(tournament: Tournament) -> dict[str, Any]:
    data = {name: getattr(tournament, name) for name in PARTICULARS}
    return data | {"starts_on": str(tournament.starts_on), "ends_on": str(tournament.ends_on)}


def update_tournament(tournament: Tournament, actor: Actor) -> Tournament:
    """Store changed particulars. Idempotent.

    A new first day moves the timetable too. In a new time zone registration opens and closes at the same hours.

    Raises Refused with all problems, and for `PARTICULARS_FIXED_BY_THE_DRAW` once seats are drawn.
    """
    with log.write(tournament, actor, actions.TOURNAMENT_CHANGED, Right.ORGANISE) as entry:
        if problems := particulars_problems(tournament):
            raise Refused(problems)
        stored = entry.tournament
        changed = [name for name in PARTICULARS if getattr(tournament, name) != getattr(stored, name)]
        if not changed:
            return entry.unchanged(stored)
        if stored.sessions.exists():
            for name in PARTICULARS_FIXED_BY_THE_DRAW:
                if name in changed:
                    raise Refused(FIXED_BY_THE_DRAW(name))
        if "rulebook" in changed or "foul_book" in changed:
            book = rules_named(tournament.rulebook, tournament.foul_book)
            stored.rules_snapshot = _switch_rulebook(stored.rules, book).to_json()
        if (days := (tournament.starts_on - stored.starts_on).days) != 0:
            move_timetable(stored, days)
        if "time_zone" in changed:
            _keep_registration_hours(stored, tournament.zone)
        for name in changed:
            setattr(stored, name, getattr(tournament, name))
        stored.save()
        entry.data = _particulars_data(stored)
    return stored


def _keep_registration_hours(tournament: Tournament, zone: ZoneInfo) -> None:
    """Store the times of registration so that clocks of `zone` show what those of the tournament's zone showed."""
    plan = RegistrationPlan.objects.filter(tournament=tournament).first()
    if plan is None:
        return
    for name in ("opens_at", "closes_at"):
        if moment := getattr(plan, name):
            setattr(plan, name, moment.astimezone(tournament.zone).replace(tzinfo=zone))
    plan.save(update_fields=["opens_at", "closes_at"])


def _switch_rulebook(old: Rules, new: Rules) -> Rules:
    """Return the rules of another rulebook or foul book, keeping the organiser's settings and changes of fouls.

    A change is lost where the new book has no such foul, or a rule of another kind for it.
    """
    play = old.play
    if new.scoring.key != old.scoring.key:
        play = replace(play, held_out_waits=new.play.held_out_waits)
    fouls = new.fouls.with_fouls(*_keep_changes(old.fouls, new.fouls))
    return replace(new.with_play(play), fouls=fouls, attendance=old.attendance)


def _keep_changes(old: FoulBook, new: FoulBook) -> Iterator[Foul]:
    """Yield the house fouls of one foul book, and its changed rules as fouls of another."""
    for foul in old.changes():
        original = new.find(foul.key)
        if foul.origin is Origin.HOUSE:
            yield foul
        elif original is not None and original.rule.kind == foul.rule.kind:
            yield replace(original, rule=foul.rule, origin=foul.origin)


def set_play_settings(tournament: Tournament, actor: Actor, play: PlaySettings) -> PlaySettings:
    """Store the play settings. Idempotent. Raises Refused with all problems, also for `fixed_play_settings`."""
    with log.write(tournament, actor, actions.PLAY_SETTINGS_CHANGED, Right.ORGANISE) as entry:
        changed = play.differing(entry.tournament.rules.play)
        if not changed:
            return entry.unchanged(play)
        if problems := play_settings_problems(entry.tournament, play):
            raise Refused(problems)
        entry.tournament.rules_snapshot = entry.tournament.rules.with_play(play).to_json()
        entry.tournament.save(update_fields=["rules_snapshot"])
        entry.data = {"fields": list(changed)} | play.to_json()
    return play


@transaction.atomic
def delete_tournament(tournament: Tournament, actor: Actor, *, name: str = "") -> None:
    """Delete a tournament with its log, files, passes and accounts of former staff; other accounts stay.

    Raises Refused unless `name` is its name; a trial needs none. Deletion is recorded in the server's log only. Live
    streams end, and cached pages are not served any more, as soon as the hubs notice.
    """
    access.require(actor, tournament, Right.OWN)
    tournament = fresh(Tournament.objects.select_for_update(), tournament)
    if not tournament.is_trial and " ".join(name.split()) != " ".join(tournament.name.split()):
        raise Refused(NAME_NOT_REPEATED("name", name=name.strip()))
    # A warning, so that it is logged at the default level: the tournament's own log is deleted.
    facts = (tournament.name, tournament.slug, tournament.version, actor.name)
    transaction.on_commit(partial(logger.warning, "Tournament “%s” (%s, version %s) deleted by %s", *facts))
    for job in tournament.documents.exclude(file=""):
        transaction.on_commit(partial(remove_file, job))
    for document in tournament.event_documents.all():
        transaction.on_commit(partial(remove_file, document))
    if (design := CertificateDesign.objects.filter(tournament=tournament).first()) and design.file:
        transaction.on_commit(partial(remove_file, design))
    delete_photos(HandPhoto.objects.filter(table__session__tournament=tournament))
    _delete_records_of_play(tournament)
    User.objects.filter(memberships__tournament=tournament, memberships__desk_pass__isnull=False).delete()
    User.objects.filter(former_account__tournament=tournament).delete()
    transaction.on_commit(
        partial(hooks.entry_committed, tournament.pk, tournament.version, "tournament_deleted")
    )
    tournament.delete()


def _delete_records_of_play(tournament: Tournament) -> None:
    """Delete the rows that refer to players, so that players can be deleted."""
    hands = Hand.objects.filter(table__session__tournament=tournament)
    hands.update(replaces=None)
    Totals.objects.filter(table__session__tournament=tournament).update(replaces=None)
    Penalty.objects.filter(tournament=tournament).delete()
    for kind in (Hand, Totals, Appeal, Absence, Signature):
        kind._default_manager.filter(table__session__tournament=tournament).delete()
    tournament.sessions.all().delete()


# --- The event's page ---


MAX_DOCUMENT_BYTES: Final = 3 * 1024 * 1024
"""The API takes requests of 5 MB, and Base64 makes a file a third larger."""
MAX_FILES: Final = 20


def set_event_page(page: EventPage, actor: Actor, *, seen: str = "") -> EventPage:
    """Store the event's page. Idempotent. Raises Refused with all problems.

    `seen`: the fingerprint of the page that was edited. Raises Refused if another one is stored by now.
    """
    with log.write(page.tournament, actor, actions.EVENT_PAGE_CHANGED, Right.ORGANISE) as entry:
        before = event_page_of(entry.tournament)
        if seen and seen != before.fingerprint:
            raise Refused(EVENT_PAGE_CHANGED_MEANWHILE())
        check(page, exclude=["tournament"])
        changed = [name for name, value in page.content().items() if value != getattr(before, name)]
        if not changed:
            return entry.unchanged(before)
        page.pk = before.pk
        page.save()
        entry.data = {"fields": changed}
    return page


def add_event_document(
    tournament: Tournament, actor: Actor, title: str, content: bytes, *, uuid: UUID, is_logo: bool = False
) -> EventDocument:
    """Add a file to the page: a PDF or an image. Idempotent for the same UUID. Raises Refused with all problems.

    `is_logo`: it replaces the event's logo; the picture is stored as `encode_logo` returns it.
    """
    access.require(actor, tournament, Right.ORGANISE)
    logo_problems: list[Problem] = []
    if is_logo:
        try:
            content = encode_logo(content)
        except Refused as refused:
            logo_problems = [problem.at("file") for problem in refused.problems]
    with log.write(tournament, actor, actions.EVENT_DOCUMENT_ADDED, None) as entry:
        if (existing := entry.tournament.event_documents.filter(uuid=uuid).first()) is not None:
            return entry.unchanged(existing)
        if EventDocument.objects.filter(uuid=uuid).exists():
            raise Refused(UUID_OF_ANOTHER_EVENT())
        document = EventDocument(
            tournament=entry.tournament, uuid=uuid, title=title.strip(), size=len(content), is_logo=is_logo
        )
        document.kind = _check_document(document, content, logo_problems)
        if is_logo:
            entry.tournament.event_documents.update(is_logo=False)
        _store_document(document, content)
        entry.data = {"document": str(uuid)}
    return document


def _check_document(document: EventDocument, content: bytes, logo_problems: Sequence[Problem]) -> str:
    """Return the kind of the file. Raises Refused with all problems."""
    kind = detect_kind(content)
    problems = problems_of(document, exclude=["tournament", "uuid", "kind", "file"])
    if logo_problems:
        problems += logo_problems
    elif len(content) > MAX_DOCUMENT_BYTES:
        problems.append(FILE_TOO_LARGE("file", maximum=MAX_DOCUMENT_BYTES // 1024 // 1024))
    elif kind is None:
        problems.append(FILE_OF_NO_KIND("file"))
    if document.tournament.event_documents.count() >= MAX_FILES:
        problems.append(TOO_MANY_FILES(maximum=MAX_FILES))
    if problems or kind is None:
        raise Refused(problems)
    return kind


def _store_document(document: EventDocument, content: bytes) -> None:
    """Store the file, then its row; delete the file again if the row cannot be stored."""
    document.file.save(f"event-{uuid4().hex}.{document.kind}", ContentFile(content), save=False)
    try:
        document.save()
    except Exception:
        remove_file(document)
        raise


def remove_event_document(document: EventDocument, actor: Actor) -> None:
    """Remove a file from the page and delete it. Idempotent."""
    with log.write(document.tournament, actor, actions.EVENT_DOCUMENT_REMOVED, Right.ORGANISE) as entry:
        entry.data = {"document": str(document.uuid)}
        deleted, _ = EventDocument.objects.filter(pk=document.pk).delete()
        if not deleted:
            entry.mark_unchanged()
            return
        transaction.on_commit(partial(remove_file, document))


def set_logo(document: EventDocument, actor: Actor, *, is_logo: bool) -> EventDocument:
    """Make a picture of the page the event's logo, in place of another one, or a file to download again. Idempotent.

    Its file is replaced by what `encode_logo` returns. Raises Refused for a file that is no picture.
    """
    access.require(actor, document.tournament, Right.ORGANISE)
    if document.is_logo == is_logo:
        return document
    content = b""
    if is_logo:
        try:
            with document.file.open("rb") as file:
                content = encode_logo(file.read())
        except FileNotFoundError:
            raise Refused(FILE_UNREADABLE("picture")) from None
    with log.write(document.tournament, actor, actions.LOGO_CHANGED, None) as entry:
        files = entry.tournament.event_documents.all()
        document = fresh(files, document)
        entry.data = {"document": str(document.uuid), "is_logo": is_logo}
        files.update(is_logo=False)
        document.is_logo = is_logo
        if content:
            transaction.on_commit(partial(remove_file, EventDocument(file=document.file.name)))
            document.kind, document.size = detect_kind(content) or "", len(content)
            _store_document(document, content)
        else:
            document.save(update_fields=["is_logo"])
    return document


# --- The timetable ---


def set_timetable(
    tournament: Tournament, actor: Actor, items: Sequence[TimetableItem], *, seen: str = ""
) -> list[TimetableItem]:
    """Replace the timetable by these lines, without empty ones. Idempotent. Raises Refused with all problems.

    `seen`: the fingerprint of the timetable that was edited. Raises Refused if another one is stored by now.
    """
    with log.write(tournament, actor, actions.TIMETABLE_SET, Right.ORGANISE) as entry:
        before = list(entry.tournament.timetable.all())
        if seen and seen != fingerprint(before):
            raise Refused(TIMETABLE_CHANGED_MEANWHILE())
        if problems := timetable_problems(entry.tournament, items):
            raise Refused(problems)
        after = _new_rows([item for item in items if not item.is_empty], before)
        if fingerprint(after) == fingerprint(before):
            return entry.unchanged(before)
        entry.tournament.timetable.all().delete()
        TimetableItem.objects.bulk_create(after)
        entry.data = {"lines": [_item_data(item) for item in after]}
    return after


def _item_data(item: TimetableItem) -> dict[str, Any]:
    return {
        "session": item.session,
        "title": item.title,
        "day": str(item.day),
        "starts": f"{item.starts:%H:%M}",
        "ends": f"{item.ends:%H:%M}" if item.ends else None,
    }


def _new_rows(items: Sequence[TimetableItem], before: Sequence[TimetableItem]) -> list[TimetableItem]:
    """Return unsaved rows for the lines. A changed line keeps its UUID; a session keeps it whatever was sent."""
    sessions: dict[int | None, UUID] = {
        item.session: item.uuid for item in before if item.session is not None
    }
    others = {item.uuid for item in before if item.session is None}
    rows = []
    for item in items:
        uuid = item.uuid if item.uuid in others else uuid4()
        others.discard(uuid)
        row = TimetableItem(tournament=item.tournament, uuid=sessions.get(item.session, uuid))
        for name in ("session", "title", "day", "starts", "ends"):
            setattr(row, name, getattr(item, name))
        rows.append(row)
    return rows


def move_timetable(tournament: Tournament, days: int) -> None:
    """Move all items by a number of days. The caller has locked the tournament."""
    for item in tournament.timetable.all():
        item.day += timedelta(days=days)
        item.save(update_fields=["day"])
