"""Where the public data sets are: a folder named by COMMONPLACE_EVALS, which holds scripts and `data/*.json`.

They keep their own licences and are no part of this project. A file is known by what is in it, not by its name:
`conversations` (a list of LoCoMo samples), `passages` ({"paragraphs", "questions"}), `dates` ({"cases": [{"text",
"today", "from", "to"}]}) and `stance` ({"cases": [{"opinion", "fact", "stance"}]}).
"""

from __future__ import annotations

import glob
import json
import os
import sys
from typing import Any

VARIABLE = "COMMONPLACE_EVALS"
MISSING = f"{VARIABLE} is not set: name a folder with the public data sets to measure this"


def folder() -> str:
    """The folder, or empty."""
    return os.environ.get(VARIABLE, "")


def read(path: str) -> Any:
    """One file of data."""
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def kind(data: Any) -> str:
    """What sort of data set this is; empty when unknown."""
    if isinstance(data, list):
        shapes = {"conversation": "conversations", "not_changes": "workspaces"}
        return next((shape for key, shape in shapes.items() if data and key in data[0]), "")
    if "paragraphs" in data:
        return "passages"
    cases = data.get("cases")
    if not cases:
        return ""
    return "stance" if "opinion" in cases[0] else "dates" if "today" in cases[0] else ""


def files(wanted: str) -> list[str]:
    """The data files of a kind, by name."""
    every = sorted(glob.glob(os.path.join(glob.escape(folder()), "data", "*.json"))) if folder() else []
    return [path for path in every if kind(read(path)) == wanted]


def given(arguments: list[str], wanted: str) -> list[str]:
    """The files named on the command line, else those of the folder. Says so and exits 0 when there are none."""
    found = arguments or files(wanted)
    if not found:
        print(MISSING if not folder() else f"no {wanted} in {VARIABLE}/data", file=sys.stderr)
        raise SystemExit(0)
    return found
