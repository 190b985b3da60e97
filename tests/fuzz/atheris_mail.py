"""Shell: fuzzing that is guided by coverage (atheris). In: a target, folders of inputs. Out: inputs that break it.

PYTHONPATH=. python tests/fuzz/atheris_mail.py mail -max_total_time=300 corpus/mail tests/fuzz/seeds/mail

Targets: mail, text, commands, record, config. All behind the target is for libFuzzer: the first folder is where it keeps
what it finds worth keeping, the others it only reads.
"""

import sys

import atheris  # type: ignore[import-untyped]

with atheris.instrument_imports(include=["host", "email", "quotequail", "flufl", "authres", "tomllib"]):
    from tests.fuzz.targets import TARGETS, warm_up


def main() -> None:
    """Read the target's name and leave the rest to libFuzzer."""
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"name a target: {', '.join(TARGETS)}")
    target = TARGETS[sys.argv.pop(1)]
    warm_up()
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
