"""A model so small that it learns while you watch: one attention layer, its gradients written out by hand.

Read in this order:

    vocabulary.py   the words it knows
    tasks.py        what it has to learn, and sentences drawn from that; a sentence typed by a person
    model.py        the parameters and the forward pass
    backward.py     the gradients, line by line against the forward pass
    adam.py         how a gradient becomes a step
    training.py     the whole training, recorded
    replay.py       one sentence seen by the model at every recorded step
    embeddings.py   the nouns in two dimensions, and how far they have gathered
    held_out.py     what it answers for nouns that it was never taught
    one_weight.py   the gradient of a single weight with every number on the way

The numbers of a run are a function of its `LearnSettings`: the same settings give the same run, bit for bit.
"""
