from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0004_hand_in_time")]
    operations = [
        migrations.RemoveConstraint("person", "one_person_an_ema_number"),
        migrations.AlterField(
            "person",
            "ema_number",
            models.CharField(blank=True, db_index=True, max_length=8, verbose_name="EMA number"),
        ),
    ]
