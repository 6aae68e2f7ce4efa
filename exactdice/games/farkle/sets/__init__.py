"""Which dice to take to the table."""
