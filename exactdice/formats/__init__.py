"""Formats in which models are exchanged with other programs; numbers stay rational.

`drn` is the explicit format of the model checker Storm, `prism` that of PRISM, `umb` the binary
format that both share, `gambit` the files of the game solver Gambit. What is read is checked: a
file that is cut short, or whose counts are wrong, is refused with one line that names the file and
the place. Only label files of PRISM hold no counts.
"""
