"""Files and folders that are written: whole or as they were, and nothing outside them.

`exactdice.storage.files` replaces a file or adds lines to one, `exactdice.storage.folder` keeps a
folder of outputs with the list of what was written into it, and `exactdice.storage.files` tells
by which code. They need a POSIX system: locks are those of ``flock``.
"""

from typing import TYPE_CHECKING

from exactdice.linked import loaded_on_use

if TYPE_CHECKING:
    from exactdice.storage.files import append as append
    from exactdice.storage.files import check_writable as check_writable
    from exactdice.storage.files import read_bytes as read_bytes
    from exactdice.storage.files import read_text as read_text
    from exactdice.storage.files import source_identity as source_identity
    from exactdice.storage.files import write_whole as write_whole
    from exactdice.storage.folder import LOCK as LOCK
    from exactdice.storage.folder import MANIFEST as MANIFEST
    from exactdice.storage.folder import OutputFolder as OutputFolder

__all__, __getattr__, __dir__ = loaded_on_use(__name__)
