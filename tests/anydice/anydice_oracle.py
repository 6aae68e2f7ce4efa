"""AnyDice programs by listing every roll: slow, in fractions, and without code of the package.

The statements come from the package's parser. A number is an int, a sequence a tuple, and dice are
`Dice`: the probabilities of one die's faces (none for the die without faces) and their number.
LookupError is raised for a name without a value and a value of the wrong kind, and OverflowError
for more rolls than are listed.
"""

import operator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod


@dataclass(frozen=True)
class Dice:
    """Equal dice, and the probability that a call that was too deep took part."""

    faces: dict
    number: int = 1
    cut: Fraction = Fraction(0)

    def shown(self, outcome):
        within(len(self.faces) ** self.number)
        rolls = product(self.faces.items(), repeat=self.number)
        return gathered((outcome([x for x, _ in roll]), weight_of(roll)) for roll in rolls)

    @property
    def total(self):
        return self.shown(sum) if self.faces else {}


def within(size):
    if size > 1500:
        raise OverflowError


def weight_of(roll):
    return prod((weight for _, weight in roll), start=Fraction(1))


def gathered(weighted):
    faces = {}
    for outcome, weight in weighted:
        faces[outcome] = faces.get(outcome, 0) + weight
    return dict(sorted(faces.items()))


def either(*chances):
    return 1 - prod((1 - chance for chance in chances), start=Fraction(1))


def cut(*values):
    return either(*(value.cut for value in values if isinstance(value, Dice)))


def nothing(*values):
    return Dice({}, 0, cut(*values))


def die(value):
    if isinstance(value, Dice) or value == ():
        return value or nothing()
    if isinstance(value, int):
        value = range(1, value + 1) if value > 0 else range(value, 0) or (0,)
    within(len(value))
    return Dice(gathered((face, Fraction(1, len(value))) for face in value))


def one(value):
    return value if isinstance(value, Dice) else Dice({whole(value): Fraction(1)})


def several(value):
    return value if isinstance(value, tuple) else (whole(value),)


def whole(value):
    if isinstance(value, Dice):
        raise LookupError("dice where a number must be")  # noqa: TRY004
    return sum(value) if isinstance(value, tuple) else value


def power(a, b):
    within(50 * b)
    return int(Fraction(a) ** b) if a or b >= 0 else 0


COMPARISONS = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
OPERATORS = COMPARISONS | {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "^": power,
    "/": lambda a, b: int(Fraction(a, b)) if b else 0,
    "&": lambda a, b: bool(a and b), "|": lambda a, b: bool(a or b),
}  # fmt: skip


def binary(sign, a, b):
    kinds, apply = {type(a), type(b)}, OPERATORS[sign]
    if Dice not in kinds:
        if sign not in COMPARISONS:
            return int(apply(whole(a), whole(b)))
        pairs = [(a, b)] if kinds == {tuple} else product(several(a), several(b))
        return sum(apply(x, y) for x, y in pairs)
    sides = [one(a).total, one(b).total]
    if sign in "+-|" and any(sides):  # here the die without faces counts as 0
        sides = [side or {0: Fraction(1)} for side in sides]
    pairs = product(*(side.items() for side in sides))
    made = gathered((int(apply(x, y)), v * w) for (x, v), (y, w) in pairs)
    return Dice(made, int(bool(made)), cut(a, b))


def rolled(number, faces):
    face = die(faces)
    if isinstance(number, Dice):
        counts = number.total
        reached = either(number.cut, *[face.cut] * max(map(abs, counts), default=0))
        parts = ((rolled(n, Dice(face.total)).total, w) for n, w in counts.items())
        return Dice(gathered((x, w * v) for p, w in parts for x, v in p.items()), 1, reached)
    number = whole(number)
    if number == 1:
        return face
    if not number or not face.faces:
        return die(0) if face.faces else nothing(face)
    within(100 * abs(number))
    made = gathered((x if number > 0 else -x, w) for x, w in face.total.items())
    return Dice(made, abs(number), either(*[face.cut] * abs(number)))


def kept(which, number, *pools):
    """Return the sum of some of the highest, lowest or middle dice of several pools together."""
    if which == "middle" and not pools[0].faces:
        return nothing(*pools)
    dice = [pool.faces.items() for pool in pools if pool.faces for _ in range(pool.number)]
    left = len(dice) - min(max(number, 0), len(dice))
    first = {"highest": left, "lowest": 0, "middle": (left + 1) // 2}[which]
    last = first + len(dice) - left
    within(prod(map(len, dice)))
    sums = ((sum(x for x, _ in sorted(r)[first:last]), weight_of(r)) for r in product(*dice))
    return Dice(gathered(sums), 1, cut(*pools))


def mixed(parts, chance):
    """Return the mixture of results; those without outcomes take no part in it."""
    left = sum(w for part, w in parts if part.faces)
    if parts:
        every = sum(w for _, w in parts)
        chance = either(chance, sum(part.cut * w for part, w in parts) / every)
    made = gathered((x, w * v / left) for part, w in parts for x, v in part.total.items())
    return Dice(made, int(bool(made)), chance)


class Oracle:
    """A program that was run: `outputs` are probabilities, and the probability of cut calls."""

    def __init__(self, statements):
        self.variables, self.functions, self.outputs = {}, {}, []
        self.depth, self.steps = 0, 0
        self.settings = {"position order": "", "maximum function depth": 10, "explode depth": 2}
        self.run(statements)

    def run(self, block):
        """Run statements; returns the result in a tuple, or None if there is none."""
        for kind, _, parts in block:
            self.steps += 1
            within(self.steps // 10)
            if kind == "function":
                self.functions[shape_of(parts[0])] = parts
            elif kind in ("loop", "if"):
                if (result := getattr(self, f"run_{kind}")(*parts)) is not None:
                    return result
            elif kind == "result":
                return (self.value(parts[0]),)
            elif kind == "output":
                value = self.value(parts[0])
                value = die((value,) if isinstance(value, int) else value)
                self.outputs.append((value.total, value.cut))
            else:
                value = parts[1] if isinstance(parts[1], str) else self.value(parts[1])
                (self.variables if kind == "assign" else self.settings)[parts[0]] = value
        return None

    def run_loop(self, name, over, block):
        for value in self.expected(tuple, over):
            self.variables[name] = value
            if (result := self.run(block)) is not None:
                return result
        return None

    def run_if(self, branches, otherwise):
        chosen = (block for condition, block in branches if self.expected(int, condition))
        return self.run(next(chosen, otherwise))

    def expected(self, kind, node):
        if not isinstance(value := self.value(node), kind):
            raise LookupError(kind)  # noqa: TRY004
        return value

    def value(self, node):
        kind, _, parts = node
        if kind in ("number", "name"):
            return self.variables[parts[0]] if kind == "name" else parts[0]
        if kind == "call":
            return self.call(parts)
        if kind == "sequence":
            return sum((self.elements(*element) for element in parts), ())
        sign, *operands = parts[0], *map(self.value, parts[1:])
        if kind == "unary":
            return self.unary(sign, *operands)
        if sign in "d@":
            return (rolled if sign == "d" else self.at)(*operands)
        return binary(sign, *operands)

    def elements(self, *nodes):
        first, last, times = (None if node is None else self.value(node) for node in nodes)
        if last is not None:
            within(whole(last) - whole(first))
            first = tuple(range(whole(first), whole(last) + 1))
        first = tuple(first.total) if isinstance(first, Dice) else several(first)
        times = 1 if times is None else whole(times)
        within(len(first) * times)
        return first * times

    def unary(self, sign, value):
        is_dice = isinstance(value, Dice)
        if sign in "+d":
            return value if sign == "+" else die(value)
        if sign == "#":
            listed = value if isinstance(value, tuple) or is_dice else str(abs(value))
            return value.number if is_dice else len(listed)
        if sign == "!":
            return binary("=", value if is_dice else whole(value), 0)
        if is_dice:
            return replace(value, faces=gathered((-x, w) for x, w in value.faces.items()))
        return -whole(value)

    def at(self, places, value):
        places = several(places)
        if isinstance(value, Dice):
            inside = [p - 1 for p in places if 0 < p <= value.number]
            if not value.faces and (inside or not value.number):
                return nothing(value)
            of_roll = (lambda roll: sum(self.sorted(roll)[p] for p in inside)) if inside else None
            return Dice(value.shown(of_roll) if inside else {0: Fraction(1)}, 1, value.cut)
        if isinstance(value, int):
            digits = [int(digit) * (-1 if value < 0 else 1) for digit in str(abs(value))]
            value = digits if self.highest_first else digits[::-1]
        return sum(value[p - 1] for p in places if 0 < p <= len(value))

    @property
    def highest_first(self):
        return self.settings["position order"] != "lowest first"

    def sorted(self, roll):
        return tuple(sorted(roll, reverse=self.highest_first))

    def library(self, words):
        """Return the kinds of the parameters of a function of the library, and the function."""
        which, *of = words.split(" ? of ?")
        if of and (which, of[0]) in product(("highest", "lowest"), ("", " and ?", " and ? and ?")):
            return "nd" + "d" * of[0].count("?"), lambda *values: kept(which, *values)
        return {
            "absolute ?": ("n", abs),
            "? contains ?": ("sn", lambda s, x: int(x in s)),
            "count ? in ?": ("ss", lambda xs, s: sum(x == y for x in xs for y in s)),
            "maximum of ?": ("d", lambda pool: max(pool.total, default=0)),
            "reverse ?": ("s", lambda s: s[::-1] if s else 0),
            "sort ?": ("s", self.sorted),
            "highest of ? and ?": ("nn", max),
            "lowest of ? and ?": ("nn", min),
            "middle ? of ?": ("nd", lambda n, pool: kept("middle", n, pool)),
            "explode ?": ("d", self.exploded),
        }[words]

    def exploded(self, pool):
        made = faces = pool.total
        most = max(faces, default=0)
        for _ in range(self.settings["explode depth"] if faces else 0):
            again = [(most + x, w * faces[most]) for x, w in made.items()]
            made = gathered(again + [(x, w) for x, w in faces.items() if x != most])
        return Dice(made, 1 if faces else pool.number, pool.cut)

    def call(self, parts):
        arguments = [self.value(part) for part in parts if not isinstance(part, str)]
        if self.depth >= self.settings["maximum function depth"]:
            return nothing(Dice({}, 0, Fraction(1)))
        words, body = self.functions.get(shape_of(parts)) or (None, None)
        if words is None:
            kinds, body = self.library(" ".join(shape_of(parts)))
        else:
            names = [word.name for word in words if not isinstance(word, str)]
            kinds = [word.kind for word in words if not isinstance(word, str)]
        choices = [self.choices(*pair) for pair in zip(kinds, arguments, strict=True)]
        before, results = self.variables, []
        self.variables, self.depth = dict(before), self.depth + 1
        for choice in product(*(of for of, _ in reversed(choices))):  # the first changes fastest
            values = [value for value, _ in choice]
            if words is None:
                result = body(*reversed(values))
            else:  # the first of two parameters with one name counts
                self.variables |= dict(zip(reversed(names), values, strict=True))
                (result,) = self.run(body) or (nothing(),)
            results.append((result, weight_of(choice)))
        self.variables, self.depth = before, self.depth - 1
        if not any(is_expanded for _, is_expanded in choices):
            return results[0][0]
        chance = cut(*(value for value, of in zip(arguments, choices, strict=True) if of[1]))
        return mixed([(one(value), weight) for value, weight in results], chance)

    def choices(self, kind, value):
        """Return the values that a parameter takes, weighted; and whether the call is expanded."""
        if kind not in ("n", "s") or isinstance(value, {"n": int, "s": tuple}[kind]):
            return [(one(value) if kind == "d" else value, 1)], False
        if not isinstance(value, Dice):
            return [((value,) if kind == "s" else sum(value), 1)], kind == "n"
        if kind == "n" or not value.faces:
            return [*value.total.items()], True
        is_reversed = self.highest_first and value.number > 1  # one die from its lowest face
        return sorted(value.shown(self.sorted).items(), reverse=is_reversed), True


def shape_of(words):
    return tuple(word if isinstance(word, str) else "?" for word in words)
