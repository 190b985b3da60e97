"""Pure: what a person can do something about. In: a sentence. Out: an exception that carries it."""


class PodiumError(Exception):
    """A request cannot be carried out; the message is one sentence that says why, and what to do."""
