"""Precision and recall of `weigh`, in this process.

bench/stance.py [FILE...]       files {"cases": [{"opinion", "fact", "stance"}]}; stance supports, contradicts or other
bench/stance.py --wrong FILE   also the cases that were decided wrongly
bench/stance.py --missed FILE  also the contradictions that were not seen

bench/stance.py --own          our own pairs, in tests/core/stance

Without files, those in the folder that COMMONPLACE_EVALS names. Cases that carry a `set` or a `language` are also told
apart by these, a line each.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

from datasets import given

from commonplace.core.model import Stance
from commonplace.core.stance import prepare, weigh, weigh_prepared

OWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "core", "stance")
NAMES = ("polarity", "traps", "more", "held", "fresh")
_STANCES = (Stance.CONTRADICTS, Stance.SUPPORTS)

Case = dict[str, Any]


def figures(cases: list[Case], answers: list[Stance]) -> str:
    """P and R of both stances, and how many of the cases that are neither were decided."""
    pairs = [(case["stance"], str(answer)) for case, answer in zip(cases, answers, strict=True)]
    told = []
    for stance in _STANCES:
        said = [want for want, got in pairs if got == stance]
        true = sum(want == stance for want, _ in pairs)
        right = said.count(stance)
        told.append(
            f"{stance} P {right / max(1, len(said)):.3f} R {right / max(1, true):.3f} ({right} of {len(said)}, {true})"
        )
    neither = [got for want, got in pairs if want not in _STANCES]
    decided = sum(got in _STANCES for got in neither)
    return "   ".join([*told, f"unrelated decided {decided} of {len(neither)}"])


def groups(cases: list[Case]) -> dict[str, list[int]]:
    """The places of the cases of each set and of each language in it, by name, where they carry these."""
    found: dict[str, list[int]] = {}
    for place, case in enumerate(cases):
        for name in (case.get("set", ""), f"{case.get('set', '')} {case.get('language', '')}".strip()):
            if name:
                found.setdefault(name, []).append(place)
    return {name: places for name, places in sorted(found.items()) if len(places) < len(cases)}


def main(arguments: list[str]) -> None:
    named = [argument for argument in arguments if not argument.startswith("--")]
    if "--own" in arguments:
        named.extend(os.path.join(OWN, f"{name}.json") for name in NAMES)
    for path in given(named, "stance"):
        with open(path, encoding="utf-8") as file:
            cases = json.load(file)["cases"]
        prepare.cache_clear()
        began = time.perf_counter()
        answers = [weigh(case["opinion"], case["fact"]) for case in cases]
        took = (time.perf_counter() - began) / len(cases)
        pairs = [(prepare(case["opinion"]), prepare(case["fact"])) for case in cases]
        began = time.perf_counter()
        for opinion, fact in pairs:
            weigh_prepared(opinion, fact)
        again = (time.perf_counter() - began) / len(cases)
        name = path.rpartition("/")[2]
        print(f"{name:22s} n={len(cases):<5d} {took * 1e3:.3f} ms, prepared {again * 1e6:.1f} us")
        stances = [answer.stance for answer in answers]
        print(f"    {'all':18s} n={len(cases):<5d}{figures(cases, stances)}")
        for group, places in groups(cases).items():
            of_group = figures([cases[place] for place in places], [stances[place] for place in places])
            print(f"    {group:18s} n={len(places):<5d}{of_group}")
        if "--wrong" in arguments:
            for case, answer in zip(cases, answers, strict=True):
                if answer.stance is not Stance.UNDECIDED and answer.stance != case["stance"]:
                    print(f"  {answer.stance} ({case['stance']}) {case['opinion']} | {case['fact']} | {answer.reason}")
        if "--missed" in arguments:
            for case, answer in zip(cases, answers, strict=True):
                if case["stance"] == "contradicts" and answer.stance is Stance.UNDECIDED:
                    print(f"  missed {case['opinion']} | {case['fact']} | {answer.reason}")


if __name__ == "__main__":
    main(sys.argv[1:])
