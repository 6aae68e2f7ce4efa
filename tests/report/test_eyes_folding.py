"""Texts folded at spaces, against the standard library."""

import textwrap

from hypothesis import given
from hypothesis import strategies as st

from exactdice.report.eyes import folded

words = st.lists(st.text("ab-é", min_size=1, max_size=12), max_size=8).map(" ".join)


@given(words, st.integers(1, 12))
def test_a_text_is_folded_as_by_the_standard_library(text, width):
    wrapped = textwrap.wrap(text, width, break_on_hyphens=False)
    assert folded(text, width) == ([line.rstrip() for line in wrapped] or [""])
