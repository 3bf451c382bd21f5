"""The live stream: every watcher of a tournament gets an event for each committed write.

`wake.notify` is called after each commit (by a hook: `tournament/apps.py`); `app.with_live` mounts the stream beside
Django.
"""
