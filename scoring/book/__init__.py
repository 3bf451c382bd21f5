"""The book: what there is to read about the game. Text is data with its source, in three languages; pages render it."""
