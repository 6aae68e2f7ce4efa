"""Research on the reroll game: value iteration, breakpoints of the penalty, and claims."""
