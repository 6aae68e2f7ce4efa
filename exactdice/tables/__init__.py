"""Tables: what an exact result looks like on paper, on screen and in a file."""
