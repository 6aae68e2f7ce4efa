"""Random small programs: each part of the language, mostly with the kinds of values it expects.

In templates, ``%n %s %d`` is a number, sequence or dice, ``%+`` an operator, ``%=`` a comparison.
"""

import re
from random import Random

NAMES = {"n": "A B N", "s": "S T LIST", "d": "D E POOL", "?": "U V_"}
PLAIN = {"n": "0 1 2 3 -2 12", "s": "{} {1,2} {3,0,1} {2..4}", "d": "d2 d{0,1,1} 2d3 3d2 d{}"}
SIGNS = {"+": "+ - * / ^ & |", "=": "= != < <= > >="}
LIBRARY = {
    "n": "[absolute %n];[%s contains %n];[count %s in %s];[maximum of %d];[highest of %n and %n];"
    "[lowest of %n and %n]",
    "s": "[reverse %s];[sort %s]",
    "d": "[explode %d];[highest %n of %d];[lowest %n of %d];[middle %n of %d];[count %s in %d];"
    "[highest %n of %d and %d];[lowest %n of %d and %d];[%d contains %n];[absolute %d];"
    "[highest of %d and %n];[reverse %d];[lowest %n of %d and %d and %d];[lowest of %d and %d];"
    "[sort %d]",
}
VALUES = {
    "n": "%n %+ %n;%n %= %n;%n %= %s;%s %= %s;%s %= %n;#%n;#%s;#%d;-%n;!%n;-%s;%n@%s;%s@%s;%n@%n;"
    "+%n;%s %+ %n",
    "s": "{};{%n};{%n, %n};{%n..%n};{%n..%n:2, %n};{%s, %n};{%s:%n};{%d, %n};+%s;{1, %n, 2}",
    "d": "d%n;d%s;d%d;%nd%n;2d%n;%nd%s;%dd%n;%sd%n;2d%d;%d %+ %n;%n %+ %d;%d %+ %d;%d %= %n;"
    "%s %= %d;%d %+ %s;%n@%d;%s@%d;-%d;!%d;+%d;d{};d2;2d3;3d2",
}


class Writer:
    """Writes the program of a seed."""

    def __init__(self, seed):
        self.random = Random(seed)  # noqa: S311
        self.calls = {"n": [], "s": [], "d": []}  # of the program's functions, by kind of result
        self.names = []  # that have a value

    def one(self, words, between=None):
        return self.random.choice(words.split(between) if isinstance(words, str) else words)

    def some(self, make, most):
        return " ".join(make() for _ in range(self.random.randint(0, most)))

    def value(self, kind, depth=2):
        choice = self.random.random()
        if kind == "?" or choice > 0.985:  # sometimes another kind: programs may do so
            kind = self.random.choice("nsd")
        if depth <= 0 or choice < 0.2:
            names = (NAMES[kind] + f" {NAMES['?']}" * (self.random.random() < 0.2)).split()
            known = [name for name in names if name in self.names]
            return self.one(known if known and choice < 0.7 else PLAIN[kind])
        if 0.75 < choice < 0.97 and self.calls[kind]:
            return self.written(self.one(self.calls[kind]), depth - 1)
        return self.written(self.one((LIBRARY if choice < 0.4 else VALUES)[kind], ";"), depth - 1)

    def written(self, template, depth):
        def filled(match):
            if match[1] in SIGNS:
                return self.one(SIGNS[match[1]])
            value = self.value(match[1], depth)
            is_bare = re.fullmatch(r"\d+|[A-Z_]+|\{[^{}]*\}|\[[^][]*\]", value)
            return value if is_bare and self.random.random() < 0.9 else f"({value})"

        return re.sub("%([nsd?+=])", filled, template)

    def assign(self):
        kind = self.random.choice("nsd?")
        value, name = self.value(kind), self.one(NAMES[kind])
        self.names.append(name)
        return f"{name}: {value}"

    def block(self, depth, result):
        last = result and self.random.random() < 0.4
        statements = self.some(lambda: self.statement(depth, result), 2)
        return f"{{ {statements} {f'result: {self.value(result)}' if last else ''} }}"

    def statement(self, depth=2, result=""):
        choice = self.random.random()
        if depth and choice < 0.25:
            line = f"if {self.value('n')} {self.block(depth - 1, result)}"
            for word in (f"else if {self.value('n')}", "else") if choice < 0.15 else ():
                line += f" {word} {self.block(depth - 1, result)}"
            return line
        if depth and choice < 0.4:
            over, name = self.value("s"), self.one(NAMES["n"])
            self.names.append(name)
            return f"loop {name} over {over} {self.block(depth - 1, result)}"
        return f"output {self.value('?')}" if not result and choice < 0.5 else self.assign()

    def function(self):
        word, kinds = (
            self.one("mix with set over"),
            self.random.choices("nsd?", k=self.random.randint(0, 3)),
        )
        result, outer = self.random.choice("nsd"), self.names
        names = [self.one(NAMES[kind]) for kind in kinds]
        head = " to ".join(n + f":{k}" * (k != "?") for n, k in zip(names, kinds, strict=True))
        call = f"[{word} {' to '.join('%' + kind for kind in kinds)}]"
        self.names, body = names + outer, ""
        if kinds[:1] == ["n"] and self.random.random() < 0.4:
            again = self.written(call.replace("%n", f"{names[0]} - 1", 1), 0)
            body = f"if {names[0]} > 0 {{ result: {again} {self.random.choice('+-')} d2 }}"
        self.calls[result].append(call)
        body += " " + self.some(lambda: self.statement(2, result), 2)
        body += f" result: {self.value(result)}" if self.random.random() < 0.9 else ""
        self.names = outer
        return f"function: {word} {head} {{ {body} }}"

    def program(self):
        lines = []
        for setting, values in (
            ('"position order"', ['"lowest first"', '"highest first"']),
            ('"maximum function depth"', "1 2 3 4"),
            ('"explode depth"', "1 2 3"),
        ):
            lines += [f"set {setting} to {self.one(values)}"] * (self.random.random() < 0.4)
        for _ in range(self.random.randint(0, 3)):
            lines += [self.assign(), self.function()]
        lines.append(self.some(self.statement, 2))
        return "\n".join([*lines, f"output {self.value('?', 3)}", f"output {self.value('?', 3)}"])
