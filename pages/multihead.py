"""多头与拼接: all heads of a layer, how they are put together, what each adds, and what is left without some."""

from attention_app.ui import frame, lesson, lesson_cards, take
from attention_app.ui.multihead import comparing, joining, layer, maps, mixing, page, parts, switching, taking

frame.ensure("pages/multihead.py")

t = frame.text("multihead")
now = lesson.current()
frame.title(t, "multihead")

lesson_cards.sentence(t, now)
page.layer(t, now)
numbers = layer.current(now)
page.numbers(t, numbers)
page.ways(t, numbers)

with take.noted() as sections:
    maps.show(t, numbers)
    joining.show(t, numbers)
    mixing.show(t, numbers)
    parts.show(t, numbers)
    switching.show(t, numbers)
    comparing.show(t, numbers)
take.panel(taking.take(numbers, sections))
