"""One script and one sheet a page: joined from the small files when static files are collected (ADR 17)."""
