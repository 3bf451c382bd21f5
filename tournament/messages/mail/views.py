"""The letters a tournament writes, and what became of each message."""

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tournament.base.access import Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.messages.mail import delivery
from tournament.messages.mail.forms import LetterForm
from tournament.messages.mail.models import Mail
from tournament.messages.mail.selectors import (
    changed_texts,
    counts,
    languages,
    list_mails,
    mails_of,
    placeholder_problems,
    preview,
    text_of,
)
from tournament.messages.mail.services import change_letter, restore_letter, send_again, send_unsent
from tournament.messages.mail.texts import LETTERS, NAMES, Letter
from tournament.web.forms import add_problems
from tournament.web.views import UNPROCESSABLE, actor_of, page_for, pressed_key, show, tell_refusal

A_PAGE = 50


@page_for(Right.ORGANISE)
@require_safe
def letter_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List every letter there is, and which of them were changed."""
    changed, named = changed_texts(tournament), dict(languages())
    rows = [
        {"letter": letter, "changed": [named[code] for code in changed.get(letter.key, ()) if code in named]}
        for letter in LETTERS.values()
    ]
    return show(request, "messages/letters", tournament, "mail", {"rows": rows})


@page_for(Right.ORGANISE)
def letter_edit(request: HttpRequest, tournament: Tournament, key: str) -> HttpResponse:
    """`?language=`: which of its texts. A POST stores; with `look` it only shows what somebody would get."""
    letter, language = _letter(key), _language(request)
    own = text_of(letter, language, tournament)
    form = LetterForm(request.POST or None, instance=own)
    if form.is_valid():
        if "look" in request.POST:
            add_problems(form, placeholder_problems(own))
        elif _change(request, form):
            messages.success(request, _("This letter says so from now on."))
            return redirect(f"{reverse('organiser_letter', args=[tournament.slug, key])}?language={language}")
    context: dict[str, Any] = {
        "form": form,
        "letter": letter,
        "language": language,
        "languages": languages(),
        "is_own": own.pk is not None,
        "placeholders": [(f"{{{name}}}", NAMES[name]) for name in letter.placeholders],
    }
    if not form.errors:
        with translation.override(language):
            context["shown_subject"], context["shown_text"] = preview(own.subject, own.text, tournament)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "messages/letter", tournament, "mail", context, status=status)


def _letter(key: str) -> Letter:
    if key not in LETTERS:
        raise Http404
    return LETTERS[key]


def _language(request: HttpRequest) -> str:
    """Take the language asked for, or the reader's."""
    wanted, known = request.GET.get("language", ""), dict(languages())
    now = translation.get_language() or ""
    return wanted if wanted in known else now if now in known else next(iter(known))


def _change(request: HttpRequest, form: LetterForm) -> bool:
    try:
        change_letter(form.instance, actor_of(request))
    except Refused as refused:
        add_problems(form, refused)
        return False
    return True


@page_for(Right.ORGANISE)
@require_POST
def letter_restore(request: HttpRequest, tournament: Tournament, key: str) -> HttpResponse:
    """Go back to the text that comes with Hule."""
    letter, language = _letter(key), _language(request)
    try:
        restore_letter(tournament, actor_of(request), letter.key, language)
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        messages.success(request, _("This letter is as it comes with Hule again."))
    return redirect(f"{reverse('organiser_letter', args=[tournament.slug, key])}?language={language}")


@page_for(Right.ADMIT)
@require_safe
def mail_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List the messages; `?state=&q=` keep those of a state, and with those words."""
    state, searched = request.GET.get("state", ""), request.GET.get("q", "").strip()[:100]
    if state not in Mail.State.values:
        state = ""
    mails = list_mails(tournament, state, searched)
    context = {
        "page": Paginator(mails, A_PAGE).get_page(request.GET.get("page")),
        "counts": counts(tournament),
        "state": state,
        "states": _states(tournament),
        "wanted": searched,
        "server_is_set": delivery.is_set(),
    }
    return show(request, "messages/mail", tournament, "mail", context)


def _states(tournament: Tournament) -> list[tuple[str, str, int]]:
    """List the states there are: value, label, how many."""
    by_state = counts(tournament).by_state
    return [(state.value, str(state.label), by_state[state]) for state in Mail.State if state in by_state]


@page_for(Right.ADMIT)
@require_safe
def mail_page(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """One message as it was written, and what the mail server said."""
    mail = get_object_or_404(mails_of(tournament), pk=pk)
    letter = LETTERS.get(mail.letter)
    context = {
        "mail": mail,
        "title": letter.title if letter else mail.letter,
        "key": uuid4(),
        "server_is_set": delivery.is_set(),
        "is_under_way": mail.state in (Mail.State.WAITING, Mail.State.SENDING),
    }
    return show(request, "messages/mail_one", tournament, "mail", context)


@page_for(Right.ADMIT)
@require_POST
def mail_again(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Send it once more, however often it is pressed."""
    mail = get_object_or_404(mails_of(tournament).select_related("tournament"), pk=pk)
    try:
        sent = send_again(mail, actor_of(request), key=pressed_key(request))
    except Refused as refused:
        tell_refusal(request, refused)
        return redirect("organiser_mail_one", tournament.slug, pk)
    messages.success(request, _("It goes out again."))
    return redirect("organiser_mail_one", tournament.slug, sent.pk)


@page_for(Right.ADMIT)
@require_POST
def mails_again(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Send whatever reached nobody, in one step."""
    try:
        n = send_unsent(tournament, actor_of(request))
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        messages.success(
            request, ngettext("%(n)s message goes out again.", "%(n)s messages go out again.", n) % {"n": n}
        )
    return redirect("organiser_mail", tournament.slug)
