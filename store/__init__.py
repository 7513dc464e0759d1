"""Papers in, ranked passages out.

The way of the data, one module a step::

    sources -> chunking -> embedding -> chroma + keyword -> library

Nothing here knows of questions, prompts or language models.
"""
