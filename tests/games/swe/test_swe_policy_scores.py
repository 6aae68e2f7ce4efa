"""The scores that `swe policy` tells of, against listing all play, state by state."""

from itertools import groupby

import pytest
from swe_oracle import Oracle, moves

from exactdice.games.swe.rules import Ladder, empty_table
from exactdice.rooms import ask


def states(command):
    table = ask(command).table("states")
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def played(oracle, rounds, *, optimally):
    """Yield each (round, revenue, legacy, score) that any play meets, or optimal play alone."""
    layer = {tuple(empty_table(Ladder(*oracle.faces)))}
    for now in range(1, rounds + 1):
        yield from ((now, *state) for state in layer)
        after = set()
        for revenue, legacy, score in layer:
            worth = oracle.worth((revenue, legacy, score), rounds - now + 1)
            for move, dice in moves(revenue, legacy).items():
                if not optimally or worth[move] == max(worth.values()):
                    after |= {state for _, state in oracle.ends(*dice, score)}
        layer = after


@pytest.mark.parametrize("path", [False, True])
def test_policy_tells_of_the_scores_that_are_reached_and_of_no_others(path):
    option = " --path" if path else ""
    rows = states(f"swe policy 8 --ladder 2,9 --legacy{option}")
    reached = {}
    for now, revenue, legacy, score in played(Oracle(Ladder(2, 9)), 8, optimally=path):
        reached.setdefault((now, revenue, legacy), set()).add(score)
    spans = {}
    for row in rows:
        key = row["round"], tuple(row["revenue"]), tuple(row["legacy"])
        assert {row["low"], row["high"]} <= reached[key]
        spans.setdefault(key, []).append(range(row["low"], row["high"] + 1))
    assert spans.keys() == reached.keys()
    for key, scores in reached.items():
        assert all(sum(score in span for span in spans[key]) == 1 for score in scores)


def test_decisions_are_listed_where_creating_is_not_always_the_first_optimal_action():
    """Wholly by plain search: by number of dice, the most robust dice last, and by rounds."""
    faces = (2, 9)
    oracle, first = Oracle(Ladder(*faces)), {}
    for now, revenue, legacy, score in played(oracle, 8, optimally=True):
        if not any(legacy):
            worth = oracle.worth((revenue, legacy, score), 9 - now)
            best = next(
                move for move in moves(revenue, legacy) if worth[move] == max(worth.values())
            )
            first.setdefault((revenue, now), {})[score] = f"{best[0]} d{faces[best[1]]}"
    varied = {revenue for (revenue, _), of in first.items() if set(of.values()) != {"create d2"}}
    expected = []
    for revenue, now in sorted(first, key=lambda at: (sum(at[0]), at[0][::-1], at[1])):
        of = first[revenue, now]
        stretches = [list(part) for _, part in groupby(sorted(of), of.get)]
        named = ", ".join(f"{n} d{f}" for n, f in zip(revenue, faces, strict=True) if n)
        if revenue in varied:
            expected += [
                (named, now, low, high, len(part), of[low], len(stretches) > 1)
                for part in stretches
                for low, high in [(part[0], part[-1])]
            ]
    assert any(row[-1] for row in expected)
    assert ask("swe policy 8 --ladder 2,9 --path --first").table("states").rows == tuple(expected)


def test_a_lone_d4_always_has_a_score_of_one():
    # It was in legacy before every round but its first: whatever failed before was a catastrophe.
    for option in ("", " --path"):
        rows = states(f"swe policy 13{option}")
        lone = [row for row in rows if tuple(row["revenue"]) == (1, 0, 0, 0, 0)]
        assert [(row["round"], row["low"], row["high"]) for row in lone] == [
            (now, 1, 1) for now in range(2, 14)
        ]
