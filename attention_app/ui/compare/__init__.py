"""比一比, card by card."""
