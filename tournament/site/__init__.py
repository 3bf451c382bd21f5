"""What puts the subjects together: the front page, the board, the next step, all addresses."""
