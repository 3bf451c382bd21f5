
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('first_name', models.CharField(blank=True, max_length=80, verbose_name='first name')),
                ('last_name', models.CharField(max_length=80, verbose_name='last name')),
                ('country', models.CharField(blank=True, max_length=3, verbose_name='country')),
                ('ema_number', models.CharField(blank=True, max_length=8, verbose_name='EMA number')),
                ('team', models.CharField(blank=True, max_length=80, verbose_name='team')),
                ('withdrawn_at', models.DateTimeField(blank=True, editable=False, null=True)),
            ],
            options={
                'ordering': ['tournament', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('state', models.CharField(choices=[('planned', 'planned'), ('running', 'being played'), ('closed', 'closed')], default='planned', max_length=8)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['tournament', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('version', models.PositiveIntegerField(default=0)),
                ('hands_played', models.PositiveSmallIntegerField(default=0)),
                ('is_in', models.BooleanField(default=False)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='tournament.session')),
            ],
            options={
                'ordering': ['session', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('wind', models.CharField(choices=[('E', 'East'), ('S', 'South'), ('W', 'West'), ('N', 'North')], max_length=1)),
                ('game_points', models.IntegerField(default=0)),
                ('hands_won', models.PositiveSmallIntegerField(default=0)),
                ('wins_by_discard', models.PositiveSmallIntegerField(default=0)),
                ('deal_ins', models.PositiveSmallIntegerField(default=0)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='tournament.player')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='tournament.table')),
            ],
            options={
                'ordering': ['table', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Hand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('uuid', models.UUIDField(unique=True)),
                ('outcome', models.CharField(choices=[('win', 'won'), ('draw', 'wash-out')], max_length=4)),
                ('tiles', models.JSONField(blank=True, null=True)),
                ('points', models.PositiveSmallIntegerField(default=0)),
                ('points_without_flowers', models.PositiveSmallIntegerField(default=0)),
                ('fans', models.JSONField(blank=True, default=list)),
                ('payments', models.JSONField(blank=True, default=dict)),
                ('scored_by', models.CharField(blank=True, max_length=40)),
                ('version', models.PositiveSmallIntegerField(default=1)),
                ('is_current', models.BooleanField(default=True)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('recorded_at', models.DateTimeField()),
                ('recorded_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('replaces', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='replaced_by', to='tournament.hand')),
                ('discarder', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='deal_ins', to='tournament.player')),
                ('winner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='hands_won', to='tournament.player')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hands', to='tournament.table')),
            ],
            options={
                'ordering': ['table', 'number', 'version'],
            },
        ),
        migrations.CreateModel(
            name='Tournament',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, unique=True, verbose_name='address')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('venue', models.CharField(blank=True, max_length=120, verbose_name='venue')),
                ('starts_on', models.DateField(verbose_name='first day')),
                ('ends_on', models.DateField(verbose_name='last day')),
                ('rulebook', models.CharField(default='mcr', max_length=40, verbose_name='rulebook')),
                ('rules_snapshot', models.JSONField(editable=False)),
                ('sessions_planned', models.PositiveSmallIntegerField(default=5, verbose_name='sessions')),
                ('minutes', models.PositiveSmallIntegerField(default=120, verbose_name='minutes a session')),
                ('is_public', models.BooleanField(default=True, verbose_name='public')),
                ('draw_seed', models.CharField(blank=True, max_length=80)),
                ('version', models.PositiveIntegerField(default=0, editable=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['-starts_on', 'name'],
                'constraints': [models.CheckConstraint(condition=models.Q(('ends_on__gte', models.F('starts_on'))), name='days_in_order'), models.CheckConstraint(condition=models.Q(('sessions_planned__gte', 1)), name='at_least_one_session')],
            },
        ),
        migrations.AddField(
            model_name='session',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to='tournament.tournament'),
        ),
        migrations.CreateModel(
            name='Publication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('after_session', models.PositiveSmallIntegerField()),
                ('is_final', models.BooleanField(default=False)),
                ('rows', models.JSONField()),
                ('published_at', models.DateTimeField()),
                ('published_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='publications', to='tournament.tournament')),
            ],
            options={
                'ordering': ['tournament', '-version'],
            },
        ),
        migrations.AddField(
            model_name='player',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='players', to='tournament.tournament'),
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('organiser', 'organiser'), ('umpire', 'umpire')], max_length=10)),
                ('everywhere', models.BooleanField(default=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('sessions', models.ManyToManyField(blank=True, related_name='umpires', to='tournament.session')),
                ('tables', models.ManyToManyField(blank=True, related_name='umpires', to='tournament.table')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='tournament.tournament')),
            ],
        ),
        migrations.CreateModel(
            name='LogEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('at', models.DateTimeField()),
                ('actor_name', models.CharField(max_length=150)),
                ('action', models.CharField(max_length=40)),
                ('data', models.JSONField(default=dict)),
                ('previous_hash', models.CharField(max_length=64)),
                ('hash', models.CharField(max_length=64)),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='log', to='tournament.tournament')),
            ],
            options={
                'verbose_name_plural': 'log entries',
                'ordering': ['tournament', 'seq'],
            },
        ),
        migrations.CreateModel(
            name='DocumentJob',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('standings', 'Standings')], max_length=20)),
                ('language', models.CharField(max_length=10)),
                ('state', models.CharField(choices=[('queued', 'waiting'), ('running', 'being made'), ('done', 'ready'), ('failed', 'failed')], default='queued', max_length=8)),
                ('done_steps', models.PositiveSmallIntegerField(default=0)),
                ('steps', models.PositiveSmallIntegerField(default=1)),
                ('standings_version', models.PositiveIntegerField(null=True)),
                ('file', models.FileField(blank=True, upload_to='documents/')),
                ('error', models.TextField(blank=True)),
                ('requested_at', models.DateTimeField(auto_now_add=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('requested_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='documents', to='tournament.tournament')),
            ],
            options={
                'ordering': ['-requested_at'],
            },
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.UniqueConstraint(fields=('session', 'number'), name='one_table_a_number'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('table', 'wind'), name='one_player_a_wind'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('table', 'player'), name='one_seat_a_player'),
        ),
        migrations.AddConstraint(
            model_name='hand',
            constraint=models.UniqueConstraint(condition=models.Q(('is_current', True)), fields=('table', 'number'), name='one_current_hand_a_number'),
        ),
        migrations.AddConstraint(
            model_name='hand',
            constraint=models.UniqueConstraint(fields=('table', 'number', 'version'), name='one_hand_a_version'),
        ),
        migrations.AddConstraint(
            model_name='hand',
            constraint=models.CheckConstraint(condition=models.Q(('number__range', (1, 16))), name='sixteen_hands'),
        ),
        migrations.AddConstraint(
            model_name='hand',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('discarder', None), ('outcome', 'draw'), ('winner', None)), models.Q(('outcome', 'win'), ('winner__isnull', False)), _connector='OR'), name='a_win_has_a_winner'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.UniqueConstraint(fields=('tournament', 'number'), name='one_session_a_number'),
        ),
        migrations.AddConstraint(
            model_name='publication',
            constraint=models.UniqueConstraint(fields=('tournament', 'version'), name='one_publication_a_version'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.UniqueConstraint(fields=('tournament', 'number'), name='one_player_a_number'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('tournament', 'user', 'role'), name='one_membership_a_role'),
        ),
        migrations.AddConstraint(
            model_name='logentry',
            constraint=models.UniqueConstraint(fields=('tournament', 'seq'), name='one_entry_a_number'),
        ),
    ]
