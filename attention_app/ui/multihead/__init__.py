"""The page 多头与拼接: all heads of a layer, how they are put together, and what each of them adds."""
