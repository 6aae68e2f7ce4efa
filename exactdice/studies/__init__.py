"""Research on the five games: claims, closed forms, printed results, censuses."""
