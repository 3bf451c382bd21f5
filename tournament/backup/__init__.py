"""Backups: the whole installation in one file, out of one database and into any other.

`archive` writes a file, and reads one and believes nothing in it; `manifest` is what one says of itself; `restoring`
puts it in the place of what stands, in one transaction; `shelf` keeps them in the data folder and says which go again;
`status` tells how far the worker is.
"""
