"""The five games as pages: the general solver against the solver of each game."""

import pytest
from test_book import accepted

from exactdice import ask
from exactdice.book import PAGES, load
from exactdice.games import farkle, fatestones, reroll, risk, swe

#: The value of each variant by the game's own solver, which shares no code with the general one,
#: except for the choice of dice in Risk and the reroll game: those also solve `Game`s.
OWN = {
    ("risk", "4-2"): lambda: risk.solve(4, 2).value,
    ("risk", "21-20"): lambda: risk.solve(21, 20).value,
    **{
        ("risk", order): lambda order=order: risk.dice_game(4, 2, order).value
        for order in ("announced", "simultaneous", "after")
    },
    **{("swe", str(n)): lambda n=n: swe.solve(n).value for n in range(1, 6)},
    **{
        ("reroll", str(n)): lambda n=n: reroll.solve(reroll.RerollRules(dice=n)).value
        for n in range(3, 6)
    },
    **{
        ("farkle", str(n)): lambda n=n: farkle.solve(rules=farkle.KCD.varied(target=n)).value
        for n in (300, 1000)
    },
    ("fatestones", "two"): lambda: fatestones.solve("111666,123456", "114456,333336").value,
    ("fatestones", "three"): lambda: (
        fatestones.solve("144444,222555,333336", "111666,123456,225555").value
    ),
}


def test_every_variant_has_an_own_value():
    games = {"risk", "swe", "reroll", "farkle", "fatestones"}
    listed = {(name, variant) for name in games for variant in PAGES[name].variants}
    assert listed == {*OWN}


@pytest.mark.parametrize(("name", "variant"), OWN)
def test_the_page_of_a_game_agrees_with_its_solver(name, variant):
    answer = load(name, variant).answer()
    assert answer.value.exact == OWN[name, variant]()
    answer.optimum.certificate().check(answer.optimum.model.game)


def test_pages_of_the_five_games_print_values_advise_and_write_certificates(tmp_path):
    # 6610505/10077696 is printed in the Risk post, 103369/7744 proved in proofs/theorems (claim
    # reroll.optimal-play), as is sticking on three ones.
    report = ask(f"book risk --certificate {tmp_path / 'proof'}")
    assert report.value("verdict") == "6610505/10077696: confirmed"
    assert " is 6610505/10077696 " in accepted(tmp_path / "proof")
    assert str(load("reroll").answer().value) == "103369/7744"
    advice = ask("book reroll --state '(1, 1, 1)'")
    assert advice.table("choices").rows[0][:2] == ("(0, 1, 2)", 0)
