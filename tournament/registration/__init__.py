"""Registration for an event: its plan, the form, the waiting list and the desk's steps."""
