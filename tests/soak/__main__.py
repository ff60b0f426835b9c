"""`make soak SECONDS=3600 SEED=7`: run the campaign, or repeat one step of it."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.soak import campaign
from tests.soak.report import KINDS


def main() -> int:
    """The exit status: 0 when nothing was found."""
    asked = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    asked.add_argument("--seconds", type=float, default=600)
    asked.add_argument("--steps", type=int, default=0, help="of each kind, at most; the time is the limit without it")
    asked.add_argument("--seed", default="1")
    asked.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2)))
    asked.add_argument("--kind", action="append", choices=sorted(KINDS), help="only this kind; may be repeated")
    asked.add_argument("--only", metavar="KIND:STEP", help="repeat one step, and keep its folder")
    asked.add_argument("--summary", type=Path, help="write the outcome there, as JSON")
    options = asked.parse_args()
    quiet_home()
    names = tuple(options.kind or KINDS)
    if options.only:
        name, _, number = options.only.partition(":")
        step = campaign.one(campaign.kinds(campaign.home(), (name,), options.seed)[name], options.seed, int(number))
        print(step.told, *step.found, sep="\n")
        return 1 if step.found else 0
    begun = time.monotonic()
    wanted = campaign.Asked(options.seconds, options.steps, options.seed, options.jobs, names)
    report = campaign.run(wanted, lambda line: print(line, flush=True))
    seconds = time.monotonic() - begun
    if options.summary:
        options.summary.write_text(json.dumps(report.summary(seconds), indent=1) + "\n", encoding="utf-8")
    print(f"\n{report.markdown(seconds)}\n\n{report.line()}")
    return 1 if report.findings else 0


def quiet_home() -> None:
    """A home that is nobody's, and no setting of whoever runs this."""
    for name in list(os.environ):
        if name.startswith(("COMMONPLACE_", "OPENCLAW_", "XDG_")) or name in ("TZ", "USERPROFILE"):
            del os.environ[name]
    os.environ["HOME"] = tempfile.mkdtemp(prefix="soak-home-")


if __name__ == "__main__":
    sys.exit(main())
