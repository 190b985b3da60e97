"""Podium: card game shows played by e-mail. This is the map of the house.

A reply takes one path. Each step is a module, named for what it does:

1. `daemon.imap_watcher` has the mail fetched (`mail.inbound.imap`), or `daemon.lmtp_receiver` takes it (`mail.inbound.lmtp`):
   a `RawMail` from here on.
2. `turn.receive` stores it before anything else is done with it, with an ordering key. Mail that concerns nobody here is
   told at a glance (`mail.inbound.peek`) and never opened.
3. `daemon.inbound_worker` claims a group of mails. `turn.reading` has them opened in a process of its own
   (`mail.inbound.sandbox`), and asks whether their senders are true (`authentication`, `dkim`).
4. `turn.receive` finds the letter that a mail answers, who wrote it, and whether they may. One `table.work.Work` holds
   everything that a mail changes, or several mails that wait, taken one after the other.
5. Its `ANSWERS` is the list of what a reply can lead to; in play `turn.hearing` has the lines understood
   (`play.interpret`) in the words of the room, and `turn.replies` has them played by its rules (`games`), or asks.
6. `turn.outcome` carries the outcome out: premoves, record, events, questions, the end of an episode, the next one.
7. `table.notify` drafts the letters; `table.letters` has each rendered (`mail.outbound.render`) and stores it, in the same work.
8. `Work` is committed: one transaction, or nothing.
9. `daemon.outbound_worker` has the letters sent (`mail.outbound.smtp`); their acceptance starts the clocks of questions.

A deadline takes the same path from `daemon.main` and `turn.expire` on, an operator's command from
`turn.operator_commands` on. On PostgreSQL several processes share all of it (`daemon.leader`, `store.queues`).

- `cli`         the command line: arguments, calls, printing, `podium check`, `podium init`
- `demo`        a mail server on loopback, robots, an inbox in the browser; the simulator
- `daemon`      loops, each a schedule and a step of `steps`; `main` is the only reader of the clock
- `web`         what is answered over HTTP: the host's desk, the public pages, how the daemon is
- `turn`        what a mail, a deadline and an operator lead to: one `Work` each
- `club`        who plays, when, and with whom: queues, seasons, invitations, a contestant's own time
- `table`       what these are made of: the work, an episode under way, its clocks and letters
- `mail`        `inbound`: fetched, taken, opened, read. `outbound`: written, made a message, sent. `oauth`: access
- `store`       tables, transactions, queues; the move to PostgreSQL; the only SQL
- `play`        Pure: understanding replies, premoves, deadlines, forms, matchmaking, names
- `games`       Pure: a room for each game, found by its folder
- `engine`      Pure: all that a room may import: the shape of a game, record, chance, cards, how people write
- `states`      Pure: states, purposes, kinds and outcomes as types; what may follow what is data of the docs
- `config`      the only reader of TOML and environment
- `look`        Pure: a host's own colours and words, and whether they can be read
- `logs`        the log, without tokens
- `troubles`    what went wrong, in words: of a server, the database, the disk
- `second_reader` an endpoint of a model that orders the buttons of what is asked, where the host wants one
- `processes`   how a process of our own is begun: with this code, without the host's passwords

What holds everywhere, checked by import-linter, ruff and tests in `make check` and `make test`: a room imports `engine` and
itself; only `daemon.main` and `cli` know what time it is, only `engine.chance` draws, only `config` reads settings from the
environment, only `store` speaks SQL; a change and the letters that tell it are one transaction; nothing true is kept in
memory alone; a module whose docstring says `Pure:` reaches no input or output.
"""

__version__ = "0.1.0"
