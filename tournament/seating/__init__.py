"""Who sits where: draws, Swiss rounds, plans, swaps, finals, and the certificate of the draw."""
