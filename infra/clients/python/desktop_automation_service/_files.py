from __future__ import annotations

import base64
import mimetypes
import os
from pathlib import Path
from typing import Literal, TypeAlias

from . import models
from ._facts import FILES_BYTES_MAX

#: A path, or the content.
File: TypeAlias = str | os.PathLike[str] | bytes
FileUse: TypeAlias = Literal["input", "output"]

#: A file cannot be replaced: an earlier attempt has put it.
ALREADY_THERE = 412


def attachment_of(
    run_id: str,
    file: File,
    attachment_type: FileUse,
    filename: str | None,
    content_type: str | None,
    target_path: str | None,
) -> tuple[models.CreateAttachmentBody, bytes]:
    """:return: the attachment, with its content where that fits into the request, and the content."""
    content = file if isinstance(file, bytes) else Path(file).read_bytes()
    name = filename or ("file" if isinstance(file, bytes) else Path(file).name)
    kind = content_type or mimetypes.guess_type(name)[0] or "application/octet-stream"
    body: models.CreateAttachmentBody = {
        "run_id": run_id,
        "attachment_type": attachment_type,
        "filename": name,
        "content_type": kind,
    }
    if target_path is not None:
        body["target_path"] = target_path
    if len(content) <= FILES_BYTES_MAX:
        body["content"] = base64.b64encode(content).decode()
    else:
        body["size_bytes"] = len(content)
    return body, content
