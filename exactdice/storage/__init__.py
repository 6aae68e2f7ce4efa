"""Files and folders that are written: whole or as they were, and nothing outside them.

`exactdice.storage.files` replaces a file or adds lines to one, `exactdice.storage.folder` keeps a
folder of outputs with the list of what was written into it, and `exactdice.storage.levels` tells
by which code. They need a POSIX system: locks are those of ``flock``.
"""

from exactdice.storage.files import append, check_writable, read_bytes, read_text, write_whole
from exactdice.storage.folder import LOCK, MANIFEST, OutputFolder
from exactdice.storage.levels import source_identity

__all__ = ["LOCK", "MANIFEST", "OutputFolder", "append", "check_writable"]
__all__ += ["read_bytes", "read_text", "source_identity", "write_whole"]
