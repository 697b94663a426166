"""The app as it is served: app.py behind gzip, warmed up. Started by `streamlit run asgi.py`.

Streamlit sends its static files uncompressed (13 MB on a first visit, plotly alone 4.7 MB). Compressed
they are a third of that, which matters when forty laptops share one Wi-Fi. Level 4 is 3 % larger than
level 9 and costs a third of its time.
"""

import os
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

# One user needs no second BLAS thread and forty users fight over them. NumPy reads this once, at its import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from streamlit import net_util

# To a page that was opened under a name it does not know (http://teacher.local:8501) Streamlit would answer only after
# asking a service in the internet for this machine's outer address. Nothing here leaves the machine.
net_util.get_external_ip = lambda: None


def warm_up() -> None:
    """Load what the first visitor would wait two seconds for, in the order in which a page needs it.

    Streamlit loads pandas at the first component and its patterns of emojis at the first button; then plotly, the
    dictionary, the model's weights, and the translator's.
    """
    import plotly.graph_objects as go
    import streamlit.emojis  # noqa: F401
    from streamlit.dataframe_util import determine_data_format

    from attention_core import attend, segment
    from attention_core.translator import load_translator

    determine_data_format("")
    go.Figure(go.Heatmap(z=[[0.0]])).to_dict()
    attend(segment("你好"))
    load_translator()


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    threading.Thread(target=warm_up, daemon=True).start()
    yield


app = st.App("app.py", lifespan=lifespan, middleware=[Middleware(GZipMiddleware, minimum_size=1024, compresslevel=4)])
