"""The live stream: every watcher of a tournament hears of each write as it is committed.

`wake.notify` is told of each commit (by a hook: `tournament/apps.py`); `app.with_live` mounts the stream beside Django.
"""
