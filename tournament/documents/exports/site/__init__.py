"""Export a finished event as a web site of plain files, without a server."""
