"""Generic organiser's pages: a form, or rows, for settings-like objects that a service stores."""

from typing import Any, ClassVar

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views import View
from django.views.decorators.cache import never_cache

from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.web.forms import Form, LocalizedErrors, ModelForm, RowsFormSet, ValuesFormSet, add_problems
from tournament.web.views import UNPROCESSABLE, actor_of, allowed_or_404, render_page

Rows = RowsFormSet | ValuesFormSet


@method_decorator(never_cache, name="dispatch")
class EventView(LoginRequiredMixin, View):
    """A page of one event that needs one of `rights`; `section` is its place in the navigation."""

    rights: ClassVar[tuple[Right, ...]] = (Right.ORGANISE,)
    template: ClassVar[str]
    section: ClassVar[str]
    tournament: Tournament

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            self.tournament = allowed_or_404(request, self.kwargs["slug"], self.rights)
        return super().dispatch(request, *args, **kwargs)

    @property
    def actor(self) -> Actor:
        return actor_of(self.request)

    def render(self, context: dict[str, Any], status: int = 200) -> HttpResponse:
        return render_page(self.request, self.template, self.tournament, self.section, context, status=status)


class EditView(EventView):
    """Edit an object, rows, or both: the forms validate, and `save` calls the service, which validates again.

    A subclass sets `form_class` with `get_object`, `formset_class` with `get_queryset`, or all four; `get_formset`
    may return rows that are parts of one field. For a form without a model `save` gets the form itself.
    """

    form_class: ClassVar[type[Form | ModelForm] | None] = None
    formset_class: ClassVar[type[RowsFormSet] | None] = None
    rows_name: ClassVar[str] = ""
    """The list's name in the service's problems: "fees" for "fees.1.amount"."""
    success_message: Any = _("Saved.")
    success_page: ClassVar[str]
    seen: str
    """The fingerprint of the stored data when the page was made."""

    def get_object(self) -> Model:
        raise NotImplementedError

    def get_queryset(self) -> QuerySet[Any]:
        raise NotImplementedError

    def save(self, instance: Any, rows: list[Any]) -> None:
        raise NotImplementedError

    def extra_context(self) -> dict[str, Any]:
        return {}

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
        return self.form_class(data, files, **kwargs)

    def get_formset(self, data: Any = None, files: Any = None) -> Rows | None:
        return self.formset_class(data, files, queryset=self.get_queryset()) if self.formset_class else None

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        self.seen = self.fingerprint()
        return self._page(*self._forms())

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        self.seen = request.POST.get("seen", "")
        form, formset = self._forms(request.POST, request.FILES)
        checked = [part.is_valid() for part in (form, formset) if part is not None]
        if all(checked):
            instance = form.instance if isinstance(form, ModelForm) else form
            try:
                self.save(instance, formset.rows() if formset is not None else [])
            except Refused as refused:
                self._add_problems(form, formset, refused)
                self.seen = self.fingerprint()
            else:
                return self.success(instance)
        return self._page(form, formset, UNPROCESSABLE)

    def success(self, instance: Any) -> HttpResponse:
        messages.success(self.request, self.success_message)
        return redirect(self.get_success_url())

    def get_success_url(self) -> str:
        return reverse(self.success_page, args=[self.tournament.slug])

    def _forms(self, data: Any = None, files: Any = None) -> tuple[LocalizedErrors | None, Rows | None]:
        return self.get_form(data, files), self.get_formset(data, files)

    def _page(self, form: LocalizedErrors | None, formset: Rows | None, status: int = 200) -> HttpResponse:
        context = {"form": form, "formset": formset, "seen": self.seen}
        return self.render(context | self.extra_context(), status)

    def _add_problems(self, form: LocalizedErrors | None, formset: Rows | None, refused: Refused) -> None:
        if formset is not None:
            formset.add_problems(self.rows_name, refused, form)
        elif form is not None:
            add_problems(form, refused)
