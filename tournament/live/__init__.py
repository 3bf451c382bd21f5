"""The live stream: every watcher of a tournament hears of each write as it is committed.

`notify(tournament_id)` is all a service needs; `app.with_live` mounts the stream beside Django.
"""
