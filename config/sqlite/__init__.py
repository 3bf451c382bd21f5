"""A database backend for `DATABASES`: SQLite with a connection pool (`base`)."""
