"""Facts from the literature that claims rest on: proved by others, and checked by nobody here."""

CITED = {
    "bellman": (
        "In a finite decision process in which play ends with probability 1 under the "
        "policy, values that satisfy Bellman's equation for it and his inequalities for all"
        " other actions are optimal among all policies under which play ends. D. P. "
        "Bertsekas, Dynamic Programming and Optimal Control, volume 2, chapter on "
        "stochastic shortest paths."
    ),
    "minimax": (
        "A matrix game has the value v exactly if one side has a mixed strategy that earns "
        "at least v against every column, and the other one that gives at most v to every "
        "row. J. von Neumann, Zur Theorie der Gesellschaftsspiele, Mathematische Annalen "
        "100 (1928)."
    ),
    "cycle-lemma": (
        "Of the rotations of a sequence of s whole numbers with sum 1, exactly one has all "
        "its partial sums positive. G. N. Raney, Functional composition patterns and power "
        "series reversion, Transactions of the AMS 94 (1960)."
    ),
    "order-polynomials": (
        "The maps into 1 … s that a linear extension with δ descents allows number C(s + n "
        "− 1 − δ, n). R. P. Stanley, Ordered Structures and Partitions, Memoirs of the AMS "
        "119 (1972)."
    ),
    "ehrhart": (
        "The number of lattice points of the n-th dilate of a rational simplex whose "
        "vertices have denominators w is a quasi-polynomial in n, of the dimension as its "
        "degree, whose period divides the least common multiple of w. E. Ehrhart, Sur les "
        "polyèdres rationnels homothétiques à n dimensions, Comptes rendus 254 (1962)."
    ),
    "local-limit": (
        "For independent steps of one law on the whole numbers, of finite variance σ² > 0 "
        "and of span 1, √m times the chance that m of them sum to j differs from the normal"
        " density of mean m·μ and variance m·σ² at j, times √m, by what tends to 0 "
        "uniformly in j; so √m times that chance is bounded. B. V. Gnedenko, On a local "
        "limit theorem of the theory of probability, Uspekhi Matematicheskikh Nauk 3 "
        "(1948)."
    ),
    "berry-esseen": (
        "For independent summands of one law with variance above 0 and finite third moment,"
        " the distribution function of their normalised sum of m differs from the normal "
        "one by at most a constant over √m, uniformly. A. C. Berry, The accuracy of the "
        "Gaussian approximation to the sum of independent variates, Transactions of the AMS"
        " 49 (1941); C.-G. Esseen, On the Liapounoff limit of error, Arkiv för matematik "
        "28A (1942)."
    ),
}
