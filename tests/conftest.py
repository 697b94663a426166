"""What holds for all tests."""

import os

# As in app.py, and for its reason; NumPy reads this when it is imported, which no test has done yet.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
