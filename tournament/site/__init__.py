"""What combines all packages: front page, board, next step, URLs."""
