"""Transformer 结构: the encoder and the decoder as one drawing, the numbers of this sentence behind every box."""

from attention_app.ui import frame, lesson, lesson_cards
from attention_app.ui.structure import now as subject
from attention_app.ui.structure import page

frame.ensure("pages/structure.py")

t = frame.text("structure")
now = lesson.current()
shown = subject.current(now)
frame.title(t, "structure")

lesson_cards.sentence(t, now)
page.source(t, now, shown)
page.listen(now)
page.parts(t, shown)
