"""Accounts: signing in, the second factor, API tokens, the first account."""
