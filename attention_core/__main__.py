"""`python -m attention_core`: see cli/."""

import sys

from attention_core.cli import main

if __name__ == "__main__":
    sys.exit(main())
