"""SQLite with connections that a process keeps (`base`): the name that `DATABASES` has for it."""
