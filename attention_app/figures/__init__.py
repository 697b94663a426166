"""Figures: numbers and labels in, plotly Figure out. No streamlit, no prose."""
