"""Research on Risk: closed forms of rounds and battles."""
