"""The solution: with v(n) the value of n throws, v(1) is the mean and v(n + 1) = E max(X, v(n))."""

from gmpy2 import mpq

from keep_last.rules import Rules


def values(rules: Rules) -> list[mpq]:
    """Value of the game of 1, 2, …, `rules.throws` throws.

    One pass over the faces for each throw.

    >>> values(Rules(3))
    [mpq(7,2), mpq(17,4), mpq(14,3)]
    """
    die = rules.die
    found = [die.mean()]
    while len(found) < rules.throws:
        found.append(die.expectation(lambda face, again=found[-1]: max(mpq(face), again)))
    return found


def least_kept(rules: Rules) -> list[int]:
    """Smallest face to keep with 1, 2, …, throws − 1 throws left; ties are kept."""
    return [min(face for face in rules.die if face >= value) for value in values(rules)[:-1]]
