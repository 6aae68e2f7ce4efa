"""Rules and dice: combinations, scores, and the options of a roll."""
