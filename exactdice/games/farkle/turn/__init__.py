"""One turn: the best one, exactly or enclosed, how it ends, and advice in it."""
