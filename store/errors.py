"""Everything that can go wrong in the store; each message is one line and names the cure.

::

    StoreError
    ├── SourceError            a file, folder or service gives no papers
    ├── ServiceError           a service does not answer as it should
    ├── LibraryError           the library folder itself
    │   ├── NotALibraryError       the folder belongs to something else
    │   ├── NewerLibraryError      made by a later citewell
    │   ├── LibraryBusyError       another process is writing
    │   ├── LibraryFullError       the disk is full
    │   └── EncoderMismatchError   its vectors come from another encoder
    ├── EncoderError           the encoder cannot be loaded
    ├── PaperNotFoundError     no paper has that id or source
    └── NothingKeptError       a filter leaves no paper
"""


class StoreError(Exception):
    """Base of all errors of the store."""


class SourceError(StoreError):
    """A file or folder cannot be read as papers, or a service gives none."""


class ServiceError(StoreError):
    """A service of papers does not answer as it should; the message has no full stop yet."""


class LibraryError(StoreError):
    """The library folder cannot be used as it is."""


class NotALibraryError(LibraryError):
    """The folder belongs to another program."""


class NewerLibraryError(LibraryError):
    """The library was written by a newer version of citewell."""


class LibraryBusyError(LibraryError):
    """Another process is writing to the library."""


class LibraryFullError(LibraryError):
    """The disk is full; what was added before is kept."""


class EncoderMismatchError(LibraryError):
    """The vectors of the library come from another encoder."""


class EncoderError(StoreError):
    """The encoder cannot be loaded."""


class PaperNotFoundError(StoreError):
    """No paper of the library has that id or source."""


class NothingKeptError(StoreError):
    """A filter leaves no paper of the library."""
