"""The umpire's pages: my tournaments, my tables, and the desk of one table with the JSON it speaks."""
