"""Helpers of the steps of all proofs."""


class StepError(Exception):
    """A step of a proof fails."""


def need(condition, step):
    if not condition:
        raise StepError(step)
