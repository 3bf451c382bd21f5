"""`python -m hule`, as from a checkout."""

from hule import main

main()
