"""The cards of the page 看它学会."""
