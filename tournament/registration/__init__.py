"""Registering for an event, the waiting list and the plan of both."""
