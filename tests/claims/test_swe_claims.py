"""Claims about the game find what is so: both verdicts, and numbers from values put in by hand."""

from itertools import cycle
from types import SimpleNamespace

import pytest
from finders import swe_optimal_play as optimal_play
from finders import swe_policies as policies
from finders import swe_structure as structure
from swe_oracle import Oracle, moves, reachable

from exactdice.arithmetic import mpq, text, to_fraction
from exactdice.dice import Distribution
from exactdice.games.swe.distributions.players import NewOnlyPolicy, PromoOnce
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import STANDARD, Action, ActionKind, State, legal_actions, weight
from exactdice.games.swe.sources import FIGURES

CREATE, PROMOTE = Action(ActionKind.CREATE), Action(ActionKind.PROMOTE, 0)


def test_a_roll_is_safer_only_if_both_a_new_die_and_a_promotion_make_it_so(monkeypatch):
    # A die with one face always fails: a new one does not lower the chance that all fail.
    monkeypatch.setattr(structure, "STANDARD", (1, 2))
    found = structure._safer_roll()
    assert (found.verdict, found.evidence) == ("refuted", {"create": "1", "promote": "1/2"})


def test_fixing_sooner_fails_where_any_other_fix_clears_more_likely(monkeypatch):
    """Each chance is drawn from the number of the die that is fixed; the last one is fixed best."""
    tables = [t for t in structure._tables(8) if sum(map(bool, t.legacy)) > 1]
    monkeypatch.setattr(structure, "_cleared", lambda rounds, _, fix: mpq(-fix.rung, rounds))
    found = structure._fix_sooner()
    assert (found.verdict, found.evidence["exceptions"]) == ("refuted", 3 * len(tables))
    # Of three fixes the last is as good as the first, and the one between is worse, or is better.
    three = [t for t in tables if sum(map(bool, t.legacy)) == 3]
    for worth, exceptions in ((-1, 0), (1, len(three))):

        def cleared(rounds, table, fix, worth=worth):
            between = [rung for rung, number in enumerate(table.legacy) if number][1:-1]
            return mpq(worth * (fix.rung in between))

        monkeypatch.setattr(structure, "_cleared", cleared)
        assert structure._fix_sooner().evidence["exceptions"] == 3 * exceptions


def unbroken(oracle, left, revenue, legacy):
    """The greatest chance of no catastrophe in the rounds left, a table rolled first."""
    ends = [(p, end[:2]) for p, end in oracle.ends(revenue, legacy, 0) if any(end[0])]
    return sum(
        p * (max(unbroken(oracle, left - 1, *x) for x in moves(*end).values()) if left > 1 else 1)
        for p, end in ends
    )


@pytest.mark.parametrize("left", [1, 2, 3])
@pytest.mark.parametrize("revenue", [(1, 0, 0, 0, 0), (2, 1, 0, 0, 0), (0, 0, 0, 1, 0)])
def test_chances_of_no_catastrophe_and_their_bounds_agree_with_plain_search(left, revenue):
    table = State(revenue, (0,) * 5)
    chance = unbroken(Oracle(STANDARD), left, revenue, table.legacy)
    assert to_fraction(structure.unbroken(left, table)) == chance
    # No play makes dice that weigh more than 6 here: bounds are as near as their units.
    ends = [*map(to_fraction, structure.unbroken_between(left, table, 6))]
    assert ends[0] <= chance <= ends[1]
    assert ends[1] - ends[0] <= to_fraction(mpq(2 * left, structure._UNIT))
    # Without any moves a table is only rolled; with no dice that are heavy enough nothing is known.
    low, high = map(to_fraction, structure.unbroken_between(left, table, weight(revenue)))
    assert low <= chance <= high
    assert structure.unbroken_between(left, table, weight(revenue) - 1) == (0, 1)


def between(*bounds):
    """Bounds of chances that are put in, one pair after another."""
    listed = cycle(bounds)
    return lambda *_, **__: next(listed)


def test_chances_of_a_catastrophe_are_bounded_outward_in_decimals(monkeypatch):
    """Of creating none comes with 1/3 to 2/3, of rolling with 1/7 to 6/7."""

    def bounds(left, table, heaviest):
        assert (left, heaviest) == (4, 9)
        return (mpq(1, 3), mpq(2, 3)) if sum(table.dice) == 5 else (mpq(1, 7), mpq(6, 7))

    monkeypatch.setattr(structure, "unbroken_between", bounds)
    created, kept = structure._between(structure._FOUR, 4, 9, places=3)
    assert created == (mpq(333, 1000), mpq(667, 1000))
    assert kept == (mpq(142, 1000), mpq(858, 1000))


ABOVE, BELOW, EVEN = ((2, 3), (0, 1)), ((0, 1), (2, 3)), ((1, 2), (0, 1))


@pytest.mark.parametrize(
    ("bounds", "verdict"), [(ABOVE, "refuted"), (BELOW, "open"), (EVEN, "open")]
)
def test_creating_is_less_safe_only_if_the_bounds_are_apart(bounds, verdict, monkeypatch):
    monkeypatch.setattr(structure, "_between", between(tuple(tuple(map(mpq, e)) for e in bounds)))
    monkeypatch.setitem(structure._SAFER, "sum", 3)
    found = structure._safer_to_the_end()
    assert found.verdict == verdict
    assert found.evidence["after_creating_at_least"] == str(bounds[0][0])
    assert found.evidence["after_rolling_at_most"] == str(bounds[1][1])
    less_safe = structure._less_safe()
    assert less_safe.verdict == verdict.replace("refuted", "proved")
    assert less_safe.evidence == {
        "after_creating_at_least": str(bounds[0][0]),
        "after_rolling_at_most": str(bounds[1][1]),
        "revenue": [0, 0, 0, 9, 0],
    }


@pytest.mark.parametrize(
    ("few", "more", "verdict"),
    [
        (BELOW, ABOVE, "proved"),
        (ABOVE, ABOVE, "open"),
        (BELOW, BELOW, "open"),
        (((0, 1), (1, 2)), ABOVE, "open"),
        (BELOW, EVEN, "open"),
    ],
)
def test_four_dice_turn_where_one_round_is_safer_and_the_next_is_not(
    few, more, verdict, monkeypatch
):
    asked = []
    pairs = iter([few, more])

    def bounds(table, left, heaviest):
        asked.append((table.revenue, left, heaviest))
        return next(pairs)

    monkeypatch.setattr(structure, "_between", bounds)
    assert structure._four_dice().verdict == verdict
    assert asked == [((4, 0, 0, 0, 0), left, 12) for left in (18, 19)]


@pytest.mark.parametrize("factor", [-1, 0, 1])
def test_tables_at_which_no_move_is_safer_are_counted(factor, monkeypatch):
    """Chances that fall, stay or rise with each die or promotion, and what claims make of them."""
    monkeypatch.setattr(structure, "unbroken", lambda _, table: mpq(factor * weight(table.dice)))
    for constants in (structure._SAFER, structure._SHORT):
        monkeypatch.setitem(constants, "sum", 6)
    monkeypatch.setattr(structure, "_between", between(((mpq(0), mpq(1)), (mpq(0), mpq(1)))))
    # Dice of a weight up to 5 without legacy, and rounds left so that both are at most 6.
    tables = [t for t in structure._tables(5) if not any(t.legacy)]
    rounds = [6 - weight(t.revenue) for t in tables]
    actions = [len(legal_actions(t)) for t in tables]
    all_moves = sum(r * n for r, n in zip(rounds, actions, strict=True))
    found = structure._safer_to_the_end().evidence
    assert (found["cases"], found["exceptions"]) == (all_moves, all_moves if factor < 0 else 0)
    short = structure._short_games()
    exceptions = sum(rounds) if factor < 0 else 0
    assert (short.evidence["cases"], short.evidence["exceptions"]) == (sum(rounds), exceptions)
    assert short.verdict == ("open" if exceptions else "proved")
    # A new die and a promotion are worth the same here, as both weigh one more.
    assert structure._create_late().verdict == "open"


def test_a_table_of_a_weight_is_listed_once_with_its_splits():
    for most in range(5):
        listed = list(structure._tables(most))
        assert len(listed) == len(set(listed))
        lattice = [
            State(revenue, legacy)
            for layer in reachable(Oracle((4, 6, 8, 12, 20)), ((0,) * 5, (0,) * 5, 0), most)
            for revenue, legacy, _ in layer
        ]
        # By the theorem on reachable pairs these are all of that weight.
        assert set(listed) == {t for t in lattice if any(t.dice)}


def test_values_are_bounded_only_if_each_is_at_most_its_bound(monkeypatch):
    # The bound of one round is 19/20 and the optimum 3/4; one value above its bound refutes it.
    for rounds in (1, 10):

        def value(asked, wrong=rounds):
            return SimpleNamespace(value=mpq(1000) if asked == wrong else mpq(0))

        monkeypatch.setattr(structure, "solve", value)
        assert structure._bounded().verdict == "refuted"


@pytest.mark.parametrize(
    ("loss", "better", "verdict"),
    [(1, 1, "refuted"), (1, 0, "open"), (0, 1, "open"), (1, -1, "open"), (-1, 1, "open")],
)
def test_a_policy_is_not_optimal_if_it_loses_and_another_scores_more(
    loss, better, verdict, monkeypatch
):
    worth = [SimpleNamespace(action=CREATE, value=9 + loss)]
    worth += [SimpleNamespace(action=PROMOTE, value=9)]
    monkeypatch.setattr(policies, "solve", lambda _: SimpleNamespace(actions=lambda *_: worth))
    means = {"PromoOnce": mpq(5), "NewOnly": 5 + mpq(better)}
    monkeypatch.setattr(policies, "exact_moments", lambda policy, _: (means[policy.name], mpq(0)))
    monkeypatch.setattr(policies, "text", str)
    found = policies._not_optimal(30, PromoOnce(), NewOnlyPolicy(), 3)
    assert (found.verdict, found.evidence["loss"]) == (verdict, str(loss))


@pytest.mark.parametrize(
    ("means", "verdict"),
    [
        ({"a": 3, "b": 1, "c": 0, "left out": 9}, "proved"),
        ({"a": 2, "b": 1, "c": 0, "left out": 9}, "refuted"),
        ({"a": 3, "b": 0, "c": 2, "left out": 9}, "refuted"),
        ({"a": 1, "b": 0, "c": 0, "left out": 9}, "refuted"),
    ],
)
def test_the_best_of_a_list_lies_above_a_number_and_all_others_below(means, verdict, monkeypatch):
    monkeypatch.setattr(policies, "FIGURES", {7: dict.fromkeys(means)})
    monkeypatch.setattr(policies, "_mean", lambda name, rounds: mpq(means[name]) + 0 * rounds)
    found = policies._best_of_list(7, "a", 2, lambda name: name == "left out")
    assert (found.verdict, found.evidence) == (verdict, {"divides": "2", "others": 2})


@pytest.mark.parametrize(
    ("claim", "rounds", "best", "divides", "left_out"),
    [
        ("swe.30-rounds-best-of-list", 30, "PromoOnce", 92, lambda name: name == "Rand(1)"),
        (
            "swe.100-rounds-best-as-run",
            100,
            "Promo",
            645,
            lambda name: name.startswith("Rand") or "Then" in name,
        ),
    ],
)
def test_lists_of_the_readme_are_those_that_a_claim_says(
    claim, rounds, best, divides, left_out, monkeypatch
):
    """In 30 rounds all but the one that creates always, in 100 all that ran without lots."""
    asked = []

    def mean(name, of):
        assert of == rounds
        asked.append(name)
        return mpq(divides) + (mpq(1, 2) if name == best else mpq(-1, 2))

    monkeypatch.setattr(policies, "_mean", mean)
    found = policies.FINDERS[claim]()
    listed = [name for name in FIGURES[rounds] if not left_out(name)]
    assert sorted(asked) == sorted(listed)
    assert found.verdict == "proved"
    assert found.evidence == {"divides": str(divides), "others": len(listed) - 1}


@pytest.mark.parametrize(
    ("claim", "rounds", "other", "last"),
    [("swe.30-rounds", 30, "OnceThenNew", 3), ("swe.100-rounds", 100, "PromoThenNew(9/10)", 10)],
)
def test_a_policy_that_is_not_optimal_is_compared_in_the_rounds_of_its_claim(
    claim, rounds, other, last, monkeypatch
):
    played = {30: "PromoOnce", 100: "Promo"}[rounds]
    means = {(other, rounds): mpq(2), (played, rounds): mpq(1)}
    monkeypatch.setattr(
        policies, "exact_moments", lambda policy, of: (means[policy.name, of], mpq(0))
    )
    found = policies.FINDERS[claim]()
    assert (found.verdict, found.evidence["creating_last"]) == ("refuted", last)
    assert (found.evidence["better_above"], found.evidence["below"]) == ("2", "1")


@pytest.mark.parametrize(("above", "verdict"), [(647, "refuted"), (646, "open"), (645, "open")])
def test_the_best_of_a_hundred_rounds_is_judged_by_its_mean(above, verdict, monkeypatch):
    def moments(policy, rounds):
        assert (policy.name, rounds) == ("PromoThenNew(9/10)", 100)
        return mpq(above), mpq(0)

    def mean(name, rounds):
        assert (name, rounds) == ("Promo", 100)
        return mpq(646)

    monkeypatch.setattr(policies, "exact_moments", moments)
    monkeypatch.setattr(policies, "_mean", mean)
    found = policies._hundred_best()
    assert found.verdict == verdict
    assert (found.evidence["better_above"], found.evidence["below"]) == (str(above), "646")


@pytest.mark.parametrize("changes", [True, False])
def test_rankings_are_in_the_order_of_the_means(changes, monkeypatch):
    means = {"NewOnly": 3, "PromoOnce": 2, "Promo": 1}
    monkeypatch.setattr(
        policies, "_mean", lambda name, rounds: means[name] * (-1 if changes and rounds > 50 else 1)
    )
    found = policies._rankings_change()
    order = "NewOnly > PromoOnce > Promo"
    turned = "Promo > PromoOnce > NewOnly" if changes else order
    assert found.evidence == {"in_10": order, "in_30": order, "in_100": turned}
    assert found.verdict == ("proved" if changes else "refuted")


@pytest.mark.parametrize(
    ("variance", "most", "chance", "verdict"),
    [(2, 2, "1/4", "proved"), (1, 2, "1/4", "open"), (0, 2, "1/4", "open"), (2, 3, "0", "open")],
)
def test_variance_pays_only_with_more_of_it_and_with_a_chance(
    variance, most, chance, verdict, monkeypatch
):
    """Of three rounds, put in as the first in which PromoOnce has the greater mean."""
    moments = {"PromoOnce": (mpq(1), mpq(1)), "NewOnly": (mpq(0), mpq(variance))}
    laws = {"PromoOnce": {0: 1, most: 1}, "NewOnly": {1: 2, 2: 1, 3: 1}}
    asked = []

    def known(name, rounds):
        asked.append(rounds)
        return moments[name] if rounds == 3 else (mpq(0), mpq(0))

    monkeypatch.setattr(policies, "_moments", known)
    monkeypatch.setattr(
        policies,
        "exact_distribution",
        lambda policy, _: SimpleNamespace(distribution=lambda: Distribution(laws[policy.name])),
    )
    found = policies._variance_pays()
    assert found.verdict == verdict
    assert found.evidence == {"chance": chance, "most": most, "rounds": 3}
    assert sorted(set(asked)) == [2, 3]


def test_moments_of_policies_that_draw_lots_are_cut_off_after_twelve_digits(monkeypatch):
    figures = {name: FIGURES[30][name] for name in ("Rand(0.5)", "Rand(1)", "Promo")}
    monkeypatch.setattr(policies, "FIGURES", {30: figures})
    monkeypatch.setattr(policies, "_moments", lambda *_: (mpq(200, 3), mpq(1000, 7)))
    found = policies._drawn_means().evidence
    mean, variance = mpq(66666666666666, 10**12), mpq(142857142857142, 10**12)
    assert found["moments"] == {"Rand(0.5)": [text(mean), text(variance)]}
    assert found["programs"] == [
        f"swe_means 4,6,8,12,20 30 0.5 {text(mean)} {text(variance)} 1/1000000000"
    ]
    assert found["listed"].startswith("Rand(0.5) ")


@pytest.mark.parametrize(
    ("printed", "variance", "hundredths"),
    # Of 10 000 games a mean of deviation 2 has the standard error 1/50: 3/100 above is 1.5 of it.
    [("5.03", 4, 150), ("4.97", 4, -150), ("5", 4, 0), ("5.0001", 4, 0), ("5.06", 4, 300)],
)
def test_distances_are_hundredths_of_a_standard_error(printed, variance, hundredths, monkeypatch):
    monkeypatch.setattr(policies, "GAMES", 10_000)
    assert policies._distance(printed, mpq(5), mpq(variance)) == hundredths


@pytest.mark.parametrize(
    ("distances", "verdict", "listed"),
    [
        ((300, -7), "proved", "a 1.5 (+3.00), b 2.5 (−0.07)"),
        ((0, -300), "proved", "a 1.5 (+0.00), b 2.5 (−3.00)"),
        ((-12, 301), "refuted", "a 1.5 (−0.12), b 2.5 (+3.01)"),
        ((-301, 150), "refuted", "a 1.5 (−3.01), b 2.5 (+1.50)"),
    ],
)
def test_printed_means_are_near_up_to_three_standard_errors(
    distances, verdict, listed, monkeypatch
):
    figures = {"a": SimpleNamespace(mean="1.5"), "b": SimpleNamespace(mean="2.5")}
    monkeypatch.setattr(policies, "FIGURES", {7: figures})
    of = dict(zip(("1.5", "2.5"), distances, strict=True))
    monkeypatch.setattr(policies, "_distance", lambda printed, *_: of[printed])
    found = policies._compared(7, {"a": (mpq(0), mpq(1)), "b": (mpq(0), mpq(1))})
    assert (found.verdict, found.evidence) == (verdict, {"listed": listed})


def test_the_policy_that_departs_late_creates_in_its_last_three_rounds():
    turn = SimpleNamespace(rounds=8, ladder=STANDARD)
    lone = (1, 0, 0, 0, 0)
    for now in range(2, 9):
        turn.round = now
        late = policies._OnceThenNew().improvements(lone, turn, 0)
        assert late == {CREATE if now > 5 else PROMOTE: 1}


@pytest.mark.parametrize("several", [True, False])
def test_fixes_that_are_not_unique_are_counted_as_plain_search_does(several, monkeypatch):
    """Choices put in: of scores up to 4 two fixes are best, of greater ones the first alone."""
    rounds = 5
    solution = solve(rounds)

    def choices(state, left):
        fixes = tuple(legal_actions(state))
        halves = [(0, 4, fixes[: 1 + several]), (5, 99, fixes[:1])]
        return [SimpleNamespace(low=x, high=y, actions=who) for x, y, who in halves]

    monkeypatch.setattr(optimal_play, "_ROUNDS_UNIQUE", rounds)
    faked = SimpleNamespace(
        start=solution.start, with_least_score=lambda state, _: state, choices=choices
    )
    monkeypatch.setattr(optimal_play, "_solution", lambda _: faked)
    found = optimal_play._fixing_is_unique()
    states = [
        (rounds - played, score)
        for played, layer in enumerate(reachable(Oracle(STANDARD), solution.start, rounds - 1))
        for _, legacy, score in layer
        if sum(map(bool, legacy)) > 1
    ]
    assert found.evidence["cases"] == sum(left for left, _ in states)
    exceptions = sum(left for left, score in states if score <= 4) if several else 0
    assert found.evidence["exceptions"] == exceptions
    assert found.verdict == ("open" if several else "proved")


@pytest.mark.parametrize(
    ("off", "verdict"), [("1/100000000000001", "proved"), ("1/100000000000000", "refuted")]
)
@pytest.mark.parametrize("sign", [1, -1])
def test_the_printed_optimum_is_off_by_less_than_ten_to_the_minus_fourteen(
    off, verdict, sign, monkeypatch
):
    printed = mpq(20483601957243238, 10**15)
    monkeypatch.setattr(optimal_play, "_start", lambda _: printed + sign * mpq(off))
    found = optimal_play._printed_optimum()
    assert (found.verdict, found.evidence["off_by"]) == (verdict, off)


@pytest.mark.parametrize(
    ("differs", "gain", "verdict"),
    [(99, 1, "proved"), (99, 0, "open"), (0, 1, "open"), (11, 1, "open"), (12, 1, "proved")],
)
def test_creating_is_optimal_up_to_eleven_rounds_and_no_longer(differs, gain, verdict, monkeypatch):
    monkeypatch.setattr(
        optimal_play,
        "_start",
        lambda rounds, ladder=STANDARD: mpq(rounds + (rounds == differs and ladder == STANDARD)),
    )

    def actions(state, left):
        assert (state, left) == (State((1, 0, 0, 0, 0), (0,) * 5, 1), 11)
        return [SimpleNamespace(value=mpq(5)), SimpleNamespace(value=mpq(5 + gain))]

    monkeypatch.setattr(optimal_play, "_solution", lambda _: SimpleNamespace(actions=actions))
    found = optimal_play._until_eleven()
    twelve = text(mpq(differs == 12))
    assert found.evidence == {"gain": str(gain), "last": 11, "twelve": twelve}
    assert found.verdict == verdict
