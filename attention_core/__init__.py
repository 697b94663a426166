"""The computation behind every picture, in NumPy: words in, attention with every intermediate out."""
