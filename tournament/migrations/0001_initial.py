import uuid

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import tournament.base.fields
import tournament.base.models.people
import tournament.base.models.registration
import tournament.base.models.tournament
import tournament.dues.models
import tournament.messages.webhooks.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "__first__"),
        ("penalties", "0001_initial"),
    ]

    operations = [
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
                (
                    "name",
                    models.CharField(
                        help_text="For example: Open de Lyon 2027.", max_length=120, verbose_name="name"
                    ),
                ),
                (
                    "venue",
                    models.CharField(
                        blank=True,
                        help_text="For example: Salle Molière, Lyon.",
                        max_length=120,
                        verbose_name="venue",
                    ),
                ),
                (
                    "starts_on",
                    models.DateField(
                        help_text="For example the Saturday. The timetable moves with it.",
                        verbose_name="first day",
                    ),
                ),
                (
                    "ends_on",
                    models.DateField(
                        help_text="For example the Sunday. Left empty, it ends on the day it starts.",
                        verbose_name="last day",
                    ),
                ),
                (
                    "rulebook",
                    models.CharField(
                        choices=tournament.base.models.tournament.playable_rulebooks,
                        default="mcr",
                        help_text="For example MCR, as in most tournaments. It defines the fans and fouls.",
                        max_length=40,
                        verbose_name="rulebook",
                    ),
                ),
                ("rules_snapshot", tournament.base.models.tournament.SnapshotField(editable=False)),
                (
                    "sessions_planned",
                    models.PositiveSmallIntegerField(
                        default=5,
                        help_text="For example 5: four on the first day, one on the second.",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(40),
                        ],
                        verbose_name="sessions",
                    ),
                ),
                (
                    "minutes",
                    models.PositiveSmallIntegerField(
                        default=120,
                        help_text="For example 120: seven and a half minutes for each of sixteen hands.",
                        validators=[
                            django.core.validators.MinValueValidator(10),
                            django.core.validators.MaxValueValidator(600),
                        ],
                        verbose_name="minutes per session",
                    ),
                ),
                (
                    "time_zone",
                    models.CharField(
                        default=django.utils.timezone.get_default_timezone_name,
                        help_text="All times of the tournament use it. Type part of the name: Paris finds Europe/Paris.",
                        max_length=64,
                        validators=[tournament.base.models.tournament.check_time_zone],
                        verbose_name="time zone",
                    ),
                ),
                (
                    "is_public",
                    models.BooleanField(
                        default=True,
                        help_text="Otherwise only organisers and umpires who are signed in see it.",
                        verbose_name="make the tournament public",
                    ),
                ),
                (
                    "appeal_minutes",
                    models.PositiveSmallIntegerField(
                        default=30,
                        help_text="0: questions are raised and settled at once, before play continues. Leave empty for 30.",
                        validators=[django.core.validators.MaxValueValidator(1440)],
                        verbose_name="minutes for appeals after a session",
                    ),
                ),
                (
                    "penalties_public",
                    models.BooleanField(default=True, verbose_name="penalties shown to everybody"),
                ),
                ("on_paper", models.BooleanField(default=False, verbose_name="score sheets on paper")),
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
            name="Person",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("last_name", tournament.base.fields.NameField(max_length=80, verbose_name="last name")),
                (
                    "first_name",
                    tournament.base.fields.NameField(blank=True, max_length=80, verbose_name="first name"),
                ),
                (
                    "country",
                    tournament.base.fields.CountryField(
                        blank=True,
                        help_text="A name in any language, or a code: Denmark, Danmark, DNK.",
                        max_length=3,
                        verbose_name="country",
                    ),
                ),
                ("club", tournament.base.fields.NameField(blank=True, max_length=80, verbose_name="club")),
                (
                    "ema_number",
                    tournament.base.fields.EmaNumberField(
                        blank=True, db_index=True, max_length=8, verbose_name="EMA number"
                    ),
                ),
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
            name="Announcement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4)),
                ("text", tournament.base.fields.OneLineField(max_length=280, verbose_name="announcement")),
                ("translations", tournament.base.fields.TextsField(blank=True, default=dict, max_length=280)),
                ("tables", models.JSONField(blank=True, default=list)),
                ("session", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("made_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField(blank=True, null=True)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
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
            name="ApiToken",
            fields=[
                ("digest", models.CharField(max_length=128, primary_key=True, serialize=False)),
                ("token_key", models.CharField(db_index=True, max_length=25)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("expiry", models.DateTimeField(blank=True, null=True)),
                (
                    "name",
                    models.CharField(
                        blank=True,
                        help_text="For instance: scoreboard of the stream.",
                        max_length=60,
                        verbose_name="name of the program",
                    ),
                ),
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
                        verbose_name="rights",
                    ),
                ),
                ("everywhere", models.BooleanField(default=True)),
                ("used_at", models.DateTimeField(blank=True, null=True)),
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
                ("announced_steps", models.PositiveSmallIntegerField(default=0)),
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
            name="CertificateDesign",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "text",
                    models.TextField(
                        blank=True,
                        help_text="On every certificate, below the name and the achievement.",
                        max_length=600,
                        validators=[django.core.validators.MaxLengthValidator(600)],
                        verbose_name="your own text",
                    ),
                ),
                (
                    "places",
                    models.PositiveSmallIntegerField(
                        default=3,
                        help_text="Counted from the first place; 0 for none.",
                        validators=[django.core.validators.MaxValueValidator(100)],
                        verbose_name="number of places with a certificate",
                    ),
                ),
                (
                    "best_hand",
                    models.BooleanField(
                        default=True, verbose_name="certificate for the best hand, with its tiles"
                    ),
                ),
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
            name="CheckIn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "ends_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="Leave empty for a quarter of an hour before the first session.",
                        null=True,
                        verbose_name="check-in closes at",
                    ),
                ),
                (
                    "self_check_in",
                    models.BooleanField(
                        default=False,
                        help_text="With a code shown on a screen at the door. It changes every five minutes.",
                        verbose_name="players may check themselves in",
                    ),
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
                (
                    "language",
                    models.CharField(
                        choices=[("en", "English"), ("zh-hans", "简体中文"), ("zh-hant", "繁體中文")],
                        max_length=10,
                    ),
                ),
                (
                    "second",
                    models.CharField(
                        blank=True,
                        choices=[("en", "English"), ("zh-hans", "简体中文"), ("zh-hant", "繁體中文")],
                        max_length=10,
                    ),
                ),
                (
                    "paper",
                    models.CharField(
                        choices=[("a4", "A4"), ("letter", "US Letter"), ("a6", "A6 booklet")],
                        default="a4",
                        max_length=8,
                    ),
                ),
                (
                    "session",
                    models.PositiveSmallIntegerField(
                        blank=True, null=True, validators=[django.core.validators.MinValueValidator(1)]
                    ),
                ),
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
            name="EmaColumns",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("columns", models.JSONField(blank=True)),
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
                (
                    "title",
                    models.CharField(
                        help_text="For example: Travel and hotels.",
                        max_length=80,
                        verbose_name="file description",
                    ),
                ),
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
            name="EventPage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "description",
                    tournament.base.fields.TextsField(
                        blank=True,
                        default=dict,
                        help_text="What participants can expect. A line that starts with # is a heading, one that starts with - a list item; [text](https://…) is a link.",
                        max_length=20000,
                        verbose_name="description",
                    ),
                ),
                (
                    "fee",
                    tournament.base.fields.TextsField(
                        blank=True,
                        default=dict,
                        help_text="For example: 60 €, students 40 €, with lunch on both days.",
                        max_length=500,
                        verbose_name="fee",
                    ),
                ),
                (
                    "rules_note",
                    tournament.base.fields.TextsField(
                        blank=True,
                        default=dict,
                        help_text="For example: no photographs during play. Headings, lists and links as above.",
                        max_length=5000,
                        verbose_name="rules, besides the rulebook",
                    ),
                ),
                (
                    "address",
                    models.CharField(blank=True, max_length=500, verbose_name="address of the venue"),
                ),
                (
                    "country",
                    tournament.base.fields.CountryField(
                        blank=True, db_index=True, max_length=3, verbose_name="country"
                    ),
                ),
                (
                    "map_url",
                    tournament.base.fields.LinkField(
                        blank=True,
                        help_text="For example from OpenStreetMap: the page links to it, and shows no map itself.",
                        max_length=500,
                        verbose_name="link to a map",
                    ),
                ),
                (
                    "website",
                    tournament.base.fields.LinkField(blank=True, max_length=500, verbose_name="website"),
                ),
                (
                    "referees",
                    models.CharField(
                        blank=True,
                        help_text="As they should be shown on the page.",
                        max_length=300,
                        verbose_name="umpires",
                    ),
                ),
                (
                    "contact",
                    models.CharField(
                        blank=True,
                        help_text="This is public, and programs collect such addresses: use one for the event, not your private one.",
                        max_length=200,
                        verbose_name="contact",
                    ),
                ),
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
                        verbose_name="counts for the European ranking (MERS)",
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
                (
                    "amount",
                    tournament.base.fields.MoneyField(
                        decimal_places=2,
                        max_digits=8,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="amount",
                    ),
                ),
                ("from_day", models.DateField(blank=True, null=True, verbose_name="for registrations from")),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="fees",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament_id", "position"],
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
                ("confirmed", models.JSONField(blank=True, default=list)),
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
            name="Invitation",
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
                ("made_at", models.DateTimeField(auto_now_add=True)),
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
                ("sessions", models.JSONField(blank=True, default=list)),
                ("tables", models.JSONField(blank=True, default=list)),
                (
                    "email",
                    models.EmailField(
                        blank=True,
                        help_text="Leave empty to get a link to pass on.",
                        max_length=254,
                        verbose_name="e-mail address",
                    ),
                ),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "used_by",
                    models.ForeignKey(
                        blank=True,
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
            name="LetterText",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("letter", models.CharField(max_length=40)),
                (
                    "language",
                    models.CharField(
                        choices=[("en", "English"), ("zh-hans", "简体中文"), ("zh-hant", "繁體中文")],
                        max_length=10,
                    ),
                ),
                ("subject", tournament.base.fields.OneLineField(max_length=150, verbose_name="subject")),
                (
                    "text",
                    models.TextField(
                        help_text="Plain text. A line whose placeholder is empty is left out.",
                        validators=[django.core.validators.MaxLengthValidator(5000)],
                        verbose_name="text",
                    ),
                ),
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
            name="PrivacyPlan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "contact_days",
                    models.PositiveSmallIntegerField(
                        default=14,
                        help_text="For example 14: time to send results and settle payments. Then contact data is deleted.",
                        validators=[django.core.validators.MaxValueValidator(366)],
                        verbose_name="days after the last session",
                    ),
                ),
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
            name="RegistrationPlan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "is_open",
                    models.BooleanField(
                        default=True,
                        help_text="If off, registration is closed whatever the times say.",
                        verbose_name="registration is open",
                    ),
                ),
                ("opens_at", models.DateTimeField(blank=True, null=True, verbose_name="from")),
                ("closes_at", models.DateTimeField(blank=True, null=True, verbose_name="until")),
                (
                    "places",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="Leave empty for no limit.",
                        null=True,
                        validators=[django.core.validators.MaxValueValidator(9999)],
                        verbose_name="places",
                    ),
                ),
                (
                    "waiting_places",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="Leave empty for no limit.",
                        null=True,
                        validators=[django.core.validators.MaxValueValidator(9999)],
                        verbose_name="places on the waiting list",
                    ),
                ),
                (
                    "accepts_automatically",
                    models.BooleanField(
                        default=False,
                        help_text="Otherwise you review each registration.",
                        verbose_name="accept people automatically while there are places",
                    ),
                ),
                (
                    "moves_up_automatically",
                    models.BooleanField(
                        default=True, verbose_name="move up from the waiting list automatically"
                    ),
                ),
                (
                    "list_is_public",
                    models.BooleanField(
                        default=True, verbose_name="show who is coming (only people who agreed)"
                    ),
                ),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="registration_plan",
                        to="tournament.tournament",
                    ),
                ),
            ],
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
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sessions",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament_id", "number"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "running")),
                        fields=["tournament"],
                        name="sessions_being_played",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "number"), name="one_session_a_number")
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
                ("title", models.CharField(blank=True, max_length=80, verbose_name="title")),
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
        migrations.CreateModel(
            name="TournamentAccount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "currency",
                    models.CharField(
                        choices=[
                            ("EUR", "EUR"),
                            ("CHF", "CHF"),
                            ("GBP", "GBP"),
                            ("DKK", "DKK"),
                            ("SEK", "SEK"),
                            ("NOK", "NOK"),
                            ("ISK", "ISK"),
                            ("PLN", "PLN"),
                            ("CZK", "CZK"),
                            ("HUF", "HUF"),
                            ("RON", "RON"),
                            ("BGN", "BGN"),
                            ("RSD", "RSD"),
                            ("TRY", "TRY"),
                            ("UAH", "UAH"),
                            ("CNY", "CNY"),
                            ("HKD", "HKD"),
                            ("MOP", "MOP"),
                            ("TWD", "TWD"),
                            ("JPY", "JPY"),
                            ("KRW", "KRW"),
                            ("SGD", "SGD"),
                            ("MYR", "MYR"),
                            ("THB", "THB"),
                            ("VND", "VND"),
                            ("IDR", "IDR"),
                            ("PHP", "PHP"),
                            ("INR", "INR"),
                            ("USD", "USD"),
                            ("CAD", "CAD"),
                            ("MXN", "MXN"),
                            ("BRL", "BRL"),
                            ("ARS", "ARS"),
                            ("CLP", "CLP"),
                            ("AUD", "AUD"),
                            ("NZD", "NZD"),
                            ("ZAR", "ZAR"),
                            ("ILS", "ILS"),
                            ("AED", "AED"),
                        ],
                        default="EUR",
                        max_length=3,
                        verbose_name="currency",
                    ),
                ),
                ("holder", models.CharField(blank=True, max_length=70, verbose_name="account holder")),
                (
                    "iban",
                    tournament.base.fields.CompactField(
                        blank=True,
                        help_text="Without it, people are asked to pay in cash.",
                        max_length=34,
                        validators=[tournament.dues.models.check_iban],
                        verbose_name="IBAN",
                    ),
                ),
                (
                    "bic",
                    tournament.base.fields.CompactField(
                        blank=True,
                        help_text="Only if the bank asks for it.",
                        max_length=11,
                        validators=[tournament.dues.models.check_bic],
                        verbose_name="BIC",
                    ),
                ),
                (
                    "mark",
                    tournament.base.fields.CompactField(
                        blank=True,
                        help_text="Up to 8 letters and digits, for instance MCR27, so that you recognise them in your statements. References that people already have stay.",
                        max_length=8,
                        validators=[
                            django.core.validators.RegexValidator("^[A-Z0-9]*\\Z", "Only letters and digits.")
                        ],
                        verbose_name="references begin with",
                    ),
                ),
                (
                    "link",
                    tournament.base.fields.LinkField(
                        blank=True,
                        help_text="For example a shop or a card payment page. People see it next to what they owe.",
                        max_length=300,
                        verbose_name="link for online payment",
                    ),
                ),
                (
                    "confirms_by_mail",
                    models.BooleanField(default=True, verbose_name="confirm payments by e-mail"),
                ),
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
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "name",
                    models.CharField(
                        help_text="For instance: umpires’ chat.", max_length=60, verbose_name="name"
                    ),
                ),
                (
                    "url",
                    models.CharField(
                        help_text="For Telegram: https://api.telegram.org/bot…/sendMessage. Anyone who has the address can send messages there.",
                        max_length=600,
                        validators=[tournament.messages.webhooks.models.check_address],
                        verbose_name="address",
                    ),
                ),
                (
                    "format",
                    models.CharField(
                        choices=[
                            ("hule", "Program: Hule’s JSON"),
                            ("slack", "Slack, Mattermost, Rocket.Chat, Matrix (hookshot)"),
                            ("discord", "Discord"),
                            ("telegram", "Telegram"),
                            ("dingtalk", "DingTalk"),
                            ("wecom", "WeCom"),
                            ("feishu", "Feishu, Lark"),
                        ],
                        default="hule",
                        max_length=10,
                        verbose_name="recipient",
                    ),
                ),
                (
                    "kinds",
                    models.JSONField(
                        default=list, validators=[tournament.messages.webhooks.models.check_kinds]
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        choices=[("en", "English"), ("zh-hans", "简体中文"), ("zh-hant", "繁體中文")],
                        default="en",
                        max_length=10,
                        verbose_name="language",
                    ),
                ),
                (
                    "chat",
                    models.CharField(
                        blank=True,
                        max_length=120,
                        verbose_name="chat (Telegram), or secret of the robot (DingTalk, Feishu)",
                    ),
                ),
                ("secret", models.CharField(max_length=100)),
                ("old_secret", models.CharField(blank=True, max_length=100)),
                ("old_until", models.DateTimeField(blank=True, null=True)),
                ("made_at", models.DateTimeField()),
                ("failing_since", models.DateTimeField(blank=True, null=True)),
                (
                    "pause",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "not paused"),
                            ("hand", "paused"),
                            ("failing", "paused: nothing could be delivered for a day"),
                            ("gone", "paused: its address no longer exists"),
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
                            ("hidden", "no longer shown"),
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
                ("last_name", tournament.base.fields.NameField(max_length=80, verbose_name="last name")),
                (
                    "first_name",
                    tournament.base.fields.NameField(blank=True, max_length=80, verbose_name="first name"),
                ),
                (
                    "country",
                    tournament.base.fields.CountryField(
                        blank=True,
                        help_text="A name in any language, or a code: Denmark, Danmark, DNK.",
                        max_length=3,
                        verbose_name="country",
                    ),
                ),
                (
                    "ema_number",
                    tournament.base.fields.EmaNumberField(
                        blank=True, help_text="Eight digits.", max_length=8, verbose_name="EMA number"
                    ),
                ),
                ("club", tournament.base.fields.NameField(blank=True, max_length=80, verbose_name="club")),
                (
                    "number",
                    models.PositiveSmallIntegerField(
                        help_text="Leave empty for the next free number.",
                        validators=[tournament.base.models.people.check_number],
                        verbose_name="number",
                    ),
                ),
                ("team", tournament.base.fields.NameField(blank=True, max_length=80, verbose_name="team")),
                (
                    "is_substitute",
                    models.BooleanField(
                        default=False,
                        help_text="Plays like anyone else, but is not ranked.",
                        verbose_name="substitute",
                    ),
                ),
                (
                    "excluded_as",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("disqualification", "disqualified"),
                            ("may_not_continue", "may not continue"),
                        ],
                        editable=False,
                        max_length=16,
                    ),
                ),
                ("excluded_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("checked_in_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("withdrawn_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("erased_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("has_namesake", models.BooleanField(default=False, editable=False)),
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
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="players",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament_id", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "number"), name="one_player_a_number")
                ],
            },
        ),
        migrations.CreateModel(
            name="PlaceReservation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "by",
                    models.CharField(
                        choices=[("country", "country"), ("club", "club")],
                        default="country",
                        max_length=7,
                        verbose_name="reserved for",
                    ),
                ),
                ("value", tournament.base.fields.NameField(max_length=80, verbose_name="country or club")),
                (
                    "places",
                    models.PositiveSmallIntegerField(
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(9999),
                        ],
                        verbose_name="places",
                    ),
                ),
                (
                    "plan",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reservations",
                        to="tournament.registrationplan",
                    ),
                ),
            ],
            options={
                "ordering": ["by", "value"],
                "constraints": [
                    models.UniqueConstraint(fields=("plan", "by", "value"), name="reserved_once")
                ],
            },
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
                        default="text",
                        max_length=6,
                        verbose_name="type of answer",
                    ),
                ),
                ("text", tournament.base.fields.TextsField(blank=True, default=dict, max_length=200)),
                (
                    "choices",
                    models.JSONField(
                        blank=True,
                        default=list,
                        validators=[tournament.base.models.registration.check_choices],
                    ),
                ),
                ("is_required", models.BooleanField(default=False, verbose_name="required")),
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
                            ("announcement.created", "announcement.created"),
                            ("penalty.created", "penalty.created"),
                            ("appeal.opened", "appeal.opened"),
                            ("registration.created", "registration.created"),
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
                            ("withheld", "withheld"),
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
                ("last_situation", models.CharField(blank=True, max_length=40)),
                ("used_at", models.DateTimeField()),
                ("is_reached", models.BooleanField(default=False)),
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
            name="Registration",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("last_name", tournament.base.fields.NameField(max_length=80, verbose_name="last name")),
                (
                    "first_name",
                    tournament.base.fields.NameField(blank=True, max_length=80, verbose_name="first name"),
                ),
                (
                    "country",
                    tournament.base.fields.CountryField(
                        blank=True,
                        help_text="A name in any language, or a code: Denmark, Danmark, DNK.",
                        max_length=3,
                        verbose_name="country",
                    ),
                ),
                (
                    "ema_number",
                    tournament.base.fields.EmaNumberField(
                        blank=True, help_text="Eight digits.", max_length=8, verbose_name="EMA number"
                    ),
                ),
                ("club", tournament.base.fields.NameField(blank=True, max_length=80, verbose_name="club")),
                ("number", models.PositiveIntegerField()),
                ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("unconfirmed", "not confirmed"),
                            ("pending", "to be reviewed"),
                            ("waiting", "on the waiting list"),
                            ("accepted", "accepted"),
                            ("declined", "declined"),
                            ("cancelled", "cancelled"),
                        ],
                        default="unconfirmed",
                        max_length=11,
                    ),
                ),
                ("waits_since", models.DateTimeField(blank=True, null=True)),
                ("team", tournament.base.fields.NameField(blank=True, max_length=80, verbose_name="team")),
                (
                    "email",
                    tournament.base.fields.AddressField(
                        blank=True,
                        help_text="E-mails go to this address; only the organisers see it.",
                        max_length=254,
                        verbose_name="e-mail",
                    ),
                ),
                ("changed_from", models.JSONField(blank=True, default=dict, editable=False)),
                (
                    "message",
                    models.CharField(blank=True, max_length=2000, verbose_name="message to the organiser"),
                ),
                ("answers", models.JSONField(blank=True, default=dict)),
                ("language", models.CharField(blank=True, max_length=10)),
                (
                    "photos_agreed",
                    models.BooleanField(
                        default=False, verbose_name="Photos of me may be taken and published."
                    ),
                ),
                (
                    "name_shown",
                    models.BooleanField(
                        default=False,
                        help_text="Otherwise your initials are shown until play begins. Seats and results name all players.",
                        verbose_name="my full name may be shown in the list of participants.",
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
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="registrations",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament_id", "number"],
                "indexes": [models.Index(fields=["tournament", "state"], name="registrations_by_state")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "number"), name="one_registration_a_number"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "waiting"), _negated=True),
                            ("waits_since__isnull", False),
                            _connector="OR",
                        ),
                        name="who_waits_has_a_turn",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RejectedPerson",
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
                        related_name="rejected_people",
                        to="tournament.player",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("player", "person"), name="refused_once")],
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
                (
                    "text",
                    models.TextField(
                        max_length=2000, validators=[django.core.validators.MaxLengthValidator(2000)]
                    ),
                ),
                ("opened_at", models.DateTimeField()),
                ("granted", models.BooleanField(blank=True, null=True)),
                (
                    "ruling",
                    models.TextField(
                        blank=True,
                        max_length=2000,
                        validators=[django.core.validators.MaxLengthValidator(2000)],
                    ),
                ),
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
                ("in_time", models.BooleanField(blank=True, null=True)),
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
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="memberships",
                        to="tournament.player",
                    ),
                ),
                (
                    "sessions",
                    models.ManyToManyField(blank=True, related_name="umpires", to="tournament.session"),
                ),
                ("tables", models.ManyToManyField(blank=True, related_name="umpires", to="tournament.table")),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "user", "role"), name="one_membership_a_role"
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
                        choices=[("changed", "the sheet changed"), ("taken_back", "revoked")],
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
                            ("agreed", "identical"),
                            ("first", "the first reading"),
                            ("second", "the second reading"),
                            ("typed", "entered again"),
                            ("overtaken", "the first reading has been corrected"),
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
            name="Due",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "amount",
                    tournament.base.fields.MoneyField(
                        blank=True,
                        decimal_places=2,
                        help_text="Leave empty for the fee of the category. 0: free of charge.",
                        max_digits=8,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="individual amount",
                    ),
                ),
                ("reference", models.CharField(blank=True, max_length=25, null=True, unique=True)),
                ("batch", models.UUIDField(blank=True, db_index=True, null=True)),
                (
                    "fee",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="dues",
                        to="tournament.fee",
                        verbose_name="category",
                    ),
                ),
                (
                    "player",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="own_due",
                        to="tournament.player",
                    ),
                ),
                (
                    "registration",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="due",
                        to="tournament.registration",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="dues",
                        to="tournament.tournament",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("amount__gte", 0)), name="nobody_owes_less_than_nothing"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("player", None), ("registration__isnull", False)),
                            models.Q(("player__isnull", False), ("registration", None)),
                            _connector="OR",
                        ),
                        name="a_due_is_one_persons",
                    ),
                ],
            },
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
                            ("unclear", "possibly sent"),
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
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("opened_at", models.DateTimeField(blank=True, null=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
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
            name="Payment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(unique=True)),
                (
                    "amount",
                    tournament.base.fields.MoneyField(decimal_places=2, max_digits=8, verbose_name="amount"),
                ),
                (
                    "method",
                    models.CharField(
                        choices=[
                            ("cash", "cash"),
                            ("transfer", "bank transfer"),
                            ("card", "card (elsewhere)"),
                            ("other", "other"),
                        ],
                        default="cash",
                        max_length=8,
                        verbose_name="how",
                    ),
                ),
                ("on", models.DateField(default=django.utils.timezone.localdate, verbose_name="on")),
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
                    "recorded_by",
                    models.ForeignKey(
                        blank=True,
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
    ]
