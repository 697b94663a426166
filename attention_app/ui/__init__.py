"""The only part besides pages and components that talks to streamlit."""
