"""What is rolled and what scores: combinations, rules, dice, and what a roll offers."""
