"""Games of other programs: dealt by `dealer`, written down by `writers`, and read back."""
