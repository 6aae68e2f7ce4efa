"""Claims about FateStones, from the FateStones README."""

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from gmpy2 import mpq

from exactdice.arithmetic import text
from exactdice.claims.model import Claim, Content, Finding, Verdict
from exactdice.games.fatestones.beats import pair_table
from exactdice.games.fatestones.best_response import best_response, random_play
from exactdice.games.fatestones.dice_sets import all_dice
from exactdice.games.fatestones.exact import DuelSolution, solve
from exactdice.games.fatestones.rules import Hand, bag, encode_die, without
from exactdice.games.fatestones.sources import README_GAMES, README_RESULTS

__all__ = ["claims"]

_README = "the FateStones README"
_PROVED = Verdict("proved")


def _dice() -> Finding:
    return Finding(_PROVED, {"all": len(list(all_dice())), "of_mean_7/2": len(bag())})


def _ranking() -> Finding:
    table = pair_table(all_dice())
    scores = table.margins.sum(axis=1)
    ranked = sorted((int(score), die) for score, die in zip(scores, table.dice, strict=True))
    places = {"first": [ranked[-2][0], ranked[-1][0]], "last": [ranked[0][0], ranked[1][0]]}
    has_ends = (ranked[0][1], ranked[-1][1]) == ((1,) * 6, (6,) * 6)
    return Finding(Verdict("refuted" if has_ends else "open"), places)


def _first_mixed() -> tuple[Hand, Hand]:
    """Return the first deal, hands in the order of the bag, without a choice that is sure."""
    hands = list(combinations(bag(), 3))
    deals = ((row, column) for row in hands for column in hands if not {*row} & {*column})
    return next(deal for deal in deals if _is_mixed(solve(*deal)))


def _is_mixed(duel: DuelSolution) -> bool:
    """Whether both sides do worse by any single choice than by the best mixture."""
    least = max(min(entries) for entries in duel.payoff)
    most = min(max(entries) for entries in zip(*duel.payoff, strict=True))
    return bool(least < duel.value < most)


def _named(row: Hand, column: Hand) -> str:
    return " ".join(map(encode_die, (*row, *column)))


def _mixed() -> Finding:
    row, column = _first_mixed()
    pairs = [(row, column)]
    pairs += [(without(row, i), without(column, j)) for i in range(3) for j in range(3)]
    games: dict[str, Content] = {}
    for rows, columns in pairs:
        duel = solve(rows, columns)
        games[_named(rows, columns)] = [
            [text(p) for p in duel.row],
            [text(q) for q in duel.column],
            text(duel.value),
        ]
    value = solve(row, column).value
    hands = [[list(die) for die in hand] for hand in (row, column)]
    return Finding(_PROVED, {"games": games, "hands": hands, "value": text(value)})


def _good_play() -> Finding:
    found = best_response()
    return Finding(
        Verdict("refuted" if found.edge > mpq(3, 100) else "open"),
        {
            "deals": found.deals,
            "duel": text(found.duel_value),
            "edge": text(found.edge),
            "scratch": text(found.scratch),
        },
    )


def _rewarded() -> Finding:
    """What each first die of one deal earns against a random player, later choices being random."""
    row, column = bag()[:3], bag()[3:6]
    earned = _against_random(row, column)
    gain = max(earned) - sum(earned, mpq(0)) / len(earned)
    hands = [[list(die) for die in hand] for hand in (row, column)]
    verdict = _PROVED if gain > 0 else Verdict("open")
    return Finding(verdict, {"earned": list(map(text, earned)), "gain": text(gain), "hands": hands})


def _against_random(row: Hand, column: Hand) -> list[mpq]:
    if not row:
        return []
    table = pair_table((*row, *column))
    found = []
    for i in range(len(row)):
        total = mpq(0)
        for j in range(len(column)):
            met = table.comparison(i, len(row) + j)
            later = _against_random(without(row, i), without(column, j))
            total += met.win - met.loss
            total += met.tie * sum(later, mpq(0)) / len(later) if later else 0
        found.append(total / len(column))
    return found


def _player(name: str) -> str:
    return "Random" if name == "random" else f"MCTS({name.partition(':')[2]})"


def _tree_search() -> Finding:
    """Squares of distances from even chances, in standard errors of games that somebody won."""
    printed = {
        " vs ".join(map(_player, players)): list(row) for players, row in README_RESULTS.items()
    }
    squares = {name: mpq((won - lost) ** 2, won + lost) for name, (won, lost, _) in printed.items()}
    winning = [
        name
        for name, (won, lost, _) in printed.items()
        if won > lost and name.endswith(") vs Random")
    ]
    verdict = _PROVED if max(squares.values()) < 4 and not winning else Verdict("refuted")
    told = {name: text(square) for name, square in squares.items()}
    return Finding(verdict, {"printed": printed, "squared_standard_errors": told})


def _random_column() -> Finding:
    one, two, three = random_play().tied
    mean, square = one + two + three, one + 3 * two + 5 * three  # of the ties of a game
    won, lost, ties = README_RESULTS["random", "random"]
    games, scratched = README_GAMES, README_GAMES - won - lost
    off = [
        (ties - games * mean) ** 2 / (games * (square - mean**2)),
        (scratched - games * three) ** 2 / (games * three * (1 - three)),
    ]
    return Finding(
        _PROVED if max(off) < 4 else Verdict("refuted"),
        {
            "games": games,
            "scratched": scratched,
            "squared_standard_errors": list(map(text, off)),
            "tied": ties,
            "ties_of_a_game": list(map(text, (one, two, three))),
        },
    )


_UNEVEN = (  # two hands of two opposite dice each, of theorem 17
    ((1, 1, 3, 5, 5, 6), (1, 2, 2, 4, 6, 6)),
    ((1, 1, 4, 4, 5, 6), (1, 2, 3, 3, 6, 6)),
)


def _opposites() -> Finding:
    opposite = {die: tuple(sorted(7 - face for face in die)) for die in all_dice()}
    own = [die for die, other in opposite.items() if die == other]
    value = solve(*_UNEVEN).value
    found = {"hands": [[list(die) for die in hand] for hand in _UNEVEN], "own": len(own)}
    return Finding(_PROVED, found | {"value": text(value)})


def _classic() -> Finding:
    dice = [(1, 4, 4, 4, 4, 4), (2, 2, 2, 5, 5, 5), (3, 3, 3, 3, 3, 6)]
    means = [text(mpq(sum(die), len(die))) for die in dice]
    verdict = _PROVED if set(means) == {"7/2"} else Verdict("refuted")
    return Finding(verdict, {"dice": list(map(list, dice)), "means": means})


def claims() -> Iterator[Claim]:
    """List the claims about FateStones.

    Examples
    --------
    >>> next(claims()).find().evidence
    {'all': 462, 'of_mean_7/2': 32}
    """
    stated = partial(Claim, source=_README)
    yield stated(
        id="fatestones.dice",
        statement="there are 462 dice with six faces from 1 to 6, and 32 of them have mean 7/2",
        latex=r"\binom{11}{6} = 462",
        domain="nondecreasing tuples of six faces",
        method="all of them listed, and the formula for multisets",
        kind="search",
        find=_dice,
    )
    yield stated(
        id="fatestones.ranking",
        statement="no ranking of all dice puts 111111 last and 666666 first",
        latex="",
        domain="rankings by a score of each die",
        method="a counterexample: wins less losses against all 462 dice",
        kind="search",
        parameters={"by": "wins less losses"},
        find=_ranking,
        note="That ranking has 111111 alone in the last place and 666666 alone in the first. The "
        "README says that no method was found, so its author may have asked for more.",
    )
    yield stated(
        id="fatestones.ranking-criteria",
        statement="no method of ranking all dice that meets the criteria of its author puts 111111 "
        "last and 666666 first",
        latex="",
        domain="methods that were tried, and criteria that are not written down",
        method="what the README says, which names neither methods nor criteria",
        note="Evidence against it: a ranking that has them there, fatestones.ranking.",
    )
    yield Claim(
        id="fatestones.mixed",
        statement="there are deals in which no choice of a first die is optimal for sure",
        latex=r"\max_i \min_j A_{ij} < v < \min_j \max_i A_{ij}",
        source="this package",
        domain="deals of two hands of three dice from the bag of 32, a scratch worth 0",
        method="strategies and value of the game of one such deal and of its nine games after a "
        "tie, each checked by sums",
        kind="matrix-game",
        parameters={"scratch": 0},
        find=_mixed,
        cites=("minimax",),
    )
    yield Claim(
        id="fatestones.good-play",
        source=f"{_README}: tree search does not appreciably win, made precise",
        statement="against random choice no way of playing wins 0.03 more than it loses, which is "
        "three standard errors of 10,000 games, of at most 1/100 each",
        latex=r"\frac{E}{1 - S},\quad E = \frac{90873934003}{2536757637120},\ "
        r"S = \frac{122283851}{26424558720}",
        domain="all 18 123 840 deals; a scratch is dealt anew; the best answer to a random player",
        method="theorem 16, and the best answer in each deal; the chance of a scratch does not "
        "depend on it",
        kind="process",
        parameters={"against": "random"},
        find=_good_play,
        depends_on=("theorem 16",),
        is_long=True,
        note="The best answer wins 0.03599 more than it loses. The tree search of the README won "
        "less than it lost, so it was far from the best.",
    )
    yield stated(
        id="fatestones.rewarded",
        statement="some way of playing wins more against random choice than it loses: to choose at "
        "random but in one deal, and there the best first die",
        latex="",
        domain="deals of two hands of three dice from the bag of 32, random choice after a tie",
        method="what each first die of that deal earns; random choice is even by symmetry, and "
        "when all three rolls tie does not depend on choices",
        kind="matrix-game",
        find=_rewarded,
        note="How much the best way wins more: fatestones.good-play.",
    )
    yield stated(
        id="fatestones.tree-search",
        statement="in the printed table neither tree search wins more games against random choice "
        "than it loses, and in no column do wins and losses differ by two standard errors of even "
        "chances",
        latex="",
        source=f"{_README}: no appreciable win over random choice",
        domain="the README's table of four pairs of players",
        method="squares of distances, in standard errors of the games that somebody won",
        kind="search",
        find=_tree_search,
        note="What that search would do in the long run is not known: its program is not given.",
    )
    yield stated(
        id="fatestones.random-column",
        statement="the <tied> ties and <scratched> games without a winner that the README prints "
        "for two random players are within two standard errors of what random choice gives in "
        "<games> games",
        latex="",
        domain="deals of two hands of three dice from the bag of 32; ties are tied rolls",
        method="exact chances that the first roll, the first two and all three tie",
        kind="search",
        find=_random_column,
    )
    yield stated(
        id="fatestones.classic",
        statement="the dice 144444, 222555 and 333336 have mean 7/2",
        latex="",
        domain="fair dice with six faces",
        method="their means",
        kind="search",
        find=_classic,
    )
    yield Claim(
        id="fatestones.opposites",
        statement="opposites, which have 7 − x for x, reverse who beats whom; exactly 10 dice are "
        "their own; where two hands hold with each die its opposite, random choice is even, but "
        "optimal play need not be: 113556, 122466 against 114456, 123366 is worth −29/1296",
        latex="",
        source="this package",
        domain="dice with six faces from 1 to 6; a scratch worth 0",
        method="theorem 17, and the value of that duel",
        kind="matrix-game",
        parameters={"scratch": 0},
        find=_opposites,
        depends_on=("theorem 17",),
    )
