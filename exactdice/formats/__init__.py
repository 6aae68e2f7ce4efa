"""File formats for exchanging models with other programs; numbers stay rational.

Storm and PRISM (`checkers`, `umb`), Gambit (`gambit`) and OpenSpiel (`openspiel`). A file that is
cut short or has wrong counts raises a one-line error that names the file and the place. Only
PRISM's label files contain no counts.
"""
