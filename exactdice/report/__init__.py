"""Reports: the model of a result, its writers and readers, and results that have a report.

A notebook calls ``_repr_html_`` and ``_repr_latex_`` of the last value of a cell. Result classes
inherit both from `Reported` and name the function that makes their report.
"""

from typing import TYPE_CHECKING, Any, ClassVar

from exactdice.linked import linked

if TYPE_CHECKING:
    from exactdice.report.model import Report


class Reported:
    """A result that a notebook shows as its report, made by the function that `by` names."""

    __slots__ = ()

    reported_by: ClassVar[str]

    def __init_subclass__(cls, by: str = "") -> None:
        super().__init_subclass__()
        if by:
            cls.reported_by = by

    def report(self) -> "Report":
        report: Report = linked(self.reported_by)(self)
        return report

    def to_json(self) -> str:
        return self.report().to_json()

    def to_pandas(self) -> Any:
        return self.report().to_pandas()

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()

    def _repr_latex_(self) -> str:
        return self.report()._repr_latex_()
