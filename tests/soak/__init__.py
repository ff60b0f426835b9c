"""A campaign that breaks the program on purpose for as long as one likes: `make soak SECONDS=3600 SEED=7`.

Each kind of fault is a class of steps in a module of its own. A step is made of a seed and a number, and is repeated by
them: `python -m tests.soak --seed 7 --only kills:1041`. What must hold after every step is in `laws`.
"""
