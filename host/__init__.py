"""Podium: card game shows played by e-mail. This is the map of the house.

A reply walks one corridor: `mail.inbox` stores it raw, `turn.receive` opens it (`mail.reply`, `mail.quotation`), finds
the letter it answers and who wrote, hears its lines (`play.episode`) with the rules of its room (`games`), plays on what
was sent ahead or stands in the question bank (`turn.settling`, `play.ahead`), writes what changed (`turn.changing`,
`store`) and the letters about it (`turn.telling`, `mail.render`) in one transaction, and `mail.outbox` sends them. A
deadline enters the same corridor through `turn.expire`, the host through `turn.hand`.

- `cli`                 the command line: arguments, calls, printing
- `checking`, `showing` `podium check`; what the command line shows
- `serve`               the daemon: wiring and loop, the only reader of the clock
- `demo`                a mail server on loopback, robots, the simulator
- `turn`                the corridor; one transaction a mail, a deadline, a command of the host
- `mail`                Edge: `inbox`, `outbox`. Pure: `reply`, `quotation`, `sender`, `render`
- `store`               the tables, transactions, claims
- `play`                Pure: hearing commands, deadlines, queue and champion, names
- `games`               Pure: a room for each game, found by its folder
- `record`              Pure: the episode record, replayed and verified
- `grammar`, `game`     Pure: how people write; the shape of a game
- `vocabulary`          Pure: the table of verbs that rooms speak, Champ Cards aside
- `chance`, `cards`     Pure: seeds and shuffles; cards and totals
- `config`              the only reader of TOML and environment

What holds everywhere, checked by import-linter and ruff in `make check`:
rooms know no other room and no I/O; only `serve` knows what time it is, only `chance` draws, only `config` reads the
environment; a change and the letters that tell it are one transaction; nothing true is kept in memory alone.
"""

__version__ = "0.1.0"
