"""Hidden information: brute force over pure strategies, published values, and certificates."""

import random
import re
import subprocess
import sys
from itertools import combinations, product
from math import prod
from pathlib import Path

import flint
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from model_oracles import go, kuhn, module_at, refuses

from exactdice import models, native
from exactdice.arithmetic import rational
from exactdice.book.liars_dice import liars_dice, match, mia, ranks
from exactdice.dice import Distribution, fair
from exactdice.errors import InputError, TooLargeError
from exactdice.hidden.equilibrium import settled
from exactdice.hidden.game import HiddenGame, expected
from exactdice.hidden.guesses import Program, by_regrets, rounded
from exactdice.hidden.play import StrategyPair
from exactdice.hidden.sequences import RealizationPlan
from exactdice.models import Choice, End, equilibrium, equilibrium_dimension, guarantee, point_mass
from exactdice.run import Run
from exactdice.solve.matrix_games import solve_matrix_game

pytest.importorskip("highspy", reason="extra hidden")
CHECKER = Path(__file__).parents[2] / "proofs" / "equilibrium_check.py"
needs_solvers = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")


def random_game(number):
    """Steps of chance and of both players, each seen by some; payoffs at the end and on the way."""
    chance = random.Random(number)  # noqa: S311
    kinds = [chance.choice([0, 0, 1, 2, 1, 2]) for _ in range(chance.randint(1, 5))]
    widths = [chance.randint(2, 3) if sum(map(bool, kinds)) < 4 else 2 for _ in kinds]
    seen = [{p for p in (1, 2) if p == kind or chance.random() < 1 / 2} for kind in kinds]
    payoffs = {}

    def pay(state):
        if state not in payoffs:
            payoffs[state] = mpq(chance.randint(-6, 6), chance.randint(1, 3))
        return payoffs[state]

    def moves(state):
        if len(state) == len(kinds):
            return End(pay(state))
        kind, width = kinds[len(state)], widths[len(state)]
        after = [(*state, step) for step in range(width)]
        if not kind:
            return models.Chance(pay(state), Distribution({s: i + 1 for i, s in enumerate(after)}))
        return models.Turn(kind, [go(s[-1], s, pay((s, "way"))) for s in after])

    def knows(state):
        player = kinds[len(state)]
        return tuple((i, s) for i, s in enumerate(state) if player in seen[i]), len(state)

    return HiddenGame((), moves, knows)


def met(game):
    sets = [{}, {}]

    def walk(state):
        turn = game.moves(state)
        if isinstance(turn, models.Chance):
            for after in turn.successors:
                walk(after)
        elif isinstance(turn, models.Turn):
            sets[turn.player - 1][game.knows(state)] = [c.action for c in turn.choices]
            for choice in turn.choices:
                for after in choice.successors:
                    walk(after)

    walk(game.initial)
    return sets


def paid(game, strategies, state):
    turn = game.moves(state)
    if isinstance(turn, End):
        return mpq(turn.payoff)
    if isinstance(turn, models.Chance):
        drawn = turn.successors
        rest = sum(drawn.probability(s) * paid(game, strategies, s) for s in drawn)
        return mpq(turn.reward + rest)
    mixed = strategies[turn.player - 1][game.knows(state)]
    total = mpq(0)
    for choice in turn.choices:
        if mixed.get(choice.action, 0):
            (after,) = choice.successors
            rest = choice.reward + paid(game, strategies, after)
            total += mixed[choice.action] * rest
    return total


def pure(sets):
    chosen = product(*([{a: 1} for a in actions] for actions in sets.values()))
    return [dict(zip(sets, actions, strict=True)) for actions in chosen]


def shares(actions, weights):
    return {a: mpq(w, sum(weights)) for a, w in zip(actions, weights, strict=True)}


def even(sets):
    return {known: shares(actions, [1] * len(actions)) for known, actions in sets.items()}


def known_of(side):
    return {(k[0], k[1]): tuple(a) for k, a in zip(side.known, side.actions, strict=True)}


def _strategies(number):
    return max(prod(map(len, sets.values())) for sets in met(random_game(number)))


SMALL = [number for number in range(120) if 1 < _strategies(number) <= 32]


@pytest.mark.parametrize("number", SMALL)
def test_the_value_agrees_with_the_matrix_of_pure_strategies(number):
    game = random_game(number)
    ones, twos = map(pure, met(game))
    matrix = [[paid(game, (one, two), game.initial) for two in twos] for one in ones]
    found = equilibrium(game)
    assert found.value == solve_matrix_game(matrix).value
    strategies = [
        dict.fromkeys(sets, None) | found.strategy(player)
        for player, sets in enumerate(met(game), 1)
    ]
    gains = [paid(game, (_anywhere(strategies[0], game, 0), two), game.initial) for two in twos]
    costs = [paid(game, (one, _anywhere(strategies[1], game, 1)), game.initial) for one in ones]
    assert min(gains) == max(costs) == found.value


def _anywhere(strategy, game, side):
    return {k: strategy[k] or {actions[0]: 1} for k, actions in met(game)[side].items()}


@pytest.mark.parametrize("number", SMALL)
def test_a_guarantee_is_the_least_payoff_against_pure_strategies(number):
    game, chance = random_game(number), random.Random(-number)  # noqa: S311
    ones, twos = map(pure, met(game))
    mixed = []
    for sets in met(game):
        weights = {k: [chance.randint(0, 3) or 1 for _ in a] for k, a in sets.items()}
        mixed.append({k: shares(a, weights[k]) for k, a in sets.items()})
    least = min(paid(game, (mixed[0], two), game.initial) for two in twos)
    most = max(paid(game, (one, mixed[1]), game.initial) for one in ones)
    sure = guarantee(game, 1, mixed[0])
    assert (sure.value, guarantee(game, 2, mixed[1].get).value) == (least, most)
    reply = {k: {a: 1} for k, a in sure.reply.items()}
    assert paid(game, (mixed[0], reply), game.initial) == least
    both = models.value_bounds(game, *mixed)
    assert (both.lower, both.upper) == (least, most)
    assert all(loss >= 0 for p in (1, 2) for _, lost in both.losses(p) for loss in lost.values())


@needs_solvers
@pytest.mark.parametrize("number", SMALL[:10])
def test_regret_matching_encloses_the_value(number):
    form = random_game(number).sequence_form()
    value = equilibrium(form).value
    play = by_regrets(form)
    for rounds in (1, 20, 300):
        near = settled(form, play(rounds), "")
        assert near.lower <= value <= near.upper
    assert near.upper - near.lower < mpq(1, 100)


def rounds_by_dictionaries(form, rounds):
    """Regret matching set by set, as the formulas have it; the mean plans."""
    paid = list(zip(form.rows, form.columns, form.payoffs.tolist(), strict=True))
    sides = form.sides
    regrets = [[0.0] * s.sequences for s in sides]
    forecasts, means = [list(r) for r in regrets], [list(r) for r in regrets]
    chances, plans = [[list(r) for r in regrets] for _ in range(2)]

    def mix(p, weight):
        plans[p][0] = 1
        for place, parent in enumerate(sides[p].parent):
            here = range(*sides[p].first[place : place + 2])
            wanted = [max(regrets[p][k] + forecasts[p][k], 0) for k in here]
            for k, share in zip(here, wanted, strict=True):
                chances[p][k] = share / sum(wanted) if sum(wanted) else 1 / len(here)
                plans[p][k] = plans[p][parent] * chances[p][k]
        means[p] = [m + weight * plan for m, plan in zip(means[p], plans[p], strict=True)]

    mix(0, 0)
    mix(1, 0)
    for done in range(1, rounds + 1):
        for p in (0, 1):
            gains = [0.0] * sides[p].sequences
            for i, j, payoff in paid:
                gains[(i, j)[p]] += (payoff, -payoff)[p] * plans[1 - p][(j, i)[p]]
            for place in reversed(range(len(sides[p].parent))):
                here = range(*sides[p].first[place : place + 2])
                value = sum(chances[p][k] * gains[k] for k in here)
                for k in here:
                    forecasts[p][k] = gains[k] - value
                    regrets[p][k] = max(regrets[p][k] + forecasts[p][k], 0)
                gains[sides[p].parent[place]] += value
            mix(p, done**4)
    return means


@needs_solvers
@pytest.mark.parametrize(
    "game",
    [*map(random_game, SMALL[:10]), liars_dice(1, 1, 3), liars_dice(2, 1, 2), liars_dice(1, 2, 2)],
)
def test_regret_matching_in_cpp_agrees_with_its_formulas(game):
    form = game.sequence_form()
    scale, play = form.largest_scale(), by_regrets(form)
    play(5)
    for plan, mean in zip(play(40), rounds_by_dictionaries(form, 45), strict=True):
        for weight, wanted in zip(plan.weights, mean, strict=True):
            assert abs(weight / int(scale) - wanted / mean[0]) < 1e-9


# thomasahle/snyd, README.md: fractions that he guessed from doubles.
PUBLISHED = {
    (1, 1, 2, False): 0, (1, 1, 3, False): "-1/9", (1, 1, 4, False): "-1/8",
    (1, 1, 5, False): "-3/25", (1, 1, 3, True): "1/3", (1, 1, 4, True): 0, (1, 1, 5, True): 0,
    (2, 1, 2, False): "1/4", (2, 1, 3, False): "1/9", (1, 2, 3, False): "-1/27",
    (2, 1, 3, True): "1/3", (1, 2, 3, True): "-1/27", (1, 2, 4, True): "-1/32",
    (2, 1, 4, True): "1/4",
}  # fmt: skip
LONG = [pytest.param(*known, marks=pytest.mark.long) for known in {
    (1, 1, 6, False): "-1/9", (1, 1, 6, True): "-7/327", (2, 1, 4, False): "345/1696",
    (1, 2, 4, False): "-1/8",
}.items()]  # fmt: skip


@pytest.mark.parametrize(("game", "value"), [*PUBLISHED.items(), *LONG])
def test_values_of_liars_dice_are_the_published_ones(game, value):
    *sizes, wild = game
    found = equilibrium(liars_dice(*sizes, wild=wild))
    assert found.value == mpq(value)


def test_dealt_games_agree_with_the_general_form():
    dealt = liars_dice(2, 1, 2, wild=True)
    quick, general = dealt.sequence_form(), dealt.as_hidden().sequence_form()
    assert repr(quick) == repr(general)
    assert quick.histories == general.histories
    known = [known_of(side) for form in (quick, general) for side in form.sides]
    assert known[:2] == known[2:]
    mixed = even(known[0] | known[1])
    assert guarantee(quick, 2, mixed.get).value == guarantee(general, 2, mixed.get).value


def test_payoffs_of_several_deals_are_summed():
    """Where the second player never moves; the rank of the equations counts each payoff once."""

    def moves(seen):
        first = models.Turn(1, [go(a, (a,)) for a in ("stay", "raise")])
        return models.Showdown(seen) if seen else first

    cards = Distribution.from_faces([(a, b) for a in range(3) for b in range(3) if a != b])
    game = models.DealtGame(
        cards, (), moves, lambda shown, a, b: len(shown[0]) * (1 if a > b else -1)
    )
    pairs = list(zip(game.sequence_form().rows, game.sequence_form().columns, strict=True))
    assert len(set(pairs)) == len(pairs)
    quick, general = equilibrium(game), equilibrium(game.as_hidden())
    assert quick.value == general.value
    assert equilibrium_dimension(quick, 1) == equilibrium_dimension(general, 1)


def bluffing(chance):
    """Kuhn's strategies of the first player that are sure of −1/18: α from 0 to 1/3."""
    third = mpq(1, 3)
    bets = {(1, ""): chance, (2, ""): 0, (3, ""): 3 * chance}
    bets |= {(1, "pb"): 0, (2, "pb"): chance + third, (3, "pb"): 1}
    return {known: {"b": mpq(bet), "p": 1 - mpq(bet)} for known, bet in bets.items()}


def test_kuhn_has_a_line_of_best_strategies_and_one_reply():
    """Kuhn (1950): the first player's are a family with one parameter, the second's is unique."""
    every = models.all_equilibria(equilibrium(kuhn()))
    assert every.value == mpq(-1, 18)
    for chance in (0, mpq(1, 7), mpq(1, 3)):
        assert guarantee(kuhn(), 1, bluffing(mpq(chance))).value == mpq(-1, 18)
    mixed, third = every.strategy(2), mpq(1, 3)
    assert [mixed[k]["b"] for k in ((1, "b"), (1, "p"), (2, "b"), (3, "p"))] == [0, third, third, 1]
    assert (equilibrium_dimension(every, 1), equilibrium_dimension(every, 2)) == (1, 0)
    never = {(2, ""): "b", (1, "pb"): "b", (3, "pb"): "p"}
    for known, mixed in every.strategy(1).items():
        unused = {action for action, chance in mixed.items() if not chance}
        assert unused == set(never.get(known, ""))


@pytest.mark.parametrize("lost", [1, 2, 3])
def test_failed_programs_lose_no_optimal_action(lost, monkeypatch):
    known = equilibrium(kuhn())
    every, plan, calls = models.all_equilibria(known), Program.plan, []

    def plan_but_for_some(program, player):
        calls.append(player)
        return None if len(calls) <= lost else plan(program, player)

    monkeypatch.setattr(Program, "plan", plan_but_for_some)
    again = models.all_equilibria(known)
    assert len(calls) > lost
    for player in (1, 2):
        likely = [
            {known: {a for a, c in mixed.items() if c} for known, mixed in one.items()}
            for one in (every.strategy(player), again.strategy(player))
        ]
        assert likely[0] == likely[1]
    monkeypatch.setattr(Program, "plan", lambda *_: None)
    refuses(TooLargeError, "stay undecided in double", models.all_equilibria, known)


def best_vertices(paid, value):
    """Vertices of the best strategies of a row player: where as many constraints are tight."""
    rows, columns = len(paid), len(paid[0])
    vertices = []
    lines = [[int(i == k) for k in range(rows)] + [0] for i in range(rows)]
    lines += [[paid[i][j] for i in range(rows)] + [value] for j in range(columns)]
    for tight in combinations(lines, rows - 1):
        square = [*tight, [1] * rows + [1]]
        left = flint.fmpq_mat([[fmpq(x) for x in line[:-1]] for line in square])
        if left.det():
            x = left.solve(flint.fmpq_mat([[fmpq(line[-1])] for line in square])).tolist()
            found = [mpq(int(e[0].p), int(e[0].q)) for e in x]
            pays = [sum(p * line[i] for i, p in enumerate(found)) >= line[-1] for line in lines]
            if all(pays) and found not in vertices:
                vertices.append(found)
    return vertices


def fmpq(number):
    exact = rational(number)  # of an Enclosure, too
    return flint.fmpq(int(exact.numerator), int(exact.denominator))


@pytest.mark.parametrize("number", range(30))
def test_optimal_actions_and_dimensions_agree_with_the_vertices(number):
    chance = random.Random(number)  # noqa: S311
    paid = [[chance.randint(0, 2) for _ in range(3)] for _ in range(3)]
    both = models.Both({(i, j): End(paid[i][j]) for i in range(3) for j in range(3)})
    every = models.all_equilibria(equilibrium(HiddenGame(0, lambda s: both, lambda s: ("", ""))))
    turned = [[-paid[i][j] for i in range(3)] for j in range(3)]
    for player, (matrix, value) in enumerate(((paid, every.value), (turned, -every.value)), 1):
        vertices = best_vertices(matrix, value)
        taken = {i for v in vertices for i, weight in enumerate(v) if weight}
        assert {a for a, c in every.strategy(player)[""].items() if c} == taken
        assert {a for a, lost in dict(every.losses(player))[""].items() if not lost} == taken
        apart = [[fmpq(a - b) for a, b in zip(v, vertices[0], strict=True)] for v in vertices]
        assert equilibrium_dimension(every, player) == flint.fmpq_mat(apart).rank()


def test_arguments_of_questions_are_checked():
    half = {known: {"b": "1/2", "p": "1/2"} for known in bluffing(mpq(0))}
    with pytest.raises(InputError, match=r"value: got .* ± .*; expected an exact answer"):
        models.all_equilibria(models.value_bounds(kuhn(), half, lambda _: {"b": 1}))
    near = bluffing(mpq(0)) | {(2, "pb"): {"b": mpq("0.333"), "p": mpq("0.666")}}
    plan = RealizationPlan.of(kuhn().sequence_form().sides[0], near, "0.001")
    assert plan.behaviour(plan.side.known.index((2, "pb"))) == {"b": mpq(1, 3), "p": mpq(2, 3)}
    refuses(InputError, "got a sum of 999/1000", guarantee, kuhn(), 1, near, tolerance="0.0001")
    assert equilibrium(kuhn(), width="1e-9").is_exact


def whole_match(dice, sides):
    """A match as one tree: (dice, who began the round, both cups, all that was said before)."""

    def rolled(left, begins, story):
        if 0 in left:
            return point_mass((left, begins, None, story, ()))
        rolls = product(range(1, sides + 1), repeat=sum(left))
        cups = [(tuple(sorted(r[: left[0]])), tuple(sorted(r[left[0] :]))) for r in rolls]
        return Distribution.from_faces([(left, begins, both, story, ()) for both in cups])

    def moves(state):
        left, begins, cups, story, said = state
        if cups is None:
            return rolled(left, begins, story) if 0 not in left else End(1 if left[0] else -1)
        player = (begins, 3 - begins)[len(said) % 2]
        if said and said[-1] == "liar":
            count, face = said[-2]
            wins = (cups[0] + cups[1]).count(face) >= count
            loser = 3 - player if wins else player
            after = (left[0] - (loser == 1), left[1] - (loser == 2))
            return rolled(after, loser, (*story, cups, said))
        bids = list(product(range(1, sum(left) + 1), range(1, sides + 1)))
        actions = [b for b in bids if not said or b > said[-1]] + (["liar"] if said else [])
        after = [(left, begins, cups, story, (*said, a)) for a in actions]
        return models.Turn(player, [go(s[-1][-1], s) for s in after])

    def knows(state):
        _, begins, cups, story, said = state
        return cups[(begins, 3 - begins)[len(said) % 2] - 1], story, said

    return HiddenGame((dice, 1, None, (), ()), moves, knows)


@pytest.mark.slow
@pytest.mark.parametrize("dice", [(1, 1), (2, 1)])
def test_a_match_round_by_round_is_the_whole_match(dice):
    assert equilibrium(match(*dice, 2)).value == equilibrium(whole_match(dice, 2)).value


def whole_mia(law):
    """All announcements as one tree; what lay under the cups stays in the memory of who looked."""

    def moves(state):
        if len(state) % 3 == 0:
            return law.map(lambda roll: (*state, roll))
        *_, roll, announced = (0, *state) if len(state) % 3 == 2 else (0, state[-1], 0)
        roller = 1 + len(state) // 3 % 2
        if len(state) % 3 == 1:
            last = state[-3] if len(state) > 3 else -1
            actions = range(last + 1, max(law) + 1)
            return models.Turn(roller, [go(a, (*state, a)) for a in actions])
        won = 1 if (roll >= announced) == (roller == 1) else -1
        choices = [go("liar", None, won)]
        if announced < max(law):
            choices.append(go("believe", (*state, "believe")))
        return models.Turn(3 - roller, choices)

    def knows(state):
        mover = len(state) // 3 % 2 if len(state) % 3 == 1 else 1 - len(state) // 3 % 2
        known = (e for at, e in enumerate(state) if at % 3 != 0 or at // 3 % 2 == mover)
        return tuple(known), len(state)

    return HiddenGame((), lambda s: None if s is None else moves(s), knows)


@pytest.mark.parametrize("law", [ranks(2), fair(4).map(lambda face: face - 1)])
def test_mia_turn_by_turn_is_the_whole_game(law):
    assert equilibrium(mia(law)).value == equilibrium(whole_mia(law)).value


def test_the_order_of_mia():
    """Of 36 ways the 14 least announcements have 2 each, the doubles 1, and 21, the most, 2."""
    law = ranks(6)
    assert [law.probability(place) * 36 for place in range(21)] == [2] * 14 + [1] * 6 + [2]


def test_simultaneous_moves_are_a_matrix_game():
    paid = {1: [[3, 0], [0, 2]], 2: [[-1, 4], [1, -2]]}

    def moves(state):
        if not state:
            return fair(2)
        outcomes = {(i, j): End(paid[state][i][j]) for i in (0, 1) for j in (0, 1)}
        return models.Both(outcomes) if state in paid else None

    game = HiddenGame(0, moves, lambda state: (state, ""))
    matrix = [
        [mpq(paid[1][i][j] + paid[2][k][j], 2) for j in (0, 1)] for i in (0, 1) for k in (0, 1)
    ]
    assert equilibrium(game).value == solve_matrix_game(matrix).value
    open_game = HiddenGame(0, moves, lambda state: (state, state))
    values = [solve_matrix_game(paid[side]).value for side in (1, 2)]
    assert equilibrium(open_game).value == sum(values) / 2


@given(st.integers(0, 10**6), st.sampled_from([1, 5, 2**30, 2**52]))
@settings(max_examples=40)
def test_rounded_weights_are_a_plan(number, scale):
    import numpy as np

    form = random_game(number % 400).sequence_form()
    for side in form.sides:
        weights = np.random.default_rng(number).random(side.sequences) - 1 / 4
        plan = rounded(side, weights, scale)
        assert side.is_plan(plan.weights)
        assert plan.scale == scale


def test_large_payoffs_are_summed_and_solved_exactly():
    # Beyond 64 bits: the value of a game scales with its payoffs.
    small = random_game(SMALL[3])
    grown = 10**30

    def moves(state):
        turn = small.moves(state)
        if isinstance(turn, End):
            return End(turn.payoff * grown)
        if isinstance(turn, models.Chance):
            return models.Chance(turn.reward * grown, turn.successors)
        choices = [Choice(c.action, c.reward * grown, c.successors) for c in turn.choices]
        return models.Turn(turn.player, choices)

    large = HiddenGame((), moves, small.knows)
    mixed = list(map(even, met(small)))
    one, two = models.value_bounds(small, *mixed), models.value_bounds(large, *mixed)
    assert (two.lower, two.upper) == (one.lower * grown, one.upper * grown)
    # The value scales with the payoffs, which do not fit into 64 bits.
    paid = {("h", "h"): 2, ("h", "t"): 0, ("t", "h"): 0, ("t", "t"): 1}
    pennies = models.Both({pair: End(payoff * 7**40) for pair, payoff in paid.items()})
    game = HiddenGame("start", lambda s: pennies, lambda s: ("", ""))
    assert equilibrium(game).value == mpq(2, 3) * 7**40
    every = models.all_equilibria(equilibrium(game))
    assert (equilibrium_dimension(every, 1), equilibrium_dimension(every, 2)) == (0, 0)
    # By hand: of −5/2 and 1/3, over 6, it is 15; of nothing it is 1.
    for first, second, denominator, bound in (("-5/2", "1/3", 6, 15), (0, 0, 1, 1)):
        both = models.Both({("a", "x"): End(first), ("a", "y"): End(second)})
        form = HiddenGame(0, lambda s, both=both: both, lambda s: ("", "")).sequence_form()
        assert (form.denominator, form.bound) == (denominator, bound)


def certificate(tmp_path, lines):
    path = tmp_path / "certificate.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    command = [sys.executable, "-I", str(CHECKER), str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_checker_proves_exact_values_and_brackets(tmp_path):
    exact = equilibrium(liars_dice(1, 1, 3))
    answer = certificate(tmp_path, exact.certificate())
    assert (answer.returncode, answer.stdout) == (0, "VERIFIED: the value is -1/9\n")
    wide = models.value_bounds(exact.form, *(even(known_of(side)) for side in exact.form.sides))
    answer = certificate(tmp_path, wide.certificate())
    assert answer.stdout == f"VERIFIED: the value is from {wide.lower} to {wide.upper}\n"
    path = tmp_path / "long.cert"
    path.write_text(f"exactdice equilibrium 1\ndenominator {'1' * 900_000}\n")
    for file, reason in ((path, "or too long"), (Path("/dev/zero"), "expected 'exactdice")):
        command = [sys.executable, "-I", str(CHECKER), str(file)]
        answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
        assert (answer.returncode, answer.stderr) == (1, "")
        assert answer.stdout.startswith("NOT VERIFIED: ")
        assert reason in answer.stdout
        assert len(answer.stdout) < 200


def test_no_changed_certificate_proves_a_false_claim():
    """Whatever one number is changed to, what is still verified holds the value, −1/18."""
    checker = module_at("proofs", "equilibrium_check.py")
    lines, chance = list(equilibrium(kuhn()).certificate()), random.Random(0)  # noqa: S311
    game = {i for i, line in enumerate(lines) if line.startswith(("payoff", "denominator"))}
    refused = 0
    for _ in range(2000):
        at = chance.randrange(len(lines))
        words = lines[at].split()
        place = chance.randrange(len(words))
        if at in game or (words[0] == "set" and place < 4):
            continue  # another game, of another value
        words[place] = str(chance.randint(-3, 8))
        changed = [*lines[:at], " ".join(words), *lines[at + 1 :]]
        try:
            lower, upper = checker.verified(iter(changed))
        except checker.WrongError:
            refused += 1
        else:
            assert lower <= -1 / checker.Fraction(18) <= upper
    assert refused > 100
    for cut in range(len(lines)):
        try:
            lower, upper = checker.verified(iter(lines[:cut]))
        except checker.WrongError:
            continue
        raise AssertionError(f"{cut} lines prove {lower} to {upper}")


def test_wrong_rules_are_rejected_with_the_node():
    shown = fair(2).map(lambda side: models.Paid(side, "over"))
    forgetful = HiddenGame("", lambda s: End(1) if s[1:] else [go(a, s + a) for a in "lr"], len)
    unheard = HiddenGame(0, lambda s: [go("a", 1)], lambda s: [])
    for game, line in (
        (forgetful, "player 1 knows 1 after '[lr]' and after '[lr]', but knew"),
        (HiddenGame(0, lambda s: 1 / 2, str), "^the beginning: got 0.5; expected End, a Distrib"),
        (HiddenGame(0, lambda state: None if state else shown, str),
         r"got Paid\(.* as a state; expected Chance\(0, …\) around Paid"),
        (HiddenGame(0, lambda state: None if state else point_mass(End(1)), str),
         r"got End\(.* as a state; .* End from moves"),
        (HiddenGame(0, lambda s: point_mass(s + 1), str),
         "more than 10000 steps; expected a game that ends"),
        (unheard, r"^the beginning: knows: got \[\], with actions \('a',\)")):  # fmt: skip
        refuses(models.ModelError, line, game.sequence_form)
    rolled = HiddenGame(0, lambda state: None if state else models.Chance(0, shown), str)
    assert equilibrium(rolled).value == mpq(3, 2)
    handled = HiddenGame(0, lambda state: state or point_mass(End(1)), str)
    assert equilibrium(handled).value == 1
    refuses(TooLargeError, "needs more than 10 B after", kuhn().sequence_form, Run(memory=10))


@pytest.mark.parametrize(("changed", "line"), [
    ({(1, ""): {"b": "0.999"}}, "((1, '')): got a sum of 999/1000; expected probabilities that"),
    ({(1, ""): {"x": 1}}, "((1, '')): got 'x'; expected one of 'p', 'b'"),
    ({(1, ""): {"b": 0.5, "p": 0.5}}, "((1, '')), 'p': got 0.5; expected an exact number"),
    ({(9, ""): {"b": 1}}, ": got (9, ''); expected knowledge that is possible in this game"),
    ({(1, ""): None}, "((1, '')): got None; expected probabilities of 'p', 'b'"),
    ({(1, ""): {"b": -1, "p": 2}}, "((1, '')): got probabilities below 0; expected")])  # fmt: skip
def test_wrong_strategies_are_rejected(changed, line):
    message = f"^strategy{re.escape(line)}"
    refuses(InputError, message, guarantee, kuhn(), 1, bluffing(mpq(0)) | changed)


@needs_solvers
def test_a_game_too_large_for_exact_strategies_is_enclosed(monkeypatch):
    """By regret matching alone: −1/9 for one die each of three sides, as published."""
    monkeypatch.setattr("exactdice.hidden.equilibrium._MOST_FOR_LP", 10)
    game = liars_dice(1, 1, 3)
    near = equilibrium(game, width="1e-4")
    assert near.upper - near.lower <= mpq(1, 10**4)
    assert near.lower <= mpq(-1, 9) <= near.upper
    again = settled(near.form, near.plans, near.method)  # plans of several looks are put together
    assert (again.lower, again.upper) == (near.lower, near.upper)
    assert mpq(-1, 9) in near.value
    refuses(TooLargeError, "is too large for exact strategies; use a width", equilibrium, game)
    monkeypatch.setattr("exactdice.hidden.equilibrium._ROUNDS", 20)
    with pytest.raises(TooLargeError, match="no strategies found within the width, the value is"):
        equilibrium(game, width="1e-20")


def test_nodes_are_estimated_and_counted_as_memory(monkeypatch):
    # Kuhn poker has 1 place of chance, 6 deals with 4 places of choice each, and 30 ends.
    heard = []
    assert 40 <= expected(kuhn()) <= 70
    long_game = whole_match((2, 1), 3)
    with pytest.raises(TooLargeError, match="game: needs more than"):
        long_game.sequence_form(Run(memory=10**6, announce=heard.append))
    assert len(heard) == 1
    assert heard[0].startswith("a tree of about")
    monkeypatch.setattr("exactdice.hidden.game._OFTEN", 1)
    wide = HiddenGame(0, lambda state: End(state) if state else fair(1000), str)
    with pytest.raises(TooLargeError, match=r"needs more than 400\.0 KiB after 2 nodes"):
        wide.sequence_form(Run(memory=400 << 10))


class Guest(Run):
    """A person who chooses at random."""

    def __init__(self, chance):
        super().__init__()
        object.__setattr__(self, "chance", chance)

    def say(self, text):
        pass

    def choose(self, prompt, read):
        try:
            return read(str(self.chance.randint(1, 3)))
        except InputError:
            return read("1")


def through(game, strategies, known, state, weight=1, *, met=False):
    """The sums of weights, and of weights times totals, of plays in which player 1 knows this."""
    turn = game.moves(state)
    if isinstance(turn, End):
        return (weight, weight * turn.payoff) if met else (mpq(0), mpq(0))
    if isinstance(turn, models.Chance):
        ways = [(turn.reward, s, p) for s, p in turn.successors.probabilities().items()]
    else:
        at = game.knows(state)
        met |= turn.player == 1 and at == known
        mixed = strategies[turn.player - 1].get(at, {})
        ways = [(c.reward, *c.successors, mixed.get(c.action, 0)) for c in turn.choices]
    reach = total = mpq(0)
    for reward, after, share in ways:
        if share:
            one, paid_there = through(game, strategies, known, after, weight * share, met=met)
            reach, total = reach + one, total + paid_there + one * reward
    return reach, total


@pytest.mark.parametrize("number", SMALL[::2])
def test_choices_in_play_are_rated_as_by_all_pure_replies(number):
    game, chance = random_game(number), random.Random(number)  # noqa: S311
    best = equilibrium(game)
    pair, sets = StrategyPair(game, best), met(game)[0]
    names = {str(known): known for known in sets}
    for seed in range(3):
        steps = pair.play(seed, Guest(chance)).table("decisions").rows
        path = {}
        for _, told, made, regret, _ in (row for row in steps if row[0] == 1):
            known, worths = names[told], {}
            for one in pure(sets):
                if all(one[k] == {a: 1} for k, a in path.items()):
                    reach, total = through(game, (one, pair.mixed[1]), known, game.initial)
                    (action,) = one[known]
                    worths[action] = max(worths.get(action, total / reach), total / reach)
            (action,) = (a for a in worths if str(a) == made)
            assert mpq(str(regret)) == max(worths.values()) - worths[action]
            path[known] = action
    own = pair.play(0, None).table("decisions").cells("regret")
    assert not any(mpq(str(regret)) for regret in own)


@pytest.mark.parametrize("number", SMALL[::3])
def test_the_chain_of_both_strategies_pays_the_value(number):
    game = random_game(number)
    best = equilibrium(game)
    assert models.optimum(StrategyPair(game, best).chain()).value == best.value
