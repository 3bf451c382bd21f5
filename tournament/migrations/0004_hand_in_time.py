from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0003_player_excluded")]

    operations = [
        migrations.AddField(
            model_name="hand",
            name="in_time",
            field=models.BooleanField(blank=True, null=True),
        ),
    ]
