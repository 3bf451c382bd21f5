"""The site as a job of the worker."""

from __future__ import annotations

from tournament.base.models.documents import DocumentJob
from tournament.documents.exports.drafts import Draft, ready
from tournament.documents.exports.progress import Progress
from tournament.documents.exports.site.archive import packed, site_of


def site(job: DocumentJob) -> Draft:
    """In the job's language. Its number is the public version: nobody is told how often a hidden session changed."""
    return ready(packed(site_of(job.tournament, Progress(job).told)), version=job.tournament.public_version)
