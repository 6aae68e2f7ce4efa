"""Strategies of hypothesis for questions, from one strategy per domain.

Each question is read back from all its forms.
"""

import json
import pickle

from hypothesis import strategies as st

from exactdice.errors import ExactDiceError
from exactdice.formats.questions import Queries
from exactdice.games.risk.questions import RoundDistributions
from exactdice.games.risk.rules import Feature, Territories
from exactdice.question import domains
from exactdice.rooms import question

_WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1)


def values_of(domain, more=()):
    """Values of a domain, as somebody may give them; `more` adds strategies by domain type."""
    for kind, strategy in more:
        if isinstance(domain, kind):
            return strategy
    match domain:
        case domains.OneOf():
            return st.sampled_from(domain.words)
        case domains.Text() if domain.words:
            return st.sampled_from(domain.words)
        case domains.Text():
            return _WORDS.filter(str.strip)
        case domains.Whole():
            most = domain.most if domain.most is not None else domain.least + 10**30
            return st.integers(domain.least, most)
        case domains.Probability():
            return st.fractions(0, 1).map(str)
        case domains.Rational():
            return st.fractions().map(str)
        case domains.Flag():
            return st.booleans()
        case domains.Listed():
            return st.lists(values_of(domain.of, more), min_size=1, max_size=5)
        case domains.File():
            return st.sampled_from(["a.csv", "folder/b c.csv", "-x", "a.drn", "b c.umb", "-d.nfg"])
        case Queries():
            label = _WORDS.map(lambda words: " ".join(words.split())).filter(str.strip)
            least = st.sampled_from(["min", "max"])
            aim = st.one_of(st.just("reward"), label.map("reach {}".format))
            return st.tuples(least, aim).map(" ".join)
        case RoundDistributions():
            rounds = st.tuples(st.integers(1, 20), st.integers(1, 10**30))
            return st.lists(rounds, min_size=1, max_size=5).map(
                lambda listed: ";".join(f"1v{d}:0,{weight}" for d, weight in listed)
            )
        case Territories():
            features = st.lists(st.sampled_from(list(Feature)), unique=True).map("+".join)
            defenders = st.integers(1, 10**30)
            return defenders | st.tuples(defenders, features.filter(bool)).map(
                "{0[0]}:{0[1]}".format
            )
        case domains.Memory():
            return st.one_of(st.none(), st.integers(1, 2**50))
    raise NotImplementedError(f"a strategy for {type(domain).__name__}")


@st.composite
def questions(draw, asked, more=()):
    """Questions of a class; of values that do not go together the one that is blamed is left out.

    None where that is one that has to be given.
    """
    fields = {}
    for parameter in asked.parameters():
        if not parameter.is_required and draw(st.booleans()):
            continue
        strategy = values_of(parameter.domain, more)
        if parameter.is_many:
            least = 1 if parameter.is_required else 0
            strategy = st.lists(strategy, min_size=least, max_size=4).map(tuple)
        fields[parameter.field] = draw(strategy)
    required = {parameter.field for parameter in asked.parameters() if parameter.is_required}
    while True:
        try:
            return asked(**fields)
        except ExactDiceError as problem:
            blamed = getattr(problem, "argument", "").replace("-", "_")
            if blamed in required or blamed not in fields:
                return None
            del fields[blamed]


def comes_back(made):
    text = str(made)
    read = question(text)
    assert read == made
    assert str(read) == text
    assert hash(read) == hash(made)
    written = json.dumps(made.to_json())
    read = question(json.loads(written))
    assert read == made
    assert read.to_json() == made.to_json()
    assert question(written) == made
    assert pickle.loads(pickle.dumps(made)) == made  # noqa: S301 - our own
