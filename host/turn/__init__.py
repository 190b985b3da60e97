"""Shell: the corridor. In: a stored mail, a deadline, the host's hand. Out: one transaction each, with its letters.

`receive` takes mail, `expire` deadlines, `hand` the host's commands; `looking` only reads. Around a change: `changing`
stores it, `telling` writes the letters, `lobby` lets the next episode begin, `playing` is these three in order.
"""
