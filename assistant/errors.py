"""Everything that can go wrong in the assistant; each message is one line and names the cure.

::

    AssistantError
    ├── QuestionError          the question is empty or too long
    ├── GoldError              a gold file or a kept answer cannot be read
    ├── SettingsError          a setting has a value that cannot be used
    ├── ModelError             the language model
    │   ├── ModelNotFoundError     no such name or file
    │   ├── ModelFileError         the file is not a usable GGUF
    │   └── RemoteModelError       the address does not answer as it should
    ├── ExportError            a file of another format was asked for
    ├── FetchError             a model could not be brought to this machine
    └── StoppedError           the reader stopped a long job; what is done is kept
"""


class AssistantError(Exception):
    """Base of all errors of the assistant."""


class QuestionError(AssistantError):
    """The question is empty or too long."""


class GoldError(AssistantError):
    """A gold file or a kept answer cannot be read."""


class SettingsError(AssistantError):
    """A setting has a value that cannot be used."""


class ModelError(AssistantError):
    """The language model cannot be used."""


class ModelNotFoundError(ModelError):
    """Neither a known model's name, nor a file, nor an address."""


class ModelFileError(ModelError):
    """The file is there but is not a usable GGUF model."""


class RemoteModelError(ModelError):
    """A remote model does not answer as it should."""


class ExportError(AssistantError):
    """A file of a format that citewell does not write was asked for."""


class FetchError(AssistantError):
    """A model could not be brought to this machine."""


class StoppedError(AssistantError):
    """The reader stopped a long job; says what is kept and how to go on."""
