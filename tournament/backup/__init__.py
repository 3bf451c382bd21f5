"""Backups: the whole installation in one file.

`dumps` runs the database's own tools; `archive` writes and reads a file, and trusts nothing in it; `manifest`
describes its content; `restoring` replaces the database in one transaction; `storage` keeps backups in the data folder
and rotates them; `status` holds the worker's progress.
"""
