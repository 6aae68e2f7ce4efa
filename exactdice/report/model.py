"""The table model in which every result is presented.

A `Report` answers one question. It has named single numbers (`Quantity`) and tables, and the
`Provenance` by which a reader can reproduce it. A `Column` describes its cells and their unit.
Cells are exact: rationals stay rationals until a writer adds a decimal, under the column's name
with ``_float`` appended.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from operator import attrgetter
from typing import Any, TypeAlias

from exactdice import __version__
from exactdice.arithmetic import mpq, mpz
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, Unquoted, one_named
from exactdice.linked import linked
from exactdice.origin import commit


@dataclass(frozen=True)
class Provenance:
    """The origin of an output, by which a reader can reproduce it."""

    command: str = ""  # without output options
    # conventions that the numbers depend on, in the order shown
    conventions: Mapping[str, str] = field(default_factory=dict)

    @property
    def producer(self) -> str:
        return f"exactdice {__version__}, commit {commit()}"


__all__ = ["Cell", "CellKind", "Column", "Formula", "Grid", "Quantity", "Report", "Table"]
__all__ += ["column_for", "enclosed", "exact", "flag", "listing", "number", "text_column", "whole"]

Cell: TypeAlias = "mpq | mpz | Enclosure | int | bool | str | tuple[Any, ...] | None"


def number(cell: Cell) -> mpq:
    """Return the exact number in a cell, or raise TypeError (a bug in this package).

    >>> number(3), number(None)
    Traceback (most recent call last):
    TypeError: None is no exact number
    """
    if isinstance(cell, mpq):
        return cell
    if isinstance(cell, int | mpz) and not isinstance(cell, bool):
        return mpq(cell)
    if isinstance(cell, Enclosure) and cell.point is not None:
        return cell.point
    raise TypeError(f"{cell!r} is no exact number")


class CellKind(StrEnum):
    """The kind of the cells of a column."""

    EXACT = "exact"  #: a rational, shown as p/q with its decimal
    ENCLOSURE = "enclosure"  #: a number between two rationals, shown as a decimal ± its error
    WHOLE = "whole"  #: an integer
    FLAG = "flag"  #: true or false
    TEXT = "text"
    LIST = "list"  #: a sequence of integers or texts, or of such sequences


class Formula(str):
    r"""Mathematics: plain text everywhere, and `latex` in LaTeX's mathematics mode.

    >>> half = Formula("1/2", r"\frac{1}{2}")
    >>> print(half, half.latex)
    1/2 \frac{1}{2}
    """

    __slots__ = ("latex",)
    latex: str

    def __new__(cls, plain: str, latex: str) -> "Formula":
        formula = super().__new__(cls, plain)
        formula.latex = latex
        return formula

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override] # for pickles
        return str(self), self.latex


_CELL_TYPES: dict[CellKind, tuple[type, ...]] = {
    CellKind.EXACT: (mpq, mpz, int, Enclosure),
    CellKind.ENCLOSURE: (Enclosure, mpq, mpz, int),
    CellKind.WHOLE: (int, mpz),
    CellKind.FLAG: (bool,),
    CellKind.TEXT: (str,),
    CellKind.LIST: (tuple, list),
}
#: Types of the cells of some kinds.
_GROUND_TYPES = {CellKind.EXACT: mpq, CellKind.WHOLE: int}


@dataclass(frozen=True)
class Column:
    """One column: its key, the meaning of its cells, their unit and kind.

    `heading` replaces the key in text, Markdown and LaTeX.
    """

    name: str
    meaning: str
    unit: str = ""
    kind: CellKind = CellKind.EXACT
    heading: str = ""

    @property
    def shown(self) -> str:
        """The heading for readers."""
        return self.heading or self.name.replace("_", " ")

    def check(self, cell: Cell) -> Cell:
        """Return the cell in its ground type, or raise TypeError (a bug in this package).

        Empty cells have one form, because CSV has only one: None, also for the empty text, or the
        empty list in a column of lists.
        """
        if type(cell) is _GROUND_TYPES.get(self.kind):
            return cell
        if cell is None or (self.kind is CellKind.TEXT and cell == ""):
            return () if self.kind is CellKind.LIST else None
        is_misplaced_flag = isinstance(cell, bool) and self.kind is not CellKind.FLAG
        if is_misplaced_flag or not isinstance(cell, _CELL_TYPES[self.kind]):
            raise TypeError(f"column {self.name}: {cell!r} is not of kind {self.kind}")
        if self.kind is CellKind.EXACT:
            return number(cell)
        if self.kind is CellKind.ENCLOSURE:
            return cell if isinstance(cell, Enclosure) else Enclosure.of(number(cell))
        if self.kind is CellKind.WHOLE:
            return int(number(cell))
        return tuple(cell) if isinstance(cell, list | tuple) else cell

    def __call__(self, cell: Cell) -> "Quantity":
        """Return a quantity with this column.

        >>> whole("rolls", "rolls made")(6).value
        6
        """
        return Quantity(self, cell)

    def by(self, cell_of: Callable[..., Any]) -> "tuple[Column, Callable[..., Any]]":
        """Pair the column with a function that computes its cell from an item, for `Table.of`."""
        return self, cell_of


#: A column, or one with a function that computes its cell from an item.
ColumnOf: TypeAlias = Column | tuple[Column, Callable[..., Any]]


def exact(name: str, meaning: str, unit: str = "", heading: str = "") -> Column:
    """Return a column of rationals."""
    return Column(name, meaning, unit, CellKind.EXACT, heading)


def enclosed(name: str, meaning: str, unit: str = "", heading: str = "") -> Column:
    """Return a column of numbers between two rationals."""
    return Column(name, meaning, unit, CellKind.ENCLOSURE, heading)


def column_for(cells: Iterable[Cell]) -> Callable[..., Column]:
    """Choose the column for some numbers: `exact` if all of them are known, otherwise `enclosed`.

    >>> half, open_one = Enclosure.of("1/2"), Enclosure(mpq(0), mpq(1))
    >>> column_for([half, mpq(3), None]) is exact, column_for([half, open_one]) is enclosed
    (True, True)
    """
    is_open = any(isinstance(cell, Enclosure) and cell.point is None for cell in cells)
    return enclosed if is_open else exact


def whole(name: str, meaning: str, unit: str = "", heading: str = "") -> Column:
    """Return a column of integers."""
    return Column(name, meaning, unit, CellKind.WHOLE, heading)


def flag(name: str, meaning: str, heading: str = "") -> Column:
    """Return a column of truth values."""
    return Column(name, meaning, "", CellKind.FLAG, heading)


def text_column(name: str, meaning: str, unit: str = "", heading: str = "") -> Column:
    """Return a column of text."""
    return Column(name, meaning, unit, CellKind.TEXT, heading)


def listing(name: str, meaning: str, unit: str = "", heading: str = "") -> Column:
    """Return a column of short sequences."""
    return Column(name, meaning, unit, CellKind.LIST, heading)


@dataclass(frozen=True)
class Grid:
    """The three columns of a table's two-way picture.

    Text, Markdown and LaTeX show `cell` as decimals with `down` as rows and `across` as columns,
    before the exact list, or instead of it if `is_alone`.
    """

    down: str
    across: str
    cell: str
    is_alone: bool = False


def _require_once(names: Sequence[str], what: str) -> None:
    if len(names) > len(set(names)):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(what, twice, "each name once")


@dataclass(frozen=True)
class Table:
    """Rows under described columns; `name` is the key of the rows in JSON.

    >>> faces = Table("faces", "A coin", [whole("face", "side shown"), exact("p", "chance")],
    ...               [(0, mpq(1, 2)), (1, mpq(1, 2))])
    >>> faces.column_named("p").meaning
    'chance'
    """

    name: str
    title: str
    columns: Sequence[Column]
    rows: Iterable[Sequence[Cell]]
    grid: Grid | None = None

    @classmethod
    def of(
        cls,
        name: str,
        title: str,
        items: Iterable[Any],
        *columns: ColumnOf,
        grid: Grid | None = None,
    ) -> "Table":
        """Tabulate items, one row each: a tuple is the cells of its row, in the order of columns.

        For other items a column reads the attribute of its name, or calls the function that
        `Column.by` gave it. If any column has such a function, tuples are treated like other items.

        >>> sides = whole("numerator", "above"), text_column("written", "as text").by(str)
        >>> Table.of("chances", "Chances", [mpq(1, 2), mpq(2, 3)], *sides).rows
        ((1, '1/2'), (2, '2/3'))
        """
        are_plain = all(isinstance(column, Column) for column in columns)
        pairs = [c.by(attrgetter(c.name)) if isinstance(c, Column) else c for c in columns]

        def row(item: Any) -> tuple[Cell, ...]:
            is_row = are_plain and type(item) is tuple
            return item if is_row else tuple([cell_of(item) for _, cell_of in pairs])

        return cls(name, title, [column for column, _ in pairs], map(row, items), grid)

    def __post_init__(self) -> None:
        columns = tuple(self.columns)
        _require_once([column.name for column in columns], "column")
        kinds = tuple(_GROUND_TYPES.get(column.kind) for column in columns)
        rows = tuple(
            row
            if tuple(map(type, row)) == kinds  # most rows need no conversion
            else tuple(column.check(cell) for column, cell in zip(columns, row, strict=True))
            for row in map(tuple, self.rows)
        )
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "rows", rows)

    def _repr_html_(self) -> str:
        html: str = linked("exactdice.report.html:table_fragment")(self)
        return html

    def to_pandas(self) -> Any:
        """Return the table as a pandas data frame.

        Exact numbers are texts such as ``7/2``, next to a column of the nearest doubles.

        Raises MissingExtraError if pandas is not installed.
        """
        frames = linked("exactdice.report.interchange")
        return frames.pandas_frame(frames.frame_of(self))

    def to_polars(self) -> Any:
        """Return the table as a polars data frame, with the columns of `to_pandas`."""
        frames = linked("exactdice.report.interchange")
        return frames.polars_frame(frames.frame_of(self))

    def column_named(self, name: str) -> Column:
        """Return the column with a key."""
        return one_named({column.name: column for column in self.columns}, name, "column")

    def cell(self, name: str, /, **where: Cell) -> Cell:
        """Return the cell of a column in the only row whose other cells are as given.

        >>> coin = Table("sides", "A coin", [text_column("side", "side"), exact("p", "chance")],
        ...              [("heads", mpq(1, 3)), ("tails", mpq(2, 3))])
        >>> coin.cell("p", side="tails")
        mpq(2,3)
        >>> dict(coin.select("p", "side"))
        {mpq(1,3): 'heads', mpq(2,3): 'tails'}
        """
        index = {column.name: place for place, column in enumerate(self.columns)}
        for column in (name, *where):
            self.column_named(column)
        rows = [
            row
            for row in self.rows
            if all(row[index[column]] == wanted for column, wanted in where.items())
        ]
        if len(rows) != 1:
            described = ", ".join(f"{column} {wanted}" for column, wanted in where.items())
            raise InputError("row", Unquoted(f"{described} in {len(rows)} rows"), "one row")
        return rows[0][index[name]]

    def cells(self, name: str) -> list[Cell]:
        """Return the cells of one column."""
        index = list(self.columns).index(self.column_named(name))
        return [row[index] for row in self.rows]

    def select(self, *names: str) -> list[tuple[Any, ...]]:
        """Return the cells of some columns, row by row (see `cell` for an example)."""
        index = [list(self.columns).index(self.column_named(name)) for name in names]
        return [tuple(row[place] for place in index) for row in self.rows]


@dataclass(frozen=True)
class Quantity:
    """A named number, list, flag or text; `column` says what it means."""

    column: Column
    value: Cell

    @classmethod
    def of(cls, name: str, meaning: str, number: Cell) -> "Quantity":
        """Return a number or its bounds, with the column that `column_for` chooses."""
        return cls(column_for([number])(name, meaning), number)

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", self.column.check(self.value))


@dataclass(frozen=True)
class Report:
    """The answer to one question: quantities, tables, and their provenance.

    `failure` is the error in one line if the question was a check that failed; a command still
    shows the report, then that line, and exits with status 1. `says` is a sentence about the first
    number, or a whole headline (see `exactdice.report.eyes.Headline`).

    >>> report = Report.of("A coin", {}, exact("value", "chance of heads")(mpq(1, 2)))
    >>> report.value("value")
    mpq(1,2)
    """

    title: str
    quantities: Sequence[Quantity] = ()
    tables: Sequence[Table] = ()
    provenance: Provenance = field(default_factory=Provenance)
    failure: str = ""
    says: str | tuple[str, ...] = ""

    @classmethod
    def of(
        cls,
        title: str,
        conventions: Mapping[str, str],
        *parts: "Quantity | Table | None",
        failure: str = "",
        says: str | tuple[str, ...] = "",
    ) -> "Report":
        """Make a report of quantities and tables, in order; parts that are None are omitted."""
        quantities = tuple(part for part in parts if isinstance(part, Quantity))
        tables = tuple(part for part in parts if isinstance(part, Table))
        return cls(title, quantities, tables, Provenance(conventions=conventions), failure, says)

    def __post_init__(self) -> None:
        names = [quantity.column.name for quantity in self.quantities]
        _require_once([*names, *(table.name for table in self.tables)], "quantity or table")

    def __str__(self) -> str:
        return str(linked("exactdice.report.writers:render")(self)).rstrip("\n")

    def _repr_html_(self) -> str:
        return str(linked("exactdice.report.html:fragment")(self))

    def _repr_latex_(self) -> str:
        return str(linked("exactdice.report.latex:fragment")(self))

    def value(self, name: str) -> Cell:
        """Return a quantity by name."""
        return one_named({q.column.name: q.value for q in self.quantities}, name, "quantity")

    def table(self, name: str) -> Table:
        """Return a table by name."""
        if not self.tables:
            raise InputError("table", name, "a report with tables")
        return one_named({table.name: table for table in self.tables}, name, "table")

    def __len__(self) -> int:
        return len(self.tables) + bool(self.quantities)  # frames of `to_pandas`

    def only(self, name: str) -> "Report":
        """Return the report of one table, or of the ``quantities``.

        If a table has a two-way picture, its name selects the list and ``NAME_grid`` the picture.

        Raises InputError if there is no such table.

        >>> report = Report.of("A coin", {}, exact("value", "chance of heads")(mpq(1, 2)))
        >>> report.only("quantities") == report
        True
        """
        bare = replace(self, quantities=(), says="")
        alone = {"quantities": replace(self, tables=())} if self.quantities else {}
        for table in self.tables:
            alone[table.name] = replace(bare, tables=(replace(table, grid=None),))
        for table in self.tables:
            if table.grid:
                picture = replace(table, grid=replace(table.grid, is_alone=True))
                alone[f"{table.name}_grid"] = replace(bare, tables=(picture,))
        return one_named(alone, name, "table")

    def to_json(self) -> str:
        """Return the output of ``--format json``.

        >>> report = Report.of("A coin", {}, exact("value", "chance")(mpq(1, 2)))
        >>> '"1/2"' in report.to_json()
        True
        """
        return str(linked("exactdice.report.writers:render")(self, "json"))

    def to_pandas(self) -> dict[str, Any]:
        """Return pandas data frames by the names of the tables, including ``quantities``.

        Raises MissingExtraError if pandas is not installed.
        """
        frames = linked("exactdice.report.interchange")
        return {frame.name: frames.pandas_frame(frame) for frame in frames.frames(self)}

    def to_polars(self) -> dict[str, Any]:
        """Return polars data frames, like `to_pandas`."""
        frames = linked("exactdice.report.interchange")
        return {frame.name: frames.polars_frame(frame) for frame in frames.frames(self)}
