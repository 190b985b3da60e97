"""Shell: `python -m host` is `podium`."""

import sys

from host.cli import main

sys.exit(main())
