"""What the steps of all proofs need."""


class StepError(Exception):
    """A step of a proof does not hold."""


def need(condition, step):
    if not condition:
        raise StepError(step)
