"""Telling programs and chats what happens: written with what it tells, and sent after it."""
