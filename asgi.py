"""The app as it is served: app.py behind gzip, started by `streamlit run asgi.py`.

Streamlit sends its static files uncompressed (13 MB on a first visit, plotly alone 4.7 MB). Compressed
they are a third of that, which matters when forty laptops share one Wi-Fi. Level 4 is 3 % larger than
level 9 and costs a third of its time.
"""

import os

# One user needs no second BLAS thread and forty users fight over them. NumPy reads this once, at its import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

app = st.App("app.py", middleware=[Middleware(GZipMiddleware, minimum_size=1024, compresslevel=4)])
