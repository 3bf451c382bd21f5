"""The book about the game: texts as data with their sources in three languages, and the pages that render them."""
