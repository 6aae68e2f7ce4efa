"""Steps of the theorems about the reroll game."""

from fractions import Fraction as Q
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise, product

from stepping.step import need

ROLLS = list(combinations_with_replacement(range(1, 7), 3))
STICK = {roll: sum(7 - v if roll.count(v) > 1 else v for v in roll) for roll in ROLLS}
KEPT = {roll: {k for n in range(3) for k in combinations(roll, n)} for roll in ROLLS}


def after_keeping(kept):
    """Return the rolls after a reroll of all but the kept dice, with their probabilities."""
    found = {}
    for more in product(range(1, 7), repeat=3 - len(kept)):
        roll = tuple(sorted(kept + more))
        found[roll] = found.get(roll, 0) + Q(1, 6 ** (3 - len(kept)))
    return found


AGAIN = {kept: after_keeping(kept) for roll in ROLLS for kept in KEPT[roll]}


def again(values):
    """Return the value of each reroll, from the values of rolls."""
    return {k: sum(c * values[x] for x, c in law.items()) - 1 for k, law in AGAIN.items()}


def swept(values):
    """The values after one synchronous sweep."""
    of = again(values)
    return {roll: max([Q(STICK[roll]), *(of[k] for k in KEPT[roll])]) for roll in ROLLS}


def scores_so_far():
    """Theorem 14."""
    need(len(AGAIN) == 28, "14: other holds")
    need(all(sum(law.values()) == 1 for law in AGAIN.values()), "14: chances")
    plain = [dict(STICK)]
    for _ in range(3):
        plain.append(swept(plain[-1]))  # with a sweep more, one may reroll once more

    @cache
    def best(rerolls, roll, score):
        if rerolls == 0:
            return Q(score + STICK[roll])
        return max(score + STICK[roll], *(worth_of(rerolls, k, score) for k in KEPT[roll]))

    @cache
    def worth_of(rerolls, kept, score):
        return sum(c * best(rerolls - 1, x, score - 1) for x, c in AGAIN[kept].items())

    for rerolls, score in product(range(1, 4), (-5, 7, 100)):
        of = again(plain[rerolls - 1])
        for roll in ROLLS:
            need(best(rerolls, roll, score) == score + plain[rerolls][roll], "14: the value")
            apart = {worth_of(rerolls, k, score) - of[k] for k in KEPT[roll]}
            need(apart == {score}, "14: the worth of a hold")
    return "scores so far: 28 laws; all rolls, up to 3 rerolls, three scores"


def solved_exactly(keep):
    """Return the values of the policy that keeps keep[roll], or sticks if that is None."""
    held = sorted({k for k in keep.values() if k is not None})
    rows = []  # the worth of each reroll: w = −1 + Σ chance·(w of what is kept, or the stick)
    for k in held:
        row = [Q(k == other) for other in held] + [Q(-1)]
        for roll, chance in AGAIN[k].items():
            if keep[roll] is None:
                row[-1] += chance * STICK[roll]
            else:
                row[held.index(keep[roll])] -= chance
        rows.append(row)
    for i in range(len(held)):  # Gauss and Jordan
        pivot = next(j for j in range(i, len(held)) if rows[j][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for j in range(len(held)):
            if j != i and rows[j][i]:
                rows[j] = [x - rows[j][i] * y for x, y in zip(rows[j], rows[i], strict=True)]
    worths = dict(zip(held, (row[-1] for row in rows), strict=True))
    return {r: Q(STICK[r]) if k is None else worths[k] for r, k in keep.items()}


def sweeps():
    """Theorem 15."""
    values = dict.fromkeys(ROLLS, Q(0))
    history = [values]
    for _ in range(30):
        history.append(swept(history[-1]))
    of, keep = again(history[-1]), {}
    for roll in ROLLS:
        k = max(KEPT[roll], key=of.__getitem__)
        keep[roll] = k if of[k] > STICK[roll] else None
    exact = solved_exactly(keep)
    need(swept(exact) == exact, "15: Bellman's equation")
    of, losses = again(exact), []
    for roll in ROLLS:
        actions = [Q(STICK[roll]), *(of[k] for k in KEPT[roll])]
        need(actions.count(max(actions)) == 1, "15: optimal actions are not unique")
        losses += [exact[roll] - worth_of_it for worth_of_it in actions]
    gap = min(loss for loss in losses if loss)
    order = [(), (2,), (1,), (2, 2), (1, 1)]
    need({k for k in keep.values() if k is not None} == set(order), "15: other sets are kept")
    matrix = [
        [sum(c for x, c in AGAIN[k].items() if keep[x] == other) for other in order] for k in order
    ]
    rows = ("5/27 7/36 1/3 1/36 1/36", "0 7/18 2/9 1/9 1/36", "0 0 2/3 1/36 1/9")
    rows += ("0 0 0 1/3 0", "0 0 0 0 1/3")
    need(matrix == [[*map(Q, row.split())] for row in rows], "15: the matrix")
    # v with 1 at "a 1": from below upwards.
    v = [Q(0), Q(2, 9) / (Q(2, 3) - Q(7, 18)), Q(1), Q(0), Q(0)]
    v[0] = (Q(7, 36) * v[1] + Q(1, 3)) / (Q(2, 3) - Q(5, 27))
    image = [sum(x * y for x, y in zip(row, v, strict=True)) for row in matrix]
    need(image == [Q(2, 3) * x for x in v] and min(v) >= 0, "15: the vector")
    errors = [{roll: exact[roll] - of_it[roll] for roll in ROLLS} for of_it in history]
    need(min(min(e.values()) for e in errors) >= 0, "15: an error below 0")
    start = next(t for t, e in enumerate(errors) if 2 * max(e.values()) < gap)
    means = [[sum(c * e[x] for x, c in AGAIN[k].items()) for k in order] for e in errors]
    need(start < 30 and means[start][2] > 0, "15: no sweep is near enough")
    for now, then in pairwise(means[start:]):
        step = [sum(x * y for x, y in zip(row, now, strict=True)) for row in matrix]
        need(then == step, "15: a step")
    return f"sweeps: the matrix, and sweeps {start} to 30, from which on errors follow it"
