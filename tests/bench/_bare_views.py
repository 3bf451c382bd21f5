"""A view that inserts one row and one that does nothing, behind Hule's server and middleware."""

import json
from uuid import uuid4

from django.db import transaction
from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from config.urls import urlpatterns as pages
from tournament.base.models.tournament import Tournament
from tournament.messages.announcements.models import Announcement


@csrf_exempt
def insert(request: HttpRequest) -> JsonResponse:
    text = json.loads(request.body)["text"]
    with transaction.atomic():
        row = Announcement.objects.create(
            tournament_id=_tournament_pk(), uuid=uuid4(), text=text, made_at=timezone.now()
        )
    return JsonResponse({"pk": row.pk})


def _tournament_pk() -> int:
    if not _pks:
        _pks.append(Tournament.objects.values_list("pk", flat=True)[0])
    return _pks[0]


_pks: list[int] = []
"""The primary key, once it was looked up."""


def nothing(request: HttpRequest) -> JsonResponse:
    return JsonResponse({})


urlpatterns = [path("insert/", insert), path("nothing/", nothing), *pages]
