"""Research on FateStones: censuses of duels and counts of dice."""
