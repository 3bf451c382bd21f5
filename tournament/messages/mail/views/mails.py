"""Messages to people: what became of each, to be copied or sent again."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tournament.base.access.rights import Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.messages.mail import server
from tournament.messages.mail.models import Mail
from tournament.messages.mail.selectors import counts, list_mails, mails_of
from tournament.messages.mail.services import send_again, send_unsent
from tournament.messages.mail.texts.letters import LETTERS
from tournament.web.views.common import actor_of, tell_refusal
from tournament.web.views.frame import page_for, show

A_PAGE = 50


@page_for(Right.ADMIT)
@require_safe
def listing(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """`?state=&q=` keep those."""
    state, wanted = request.GET.get("state", ""), request.GET.get("q", "").strip()[:100]
    if state not in Mail.State.values:
        state = ""
    found = list_mails(tournament, state, wanted)
    context = {
        "page": Paginator(found, A_PAGE).get_page(request.GET.get("page")),
        "counts": counts(tournament),
        "state": state,
        "states": _states(tournament),
        "wanted": wanted,
        "server_is_set": server.is_set(),
    }
    return show(request, "messages/mail", tournament, "mail", context)


@page_for(Right.ADMIT)
@require_safe
def page(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """One message as it was written, and what the mail server said."""
    mail = get_object_or_404(mails_of(tournament), pk=pk)
    letter = LETTERS.get(mail.letter)
    context = {
        "mail": mail,
        "title": letter.title if letter else mail.letter,
        "key": uuid4(),
        "server_is_set": server.is_set(),
        "is_under_way": mail.state in (Mail.State.WAITING, Mail.State.SENDING),
    }
    return show(request, "messages/mail_one", tournament, "mail", context)


@page_for(Right.ADMIT)
@require_POST
def again(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Once more, however often it is pressed."""
    mail = get_object_or_404(mails_of(tournament).select_related("tournament"), pk=pk)
    try:
        sent = send_again(mail, actor_of(request), key=_key(request))
    except Refused as refused:
        tell_refusal(request, refused)
        return redirect("organiser_mail_one", tournament.slug, pk)
    messages.success(request, _("It goes out again."))
    return redirect("organiser_mail_one", tournament.slug, sent.pk)


@page_for(Right.ADMIT)
@require_POST
def all_again(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Whatever reached nobody, in one step."""
    try:
        n = send_unsent(tournament, actor_of(request))
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        messages.success(
            request, ngettext("%(n)s message goes out again.", "%(n)s messages go out again.", n) % {"n": n}
        )
    return redirect("organiser_mail", tournament.slug)


def _key(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("key", ""))
    except ValueError:
        return uuid4()


def _states(tournament: Tournament) -> list[tuple[str, str, int]]:
    """Those there are, with how many: value, label, count."""
    by_state = counts(tournament).by_state
    return [(state.value, str(state.label), by_state[state]) for state in Mail.State if state in by_state]
