"""Asking for a document, watching it and downloading it, by role."""

from copy import copy
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.utils import timezone

from tests.support import factories
from tests.support.factories import SYSTEM, make_organiser, make_tournament, make_umpire
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Role, Tournament
from tournament.ranking.services import publish_standings

pytestmark = pytest.mark.django_db

ORGANISING = (Role.OWNER, Role.ORGANISER)
HTMX = {"hx-request": "true"}


@pytest.fixture
def tournament() -> Tournament:
    return make_tournament(players=4, sessions=1, played=1, hands=1)


@pytest.fixture
def organiser(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_organiser(tournament))
    return client


@pytest.fixture
def done(tournament: Tournament) -> DocumentJob:
    """A finished job of the standings as they are."""
    job = DocumentJob(tournament=tournament, kind="standings", language="zh-hans", state="done")
    job.standings_version, job.finished_at = tournament.version, timezone.now()
    job.file.save("spring.pdf", ContentFile(b"%PDF-1.7"), save=True)
    return job


def waiting(tournament: Tournament, language: str = "en", **about: Any) -> DocumentJob:
    return DocumentJob.objects.create(tournament=tournament, kind="standings", language=language, **about)


def url(tournament: Tournament, job: DocumentJob | None = None, end: str = "") -> str:
    return f"/documents/{tournament.slug}/{f'{job.pk}/' if job else 'request/'}{end}"


# --- asking ---------------------------------------------------------------------------------------------------------
def test_the_button_queues_a_document_and_lists_it(organiser: Client, tournament: Tournament) -> None:
    """The paper used last is the first choice."""
    wanted = {"kind": "standings", "language": "zh-hant", "paper": "letter"}
    page = organiser.post(url(tournament), wanted, headers=HTMX).content.decode()
    job = tournament.documents.get()
    assert (job.kind, job.language, job.paper, job.state) == ("standings", "zh-hant", "letter", "queued")
    assert f'id="document-{job.pk}"' in page
    page = organiser.post(url(tournament), {"language": "zh-hans"}, headers=HTMX).content.decode()
    assert {job.paper for job in tournament.documents.all()} == {"letter"}
    assert '<option value="letter" selected>' in page


def test_without_javascript_a_page_asks_by_itself(organiser: Client, tournament: Tournament) -> None:
    response = organiser.post(url(tournament), {"language": "en"}, follow=True)
    assert response.redirect_chain == [(url(tournament, tournament.documents.get()), 302)]
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in response.content.decode()


def test_what_cannot_be_made_is_refused(organiser: Client, tournament: Tournament) -> None:
    """Why stands at its place, beside what was chosen otherwise."""
    for wrong in ({"language": "klingon"}, {"kind": "receipt"}, {"paper": "a3"}):
        assert organiser.post(url(tournament), wrong).status_code == 400, wrong
    chosen = {"kind": "badges", "language": "zh-hans", "second": "en", "paper": "letter", "session": "1"}
    for field in ("language", "second", "paper", "session"):
        page = organiser.post(url(tournament), chosen | {field: "0"}, headers=HTMX).content.decode()
        assert f'id="wrong-{field}"' in page
        assert page.count("aria-invalid") == 1, field
        for name in {"second", "paper"} - {field}:
            select = page.partition(f'name="{name}"')[2].partition(" selected")[0]
            assert f'<option value="{chosen[name]}"' in select, (field, name)
    assert not tournament.documents.exists()


def test_two_languages_are_asked_for(organiser: Client, tournament: Tournament) -> None:
    """The reader's own is the first choice."""
    organiser.post(url(tournament), {}, headers=HTMX | {"accept-language": "zh-hans"})
    assert tournament.documents.get().language == "zh-hans"
    wanted = {"kind": "badges", "language": "en", "second": "zh-hans"}
    page = organiser.post(url(tournament), wanted, headers=HTMX).content.decode()
    assert tournament.documents.get(kind="badges").languages == "en+zh-hans"
    assert "English / 简体中文" in page


def test_nobody_but_an_organiser_asks_and_only_by_posting(client: Client, tournament: Tournament) -> None:
    elsewhere = make_organiser(make_tournament(players=4, sessions=1, name="Elsewhere"), "otto")
    for user in (None, make_umpire(tournament), elsewhere):
        client.logout()
        if user:
            client.force_login(user)
        assert client.post(url(tournament), {"language": "en"}).status_code in (302, 403)
    client.force_login(make_organiser(tournament))
    assert client.get(url(tournament)).status_code == 405
    assert not tournament.documents.exists()


# --- watching -------------------------------------------------------------------------------------------------------
def test_an_unfinished_job_asks_for_itself_every_second(organiser: Client, tournament: Tournament) -> None:
    """What looks the same is not sent again; a worker that does not answer is told."""
    job = waiting(tournament, state="running", done_steps=1, steps=4)
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
    job = waiting(tournament)
    DocumentJob.objects.filter(pk=job.pk).update(requested_at=timezone.now() - timedelta(seconds=16))
    page = organiser.get(url(tournament, job), {"seen": "queued-0-1-0"}, headers=HTMX).content.decode()
    assert "The document worker does not answer." in page
    assert "<progress" not in page


def test_only_its_organisers_watch(client: Client, tournament: Tournament, done: DocumentJob) -> None:
    assert client.get(url(tournament, done)).status_code in (302, 403)
    other = waiting(make_tournament(players=4, sessions=1, name="Elsewhere"))
    client.force_login(make_organiser(tournament))
    assert client.get(url(tournament, other)).status_code == 404


# --- downloading ----------------------------------------------------------------------------------------------------
def test_a_file_has_a_telling_name(organiser: Client, tournament: Tournament, done: DocumentJob) -> None:
    page = organiser.get(url(tournament, done), headers=HTMX).content.decode()
    assert url(tournament, done, "file/") in page
    assert "hx-get" not in page, "a finished job asks no more"
    response = organiser.get(url(tournament, done, "file/"))
    name = f"spring-open-standings-{done.standings_version}-zh-hans-a4.pdf"
    assert response["Content-Type"] == "application/pdf"
    assert response["Content-Disposition"] == f'attachment; filename="{name}"'
    assert response.content == b"%PDF-1.7"
    # A file that is not there is not found.
    done.file.storage.delete(str(done.file.name))
    for job in (done, waiting(tournament)):
        assert organiser.get(url(tournament, job, "file/")).status_code == 404


def test_the_public_reads_published_ones(client: Client, tournament: Tournament, done: DocumentJob) -> None:
    """And finds it among the documents; of a hidden tournament nothing."""
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
def test_whoever_does_not_organise_reads_nothing_but_published_standings_and_the_card(
    client: Client, tournament: Tournament, done: DocumentJob
) -> None:
    """Forms and reports have what is hidden in them: even of a published version they are not read."""
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


# --- for everybody --------------------------------------------------------------------------------------------------
def test_everybody_finds_published_documents_once_ready(client: Client, tournament: Tournament) -> None:
    page = f"/t/{tournament.slug}/documents/"
    assert "There is no PDF yet" in client.get(page).content.decode()
    version = publish_standings(tournament, SYSTEM).version
    for language in ("en", "en", "zh-hans"):
        published = {"standings_version": version, "standings_state": "final"}
        waiting(tournament, state="done", **published, language=language)
    shown = client.get(page).content.decode()
    assert shown.count("Final standings") == 2, "asked for twice, it is the same"
    assert "简体中文" in shown


def test_codes_on_paper_lead_to_this_server_and_not_to_the_reader_s_own_machine(
    organiser: Client, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournament.base.requests.network_address", lambda: "192.0.2.7")
    wanted = {"kind": "table-numbers", "language": "en", "paper": "a4"}
    organiser.post(url(tournament), wanted, headers={"host": "localhost:8000"})
    assert DocumentJob.objects.get(kind="table-numbers").site == "http://192.0.2.7:8000/"
