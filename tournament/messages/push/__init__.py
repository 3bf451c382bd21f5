"""Web push: the keys this server signs with, the addresses it writes to, and the writing."""
