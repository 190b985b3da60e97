"""The benchmark: what a mail costs Podium, beside what it costs a bare loop that does the same with the mail itself.

    make bench                                      everything but growth, five rounds; one table at the end
    make bench ARGS="backlog --mails 500 --rounds 3 --json backlog.json"
    make bench ARGS="stages"                        CPU by stage, over the same replies
    make bench ARGS="instructions"                  instructions a mail, counted by valgrind
    make bench ARGS="growth --sizes 1000 10000"     the same work beside ever more episodes

Dovecot, PostgreSQL and the SMTP sink run on loopback; docs/performance.md says what is measured and how.

- `fill`, `replies`   a store full of running episodes, and a reply to each
- `servers`, `sink`   Dovecot, PostgreSQL; an SMTP server that counts
- `contenders`        processes that are measured: the daemon, `floor`, and `salmon_app` in the environment of `peer`
- `measure`           backlog, burst, latency
- `instructions`      counted, of two runs of each contender
- `stages`, `growth`  CPU by stage; cost beside a growing store
- `table`             medians, ratios, one table in Markdown
- `season`            what a season of many contestants would ask for; docs/scale.md
"""
