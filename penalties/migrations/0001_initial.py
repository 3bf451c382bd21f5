
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('tournament', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Penalty',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(unique=True)),
                ('foul', models.CharField(max_length=40)),
                ('hand_number', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('facts', models.JSONField(blank=True, default=dict)),
                ('occurrence', models.PositiveSmallIntegerField(default=1)),
                ('sanction', models.JSONField()),
                ('effects', models.JSONField(blank=True, default=dict)),
                ('note', models.CharField(blank=True, max_length=300)),
                ('given_at', models.DateTimeField()),
                ('cancelled_at', models.DateTimeField(blank=True, null=True)),
                ('cancelled_because', models.CharField(blank=True, max_length=300)),
                ('cancelled_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('given_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='penalties', to='tournament.player')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='penalties', to='tournament.table')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='penalties', to='tournament.tournament')),
                ('victim', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='penalties_suffered', to='tournament.player')),
            ],
            options={
                'verbose_name_plural': 'penalties',
                'ordering': ['given_at', 'id'],
            },
        ),
    ]
