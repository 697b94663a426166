"""为什么需要注意力: word by word against all at once, what it costs, and what attention goes to."""

from attention_app.ui import frame, lesson, lesson_cards
from attention_app.ui.why import focusing, page, prices, racing, reading, walking, ways

frame.ensure("pages/why.py")

t = frame.text("why")
now = lesson.current()
frame.title(t, "why")

lesson_cards.sentence(t, now)
page.head(t, now)
read = reading.current(now)

walking.show(t, read)
ways.show(t, read)
prices.show(t, read)
racing.show(t)
focusing.show(t, now)
