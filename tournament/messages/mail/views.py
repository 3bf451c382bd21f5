"""Pages of letter texts and of mails with their delivery state."""

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
    count_mails,
    language_choices,
    list_mails,
    mails_of,
    placeholder_problems,
    preview,
    text_of,
)
from tournament.messages.mail.services import change_letter, restore_letter, send_again, send_unsent
from tournament.messages.mail.texts import LETTERS, PLACEHOLDER_HELP, Letter
from tournament.web.forms import add_problems
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    add_refusal_messages,
    idempotency_key,
    page_for,
    render_page,
)

PAGE_SIZE = 50


@page_for(Right.ORGANISE)
def letter_edit(request: HttpRequest, tournament: Tournament, key: str) -> HttpResponse:
    """Edit the text in the language of `?language=`. A POST with `look` only shows a preview."""
    letter, language = _letter(key), _language(request)
    own = text_of(letter, language, tournament)
    form = LetterForm(request.POST or None, instance=own)
    if form.is_valid():
        if "look" in request.POST:
            add_problems(form, placeholder_problems(own))
        elif _change(request, form):
            messages.success(request, _("The template is saved."))
            return redirect(f"{reverse('organiser_letter', args=[tournament.slug, key])}?language={language}")
    context: dict[str, Any] = {
        "form": form,
        "letter": letter,
        "language": language,
        "languages": language_choices(),
        "is_own": own.pk is not None,
        "placeholders": [(f"{{{name}}}", PLACEHOLDER_HELP[name]) for name in letter.placeholders],
    }
    if not form.errors:
        with translation.override(language):
            context["shown_subject"], context["shown_text"] = preview(own.subject, own.text, tournament)
    status = UNPROCESSABLE if form.errors else 200
    return render_page(request, "messages/letter", tournament, "registration", context, status=status)


def _letter(key: str) -> Letter:
    if key not in LETTERS:
        raise Http404
    return LETTERS[key]


def _language(request: HttpRequest) -> str:
    """Return the language of `?language=`, else the active one, else the first."""
    known = dict(language_choices())
    candidates = (request.GET.get("language", ""), translation.get_language(), *known)
    return next(language for language in candidates if language in known)


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
    letter, language = _letter(key), _language(request)
    try:
        restore_letter(tournament, actor_of(request), letter.key, language)
    except Refused as refused:
        add_refusal_messages(request, refused)
    else:
        messages.success(request, _("The template has been restored to Hule’s default text."))
    return redirect(f"{reverse('organiser_letter', args=[tournament.slug, key])}?language={language}")


@page_for(Right.ADMIT)
@require_safe
def mail_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List mails, filtered by `?state=` and the words of `?q=`."""
    state, query = request.GET.get("state", ""), request.GET.get("q", "").strip()[:100]
    if state not in Mail.State.values:
        state = ""
    counts = count_mails(tournament)
    context = {
        "page": Paginator(list_mails(tournament, state, query), PAGE_SIZE).get_page(request.GET.get("page")),
        "counts": counts,
        "state": state,
        "states": [
            (state.value, str(state.label), counts.by_state[state])
            for state in Mail.State
            if state in counts.by_state
        ],
        "query": query,
        "is_configured": delivery.is_configured(),
    }
    return render_page(request, "messages/mail", tournament, "people", context)


@page_for(Right.ADMIT)
@require_safe
def mail_page(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Show a mail as it was sent, with its state and the mail server's reply."""
    mail = get_object_or_404(mails_of(tournament), pk=pk)
    letter = LETTERS.get(mail.letter)
    context = {
        "mail": mail,
        "title": letter.title if letter else mail.letter,
        "key": uuid4(),
        "is_configured": delivery.is_configured(),
        "is_under_way": mail.state in (Mail.State.WAITING, Mail.State.SENDING),
    }
    return render_page(request, "messages/mail_message", tournament, "people", context)


@page_for(Right.ADMIT)
@require_POST
def mail_retry(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Send a mail again, once for each form key however often the button is pressed."""
    mail = get_object_or_404(mails_of(tournament).select_related("tournament"), pk=pk)
    try:
        sent = send_again(mail, actor_of(request), key=idempotency_key(request))
    except Refused as refused:
        add_refusal_messages(request, refused)
        return redirect("organiser_mail_message", tournament.slug, pk)
    messages.success(request, _("It is being sent again."))
    return redirect("organiser_mail_message", tournament.slug, sent.pk)


@page_for(Right.ADMIT)
@require_POST
def mails_retry(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Send every mail again that did not arrive."""
    try:
        n = send_unsent(tournament, actor_of(request))
    except Refused as refused:
        add_refusal_messages(request, refused)
    else:
        messages.success(
            request,
            ngettext("%(n)s message is being sent again.", "%(n)s messages are being sent again.", n)
            % {"n": n},
        )
    return redirect("organiser_mail", tournament.slug)
