"""Expressions over dice, such as ``4d6 keep highest 3 + 2``.

``exactdice help grammar`` shows the grammar. Each expression has one written form, in words:
``4d6kh3`` becomes ``4d6 keep highest 3``. Every mention of dice is a separate roll. Python
evaluates nothing: the text becomes `exactdice.dice.nodes`.
"""

from typing import Any

from exactdice.dice import nodes, tokens
from exactdice.dice.distribution import Distribution
from exactdice.dice.facts import AboutRoll, Conditional, Total
from exactdice.dice.nodes import COMPARISONS, Counted, Dice, Kept, Node, Number, Several
from exactdice.dice.tokens import ExpressionError, Tokens, TooLargePartError
from exactdice.errors import TooLargeError
from exactdice.run import DEFAULT, Run

MAX_LENGTH = 400  # characters
_DEEPEST = 30  # nested parentheses
_LARGEST = 10**15
_FACES = "the number of faces of a die"


class _Reader(Tokens):
    def __init__(self, text: str, *, of_totals: bool) -> None:
        super().__init__(text)
        self._of_totals, self._depth, self._short = of_totals, 0, ""  # ! or x of the last dice
        self._dice: Dice | Kept | None = None  # the dice right before the next token
        self._places: Any = None  # of the dice before the colon

    def read(self) -> Node:
        node = self._whole()
        if self._tokens:
            raise self._unexpected(tokens.WANTS_OPERATOR)
        return self._plain(0, node)

    # The place is the first argument, so that it is taken before the part is read.
    def _plain(self, place: int, node: Node) -> Node:
        """Raise an error for a list in place of a number."""
        if isinstance(node, Several):
            wanted = "dice to keep from a list, such as (2d6, d8) keep highest"
            raise self._wrong(str(node), wanted, place)
        return node

    def _whole(self) -> Node:
        node, outer = self._choice(), self._places
        if not self._takes(":"):
            return node
        self._places = () if self._short else node.places
        body = self._plain(self._place(), self._choice())
        self._places = outer
        return AboutRoll(node, body)

    def _choice(self) -> Node:
        place = self._place()
        node = self._logic("or")
        if not self._takes("if"):
            return node
        node = self._plain(place, node)
        condition = self._event(self._place(), self._logic("or"))
        self._take("else")
        return Conditional(node, condition, self._plain(self._place(), self._choice()))

    def _logic(self, sign: str) -> Node:
        place = self._place()
        if not sign:
            if not self._takes("not"):
                return self._comparison()
            return nodes.Unary("not ", self._event(self._place(), self._comparison()))
        inner = "and" if sign == "or" else ""
        left = self._logic(inner)
        while self._takes(sign):
            left = self._event(place, left)
            left = nodes.Binary(sign, left, self._event(self._place(), self._logic(inner)))
        return left

    def _event(self, place: int, node: Node) -> Node:
        if not node.is_event:
            raise self._wrong(str(node), "a comparison such as d6 > 2", place)
        return node

    def _comparison(self) -> Node:
        place = self._place()
        left = self._operations(nodes.SUMS)
        if not self._next_is(*COMPARISONS):
            return left
        if isinstance(left, Several) and left.is_apart:
            return self._group(left)
        here, dice, is_behind = self._place(), self._dice, not self._tokens[0].is_apart
        sign, left = self._take(*COMPARISONS), self._plain(place, left)
        is_behind &= bool(self._tokens) and not (self._tokens[0].is_apart or self._next_is("("))
        right = self._plain(self._place(), self._operations(nodes.SUMS))
        bound = right
        while isinstance(bound, nodes.Binary):
            bound = bound.left
        if dice and is_behind and isinstance(getattr(bound, "of", bound), Number):
            self._alike(dice, left, sign, bound, here)
        return nodes.Binary(sign, left, right)

    def _alike(self, dice: Dice | Kept, left: Node, sign: str, bound: Node, place: int) -> None:
        """Reject a comparison right after dice, unless all programs read it alike.

        Roll20 and rpg-dice-roller count the dice that satisfy it, AnyDice compares the total.
        """
        one = left is dice and len(dice.places) == 1 and not dice.explodes and sign not in "<>"
        is_total = self._of_totals and not self._depth
        is_unequal = self._text[place] == "!"
        if (one or is_total) and not is_unequal:
            return
        total = f"{left} {sign} {bound} for the total (AnyDice)"
        single, meant = f"{dice} count {sign} {bound}", "(Roll20, rpg-dice-roller)"
        if is_unequal:
            single = f"{dice} explode on {bound}"
        elif dice.explodes:
            meant = "to count dice with their explosions"
        elif sign in "<>":
            meant = f"(rpg-dice-roller), {dice} count {sign}= {bound} (Roll20)"
        wanted = f"{single} {meant}, or {total}"
        try:
            parsed(single)
        except ExpressionError:
            wanted = f"{total}; comparing single dice (Roll20, rpg-dice-roller) is not supported"
        raise self._wrong(f"{sign}{bound}", wanted, place)

    def _group(self, rolls: Node) -> Node:
        """Read a comparison after braces, which counts the rolls in them that satisfy it."""
        place, sign = self._place(), self._take(*COMPARISONS)
        bound = self._number(0, _LARGEST - 1, "a number to compare with")
        if sign in "<>":
            wanted = f"{rolls} count {sign} {bound} (rpg-dice-roller), "
            wanted += f"or {rolls} count {sign}= {bound} (Roll20)"
            raise self._wrong(f"{sign}{bound}", wanted, place)
        return Counted(rolls, sign, bound)

    def _operations(self, level: int) -> Node:
        place = self._place()
        if level == nodes.SIGNED:
            is_negated = self._takes("-")
            node = self._changed()
            return nodes.Unary("-", self._plain(place, node)) if is_negated else node
        left = self._operations(level + 1)
        signs = [sign for sign, binds in nodes.BINDS.items() if binds == level]
        while self._next_is(*signs):
            sign, left = self._take(*signs), self._plain(place, left)
            right = self._plain(self._place(), self._operations(level + 1))
            left = nodes.Binary(sign, left, right)
        return left

    def _changed(self) -> Node:
        is_closed = self._next_is("(", "[", "adv", "dis")
        node, self._short = self._rolled(), ""
        is_closed &= not isinstance(node, Dice) or node.rolled_by is None
        while self._next_is(*tokens.VERBS) or (isinstance(node, Dice) and self._counts()):
            place, verb = self._place(), self._takes(*tokens.VERBS) or "cs"
            if verb == "cs":
                node = self._each(node, self._short, place)
            elif verb in tokens.AGAIN:
                if not isinstance(node, Dice) or node.rolled_by is not None:
                    wanted = f"equal dice before {verb}, such as 2d6 {verb}"
                    raise self._wrong(f"{node} {verb}", wanted, place)
                node = node.but(changes=(*node.changes, self._again(verb, node, place)))
                if verb in ("!", "x") and self._text[place : place + 2] != "!!":
                    self._short = verb
            elif verb in ("adv", "dis"):
                if not isinstance(node, Dice) or node.number_of_dice != 1:
                    wanted = f"one die before {verb}, such as d20"
                    raise self._wrong(f"{node} {verb}", wanted, place)
                node, is_closed = _twice(node, verb), True
            elif not (number := self._number_of(node, verb)):
                wanted = f"dice before {verb}, such as 4d6 or (2d6, d8)"
                wanted = f"a colon, as in {node}: {verb}" if isinstance(node, Kept) else wanted
                raise self._wrong(f"{node} {verb}", wanted, place)
            else:
                dice, is_count = node, verb == "count"
                node = self._counted(node) if is_count else self._kept(node, verb, number, place)
                if self._short:
                    wanted = f"{node}, for dice with their explosions; "
                    single = f"{verb} for single rolls is not supported"
                    if isinstance(node, Counted):
                        single = f"{_for_each(node)} for single rolls"
                    raise self._wrong(f"{self._short} {verb}", wanted + single, place)
                if isinstance(dice, Dice) and isinstance(node, Counted) and self._takes("again"):
                    node = node.but(again=self._again("again", dice, place))
        self._dice = node if isinstance(node, Dice | Kept) and not is_closed else None
        return node

    def _number_of(self, node: Node, verb: str) -> int | None:
        is_kept = isinstance(node, Kept) and verb in ("keep", "drop") and node.verb != "@"
        return len(node.places) if is_kept else node.number_of_dice

    def _counts(self) -> bool:
        signs = [token.text for token in self._tokens[:3] if not token.is_apart]
        return len(signs) == 3 and signs[0] in (">=", "<=", "=") and signs[2] == "!"

    def _each(self, dice: Node, rolls: str, place: int) -> Node:
        """Read a count of all rolls: cs>=8x>=9, x>=9cs>=8 (Foundry), >=8!>=9 (Roll20)."""
        if isinstance(dice, Dice) and rolls == "x":
            return _for_each(self._counted(dice))
        is_dice = isinstance(dice, Dice) and dice.rolled_by is None
        if is_dice and not self._next_is("{", *COMPARISONS) and not self._next_is_number():
            shown = max(dice.shown(), default=6)  # type: ignore[attr-defined]
            raise self._wrong(
                "'cs'", f"{dice} count {shown} for the highest faces (Foundry)", place
            )
        counted = self._counted(dice) if is_dice else None
        verb = self._takes("x", "!")
        if counted is None or not isinstance(dice, Dice) or not verb:
            raise self._wrong("'cs'", tokens.nearest()["cs"], place)
        return counted.but(again=self._again(verb, dice, place).but(verb="again"))

    def _kept(self, node: Node, verb: str, most: int, place: int) -> Node:
        side = self._take(*(tokens.SIDES if verb == "keep" else tokens.SIDES[:2]))
        number = 1
        if self._next_is_number():
            least, most = (1, most) if verb == "keep" else (0, most - 1)
            number = self._number(least, most, f"the number of dice to {verb}")
        elif verb == "drop" and most == 1:
            raise self._wrong(f"{node} drop", "more than one die to drop from", place)
        return self._middle(Kept(node, verb, side, number), most, place)

    def _middle(self, kept: Kept, most: int, place: int) -> Kept:
        if kept.side == "middle" and (most - kept.number) % 2:
            got = f"{kept.of} keep middle {kept.number}"
            raise self._wrong(got, f"a number that leaves an even rest of {most} dice", place)
        return kept

    def _counted(self, node: Node) -> Counted:
        if self._next_is("{"):
            return Counted(node, "", self._braced())
        sign = self._take(*COMPARISONS) if not self._next_is_number() else "="
        return Counted(node, sign, self._number(0, _LARGEST - 1, "a number to compare with"))

    def _again(self, verb: str, dice: Dice, place: int) -> nodes.Again:
        on: tuple[int, ...] = ()
        is_short = verb in ("!", "x")
        times = 1 if verb == "ro" or (verb == "x" and self._takes("once")) else None
        if verb == "!":
            self._takes("!")  # compounding, which dice here do anyway
        penetrates = verb == "!" and self._takes("p")
        limit = self._limit() if verb in ("x", "reroll") else None
        if limit or (is_short and self._tokens and not self._tokens[0].is_apart):
            if self._next_is_number() or self._next_is(*COMPARISONS):
                on = self._which(dice, verb)
        elif verb in ("reroll", "ro") or self._takes("on"):
            on = self._which(dice, verb)
        if dice.changes and dice.changes[-1].is_endless:
            wanted = "explode as the last change, or with a maximum, such as 2 times"
            raise self._wrong(f"{dice} {verb}", wanted)
        names = {"ro": "reroll", "!": "penetrate" if penetrates else "explode", "x": "explode"}
        again = nodes.Again(names.get(verb, verb), on, times or limit)
        if limit and dice.number_of_dice != 1:
            wanted = f"{dice.but(changes=(*dice.changes, again))} for each die"
            wanted += "; Foundry's limit for all dice together is not supported"
            raise self._wrong(f"{verb} {limit}", wanted, place)
        if again.times is None and self._takes("once"):
            again = again.but(times=1)
        elif self._next_is_number() and again.times is None:
            again = again.but(times=self._times())
            if not self._takes("times"):
                raise self._unexpected("times, or * for a product" if verb == "x" else "times")
        return again

    def _limit(self) -> int | None:
        """Read a maximum in Foundry's notation: x3=6 explodes on 6 at most three times."""
        near = [token.text for token in self._tokens[:2] if not token.is_apart]
        is_limit = len(near) == 2 and near[0].isdigit() and near[1] in COMPARISONS
        return self._times() if is_limit else None

    def _times(self) -> int:
        return self._number(1, 1000, "the maximum number of times")

    def _which(self, dice: Dice, verb: str) -> tuple[int, ...]:
        place = self._place()
        if not self._next_is(*COMPARISONS):
            faces = self._faces()
            if dice.shown() and not dice.explodes and not {*faces} & {*dice.shown()}:
                wanted = f"a face of {dice}" + f", or * {faces[0]} for a product" * (verb == "x")
                raise self._wrong(f"{verb} {faces[0]}", wanted, place)
            return faces
        sign = self._take(*COMPARISONS)
        bound = self._number(0, nodes.MAX_FACES, "a face")
        if sign in "<>" and verb in ("!", "ro"):
            written, nearer = f"{dice}{verb}{sign}=", bound + 1 if sign == ">" else bound - 1
            wanted = f"{written}{bound} (Roll20) or {written}{nearer} (rpg-dice-roller)"
            raise self._wrong(f"{verb}{sign}{bound}", wanted, place)
        if isinstance(dice.faces, Node) or dice.explodes:
            raise self._wrong(f"{sign} {bound}", "a list of faces with commas between them", place)
        on = tuple(face for face in dice.shown() if COMPARISONS[sign](face, bound))
        if not on:
            wanted = f"a comparison that some faces of {dice} satisfy; a blank means the total"
            raise self._wrong(f"{sign} {bound}", wanted, place)
        return on

    def _faces(self, *, may_repeat: bool = False) -> tuple[int, ...]:
        faces: list[int] = []
        while not faces or ((may_repeat or self._has_face_next()) and self._takes(",")):
            place = self._place()
            first = last = self._face()
            if self._takes(".."):
                last = self._face()
            is_repeated = may_repeat and self._takes(":")
            many = self._number(1, nodes.MAX_FACES, "how often") if is_repeated else 1
            if not first <= last < first + nodes.MAX_FACES // many - len(faces):
                wanted = f"faces in ascending order, {nodes.MAX_FACES} at most"
                raise self._wrong(f"{first}..{last}", wanted, place)
            faces += [face for face in range(first, last + 1) for _ in range(many)]
        return tuple(faces)

    def _has_face_next(self) -> bool:
        """Whether another face follows a comma, not the next part of max(d6 reroll 1, 2)."""
        comma, *after = (token.text for token in (*self._tokens[:4], *[tokens.NOTHING] * 3))
        number, behind, *_ = after[after[0] == "-" :]
        is_face = (number.isdigit() or number == "") and behind not in tokens.DICE
        return comma == "," and is_face and not (self._depth and self._tokens[1].is_apart)

    def _face(self) -> int:
        return (-1 if self._takes("-") else 1) * self._number(0, nodes.MAX_FACES, "a face")

    def _braced(self) -> tuple[int, ...]:
        self._take("{")
        faces = self._faces(may_repeat=True)
        self._take("}")
        return faces

    def _rolled(self) -> Node:
        if name := self._takes("max", "min", "abs"):
            place, parts = self._place(), self._list()
            if name == "abs" and len(parts) > 1:
                raise self._wrong(f"{len(parts)} numbers", "one number for abs", place)
            return nodes.Extreme(name, tuple(parts))
        if verb := self._takes("adv", "dis"):
            return _twice(Dice(1, 20), verb)
        if self._next_is("["):
            return self._anydice()
        if self._next_is("{"):
            texts = [token.text for token in self._tokens]
            end = texts.index("}") if "}" in texts else 0
            is_at = texts[end + 1 : end + 2] == ["@"] and "{" not in texts[1:end]
            return self._at(self._braced()) if is_at else self._rolls()
        if self._places is not None:
            total = Total(self._places, len(self._places))
            if self._next_is("count", "keep", "drop", *tokens.SIDES) and not total.places:
                wanted = "total, or only dice before the colon: 4d6, or 4d6!! for explosions"
                raise self._wrong(repr(self._tokens[0].text), wanted)
            if self._takes("total") or self._next_is("count", "keep", "drop"):
                return total
            if self._next_is(*tokens.SIDES):
                return self._kept(total, "keep", total.number_of_dice, self._place())
        if self._next_is("("):
            parts = self._list(plain=False)
            if self._next_is(*tokens.DICE) and len(parts) == 1:
                return Dice(1, self._die(), rolled_by=parts[0])
            return parts[0] if len(parts) == 1 else Several(tuple(parts))
        if self._next_is(*tokens.DICE):
            return Dice(1, self._die())
        place = self._place()
        number = self._number(0, _LARGEST - 1, "dice such as 3d6, a number, or (")
        if self._next_is("@"):
            return self._at((number,))
        if not self._next_is(*tokens.DICE):
            return Number(number)
        if number > nodes.MAX_DICE:
            raise self._wrong(f"{number}d", f"at most {nodes.MAX_DICE} dice", place)
        return Dice(number, self._die())

    def _at(self, places: tuple[int, ...]) -> Node:
        place = self._place()
        self._take("@")
        of = self._changed()
        most, kept = of.number_of_dice or 0, Kept(of, "@", places, len(places))
        if not all(1 <= position <= most for position in places) or len({*places}) < len(places):
            wanted = f"different positions from 1 to {most}" if most else "dice, such as 1@4d6"
            raise self._wrong(str(kept), wanted, place)
        return kept

    def _rolls(self) -> Node:
        place, parts = self._place(), self._list("{", "}")
        if len(parts) == 1 and parts[0].number_of_dice and self._next_is(*COMPARISONS):
            return self._group(parts[0])
        if len(parts) == 1:
            wanted = "(2d6, d8) to keep some dice (Roll20), or no braces for the total (Foundry)"
            raise self._wrong(f"{{{parts[0]}}}", wanted, place)
        return Several(tuple(parts), is_apart=True)

    def _die(self) -> int | tuple[int, ...] | Node:
        word = self._take(*tokens.DICE)
        if word != "d":
            return 100 if word == "d%" else (-1, 0, 1)
        if self._next_is("{"):
            return self._braced()
        if not self._next_is("(", "["):
            return self._number(1, nodes.MAX_FACES, _FACES)
        place, before = self._place(), [token.text for token in self._tokens]
        of = self._anydice() if self._next_is("[") else self._list()[0]
        if {"adv", "dis", *tokens.DICE} & {*before[: len(before) - len(self._tokens)]}:
            return of
        if not isinstance(of, Number) or not 1 <= of.value <= nodes.MAX_FACES:
            wanted = f"{_FACES}, from 1 to {nodes.MAX_FACES}, as one number; or dice such as 3d4"
            raise self._wrong(str(of), wanted, place)
        return of.value

    def _list(self, opening: str = "(", closing: str = ")", *, plain: bool = True) -> list[Node]:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._wrong(f"more than {_DEEPEST} nested parentheses", f"at most {_DEEPEST}")
        self._take(opening)
        parts: list[Node] = []
        while not parts or self._takes(","):
            place = self._place()
            parts.append(self._whole())
            if plain or len(parts) > 1 or self._next_is(","):
                self._plain(place, parts[-1])
        self._take(closing)
        self._depth -= 1
        return parts

    def _anydice(self) -> Node:
        self._take("[")
        place, word = self._place(), self._take(*tokens.SIDES, "count", "explode", "absolute")
        node: Node
        if word in tokens.SIDES[:2] and self._takes("of"):
            parts = [self._comparison()]
            while len(parts) < 2 or self._next_is("and"):
                self._take("and")
                parts.append(self._comparison())
            node = nodes.Extreme("max" if word == "highest" else "min", tuple(parts))
        elif word == "absolute":
            self._takes("of")
            node = nodes.Extreme("abs", (self._plain(self._place(), self._comparison()),))
        elif word == "explode":
            node = Dice(1, self._die(), changes=(nodes.Again("explode", (), 2),))
        else:
            place = self._place()
            counted = self._braced() if word == "count" and self._next_is("{") else None
            number = 0 if counted else self._number(0, _LARGEST - 1, "a number, or {5,6} to count")
            self._take("in" if word == "count" else "of")
            node = self._changed()
            most = node.number_of_dice or 0
            if word == "count" and most:
                node = Counted(node, "" if counted else "=", counted or number)
            elif not 1 <= number <= most:
                wanted = f"a number from 1 to {most}" if most else "dice, such as 4d6"
                raise self._wrong(f"{number} of {node}", wanted, place)
            else:
                node = self._middle(Kept(node, "keep", word, number), most, place)
        self._take("]")
        return node


def _twice(die: Dice, verb: str) -> Node:
    return Kept(die.but(number=2), "keep", "highest" if verb == "adv" else "lowest", 1)


def _for_each(counted: Counted) -> Counted:
    """Count each roll of exploding dice, instead of each die with its explosions."""
    dice: Any = counted.of
    *before, last = dice.changes
    return counted.but(of=dice.but(changes=tuple(before)), again=last.but(verb="again"))


def read_expression(text: str, *, of_totals: bool = False) -> str:
    """Read an expression and return its written form; `of_totals` allows 5d10>=8."""
    written = str(parsed(text, of_totals=of_totals))
    if len(written) > MAX_LENGTH:
        got = f"{len(written)} characters when written out"
        raise ExpressionError(got, f"at most {MAX_LENGTH}")
    return written


def parsed(text: str, *, of_totals: bool = False) -> Node:
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"{len(text)} characters", f"at most {MAX_LENGTH}")
    return _Reader(text, of_totals=of_totals).read()


def law(text: str, run: Run = DEFAULT) -> Distribution[Any]:
    """Return the distribution of an expression.

    Sums of equal dice cost as much as `Distribution.sum_of`, kept dice as `DicePool.keep`, and all
    other operations the product of the numbers of outcomes.
    """
    node = parsed(text)
    try:
        return node.law(run)  # type: ignore[no-any-return]
    except ExpressionError as problem:
        raise problem.within(str(node)) from None
    except TooLargePartError as problem:
        place = max(0, str(node).find(problem.part))
        raise TooLargeError(tokens.pointed(str(problem), str(node), place)) from None
