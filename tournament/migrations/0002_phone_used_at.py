from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournament", "0001_initial")]

    operations = [migrations.RenameField("phone", "since", "used_at")]
