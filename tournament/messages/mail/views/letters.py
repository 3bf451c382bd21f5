"""The letters a tournament writes, in an organiser's own words where wished."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.base.access.rights import Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.messages.mail.forms import LetterForm
from tournament.messages.mail.selectors import (
    changed_texts,
    languages,
    own_text,
    preview,
    problems_of,
    subject_and_text,
)
from tournament.messages.mail.services import change_letter, restore_letter
from tournament.messages.mail.texts.letters import LETTERS, NAMES, Letter
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of, tell_refusal
from tournament.web.views.frame import UNPROCESSABLE, page_for, show


@page_for(Right.ORGANISE)
@require_safe
def listing(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Every letter there is, and which of them were changed."""
    changed, named = changed_texts(tournament), dict(languages())
    rows = [
        {"letter": letter, "changed": [named[code] for code in changed.get(letter.key, ()) if code in named]}
        for letter in LETTERS.values()
    ]
    return show(request, "messages/letters", tournament, "mail", {"rows": rows})


@page_for(Right.ORGANISE)
def edit(request: HttpRequest, tournament: Tournament, key: str) -> HttpResponse:
    """`?language=`: which of its texts. A POST stores; with `look` it only shows what somebody would get."""
    letter, language = _letter(key), _language(request)
    own = own_text(letter, language, tournament)
    subject, text = subject_and_text(letter, language, tournament)
    form = LetterForm(
        request.POST if request.method == "POST" else None, initial={"subject": subject, "text": text}
    )
    if form.is_valid():
        subject, text = form.cleaned_data["subject"], form.cleaned_data["text"].replace("\r\n", "\n")
        if "look" in request.POST:
            add_problems(form, problems_of(letter, subject, text))
        elif _change(request, tournament, form, letter, language):
            messages.success(request, _("This letter says so from now on."))
            return redirect(f"{reverse('organiser_letter', args=[tournament.slug, key])}?language={language}")
    context: dict[str, Any] = {
        "form": form,
        "letter": letter,
        "language": language,
        "languages": languages(),
        "is_own": own is not None,
        "placeholders": [(f"{{{name}}}", NAMES[name]) for name in letter.placeholders],
    }
    if not form.errors:
        with translation.override(language):
            context["shown_subject"], context["shown_text"] = preview(subject, text, tournament)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "messages/letter", tournament, "mail", context, status=status)


@page_for(Right.ORGANISE)
@require_POST
def restore(request: HttpRequest, tournament: Tournament, key: str) -> HttpResponse:
    """The text that comes with Hule again."""
    letter, language = _letter(key), _language(request)
    try:
        restore_letter(tournament, actor_of(request), letter.key, language)
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        messages.success(request, _("This letter is as it comes with Hule again."))
    return redirect(f"{reverse('organiser_letter', args=[tournament.slug, key])}?language={language}")


def _change(
    request: HttpRequest, tournament: Tournament, form: LetterForm, letter: Letter, language: str
) -> bool:
    try:
        change_letter(tournament, actor_of(request), letter.key, language, **form.cleaned_data)
    except Refused as refused:
        add_problems(form, refused)
        return False
    return True


def _letter(key: str) -> Letter:
    if key not in LETTERS:
        raise Http404
    return LETTERS[key]


def _language(request: HttpRequest) -> str:
    """The one asked for, or the reader's."""
    asked, known = request.GET.get("language", ""), dict(languages())
    now = translation.get_language() or ""
    return asked if asked in known else now if now in known else next(iter(known))
