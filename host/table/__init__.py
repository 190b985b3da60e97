"""Shell: what every change of the store is made of. In: a session, an episode's rows. Out: work, clocks, letters.

`work` is one transaction and all that belongs to it; `play` is an episode under way, `clocks` are the questions asked in it,
`notify` writes who is told what, `letters` puts it into the outbox.
"""
