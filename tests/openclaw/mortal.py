"""A commonplace that dies in the middle of calls: what it is asked goes to the real one, and so does what that answers.

`deaths.json` beside it lists the calls to come that end it, each once: `{"verb", "word", "done"}`, the word one of the
request's, and done whether the real one had answered. The real one is its neighbour `real`.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
DEATHS = HERE / "deaths.json"

real = subprocess.Popen([HERE / "real", *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
assert real.stdin is not None
assert real.stdout is not None


def die() -> None:
    real.kill()
    os.kill(os.getpid(), signal.SIGKILL)


for line in sys.stdin:
    deaths = json.loads(DEATHS.read_text())
    due = next((each for each in deaths if each["verb"] == json.loads(line)["verb"] and each["word"] in line), None)
    if due:
        deaths.remove(due)
        DEATHS.write_text(json.dumps(deaths))
        if not due["done"]:
            die()
    real.stdin.write(line)
    real.stdin.flush()
    answer = real.stdout.readline()
    if due:
        die()
    print(answer, end="", flush=True)
