"""Research on the reroll game: value iteration and breakpoints of the penalty."""
