"""The fixtures of the corridor, for what stands beside it."""

from tests.turn.conftest import desk, every_change_is_a_transition, make_desk

__all__ = ["desk", "every_change_is_a_transition", "make_desk"]
