"""A view that inserts one row, and one that does nothing, behind the same server and middleware as Hule's."""

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
            tournament_id=_a_tournament(), uuid=uuid4(), text=text, made_at=timezone.now()
        )
    return JsonResponse({"pk": row.pk})


def _a_tournament() -> int:
    if not _known:
        _known.append(Tournament.objects.values_list("pk", flat=True)[0])
    return _known[0]


_known: list[int] = []


def nothing(request: HttpRequest) -> JsonResponse:
    return JsonResponse({})


urlpatterns = [path("insert/", insert), path("nothing/", nothing), *pages]
