"""一步一步: one head from words to new vectors, every number on the way."""

from attention_app.ui import frame, lesson, lesson_cards
from attention_app.ui.steps import numbers, page

frame.ensure("pages/steps.py")

t = frame.text("steps")
now = lesson.current()
then = numbers.current(now)
frame.title(t, "steps")

lesson_cards.sentence(t, now)
page.head(t, now)
page.stepper(t)
page.listen(now)
page.steps(t, then)
