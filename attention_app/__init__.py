"""Everything that is about a screen: figures, components, texts, controls."""
