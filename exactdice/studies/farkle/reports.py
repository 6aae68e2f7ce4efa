"""Report of the figures that the Farkle README prints."""

from collections.abc import Sequence

from exactdice.games.farkle.reports import turn_conventions
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.exact import SIX_FAIR, Overshoot
from exactdice.report.model import Report, Table, exact, flag, text_column, whole
from exactdice.studies.farkle.readme import ReadmeFigure


def readme_report(statements: Sequence[ReadmeFigure]) -> Report:
    """Report what the KCD Farkle README states and what is computed."""
    refuted = sum(not s.agrees for s in statements)
    return Report.of(
        "Farkle: the KCD Farkle README checked",
        turn_conventions(KCD, SIX_FAIR, Overshoot.FULL),
        whole("checked", "figures that are checked")(len(statements)),
        whole("refuted", "figures that do not agree")(refuted),
        Table.of(
            "statements",
            "Figures of the KCD Farkle README",
            statements,
            text_column("about", "what is counted or valued"),
            text_column("printed", "figure as printed"),
            exact("computed", "exact number"),
            flag("agrees", "whether the figure is the number, rounded or cut off"),
            text_column("note", "what to know about it"),
        ),
    )
