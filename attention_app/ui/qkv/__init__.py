"""The page Q、K、V 是什么: a request, labels and contents on a shelf, and the same three roles inside a head."""
