"""Precision and recall of `weigh`, in this process.

bench/stance.py [FILE...]       files {"cases": [{"opinion", "fact", "stance"}]}; stance supports, contradicts or other
bench/stance.py --wrong FILE   also the cases that were decided wrongly

Without files, those in the folder that COMMONPLACE_EVALS names.
"""

from __future__ import annotations

import json
import sys
import time

from datasets import given

from commonplace.core.model import Stance
from commonplace.core.stance import prepare, weigh, weigh_prepared


def main(arguments: list[str]) -> None:
    for path in given([argument for argument in arguments if not argument.startswith("--")], "stance"):
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
        for stance in (Stance.CONTRADICTS, Stance.SUPPORTS):
            said = [c for c, a in zip(cases, answers, strict=True) if a.stance is stance]
            right = sum(c["stance"] == stance for c in said)
            true = sum(c["stance"] == stance for c in cases)
            print(
                f"    {stance:12s} P {right / max(1, len(said)):.3f} R {right / max(1, true):.3f}"
                f"  said {len(said)} right {right} of {true}"
            )
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
