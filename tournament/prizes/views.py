"""The page of the prizes."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from tournament.base.selectors import event_page_of
from tournament.prizes.forms import PrizeFormSet, PrizePlanForm
from tournament.prizes.models import Prize, PrizePlan
from tournament.prizes.selectors import prize_plan_of, winners_of
from tournament.prizes.services import set_prizes
from tournament.prizes.texts import place_text
from tournament.web.generic import EditView


class PrizesPage(EditView):
    """Edit the list of prizes, and show who gets them now. POST with `trophies` begins the list with three."""

    form_class = PrizePlanForm
    formset_class = PrizeFormSet
    template, section, success_page = "prizes/prizes", "prizes", "organiser_prizes"
    rows_name = "prizes"

    def get_object(self) -> PrizePlan:
        return prize_plan_of(self.tournament)

    def get_queryset(self) -> QuerySet[Prize]:
        return self.tournament.prizes.prefetch_related("players")

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if "trophies" in request.POST and not self.get_queryset().exists():
            trophies = [Prize(rank=place, text=_("Trophy")) for place in (1, 2, 3)]
            set_prizes(self.get_object(), self.actor, trophies)
            return self.success(None)
        return super().post(request, **kwargs)

    def save(self, instance: PrizePlan, rows: list[Prize]) -> None:
        assert self.formset is not None, "the class has one"
        numbers = [form.cleaned_data["players"] for form in self.formset.row_forms]
        set_prizes(instance, self.actor, rows, numbers)

    def extra_context(self) -> dict[str, Any]:
        winners = winners_of(self.tournament)
        keys = dict(self.get_queryset().values_list("position", "pk"))
        names: dict[int, list[str]] = {}
        for winner in winners:
            for prize in winner.award.prizes:
                names.setdefault(keys[prize.position], []).append(winner.name)
        assert self.formset is not None, "the class has one"
        return {
            "rows": [(form, names.get(form.instance.pk, [])) for form in self.formset.forms],
            "winners": [
                {
                    "place": place_text(winner.award.ladder, winner.award.place),
                    "name": winner.name,
                    "text": winner.text,
                }
                for winner in winners
            ],
            "is_for_ema": bool(event_page_of(self.tournament).mers),
        }
