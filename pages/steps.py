"""一步一步: one head from words to new vectors, every number on the way."""

from attention_app.ui import frame, lesson, lesson_cards, take
from attention_app.ui.steps import numbers, page, taking

frame.ensure("pages/steps.py")

t = frame.text("steps")
now = lesson.current()
then = numbers.current(now)
frame.title(t, "steps")

lesson_cards.sentence(t, now)
page.head(t, now)
page.stepper(t)
page.listen(now)
with take.noted() as sections:
    page.steps(t, then)
take.panel(taking.take(then, sections))
