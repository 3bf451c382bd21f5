"""Webhooks: messages to programs and chats, stored in the transaction they report about and sent after the commit."""
