"""The sets of dice that are worth at least so many points, among all of a block.

A block that can hold no such set is done with by one bound (`exactdice.games.farkle.sets.bounds`).
The sets of any other are enclosed one by one, by intervals in C++. Blocks that together are all
sets of dice thus find the best of millions, each on its own.
"""

from dataclasses import dataclass

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.games.farkle.rules.dice_sets import DiceSet, named_dice
from exactdice.games.farkle.rules.rule_set import RuleSet
from exactdice.games.farkle.sets.best import enclose_points
from exactdice.games.farkle.sets.bounds import Block, block_bound
from exactdice.games.farkle.turn.exact import Overshoot
from exactdice.run import DEFAULT, Run

_MOST_SETS = 200_000


@dataclass(frozen=True)
class SetsAbove:
    """The sets of a block that may be worth so many points, with their enclosures, the best first.

    No set of the block is worth more than `bound`; where that is below the points none was
    enclosed, else all.
    """

    block: Block
    least: mpq
    bound: mpq
    enclosed: int
    found: tuple[tuple[DiceSet, Enclosure], ...]


def named_block(hold: DiceSet | None, without: DiceSet | None, size: int) -> Block:
    """Make the block of the sets of named dice that hold some, and fill up with other kinds.

    Those are neither of the kinds held nor of those that they go without.

    There are 34 kinds, for painter and unlucky have the same weights:

    >>> named_block(None, None, 6).sets
    3262623
    """
    held = hold.dice if hold else ()
    if len(held) > size:
        raise InputError("hold", Unquoted(f"{len(held)} dice"), f"at most {size}, of a set")
    shut = {*held, *(without.dice if without else ())}
    kinds = tuple(die for die in dict.fromkeys(named_dice().values()) if die not in shut)
    free = size - len(held)
    if free and not kinds:
        raise InputError("without", Unquoted("all kinds"), "some that are left")
    return Block(held, free, kinds if free else ())


def sets_above(
    block: Block,
    least: mpq,
    rules: RuleSet,
    overshoot: Overshoot = Overshoot.FULL,
    run: Run = DEFAULT,
) -> SetsAbove:
    """Find the sets of a block that are worth at least so many points.

    Raises TooLargeError if more than two hundred thousand sets would have to be enclosed, and
    MissingExtraError if one has to be and the C++ solvers are not built.

    >>> from exactdice.games.farkle.rules.dice_sets import parse_dice
    >>> from exactdice.games.farkle.rules.tables import KCD
    >>> some = sets_above(named_block(parse_dice("weighted*2"), None, 3), mpq(1000), KCD)
    >>> some.block.sets, [str(dice) for dice, _ in some.found]
    (33, ['weighted*2,favourable'])

    Seconds for the bound, and 2 ms for a set of six dice.
    """
    bound = block_bound(block, rules, overshoot, run)
    if bound < least:
        return SetsAbove(block, least, bound, 0, ())
    if block.sets > _MOST_SETS:
        raise TooLargeError(
            f"hold: {block.sets} sets may be worth {least}, more than {_MOST_SETS} to look at; "
            "hold more dice, or ask for more points"
        )
    reaching = []
    for done, members in enumerate(block.members()):
        run.tell("sets", done, block.sets)
        dice = DiceSet(members)
        worth = enclose_points(dice, rules, overshoot)
        if worth.upper >= least:
            reaching.append((dice, worth))
    reaching.sort(key=lambda pair: (-pair[1].lower, -pair[1].upper))
    return SetsAbove(block, least, bound, block.sets, tuple(reaching))
