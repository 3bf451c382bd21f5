from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0001_initial")]

    operations = [
        # Phones of before have been told for a while.
        migrations.AddField("phone", "is_reached", models.BooleanField(default=True)),
        migrations.AlterField("phone", "is_reached", models.BooleanField(default=False)),
    ]
