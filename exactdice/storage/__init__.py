"""Safe files and output folders: written completely or not at all, and nothing outside them.

`exactdice.storage.files` replaces files, adds lines to them and keeps checkpoints;
`exactdice.storage.folder` keeps a folder of outputs with a list of its files. Both need a POSIX
system for locks (``flock``).
"""

from typing import TYPE_CHECKING

from exactdice.linked import loaded_on_use

if TYPE_CHECKING:
    from exactdice.storage.files import append as append
    from exactdice.storage.files import check_writable as check_writable
    from exactdice.storage.files import read_bytes as read_bytes
    from exactdice.storage.files import read_text as read_text
    from exactdice.storage.files import source_identity as source_identity
    from exactdice.storage.files import write_folder as write_folder
    from exactdice.storage.files import write_whole as write_whole
    from exactdice.storage.folder import LOCK as LOCK
    from exactdice.storage.folder import MANIFEST as MANIFEST
    from exactdice.storage.folder import OutputFolder as OutputFolder

__all__, __getattr__, __dir__ = loaded_on_use(__name__)
