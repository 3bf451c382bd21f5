"""A whole tournament as one file, `hule-tournament`, and back (docs/api/tournament-file.md).

`exchange.carried` says what is in it. Here it is written, read and put into the database, by what is said there.
"""
