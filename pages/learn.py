"""看它学会: a small attention layer learns before your eyes, and every step of it can be looked into."""

from attention_app.ui import frame
from attention_app.ui.learn import choices, now, player, unseen, weight

frame.ensure("pages/learn.py")

t = frame.text("learn")
frame.title(t, "learn")

choices.show(t)
training = now.current(t)
player.show(t, training)
unseen.show(t, training)
weight.show(t, training)
