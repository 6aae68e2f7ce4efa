"""Closed forms of the game: creating only, dice that fail, and tables that can be reached."""
