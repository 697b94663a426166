"""The page 动手改: what is changed, and what follows from it."""
