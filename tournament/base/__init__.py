"""Shared foundations: events, people, tables and hands, the log, permissions, rules and errors."""
