"""What every address of the desk has in common: the table, who asks, and how an answer or a refusal is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeAlias

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.engine.problems import Problem
from tournament import access
from tournament.access import Actor
from tournament.errors import Refused, Stale
from tournament.models import Table
from tournament.selectors.tables import find_table
from tournament.views.common import tournament_or_404
from tournament.views.umpire.body import Body
from tournament.views.umpire.changes import changes_as_json
from tournament.views.umpire.present import state_of
from tournament.words.problems import sentence


@dataclass(frozen=True)
class Call:
    """One request of a desk: who asks, about which table, and what was sent."""

    request: HttpRequest
    actor: Actor
    table: Table
    body: Body


Answer: TypeAlias = dict[str, Any]
View: TypeAlias = Callable[..., Answer]


def table_or_404(slug: str, session: int, table: int) -> Table:
    try:
        return find_table(tournament_or_404(slug), session, table)
    except Table.DoesNotExist:
        raise Http404 from None


def problems_as_json(problems: Iterable[Problem]) -> list[dict[str, str]]:
    """[{"code", "where", "message"}], the message in the reader's language."""
    return [{"code": p.code, "where": p.where, "message": sentence(p)} for p in problems]


def answers(view: View) -> Callable[..., JsonResponse]:
    """Turn `view(call) -> dict` into a JSON view: 200, 401, 403, 409 (stale) or 422 (refused), each with problems."""

    @wraps(view)
    def answer(request: HttpRequest, slug: str, session: int, table: int, **rest: Any) -> JsonResponse:
        actor = Actor.of(request.user)
        if actor.user is None:
            return _problem(
                "signed_out", _("You are signed out. Sign in again; what you entered stays."), 401
            )
        found = table_or_404(slug, session, table)
        try:
            access.require_umpire(actor, found)
            return JsonResponse(view(Call(request, actor, found, Body(request.body)), **rest))
        except Stale as stale:
            return _stale(found, actor, stale)
        except Refused as refused:
            return JsonResponse({"problems": problems_as_json(refused.problems)}, status=422)
        except PermissionDenied:
            return _problem("forbidden", _("You do not umpire this table."), 403)

    return answer


def written(call: Call, **more: Any) -> Answer:
    """The answer to a write: the table as it stands after it."""
    return {"state": state_of(call.table, call.actor), **more}


def desk_url(name: str, table: Table, **more: Any) -> str:
    session = table.session
    where = {"slug": session.tournament.slug, "session": session.number, "table": table.number}
    return reverse(name, kwargs=where | more)


def _stale(table: Table, actor: Actor, stale: Stale) -> JsonResponse:
    return JsonResponse(
        {
            "problems": problems_as_json(stale.problems),
            "changes": changes_as_json(stale.changes),
            "state": state_of(table, actor),
        },
        status=409,
    )


def _problem(code: str, message: str, status: int) -> JsonResponse:
    return JsonResponse({"problems": [{"code": code, "where": "", "message": message}]}, status=status)
