"""What is sent and said: mail, web push, webhooks, announcements."""
