"""Write the man page of the command from its help.

python tools/manpage.py           write docs/exactdice.1
python tools/manpage.py --check   write nothing; exit status 1 if the page is out of date
"""

import sys
from pathlib import Path

from exactdice.cli import JOBS
from exactdice.rooms import ROOMS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "exactdice.1"
BEGINNING = r"""
.TH EXACTDICE 1
.SH NAME
exactdice \- exact values, optimal play and certificates for dice games
.SH SYNOPSIS
.B exactdice
.I COMMAND
.RI [ OPTIONS ]
.I ARGUMENTS
.br
.B exactdice
.I TEXT
.SH DESCRIPTION
Each command answers one question with an exact fraction and its decimal. A TEXT is dice such as
4d6kh3, a comparison such as 4d6kh3 v 3d6, a game, a file of rules, or an AnyDice program.
.B exactdice COMMAND \-\-help
describes a command, and
.B exactdice help
explains formats, limits and how to write dice.
.SH COMMANDS
"""
END = r""".SH OPTIONS
.TP
.BR \-h ", " \-\-help
Show help.
.TP
.BR \-V ", " \-\-version
Show the version.
.TP
.BR \-q ", " \-\-quiet
No progress on standard error.
.TP
.BR \-f ", " \-\-format " " \fIFORMAT\fR
Write the answer as text, CSV, JSON, LaTeX, HTML, Markdown or Parquet.
.TP
.BR \-o ", " \-\-output " " \fIFILE\fR
Write to a file, completely or not at all.
.SH EXIT STATUS
0 for success, 1 for a failed check, 2 for wrong usage, 130 when interrupted, 143 when terminated.
.SH ENVIRONMENT
.TP
.B _EXACTDICE_COMPLETE
Set to bash_source, zsh_source or fish_source, it makes the program print its completion script.
.SH SEE ALSO
https://exactdice.github.io/exactdice/
"""


def page() -> str:
    lines = {name: room.description for name, room in ROOMS.items()} | JOBS
    listed = (f".TP\n.B {name}\n{line}\n" for name, line in lines.items())
    return BEGINNING.lstrip() + "".join(listed).replace("--", r"\-\-") + END


if __name__ == "__main__":
    if sys.argv[1:] != ["--check"]:
        PAGE.write_text(page(), encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != page():
        sys.exit("docs/exactdice.1 is out of date: run tools/manpage.py")
