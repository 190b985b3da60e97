"""Podium: card game shows played by e-mail. This is the map of the house.

A reply walks one corridor. `watch` has it fetched (`mail.inbox`), or `delivery` takes it (`mail.lmtp`), and
`turn.storing` keeps it raw, with an ordering key, unless it concerns nobody here (`mail.glance`). `intake` claims a group of
mails, has it read ahead and plays it in one transaction, mail that names a letter of ours apart from the rest:
`turn.reading` has mails opened in a process of its own (`mail.worker`: `mail.reply`, `page`, `compared`, `quotation`,
`silence`, `bounce`) and asks whether their senders are true (`mail.sender`, `mail.signature`, with `mail.keys`).
`turn.receive` finds the letter that a mail answers and who wrote; what may be somebody else's waits in `turn.held`, what
came back goes to `turn.bounced`. `turn.hearing` hears the lines (`play.episode`) with the rules of the room (`games`),
`turn.settling` plays on what was sent ahead or stands in the question bank. What changed (`turn.changing`, `store`) and
the letters about it (`turn.telling`, `mail.render`) are one transaction, and `dispatch` has the letters sent
(`mail.outbox`, `mail.pipeline`). A deadline enters the same corridor through `clock` and `turn.expire`, the host through
`turn.hand`. On PostgreSQL several processes share all of it.

- `cli`                 the command line: arguments, calls, printing
- `checking`, `showing` `podium check`; what the command line shows
- `roundtrip`           the mails that `podium check` writes to itself
- `serve`               the daemon: wiring, ticks, the only reader of the clock
- `watch`, `delivery`   its loops: one for each mailbox, one for what comes by LMTP
- `intake`, `dispatch`  one for mails to be played, one for letters to be sent
- `clock`, `lead`       one for deadlines; which of several processes may do what only one does at a time
- `desk`                what the loops share: the store's thread, how to stop, how long to wait after a fault
- `health`, `logs`      how the daemon is, on loopback and to systemd; the log, without tokens
- `demo`                a mail server on loopback, robots, the simulator
- `turn`                the corridor; one transaction a group of mails or deadlines, a command of the host
- `mail`                Edge: `inbox`, `lmtp`, `outbox`, `pipeline`, `oauth`, `worker`, `keys`. Pure: all else
- `store`               the tables, transactions, claims, leases; the move to PostgreSQL
- `play`                Pure: hearing commands, deadlines, queue and champion, names
- `games`               Pure: a room for each game, found by its folder
- `record`              Pure: the episode record, replayed and verified
- `grammar`, `game`     Pure: how people write; the shape of a game
- `vocabulary`          Pure: the table of verbs that every room speaks
- `chance`, `cards`     Pure: seeds and shuffles; cards and totals
- `states`              Pure: states, purposes, kinds, outcomes, and what may follow what
- `config`              the only reader of TOML and environment

What holds everywhere, checked by import-linter and ruff in `make check`:
rooms know no other room and no I/O; only `serve` knows what time it is, only `chance` draws, only `config` reads the
environment; a change and the letters that tell it are one transaction; nothing true is kept in memory alone.
"""

__version__ = "0.1.0"
