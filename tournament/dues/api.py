"""The API of dues, for those who may see the accounts."""

from typing import Any, ClassVar
from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.access import Right
from tournament.base.engine.money import Standing
from tournament.base.models.tournament import Tournament
from tournament.dues.models import Due, Fee, Payment, TournamentAccount
from tournament.dues.selectors import Ledger, account_of, find_ledger, list_ledgers
from tournament.dues.services import (
    cancel_payment,
    record_payment,
    remove_due,
    set_account,
    set_due,
    set_fees,
)
from tournament.web.api.base import Endpoint, ModelSerializer, instances_from_rows


class PaymentSerializer(ModelSerializer[Payment]):
    """A payment; a negative amount is a refund."""

    cancelled = serializers.SerializerMethodField()
    open = serializers.DecimalField(
        max_digits=8,
        decimal_places=2,
        write_only=True,
        allow_null=True,
        default=None,
        help_text="The open amount that you saw: refused if it has changed since. Omitted: stored in any case.",
    )

    class Meta:
        model = Payment
        fields = ("uuid", "amount", "method", "on", "cancelled", "open")
        extra_kwargs: ClassVar[Any] = {
            "uuid": {"validators": []},  # the same payment sent again is no mistake
            "amount": {"help_text": "Negative: a refund."},
        }

    def get_cancelled(self, payment: Payment) -> bool:
        return payment.cancelled_at is not None


class DueSerializer(serializers.Serializer[Any]):
    """What one person owes. `open`: the amount still to be paid; negative: to be refunded."""

    id = serializers.IntegerField(source="due.pk")
    registration = serializers.IntegerField(source="due.registration.number", default=None, allow_null=True)
    player = serializers.IntegerField(source="player.number", default=None, allow_null=True)
    name = serializers.CharField()
    category = serializers.CharField(source="due.fee.name", default=None, allow_null=True)
    owed = serializers.DecimalField(max_digits=9, decimal_places=2)
    paid = serializers.DecimalField(max_digits=9, decimal_places=2, source="balance.paid")
    open = serializers.DecimalField(max_digits=9, decimal_places=2, source="balance.open")
    standing = serializers.ChoiceField([standing.value for standing in Standing], source="standing.value")
    reference = serializers.CharField(source="due.reference", allow_null=True)
    payments = PaymentSerializer(many=True)


class DueRequest(ModelSerializer[Due]):
    category = serializers.CharField(
        allow_null=True, default=None, max_length=80, help_text="The name of a fee category; null: none."
    )

    class Meta:
        model = Due
        fields = ("category", "amount")
        extra_kwargs: ClassVar[Any] = {"amount": {"default": None, "allow_null": True}}


class FeeSerializer(ModelSerializer[Fee]):
    id = serializers.IntegerField(
        source="pk", allow_null=True, default=None, max_value=2**62, help_text="Of an existing fee."
    )

    class Meta:
        model = Fee
        fields = ("id", "name", "amount", "from_day")


class AccountSerializer(ModelSerializer[TournamentAccount]):
    class Meta:
        model = TournamentAccount
        fields = ("currency", "holder", "iban", "bic", "mark", "link", "confirms_by_mail")


class Dues(Endpoint):
    """The dues of everybody, by name."""

    @extend_schema(responses=DueSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self.list_response(DueSerializer, list_ledgers(self.allowed(slug, Right.CASH)))


class DueDetail(Endpoint):
    """PUT changes the category or amount. DELETE removes the due, which is refused once something was paid."""

    @extend_schema(responses=DueSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        return _answer(self.allowed(slug, Right.CASH), pk)

    @extend_schema(request=DueRequest, responses=DueSerializer)
    def put(self, request: Request, slug: str, pk: int) -> Response:
        tournament = self.allowed(slug, Right.CASH)
        ledger, data = _ledger_or_404(tournament, pk), self.body(DueRequest).validated_data
        fee = None
        if data["category"] is not None:
            fee = tournament.fees.filter(name=data["category"]).first()
            if fee is None:
                raise serializers.ValidationError({"category": "no such category"})
        set_due(tournament, self.actor, ledger.debtor, fee=fee, amount=data["amount"])
        return _answer(tournament, pk)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        remove_due(_ledger_or_404(self.allowed(slug, Right.CASH), pk).due, self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)


class DuePayments(Endpoint):
    """POST stores a payment. Idempotent for the same UUID."""

    @extend_schema(operation_id="payment_record", request=PaymentSerializer, responses={201: DueSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        tournament = self.allowed(slug, Right.CASH)
        due: Due = _ledger_or_404(tournament, pk).due
        data = dict(self.body(PaymentSerializer).validated_data)
        expected_open = data.pop("open")
        record_payment(Payment(due=due, **data), self.actor, expected_open=expected_open)
        return _answer(tournament, pk, status.HTTP_201_CREATED)


class PaymentDetail(Endpoint):
    """DELETE cancels a payment stored by mistake: it stays in the list and no longer counts."""

    @extend_schema(operation_id="payment_cancel", responses={200: DueSerializer})
    def delete(self, request: Request, slug: str, uuid: UUID) -> Response:
        tournament = self.allowed(slug, Right.CASH)
        payments = Payment.objects.select_related("due__tournament")
        payment = get_object_or_404(payments, due__tournament=tournament, uuid=uuid)
        cancel_payment(payment, self.actor)
        return _answer(tournament, payment.due_id)


class Fees(Endpoint):
    """The fee categories. PUT replaces them by those given, in this order."""

    @extend_schema(responses=FeeSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self.list_response(FeeSerializer, self.allowed(slug, Right.CASH).fees.all())

    @extend_schema(request=FeeSerializer(many=True), responses=FeeSerializer(many=True))
    def put(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.CASH)
        sent: Any = FeeSerializer(data=request.data, many=True)
        sent.is_valid(raise_exception=True)
        set_fees(tournament, self.actor, instances_from_rows(sent.validated_data, tournament.fees.all()))
        return self.list_response(FeeSerializer, tournament.fees.all())


class Account(Endpoint):
    """Currency, bank account, link. PUT leaves omitted fields unchanged."""

    @extend_schema(responses=AccountSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return Response(AccountSerializer(account_of(self.allowed(slug, Right.CASH))).data)

    @extend_schema(request=AccountSerializer, responses=AccountSerializer)
    def put(self, request: Request, slug: str) -> Response:
        account = self.deserialize(AccountSerializer, account_of(self.allowed(slug, Right.CASH)))
        set_account(account, self.actor)
        return Response(AccountSerializer(account).data)


def _ledger_or_404(tournament: Tournament, pk: int) -> Ledger:
    ledger = find_ledger(tournament, pk) if pk < 2**63 else None
    if ledger is None:
        raise Http404
    return ledger


def _answer(tournament: Tournament, pk: int, code: int = status.HTTP_200_OK) -> Response:
    return Response(DueSerializer(_ledger_or_404(tournament, pk)).data, status=code)
