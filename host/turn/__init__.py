"""Shell: what things lead to. In: a stored mail, a deadline, an operator's command. Out: one `Work` each, with its letters.

`receive` takes mails, `expire` deadlines, `operator_commands` what operators ask for; `reports` only reads. What a move leads to
is carried out by `outcome`, whose docstring names the steps. What these are made of is `host.table`, who plays is `host.club`.
"""
