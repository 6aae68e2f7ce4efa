"""Several players with payments of their own: against all policies and all equilibria."""

from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

import pytest
from model_oracles import fraction, go, refuses, solved

from exactdice.book.pig import several
from exactdice.book.swe_players import rivals
from exactdice.dice import Distribution, fair
from exactdice.errors import TooLargeError
from exactdice.models import (
    Chance,
    Choice,
    End,
    Game,
    ModelError,
    Other,
    Paid,
    Turn,
    expect,
    long_run,
    optimum,
    perfect_equilibrium,
    point_mass,
    probability,
)
from exactdice.solve.arena import NoValueError


def random_game(rng, players, size, *, cycles):
    """States 1 to `size` and the end 0; without cycles, moves lead to lower numbers only."""

    def vector():
        return tuple(rng.choice((0, 0, 1, -1, 2)) for _ in range(players))

    def law(state):
        targets = [*range(1, size + 1)] if cycles else [*range(state)]
        ways = {rng.choice(targets): rng.randint(1, 2) for _ in range(rng.randint(1, 2))}
        if cycles:
            ways[0] = ways.get(0, 0) + 1
        if rng.random() < 0.3:
            return Distribution({Paid(vector(), t): w for t, w in ways.items()})
        return Distribution(ways)

    table = {0: End(vector())}
    for state in range(1, size + 1):
        mover = rng.randint(0, players)
        moves = [Choice(a, rng.choice((0, vector())), law(state)) for a in range(rng.randint(1, 3))]
        table[state] = Turn(mover, moves) if mover else Chance(vector(), law(state))
    return table


def chain_value(table, way, player):
    """The total of a player from every state, if all moves are fixed."""
    states = [s for s in table if s in way]

    def own(paid):
        return fraction(paid[player - 1]) if isinstance(paid, tuple) else Fraction(0)

    matrix = [[Fraction(s == t) for t in states] for s in states]
    right = []
    for row, s in enumerate(states):
        part = way[s]
        total, law = own(part.reward), part.successors
        for each, weight in law.items():
            share = Fraction(weight, law.denominator)
            to = each.state if isinstance(each, Paid) else each
            total += share * own(each.reward) if isinstance(each, Paid) else 0
            if to == 0:
                total += share * own(table[0].payoff)
            else:
                matrix[row][states.index(to)] -= share
        right.append(total)
    return dict(zip(states, solved(matrix, right), strict=True)) | {0: own(table[0].payoff)}


def all_ways(table, movers):
    """All moves of some players, by state."""
    owned = [s for s, t in table.items() if isinstance(t, Turn) and t.player in movers]
    for chosen in product(*(table[s].choices for s in owned)):
        yield dict(zip(owned, chosen, strict=True))


def agrees(seed, *, cycles, size=4):
    rng = Random(seed)  # noqa: S311
    players = rng.randint(1, 4)
    table = random_game(rng, players, rng.randint(1, size), cycles=cycles)
    start = max(table)
    game = Game(start, table.__getitem__, players=players)
    fixed = {s: t for s, t in table.items() if isinstance(t, Chance)}
    everyone = {*range(1, players + 1)}
    try:
        best = perfect_equilibrium(game)
    except TooLargeError:
        assert cycles
        return None
    chosen = fixed | {s: next(c for c in t.choices if c.action == best.policy.get(s, 0))
                      for s, t in table.items() if isinstance(t, Turn)}  # fmt: skip
    for player in everyone:
        value = chain_value(table, chosen, player)
        assert fraction(best.value[player - 1]) == value[start]
        replies = [chain_value(table, chosen | way, player) for way in all_ways(table, {player})]
        for state in best.model.states:  # no player gains anywhere
            assert max(reply[state] for reply in replies) == value[state], seed
        reply = best.best_response(player)
        assert reply.value == best.value[player - 1]
        reply.certificate().check(reply.model.game)
        policies = dict.fromkeys(everyone, best.policy)
        assert expect(game, player=player, policies=policies).value == reply.value
        others = everyone - {player}
        alone = expect(game, player=player)
        worst = [min(chain_value(table, fixed | mine | theirs, player)[start]
                     for theirs in all_ways(table, others))
                 for mine in all_ways(table, {player})]  # fmt: skip
        assert fraction(alone.value) == max(worst)
        alone.certificate().check(alone.model.game)
    return best, table


@pytest.mark.parametrize("cycles", [False, True])
def test_no_player_gains_and_guarantees_are_the_best_of_all_policies(cycles):
    found = [agrees(seed, cycles=cycles) for seed in range(40)]
    assert sum(map(bool, found)) >= 36


@pytest.mark.parametrize("cycles", [False, True])
@pytest.mark.parametrize(
    "first",
    [
        pytest.param(first, marks=pytest.mark.slow if first < 1400 else pytest.mark.long)
        for first in range(1000, 3000, 200)
    ],
)
def test_many_games_of_up_to_four_players(cycles, first):
    found = [agrees(seed, cycles=cycles, size=5) for seed in range(first, first + 200)]
    assert sum(map(bool, found)) >= 180


def backward(table, players, pick, factor=1):
    """Values of all players by state, of a game that leads to lower states; `pick` chooses."""
    values = {0: tuple(map(fraction, table[0].payoff))}

    def after(part):
        reward = part.reward if isinstance(part.reward, tuple) else (0,) * players
        total = [*map(fraction, reward)]
        for each, weight in part.successors.items():
            paid, to = (
                (each.reward, each.state) if isinstance(each, Paid) else ((0,) * players, each)
            )
            share = Fraction(weight, part.successors.denominator)
            for seat in range(players):
                total[seat] += share * (fraction(paid[seat]) + factor * values[to][seat])
        return tuple(total)

    for state in range(1, max(table) + 1):
        turn = table[state]
        options = [after(turn)] if isinstance(turn, Chance) else [*map(after, turn.choices)]
        values[state] = options[0] if len(options) == 1 else pick(options, turn.player - 1)
    return values


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_games_of_200_states_have_the_values_of_backward_induction(seed):
    rng = Random(seed)  # noqa: S311
    players = rng.randint(2, 4)
    table = random_game(rng, players, 200, cycles=False)
    for state in range(1, 201):  # near states, so that all are reachable
        near = Distribution({state - 1: 1, max(0, state - rng.randint(2, 4)): 1})
        turn = table[state]
        if isinstance(turn, Chance):
            table[state] = Chance(turn.reward, near)
        else:
            moves = [Choice(c.action, c.reward, near) for c in turn.choices]
            table[state] = Turn(turn.player, moves)
    game = Game(200, table.__getitem__, players=players)
    best = perfect_equilibrium(game)
    assert len(best.model) == 201
    first = backward(table, players, lambda options, seat: max(options, key=lambda o: o[seat]))
    for state in best.model.states:
        assert tuple(map(fraction, best.value_of(state))) == first[state]
    for player in range(players):

        def alone(options, seat, player=player):
            return (max if seat == player else min)(options, key=lambda o: o[player])

        for factor in (1, Fraction(1, 3)):
            right = backward(table, players, alone, factor)[200][player]
            how = {} if factor == 1 else {"discount": factor}
            assert fraction(expect(game, player=player + 1, **how).value) == right


def all_equilibria(table, state, players):
    """The values of all equilibria of a tree, by all choices among equilibria of its parts."""
    turn = table[state]
    if isinstance(turn, End):
        return {tuple(map(fraction, turn.payoff))}

    def after(part):
        options = []
        for each, weight in part.successors.items():
            paid = each.reward if isinstance(each, Paid) else (0,) * players
            to = each.state if isinstance(each, Paid) else each
            share = Fraction(weight, part.successors.denominator)
            options.append(
                [
                    tuple(share * (fraction(p) + v) for p, v in zip(paid, vector, strict=True))
                    for vector in all_equilibria(table, to, players)
                ]
            )
        reward = part.reward if isinstance(part.reward, tuple) else (0,) * players
        sums = ([sum(column) for column in zip(*way, strict=True)] for way in product(*options))
        return {
            tuple(fraction(r) + one for r, one in zip(reward, total, strict=True)) for total in sums
        }

    if isinstance(turn, Chance):
        return after(turn)
    values, seat = set(), turn.player - 1
    for way in product(*(after(choice) for choice in turn.choices)):
        most = max(vector[seat] for vector in way)
        values |= {vector for vector in way if vector[seat] == most}
    return values


@pytest.mark.slow
def test_ties_give_the_least_and_the_greatest_value_of_all_equilibria():
    several = 0
    for seed in range(200):
        found = agrees(seed, cycles=False, size=3)
        best, table = found
        every = all_equilibria(table, max(table), len(best.values))
        spread = tuple((min(each), max(each)) for each in zip(*every, strict=True))
        assert tuple((fraction(a), fraction(b)) for a, b in best.spread) == spread, seed
        several += len(every) > 1
    assert several > 10  # ties matter in some of them


def three_pig(target):
    """Three-player Pig as the mover sees it: (scores from the mover on, points of the turn)."""

    def moves(state):
        if state == "won":
            return End((1, 0, 0))
        *scores, points = state

        def rolled(face):
            if face == 1:
                return Other((*scores[1:], scores[0], 0))
            return "won" if scores[0] + points + face >= target else (*scores, points + face)

        roll = Choice("roll", 0, fair(6).map(rolled))
        after = Other((*scores[1:], scores[0] + points, 0))
        return [roll, Choice("hold", 0, point_mass(after))] if points else [roll]

    return Game((0, 0, 0, 0), moves, players=3)


def test_three_players_see_the_game_from_their_side():
    # by hand: to 2, the mover wins with probability 5/6 and passes the dice otherwise
    best = perfect_equilibrium(three_pig(2))
    whole = 1 - Fraction(1, 6**3)
    assert best.value == tuple(Fraction(5, 6) / 6**n / whole for n in range(3))
    for player in (1, 2, 3):
        reply = best.best_response(player)
        assert reply.value == best.value[player - 1]
        reply.certificate().check(reply.model.game)
    # the events of one player: to win against both others together, who cannot do anything here
    assert probability(three_pig(2), "won", player=3).value == best.value[2]


def test_equilibria_of_two_players_whose_gains_are_losses_are_values_of_the_game():
    def moves(state):
        if state == "won":
            return End((1, -1))
        mine, theirs, points = state
        roll = Choice(
            "roll",
            0,
            fair(6).map(
                lambda f: (
                    Other((theirs, mine, 0))
                    if f == 1
                    else "won"
                    if mine + points + f >= 9
                    else (mine, theirs, points + f)
                )
            ),
        )
        return [roll, Choice("hold", 0, point_mass(Other((theirs, mine + points, 0))))][
            : 1 + (points > 0)
        ]

    def zero_sum(state):
        return End(1) if state == "won" else moves(state)

    value = optimum(Game((0, 0, 0), zero_sum)).value
    assert perfect_equilibrium(Game((0, 0, 0), moves, players=2)).value == (value, -value)


def test_averages_of_one_player_hold_against_all_others():
    # by hand: player 2 or 3 takes the coin each round; player 1 gets 1 of 2 moves only if 3 is kind
    table = {
        0: Turn(1, [go("on", 1)]),
        1: Turn(3, [go("kind", 0, (2, 0, 0)), go("mean", 0, (0, 1, 1))]),
    }
    game = Game(0, table.__getitem__, players=3)
    assert [long_run(game, player=p).value for p in (1, 2, 3)] == [0, 0, Fraction(1, 2)]
    kind = {1: "kind"}
    assert long_run(game, player=1, policies={3: kind}).value == 1


def test_inconsistent_players_are_refused():
    one = Game(0, lambda s: Turn(3, [go("on", 1)]) if s == 0 else End((1, 0)), players=2)
    refuses(
        ModelError, r"^moves\(0\): player: got 3; expected a player from", perfect_equilibrium, one
    )
    loop = Game(0, lambda s: [go("on", 0)], players=2)
    refuses(NoValueError, "no policy ends play", perfect_equilibrium, loop)


def swe(tables, left):
    """The shares of the players, the mover first, by recursion over the rules of the README."""
    faces = (4, 6, 8, 12, 20)

    @cache
    def value(tables, left):
        if not left:
            best = max(score for *_, score in tables)
            winners = [score == best for *_, score in tables]
            return tuple(Fraction(won, sum(winners)) for won in winners)
        (revenue, legacy, score), *others = tables
        options = []
        if any(legacy):
            for die in (d for d in range(4, -1, -1) if legacy[d]):
                options.append((add(revenue, die), add(legacy, die, -1)))
        else:
            options.append((add(revenue, 0), legacy))
            options += [(add(add(revenue, d, -1), d + 1), legacy) for d in range(4) if revenue[d]]
        results = []
        for now, before in options:
            total = [Fraction(0)] * len(tables)
            dice = [d for d in range(5) for _ in range(now[d])]
            for lost in product((False, True), repeat=len(dice)):
                chance, kept, old = Fraction(1), now, before
                for die, is_lost in zip(dice, lost, strict=True):
                    chance *= Fraction(1 if is_lost else faces[die] - 1, faces[die])
                    if is_lost:
                        kept, old = add(kept, die, -1), add(old, die)
                after = (kept, old, score + sum(kept) if any(kept) else 0)
                *rest, mine = value((*others, after), left - 1)
                total = [t + chance * v for t, v in zip(total, (mine, *rest), strict=True)]
            results.append(tuple(total))
        return max(results, key=lambda shares: shares[0])

    return value(tables, left)


def add(dice, die, more=1):
    return (*dice[:die], dice[die] + more, *dice[die + 1 :])


@pytest.mark.parametrize(("players", "rounds"), [(2, 2), (3, 1), (2, 3)])
def test_rivals_of_the_software_engineering_game_share_what_recursion_says(players, rounds):
    start = ((0,) * 5, (0,) * 5, 0)
    best = perfect_equilibrium(rivals(players, rounds))
    assert tuple(map(fraction, best.value)) == swe((start,) * players, players * rounds)


def test_three_player_pig_of_the_book_is_that_of_the_manual():
    assert perfect_equilibrium(several(5, 3)).value == perfect_equilibrium(three_pig(5)).value
    # by hand: to 4 a turn wins with 7/9, and the others follow
    values = perfect_equilibrium(several(4, 3)).value
    assert values == (Fraction(81, 103), Fraction(18, 103), Fraction(4, 103))
