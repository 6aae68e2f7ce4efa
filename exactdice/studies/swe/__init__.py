"""Research on the software-engineering game: policies of its README, closed forms, maxims."""
