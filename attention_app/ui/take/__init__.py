"""带走, for every page of a lesson: a program that prints its numbers, its matrices, and the page itself.

A page says what it shows (`Take`), and `panel` offers it. A file is made when somebody clicks, from what is small
enough to be kept for that: what was chosen, and the views as they were sent to the browser.

    with noted() as sections:      # every card and view that is drawn inside is noted
        steps.show(...)
    panel(Take("steps", ..., sections=sections, matrices=..., program=...))
"""

from attention_app.ui.take.kept import Take
from attention_app.ui.take.panel import panel
from attention_app.ui.take.program import Program
from attention_app.ui.take.screen import noted

__all__ = ["Program", "Take", "noted", "panel"]
