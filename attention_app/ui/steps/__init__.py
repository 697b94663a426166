"""The page 一步一步: one head from its words to their new vectors; one small file per step."""
