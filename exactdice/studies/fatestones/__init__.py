"""Research on FateStones: censuses of duels, counts of dice, and claims."""
