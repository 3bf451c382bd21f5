"""Appeals against penalties and what became of granted ones; the time for appeals is the tournament's."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('penalties', '0002_sanctions_imposed'),
        ('tournament', '0019_substitutes'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='appeal',
            name='alone_because',
            field=models.CharField(blank=True, max_length=300),
        ),
        migrations.AddField(
            model_name='appeal',
            name='penalty',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name="appeals", to="penalties.penalty"),
        ),
        migrations.AddField(
            model_name='appeal',
            name='settled_as',
            field=models.CharField(blank=True, choices=[('carried_out', 'carried out'), ('waived', 'closed without a change')], max_length=12),
        ),
        migrations.AddField(
            model_name='appeal',
            name='settled_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='appeal',
            name='settled_because',
            field=models.CharField(blank=True, max_length=300),
        ),
        migrations.AddField(
            model_name='appeal',
            name='settled_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='tournament',
            name='appeal_minutes',
            field=models.PositiveSmallIntegerField(default=30, verbose_name='minutes for appeals'),
        ),
        migrations.AddConstraint(
            model_name='appeal',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('settled_as', ''), ('settled_at', None)), models.Q(('granted', True), ('settled_at__isnull', False), models.Q(('settled_as', ''), _negated=True)), _connector='OR'), name='what_is_settled_was_granted'),
        ),
        migrations.AddConstraint(
            model_name='appeal',
            constraint=models.CheckConstraint(condition=models.Q(('hand_number', None), ('penalty', None), _connector='OR'), name='one_thing_an_appeal'),
        ),
    ]
