"""What finds whether claims of the table hold, and maxims of optimal play, which are judged."""
