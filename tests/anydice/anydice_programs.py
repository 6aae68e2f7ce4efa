"""Random small programs: each part of the language, mostly with the kinds of values it expects."""

import re
from random import Random

NAMES = {"n": ("A", "B", "N"), "s": ("S", "T", "LIST"), "d": ("D", "E", "POOL"), "?": ("U", "V_")}
WORDS = ("mix", "with", "set", "over", "roll")
LIBRARY = {
    "n": ("[absolute %n]", "[%s contains %n]", "[count %s in %s]", "[maximum of %d]",
          "[highest of %n and %n]", "[lowest of %n and %n]"),
    "s": ("[reverse %s]", "[sort %s]"),
    "d": ("[explode %d]", "[highest %n of %d]", "[lowest %n of %d]", "[middle %n of %d]",
          "[highest %n of %d and %d]", "[lowest %n of %d and %d]", "[count %s in %d]",
          "[%d contains %n]", "[absolute %d]", "[highest of %d and %n]", "[reverse %d]",
          "[lowest %n of %d and %d and %d]", "[lowest of %d and %d]", "[sort %d]"),
}  # fmt: skip
VALUES = {
    "n": ("%n %+ %n", "%n %= %n", "%n %= %s", "%s %= %s", "%s %= %n", "#%n", "#%s",
          "#%d", "-%n", "!%n", "-%s", "%n@%s", "%s@%s", "%n@%n", "+%n", "%s %+ %n"),
    "s": ("{}", "{%n}", "{%n, %n}", "{%n..%n}", "{%n..%n:2, %n}", "{%s, %n}",
          "{%s:%n}", "{%d, %n}", "+%s", "{1, %n, 2}"),
    "d": ("d%n", "d%s", "d%d", "%nd%n", "2d%n", "%nd%s", "%dd%n", "%sd%n", "2d%d",
          "%d %+ %n", "%n %+ %d", "%d %+ %d", "%d %= %n", "%s %= %d", "%d %+ %s",
          "%n@%d", "%s@%d", "-%d", "!%d", "+%d", "d{}", "d2", "2d3", "3d2"),
}  # fmt: skip


class Writer:
    """Writes a program; its functions in `shapes`: template and kind of the result."""

    def __init__(self, seed):
        self.random = Random(seed)
        self.shapes, self.names, self.calls = [], [], True

    def kind(self, kind):
        """A kind, or sometimes another one: programs may do so."""
        if kind == "?" or self.random.random() < 0.04:
            return self.random.choice("nsd")
        return kind

    def value(self, kind, depth=2):
        kind, choice = self.kind(kind), self.random.random()
        if depth <= 0 or choice < 0.25:
            kinds = kind + "?" * (self.random.random() < 0.2)
            of_kind = [name for k in kinds for name in NAMES[k] if name in self.names]
            if of_kind and choice < 0.7 * (depth <= 0) + 0.2:
                return self.random.choice(of_kind)
            plain = {"n": "0 1 2 3 -2 12", "s": "{} {1,2} {3,0,1} {2..4} {5}", "d": "d2 d{0,1,1} 2d3"}
            return self.random.choice((plain[kind] + (" d{} 3d2" if kind == "d" else "")).split())
        templates = VALUES[kind]
        if choice < 0.45:
            templates = LIBRARY[kind]
        elif choice < 0.65 and self.shapes and self.calls:
            templates = [t for t, k in self.shapes if k == kind] or templates
        return self.written(self.random.choice(templates), depth - 1)

    def written(self, template, depth):
        def filled(match):
            sign = match[1]
            if sign in "+=":
                signs = {"+": "+ - * / ^ & |", "=": "= != < <= > >="}[sign]
                return self.random.choice(signs.split())
            value = self.value(sign, depth)
            is_bare = value.isdigit() or re.fullmatch(r"[A-Z_]+|\{[^{}]*\}|\[[^][]*\]", value)
            return value if is_bare and self.random.random() < 0.9 else f"({value})"

        return re.sub("%([nsd?+=])", filled, template)

    def assign(self):
        kind = self.random.choice("nsd?")
        name = self.random.choice(NAMES[kind])
        line = f"{name}: {self.value(kind)}"
        self.names.append(name)
        return line

    def block(self, depth, result=None):
        lines = [self.statement(depth, result) for _ in range(self.random.randint(0, 2))]
        if result and self.random.random() < 0.4:
            lines.append(f"result: {self.value(result)}")
        return "{ " + " ".join(lines) + " }"

    def statement(self, depth, result=None):
        choice = self.random.random()
        if depth and choice < 0.25:
            line = f"if {self.value('n')} {self.block(depth - 1, result)}"
            if self.random.random() < 0.5:
                line += f" else if {self.value('n')} {self.block(depth - 1, result)}"
            return line + (f" else {self.block(depth - 1, result)}" if choice < 0.15 else "")
        if depth and choice < 0.4:
            name = self.random.choice(NAMES["n"])
            self.names.append(name)
            return f"loop {name} over {self.value('s')} {self.block(depth - 1, result)}"
        if result is None and choice < 0.5:
            return f"output {self.value('?')}"
        return self.assign()

    def function(self):
        word, kinds = self.random.choice(WORDS), self.random.choices("nsd?", k=self.random.randint(0, 3))
        result, outer = self.random.choice("nsd"), self.names
        names = [self.random.choice(NAMES[kind]) for kind in kinds]
        parameters = (f"{n}{'' if k == '?' else ':' + k}" for n, k in zip(names, kinds))
        shape = f"[{word} {' to '.join('%' + kind for kind in kinds)}]"
        head = f"function: {word} {' to '.join(parameters)} "
        self.names = names + outer
        is_recursive = self.random.random() < 0.3
        if is_recursive:
            self.shapes.append((shape, result))
        body = self.block(2)[1:-1] if 0 else " ".join(self.statement(2, result) for _ in range(self.random.randint(0, 2)))
        if is_recursive and kinds[:1] == ["n"]:
            again = self.written(shape.replace("%n", f"{names[0]} - 1", 1), 0)
            body = f" if {names[0]} > 0 {{ result: {again} {self.random.choice('+-')} d2 }}" + body
        if self.random.random() < 0.9:
            body += f" result: {self.value(result)} "
        self.names = outer
        if not is_recursive:
            self.shapes.append((shape, result))
        return head + "{" + body + "}"

    def program(self):
        lines = []
        if self.random.random() < 0.3:
            lines.append('set "position order" to "lowest first"')
        if self.random.random() < 0.5:
            lines.append(f'set "maximum function depth" to {self.random.randint(1, 4)}')
        if self.random.random() < 0.3:
            lines.append(f'set "explode depth" to {self.random.randint(1, 3)}')
        for _ in range(self.random.randint(0, 3)):
            lines += [self.assign(), self.function()]
        lines += [self.statement(2) for _ in range(self.random.randint(0, 2))]
        for kind in self.random.choices("nsd?", k=self.random.randint(1, 2)):
            lines.append(f"output {self.value(kind, 3)}")
        return "\n".join(lines)
