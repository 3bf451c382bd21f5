"""A finished event as a web site of plain files: its public pages, and what they load, without a server."""
