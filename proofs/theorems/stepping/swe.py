"""Steps of the theorems about the software-engineering game."""

from fractions import Fraction as Q
from functools import cache
from itertools import pairwise, permutations, product
from math import comb, inf, prod

from stepping.step import need
from stepping.swe_play import moves, plus, rolls, tables, worth


def telescoping():
    """Theorem 1."""
    step = all((1 - q) + q * (1 - u) == 1 - q * u for q, u in product((0, 1), repeat=2))
    need(step, "1: the step")
    for t, q in product(range(1, 9), (Q(1, 2), Q(3, 4), Q(5, 6))):
        total, chance = Q(1), Q(1)
        for _ in range(t - 1):
            total = 1 + q * total
        for _ in range(t):
            chance *= q  # survives one more roll
        need((1 - q) * total == 1 - chance, "1: the sum")
    return "telescoping: the step, and the sum for t up to 8"


def lines_of_plans(left, table, faces):
    """Lines (A, B) of all plans."""
    if left == 0:
        return {(Q(0), Q(1))}
    found = set()
    for after in moves(*table):
        sums = {(Q(0), Q(0))}
        for chance, (kept, legacy) in rolls(*after, faces):
            gained, plans = sum(kept), lines_of_plans(left - 1, (kept, legacy), faces)
            if gained:
                then = {(a + gained * b, b) for a, b in plans}
            else:  # the score is 0, whatever it was
                then = {(a, Q(0)) for a, _ in plans}
            sums = {(a + chance * x, b + chance * y) for a, b in sums for x, y in then}
        found |= sums
    return found


def value(left, table, score, faces):
    """Value by backward induction over scores."""
    if left == 0:
        return Q(score)
    return max(
        sum(
            chance * value(left - 1, then, score + sum(then[0]) if any(then[0]) else 0, faces)
            for chance, then in rolls(*after, faces)
        )
        for after in moves(*table)
    )


def convexity():
    """Theorem 2."""
    for faces, table, left in (
        ((4, 6), ((1, 1), (0, 0)), 2),
        ((2, 9), ((1, 0), (0, 1)), 2),
        ((2, 9), ((0, 0), (0, 0)), 3),
    ):
        lines = lines_of_plans(left, table, faces)
        need(all(a >= 0 and 0 <= b <= 1 for a, b in lines), "2: signs")
        for score in range(12):
            best = max(a + b * score for a, b in lines)
            need(best == value(left, table, score, faces), "2: the maximum of all plans")
    return "convexity: the lines of all plans against backward induction, at scores 0 to 11"


def blocks():
    """Theorem 3."""

    def suffixes(dice):
        return [sum(dice[i:]) for i in range(len(dice))]

    for rungs in range(1, 5):
        every = [up for up, down in tables(rungs, 8) if not any(down)] + [(0,) * rungs]
        for start in every:
            followed, waiting = {start}, [start]
            while waiting:
                dice = waiting.pop()
                for after, _ in moves(dice, (0,) * rungs):
                    rise = [y - x for x, y in zip(suffixes(dice), suffixes(after), strict=True)]
                    need(sorted(rise) == [0] * (rungs - 1) + [1], "3: one suffix sum rises by 1")
                    if after in every and after not in followed:
                        followed.add(after)
                        waiting.append(after)
            dominating = {
                dice
                for dice in every
                if all(y >= x for x, y in zip(suffixes(start), suffixes(dice), strict=True))
            }
            need(followed == dominating, "3: what follows is what dominates")
    return "blocks: what follows is what dominates, for all dice of weight up to 8, 1 to 4 rungs"


def reachable():
    """Theorem 6."""
    for rungs in (1, 2, 3):
        reached = {((0,) * rungs, (0,) * rungs)}
        for t in range(1, 6):
            reached = {
                then
                for table in reached
                for after in moves(*table)
                for _, then in rolls(*after, (2,) * rungs)
            }
            need(reached == set(tables(rungs, t)), f"6: {rungs} rungs, {t} rounds")
    return "reachable tables: all plays of up to 5 rounds, 1 to 3 rungs"


def ahead(table, other):
    """Whether the dice of `table` can be paired with dice of `other` that are as good or better."""
    first, second = (
        [(i, kind) for kind in (0, 1) for i, n in enumerate(of[1 - kind]) for _ in range(n)]
        for of in (table, other)
    )
    return len(first) == len(second) and any(
        all(j >= i and more >= kind for (i, kind), (j, more) in zip(first, order, strict=True))
        for order in permutations(second)
    )


def skipping():
    """Theorem 9."""
    every = [((0,) * 3, (0,) * 3), *tables(3, 4)]
    pairs = [pair for pair in product(every, repeat=2) if ahead(*pair)]
    for faces in ((4, 6, 8), (1, 3, 4)):  # a d1 always fails
        no_skip_helps(faces, every, pairs)
    return f"skipping: {len(every)} tables, up to 3 rounds; {len(pairs)} pairs, one ahead"


def no_skip_helps(faces, every, pairs):
    """The statements of theorem 9 on a ladder of three rungs."""
    (legal, rolled), (relaxed, _) = (worth(faces, skips) for skips in (False, True))
    for left, score in product((1, 2, 3), (0, 1, 3, 10, 100)):
        of = {table: legal(left, table, score) for table in every}
        for table, value_of_it in of.items():
            up, down = table
            need(relaxed(left, table, score) == value_of_it, "9 (a): a skip is better")
            fixed = [i for i in range(3) if down[i]]
            ways = [rolled(left, (plus(up, i, 1), plus(down, i, -1)), score) for i in fixed]
            rises = all(x < y for x, y in pairwise(ways))
            need(rises, "9 (c), (f): a less robust die is fixed first")
            ahead_of_skip = ways or [*(rolled(left, then, score) for then in moves(up, down))][1:]
            ahead_of_skip = ahead_of_skip or [value_of_it]  # nothing to promote: create
            need(min(ahead_of_skip) >= rolled(left, table, score), "9 (a): a fix or promotion")
            need(legal(left, (up, plus(down, 0, 1)), score) <= value_of_it, "9 (d): a legacy die")
        need(all(of[x] <= of[y] for x, y in pairs), "9 (b): what is ahead is worth less")
    starts = [legal(left, every[0], 0) for left in range(4)]
    need(starts == sorted(starts), "9 (e): a round more")


def always_creating(q, most, dice_at_most=inf):
    """Return W(R), and the probability of no die in revenue, after R = 0, …, `most` rounds."""
    law, found = {(0, 0): Q(1)}, []  # chances of (revenue, score)
    for _ in range(most + 1):
        empty = sum(c for (dice, _), c in law.items() if dice == 0)
        found.append((sum(c * score for (_, score), c in law.items()), empty))
        after = {}
        for (dice, score), chance in law.items():
            n = min(dice + 1, dice_at_most)
            for k in range(n + 1):
                ways = chance * comb(n, k) * q**k * (1 - q) ** (n - k)
                then = (k, score + k if k else 0)
                after[then] = after.get(then, 0) + ways
        law = after
    return found


def bounded():
    """Theorem 18."""
    for faces in ((2, 3), (4, 6, 8), (4, 20)):
        best, _ = worth(faces, skips=False)
        q, empty = Q(faces[-1] - 1, faces[-1]), ((0,) * len(faces),) * 2
        e, worths = q / (1 - q), always_creating(q, 4)
        for rounds in range(5):
            bound = e * rounds - e * e * (1 - q**rounds)
            need(best(rounds, empty, 0) <= worths[rounds][0] <= bound, "18 (a)")
    for q in (Q(1, 2), Q(3, 4), Q(9, 10)):
        u = [prod((1 - q**j for j in range(1, t + 1)), start=Q(1)) for t in range(13)]
        f = [Q(0)]
        for t in range(1, 13):
            f.append(u[t] - sum(f[i] * u[t - i] for i in range(1, t)))
        need(min(f) >= 0, "18: chances of renewals")
        longer = [1 - sum(f[: k + 1]) for k in range(13)]
        for rounds, (score, empty) in enumerate(always_creating(q, 12)):
            need(empty == u[rounds], "18: the chance of a renewal")
            bound = [Q(k * (k + 1), 2) * longer[k] for k in range(rounds + 1)]
            ago = [x * u[rounds - k] for k, x in enumerate(bound)]
            need(score <= sum(ago) <= sum(bound), "18 (b)")
    return "bounded: three ladders up to 4 rounds, always creating up to 12"


def in_the_long_run(q, terms, unit):
    """Return 1/u_∞ and L of theorem 30 in integer multiples of 1/`unit`."""
    n, d = q.numerator, q.denominator
    power, u, sums = unit, [unit], 0
    for a in range(1, terms + 1):
        power = power * n // d
        u.append(u[-1] * (unit - power) // unit)
        sums += a * power * unit // (unit - power)
    e = q / (1 - q)
    score = sums + e * sum(x * unit // u[-1] - unit for x in u) - e * e * unit
    return unit * unit // u[-1], int(score)


def by_last(q, rounds):
    """Return the right side of (7)."""
    e, u, c, sigma = q / (1 - q), [Q(1)], [Q(1)], [Q(0)]
    for m in range(1, rounds + 1):
        c.append(sum(q**j * u[j - 1] * c[m - j] for j in range(1, m + 1)))
        u.append(u[-1] * (1 - q**m))
        sigma.append(sigma[-1] + m * q**m / (1 - q**m))
    last = [x * y for x, y in zip(u, c[::-1], strict=True)]
    need(sum(last) == 1, "30: the last catastrophe")
    means = (e * (rounds - s) + x for s, x in enumerate(sigma))
    return sum(x * y for x, y in zip(last, means, strict=True)) - e * e * (1 - q**rounds)


def limit():
    """Theorem 30."""
    for q in (Q(1, 2), Q(3, 4), Q(9, 10)):
        worths = [score for score, _ in always_creating(q, 12)]
        need(worths == [by_last(q, rounds) for rounds in range(13)], "30 (7)")
        for most in (1, 2, 3):
            few = [score for score, _ in always_creating(q, 8, most)]
            need(few[: most + 1] == worths[: most + 1], "30: few rounds")
            need(all(x <= y for x, y in pairwise(few)), "30: it falls")
            need(all(x <= y for x, y in zip(few, worths, strict=False)), "30: more than W")

    @cache
    def play(left, table, score):
        up, down = table
        if left == 0:
            return Q(score)
        then = next((t for t in moves(up, down) if t[0][-1] > up[-1]), moves(up, down)[0])
        return sum(
            chance * play(left - 1, after, score + sum(after[0]) if any(after[0]) else 0)
            for chance, after in rolls(*then, (2, 3))
        )

    for most in (1, 2):
        few = [score for score, _ in always_creating(Q(2, 3), 5, most)]
        for r in range(6):
            need(play(r, ((0, 0), (0, most)), 0) >= few[r], "30: the play")
    _, score = in_the_long_run(Q(1, 2), 300, 10**40)
    need(abs(score - by_last(Q(1, 2), 80) * 10**40) < 10**34, "30: L with q = 1/2")
    apart, score = in_the_long_run(Q(19, 20), 4000, 10**90)  # (19/20)^4000 is below 10^(−89)
    need(apart * 1000 // 10**90 == 7629245417674389, "30: rounds between catastrophes")
    need(score * 1000 // 10**90 == 153035462031680438, "30: L with a d20")
    return "the limit: (7) up to 12 rounds, the play up to 5, and L with a d20"


def repairs():
    """Theorem 19."""

    def tally(left, table, faces, choose):
        """Return the means of survivals by rung, of promotions and of the final revenue."""
        if left == 0:
            return [Q(0)] * (len(faces) + 1) + [Q(sum(table[0]))]
        ways = moves(*table)
        after = ways[choose(left, table) % len(ways)]
        total = [Q(0)] * (len(faces) + 2)
        lifts = sum(map(sum, after)) == sum(map(sum, table)) and not any(table[1])
        for chance, then in rolls(*after, faces):
            later = tally(left - 1, then, faces, choose)
            now = [*then[0], int(lifts), 0]
            for i, x in enumerate(later):
                total[i] += chance * (x + now[i])
        return total

    count = 0
    for faces, salt in product(((2, 3), (4, 6, 8)), range(12)):
        for rounds in range(1, 5):
            *survived, promoted, revenue = tally(
                rounds,
                ((0,) * len(faces),) * 2,
                faces,
                lambda left, table, salt=salt: hash((salt, left, table)) >> 4,
            )
            failed = sum(s / (f - 1) for s, f in zip(survived, faces, strict=True))
            need(failed == rounds - promoted - revenue, "19: the budget")
            count += promoted > 0
    need(count, "19: no policy promotes")
    return "repairs: 96 games by policies drawn at random, some with promotions"


LADDERS = (4, 6, 8, 12, 20), (4, 6, 8, 10, 12, 20)


@cache
def no_catastrophe(left, table, faces):
    """Return the greatest probability of no catastrophe."""
    if left == 0:
        return Q(1)
    return max(unbroken(left, after, faces) for after in moves(*table))


def unbroken(left, table, faces):
    """Return it before a table is rolled."""
    return sum(c * no_catastrophe(left - 1, x, faces) for c, x in rolls(*table, faces) if any(x[0]))


def near_the_end():
    """Theorem 22."""
    p, q = Q(1, 4), Q(3, 4)
    need(max(Q(k, 4 ** (k + 1)) for k in range(1, 30)) == Q(1, 16), "22: the bound of k")
    need((p + p * q, p + p * q * p) == (Q(7, 16), Q(19, 64)), "22: the chances of a creation")
    need(q + q * q - Q(1, 16) == Q(5, 4), "22: A of a creation")
    for f, g in (pair for faces in LADDERS for pair in pairwise(faces)):
        rho, was, now = Q(f, g), 1 - Q(1, f), 1 - Q(1, g)
        need(now - was <= Q(1, 12) and rho >= Q(3, 5) > Q(19, 64), "22: δ and ρ")
        ends = rho * now / was, rho * (now + rho) / (was + 1)
        need(min(ends) >= Q(7, 16), "22: the quotients")
    for faces in LADDERS:
        _, rolled = worth(faces, skips=False)
        none = (0,) * len(faces)
        for left, weight, score in product((1, 2), (1, 2, 3, 4), (0, 1, 10**4)):
            for up, down in tables(len(faces), weight):
                if not any(down) and sum(i * n for i, n in enumerate(up, 1)) == weight:
                    create, *promote = (rolled(left, then, score) for then in moves(up, none))
                    need(create >= max(promote, default=0), "22 (a)")
        for left, dice in ((3, 8), (4, 5), (5, 4)):
            create, promote = moves((dice, *none[1:]), none)
            first, second = unbroken(left, create, faces), unbroken(left, promote, faces)
            need(second > first, f"22 (b): {left} rounds")
    _, rolled = worth((8, 1000), skips=False)
    for left in (2, 3):
        create, promote = (rolled(left, then, 406) for then in moves((2, 0), (0, 0)))
        need((create < promote, promote < create) == (left == 2, left == 3), "22: two d8")
    return "near the end: the inequalities, tables of weight up to 4, and b with 3, 4 and 5 rounds"


def sooner():
    """Theorem 25."""
    faces = (4, 6, 8)

    @cache
    def clear(n, table):
        """Return the greatest probability that no legacy is left within n rounds."""
        if not any(table[1]) or n == 0:
            return Q(not any(table[1]))
        return max(after_fix(n, then) for then in moves(*table))

    def after_fix(n, then):
        return sum(c * clear(n - 1, x) for c, x in rolls(*then, faces))

    every = [table for table in tables(3, 6) if sum(map(bool, table[1])) > 1]
    for n, table in product((1, 2, 3), every):
        ways = [after_fix(n, then) for then in moves(*table)]
        need(ways == sorted(ways), "25: a less robust die is fixed first")
    return f"sooner: {len(every)} tables with legacy of several kinds, up to 3 rounds"


def greatest_score():
    """Theorem 26."""
    for rungs in (1, 2, 3):
        nothing, before = (0,) * rungs, set()
        reached = {((nothing, nothing), 0)}
        for p in range(1, 7):
            reached = {
                (then, score + sum(then[0]) if any(then[0]) else 0)
                for table, score in reached
                for after in moves(*table)
                for _, then in rolls(*after, (2,) * rungs)
            }
            greatest = {}
            for table, score in reached:
                greatest[table] = max(score, greatest.get(table, 0))
            for (up, down), score in greatest.items():
                n = sum(up + down)
                w = sum(i * x for pool in (up, down) for i, x in enumerate(pool, 1))
                bound = sum(min(t, n) for t in range(1, p)) - (p - w) + sum(up)
                need(score == (bound if any(up) else 0), "26: the greatest score")
            need(before <= reached, "26: a round more")
            before = reached
    return "the greatest score: all plays of up to 6 rounds, 1 to 3 rungs"
