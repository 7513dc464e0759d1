"""The library over HTTP, the only part that imports FastAPI and uvicorn."""
