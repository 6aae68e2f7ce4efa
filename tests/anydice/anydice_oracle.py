"""AnyDice programs by listing every roll: slow, in fractions, and without code of the package.

The statements come from the package's parser. A number is an int, a sequence a tuple, and dice are
`Dice`: the probabilities of one die's faces (none for the die without faces) and their number.
"""

import operator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod


class WrongProgram(Exception):
    """AnyDice refuses the program: kinds of values that do not fit, or a name without a value."""


class TooMuch(Exception):
    """More rolls than this oracle lists."""


@dataclass(frozen=True)
class Dice:
    """Equal dice, and the probability that a call that was too deep took part."""

    faces: dict
    number: int = 1
    cut: Fraction = Fraction(0)

    def rolls(self):
        if len(self.faces) ** self.number > 1500:
            raise TooMuch
        for roll in product(self.faces, repeat=self.number):
            yield roll, prod((self.faces[face] for face in roll), start=Fraction(1))

    def shown(self, outcome):
        return gathered((outcome(roll), weight) for roll, weight in self.rolls())

    @property
    def total(self):
        return self.shown(sum) if self.faces else {}


NOTHING = Dice({}, 0)


def gathered(weighted):
    faces = {}
    for outcome, weight in weighted:
        faces[outcome] = faces.get(outcome, Fraction(0)) + weight
    return dict(sorted(faces.items()))


def either(*chances):
    return 1 - prod((1 - chance for chance in chances), start=Fraction(1))


def cut(*values):
    return either(*(value.cut for value in values if isinstance(value, Dice)))


def die(value):
    if isinstance(value, Dice):
        return value
    if isinstance(value, int):
        value = range(1, value + 1) if value > 0 else range(value, 0) or (0,)
    if len(value) > 1500:
        raise TooMuch
    weighted = ((face, Fraction(1, len(value))) for face in value)
    return Dice(gathered(weighted)) if value else NOTHING


def one(value):
    """Dice as they are, and everything else as a die with one face: its sum."""
    return value if isinstance(value, Dice) else Dice({summed(value): Fraction(1)})


def summed(value, *, whole=False):
    if isinstance(value, Dice) and whole:
        raise WrongProgram("dice where a number must be")
    return sum(value) if isinstance(value, tuple) else value


def power(a, b):
    if b > 30:
        raise TooMuch
    return int(Fraction(a) ** b) if a or b >= 0 else 0


ARITHMETIC = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "^": power,
    "/": lambda a, b: int(Fraction(a, b)) if b else 0,
    "&": lambda a, b: int(bool(a and b)), "|": lambda a, b: int(bool(a or b)),
}  # fmt: skip
COMPARISONS = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def binary(sign, a, b):
    dice = [side for side in (a, b) if isinstance(side, Dice)]
    if not dice and sign in COMPARISONS:
        if isinstance(a, tuple) and isinstance(b, tuple):
            return int(COMPARISONS[sign](a, b))
        pairs = product(*((x if isinstance(x, tuple) else (x,)) for x in (a, b)))
        return sum(COMPARISONS[sign](x, y) for x, y in pairs)
    apply = (ARITHMETIC | COMPARISONS)[sign]
    if not dice:
        return int(apply(summed(a), summed(b)))
    sides = [one(a), one(b)]
    lacking = [not side.faces for side in sides]
    if any(lacking) and (all(lacking) or sign not in "+-|"):
        return replace(NOTHING, cut=cut(a, b))
    one_side, other = ({0: Fraction(1)} if no else s.total for no, s in zip(lacking, sides))
    weighted = [(int(apply(x, y)), one_side[x] * other[y]) for x, y in product(one_side, other)]
    return Dice(gathered(weighted), 1, cut(a, b))


def rolled(number, faces):
    face = die(faces)
    if isinstance(number, Dice):
        if not number.faces or not face.faces:
            return Dice({}, 1, cut(number, face))
        counts, most = number.total, max(map(abs, number.total))
        parts = [(rolled(n, Dice(face.total)), w) for n, w in counts.items()]
        made = gathered((x, w * v) for part, w in parts for x, v in part.total.items())
        return Dice(made, 1, either(number.cut, *[face.cut] * most))
    number = summed(number)
    if number == 1:
        return face
    if not face.faces:
        return replace(NOTHING, cut=face.cut)
    if not number:
        return Dice({0: Fraction(1)})
    if abs(number) > 20:
        raise TooMuch
    sign = 1 if number > 0 else -1
    made = gathered((sign * x, w) for x, w in face.total.items())
    return Dice(made, abs(number), either(*[face.cut] * abs(number)))


def kept(which, number, *pools):
    """The sum of some of the highest, lowest or middle dice of several pools together."""
    if which == "middle" and not pools[0].faces:
        return replace(NOTHING, cut=cut(*pools))
    pools = [pool for pool in pools if pool.faces]
    size = sum(pool.number for pool in pools)
    number = min(max(number, 0), size)
    first = {"highest": size - number, "lowest": 0, "middle": (size - number + 1) // 2}[which]
    weighted = []
    for several in product(*(pool.rolls() for pool in pools)):
        dice = sorted(x for roll, _ in several for x in roll)
        weighted.append((sum(dice[first : first + number]), prod(w for _, w in several)))
    return Dice(gathered(weighted or [(0, Fraction(1))]), 1, cut(*pools))


class Oracle:
    def __init__(self, statements, most=20_000):
        self.variables, self.functions, self.outputs = {}, {}, []
        self.depth, self.left = 0, most
        self.highest_first, self.limit, self.explosions = True, 10, 2
        self.run(statements)

    def run(self, block):
        """Run statements; returns the result in a tuple, or None if there is none."""
        for kind, _, parts in block:
            self.left -= 1
            if self.left < 0:
                raise TooMuch
            result = getattr(self, f"do_{kind}")(*parts)
            if result is not None:
                return result
        return None

    def do_assign(self, name, value):
        self.variables[name] = self.value(value)

    def do_result(self, value):
        return (self.value(value),)

    def do_function(self, words, block):
        self.functions[tuple(w if isinstance(w, str) else "?" for w in words)] = (
            [w for w in words if not isinstance(w, str)], block)  # fmt: skip

    def do_output(self, value, _):
        value = die(v if not isinstance(v := self.value(value), int) else (v,))
        self.outputs.append((value.total, value.cut))

    def do_set(self, key, value):
        value = value if isinstance(value, str) else self.value(value)
        if key == "position order":
            self.highest_first = value == "highest first"
        elif not isinstance(value, int) or value < 1:
            raise WrongProgram(key)
        elif key == "explode depth":
            self.explosions = value
        else:
            self.limit = value

    def do_loop(self, name, over, block):
        over = self.value(over)
        if not isinstance(over, tuple):
            raise WrongProgram("loop over no sequence")
        for self.variables[name] in over:
            result = self.run(block)
            if result is not None:
                return result
        return None

    def do_if(self, branches, otherwise):
        for condition, block in branches:
            value = self.value(condition)
            if not isinstance(value, int):
                raise WrongProgram("condition without a number")
            if value:
                return self.run(block)
        return self.run(otherwise)

    def value(self, node):
        kind, _, parts = node
        if kind in ("number", "name"):
            if kind == "name" and parts[0] not in self.variables:
                raise WrongProgram("name without a value")
            return self.variables[parts[0]] if kind == "name" else parts[0]
        if kind == "call":
            return self.call(parts)
        if kind == "sequence":
            return sum((self.elements(*element) for element in parts), ())
        operands = [self.value(part) for part in parts[1:]]
        if kind == "unary":
            return self.unary(parts[0], *operands)
        apply = {"d": rolled, "@": self.at}.get(parts[0])
        return apply(*operands) if apply else binary(parts[0], *operands)

    def elements(self, first, last, times):
        first = self.value(first)
        if last is not None:
            last = summed(self.value(last), whole=True)
            if last - summed(first, whole=True) > 1500:
                raise TooMuch
            first = tuple(range(summed(first), last + 1))
        elif isinstance(first, Dice):
            first = tuple(first.total)
        times = summed(self.value(times), whole=True) if times is not None else 1
        first = first if isinstance(first, tuple) else (first,)
        if len(first) * times > 1500:
            raise TooMuch
        return first * times

    def unary(self, sign, value):
        if sign in "+d":
            return value if sign == "+" else die(value)
        if sign == "#":
            digits = len(str(abs(value))) if isinstance(value, int) else 0
            return digits or (value.number if isinstance(value, Dice) else len(value))
        if not isinstance(value, Dice):
            return -summed(value) if sign == "-" else int(not summed(value))
        faces, number = (value.faces, value.number) if sign == "-" else (value.total, 1)
        made = gathered((-x if sign == "-" else int(not x), w) for x, w in faces.items())
        return replace(value, faces=made, number=number if faces or sign == "-" else 0)

    def at(self, places, value):
        if isinstance(places, Dice):
            raise WrongProgram("places from dice")
        places = places if isinstance(places, tuple) else (places,)
        if isinstance(value, Dice):
            inside = [p - 1 for p in places if 0 < p <= value.number]
            if not value.faces and (inside or not value.number):
                return replace(NOTHING, cut=value.cut)
            if not inside:
                return Dice({0: Fraction(1)}, 1, value.cut)
            made = value.shown(lambda roll: sum(self.sorted(roll)[p] for p in inside))
            return Dice(made, 1, value.cut)
        if isinstance(value, int):
            digits = [int(digit) * (-1 if value < 0 else 1) for digit in str(abs(value))]
            value = digits if self.highest_first else digits[::-1]
        return sum(value[p - 1] for p in places if 0 < p <= len(value))

    def sorted(self, roll):
        return tuple(sorted(roll, reverse=self.highest_first))

    def library(self, shape):
        """The kinds of parameters of a function of the library, and the function."""
        listed = {
            "absolute ?": ("n", abs),
            "? contains ?": ("sn", lambda s, x: int(x in s)),
            "count ? in ?": ("ss", lambda xs, s: sum(x == y for x in xs for y in s)),
            "maximum of ?": ("d", lambda pool: max(pool.total, default=0)),
            "reverse ?": ("s", lambda s: s[::-1] if s else 0),
            "sort ?": ("s", self.sorted),
            "highest of ? and ?": ("nn", max),
            "lowest of ? and ?": ("nn", min),
            "explode ?": ("d", self.exploded),
        }
        for which in ("highest", "lowest", "middle"):
            for more in range(1 if which == "middle" else 3):
                words = f"{which} ? of ?{' and ?' * more}"
                listed[words] = ("nd" + "d" * more, lambda *of, w=which: kept(w, *of))
        return listed.get(" ".join(shape))

    def exploded(self, pool):
        faces = pool.total
        most = max(faces, default=0)
        made = faces
        for _ in range(self.explosions if faces else 0):
            again = [(most + x, w * faces[most]) for x, w in made.items()]
            made = gathered(again + [(x, w) for x, w in faces.items() if x != most])
        return Dice(made, 1 if faces else pool.number, pool.cut)

    def call(self, parts):
        shape = tuple(part if isinstance(part, str) else "?" for part in parts)
        arguments = [self.value(part) for part in parts if not isinstance(part, str)]
        if self.depth >= self.limit:
            return replace(NOTHING, cut=Fraction(1))
        if shape in self.functions:
            parameters, block = self.functions[shape]
            names, kinds = [p.name for p in parameters], [p.kind for p in parameters]
        else:
            names, block = (), None
            kinds, function = self.library(shape) or self.missing()
        choices, is_expanded = [], False
        for kind, value in zip(kinds, arguments):
            choice, is_one = self.choices(kind, value)
            choices.append(choice)
            is_expanded |= not is_one
        before, results = self.variables, []
        self.variables, self.depth = dict(before), self.depth + 1
        for choice in product(*reversed(choices)):  # the first parameter changes fastest
            values = [value for value, _ in reversed(choice)]
            if block is None:
                results.append((function(*values), prod(w for _, w in choice)))
                continue
            self.variables |= dict(zip(reversed(names), reversed(values)))  # the first of a name
            result = self.run(block) or (NOTHING,)
            results.append((result[0], prod(w for _, w in choice)))
        self.variables, self.depth = before, self.depth - 1
        if not is_expanded:
            return results[0][0]
        chance = cut(*(a for k, a in zip(kinds, arguments) if k in ("n", "s")))
        return self.mixed(results, chance)

    @staticmethod
    def missing():
        raise WrongProgram("no such function")

    def choices(self, kind, value):
        """The values that a parameter takes, with probabilities; and whether it is only one."""
        if kind == "d":
            return [(one(value), 1)], True
        if not kind or isinstance(value, {"n": int, "s": tuple}[kind]):
            return [(value, 1)], True
        if not isinstance(value, Dice):
            return ([((value,), 1)], True) if kind == "s" else ([(sum(value), 1)], False)
        if kind == "n":
            return list(value.total.items()), False
        if value.number == 1 or not value.faces:  # from the lowest face, in each order
            return [((face,), weight) for face, weight in value.faces.items()], False
        return [*self.in_order(value.shown(self.sorted))], False

    def in_order(self, rolls):
        return sorted(rolls.items(), reverse=self.highest_first)

    @staticmethod
    def mixed(results, chance):
        """The mixture of results; those without outcomes take no part in it."""
        parts = [(one(value), weight) for value, weight in results]
        every = sum(weight for _, weight in parts)
        if parts:
            chance = either(chance, sum(part.cut * weight for part, weight in parts) / every)
        left = sum(weight for part, weight in parts if part.faces)
        weighted = [(x, w * v / left) for p, w in parts if p.faces for x, v in p.total.items()]
        return Dice(gathered(weighted), 1 if weighted else 0, chance)
