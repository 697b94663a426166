"""The page Transformer 结构: the whole of it as one drawing, and behind every box the numbers of this sentence."""
