"""Shell: who plays, when, and with whom. In: a contestant's wish, a seat that is free, a day. Out: queues, seasons, letters.

Nothing here knows a move: `lobby` is the queue and the throne of a game, `seasons` what episodes add up to.
"""
