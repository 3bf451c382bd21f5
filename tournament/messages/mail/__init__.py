"""E-mail: the texts of letters, the queue, and delivery by SMTP."""
