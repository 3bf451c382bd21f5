"""Generic organiser's pages: forms and rows for settings-like objects that services store."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views import View
from django.views.decorators.cache import never_cache

from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.web.forms import Form, LocalizedErrors, ModelForm, RowsFormSet, ValuesFormSet, add_problems
from tournament.web.views import UNPROCESSABLE, actor_of, allowed_or_404, render_page

Rows = RowsFormSet | ValuesFormSet


class OfEvent:
    """What belongs to one event and one request."""

    request: HttpRequest
    tournament: Tournament

    @property
    def actor(self) -> Actor:
        return actor_of(self.request)


@method_decorator(never_cache, name="dispatch")
class EventView(OfEvent, LoginRequiredMixin, View):
    """A page of one event that needs one of `rights`; `section` is its place in the navigation."""

    rights: ClassVar[tuple[Right, ...]] = (Right.ORGANISE,)
    template: ClassVar[str]
    section: ClassVar[str]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            self.tournament = allowed_or_404(request, self.kwargs["slug"], self.rights)
        return super().dispatch(request, *args, **kwargs)

    def render(self, context: dict[str, Any], status: int = 200) -> HttpResponse:
        return render_page(self.request, self.template, self.tournament, self.section, context, status=status)


class Part(OfEvent):
    """What one service stores: a form, rows, or both. They validate, and `save` calls the service, which does so again.

    A subclass sets `form_class` with `get_object`, `formset_class` with `get_queryset`, or all four; `get_formset`
    may return rows that are parts of one field. For a form without a model `save` gets the form itself.
    """

    name: ClassVar[str] = ""
    """The part's name in the template, and the prefix of its fields."""
    success_message: Any = _("Saved.")
    rights: ClassVar[tuple[Right, ...]] = (Right.ORGANISE,)
    form_class: ClassVar[type[Form | ModelForm] | None] = None
    formset_class: ClassVar[type[RowsFormSet] | None] = None
    rows_name: ClassVar[str] = ""
    """The list's name in the service's problems: "fees" for "fees.1.amount"."""
    form: LocalizedErrors | None
    formset: Rows | None
    seen: str
    """The fingerprint of the stored data when the page was made."""

    def get_object(self) -> Model:
        raise NotImplementedError

    def get_queryset(self) -> QuerySet[Any]:
        raise NotImplementedError

    def save(self, instance: Any, rows: list[Any]) -> None:
        raise NotImplementedError

    def fingerprint(self) -> str:
        """Return a short hash of the stored data, if an outdated page must not overwrite newer data.

        The page sends it back as `seen`, and `save` passes it to the service. After a refusal the new one is sent.
        """
        return ""

    def get_form(self, data: Any = None, files: Any = None) -> LocalizedErrors | None:
        if self.form_class is None:
            return None
        is_model_form = issubclass(self.form_class, ModelForm)
        kwargs: dict[str, Any] = {"instance": self.get_object()} if is_model_form else {}
        return self.form_class(data, files, prefix=self.name or None, **kwargs)

    def get_formset(self, data: Any = None, files: Any = None) -> Rows | None:
        if self.formset_class is None:
            return None
        return self.formset_class(data, files, prefix=self.name or None, queryset=self.get_queryset())

    def bind(self, data: Any = None, files: Any = None) -> None:
        """Make the forms, with what was sent if `data` is not None."""
        self.seen = self.fingerprint() if data is None else data.get(self.seen_name, "")
        self.form, self.formset = self.get_form(data, files), self.get_formset(data, files)

    @property
    def seen_name(self) -> str:
        return f"{self.name}-seen" if self.name else "seen"

    @property
    def forms(self) -> list[LocalizedErrors]:
        """The form, then that of each row."""
        return [*filter(None, [self.form]), *(self.formset.forms if self.formset is not None else [])]

    @property
    def error_count(self) -> int:
        """How many problems to show."""
        n = len(self.form.errors) if self.form is not None else 0
        return n + (self.formset.total_error_count() if self.formset is not None else 0)

    def is_valid(self) -> bool:
        return all(part.is_valid() for part in (self.form, self.formset) if part is not None)

    def has_changed(self) -> bool:
        return any(part.has_changed() for part in (self.form, self.formset) if part is not None)

    @property
    def instance(self) -> Any:
        """What the form changes; the form itself if it has no model."""
        return self.form.instance if isinstance(self.form, ModelForm) else self.form

    def store(self) -> bool:
        """Save; return whether the service accepts it, else show its problems."""
        try:
            self.save(self.instance, self.formset.rows() if self.formset is not None else [])
        except Refused as refused:
            if self.formset is not None:
                self.formset.add_problems(self.rows_name, refused, self.form)
            elif self.form is not None:
                add_problems(self.form, refused)
            self.seen = self.fingerprint()
            return False
        return True


class PartsView(EventView):
    """A page of several parts, each with a service of its own, that are saved together or not at all.

    Everybody sees and changes the parts that their rights allow. Only changed parts are saved.
    """

    part_classes: ClassVar[tuple[type[Part], ...]] = ()
    success_message: Any = _("Saved.")
    success_page: ClassVar[str]
    parts: Sequence[Part]

    def get_parts(self) -> Sequence[Part]:
        own = access.rights_in(self.actor, self.tournament)
        parts = [part() for part in self.part_classes if own.intersection(part.rights)]
        for part in parts:
            part.request, part.tournament = self.request, self.tournament
        return parts

    def extra_context(self) -> dict[str, Any]:
        return {}

    def bind_parts(self, data: Any = None, files: Any = None) -> None:
        self.parts = self.get_parts()
        for part in self.parts:
            part.bind(data, files)

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        self.bind_parts()
        return self.page()

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        self.bind_parts(request.POST, request.FILES)
        if all(part.is_valid() for part in self.parts) and self._store():
            return self.success(self.parts[0].instance)
        return self.page(UNPROCESSABLE)

    def post_part(self, form: Form, save: Callable[[], object]) -> HttpResponse:
        """Save a part of the page that has a form of its own, or show the whole page with the errors of that form."""
        if form.is_valid():
            try:
                save()
            except Refused as refused:
                add_problems(form, refused)
            else:
                return self.success(form)
        self.bind_parts()
        return self.page(UNPROCESSABLE)

    def _store(self) -> bool:
        """Store the changed parts; nothing, with the problems of each, if a service refuses one."""
        changed = [part for part in self.parts if part.has_changed()]
        if len(changed) < 2:
            return all(part.store() for part in changed)
        before = {name: getattr(self.tournament, name) for name in log.HEAD_FIELDS}
        with log.atomic():
            answers = [part.store() for part in changed]
            is_stored = all(answers)
            transaction.set_rollback(not is_stored)
        if not is_stored:
            vars(self.tournament).update(before)
        return is_stored

    def page(self, status: int = 200) -> HttpResponse:
        return self.render(self.parts_context() | self.extra_context(), status)

    def parts_context(self) -> dict[str, Any]:
        n_errors = sum(part.error_count for part in self.parts)
        return {"parts": self.parts, "n_errors": n_errors} | {part.name: part for part in self.parts}

    def success(self, instance: Any) -> HttpResponse:
        messages.success(self.request, self.success_message)
        return redirect(self.get_success_url())

    def get_success_url(self) -> str:
        return reverse(self.success_page, args=[self.tournament.slug])


class SeparatePartsView(PartsView):
    """A page of parts that are saved one at a time: the button's `part` names it; by default it is the first."""

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        name = request.POST.get("part", self.part_classes[0].name)
        if (sent := next((part for part in self.part_classes if part.name == name), None)) is None:
            raise Http404
        allowed_or_404(request, self.tournament.slug, sent.rights)
        self.bind_parts()
        part = next(part for part in self.parts if part.name == name)
        part.bind(request.POST, request.FILES)
        if not (part.is_valid() and part.store()):
            return self.page(UNPROCESSABLE)
        messages.success(request, part.success_message)
        return redirect(self.get_success_url())


class EditView(PartsView, Part):
    """A page of one part, which is always saved."""

    def get_parts(self) -> Sequence[Part]:
        return [self]

    def has_changed(self) -> bool:
        return True

    def parts_context(self) -> dict[str, Any]:
        return {"form": self.form, "formset": self.formset, "seen": self.seen}
