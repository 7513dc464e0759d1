"""The sample library: landmark papers of machine learning, in words of our own."""

from pathlib import Path

PATH: Path = Path(__file__).with_name("landmark_papers.jsonl")
