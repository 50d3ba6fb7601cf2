# `make` lists what there is. Every target sets up .venv first when it is missing or older than pyproject.toml.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
ONEFILE := $(RUN) -m referee.onefile
# A failing command in a pipe fails it.
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c

CONTEST ?= coders_strike_back
# The players of a contest unless BOT1 and BOT2 name others: the bots of its golden game; where one of
# these is gone, the first two that define a player. A bot alone plays against itself.
GOLDEN := $(shell sed -n 's/.*"bots":\["\([a-z0-9_",]*\)"\].*/\1/p' bots/$(CONTEST)/golden.json 2>/dev/null | tr -s '",' ' ')
FILES := $(patsubst bots/$(CONTEST)/%.py,%,$(wildcard bots/$(CONTEST)/*.py))
PLAYERS = $(patsubst bots/$(CONTEST)/%.py,%,$(shell grep -ls '^def new_player' bots/$(CONTEST)/*.py))
BOTS := $(if $(filter-out $(FILES),$(GOLDEN)),$(wordlist 1,2,$(PLAYERS)),$(GOLDEN))
BOT1 ?= bots/$(CONTEST)/$(firstword $(BOTS)).py
BOT2 ?= $(patsubst %,bots/$(CONTEST)/%.py,$(word 2,$(BOTS)))
# Where more than two play
OTHERS ?= $(patsubst %,bots/$(CONTEST)/%.py,$(wordlist 3,8,$(BOTS)))
BOT ?= $(BOT1)
SEED ?= 1
LOG ?= build/match.jsonl
PAGE ?= build/match.html
MODE ?=
LIMITS ?=
NODES ?=
# CPU time, so that the first game has a result on a busy machine too: a game by wall time that the
# machine has spoiled may be spoiled again. CLOCK=wall is the site's.
CLOCK ?= $(if $(NODES),wall,cpu)

.DEFAULT_GOAL := help
.PHONY: help setup setup-tests broken lock match test tests test-slow test-exhaustive test-version test-wheel wheel release-check test-all lint bundle replay bench fuzz mutants intervals torture browser infexion-report paths-report docs pictures

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-15s %s\n", $$1, $$2}' Makefile
	@echo "  variables: CONTEST BOT1 BOT2 BOT SEED LIMITS CLOCK NODES LOG PAGE MODE, as in: make match SEED=7 BOT2=bots/coders_strike_back/racer.py"

setup: $(VENV)/for-playing  ## create .venv and install what playing needs

setup-tests: $(VENV)/for-tests

# Set up again where its Python is gone, and in a copied or renamed folder, whose command would run
# the code of the first one.
IS_SOUND = $(shell $(RUN) -c 'print(1)' 2>/dev/null && grep -F "$(CURDIR)/$(VENV)/bin/python" $(VENV)/bin/onefile 2>/dev/null)
$(VENV)/for-playing: requirements.lock pyproject.toml $(if $(filter-out 1,$(IS_SOUND)),,broken)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "onefile needs Python 3.11 or newer: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@[ "$$(uname -s)" = Linux ] || { echo "onefile needs Linux; on Windows use WSL" >&2; exit 1; }
	@[ "$$(uname -m)" = x86_64 ] || echo "no machine code for $$(uname -m): bots run as plain Python here, many times slower" >&2
	@[ ! -L $(VENV) ] || { echo "$(VENV) is a link: remove it, or set up the folder that it names" >&2; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV)
	@sed '/^# For the tests/,$$d' requirements.lock >$(VENV)/playing.txt
	@$(call install,$(VENV)/playing.txt)
	@$(INSTALL) --quiet --no-deps --no-build-isolation -e . && touch $@

$(VENV)/for-tests: $(VENV)/for-playing tests/page/axe.txt
	@$(call install,requirements.lock)
	@$(call install,tests/page/axe.txt)
	@$(RUN) -m tests.support.pythons || echo "the tests on other Pythons fail until their environments can be made" >&2
	@touch $@

# uv where it is present, else pip, whose many lines become one. The lock names every package, so none
# is looked for.
UV := $(shell command -v uv)
INSTALL := $(if $(UV),uv pip install --python $(RUN),$(RUN) -m pip install --disable-pip-version-check)
define install
echo "installing $$(grep -c == $1) packages into $(VENV)" && \
$(INSTALL) --require-hashes --no-deps -r $1 $(if $(UV),,--no-compile --progress-bar off \
| awk '/^(Collecting|Processing)/ {printf "\r%4d  %-60.60s", ++n, $$2} \
  /^Installing/ {printf "\r      %-60.60s", "unpacking"} {fflush()} END {printf "\r%70s\r", ""}')
endef

LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --no-emit-index-url

lock:  ## write requirements.lock anew from pyproject.toml, and the pins of tests/bundler (needs uv)
	@mkdir -p build
	$(LOCK) --no-deps tests/bundler/packages.in -o build/packages.txt
	@{ echo "# Written by \`make lock\` from packages.in."; cat build/packages.txt; } >tests/bundler/packages.txt
	$(LOCK) pyproject.toml --group install -o build/playing.txt
	$(LOCK) pyproject.toml --group install --group dev --extra cluster --extra league --extra learn --extra test -c build/playing.txt -o build/all.txt
	@{ echo "# For playing: written by \`make lock\`."; cat build/playing.txt; \
	  echo "# For the tests"; awk '/^[^ ]/ {skip = 0} FNR == NR {if (/==/) seen[$$1]; next} $$1 in seen {skip = 1} !skip' \
	    build/playing.txt build/all.txt; } >requirements.lock

MATCH = $(ONEFILE) match $(CONTEST) $(BOT1) $(BOT2) $(OTHERS) --seed $(SEED) --log $(LOG) --clock $(CLOCK) \
  $(if $(LIMITS),--limits $(LIMITS)) $(if $(NODES),--nodes $(NODES))
match: setup  ## bundle two bots, play one match, write its log and page
	@mkdir -p build
	@echo '$(strip $(MATCH))'
	@$(MATCH) || [ $$? -eq 3 ] # a bot failed: its page shows it
	$(ONEFILE) view $(LOG) -o $(PAGE) --trust

# Else make would find that the folder of this name is there, and do nothing.
tests: test

# Three at once keep two cores busy: matches wait for bots, and for time. In `make test` each takes one file
# after the other, or a folder (see tests/conftest.py), so that few kernels are compiled twice; slow tests,
# which share few kernels, are taken from whoever has many left.
# Test modules are compiled once, not at each run by each process, also where no file may be written
# beside the sources.
BYTECODE := $(if $(PYTHONDONTWRITEBYTECODE),env -u PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX=$(CURDIR)/.cache/bytecode)
PYTEST := $(BYTECODE) $(RUN) -m pytest -n 3
BY_FILE := --dist loadfile --no-loadscope-reorder
# What depends on the version of Python: its grammar, its errors, what runs in other processes
OF_VERSION := tests/bundler tests/scaffold tests/official/test_build.py tests/official/test_workspace.py \
  tests/referee/test_command_line.py

FAST := -m "not slow and not exhaustive"

test: setup-tests  ## run the fast tests, as before each commit
	$(PYTEST) $(BY_FILE) $(FAST)

test-slow: setup-tests  ## run the slow tests alone: the rest of what .ci/run runs
	$(PYTEST) --dist worksteal -m "slow and not exhaustive"

test-exhaustive: setup-tests  ## run more cases of what the other tests sample (hours)
	$(PYTEST) --dist worksteal -m exhaustive

test-version: setup-tests  ## run the tests that depend on the version of Python: make test-version PYTHON=python3.13 VENV=.venv-3.13
	$(PYTEST) $(BY_FILE) $(FAST) $(OF_VERSION)

test-wheel: setup-tests  ## install the distribution for each Python found here, and type a newcomer's commands
	$(RUN) -m pytest tests/install/test_wheel.py

wheel: setup  ## build the distribution: build/dist/*.whl and its source
	$(RUN) -m hatchling build -d build/dist

TAG ?=
release-check:  ## say what a release still lacks: its address, version, changelog, TAG
	@$(PYTHON) .github/release_check.py $(TAG)

test-all: test test-slow test-exhaustive  ## run all tests

lint: setup-tests  ## check formatting, imports and types
	$(RUN) -m black --check --quiet . || { echo "run: $(RUN) -m black ."; exit 1; }
	$(RUN) -m ruff check --quiet .
	$(RUN) -m mypy

bundle: setup  ## flatten BOT into one file to paste, MODE native (default), numba or python
	@mkdir -p build
	$(ONEFILE) bundle $(BOT) $(if $(MODE),--mode $(MODE)) -o build/$(notdir $(BOT))

replay: setup  ## feed a log's input to its bots again and compare every command
	$(ONEFILE) replay $(LOG) --player 0
	$(ONEFILE) replay $(LOG) --player 1

fuzz: setup-tests  ## read 100,000 damaged files of each kind: only named errors may come of them
	$(RUN) -m tests.lab.fuzz

MUTANTS ?= 120

mutants: setup-tests  ## change MUTANTS lines, and list those whose change no test notices (20 minutes)
	$(RUN) -m tests.mutants --mutants $(MUTANTS) --seed $(SEED)

bench: setup-tests  ## measure simulator, searches and start-up
	$(RUN) -m tests.lab.bench

intervals: setup-tests  ## simulate whether the arena's 95% intervals hold the truth (half an hour)
	$(RUN) -m tests.lab.arena.intervals

# The long form of what the suite tries in small.
torture: setup-tests  ## bots that misbehave, arenas that are interrupted in every way (half an hour)
	$(RUN) -m tests.lab.referee.torture
	$(RUN) -m tests.lab.arena.torture

browser:  ## install Debian's Chromium for the tests of the pages
	apt-get update -qq && apt-get install -y -qq chromium

infexion-report: setup-tests  ## play the table of the report on Infexion again
	$(RUN) -m tests.lab.infexion.report

MAP ?= arena
paths-report: setup-tests  ## paths on the map MAP beside those of other programs (needs the maps of Moving AI)
	$(RUN) -m tests.lab.paths.rivals --name $(MAP)

docs: $(VENV)/for-docs  ## build the documentation as a site in build/docs
	$(RUN) -m docs.tools.site

$(VENV)/for-docs: $(VENV)/for-playing
	@$(INSTALL) --quiet --no-build-isolation -e '.[docs]' && touch $@

pictures: setup-tests  ## draw and record the pictures of the documentation (needs Chromium)
	CG_JIT=0 $(RUN) -m docs.tools.diagrams
	$(RUN) -m docs.tools.recordings
