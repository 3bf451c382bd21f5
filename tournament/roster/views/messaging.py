"""The page on which one message to a group is written, looked through, sent, copied and printed."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import ngettext

from tournament.base import access
from tournament.base.access import Right
from tournament.base.engine.text import numbers_in
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.messages.mail import delivery
from tournament.messages.mail.texts import PLACEHOLDER_HELP
from tournament.roster.engine import Addressees, Group
from tournament.roster.forms.messaging import MessageForm
from tournament.roster.selectors.messaging import (
    Reach,
    groups_of,
    letter_for,
    letters_to,
    recipients_of,
    right_for,
    text_problems,
)
from tournament.roster.services.messaging import MESSAGE_EMPTY, send_message
from tournament.roster.texts import GROUPS
from tournament.web.forms import add_problems
from tournament.web.views import UNPROCESSABLE, actor_of, page_for, render_page


@page_for(Right.ADMIT, Right.CASH)
def message_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Write to the group of `?group=`. A POST shows what everybody would read; with `send` it sends that."""
    actor = actor_of(request)
    groups = [each for each in groups_of(tournament) if access.may(actor, tournament, right_for(each))]
    code = request.GET.get("group", "")
    addressees = next((each for each in groups if each.code == code), None if code else groups[0])
    if addressees is None:
        raise Http404
    form = MessageForm(tournament, addressees, request.POST if request.method == "POST" else None)
    context = {
        "form": form,
        "addressees": addressees,
        "groups": [_group(tournament, each) for each in groups],
        "placeholders": [
            (f"{{{name}}}", PLACEHOLDER_HELP[name]) for name in letter_for(addressees).placeholders
        ],
        "is_configured": delivery.is_configured(),
    }
    if form.is_valid():
        numbers = set(numbers_in(request.POST.getlist("who"))) if "send" in request.POST else None
        addressees = Addressees(addressees.group, addressees.session, form.cleaned_data.get("table"))
        try:
            if numbers is not None:
                uuid = form.cleaned_data["uuid"]
                n = send_message(tournament, actor, addressees, form.texts(), uuid=uuid, numbers=numbers)
                done = ngettext("%(n)s message is on its way.", "%(n)s messages are on their way.", n)
                messages.success(request, done % {"n": n})
                return redirect(_page_after(request, tournament), tournament.slug)
            context |= _preview(tournament, addressees, form)
        except Refused as refused:
            add_problems(form, refused)
    status = UNPROCESSABLE if form.errors else 200
    return render_page(request, "roster/message", tournament, "people", context, status=status)


def _group(tournament: Tournament, addressees: Addressees) -> dict[str, Any]:
    return {
        "code": addressees.code,
        "name": str(GROUPS[addressees.group]).format(session=addressees.session),
        "n": len(recipients_of(tournament, addressees)),
    }


def _page_after(request: HttpRequest, tournament: Tournament) -> str:
    """Return the page on which the letters are listed, for whoever sees it."""
    may_see_mail = access.may(actor_of(request), tournament, Right.ADMIT)
    return "organiser_mail" if may_see_mail else "organiser_people"


def _preview(tournament: Tournament, addressees: Addressees, form: MessageForm) -> dict[str, Any]:
    """Return one example, who gets it, and the letters to those whom no e-mail reaches."""
    texts = form.texts()
    if not texts:
        raise Refused(MESSAGE_EMPTY())
    if problems := [problem for own in texts for problem in text_problems(own)]:
        raise Refused(problems)
    people = recipients_of(tournament, addressees)
    reached = [person for person in people if person.reach is Reach.MAIL]
    by_hand = [person for person in people if person.reach is Reach.NO_ADDRESS]
    by_language = {own.language: own for own in texts}
    return {
        "is_preview": True,
        "example": letters_to(tournament, (reached or by_hand)[:1], by_language),
        "reached": reached,
        "declined": [person.name for person in people if person.reach is Reach.DECLINED],
        "addresses": list(dict.fromkeys(person.email for person in reached)),
        "unreached": by_hand,
        "letters": letters_to(
            tournament, by_hand if delivery.is_configured() else reached + by_hand, by_language
        ),
        "with_amounts": addressees.group is Group.OWING,
    }
