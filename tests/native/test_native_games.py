"""The C++ solver of FateStones, in exact arithmetic."""

import pytest

from exactdice import native

pytestmark = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")
