"""Claims: their model, their certificates, the register, and what verification notices."""

import json
import shutil
import sys
from functools import cache
from itertools import groupby, pairwise
from types import SimpleNamespace

import pytest
from gmpy2 import mpq

from exactdice.arithmetic import text, to_fraction
from exactdice.claims.certificates import (
    ClaimCertificateError,
    canonical,
    certificate_of,
    read_certificate,
)
from exactdice.claims.model import Finding
from exactdice.claims.recomputation import CITED, register, verify, write_proofs
from exactdice.claims.sentences import checkout, trusted
from exactdice.errors import InputError, OutputError
from exactdice.games.swe.laws.players import Promo, PromoOnce
from exactdice.games.swe.new_only import NewOnly
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import STANDARD, Action, ActionKind, Ladder
from exactdice.jobs.claims import CLAIMS, claim_named
from exactdice.rooms import question
from exactdice.run import Run
from exactdice.studies.swe.claims import policies
from exactdice.studies.swe.claims.optimal_play import first_splitting, flip
from exactdice.studies.swe.claims.policies import _not_optimal
from exactdice.studies.swe.claims.structure import _clear, _tables

ROOT = checkout()

# The plain search over whole states lies beside the tests of the game.
sys.path.append(str(ROOT / "tests" / "games" / "swe"))
from swe_oracle import Oracle, moves, reachable  # noqa: E402

QUICK = [claim for claim in CLAIMS if claim.find and not claim.is_long]


def test_ids_are_unique_and_name_their_game():
    ids = [claim.id for claim in CLAIMS]
    assert len(ids) == len(set(ids))
    assert {name.split(".")[0] for name in ids} == {"swe", "risk", "reroll", "farkle", "fatestones"}


def test_a_claim_rests_on_claims_theorems_and_cited_facts_that_exist():
    theorems = (ROOT / "proofs" / "theorems" / "THEOREMS.md").read_text(encoding="utf-8")
    for claim in CLAIMS:
        assert set(claim.cites) <= CITED.keys()
        for name in claim.depends_on:
            if name.startswith("theorem "):
                assert f"## {name.capitalize()}:" in theorems
            else:
                claim_named(name)


def test_only_claims_with_a_certificate_have_a_verdict():
    for claim in CLAIMS:
        if claim.find is None:
            assert not (ROOT / "proofs" / "certificates" / f"{claim.id}.json").exists()
            assert "vidence" in claim.note


def test_the_register_is_not_stale():
    folder = ROOT / "proofs" / "certificates"
    certificates = {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}
    assert register(CLAIMS, certificates) == (ROOT / "CLAIMS.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("claim", QUICK, ids=lambda claim: claim.id)
def test_computing_a_claim_gives_its_certificate_byte_for_byte(claim):
    (outcome,) = verify([claim], ROOT)
    assert outcome.problem == ""
    assert outcome.recomputed


@pytest.mark.long
@pytest.mark.parametrize("claim", [c for c in CLAIMS if c.is_long], ids=lambda claim: claim.id)
def test_computing_a_long_claim_gives_its_certificate_byte_for_byte(claim):
    (outcome,) = verify([claim], ROOT, from_scratch=True)
    assert (outcome.problem, outcome.recomputed) == ("", True)


def test_long_claims_are_read_only():
    long = [claim for claim in CLAIMS if claim.is_long]
    for outcome in verify(long, ROOT):
        assert (outcome.problem, outcome.recomputed) == ("", False)


@pytest.fixture
def copy(tmp_path):
    shutil.copytree(ROOT / "proofs" / "certificates", tmp_path / "proofs" / "certificates")
    return tmp_path


def problem_of(root, claim):
    (outcome,) = verify([claim_named(claim)], root)
    return outcome.problem


def test_what_differs_is_noticed_with_its_place(copy):
    path = copy / "proofs" / "certificates" / "reroll.states.json"
    path.write_bytes(path.read_bytes().replace(b": 56", b": 57"))
    place = path.read_bytes().index(b"57") + 1
    assert problem_of(copy, "reroll.states").endswith(f"differs from what is found at byte {place}")


def test_a_missing_certificate_is_noticed(copy):
    (copy / "proofs" / "certificates" / "reroll.states.json").unlink()
    assert "No such file" in problem_of(copy, "reroll.states")


def test_a_folder_in_the_place_of_a_certificate_is_noticed(copy):
    path = copy / "proofs" / "certificates" / "reroll.states.json"
    path.unlink()
    path.mkdir()
    problem = "certificate: reroll.states.json is no plain file"
    assert problem_of(copy, "reroll.states") == problem


def test_proofs_of_which_a_file_is_missing_are_an_error(copy, monkeypatch):
    monkeypatch.setattr("exactdice.claims.sentences.checkout", lambda: copy)
    with pytest.raises(OutputError, match=r"proofs: no TRUST.md in .*; check it out again"):
        trusted(claim_named("swe.never-skip"))


@pytest.mark.parametrize("digits", [18, 19])
def test_whole_numbers_have_eighteen_digits_at_most(digits):
    raw = canonical("9" * digits).replace('"', "").encode()
    wanted = "its keys" if digits == 18 else f"18 digits: {'9' * 19}$"
    with pytest.raises(ClaimCertificateError, match=wanted):
        read_certificate(raw)


def test_a_certificate_may_have_as_many_bytes_as_it_may():
    empty = len(certificate_of(CLAIMS[0], Finding("proved", {"long": ""})))
    most = Finding("proved", {"long": "1" * (5_000_000 - empty)})
    raw = certificate_of(CLAIMS[0], most)
    assert len(raw) == 5_000_000
    assert read_certificate(raw)["evidence"] == most.evidence
    with pytest.raises(ClaimCertificateError, match="more than 5000000 bytes"):
        read_certificate(raw + b" ")
    with pytest.raises(InputError, match="got 5000001; give a certificate of at most 5000000"):
        certificate_of(CLAIMS[0], Finding("proved", {"long": most.evidence["long"] + "1"}))


def test_a_certificate_of_another_claim_is_noticed(copy):
    folder = copy / "proofs" / "certificates"
    shutil.copy(folder / "reroll.states.json", folder / "fatestones.good-play.json")
    assert problem_of(copy, "fatestones.good-play") == "certificate: it is that of reroll.states"


def test_writing_gives_what_verification_accepts(tmp_path):
    few = tuple(claim_named(name) for name in ("reroll.states", "swe.lattice-points"))
    few += tuple(claim for claim in CLAIMS if claim.find is None)
    (tmp_path / "proofs" / "certificates").mkdir(parents=True)
    written = write_proofs(few, tmp_path, lambda path, content: path.write_bytes(content))
    assert written == {"reroll.states": "proved", "swe.lattice-points": "proved"}
    assert [outcome.problem for outcome in verify(few, tmp_path)] == [""] * len(few)
    assert "| reroll.states | proved |" in (tmp_path / "CLAIMS.md").read_text(encoding="utf-8")


def test_a_checkout_without_certificates_is_an_error(monkeypatch, tmp_path):
    place = tmp_path / "site-packages" / "exactdice" / "claims" / "folder.py"
    monkeypatch.setattr("exactdice.claims.sentences.__file__", str(place))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError, match="no certificates"):
        checkout()


@pytest.mark.parametrize("packages", ["", "lib/python3.11/site-packages", "lib/python"])
def test_certificates_are_looked_for_above_the_package(monkeypatch, tmp_path, packages):
    """Where pip puts them: with --target beside it, else in the folder of the environment."""
    place = tmp_path / packages / "exactdice" / "claims" / "sentences.py"
    monkeypatch.setattr("exactdice.claims.sentences.__file__", str(place))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "share" / "exactdice" / "proofs" / "certificates").mkdir(parents=True)
    assert checkout() == tmp_path / "share" / "exactdice"


def test_an_installed_package_verifies_in_an_unpacked_source_distribution(monkeypatch, tmp_path):
    place = tmp_path / "site-packages" / "exactdice" / "claims" / "folder.py"
    monkeypatch.setattr("exactdice.claims.sentences.__file__", str(place))
    monkeypatch.chdir(ROOT)
    (outcome,) = question("verify risk.one-against-one").answer(Run()).tables[0].rows
    assert "proved" in outcome


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b" " * 5_000_001, "more than"),
        (b"\xff", "ascii"),
        (b"[" * 100_000, "certificate: "),
        (b"1" * 19, "18 digits"),
        (b"1.5", "no whole number"),
        (b"NaN", "no whole number"),
        (b"{}", "canonically"),
        (b"{}\n", "its keys"),
        (canonical(dict.fromkeys(read_certificate.__globals__["_KEYS"], 1)).encode(), "its format"),
    ],
    ids=lambda part: str(part[:10]),
)
def test_malformed_certificates_are_refused(raw, why):
    with pytest.raises(ClaimCertificateError, match=why) as refused:
        read_certificate(raw)
    assert "\n" not in str(refused.value)


def test_a_certificate_too_large_is_refused():
    with pytest.raises(InputError, match="at most 5000000 bytes"):
        certificate_of(CLAIMS[0], Finding("proved", {"long": "1" * 5_000_001}))


def test_unknown_names_are_refused():
    for verdict in ("true", "verified", "proved up to 3", "open\n"):
        with pytest.raises(InputError, match="verdict"):
            Finding(verdict, {})
    with pytest.raises(InputError, match="the id of a claim"):
        claim_named("reroll.chess")


@pytest.mark.parametrize(("edge", "verdict"), [("1/25", "refuted"), ("3/100", "open")])
def test_good_play_is_judged_by_the_margin(edge, verdict, monkeypatch):
    found = SimpleNamespace(edge=mpq(edge), duel_value=mpq(1), scratch=mpq(0), deals=1)
    monkeypatch.setattr("exactdice.studies.fatestones.claims.best_response", lambda: found)
    assert claim_named("fatestones.good-play").find().verdict == verdict


def test_the_score_never_matters_in_short_games(monkeypatch):
    # The search of the checker over all tables finds none up to 15 rounds either.
    monkeypatch.setattr("exactdice.studies.swe.claims.optimal_play._ROUNDS", 5)
    finding = claim_named("swe.score-never-matters").find()
    assert finding.verdict == "verified up to 5"
    assert finding.evidence == {"on_path": None, "smallest": None}


# Games in which several states split at once, others where play from the start meets one later.
SPLITTING = [(8, (2, 9)), (6, (2, 20)), (6, (2, 4, 12)), (6, (2, 20, 40)), (6, (2, 3, 5, 60))]


@pytest.mark.parametrize("path", [False, True])
@pytest.mark.parametrize(("rounds", "faces"), SPLITTING)
def test_where_the_score_matters_is_found_by_plain_search(rounds, faces, path):
    """By comparing all values at all scores; the search below knows no lines."""
    solution = solve(rounds, Ladder(*faces))
    assert first_splitting(solution, path=path) == searched(rounds, faces, path)


@pytest.mark.parametrize(("rounds", "faces"), SPLITTING)
def test_neighbouring_scores_with_other_actions_are_found_by_plain_search(rounds, faces):
    solution, oracle = solve(rounds, Ladder(*faces)), Oracle(faces)
    found = first_splitting(solution)
    game, played, *table, _ = found
    optimal = {}
    for state in sorted(reachable(oracle, ((0,) * len(faces),) * 2 + (0,), played)[played]):
        if [list(dice) for dice in state[:2]] == table:
            worth = oracle.worth(state, game - played)
            best = [move for move in worth if worth[move] == max(worth.values())]
            optimal[state[2]] = {f"{kind} {rung}" for kind, rung in best}
    ends = next((x, y) for x, y in pairwise(optimal) if optimal[x] != optimal[y])
    scores, actions = flip(solution, found)
    assert tuple(scores) == ends
    assert [set(names) for names in actions] == [optimal[end] for end in ends]


@cache
def chance_to_clear(rounds, revenue, legacy):
    """The greatest chance that no legacy is left after at most so many rounds, by plain search."""
    if not any(legacy):
        return 1
    if not rounds:
        return 0
    oracle = Oracle(STANDARD)
    return max(
        sum(
            chance * chance_to_clear(rounds - 1, *after[:2])
            for chance, after in oracle.ends(*dice, 0)
        )
        for dice in moves(revenue, legacy).values()
    )


def test_chances_to_clear_the_legacy_agree_with_plain_search():
    for table in _tables(5):
        for rounds in range(4):
            chance = chance_to_clear(rounds, table.revenue, table.legacy)
            assert to_fraction(_clear(rounds, table)) == chance


@pytest.mark.parametrize(
    ("claim", "faces", "lowest"),
    [("swe.promote-lowest-if-any", 5, 1), ("swe.d10-promote-lowest-if-any", 6, 0)],
)
def test_the_one_exception_of_a_long_game_is_told_as_its_certificate_says(
    claim, faces, lowest, monkeypatch
):
    """From values put in for those that take long: the loss that is stated, and half a unit."""
    path = ROOT / "proofs" / "certificates" / f"{claim}.json"
    certificate = read_certificate(path.read_bytes())
    told = certificate["evidence"]
    loss = mpq(told["loses_at_least"]) + mpq(1, 200_000)
    promote = (Action(ActionKind.PROMOTE, lowest), Action(ActionKind.PROMOTE, lowest + 1))
    values = {Action(ActionKind.CREATE, 0): mpq(0), promote[0]: 9 - loss, promote[1]: mpq(9)}

    def solved(rounds, ladder=STANDARD):
        def actions(state, left):
            dice = [list(state.revenue), list(state.legacy)]
            assert [rounds, rounds - left, *dice, state.score] == told["state"]
            assert len(ladder) == faces
            return [SimpleNamespace(action=action, value=values[action]) for action in values]

        return SimpleNamespace(actions=actions)

    monkeypatch.setattr("exactdice.studies.swe.claims.optimal_play.solve", solved)
    found = claim_named(claim).find()
    assert found.evidence == told
    assert str(found.verdict) == certificate["verdict"]
    values[Action(ActionKind.CREATE, 0)] = mpq(10)
    assert str(claim_named(claim).find().verdict) == "open"


def test_promoting_the_lone_die_in_the_last_round_loses_what_it_does_by_hand():
    """A second d4 is worth 1 + 3/2 - 1/16, as both must fail to lose the 1; a d6 5/6 of 1 + 1."""
    found = _not_optimal(2, Promo(), PromoOnce(), 2).evidence
    assert found["loss"] == text(1 + mpq(3, 2) - mpq(1, 16) - mpq(5, 6) * 2)


def test_creating_late_is_worse_only_if_it_is_in_each_of_the_games(monkeypatch):
    # In the last round all of two d4 fail with 1/16, and a d6 with 1/6: creating is safer.
    monkeypatch.setattr("exactdice.studies.swe.claims.structure._LATE", ((3, 8), (1, 1)))
    finding = claim_named("swe.create-late").find()
    assert finding.evidence["no_catastrophe"][1] == [1, 1, "15/16", "5/6"]
    assert finding.verdict == "open"


def searched(rounds, faces, path):
    oracle, empty = Oracle(faces), ((0,) * len(faces),) * 2
    for game in range(1, rounds + 1):
        layer, found = {(*empty, 0)}, []
        for played in range(game):
            best = {}
            for state in layer:
                worth = oracle.worth(state, game - played)
                top = max(worth.values())
                best[state] = {move for move in worth if worth[move] == top}
            for table, states in groupby(sorted(layer), key=lambda state: state[:2]):
                of = {state: best[state] for state in states}
                every = set.intersection(*of.values())
                odd = [state for state in of if of[state] - every]
                if odd:
                    dice = tuple(map(sum, zip(*table, strict=True)))
                    weight = sum(i * n for i, n in enumerate(dice, 1))
                    # The least score reached, as all scores of the table are given together.
                    found.append((played, weight, dice, *min(of)))
            layer = {
                after
                for state in layer
                for move, dice in moves(*state[:2]).items()
                if not path or move in best[state]
                for _, after in oracle.ends(*dice, state[2])
            }
        if found:
            played, _, _, up, down, score = min(found)
            return [game, played, list(up), list(down), score]
    return None


def test_the_gain_of_leaving_new_only_in_twelve_rounds():
    # V(12) = 26.0970676… by an independent exact program; new-only by its closed form.
    gain = claim_named("swe.new-only-until-eleven").find().evidence["twelve"]
    expected = mpq(260970676, 10**7) - NewOnly(4).expected_score(12)
    assert 0 <= mpq(gain) - expected < mpq(1, 10**7)


@pytest.mark.parametrize(
    ("name", "rounds"), [("swe.means-30-drawn", 30), ("swe.means-as-named", 10)]
)
def test_means_are_compared_in_as_many_rounds_as_the_claim_says(monkeypatch, name, rounds):
    """Moments that take minutes are those of the certificate, which programs of proofs check."""
    certificate = json.loads((ROOT / "proofs" / "certificates" / f"{name}.json").read_text("utf-8"))
    kept = certificate["evidence"].get("moments")

    def moments(policy, asked):
        assert asked == rounds
        return tuple(map(mpq, kept[policy])) if kept else exact(policy, asked)

    exact = policies._moments
    monkeypatch.setattr(policies, "_moments", moments)
    assert json.loads(json.dumps(claim_named(name).find().evidence)) == certificate["evidence"]
