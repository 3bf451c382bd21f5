"""What other programs and chats are told: kinds, signatures, pauses, and the bodies that chats understand."""
