"""The book's pages: how the game goes, what is disputed, and where it comes from."""
