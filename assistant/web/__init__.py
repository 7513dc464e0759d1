"""The chat page, the only part that imports gradio."""
