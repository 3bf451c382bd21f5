import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import tournament.base.models.tournament


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "__first__"),
        ("penalties", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Fee",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=80, verbose_name="category")),
                ("amount", models.DecimalField(decimal_places=2, max_digits=9, verbose_name="amount")),
                ("from_day", models.DateField(blank=True, null=True, verbose_name="for registrations from")),
            ],
            options={
                "ordering": ["tournament_id", "position"],
            },
        ),
        migrations.CreateModel(
            name="RegistrationPlan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("opens_at", models.DateTimeField(blank=True, null=True, verbose_name="open from")),
                ("closes_at", models.DateTimeField(blank=True, null=True, verbose_name="open until")),
                ("is_open", models.BooleanField(default=True, verbose_name="open")),
                ("places", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="places")),
                (
                    "waiting_places",
                    models.PositiveSmallIntegerField(
                        blank=True, null=True, verbose_name="places on the waiting list"
                    ),
                ),
                (
                    "accepts_itself",
                    models.BooleanField(
                        default=False, verbose_name="accept by itself while there are places"
                    ),
                ),
                (
                    "moves_up_itself",
                    models.BooleanField(
                        default=True, verbose_name="move up by itself when a place becomes free"
                    ),
                ),
                ("site", models.CharField(blank=True, editable=False, max_length=200)),
                ("list_is_public", models.BooleanField(default=True, verbose_name="show who is coming")),
            ],
        ),
        migrations.CreateModel(
            name="Session",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[("planned", "planned"), ("running", "being played"), ("closed", "closed")],
                        default="planned",
                        max_length=8,
                    ),
                ),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                ("extra_minutes", models.PositiveSmallIntegerField(default=0)),
                ("pauses", models.JSONField(default=list)),
                ("hidden", models.BooleanField(default=False)),
                ("on_paper", models.BooleanField(blank=True, null=True)),
            ],
            options={
                "ordering": ["tournament_id", "number"],
            },
        ),
        migrations.CreateModel(
            name="Due",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("amount", models.DecimalField(decimal_places=2, max_digits=9)),
                ("reference", models.CharField(max_length=25, null=True, unique=True)),
                ("batch", models.UUIDField(blank=True, db_index=True, null=True)),
                (
                    "fee",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="dues",
                        to="tournament.fee",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("amount__gte", 0)), name="nobody_owes_less_than_nothing"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("owner", "owner"),
                            ("organiser", "organiser"),
                            ("chief", "chief umpire"),
                            ("umpire", "umpire"),
                            ("scorer", "scorer"),
                            ("desk", "registration desk"),
                            ("treasurer", "treasurer"),
                            ("screens", "screens"),
                            ("observer", "observer"),
                        ],
                        max_length=10,
                    ),
                ),
                ("everywhere", models.BooleanField(default=True)),
                ("every_session", models.BooleanField(default=False)),
                ("table_number", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Pass",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("opened_at", models.DateTimeField(blank=True, null=True)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "membership",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="desk_pass",
                        to="tournament.membership",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "passes",
                "ordering": ["membership__table_number", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Payment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(unique=True)),
                ("amount", models.DecimalField(decimal_places=2, max_digits=9)),
                (
                    "method",
                    models.CharField(
                        choices=[
                            ("cash", "cash"),
                            ("transfer", "bank transfer"),
                            ("card", "card, elsewhere"),
                            ("other", "other"),
                        ],
                        max_length=8,
                    ),
                ),
                ("on", models.DateField()),
                ("cancelled_at", models.DateTimeField(blank=True, null=True)),
                (
                    "due",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="payments",
                        to="tournament.due",
                    ),
                ),
                (
                    "noted_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["on", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Person",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("first_name", models.CharField(blank=True, max_length=80, verbose_name="first name")),
                ("last_name", models.CharField(max_length=80, verbose_name="last name")),
                ("country", models.CharField(blank=True, max_length=3, verbose_name="country")),
                ("ema_number", models.CharField(blank=True, max_length=8, verbose_name="EMA number")),
                ("club", models.CharField(blank=True, max_length=80, verbose_name="club")),
                ("key", models.CharField(blank=True, db_index=True, editable=False, max_length=170)),
                ("is_hidden", models.BooleanField(default=False)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="merged",
                        to="tournament.person",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "people",
                "ordering": ["last_name", "first_name", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(
                            models.Q(("ema_number", ""), _negated=True), ("merged_into", None)
                        ),
                        fields=("ema_number",),
                        name="one_person_an_ema_number",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PersonChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "what",
                    models.CharField(
                        choices=[
                            ("made", "made"),
                            ("merged", "merged"),
                            ("hidden", "not shown any more"),
                            ("shown", "shown again"),
                            ("changed", "changed"),
                        ],
                        max_length=7,
                    ),
                ),
                ("moved", models.JSONField(default=dict)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "into",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tournament.person",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="tournament.person",
                    ),
                ),
                (
                    "undone_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="PersonName",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=160)),
                ("key", models.CharField(blank=True, db_index=True, editable=False, max_length=170)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="names",
                        to="tournament.person",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("person", "name"), name="a_name_once")],
            },
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                ("first_name", models.CharField(blank=True, max_length=80, verbose_name="first name")),
                ("last_name", models.CharField(max_length=80, verbose_name="last name")),
                ("country", models.CharField(blank=True, max_length=3, verbose_name="country")),
                ("ema_number", models.CharField(blank=True, max_length=8, verbose_name="EMA number")),
                ("team", models.CharField(blank=True, max_length=80, verbose_name="team")),
                ("club", models.CharField(blank=True, max_length=80, verbose_name="club")),
                ("is_substitute", models.BooleanField(default=False)),
                ("checked_in_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("withdrawn_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("erased_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "person",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="players",
                        to="tournament.person",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament_id", "number"],
            },
        ),
        migrations.CreateModel(
            name="Phone",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("endpoint", models.CharField(max_length=600, unique=True)),
                ("key", models.CharField(max_length=90)),
                ("secret", models.CharField(max_length=30)),
                ("language", models.CharField(max_length=10)),
                ("site", models.CharField(max_length=260)),
                ("told", models.CharField(blank=True, max_length=40)),
                ("since", models.DateTimeField()),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="phones",
                        to="tournament.player",
                    ),
                ),
            ],
            options={
                "ordering": ["player_id", "id"],
            },
        ),
        migrations.CreateModel(
            name="NotThem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournament.person"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="not_them",
                        to="tournament.player",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("player", "person"), name="refused_once")],
            },
        ),
        migrations.AddField(
            model_name="membership",
            name="player",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="memberships",
                to="tournament.player",
            ),
        ),
        migrations.AddField(
            model_name="due",
            name="player",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="own_due",
                to="tournament.player",
            ),
        ),
        migrations.CreateModel(
            name="Registration",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("unconfirmed", "to be confirmed"),
                            ("pending", "to be looked at"),
                            ("waiting", "waiting"),
                            ("accepted", "accepted"),
                            ("declined", "declined"),
                            ("cancelled", "cancelled"),
                        ],
                        default="unconfirmed",
                        max_length=11,
                    ),
                ),
                ("waits_since", models.DateTimeField(blank=True, null=True)),
                ("first_name", models.CharField(blank=True, max_length=80, verbose_name="first name")),
                ("last_name", models.CharField(max_length=80, verbose_name="last name")),
                ("country", models.CharField(blank=True, max_length=3, verbose_name="country")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="e-mail")),
                ("ema_number", models.CharField(blank=True, max_length=8, verbose_name="EMA number")),
                ("club", models.CharField(blank=True, max_length=80, verbose_name="club")),
                ("team", models.CharField(blank=True, max_length=80, verbose_name="team")),
                ("message", models.TextField(blank=True, verbose_name="message to the organiser")),
                ("answers", models.JSONField(default=dict)),
                ("language", models.CharField(blank=True, max_length=10)),
                ("photos_agreed", models.BooleanField(default=False, verbose_name="may be photographed")),
                (
                    "name_shown",
                    models.BooleanField(
                        default=False, verbose_name="name shown on the list of who is coming"
                    ),
                ),
                ("privacy_read_at", models.DateTimeField(blank=True, null=True)),
                ("made_at", models.DateTimeField()),
                ("confirmed_at", models.DateTimeField(blank=True, null=True)),
                ("erased_at", models.DateTimeField(blank=True, null=True)),
                (
                    "player",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="registration",
                        to="tournament.player",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament_id", "number"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "waiting"), _negated=True),
                            ("waits_since__isnull", False),
                            _connector="OR",
                        ),
                        name="who_waits_has_a_turn",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="due",
            name="registration",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="due",
                to="tournament.registration",
            ),
        ),
        migrations.CreateModel(
            name="Question",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[("text", "text"), ("choice", "choice"), ("yes_no", "yes or no")],
                        max_length=6,
                    ),
                ),
                ("text", models.JSONField()),
                ("choices", models.JSONField(default=list)),
                ("is_required", models.BooleanField(default=False)),
                (
                    "plan",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="questions",
                        to="tournament.registrationplan",
                    ),
                ),
            ],
            options={
                "ordering": ["plan_id", "position"],
            },
        ),
        migrations.CreateModel(
            name="KeptPlaces",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("by", models.CharField(choices=[("country", "country"), ("club", "club")], max_length=7)),
                ("value", models.CharField(max_length=80)),
                ("places", models.PositiveSmallIntegerField()),
                (
                    "plan",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="kept",
                        to="tournament.registrationplan",
                    ),
                ),
            ],
            options={
                "ordering": ["by", "value"],
                "constraints": [models.UniqueConstraint(fields=("plan", "by", "value"), name="kept_once")],
            },
        ),
        migrations.AddField(
            model_name="membership",
            name="sessions",
            field=models.ManyToManyField(blank=True, related_name="umpires", to="tournament.session"),
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("version", models.PositiveIntegerField(default=0)),
                ("hands_played", models.PositiveSmallIntegerField(default=0)),
                ("counts_totals", models.BooleanField(default=False)),
                ("on_paper", models.BooleanField(blank=True, null=True)),
                ("is_in", models.BooleanField(default=False)),
                ("extra_minutes", models.PositiveSmallIntegerField(default=0)),
                ("in_at", models.DateTimeField(blank=True, null=True)),
                (
                    "in_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tables",
                        to="tournament.session",
                    ),
                ),
            ],
            options={
                "ordering": ["session_id", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("session", "number"), name="one_table_a_number")
                ],
            },
        ),
        migrations.CreateModel(
            name="Signature",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sheet", models.JSONField()),
                ("signed_at", models.DateTimeField()),
                ("void_at", models.DateTimeField(blank=True, null=True)),
                (
                    "void_because",
                    models.CharField(
                        blank=True,
                        choices=[("changed", "the sheet changed"), ("taken_back", "taken back")],
                        max_length=10,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="signatures",
                        to="tournament.player",
                    ),
                ),
                (
                    "recorded_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="signatures",
                        to="tournament.table",
                    ),
                ),
            ],
            options={
                "ordering": ["table_id", "signed_at", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("void_at", None)),
                        fields=("table", "player"),
                        name="one_standing_signature_a_player",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "wind",
                    models.CharField(
                        choices=[("E", "East"), ("S", "South"), ("W", "West"), ("N", "North")], max_length=1
                    ),
                ),
                ("game_points", models.IntegerField(default=0)),
                ("hands_won", models.PositiveSmallIntegerField(default=0)),
                ("wins_by_discard", models.PositiveSmallIntegerField(default=0)),
                ("deal_ins", models.PositiveSmallIntegerField(default=0)),
                ("stand_in", models.CharField(blank=True, max_length=80)),
                ("stand_in_from", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to="tournament.player",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="tournament.table",
                    ),
                ),
            ],
            options={
                "ordering": ["table_id", "id"],
                "constraints": [
                    models.UniqueConstraint(fields=("table", "wind"), name="one_player_a_wind"),
                    models.UniqueConstraint(fields=("table", "player"), name="one_seat_a_player"),
                ],
            },
        ),
        migrations.AddField(
            model_name="membership",
            name="tables",
            field=models.ManyToManyField(blank=True, related_name="umpires", to="tournament.table"),
        ),
        migrations.CreateModel(
            name="Hand",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("uuid", models.UUIDField(unique=True)),
                ("outcome", models.CharField(choices=[("win", "won"), ("draw", "wash-out")], max_length=4)),
                ("tiles", models.JSONField(blank=True, null=True)),
                ("announced", models.JSONField(blank=True, null=True)),
                ("claimants", models.JSONField(blank=True, default=list)),
                ("absent", models.JSONField(blank=True, default=list)),
                ("overridden_because", models.CharField(blank=True, max_length=300)),
                ("points", models.PositiveSmallIntegerField(default=0)),
                ("points_without_flowers", models.PositiveSmallIntegerField(default=0)),
                ("fans", models.JSONField(blank=True, default=list)),
                ("points_by_tiles", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("payments", models.JSONField(blank=True, default=dict)),
                ("scored_by", models.CharField(blank=True, max_length=40)),
                ("version", models.PositiveSmallIntegerField(default=1)),
                ("is_current", models.BooleanField(default=True)),
                ("reason", models.CharField(blank=True, max_length=300)),
                ("deepens", models.BooleanField(default=False)),
                ("recorded_at", models.DateTimeField()),
                (
                    "recorded_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "replaces",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced_by",
                        to="tournament.hand",
                    ),
                ),
                (
                    "discarder",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deal_ins",
                        to="tournament.player",
                    ),
                ),
                (
                    "winner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="hands_won",
                        to="tournament.player",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="hands",
                        to="tournament.table",
                    ),
                ),
            ],
            options={
                "ordering": ["table_id", "number", "version"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("is_current", True)),
                        fields=("table", "number"),
                        name="one_current_hand_a_number",
                    ),
                    models.UniqueConstraint(fields=("table", "number", "version"), name="one_hand_a_version"),
                    models.CheckConstraint(
                        condition=models.Q(("number__range", (1, 16))), name="sixteen_hands"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("discarder", None), ("outcome", "draw"), ("winner", None)),
                            models.Q(("outcome", "win"), ("winner__isnull", False)),
                            _connector="OR",
                        ),
                        name="a_win_has_a_winner",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Call",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "topic",
                    models.CharField(
                        choices=[
                            ("tiles", "wrong tile count"),
                            ("claim", "disputed claim"),
                            ("foul", "foul"),
                            ("score", "score differs"),
                            ("other", "something else"),
                        ],
                        max_length=8,
                    ),
                ),
                ("called_at", models.DateTimeField()),
                ("taken_at", models.DateTimeField(blank=True, null=True)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                (
                    "taken_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="calls",
                        to="tournament.table",
                    ),
                ),
            ],
            options={
                "ordering": ["called_at", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("done_at", None)), fields=("table",), name="one_open_call_a_table"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Appeal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(unique=True)),
                ("hand_number", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("text", models.TextField()),
                ("opened_at", models.DateTimeField()),
                ("granted", models.BooleanField(blank=True, null=True)),
                ("ruling", models.TextField(blank=True)),
                ("ruled_at", models.DateTimeField(blank=True, null=True)),
                ("alone_because", models.CharField(blank=True, max_length=300)),
                (
                    "settled_as",
                    models.CharField(
                        blank=True,
                        choices=[("carried_out", "carried out"), ("waived", "closed without a change")],
                        max_length=12,
                    ),
                ),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
                ("settled_because", models.CharField(blank=True, max_length=300)),
                (
                    "committee",
                    models.ManyToManyField(blank=True, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                (
                    "opened_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "penalty",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="appeals",
                        to="penalties.penalty",
                    ),
                ),
                (
                    "ruled_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "settled_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="appeals",
                        to="tournament.player",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="appeals",
                        to="tournament.table",
                    ),
                ),
            ],
            options={
                "ordering": ["opened_at", "id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("granted", None), ("ruled_at", None), ("ruling", "")),
                            models.Q(
                                ("granted__isnull", False),
                                ("ruled_at__isnull", False),
                                models.Q(("ruling", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_ruling_is_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("settled_as", ""), ("settled_at", None)),
                            models.Q(
                                ("granted", True),
                                ("settled_at__isnull", False),
                                models.Q(("settled_as", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="what_is_settled_was_granted",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("hand_number", None), ("penalty", None), _connector="OR"),
                        name="one_thing_an_appeal",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Absence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(unique=True)),
                ("since", models.DateTimeField()),
                ("arrived_at", models.DateTimeField(blank=True, null=True)),
                ("taken_back_at", models.DateTimeField(blank=True, null=True)),
                ("begun_because", models.CharField(blank=True, max_length=300)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="absences",
                        to="tournament.player",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="absences",
                        to="tournament.table",
                    ),
                ),
            ],
            options={
                "ordering": ["table_id", "since", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("taken_back_at", None)),
                        fields=("table", "player"),
                        name="one_absence_a_seat",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Totals",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(unique=True)),
                ("points", models.JSONField()),
                ("payments", models.JSONField()),
                ("wins", models.JSONField(blank=True, null=True)),
                ("deal_ins", models.JSONField(blank=True, null=True)),
                ("hands", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("best", models.JSONField(blank=True, null=True)),
                ("version", models.PositiveSmallIntegerField(default=1)),
                ("is_current", models.BooleanField(default=True)),
                ("reason", models.CharField(blank=True, max_length=300)),
                ("is_second", models.BooleanField(default=False)),
                (
                    "settled_as",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("agreed", "the same"),
                            ("first", "the first reading"),
                            ("second", "the second reading"),
                            ("typed", "typed anew"),
                            ("overtaken", "the first was corrected meanwhile"),
                        ],
                        max_length=9,
                    ),
                ),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
                ("recorded_at", models.DateTimeField()),
                (
                    "recorded_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "replaces",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced_by",
                        to="tournament.totals",
                    ),
                ),
                (
                    "settled_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="totals",
                        to="tournament.table",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "totals",
                "ordering": ["table_id", "is_second", "version", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("is_current", True)),
                        fields=("table",),
                        name="one_current_totals_a_table",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("is_second", False)),
                        fields=("table", "version"),
                        name="one_totals_a_version",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("is_second", True), ("settled_as", "")),
                        fields=("table",),
                        name="one_open_second_reading_a_table",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("is_second", False), ("is_current", False), _connector="OR"),
                        name="a_second_reading_never_counts",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Tournament",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(max_length=60, unique=True, verbose_name="address")),
                ("name", models.CharField(max_length=120, verbose_name="name")),
                ("venue", models.CharField(blank=True, max_length=120, verbose_name="venue")),
                ("starts_on", models.DateField(verbose_name="first day")),
                ("ends_on", models.DateField(verbose_name="last day")),
                ("rulebook", models.CharField(default="mcr", max_length=40, verbose_name="rulebook")),
                ("rules_snapshot", tournament.base.models.tournament.SnapshotField(editable=False)),
                ("sessions_planned", models.PositiveSmallIntegerField(default=5, verbose_name="sessions")),
                ("minutes", models.PositiveSmallIntegerField(default=120, verbose_name="minutes a session")),
                (
                    "time_zone",
                    models.CharField(
                        default=django.utils.timezone.get_default_timezone_name,
                        max_length=64,
                        verbose_name="time zone",
                    ),
                ),
                ("is_public", models.BooleanField(default=True, verbose_name="public")),
                (
                    "appeal_minutes",
                    models.PositiveSmallIntegerField(default=30, verbose_name="minutes for appeals"),
                ),
                (
                    "penalties_public",
                    models.BooleanField(default=True, verbose_name="penalties shown to everybody"),
                ),
                ("on_paper", models.BooleanField(default=False, verbose_name="sheets kept on paper")),
                ("is_trial", models.BooleanField(default=False, editable=False)),
                ("draw_seed", models.CharField(blank=True, max_length=80)),
                ("version", models.PositiveIntegerField(default=0, editable=False)),
                ("public_version", models.PositiveIntegerField(default=0, editable=False)),
                ("log_head", models.CharField(blank=True, editable=False, max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["-starts_on", "name"],
                "indexes": [models.Index(fields=["is_public", "ends_on", "name"], name="tournaments_by_end")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("ends_on__gte", models.F("starts_on"))), name="days_in_order"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("sessions_planned__gte", 1)), name="at_least_one_session"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TimetableItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, unique=True)),
                ("session", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("title", models.CharField(blank=True, max_length=80, verbose_name="what")),
                ("day", models.DateField(verbose_name="day")),
                ("starts", models.TimeField(verbose_name="start")),
                ("ends", models.TimeField(blank=True, null=True, verbose_name="end")),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="timetable",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament_id", "day", "starts", "session", "id"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "session"), name="one_line_a_session"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ends", None), ("session__isnull", False), ("title", "")),
                            models.Q(("session", None), models.Q(("title", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="a_session_or_a_title",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("ends", None), ("ends__gt", models.F("starts")), _connector="OR"),
                        name="hours_in_order",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="session",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="sessions",
                to="tournament.tournament",
            ),
        ),
        migrations.CreateModel(
            name="Screen",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.SlugField(allow_unicode=True, max_length=40)),
                ("turns", models.JSONField(blank=True, default=list)),
                ("since", models.DateTimeField()),
                ("only", models.CharField(blank=True, max_length=20)),
                ("page", models.PositiveSmallIntegerField(default=0)),
                ("turn", models.SmallIntegerField(default=-1)),
                ("steered_at", models.DateTimeField()),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="screens",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament_id", "name"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "name"), name="one_screen_a_name")
                ],
            },
        ),
        migrations.AddField(
            model_name="registrationplan",
            name="tournament",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="registration_plan",
                to="tournament.tournament",
            ),
        ),
        migrations.AddField(
            model_name="registration",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="registrations",
                to="tournament.tournament",
            ),
        ),
        migrations.CreateModel(
            name="Puzzle",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField()),
                ("record", models.JSONField()),
                ("made_at", models.DateTimeField()),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="puzzles",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["made_at", "id"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "uuid"), name="one_puzzle_a_uuid")
                ],
            },
        ),
        migrations.CreateModel(
            name="Publication",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                ("after_session", models.PositiveSmallIntegerField()),
                ("is_final", models.BooleanField(default=False)),
                ("rows", models.JSONField()),
                ("published_at", models.DateTimeField()),
                (
                    "published_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="publications",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament_id", "-version"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "version"), name="one_publication_a_version"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PrivacyPlan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("contact_days", models.PositiveSmallIntegerField(default=14, verbose_name="days")),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
                ("deleted_people", models.PositiveIntegerField(default=0)),
                ("deleted_letters", models.PositiveIntegerField(default=0)),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="privacy_plan",
                        to="tournament.tournament",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="player",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="players",
                to="tournament.tournament",
            ),
        ),
        migrations.AddField(
            model_name="membership",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="memberships",
                to="tournament.tournament",
            ),
        ),
        migrations.CreateModel(
            name="Mail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("letter", models.CharField(max_length=40)),
                ("to", models.EmailField(max_length=254)),
                ("language", models.CharField(max_length=10)),
                ("subject", models.CharField(max_length=200)),
                ("text", models.TextField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("sending", "being sent"),
                            ("sent", "sent"),
                            ("failed", "not delivered"),
                            ("unclear", "perhaps sent"),
                            ("not_sent", "not sent"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("error", models.CharField(blank=True, max_length=300)),
                ("posted_at", models.DateTimeField()),
                ("try_at", models.DateTimeField(blank=True, null=True)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                (
                    "registration",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mails",
                        to="tournament.registration",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mails",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "mails",
                "ordering": ["-posted_at", "-pk"],
                "indexes": [models.Index(fields=["state", "try_at"], name="mails_that_are_due")],
            },
        ),
        migrations.CreateModel(
            name="LogEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.PositiveIntegerField()),
                ("public_seq", models.PositiveIntegerField(null=True)),
                ("at", models.DateTimeField()),
                ("actor_code", models.CharField(max_length=60)),
                ("action", models.CharField(max_length=40)),
                ("data", models.JSONField(default=dict)),
                ("texts", models.JSONField(default=dict)),
                ("previous_hash", models.CharField(max_length=64)),
                ("hash", models.CharField(max_length=64)),
                (
                    "actor",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="log",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "log entries",
                "ordering": ["tournament_id", "seq"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "seq"), name="one_entry_a_number"),
                    models.UniqueConstraint(
                        fields=("tournament", "public_seq"), name="one_entry_a_public_number"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LetterText",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("letter", models.CharField(max_length=40)),
                ("language", models.CharField(max_length=10)),
                ("subject", models.CharField(max_length=150)),
                ("text", models.TextField()),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="letter_texts",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "letter", "language"), name="one_text_a_letter"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("owner", "owner"),
                            ("organiser", "organiser"),
                            ("chief", "chief umpire"),
                            ("umpire", "umpire"),
                            ("scorer", "scorer"),
                            ("desk", "registration desk"),
                            ("treasurer", "treasurer"),
                            ("screens", "screens"),
                            ("observer", "observer"),
                        ],
                        max_length=10,
                    ),
                ),
                ("sessions", models.JSONField(default=list)),
                ("tables", models.JSONField(default=list)),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("expires_at", models.DateTimeField()),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "used_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["expires_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="FormerAccount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField()),
                ("account", models.PositiveBigIntegerField()),
                ("until", models.PositiveIntegerField()),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_account",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_accounts",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament_id", "until", "account"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "uuid"), name="one_former_account_a_uuid"),
                    models.UniqueConstraint(
                        fields=("tournament", "until", "account"), name="one_account_at_a_time"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Final",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("after_session", models.PositiveSmallIntegerField()),
                (
                    "carry",
                    models.CharField(
                        choices=[("full", "full"), ("half", "half"), ("dropped", "dropped")], max_length=8
                    ),
                ),
                ("groups", models.JSONField()),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="finals",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament_id", "after_session"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "after_session"), name="one_final_after_a_session"
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="fee",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="fees", to="tournament.tournament"
            ),
        ),
        migrations.CreateModel(
            name="Extension",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("spec_url", models.URLField(max_length=500)),
                ("data", models.JSONField()),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="extensions",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament_id", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "name"), name="one_extension_a_name")
                ],
            },
        ),
        migrations.CreateModel(
            name="EventPage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("description", models.JSONField(default=dict)),
                ("fee", models.JSONField(default=dict)),
                ("rules_note", models.JSONField(default=dict)),
                ("address", models.TextField(blank=True, verbose_name="address of the venue")),
                (
                    "country",
                    models.CharField(blank=True, db_index=True, max_length=3, verbose_name="country"),
                ),
                ("map_url", models.URLField(blank=True, max_length=500, verbose_name="link to a map")),
                ("website", models.URLField(blank=True, max_length=500, verbose_name="website")),
                ("referees", models.CharField(blank=True, max_length=300, verbose_name="umpires")),
                ("contact", models.CharField(blank=True, max_length=200, verbose_name="contact")),
                (
                    "mers",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "no"),
                            ("ranked", "yes"),
                            ("championship", "yes, as a championship with qualification"),
                        ],
                        default="",
                        max_length=12,
                    ),
                ),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="event_page",
                        to="tournament.tournament",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="EventDocument",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, unique=True)),
                ("title", models.CharField(max_length=80, verbose_name="title")),
                (
                    "kind",
                    models.CharField(
                        choices=[("pdf", "PDF"), ("png", "PNG"), ("jpeg", "JPEG"), ("webp", "WebP")],
                        max_length=4,
                    ),
                ),
                ("size", models.PositiveIntegerField()),
                ("file", models.FileField(upload_to="documents/")),
                ("added_at", models.DateTimeField(auto_now_add=True)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="event_documents",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament_id", "added_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="EmaColumns",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("columns", models.JSONField()),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ema_columns",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "EMA columns",
            },
        ),
        migrations.AddField(
            model_name="due",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="dues", to="tournament.tournament"
            ),
        ),
        migrations.CreateModel(
            name="DocumentJob",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "waiting"),
                            ("running", "being made"),
                            ("done", "ready"),
                            ("failed", "failed"),
                        ],
                        default="queued",
                        max_length=8,
                    ),
                ),
                ("done_steps", models.PositiveSmallIntegerField(default=0)),
                ("steps", models.PositiveSmallIntegerField(default=1)),
                ("error", models.TextField(blank=True)),
                ("requested_at", models.DateTimeField(auto_now_add=True)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("standings", "Standings"),
                            ("teams", "Standings of teams"),
                            ("nations", "Standings of nations"),
                            ("session-standings", "Standings of one session"),
                            ("statistics", "Statistics"),
                            ("seats", "Seats"),
                            ("schedules", "Schedule cards"),
                            ("score-sheets", "Score sheets"),
                            ("table-numbers", "Table numbers"),
                            ("card", "Umpire’s card"),
                            ("badges", "Badges"),
                            ("certificates", "Certificates"),
                            ("foul-record", "Foul record"),
                            ("tabulation", "Tabulation form"),
                            ("check-in-list", "Check-in list"),
                            ("dues-list", "Dues list"),
                            ("umpires", "Umpires’ tables"),
                            ("report", "Tournament report"),
                            ("observer-report", "Observer’s report"),
                            ("session-papers", "All papers of a session"),
                            ("site", "Web site of the event"),
                        ],
                        max_length=20,
                    ),
                ),
                ("language", models.CharField(max_length=10)),
                ("second", models.CharField(blank=True, max_length=10)),
                (
                    "paper",
                    models.CharField(
                        choices=[("a4", "A4"), ("letter", "US Letter"), ("a6", "A6 booklet")],
                        default="a4",
                        max_length=8,
                    ),
                ),
                ("session", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("site", models.CharField(blank=True, max_length=200)),
                ("edition", models.CharField(blank=True, max_length=80)),
                ("digest", models.CharField(blank=True, max_length=64)),
                ("standings_version", models.PositiveIntegerField(null=True)),
                ("standings_state", models.CharField(blank=True, max_length=12)),
                ("file", models.FileField(blank=True, upload_to="documents/")),
                (
                    "requested_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="documents",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["-requested_at"],
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="CheckIn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ends_at", models.DateTimeField(blank=True, null=True, verbose_name="be there by")),
                (
                    "by_themselves",
                    models.BooleanField(default=False, verbose_name="people may check themselves in"),
                ),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="check_in",
                        to="tournament.tournament",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CertificateDesign",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("places", models.PositiveSmallIntegerField(default=3)),
                ("best_hand", models.BooleanField(default=True)),
                ("file", models.FileField(blank=True, upload_to="documents/")),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="certificate_design",
                        to="tournament.tournament",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Ceremony",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("players", "Players"), ("teams", "Teams"), ("nations", "Nations")],
                        max_length=8,
                    ),
                ),
                ("first", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("lines", models.JSONField()),
                ("told", models.PositiveSmallIntegerField(default=0)),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "started_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ceremonies",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "ceremonies",
                "ordering": ["tournament_id", "-started_at", "-id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None)),
                        fields=("tournament",),
                        name="one_ceremony_at_a_time",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Arrival",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                ("head", models.CharField(max_length=64)),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="arrival",
                        to="tournament.tournament",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                ("digest", models.CharField(max_length=128, primary_key=True, serialize=False)),
                ("token_key", models.CharField(db_index=True, max_length=25)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("expiry", models.DateTimeField(blank=True, null=True)),
                ("name", models.CharField(blank=True, max_length=60)),
                (
                    "scope",
                    models.CharField(
                        choices=[
                            ("all", "Everything I may do"),
                            ("owner", "owner"),
                            ("organiser", "organiser"),
                            ("chief", "chief umpire"),
                            ("umpire", "umpire"),
                            ("scorer", "scorer"),
                            ("desk", "registration desk"),
                            ("treasurer", "treasurer"),
                            ("screens", "screens"),
                            ("observer", "observer"),
                        ],
                        default="all",
                        max_length=12,
                    ),
                ),
                ("everywhere", models.BooleanField(default=True)),
                ("used_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournaments",
                    models.ManyToManyField(related_name="api_tokens", to="tournament.tournament"),
                ),
            ],
            options={
                "ordering": ["-created"],
            },
        ),
        migrations.CreateModel(
            name="Announcement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField()),
                ("text", models.CharField(max_length=280)),
                ("translations", models.JSONField(blank=True, default=dict)),
                ("tables", models.JSONField(blank=True, default=list)),
                ("session", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("made_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField(blank=True, null=True)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="announcements",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["-made_at", "-id"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "uuid"), name="one_announcement_a_uuid"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("session", None), ("tables", [])),
                            models.Q(("session__isnull", False), models.Q(("tables", []), _negated=True)),
                            _connector="OR",
                        ),
                        name="tables_are_those_of_a_session",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TournamentAccount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("currency", models.CharField(default="EUR", max_length=3, verbose_name="currency")),
                ("holder", models.CharField(blank=True, max_length=70, verbose_name="account holder")),
                ("iban", models.CharField(blank=True, max_length=34, verbose_name="IBAN")),
                ("bic", models.CharField(blank=True, max_length=11, verbose_name="BIC")),
                ("mark", models.CharField(blank=True, max_length=8, verbose_name="references begin with")),
                (
                    "link",
                    models.URLField(blank=True, max_length=300, verbose_name="link for paying elsewhere"),
                ),
                ("tells", models.BooleanField(default=True, verbose_name="confirm payments by e-mail")),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="account",
                        to="tournament.tournament",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="TrialJob",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "waiting"),
                            ("running", "being made"),
                            ("done", "ready"),
                            ("failed", "failed"),
                        ],
                        default="queued",
                        max_length=8,
                    ),
                ),
                ("done_steps", models.PositiveSmallIntegerField(default=0)),
                ("steps", models.PositiveSmallIntegerField(default=1)),
                ("error", models.TextField(blank=True)),
                ("requested_at", models.DateTimeField(auto_now_add=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("players", models.PositiveSmallIntegerField()),
                (
                    "requested_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="trial_jobs",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["-requested_at"],
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Visit",
            fields=[
                (
                    "session_key",
                    models.CharField(
                        max_length=40, primary_key=True, serialize=False, verbose_name="session key"
                    ),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="visits",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "session",
                "verbose_name_plural": "sessions",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Watch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "membership",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="watches",
                        to="tournament.membership",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="watches",
                        to="tournament.table",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "watches",
                "ordering": ["table_id", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("membership", "table"), name="an_umpire_once_at_a_table")
                ],
            },
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=60)),
                ("url", models.CharField(max_length=600)),
                (
                    "format",
                    models.CharField(
                        choices=[
                            ("hule", "hule"),
                            ("slack", "slack"),
                            ("discord", "discord"),
                            ("telegram", "telegram"),
                            ("dingtalk", "dingtalk"),
                            ("wecom", "wecom"),
                            ("feishu", "feishu"),
                        ],
                        max_length=10,
                    ),
                ),
                ("kinds", models.JSONField(default=list)),
                ("language", models.CharField(max_length=10)),
                ("chat", models.CharField(blank=True, max_length=120)),
                ("secret", models.CharField(max_length=100)),
                ("old_secret", models.CharField(blank=True, max_length=100)),
                ("old_until", models.DateTimeField(blank=True, null=True)),
                ("site", models.CharField(max_length=260)),
                ("made_at", models.DateTimeField()),
                ("failing_since", models.DateTimeField(blank=True, null=True)),
                (
                    "pause",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "not paused"),
                            ("hand", "paused"),
                            ("failing", "paused: nothing arrived for a day"),
                            ("gone", "paused: it says that it is gone"),
                        ],
                        default="",
                        max_length=8,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament_id", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "number"), name="one_webhook_a_number"),
                    models.UniqueConstraint(fields=("tournament", "name"), name="one_webhook_a_name"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("umpire.called", "umpire.called"),
                            ("seats.drawn", "seats.drawn"),
                            ("session.started", "session.started"),
                            ("session.ended", "session.ended"),
                            ("table.finished", "table.finished"),
                            ("standings.changed", "standings.changed"),
                            ("results.published", "results.published"),
                            ("announcement.made", "announcement.made"),
                            ("penalty.given", "penalty.given"),
                            ("appeal.opened", "appeal.opened"),
                            ("registration.came", "registration.came"),
                            ("test", "test"),
                        ],
                        max_length=30,
                    ),
                ),
                ("session", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("message", models.JSONField(default=dict)),
                ("text", models.TextField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("sending", "being sent"),
                            ("delivered", "arrived"),
                            ("failed", "not delivered"),
                            ("withheld", "held back"),
                        ],
                        default="waiting",
                        max_length=9,
                    ),
                ),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("status", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("milliseconds", models.PositiveIntegerField(blank=True, null=True)),
                ("fault", models.CharField(blank=True, max_length=30)),
                ("answer", models.CharField(blank=True, max_length=300)),
                ("posted_at", models.DateTimeField()),
                ("try_at", models.DateTimeField(blank=True, null=True)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="tournament.webhook",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "deliveries",
                "ordering": ["-posted_at", "-pk"],
                "indexes": [models.Index(fields=["state", "try_at"], name="deliveries_that_are_due")],
            },
        ),
        migrations.AddIndex(
            model_name="session",
            index=models.Index(
                condition=models.Q(("state", "running")), fields=["tournament"], name="sessions_being_played"
            ),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.UniqueConstraint(fields=("tournament", "number"), name="one_session_a_number"),
        ),
        migrations.AddIndex(
            model_name="registration",
            index=models.Index(fields=["tournament", "state"], name="registrations_by_state"),
        ),
        migrations.AddConstraint(
            model_name="registration",
            constraint=models.UniqueConstraint(
                fields=("tournament", "number"), name="one_registration_a_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.UniqueConstraint(fields=("tournament", "number"), name="one_player_a_number"),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(
                fields=("tournament", "user", "role"), name="one_membership_a_role"
            ),
        ),
        migrations.AddConstraint(
            model_name="due",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("player", None), ("registration__isnull", False)),
                    models.Q(("player__isnull", False), ("registration", None)),
                    _connector="OR",
                ),
                name="a_due_is_one_persons",
            ),
        ),
    ]
