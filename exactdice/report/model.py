"""The one table model that every result is presented in.

A `Report` answers one question. It holds named single numbers (`Quantity`) and tables, and the
`Provenance` that lets a reader produce it again. A `Column` says what its cells mean and in which
unit. Cells are exact: rationals stay rationals until a writer puts a decimal beside them, under
the column's name with ``_float`` appended.
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
    """What a reader needs in order to produce the same output again."""

    command: str = ""  # the command that gives this output, without output options
    # name to value of every convention that the numbers depend on, in the order shown
    conventions: Mapping[str, str] = field(default_factory=dict)

    @property
    def producer(self) -> str:
        """Package, version and commit."""
        return f"exactdice {__version__}, commit {commit()}"


__all__ = ["Cell", "CellKind", "Column", "Formula", "Grid", "Quantity", "Report", "Table"]
__all__ += ["column_for", "enclosed", "exact", "flag", "listing", "number", "text_column", "whole"]

Cell: TypeAlias = "mpq | mpz | Enclosure | int | bool | str | tuple[Any, ...] | None"


def number(cell: Cell) -> mpq:
    """Return the exact number in a cell, or raise TypeError: a mistake in this package.

    Examples
    --------
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
    """What the cells of a column are."""

    EXACT = "exact"  #: a rational, shown as p/q with its decimal beside it
    ENCLOSURE = (
        "enclosure"  #: a number between two rationals, shown as a decimal ± what it may be off
    )
    WHOLE = "whole"  #: an integer
    FLAG = "flag"  #: true or false
    TEXT = "text"  #: words
    LIST = "list"  #: a sequence of integers or words, or of such sequences


class Formula(str):
    r"""Words of mathematics: plain text everywhere, and `latex` in LaTeX's mathematics mode.

    Examples
    --------
    >>> half = Formula("1/2", r"\frac{1}{2}")
    >>> print(half, half.latex)
    1/2 \frac{1}{2}
    """

    __slots__ = ("latex",)
    latex: str

    def __new__(cls, plain: str, latex: str) -> "Formula":
        """Make the text and keep its LaTeX."""
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
#: Where cells are kept in one type.
_GROUND_TYPES = {CellKind.EXACT: mpq, CellKind.WHOLE: int}


@dataclass(frozen=True)
class Column:
    """One column: its key, what its cells mean, their unit and kind.

    `heading` is what a reader of text, Markdown and LaTeX sees; the key where it is empty.
    """

    name: str
    meaning: str
    unit: str = ""
    kind: CellKind = CellKind.EXACT
    heading: str = ""

    @property
    def shown(self) -> str:
        """The heading that a reader sees."""
        return self.heading or self.name.replace("_", " ")

    def check(self, cell: Cell) -> Cell:
        """Return the cell in its ground type, or raise TypeError: a mistake in this package.

        Nothing has one form, because CSV cannot tell two apart: None for the empty text too, and in
        a column of lists the empty list.
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
        """Return the quantity that this column describes.

        >>> whole("rolls", "rolls made")(6).value
        6
        """
        return Quantity(self, cell)

    def by(self, cell_of: Callable[..., Any]) -> "tuple[Column, Callable[..., Any]]":
        """Return the column with the function of an item that gives its cell, for `Table.of`."""
        return self, cell_of


#: A column, or one with the function of an item that gives its cell.
ColumnOf: TypeAlias = Column | tuple[Column, Callable[..., Any]]


def exact(name: str, meaning: str, unit: str = "", heading: str = "") -> Column:
    """Column of rationals."""
    return Column(name, meaning, unit, CellKind.EXACT, heading)


def enclosed(name: str, meaning: str, unit: str = "", heading: str = "") -> Column:
    """Column of numbers between two rationals."""
    return Column(name, meaning, unit, CellKind.ENCLOSURE, heading)


def column_for(cells: Iterable[Cell]) -> Callable[..., Column]:
    """Choose the column for some numbers: `exact` where all of them are known, else `enclosed`.

    Parameters
    ----------
    cells
        Exact numbers, enclosures, which are exact where their ends meet, or None.

    Examples
    --------
    >>> half, open_one = Enclosure.of("1/2"), Enclosure(mpq(0), mpq(1))
    >>> column_for([half, mpq(3), None]) is exact, column_for([half, open_one]) is enclosed
    (True, True)
    """
    is_open = any(isinstance(cell, Enclosure) and cell.point is None for cell in cells)
    return enclosed if is_open else exact


def whole(name: str, meaning: str, unit: str = "", heading: str = "") -> Column:
    """Column of integers."""
    return Column(name, meaning, unit, CellKind.WHOLE, heading)


def flag(name: str, meaning: str, heading: str = "") -> Column:
    """Column of truth values."""
    return Column(name, meaning, "", CellKind.FLAG, heading)


def text_column(name: str, meaning: str, unit: str = "", heading: str = "") -> Column:
    """Column of words."""
    return Column(name, meaning, unit, CellKind.TEXT, heading)


def listing(name: str, meaning: str, unit: str = "", heading: str = "") -> Column:
    """Column of short sequences."""
    return Column(name, meaning, unit, CellKind.LIST, heading)


@dataclass(frozen=True)
class Grid:
    """Names of the three columns that a table's two-way picture is made of.

    Text, Markdown and LaTeX show `cell` as decimals with `down` as rows and `across` as columns,
    before the exact list; the picture alone where `is_alone`.
    """

    down: str
    across: str
    cell: str
    is_alone: bool = False


def _require_once(names: Sequence[str], what: str) -> None:
    """Refuse two of one name, of which a reader would find one alone."""
    if len(names) > len(set(names)):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(what, twice, "each name once")


@dataclass(frozen=True)
class Table:
    """Rows under described columns; `name` is the key that holds the rows in JSON.

    Examples
    --------
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

        Of other items a column gives the attribute of its name, or the value of the function that
        `Column.by` gave it. If any column has such a function, tuples are items like others.

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
            if tuple(map(type, row)) == kinds  # most rows: nothing is to be made of their cells
            else tuple(column.check(cell) for column, cell in zip(columns, row, strict=True))
            for row in map(tuple, self.rows)
        )
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "rows", rows)

    def _repr_html_(self) -> str:
        html: str = linked("exactdice.report.html:table_fragment")(self)
        return html

    def to_pandas(self) -> Any:
        """Return the table as a data frame of pandas.

        Exact numbers are words such as ``7/2``, with the nearest doubles in a column beside them.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.
        """
        frames = linked("exactdice.report.interchange")
        return frames.pandas_frame(frames.frame_of(self))

    def to_polars(self) -> Any:
        """Return the table as a data frame of polars, with columns as `to_pandas` has them."""
        frames = linked("exactdice.report.interchange")
        return frames.polars_frame(frames.frame_of(self))

    def column_named(self, name: str) -> Column:
        """Return the column with that key."""
        return one_named({column.name: column for column in self.columns}, name, "column")

    def cell(self, name: str, /, **where: Cell) -> Cell:
        """Return the cell of a column in the one row whose other cells are as given.

        Examples
        --------
        >>> coin = Table("sides", "A coin", [text_column("side", "side"), exact("p", "chance")],
        ...              [("heads", mpq(1, 3)), ("tails", mpq(2, 3))])
        >>> coin.cell("p", side="tails")
        mpq(2,3)
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
        """Return the cells of one column, from the top."""
        index = list(self.columns).index(self.column_named(name))
        return [row[index] for row in self.rows]

    def select(self, *names: str) -> list[tuple[Any, ...]]:
        """Return the cells of some columns, row after row; who names them knows their kinds.

        Examples
        --------
        >>> coin = Table("sides", "A coin", [text_column("side", "side"), exact("p", "chance")],
        ...              [("heads", mpq(1, 3)), ("tails", mpq(2, 3))])
        >>> dict(coin.select("p", "side"))
        {mpq(1,3): 'heads', mpq(2,3): 'tails'}
        """
        index = [list(self.columns).index(self.column_named(name)) for name in names]
        return [tuple(row[place] for place in index) for row in self.rows]


@dataclass(frozen=True)
class Quantity:
    """A single number, list, flag or word with a name; `column` says what it means."""

    column: Column
    value: Cell

    @classmethod
    def of(cls, name: str, meaning: str, number: Cell) -> "Quantity":
        """A number or its bounds, in the column that `column_for` chooses."""
        return cls(column_for([number])(name, meaning), number)

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", self.column.check(self.value))


@dataclass(frozen=True)
class Report:
    """The answer to one question: quantities, tables, and where they came from.

    `failure` says in one line what is wrong where the question was a check that failed; a command
    shows the report all the same, then that line, and ends with exit status 1.

    Examples
    --------
    >>> report = Report.of("A coin", {}, exact("value", "chance of heads")(mpq(1, 2)))
    >>> report.value("value")
    mpq(1,2)
    """

    title: str
    quantities: Sequence[Quantity] = ()
    tables: Sequence[Table] = ()
    provenance: Provenance = field(default_factory=Provenance)
    failure: str = ""

    @classmethod
    def of(
        cls,
        title: str,
        conventions: Mapping[str, str],
        *parts: "Quantity | Table | None",
        failure: str = "",
    ) -> "Report":
        """Make a report of quantities and tables, in order; a part that is None is left out."""
        quantities = tuple(part for part in parts if isinstance(part, Quantity))
        tables = tuple(part for part in parts if isinstance(part, Table))
        return cls(title, quantities, tables, Provenance(conventions=conventions), failure)

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
        """Return the quantity with that name."""
        return one_named({q.column.name: q.value for q in self.quantities}, name, "quantity")

    def table(self, name: str) -> Table:
        """Return the table with that name."""
        if not self.tables:
            raise InputError("table", name, "a report that has tables")
        return one_named({table.name: table for table in self.tables}, name, "table")

    def only(self, name: str) -> "Report":
        """Return the report of one table alone, or of the ``quantities`` without the tables.

        A table that has a two-way picture is its list alone, and ``NAME_grid`` is the picture.

        Raises
        ------
        InputError
            If there is no such table.

        Examples
        --------
        >>> report = Report.of("A coin", {}, exact("value", "chance of heads")(mpq(1, 2)))
        >>> report.only("quantities") == report
        True
        """
        bare = replace(self, quantities=())
        alone = {"quantities": replace(self, tables=())} if self.quantities else {}
        for table in self.tables:
            alone[table.name] = replace(bare, tables=(replace(table, grid=None),))
        for table in self.tables:
            if table.grid:
                picture = replace(table, grid=replace(table.grid, is_alone=True))
                alone[f"{table.name}_grid"] = replace(bare, tables=(picture,))
        return one_named(alone, name, "table")

    def to_json(self) -> str:
        """Return the JSON that ``--format json`` writes.

        >>> report = Report.of("A coin", {}, exact("value", "chance")(mpq(1, 2)))
        >>> '"1/2"' in report.to_json()
        True
        """
        return str(linked("exactdice.report.writers:render")(self, "json"))

    def to_pandas(self) -> dict[str, Any]:
        """Return data frames of pandas by the names of the tables, ``quantities`` among them.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.
        """
        frames = linked("exactdice.report.interchange")
        return {frame.name: frames.pandas_frame(frame) for frame in frames.frames(self)}

    def to_polars(self) -> dict[str, Any]:
        """Return data frames of polars, as `to_pandas` does."""
        frames = linked("exactdice.report.interchange")
        return {frame.name: frames.polars_frame(frame) for frame in frames.frames(self)}
