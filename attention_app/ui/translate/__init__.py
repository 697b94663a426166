"""The page 翻译与交叉注意力: a sentence through an encoder-decoder, one English piece after the other."""
