"""Mail, web push, webhooks and announcements."""
