"""Accounts: signing in, the second factor, tokens, the first visit."""
