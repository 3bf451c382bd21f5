"""Backups: the whole installation in one file, out of one database and into any other.

`writing` makes a file, `archive` reads one and believes nothing in it, `restoring` puts it in the place of what stands,
in one transaction; `shelf` keeps them in the data folder, `rotation` says which of them go again.
"""
