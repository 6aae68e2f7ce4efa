"""One turn: the best one, exactly or enclosed, its end, and advice in it."""
