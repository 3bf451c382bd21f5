"""Document jobs from the request to the download, by role, with failures."""

import logging
from copy import copy
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.utils import timezone
from kombu.exceptions import OperationalError

from tests.support import factories
from tests.support.factories import (
    SYSTEM,
    end_appeals,
    make_organiser,
    make_tournament,
    make_umpire,
    make_user,
)
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Role, Tournament
from tournament.documents.display import job_status
from tournament.documents.exports import jobs
from tournament.documents.exports.drafts import Progress
from tournament.documents.exports.jobs import run_job
from tournament.documents.selectors import public_documents
from tournament.documents.services import request_document
from tournament.ranking.services import publish_standings
from tournament.staff.services import give_role
from tournament.web.texts.words import time_text

ORGANISING = (Role.OWNER, Role.ORGANISER)
HTMX = {"hx-request": "true"}


@pytest.fixture
def tournament() -> Tournament:
    return make_tournament(players=4, sessions=1, played=1, hands=1)


@pytest.fixture
def job(tournament: Tournament) -> DocumentJob:
    return DocumentJob.objects.create(tournament=tournament, kind="standings", language="en")


def request(tournament: Tournament, kind: str = "standings", language: str = "en") -> DocumentJob:
    return request_document(tournament, SYSTEM, kind=kind, language=language)


def run_to_end(job: DocumentJob) -> DocumentJob:
    run_job(job.pk)
    job.refresh_from_db()
    return job


# --- requests ---
@pytest.mark.thorough
def test_a_job_is_queued_after_the_commit(
    tournament: Tournament, no_layout: None, django_capture_on_commit_callbacks: Any
) -> None:
    """A request does not change the tournament."""
    before = tournament.version
    with django_capture_on_commit_callbacks(execute=True):
        job = request(tournament)
    job.refresh_from_db()
    tournament.refresh_from_db()
    assert (job.state, tournament.version) == (DocumentJob.State.DONE, before)


def test_a_double_click_makes_one_job(tournament: Tournament) -> None:
    """Until the worker should have answered; another language is another job."""
    first = request(tournament)
    assert request(tournament) == first
    assert request(tournament, language="zh-hans") != first
    DocumentJob.objects.update(requested_at=timezone.now() - timedelta(seconds=20))
    assert request(tournament) != first


def test_an_unreachable_queue_fails_the_job_with_a_message(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def refuse_connection(*args: Any, **kwargs: Any) -> None:
        raise OperationalError("Connection refused")

    monkeypatch.setattr("tournament.documents.tasks.render_document.apply_async", refuse_connection)
    with django_capture_on_commit_callbacks(execute=True):
        job = request(tournament)
    job.refresh_from_db()
    assert job.state == DocumentJob.State.FAILED
    assert "could not be reached" in job_status(job).sentence


# --- the worker ---
@pytest.mark.thorough
def test_a_done_job_has_its_file_version_and_all_its_steps(job: DocumentJob) -> None:
    run_to_end(job)
    with job.file.open() as file:
        assert file.read().startswith(b"%PDF-")
    assert (job.state, job.standings_version) == (DocumentJob.State.DONE, job.tournament.version)
    assert job.done_steps == job.steps == 3
    assert job.finished_at is not None


def test_an_exception_fails_the_job_and_is_logged(
    job: DocumentJob, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def crash(*args: Any) -> bytes:
        raise RuntimeError("no ink")

    monkeypatch.setattr(jobs, "render_draft", crash)
    assert run_to_end(job).state == DocumentJob.State.FAILED
    assert "could not be created" in job_status(job).sentence
    [entry] = [entry for entry in caplog.records if entry.levelno == logging.ERROR]
    assert entry.exc_info is not None
    assert isinstance(entry.exc_info[1], RuntimeError)


def test_a_failed_job_can_be_run_again(job: DocumentJob, no_layout: None) -> None:
    """A task delivered twice makes one document; after deletion of the tournament it does nothing."""
    DocumentJob.objects.update(state=DocumentJob.State.FAILED, error="crashed")
    assert (run_to_end(job).state, job.error) == (DocumentJob.State.DONE, "")
    name = job.file.name
    assert run_to_end(job).file.name == name
    number = job.pk
    job.delete()
    run_job(number)


# --- progress ---
def test_progress_follows_the_pages_and_never_goes_back(
    job: DocumentJob, caplog: pytest.LogCaptureFixture
) -> None:
    """Messages of WeasyPrint are not logged."""
    progress = Progress(job, every=0)
    renderer = logging.getLogger("weasyprint.progress")
    seen = []
    progress.expect(2)
    with progress.follow_layout():
        for page in (1, 2, 1, 3):  # WeasyPrint begins again when it knows the number of pages
            renderer.info("Step 5 - Creating layout - Page %d", page)
            job.refresh_from_db()
            seen.append((job.done_steps, job.steps))
    progress.begin_writing()
    job.refresh_from_db()
    assert [*seen, (job.done_steps, job.steps)] == [(1, 4), (2, 4), (2, 4), (3, 5), (4, 5)]
    assert caplog.records == []


# --- status ---
def test_each_step_has_a_sentence_and_waiting_ends(job: DocumentJob) -> None:
    """The page reports a worker that does not answer."""
    sentences = {
        ("queued", 0, 1): "Waiting for the document worker …",
        ("running", 0, 1): "Collecting the results …",
        ("running", 1, 4): "Making page 1 of 2 …",
        ("running", 2, 4): "Making page 2 of 2 …",
        ("running", 3, 4): "Writing the file …",
    }
    for step, sentence in sentences.items():
        job.state, job.done_steps, job.steps = step
        assert (job_status(job).sentence, job_status(job).is_waiting) == (sentence, True)
    job.state, job.done_steps, job.steps = "queued", 0, 1
    for seconds, late in ((14, False), (16, True)):
        job.requested_at = timezone.now() - timedelta(seconds=seconds)
        now = job_status(job)
        assert (now.is_late, now.is_bad, "does not answer" in now.sentence) == (late, late, late)
        assert now.is_waiting, "it may still come back"
    for state in ("queued", "running"):
        job.state, job.requested_at = state, timezone.now() - timedelta(minutes=11)
        assert (job_status(job).is_waiting, job_status(job).is_bad) == (False, True), state


def test_a_document_uses_the_tournaments_time_zone(
    tournament: Tournament, job: DocumentJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(time_zone="Asia/Shanghai")
    times: list[str] = []

    def page(*args: object) -> bytes:
        times.append(time_text(datetime(2026, 11, 14, 20, tzinfo=UTC)))
        return b"%PDF-1.7"

    monkeypatch.setattr(jobs, "render_draft", page)
    run_job(job.pk)
    assert times == ["15 November 2026, 04:00"]


# --- documents are made again only after a change ---
def test_a_request_returns_the_same_job_until_something_changes(
    tournament: Tournament, no_layout: None
) -> None:
    """A write, or a missing file."""
    first = run_to_end(request(tournament))
    again = request(tournament)
    assert (again.pk, again.state) == (first.pk, DocumentJob.State.DONE)
    give_role(tournament, SYSTEM, make_user("uma"))
    second = run_to_end(request(tournament))
    assert second != first
    second.file.storage.delete(str(second.file.name))
    assert request(tournament) not in (first, second)


def test_unchanged_contents_are_not_laid_out_again(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Table numbers do not depend on umpires: the earlier file is copied with its time."""
    laid_out: list[int] = []
    monkeypatch.setattr(jobs, "render_draft", lambda *args: laid_out.append(1) or b"%PDF-1.7")
    first = run_to_end(request(tournament, "table-numbers"))
    give_role(tournament, SYSTEM, make_user("uma"))
    second = run_to_end(request(tournament, "table-numbers"))
    assert first.pk != second.pk
    assert (laid_out, second.state) == ([1], DocumentJob.State.DONE)
    assert first.finished_at == second.finished_at


def test_standings_are_made_again_after_the_time_for_appeals(tournament: Tournament, no_layout: None) -> None:
    """They become final without a write. PDFs of published standings are public."""
    run_to_end(request(tournament))
    publish_standings(tournament, SYSTEM)
    first = run_to_end(request(tournament))
    assert list(public_documents(tournament)) == [first]
    end_appeals(tournament)
    assert request(tournament) != first


# --- a worker that was killed ---
def test_a_starting_worker_requeues_unfinished_jobs(job: DocumentJob, no_layout: None) -> None:
    """Except those that are already reported as lost."""
    for state in ("queued", "running"):
        DocumentJob.objects.update(state=state, done_steps=1)
        jobs.requeue_unfinished_jobs()
        job.refresh_from_db()
        assert job.state == DocumentJob.State.DONE, state
    DocumentJob.objects.update(state="running", requested_at=timezone.now() - timedelta(minutes=11))
    jobs.requeue_unfinished_jobs()
    job.refresh_from_db()
    assert (job.state, job_status(job).is_bad) == (DocumentJob.State.RUNNING, True)


def test_two_workers_on_one_job_store_one_file(job: DocumentJob, monkeypatch: pytest.MonkeyPatch) -> None:
    def other_is_first(*args: Any) -> bytes:
        DocumentJob.objects.filter(pk=job.pk).update(state="done", file="documents/first.pdf")
        return b"%PDF-1.7"

    monkeypatch.setattr(jobs, "render_draft", other_is_first)
    run_to_end(job)
    assert (job.state, job.file.name) == ("done", "documents/first.pdf")


@pytest.fixture
def organiser(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_organiser(tournament))
    return client


@pytest.fixture
def done(tournament: Tournament) -> DocumentJob:
    """A finished job of the current standings."""
    job = DocumentJob(tournament=tournament, kind="standings", language="zh-hans", state="done")
    job.standings_version, job.finished_at = tournament.version, timezone.now()
    job.file.save("spring.pdf", ContentFile(b"%PDF-1.7"), save=True)
    return job


def create_job(tournament: Tournament, language: str = "en", **fields: Any) -> DocumentJob:
    return DocumentJob.objects.create(tournament=tournament, kind="standings", language=language, **fields)


def url(tournament: Tournament, job: DocumentJob | None = None, end: str = "") -> str:
    return f"/documents/{tournament.slug}/{f'{job.pk}/' if job else 'request/'}{end}"


# --- requests ---
def test_the_button_queues_a_document_and_lists_it(organiser: Client, tournament: Tournament) -> None:
    """The paper used last is the default."""
    data = {"kind": "standings", "language": "zh-hant", "paper": "letter"}
    page = organiser.post(url(tournament), data, headers=HTMX).content.decode()
    job = tournament.documents.get()
    assert (job.kind, job.language, job.paper, job.state) == ("standings", "zh-hant", "letter", "queued")
    assert f'id="document-{job.pk}"' in page
    page = organiser.post(url(tournament), {"language": "zh-hans"}, headers=HTMX).content.decode()
    assert {job.paper for job in tournament.documents.all()} == {"letter"}
    assert '<option value="letter" selected>' in page


def test_the_status_page_reloads_itself_without_javascript(organiser: Client, tournament: Tournament) -> None:
    response = organiser.post(url(tournament), {"language": "en"}, follow=True)
    assert response.redirect_chain == [(url(tournament, tournament.documents.get()), 302)]
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in response.content.decode()


def test_invalid_requests_show_an_error_at_the_field(organiser: Client, tournament: Tournament) -> None:
    """The other choices are kept."""
    for invalid in ({"language": "klingon"}, {"kind": "receipt"}, {"paper": "a3"}):
        assert organiser.post(url(tournament), invalid).status_code == 400, invalid
    chosen = {"kind": "badges", "language": "zh-hans", "second": "en", "paper": "letter", "session": "1"}
    for field in ("language", "second", "paper", "session"):
        page = organiser.post(url(tournament), chosen | {field: "0"}, headers=HTMX).content.decode()
        assert f'id="wrong-{field}"' in page
        assert page.count("aria-invalid") == 1, field
        for name in {"second", "paper"} - {field}:
            select = page.partition(f'name="{name}"')[2].partition(" selected")[0]
            assert f'<option value="{chosen[name]}"' in select, (field, name)
    assert not tournament.documents.exists()


def test_a_document_can_be_requested_in_two_languages(organiser: Client, tournament: Tournament) -> None:
    """The reader's language is the default."""
    organiser.post(url(tournament), {}, headers=HTMX | {"accept-language": "zh-hans"})
    assert tournament.documents.get().language == "zh-hans"
    data = {"kind": "badges", "language": "en", "second": "zh-hans"}
    page = organiser.post(url(tournament), data, headers=HTMX).content.decode()
    assert tournament.documents.get(kind="badges").languages == "en+zh-hans"
    assert "English / 简体中文" in page


def test_only_organisers_can_request_documents(client: Client, tournament: Tournament) -> None:
    elsewhere = make_organiser(make_tournament(players=4, sessions=1, name="Elsewhere"), "otto")
    for user in (None, make_umpire(tournament), elsewhere):
        client.logout()
        if user:
            client.force_login(user)
        assert client.post(url(tournament), {"language": "en"}).status_code in (302, 403)
    client.force_login(make_organiser(tournament))
    assert client.get(url(tournament)).status_code == 405
    assert not tournament.documents.exists()


# --- polling ---
def test_an_unfinished_job_is_polled_every_second(organiser: Client, tournament: Tournament) -> None:
    """An unchanged status is answered with 204; the page reports a worker that does not answer."""
    job = create_job(tournament, state="running", done_steps=1, steps=4)
    page = organiser.get(url(tournament, job), headers=HTMX).content.decode()
    for part in (
        'hx-trigger="every 1s"',
        "Making page 1 of 2 …",
        '<progress class="progress" max="4" value="1"',
    ):
        assert part in page
    seen = {"seen": "running-1-4-0"}
    assert organiser.get(url(tournament, job), seen, headers=HTMX).status_code == 204
    DocumentJob.objects.update(done_steps=2)
    assert organiser.get(url(tournament, job), seen, headers=HTMX).status_code == 200
    job = create_job(tournament)
    DocumentJob.objects.filter(pk=job.pk).update(requested_at=timezone.now() - timedelta(seconds=16))
    page = organiser.get(url(tournament, job), {"seen": "queued-0-1-0"}, headers=HTMX).content.decode()
    assert "The document worker does not answer." in page
    assert "<progress" not in page


def test_only_organisers_see_the_status_of_a_job(
    client: Client, tournament: Tournament, done: DocumentJob
) -> None:
    assert client.get(url(tournament, done)).status_code in (302, 403)
    other = create_job(make_tournament(players=4, sessions=1, name="Elsewhere"))
    client.force_login(make_organiser(tournament))
    assert client.get(url(tournament, other)).status_code == 404


# --- downloads ---
def test_a_download_has_a_descriptive_file_name(
    organiser: Client, tournament: Tournament, done: DocumentJob
) -> None:
    page = organiser.get(url(tournament, done), headers=HTMX).content.decode()
    assert url(tournament, done, "file/") in page
    assert "hx-get" not in page, "a finished job is not polled"
    response = organiser.get(url(tournament, done, "file/"))
    name = f"spring-open-standings-{done.standings_version}-zh-hans-a4.pdf"
    assert response["Content-Type"] == "application/pdf"
    assert response["Content-Disposition"] == f'attachment; filename="{name}"'
    assert response.content == b"%PDF-1.7"
    done.file.storage.delete(str(done.file.name))
    for job in (done, create_job(tournament)):
        assert organiser.get(url(tournament, job, "file/")).status_code == 404


def test_the_public_can_download_published_standings(
    client: Client, tournament: Tournament, done: DocumentJob
) -> None:
    """They are in the public list; nothing of a private tournament is."""
    address, page = url(tournament, done, "file/"), f"/t/{tournament.slug}/documents/"
    assert client.get(address).status_code == 404
    assert address not in client.get(page).content.decode()
    publication = publish_standings(tournament, SYSTEM)
    assert client.get(address).status_code == 404, "this file shows an earlier version"
    DocumentJob.objects.update(standings_version=publication.version)
    assert client.get(address).status_code == 200
    Tournament.objects.update(is_public=False)
    assert client.get(address).status_code == 404


@pytest.mark.thorough
def test_only_published_standings_and_the_card_are_public(
    client: Client, tournament: Tournament, done: DocumentJob
) -> None:
    """Forms and reports may contain hidden results, even of a published version."""
    done.standings_version, done.standings_state = publish_standings(tournament, SYSTEM).version, "final"
    done.session = 1
    jobs = []
    for kind in sorted(set(DocumentJob.Kind.values) - {"standings", "card"}):
        done.pk, done.kind = None, kind
        done.save(force_insert=True)
        jobs.append(copy(done))
    assert len(jobs) >= 15
    people = [
        factories.make_member(tournament, role, f"{role.value}-1") for role in Role if role not in ORGANISING
    ]
    for user in (None, factories.make_user("pia"), *people):
        client.logout()
        if user:
            client.force_login(user)
        shown = client.get(f"/t/{tournament.slug}/documents/").content.decode()
        for job in jobs:
            assert client.get(url(tournament, job, "file/")).status_code == 404, (user, job.kind)
            assert client.get(url(tournament, job)).status_code in (302, 403, 404), (user, job.kind)
            assert url(tournament, job, "file/") not in shown, (user, job.kind)


# --- the public list ---
def test_public_documents_are_listed_once(client: Client, tournament: Tournament) -> None:
    page = f"/t/{tournament.slug}/documents/"
    assert "Published standings" not in client.get(page).content.decode()
    version = publish_standings(tournament, SYSTEM).version
    for language in ("en", "en", "zh-hans"):
        published = {"standings_version": version, "standings_state": "final"}
        create_job(tournament, state="done", **published, language=language)
    shown = client.get(page).content.decode()
    assert "Published standings" in shown
    assert shown.count("Final standings") == 2, "two requests in one language are one entry"
    assert "简体中文" in shown


def test_qr_codes_use_the_configured_site_address(organiser: Client, tournament: Tournament) -> None:
    data = {"kind": "table-numbers", "language": "en", "paper": "a4"}
    organiser.post(url(tournament), data, headers={"host": "localhost:8000"})
    assert DocumentJob.objects.get(kind="table-numbers").site == "http://testserver/"
