"""Two players in turn, of whom the first to bank the target wins."""
