from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0005_people_may_share_a_number")]
    operations = [
        migrations.AddField(
            "registration", "changed_from", models.JSONField(blank=True, default=dict, editable=False)
        ),
    ]
