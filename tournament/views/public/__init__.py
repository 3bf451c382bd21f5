"""The public pages: no account needed, and nothing can be changed here."""
