"""What people owe and pay."""
