"""Every solver of decision processes against enumeration of all policies, on random processes."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any
from unittest.mock import patch

import networkx as nx
import pytest
from gmpy2 import mpq
from hypothesis import assume, example, given
from hypothesis import strategies as st
from interval_iteration import interval_iteration

from exactdice.dice import Distribution
from exactdice.errors import InputError
from exactdice.solvers.backward_induction import backward_induction
from exactdice.solvers.certificate import Certificate, CertificateError
from exactdice.solvers.evaluation import cut_states
from exactdice.solvers.policy_iteration import policy_iteration, policy_values
from exactdice.solvers.process import Choice, CycleError, DecisionProcess, NoValueError, point_mass
from exactdice.solvers.value_iteration import Sweeps

END = "end"
# Rewards are few and small on purpose: ties and cycles that gain nothing are then frequent.
REWARDS = st.sampled_from([-2, -1, -1, 0, 0, 0, 1, 1, 2, Fraction(-1, 2), Fraction(1, 3)])


@st.composite
def processes(draw: st.DrawFn, *, acyclic: bool = False, most_reward: int = 2) -> Any:
    """Up to four states with up to three choices each; in an acyclic one, moves lead upwards."""
    size = draw(st.integers(1, 4))
    choices: dict[Any, list[Choice[Any]]] = {}
    for state in range(size):
        targets = [*range(state + 1 if acyclic else 0, size), END]
        choices[state] = []
        for action in range(draw(st.integers(1, 3))):
            weights = draw(
                st.dictionaries(st.sampled_from(targets), st.integers(1, 3), min_size=1, max_size=3)
            )
            reward = min(draw(REWARDS), most_reward)
            choices[state].append(Choice(action, reward, Distribution(weights)))
    choices[END] = []
    return DecisionProcess(choices)


def solved(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """Gauss–Jordan elimination; None where the matrix is singular."""
    rows = [[*row, b] for row, b in zip(matrix, right, strict=True)]
    for column in range(len(rows)):
        pivot = next((r for r in range(column, len(rows)) if rows[r][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [x / rows[column][column] for x in rows[column]]
        for r, row in enumerate(rows):
            if r != column:
                rows[r] = [x - row[column] * y for x, y in zip(row, rows[column], strict=True)]
    return [row[-1] for row in rows]


def chance(choice: Choice[Any], state: Any) -> Fraction:
    return Fraction(choice.successors.get(state, 0), choice.successors.denominator)


def reward(choice: Choice[Any]) -> Fraction:
    return Fraction(str(mpq(choice.reward)))


def can_reach(policy: dict[Any, Choice[Any]], start: Any) -> set[Any]:
    reached, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        for successor in policy[state].successors if state in policy else ():
            if successor not in reached:
                reached.add(successor)
                waiting.append(successor)
    return reached


def gain(policy: dict[Any, Choice[Any]], members: list[Any]) -> Fraction:
    """Average reward in a recurrent class, from its stationary law."""
    n = len(members)
    balance = [
        [chance(policy[source], target) - (source == target) for source in members]
        for target in members
    ]
    balance[-1] = [Fraction(1)] * n  # one balance equation follows from the others
    law = solved(balance, [Fraction(0)] * (n - 1) + [Fraction(1)])
    assert law is not None
    return sum(
        (share * reward(policy[s]) for share, s in zip(law, members, strict=True)), Fraction(0)
    )


def enumerated(process: DecisionProcess[Any]) -> dict[Any, Fraction] | str:
    """The definition of the value, over every policy there is."""
    states = [state for state in process.states if state != END]
    best: dict[Any, Fraction] = {}
    unbounded = False
    for chosen in product(*(process.choices(state) for state in states)):
        policy = dict(zip(states, chosen, strict=True))
        reach = {state: can_reach(policy, state) for state in states}
        if all(END in reached for reached in reach.values()):
            matrix = [[(s == t) - chance(policy[s], t) for t in states] for s in states]
            values = solved(matrix, [reward(policy[s]) for s in states])
            assert values is not None
            for state, value in zip(states, values, strict=True):
                best[state] = max(best.get(state, value), value)
        for state in states:
            members = sorted(reach[state], key=str)
            closed = END not in reach[state] and all(reach[m] == reach[state] for m in members)
            unbounded = unbounded or (closed and gain(policy, members) > 0)
    if not best:
        return "nothing ends"
    return "unbounded" if unbounded else best


@given(processes())
@example(  # a cycle that gains nothing on average, with rewards of both signs
    DecisionProcess(
        {
            0: [Choice("there", 1, point_mass(1)), Choice("stop", 0, point_mass(END))],
            1: [Choice("back", -1, point_mass(0)), Choice("stop", -3, point_mass(END))],
            END: [],
        }
    )
)
def test_policy_iteration_finds_the_best_of_all_policies(process: DecisionProcess[Any]) -> None:
    expected = enumerated(process)
    if isinstance(expected, str):
        with pytest.raises(NoValueError):
            policy_iteration(process)
        return
    solution = policy_iteration(process)
    assert {s: Fraction(str(v)) for s, v in solution.values.items() if s != END} == expected
    assert policy_values(process, solution.policy) == solution.values
    solution.certificate().check(process)
    for state in expected:
        returns = [
            reward(c) + sum(chance(c, t) * expected[t] for t in c.successors if t != END)
            for c in process.choices(state)
        ]
        tied = tuple(a for a, r in enumerate(returns) if r == max(returns))
        assert solution.optimal_actions[state] == (
            tied
            if process.actions(state)[0] == 0
            else tuple(process.actions(state)[a] for a in tied)
        )
        assert solution.policy[state] in solution.optimal_actions[state]


@given(processes())
def test_a_guess_in_doubles_changes_no_answer(process: DecisionProcess[Any]) -> None:
    """Small processes are not worth a guess; made to start from one, they end the same."""
    assume(isinstance(enumerated(process), dict))
    with patch("exactdice.solvers.floating._WORTHWHILE", 1):
        guessed = policy_iteration(process)
    plain = policy_iteration(process)
    assert guessed.values == plain.values
    assert guessed.policy == plain.policy


@given(processes(), st.data())
def test_every_proper_start_leads_to_the_same_solution(
    process: DecisionProcess[Any], data: st.DataObject
) -> None:
    start = {s: data.draw(st.sampled_from(process.actions(s))) for s in process.states if s != END}
    policy = {s: process.choices(s)[process.position(s, a)] for s, a in start.items()}
    if not all(END in can_reach(policy, s) for s in start):
        with pytest.raises(InputError, match="ends play with probability 1"):
            policy_iteration(process, start)
        return
    if enumerated(process) == "unbounded":
        with pytest.raises(NoValueError, match="without bound"):
            policy_iteration(process, start)
        return
    reached, direct = policy_iteration(process, start), policy_iteration(process)
    assert reached.values == direct.values
    assert reached.policy == direct.policy


@given(processes(acyclic=True))
def test_backward_induction_agrees_where_there_is_no_cycle(process: DecisionProcess[Any]) -> None:
    expected = enumerated(process)
    backward, iterated = backward_induction(process), policy_iteration(process)
    assert {s: Fraction(str(v)) for s, v in backward.values.items() if s != END} == expected
    assert backward.policy == iterated.policy
    assert backward.optimal_actions == iterated.optimal_actions
    backward.certificate().check(process)


@given(processes(most_reward=0))
def test_intervals_close_on_the_value_of_costs(process: DecisionProcess[Any]) -> None:
    """No reward is positive, so every process that can end has bounds; zero cycles included."""
    expected = enumerated(process)
    if expected == "nothing ends":
        with pytest.raises(NoValueError):
            interval_iteration(process, "1/100")
        return
    assert isinstance(expected, dict)
    bounds = interval_iteration(process, "1/100")
    assert bounds.width <= mpq(1, 100)
    for state, value in expected.items():
        exact = mpq(value.numerator, value.denominator)
        assert bounds.lower[state] <= exact <= bounds.upper[state]


@given(processes())
def test_intervals_close_wherever_no_end_component_pays(process: DecisionProcess[Any]) -> None:
    expected = enumerated(process)
    assume(isinstance(expected, dict))
    assert isinstance(expected, dict)
    try:
        bounds = interval_iteration(process, "1/100")
    except InputError as refused:
        assert "positive rewards on cycles" in str(refused)  # noqa: PT017 - it may succeed too
        return
    for state, value in expected.items():
        exact = mpq(value.numerator, value.denominator)
        assert bounds.lower[state] <= exact <= bounds.upper[state]


@given(processes(most_reward=-1))
def test_sweeps_come_down_from_above_when_all_moves_cost(process: DecisionProcess[Any]) -> None:
    """0 is above all negative totals: no sweep rises or passes the value, and in place is faster.

    Doubles follow the exact sweeps.
    """
    expected = enumerated(process)
    assume(isinstance(expected, dict))
    assert isinstance(expected, dict)
    together, in_place = Sweeps(process, "synchronous"), Sweeps(process, "in-place")
    doubles = Sweeps(process, "synchronous", "float")
    exact = [mpq(v.numerator, v.denominator) for v in expected.values()] + [mpq(0)]
    before = [mpq(0)] * len(exact)
    for _ in range(8):
        for sweeps in (together, in_place, doubles):
            sweeps.sweep()
        for order in zip(exact, in_place.values, together.values, before, strict=True):
            assert list(order) == sorted(order)
        for rounded, value in zip(doubles.values, together.values, strict=True):
            assert abs(mpq(rounded) - value) < mpq(1, 10**9)
        before = list(together.values)


@given(st.integers(2, 8), st.data())
def test_without_the_cut_states_no_cycle_is_left(size: int, data: st.DataObject) -> None:
    states = st.integers(0, size - 1)
    graph = nx.DiGraph(data.draw(st.lists(st.tuples(states, states), min_size=1, max_size=40)))
    cuts = cut_states(graph)
    assert set(cuts) <= set(graph)
    rest = graph.subgraph(set(graph) - set(cuts))
    assert nx.is_directed_acyclic_graph(rest)


def test_cutting_a_complete_graph_leaves_one_state() -> None:
    """Any two of its states lie on a cycle, so all but one must be cut."""
    assert len(cut_states(nx.complete_graph(6, nx.DiGraph))) == 5


@given(st.integers(4, 9), st.data())
def test_evaluation_solves_the_whole_linear_system(size: int, data: st.DataObject) -> None:
    """Chains that lead everywhere, against elimination on all states at once."""
    targets = st.lists(st.integers(0, size - 1), min_size=2, max_size=5)
    choices: dict[Any, list[Choice[Any]]] = {END: []}
    for state in range(size):
        weights: dict[Any, int] = {END: 1}
        for target in data.draw(targets):
            weights[target] = weights.get(target, 0) + 2
        choices[state] = [Choice("go", data.draw(REWARDS), Distribution(weights))]
    process = DecisionProcess(choices)
    chain = {state: process.choices(state)[0] for state in range(size)}
    matrix = [[(s == t) - chance(chain[s], t) for t in chain] for s in chain]
    expected = solved(matrix, [reward(chain[s]) for s in chain])
    assert expected is not None
    values = policy_values(process, dict.fromkeys(range(size), "go"))
    assert [Fraction(str(values[s])) for s in chain] == expected


@given(processes(), st.data())
def test_a_certificate_with_one_wrong_entry_is_refused(
    process: DecisionProcess[Any], data: st.DataObject
) -> None:
    assume(isinstance(enumerated(process), dict))
    certificate = policy_iteration(process).certificate()
    state = data.draw(st.sampled_from(process.states))
    what = data.draw(st.sampled_from(["value", "rank", "missing", "action"]))
    values, policy, ranks = (
        dict(certificate.values),
        dict(certificate.policy),
        dict(certificate.ranks),
    )
    if what == "value":
        # A value raised in one state can be right nowhere: that state returns to itself at most
        # with a probability below 1 before play ends.
        values[state] += data.draw(st.sampled_from([mpq(-1, 7), mpq(1, 7)]))
    elif what == "rank":
        ranks[state] = 0 if state != END else 1
    elif what == "missing":
        del data.draw(st.sampled_from([values, ranks]))[state]
    else:
        policy[state] = "no such action"
    with pytest.raises(CertificateError):
        Certificate(values, policy, ranks).check(process)


def test_a_cycle_is_named_in_order() -> None:
    process = DecisionProcess(
        {"a": [Choice("on", 0, point_mass("b"))], "b": [Choice("on", 0, point_mass("a"))], END: []}
    )
    with pytest.raises(CycleError, match=r"'a' → 'b' → \(again\)"):
        backward_induction(process)


def test_a_process_in_which_nothing_ends_is_named() -> None:
    """State 0 may end by luck, but then may also fall into 1, from where nothing ends."""
    process = DecisionProcess(
        {
            0: [Choice("try", 5, Distribution({1: 1, END: 1}))],
            1: [Choice("wait", -1, point_mass(1))],
            END: [],
        }
    )
    with pytest.raises(NoValueError, match=r"no policy ends play with probability 1 from 0, 1$"):
        policy_iteration(process)


def test_gain_without_bound_is_named() -> None:
    process = DecisionProcess(
        {
            "mine": [Choice("dig", 1, point_mass("mine")), Choice("leave", 0, point_mass(END))],
            END: [],
        }
    )
    with pytest.raises(NoValueError, match=r"without bound among 'mine'$"):
        policy_iteration(process)
    with pytest.raises(InputError, match="'mine'"):
        interval_iteration(process, 1)


def test_a_free_cycle_is_left_even_when_leaving_costs() -> None:
    """Play must end: waiting for ever at no cost does not count, so the value is -1."""
    process = DecisionProcess(
        {
            0: [Choice("wait", 0, point_mass(1)), Choice("leave", -1, point_mass(END))],
            1: [Choice("wait", 0, point_mass(0))],
            END: [],
        }
    )
    solution = policy_iteration(process)
    assert solution.values == {0: -1, 1: -1, END: 0}
    assert solution.policy == {0: "leave", 1: "wait"}
    assert solution.optimal_actions[0] == ("wait", "leave")
    bounds = interval_iteration(process, "1e-9")
    assert bounds.lower == bounds.upper == {0: -1, 1: -1, END: 0}


def test_rewards_beyond_doubles_are_solved_all_the_same() -> None:
    huge = mpq(10) ** 400
    process = DecisionProcess(
        {0: [Choice("a", huge, point_mass(END)), Choice("b", huge + 1, point_mass(END))], END: []}
    )
    with patch("exactdice.solvers.floating._WORTHWHILE", 1):
        assert policy_iteration(process).policy == {0: "b"}


def test_no_certificate_comes_of_a_policy_that_never_ends() -> None:
    loop = [Choice("wait", 0, point_mass(0)), Choice("stop", 0, point_mass(END))]
    process = DecisionProcess({0: loop, END: []})
    right = policy_iteration(process)
    assert right.policy == {0: "stop"}
    with pytest.raises(CertificateError, match="can go on for ever"):
        replace(right, policy={0: "wait"}).certificate()
    with pytest.raises(CertificateError, match="leads to no state of lower rank"):
        Certificate(right.values, {0: "wait"}, {0: 1, END: 0}).check(process)


def test_each_policy_that_was_evaluated_is_counted() -> None:
    """By hand: from the worse of two actions there is one step to the better one."""
    both = [Choice(paid, paid, point_mass(END)) for paid in (1, 2)]
    process = DecisionProcess({0: both, END: []})
    assert policy_iteration(process, {0: 2}).iterations == 1
    assert policy_iteration(process, {0: 1}).iterations == 2


def test_a_process_of_terminal_states_alone_is_worth_nothing() -> None:
    solution = policy_iteration(DecisionProcess({END: []}))
    assert solution.values == {END: 0}
    assert solution.policy == {}
    solution.certificate().check(solution.process)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({}, "choices: got no state"),
        ({0: [Choice("a", 0, point_mass(1))]}, "successors of 'a' in 0: got 1"),
        (
            {0: [Choice("a", 0, point_mass(0)), Choice("a", 1, point_mass(0))]},
            "no action comes twice",
        ),
    ],
)
def test_a_process_that_makes_no_sense_is_refused(choices: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        DecisionProcess(choices)


def test_float_rewards_and_bare_successors_are_refused() -> None:
    with pytest.raises(InputError, match=r"reward: got 0\.5"):
        Choice("a", 0.5, point_mass(0))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="successors"):
        Choice("a", 0, {0: 1})  # type: ignore[arg-type]


def test_policies_are_checked() -> None:
    process = DecisionProcess({0: [Choice("stop", 1, point_mass(END))], END: []})
    with pytest.raises(InputError, match="policy: got 0; give an action for every state"):
        policy_values(process, {})
    with pytest.raises(InputError, match="action: got 'go'; give one of the actions of state 0"):
        policy_values(process, {0: "go"})
