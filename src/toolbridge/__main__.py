"""`python -m toolbridge` is the command `toolbridge`."""

from .cli import main

raise SystemExit(main())
