"""Pure: what a person can do something about. In: a sentence. Out: an exception that carries it."""


class PodiumError(Exception):
    """What was asked for cannot be done; the message is one sentence that says why, and what to do."""
