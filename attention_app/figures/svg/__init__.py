"""Pictures as SVG text written by us: self-contained, the same numbers as on the screen. No streamlit, no prose.

markup.py escapes and measures, view.py says what is drawn, sheet.py puts title and frame around it; then one file
for each picture.
"""
