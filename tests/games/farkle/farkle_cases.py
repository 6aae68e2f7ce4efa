"""Random small games, and the same game for the package and for the oracle."""

from farkle_oracle import SlowTurn, die_chances
from hypothesis import strategies as st

from exactdice.dice import Distribution
from exactdice.games.farkle.chase import TargetPlayer
from exactdice.games.farkle.rules.dice_sets import Die
from exactdice.games.farkle.rules.rule_set import Combination, RuleSet
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.forward import turn_end

weights = st.one_of(
    st.just((1, 1, 1, 1, 1, 1)),
    st.lists(st.integers(0, 3), min_size=6, max_size=6).filter(any).map(tuple),
)
dice = st.lists(st.builds(Die, weights, st.booleans()), min_size=1, max_size=3)

# Small scores, so that ties and the target come often; singles and larger combinations.
combination = st.builds(
    lambda faces, score: Combination(tuple(faces), 50 * score),
    st.one_of(
        st.lists(st.integers(1, 6), min_size=1, max_size=1),
        st.lists(st.integers(1, 3), min_size=2, max_size=3),
    ),
    st.integers(1, 6),
)


@st.composite
def rule_sets(draw, *, penalties=True):
    """Random rules; always with a scoring single, so that few games are hopeless."""
    single = Combination((draw(st.integers(1, 6)),), 50)
    others = draw(st.lists(combination, max_size=4))
    target = 50 * draw(st.integers(1, 7))
    return RuleSet(
        "random", (single, *others), dice=3,
        minimum_bank=50 * draw(st.integers(0, target // 50)) if draw(st.booleans()) else 0,
        hot_dice=draw(st.booleans()), penalty=50 * draw(st.integers(0, 2)) if penalties else 0,
        target=target,
    )  # fmt: skip


def slow(rules, some_dice, overshoot="full", **more):
    return SlowTurn(
        tuple(die_chances(d.weights, d.joker) for d in some_dice),
        tuple((c.faces, c.score) for c in rules.combinations), rules.target, overshoot=overshoot,
        hot_dice=rules.hot_dice, minimum_bank=rules.minimum_bank, penalty=rules.penalty, **more,
    )  # fmt: skip


def places_left(dice_set, state):
    """One choice of places for a number of a set of dice left."""
    wanted = dict(zip(dice_set.kinds, dice_set.left(state), strict=True))
    places = []
    for place, die in enumerate(dice_set.dice):
        if wanted[die]:
            wanted[die] -= 1
            places.append(place)
    return tuple(places)


def every_state(rules, dice_set):
    for points in range(0, rules.target, rules.unit):
        if points % 50 == 0:
            for state in dice_set.proper_states():
                yield points, state


def points_distribution(turn):
    """Distribution of the points of a whole best turn; a bust is worth minus the penalty."""
    law = turn_end(turn).distribution(turn.rules.penalty)
    return Distribution.from_probabilities({points: law[points].lower for points in law})


def turns_to_target(some_dice, turns, rules=KCD):
    return [chance.point for chance in TargetPlayer(some_dice, rules).cdf(turns)]
