"""People across events, and what is kept of them."""
