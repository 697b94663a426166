"""看见注意力: the router. `streamlit run asgi.py` serves it, compressed and without a request to the internet."""

import os

# One BLAS thread per request: with a class of forty, more threads only wait for each other.
# NumPy reads this once, when it is imported, so it stands before every other import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from attention_app.ui import frame

frame.run(
    {
        "explore": ["explore"],
        "compute": ["steps", "multihead"],
        "ideas": ["qkv", "why", "structure"],
        "decode": ["translate"],
        "lab": ["compare", "whatif", "learn"],
    }
)
