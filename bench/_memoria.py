"""Run a command and say the peak of its largest process: `python -m bench._memoria COMMAND…` prints kilobytes.

A process of its own and small: a child's figure starts at what its parent weighed when it was born.
"""

from __future__ import annotations

import resource
import subprocess
import sys

if __name__ == "__main__":
    subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
