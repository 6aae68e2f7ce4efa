"""Questions of players against all policies, in fractions, on small random games.

States are 0, 1, … and three ends; play ends from every state with positive probability, so each
policy has one value. The oracle itself follows both views of each state, (state, viewer).
"""

from fractions import Fraction
from functools import partial
from itertools import product
from random import Random
from unittest.mock import patch

import pytest
from gmpy2 import mpq
from model_oracles import fraction, go, refuses, solved

from exactdice.dice import Distribution, fair
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.models import (
    Both,
    Chance,
    Choice,
    End,
    Game,
    ModelError,
    Other,
    Turn,
    best_play,
    expect,
    mistakes,
    optimum,
    point_mass,
    policy_value,
    probability,
    sensitivity,
    simulate,
    stays_best,
    win_draw_loss,
)
from exactdice.solve import play as playing
from exactdice.solve.play import Lookahead, drawn, play, played

# Nodes are (state, 1 if the first player sees it as it is written, else −1).
ENDS = {"win": 1, "draw": 0, "loss": -1}
REWARDS = (-2, -1, 0, 0, 1, 2, Fraction(1, 3))


def draws(count):
    return ((number, Random(number)) for number in range(count))  # noqa: S311


def random_table(draw, players, *, sides=False):
    size = draw.randint(1, 2 if sides else 4)
    table = {end: End(payoff * draw.choice((1, 2))) for end, payoff in ENDS.items()}

    def law():
        weights = {draw.choice(tuple(ENDS)): draw.randint(1, 3)}
        for _ in range(2):
            state = draw.choice((*range(size), *ENDS))
            turned = sides and state not in ENDS and draw.random() < 0.5
            weights[Other(state) if turned else state] = draw.randint(1, 3)
        return Distribution(weights)

    for state in range(size):
        choices = [Choice(a, draw.choice(REWARDS), law()) for a in range(draw.randint(1, 3))]
        kind = draw.choice(("chance", "first", "second")[: players + 1])
        if kind == "chance":
            table[state] = Chance(draw.choice(REWARDS), law())
        else:
            table[state] = choices if kind == "first" else Turn(2, choices)
    return table


def owner(table, node):
    turn = table[node[0]]
    player = 1 if isinstance(turn, list) else turn.player if isinstance(turn, Turn) else 0
    return player if node[1] > 0 or not player else 3 - player


def ways(turn):
    turn = list(turn.choices) if isinstance(turn, Turn) else turn
    return turn if isinstance(turn, list) else [turn]


def following(node, way):
    law = way.successors
    for after, weight in law.items():
        turned = isinstance(after, Other)
        seen = (after.state, -node[1]) if turned else (after, node[1])
        yield seen, Fraction(weight, law.denominator)


class Oracle:
    """Values of nodes for player 1 or 2, by what a move and an end pay."""

    def __init__(self, table, paid, ended, most, fixed=None):
        self.table, self.paid, self.ended, self.most = table, paid, ended, most
        self.fixed = fixed or {}

    def ways(self, node):
        player = owner(self.table, node)
        listed = ways(self.table[node[0]])
        if player in self.fixed:
            return [way for way in listed if way.action == self.fixed[player][node[0]]]
        return listed

    def nodes(self):
        known, left = {(0, 1)}, [(0, 1)]
        while left:
            node = left.pop()
            if self.ended(node) is None:
                for way in ways(self.table[node[0]]):
                    for after, _ in following(node, way):
                        if after not in known:
                            known.add(after)
                            left.append(after)
        return sorted(known, key=repr)

    def chain(self, chosen):
        nodes = list(chosen)
        matrix = [[Fraction(a == b) for b in nodes] for a in nodes]
        right = [self.paid(node, chosen[node]) for node in nodes]
        for row, node in enumerate(nodes):
            for after, share in following(node, chosen[node]):
                ended = self.ended(after)
                if ended is None:
                    matrix[row][nodes.index(after)] -= share
                else:
                    right[row] += share * ended
        values = solved(matrix, right)
        return dict(zip(nodes, values, strict=True))

    def policies(self, player):
        own = [n for n in self.nodes() if self.ended(n) is None and owner(self.table, n) == player]
        for picked in product(*map(self.ways, own)):
            yield dict(zip(own, picked, strict=True))

    def value(self):
        start = (0, 1)
        (by_chance,) = self.policies(0)
        others = list(self.policies(3 - self.most))
        return max(
            min(self.chain(by_chance | mine | other)[start] for other in others)
            for mine in self.policies(self.most)
        )

    def within(self, node, steps, counts):
        """The value with so many steps left, by recursion; every state counts or steps run out."""
        ended = self.ended(node)
        if ended is not None:
            return ended
        if counts(node[0]):
            if not steps:
                return Fraction(0)
            steps -= 1
        values = []
        for way in self.ways(node):
            left = (share * self.within(to, steps, counts) for to, share in following(node, way))
            values.append(self.paid(node, way) + sum(left))
        return max(values) if owner(self.table, node) in (0, self.most) else min(values)


def payoff(table, node, player):
    turn = table[node[0]]
    sign = node[1] * (1 if player == 1 else -1)
    return sign * fraction(turn.payoff) if isinstance(turn, End) else None


def asked(draw, *, steps=False):
    """A random game with a random question, its oracle, and the answer."""
    players = draw.choice((0, 1, 2, 2))
    table = random_table(draw, players, sides=players == 2 and draw.random() < 0.5)
    how = {"player": draw.choice((1, 2)), "least": draw.random() < 0.3}
    player = how["player"]
    deciding = [s for s in table if type(table[s]) in (list, Turn)]
    sides = [one for one in (1, 2) if draw.random() < 0.3]
    fixed = {one: {s: draw.choice(ways(table[s])).action for s in deciding} for one in sides}
    how["policies"] = fixed
    most = 3 - player if how["least"] else player
    if steps:
        how["within"] = draw.randint(0, 4)
        if draw.random() < 0.5 and 0 in table:
            how["counts"] = lambda state: True
    game = Game(0, table.__getitem__)
    kind = draw.choice(("won", "drawn", "lost", "event", "reward", "moves"))
    if kind in ("reward", "moves"):
        of = None if kind == "reward" else (lambda state: 1 if state == 0 else 2)
        answer = expect(game, of, **how)

        def paid(node, way):
            if of is not None:
                return Fraction(of(node[0]))
            return node[1] * (1 if player == 1 else -1) * fraction(way.reward)

        def ended(node):
            amount = payoff(table, node, player)
            return amount if amount is None or of is None else Fraction(0)

        return table, how, Oracle(table, paid, ended, most, fixed), answer
    goal = {0: draw.choice((1, -1)), 1: draw.choice((1, -1)), "draw": 1}
    signs = {"won": 1, "drawn": 0, "lost": -1}

    def event(state):
        seen = (state.state, -1) if isinstance(state, Other) else (state, 1)
        return seen[0] not in (0,) and goal.get(seen[0]) == seen[1]

    def ended(node):
        amount = payoff(table, node, player)
        if kind == "event":
            if event(Other(node[0]) if node[1] < 0 else node[0]):
                return Fraction(1)
            return None if amount is None else Fraction(0)
        return None if amount is None else Fraction((amount > 0) - (amount < 0) == signs[kind])

    answer = probability(game, event if kind == "event" else kind, **how)
    return table, how, Oracle(table, lambda node, way: Fraction(0), ended, most, fixed), answer


@pytest.mark.parametrize(
    "numbers", [range(250), pytest.param(range(250, 20_000), marks=pytest.mark.long)], ids=len
)
def test_chances_and_totals_are_those_of_the_best_of_all_policies(numbers):
    for number in numbers:
        draw = Random(number)  # noqa: S311
        _, _, oracle, answer = asked(draw)
        assert answer.value == mpq(str(oracle.value())), number
        answer.certificate().check(answer.model.game)


def test_bounded_questions_agree_with_recursion_over_steps():
    for number, draw in draws(250):
        _, how, oracle, answer = asked(draw, steps=True)
        counts = how.get("counts", lambda state: True)
        assert answer.value == mpq(str(oracle.within((0, 1), how["within"], counts))), number
        answer.certificate().check(answer.model.game)


def test_bounded_questions_by_hand():
    # Two throws a turn, 6 wins: by hand, 1 − (5/6)⁴ within two turns.
    def throw(s):
        return None if s == "six" else fair(6).map(lambda f: "six" if f == 6 else (1 - s[0], f))

    within = probability(
        Game((0, 0), throw), lambda s: s == "six", within=2, counts=lambda s: s[0] == 0
    )
    assert within.value == 1 - mpq(5, 6) ** 4
    # A long sure way and a short gamble: by hand, gamble with 1 step left, be sure with 3.
    table = {
        "start": [go("sure", "half"), Choice("gamble", 0, Distribution({"there": 1, "lost": 2}))],
        "half": point_mass("there"), "there": End(1), "lost": End(-1)}  # fmt: skip
    best = probability(Game("start", table.__getitem__), "won", within=3)
    assert best.value == 1
    assert best.action(("start", 3)) == "sure"
    soon = probability(Game("start", table.__getitem__), "won", within=1)
    assert soon.value == mpq(1, 3)
    assert soon.action(("start", 1)) == "gamble"


def test_mistakes_are_losses_of_one_action_against_the_best():
    """Oracle: with all other actions best, by trying the one policy that differs in one state."""
    for _, draw in draws(100):
        table = random_table(draw, 1)
        best = expect(Game(0, table.__getitem__))
        own = {s: draw.choice(ways(table[s])).action for s in table if isinstance(table[s], list)}
        listed = mistakes(best, own)
        for state, action in own.items():
            if state in best.model.index:
                way = next(w for w in ways(table[state]) if w.action == action)
                to = [(fraction(best.value_of(s)), p) for (s, _), p in following((state, 1), way)]
                returned = fraction(way.reward) + sum(value * share for value, share in to)
                lost = fraction(best.value_of(state)) - returned
                assert (lost != 0) == (state in listed)
                assert not lost or listed[state].point == mpq(str(lost))
        amounts = [loss.upper for loss in listed.values()]
        assert amounts == sorted(amounts, reverse=True)


def test_mistakes_by_bounds_are_those_that_they_prove():
    """By hand: points until play ends, with 3/4 each time, are 4/3 on average."""
    tosses = {s: Chance(1, Distribution({s: 1, "end": 3})) for s in ("x", "y")}
    start = [go(s, s) for s in tosses] + [go("worse", "end")]
    game = Game("start", {"start": start, **tosses, "end": None}.get)
    best = expect(game, width="1/100")
    assert not best.is_exact
    assert best.regret("start")["y"].upper > 0  # open by the bounds, and 0
    for tied in tosses:
        assert mistakes(best, {"start": tied}) == {}
    (lost,) = mistakes(best, {"start": "worse"}).values()
    assert mpq(4, 3) in lost
    (lost,) = mistakes(best, {"start": {"x": mpq(3, 4), "worse": mpq(1, 4)}}).values()
    assert mpq(1, 3) in lost


def test_the_chance_of_an_event_under_optimal_play_is_by_the_policy_of_the_answer():
    """By hand: to gamble wins, draws or loses with 1/3 each, to give up loses for sure."""
    gamble = Choice("gamble", 0, fair(3).map(lambda face: face - 2))
    table = {"start": [go("give up", -1), gamble]}
    game = Game("start", lambda state: table.get(state) or End(state))
    best = optimum(game)
    assert probability(game, "lost").value == 1  # for a player who wants to lose
    for event in ("won", "drawn", "lost"):
        assert probability(game, event, policies={1: best, 2: best}).value == mpq(1, 3)
    under = win_draw_loss(game, best)
    assert [under.win.point, under.draw.point, under.loss.point] == [mpq(1, 3)] * 3
    assert probability(game, "drawn").question.endswith("chance of a draw")
    assert probability(game, "won").question.endswith("chance that player 1 has won")


def test_best_play_leaves_the_policies_that_are_best_and_no_other():
    """Oracle: of all policies with the greatest chance to win, the fewest expected moves.

    Play counts as over where a win is out of reach, by the chances of the best of all policies.
    """
    for number, draw in draws(150):
        table = random_table(draw, 1)
        game = Game(0, table.__getitem__)
        fast = expect(best_play(probability(game, "won")), lambda state: 1, least=True)

        def won(node, table=table):
            amount = payoff(table, node, 1)
            return None if amount is None else Fraction(amount > 0)

        chances = Oracle(table, lambda node, way: Fraction(0), won, 1)
        (by_chance,) = chances.policies(0)
        tried = [(own, chances.chain(by_chance | own)) for own in chances.policies(1)]
        hopeless = {node for node in tried[0][1] if not any(values[node] for _, values in tried)}

        def over(node, table=table, hopeless=hopeless):
            is_over = payoff(table, node, 1) is not None or node in hopeless
            return Fraction(0) if is_over else None

        lengths = Oracle(table, lambda node, way: Fraction(1), over, 1)
        if over((0, 1)) is not None:
            assert fast.value == 0
            continue
        most = max(values[0, 1] for _, values in tried)
        open_nodes = [node for node in tried[0][1] if node not in hopeless]
        expected = min(
            lengths.chain({node: (by_chance | own)[node] for node in open_nodes})[0, 1]
            for own, values in tried
            if values[0, 1] == most
        )
        assert fast.value == mpq(str(expected)), number


def family(draw, players, *, sides):
    table = random_table(draw, players, sides=sides)

    def with_chance(law, x):
        states = list(law)
        chances = {state: share / 2 for state, share in law.probabilities().items()}
        chances[states[0]] += x / 2
        chances[states[-1]] += (1 - x) / 2
        return Distribution.from_probabilities(chances)

    def game(x):
        def moves(state):
            turn = table[state]
            if isinstance(turn, End):
                return End(mpq(turn.payoff) * (1 + x))
            if isinstance(turn, Chance):
                return Chance(mpq(turn.reward) * x, with_chance(turn.successors, x))
            new = [
                Choice(way.action, mpq(way.reward) * x, with_chance(way.successors, x))
                for way in ways(turn)
            ]
            return Turn(2, new) if isinstance(turn, Turn) else new

        return Game(0, moves)

    return game


def test_derivatives_are_limits_of_difference_quotients_from_either_side():
    close = mpq(1, 10**12)
    for number, draw in draws(60):
        players = draw.choice((0, 1, 2))
        games = family(draw, players, sides=players == 2 and draw.random() < 0.5)
        x = draw.choice((mpq(1, 3), mpq(1, 2), mpq(5, 7)))
        how = {"least": draw.random() < 0.3, "player": draw.choice((1, 2))}
        if players and draw.random() < 0.3:
            how["policies"] = {draw.choice((1, 2)): lambda state: 0}
        asked_for = (
            optimum, lambda game, how=how: expect(game, **how),
            lambda game, how=how: expect(game, lambda state: 1, **how),
            lambda game, how=how: probability(game, "won", **how))  # fmt: skip
        question = draw.choice(asked_for)
        slope = sensitivity(games, x, ask=question, step=draw.choice(("1/1000", "-1/8")))
        value = question(games(x)).value
        assert slope.value == value
        right = (question(games(x + close)).value - value) / close
        left = (value - question(games(x - close)).value) / close
        assert abs(slope.right - right) < mpq(1, 10**6), number
        assert abs(slope.left - left) < mpq(1, 10**6), number


def test_derivatives_at_ties_and_ends():
    # The greater of x and 1 − x, at one half: by hand −1 and 1.
    game = lambda x: Game(  # noqa: E731
        0, lambda n: End(0) if n else [go("x", 1, x), go("y", 1, 1 - x)]
    )
    slope = sensitivity(game, "1/2")
    assert (slope.value, slope.left, slope.right) == (mpq(1, 2), -1, 1)
    # by hand: the derivatives of x³ and of the probability that three loaded coins show one head
    coins = lambda x: Distribution.from_probabilities({1: x, 0: 1 - x}).sum_of(3)  # noqa: E731
    ends = lambda x: Game(-1, lambda n: coins(x) if n < 0 else End(int(n == 1)))  # noqa: E731
    assert sensitivity(lambda x: Game(0, lambda n: End(x**3)), "1/2").left == mpq(3, 4)
    assert sensitivity(ends, "1/4").right == 3 * (mpq(9, 16) - mpq(1, 2) * mpq(3, 4))

    # The smaller of x and 1 − x at one half: by hand 1 and −1; and at an end of what can be.
    def game(x):
        ways = [go("x", 1, x), go("y", 1, 1 - x)]
        return Game(0, lambda n: None if n else ways)

    def toss(x):
        assert x <= 1  # nothing else is asked for
        law = Distribution.from_probabilities({"won": x / 2, "lost": 1 - x / 2})
        return Game(0, lambda n: law if n == 0 else End(int(n == "won")))

    slope = sensitivity(game, "1/2", ask=lambda g: expect(g, least=True))
    assert (slope.value, slope.left, slope.right) == (mpq(1, 2), 1, -1)
    for ask in (optimum, lambda g: probability(g, "won")):
        slope = sensitivity(toss, 1, ask=ask, step="-1/4")
        assert (slope.value, slope.left, slope.right) == (mpq(1, 2),) * 3
    nothing = point_mass("end")
    for at_half, beside in (
        (None, lambda x: End(x - mpq(1, 2))),
        (nothing, lambda x: Chance(x - mpq(1, 2), nothing)),
    ):  # what pays nothing may be written without
        rules = lambda x, s: None if s else at_half if x == mpq(1, 2) else beside(x)  # noqa: B023, E731
        slope = sensitivity(lambda x, rules=rules: Game(0, partial(rules, x)), "1/2")
        assert (slope.value, slope.left, slope.right) == (0, 1, 1)

    def fewer(x):
        ways = [go(n, "end", n) for n in (1, 0)]
        return Game(0, lambda s: None if s else ways if x == mpq(1, 2) else ways[:1])

    with pytest.raises(ModelError, match="family: got other actions; expected the same actions"):
        sensitivity(fewer, "1/2")
    with pytest.raises(InputError, match=r"^step: got 0; expected a number other than 0$"):
        sensitivity(game, "1/2", step=0)


PENNIES = Game(
    "show",
    lambda state: Both({(a, b): End(2 if a == b == "h" else 1 if a == b else -1)
                        for a in "ht" for b in "ht"}),
)  # fmt: skip


def test_given_strategies_at_simultaneous_moves():
    """By hand: against h with chance p the second shows h for 3p − 1, or t for 1 − 2p."""
    for p in (mpq(0), mpq(1, 3), mpq(2, 5), mpq(1, 2), mpq(1)):
        mine = {"show": Distribution.from_probabilities({"h": p, "t": 1 - p})}
        assert expect(PENNIES, policies={1: mine}).value == min(3 * p - 1, 1 - 2 * p)
        chances = {"show": {"h": p, "t": 1 - p}}
        assert expect(PENNIES, policies={1: chances}).value == min(3 * p - 1, 1 - 2 * p)
        assert expect(PENNIES, policies={2: mine}).value == max(3 * p - 1, 1 - 2 * p)
        assert expect(PENNIES, policies={2: mine}, player=2).value == min(1 - 3 * p, 2 * p - 1)
    assert expect(PENNIES, policies={1: {"show": "h"}, 2: {"show": "t"}}).value == -1
    best = optimum(PENNIES)
    assert best.value == mpq(1, 5)  # by hand: 3p − 1 = 1 − 2p
    for known in ({1: best}, {2: best}, {1: best, 2: best}):
        assert expect(PENNIES, policies=known).value == mpq(1, 5)


def test_simulated_plays_come_near_the_exact_value():
    """Within six standard errors of the sample, of which one in 500 million fails by chance."""
    for number, draw in draws(30):
        _, _, _, answer = asked(draw, steps=number % 2 == 1)
        sample = simulate(answer, 400, seed=number, means=True)
        assert sample.exact.point == answer.value
        if sample.variance:
            assert abs(sample.mean - answer.value) <= 6 * mpq(sample.error.decimal(9))
    sample = simulate(optimum(PENNIES), 400)
    assert abs(sample.mean - mpq(1, 5)) <= 6 * mpq(sample.error.decimal(9))
    assert sample.report().quantities[0].value == 400
    # Of results 0 and 1 with mean m, the squared distances from m sum to n m (1 - m).
    toss = Game(2, lambda n: fair(2).map(lambda f: f - 1) if n > 1 else End(n))
    coin = simulate(optimum(toss), 9)
    assert 0 < coin.mean < 1
    assert coin.variance == 9 * coin.mean * (1 - coin.mean) / 8
    game = Game(0, lambda n: End(n) if n else [go(a, a) for a in (1, 2)])
    with pytest.raises(InputError, match=r"^best: got .*; expected the answer to expect with"):
        simulate(policy_value(game, {0: 2}))


@pytest.mark.parametrize(("ask", "message"), [
    (lambda g: probability(g, "one"), "event: got 'one'; expected won, drawn, lost, a comparison"),
    (lambda g: probability(g, 5), "event: got 5; expected won, drawn, lost, a comparison"),
    (lambda g: probability(5, "won"), "(game|model): got 5; expected a Model or a Game"),
    (lambda g: probability(5, "won", player=2), "game: got 5; expected a Model or a Game"),
    (lambda g: expect(g, 5), "of: got 5; expected a function of a state"),
    (lambda g: expect(g, player=3), "player: got 3; expected 1 or 2"),
    (lambda g: expect(g, policies={3: {}}), "policies: got {3: {}}; expected a mapping"),
    (lambda g: expect(g, policies=5), "policies: got 5; expected a mapping from players"),
    (lambda g: expect(g, within=-1), "within: got -1; expected a whole number of at least"),
    (lambda g: expect(g, counts=lambda s: True), "counts applies only with within"),
    (lambda g: expect(g, width=0), "width: got 0; expected a number above 0"),
    (lambda g: best_play(optimum(g, width="1/9")), "best: got bounds, or strategies"),
    (lambda g: simulate(optimum(g), 1), "plays: got 1; expected a whole number of at least"),
    (lambda g: sensitivity(lambda x: g, "a"), "at: got 'a'; expected a number such as"),
    (lambda g: sensitivity(g, "1/2"), "family: got Game.*; expected a function of a number"),
    (lambda g: stays_best(lambda x: g, "1/2", within=5), "within: got 5; expected a pair"),
    (lambda g: mistakes(5, {}), "best: got 5; expected the answer to a question"),
    (lambda g: simulate(g), "best: got Game.*; expected the answer to a question"),
    (lambda g: best_play(5), "best: got 5; expected the answer to a question"),
    (lambda g: g.explored(5), "run: got 5; expected a Run")])  # fmt: skip
def test_invalid_arguments_are_rejected_by_name(ask, message):
    game = Game(0, lambda n: End(1) if n else [go("go", 1, 1)])
    refuses(InputError, f"^{message}", ask, game)


def test_a_policy_without_the_action_is_refused_with_the_state():
    game = Game(0, lambda n: End(1) if n else [go("go", 1, 1)])
    with pytest.raises(ValueError, match=r"policy\(0\): got 'no'; expected 'go', the only choice"):
        expect(game, policies={1: {0: "no"}})
    with pytest.raises(ValueError, match="policy: got none for 0; expected an action for"):
        expect(game, policies={1: {}})
    with pytest.raises(ValueError, match=r"probability of 'go': got 1\.0; expected an exact"):
        expect(game, policies={1: {0: {"go": 1.0}}})


def test_a_turn_of_pig_is_held_at_18_while_a_one_comes_up_with_2_to_4_in_22_and_21():
    """By hand: rolling with t brings 4(1 − p) and loses pt, so t = 17 rolls and 18 holds."""

    def loaded(one):
        faces = dict.fromkeys(range(2, 7), (1 - one) / 5)
        die = Distribution.from_probabilities({1: one} | faces)

        def moves(total):
            if total == "over":
                return End(0)
            roll = Choice("roll", 0, die.map(lambda face: total + face if face > 1 else "over"))
            return [roll, go("hold", "over", total)][: 2 - (total == 0)]

        return Game(0, lambda t: moves(t) if t == "over" or t < 40 else End(t))

    lower, upper = stays_best(loaded, "3/16", within=("1/10", "1/2"), width="1/10000")
    assert mpq(2, 11) in lower
    assert mpq(4, 21) in upper
    assert max(lower.width, upper.width) <= mpq(1, 10_000)
    assert stays_best(loaded, "3/16", within=("3/16", "3/16")) == (Enclosure.of(mpq(3, 16)),) * 2
    for limits, wrong in ((("1/5", "1/4"), "at"), (("1/8", "1/4"), "width")):
        with pytest.raises(InputError, match=wrong):
            stays_best(loaded, "3/16", within=limits, width=0 if wrong == "width" else 1)


def test_asking_for_the_least_with_two_players_explores_once():
    """The oracle counts how often the rules are asked; the value is by hand: the other one wins."""
    heard = []

    def moves(state):
        heard.append(state)
        if state in (1, -1):
            return End(state)
        return Turn(state[1], [go(n, n) for n in (1, -1)])

    best = probability(Game(("a", 1), moves), "won", least=True)
    assert len(heard) == len(set(heard)) + 2  # the ends are asked once more for what they pay
    assert best.value == 0
    best.certificate().check(best.model.game)


def test_simultaneous_moves_under_policies_are_sums_over_pairs():
    """Oracle: what each pair pays by its definition; who is free takes the best of the sums."""
    for number, draw in draws(60):
        names = {1: "ab"[: draw.randint(1, 2)], 2: "xyz"[: draw.randint(1, 3)]}
        outcomes = {}
        pays = {}
        for pair in product(names[1], names[2]):
            one, four = draw.randint(1, 3), draw.randint(1, 3)
            law = Distribution({"one": one, "four": four})
            mean, reward = Fraction(one + 4 * four, one + four), Fraction(draw.choice(REWARDS))
            outcomes[pair], pays[pair] = draw.choice(
                ((End(reward), reward), (law, mean), (Chance(reward, law), reward + mean))
            )
        is_turned = draw.random() < 0.5
        start = point_mass(Other("both") if is_turned else "both")
        table = {"start": start, "both": Both(outcomes), "one": End(1), "four": End(4)}
        game = Game("start", table.__getitem__)
        known, laws = {}, {}
        for side in draw.choice(((1,), (2,), (1, 2))):
            weights = {name: draw.randint(1, 3) for name in names[side]}
            whole = sum(weights.values())
            laws[side] = {name: Fraction(weight, whole) for name, weight in weights.items()}
            shares = {n: mpq(str(p)) for n, p in laws[side].items()}
            own = draw.choice((Distribution(weights), shares))
            if draw.random() < 0.3:
                own = draw.choice(names[side])
                laws[side] = {own: Fraction(1)}
            known[3 - side if is_turned else side] = {"both": own}
        rows, columns = (
            [laws[side]] if side in laws else [{name: Fraction(1)} for name in names[side]]
            for side in (1, 2)
        )

        def paid(row, column, pays=pays):
            return sum(p * q * pays[i, j] for i, p in row.items() for j, q in column.items())

        worth = max(min(paid(row, c) for c in columns) for row in rows) * (-1 if is_turned else 1)
        assert expect(game, policies=known).value == mpq(str(worth)), number
        assert expect(game, policies=known, player=2).value == -mpq(str(worth))
        best = optimum(game)
        for players in ((1,), (2,), (1, 2)):
            assert expect(game, policies=dict.fromkeys(players, best)).value == best.value
        assert policy_value(game, best).value == best.value


def test_a_play_adds_up_the_rewards_of_the_first_player():
    """By hand: 5 at once, −2 for what the other side receives, and −3 at an end that it sees."""
    table = {
        0: [go("no", 9), go("yes", Other(1), 5)],
        1: Chance(2, point_mass(2)),
        2: Both({("a", "x"): End(1), ("b", "y"): End(3), ("a", "y"): None, ("b", "x"): None}),
    }
    heard = []

    def choose(state, turn, side):
        heard.append((state, side))
        return "yes" if state == 0 else ("b", "y")

    assert played(Game(0, table.__getitem__), choose, Random(0)) == 5 - 2 - 3  # noqa: S311
    assert heard == [(0, 1), (2, 2)]
    assert played(Game(0, lambda _: None), choose, Random(0)) == 0  # noqa: S311


def test_plays_end_or_are_refused():
    def result(moves):
        game = Game(moves, lambda n: point_mass(n - 1) if n else End(7))
        return simulate(optimum(game), 2).mean

    with patch.object(playing, "_MOST_MOVES", 3):
        assert result(3) == 7
        refuses(TooLargeError, r"^play: a game takes more than 3 moves$", result, 4)
    for documented in (simulate, played):
        assert f" {playing._MOST_MOVES:,} moves" in str(documented.__doc__)
    # By hand: half of them come to the trap, which they cannot leave; of 0 and 1, m is m².
    table = {0: Distribution({"goal": 1, "trap": 1}), "trap": point_mass("trap"), "goal": None}
    best = probability(Game(0, table.__getitem__), lambda state: state == "goal")
    sample = simulate(best, 100)
    assert best.value == mpq(1, 2)
    assert 0 < sample.mean < 1
    assert sample.variance == 100 * sample.mean * (1 - sample.mean) / 99
    assert sample.error.square == sample.variance / 100
    assert simulate(best) == simulate(best, 1000, seed=0)


def test_draws_follow_weights_and_strategies():
    class Place(Random):
        place = 0

        def randrange(self, *limits):
            assert limits == (5,)
            self.place += 1
            return self.place - 1

    draw = Place()
    found = [drawn(Distribution({"a": 2, "b": 3}), draw) for _ in range(5)]
    assert found == list("aabbb")
    # By hand: of 3, 0, 0 and 2 the first is sure of 6/5; sides have other names, and sizes.
    pairs = {
        ("a", "x"): 3, ("a", "y"): 0, ("b", "x"): 0, ("b", "y"): 2, ("a", "z"): 9, ("b", "z"): 9
    }  # fmt: skip
    best = optimum(Game(0, lambda _: Both({pair: End(paid) for pair, paid in pairs.items()})))
    assert best.value == mpq(6, 5)
    look = Lookahead(best.model.game, lambda _: None, best)
    steps, paid = play(look, lambda state, player, regrets: " az"[player], draw)
    assert ([step.regret for step in steps], paid) == ([0, mpq(39, 5)], 9)  # 9 for 6/5
    sample = simulate(best, 200)
    assert abs(sample.mean - mpq(6, 5)) <= 6 * mpq(sample.error.decimal(9))


def test_a_policy_of_the_second_player_stays_best_for_it():
    """By hand: the second pays x or 1/3, and takes x up to there."""

    def game(x):
        ways = [go("x", 1, x), go("third", 1, mpq(1, 3))]
        return Game(0, lambda n: End(0) if n else Turn(2, ways))

    lower, upper = stays_best(game, "1/4", within=(0, 1), width="1/64")
    assert lower.point == 0
    assert mpq(1, 3) in upper
    # From 1/4 to 1, halved six times, the end is 3/256 wide.
    assert upper.width == mpq(3, 256)
    assert stays_best(game, "1/4", within=(0, 1), width="3/256")[1] == upper
    assert stays_best(game, "1/4", within=(0, "1/3"))[1].point == mpq(1, 3)
    # Strategies where both choose at once stay best where the number changes nothing.
    pairs = {(a, b): fair(2) if a == b else Chance(-1, fair(2)) for a in "ht" for b in "ht"}
    both = Game(0, lambda n: End(n) if n else Both(pairs))
    assert [end.point for end in stays_best(lambda x: both, "1/2", within=(0, 1))] == [0, 1]
    with pytest.raises(InputError, match=r"^within: got .*; expected a pair of numbers"):
        stays_best(game, "1/4", within=(0, "1/2", 1))
