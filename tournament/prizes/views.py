"""The page of the prizes."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from tournament.dues.selectors import account_of
from tournament.prizes.forms import PrizeFormSet, PrizePlanForm
from tournament.prizes.models import Prize, PrizePlan
from tournament.prizes.selectors import is_in_kind_only, prize_plan_of, winners_of
from tournament.prizes.services import set_prizes
from tournament.prizes.texts import prize_text
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

    @cached_property
    def has_money(self) -> bool:
        """Whether money is asked for; also where it is refused, to remove an amount that is stored."""
        return not is_in_kind_only(self.tournament) or self.tournament.prizes.filter(amount__gt=0).exists()

    def bind(self, data: Any = None, files: Any = None) -> None:
        super().bind(data, files)
        if not self.has_money:
            for form in self.forms:
                form.fields.pop("ties", None)
                form.fields.pop("amount", None)

    def save(self, instance: PrizePlan, rows: list[Prize]) -> None:
        assert self.formset is not None, "the class has one"
        numbers = [form.cleaned_data["players"] for form in self.formset.row_forms]
        set_prizes(instance, self.actor, rows, numbers)

    def extra_context(self) -> dict[str, Any]:
        winners, account = winners_of(self.tournament), account_of(self.tournament)
        awarded = {prize.position for winner in winners for prize in winner.award.prizes}
        remaining = self.tournament.prizes.exclude(position__in=awarded)
        return {
            "winners": winners,
            "remaining": [prize_text(prize, account) for prize in remaining],
            "is_for_ema": is_in_kind_only(self.tournament),
        }
