"""What stands before Django: how much a visitor may send, and how many may stand at the door."""
