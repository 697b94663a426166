"""The page 为什么需要注意力: word by word against all at once, what it costs, and what attention goes to."""
