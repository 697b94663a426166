"""Q、K、V 是什么: a request, labels and contents on a shelf, and the same three roles inside a head."""

from attention_app.ui import frame, lesson
from attention_app.ui.qkv import asking, fitting, head, heating, mixing, page, search, taking

frame.ensure("pages/qkv.py")

t = frame.text("qkv")
now = lesson.current()
frame.title(t, "qkv")

page.roles(t)
found = search.current(t)
asking.show(t, found)
mixing.show(t, found)
fitting.show(t, found)
heating.show(t, found)
head.show(t, now)
taking.show(t, found)
page.listen(now)
