"""Whether the web server is about to stop, for those who would otherwise make it wait for them."""

from __future__ import annotations

import signal


def se_para() -> bool:
    """Whether uvicorn has been told to stop: it tells nobody, and waits for what is open before our lifespan ends."""
    servidor = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return bool(getattr(servidor, "should_exit", False))
