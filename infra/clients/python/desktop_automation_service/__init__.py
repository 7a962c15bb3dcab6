"""The client of the Desktop Automation Service."""

from . import models
from ._async_client import AsyncClient
from ._client import Client
from ._errors import ApiError, ApiUnreachable
from ._requests import Call
from ._retries import Retries
from ._version import __version__

__all__ = [
    "ApiError",
    "ApiUnreachable",
    "AsyncClient",
    "Call",
    "Client",
    "Retries",
    "__version__",
    "models",
]
