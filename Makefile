# `make` lists what there is. Every target sets up .venv first when it is missing or older than pyproject.toml.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python

CONTEST ?= coders_strike_back
# Who plays in a contest unless BOT1 and BOT2 say otherwise; a contest of one's own begins with a random bot.
coders_strike_back := smitsimax mutation
xmas_rush := smitsimax uct
infexion := minimax mcts
BOTS := $(or $($(CONTEST)),random)
BOT1 ?= bots/$(CONTEST)/$(firstword $(BOTS)).py
BOT2 ?= bots/$(CONTEST)/$(lastword $(BOTS)).py
BOT ?= $(BOT1)
SEED ?= 1
LOG ?= build/match.jsonl
PAGE ?= build/match.html
MODE ?=

.DEFAULT_GOAL := help
.PHONY: help setup match test tests lint bundle replay bench browser infexion-report

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-15s %s\n", $$1, $$2}' Makefile
	@echo "  variables: CONTEST BOT1 BOT2 BOT SEED LOG PAGE MODE, as in: make match SEED=7 BOT2=bots/coders_strike_back/racer.py"

setup:  ## create .venv and install the pinned packages
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "onefile needs Python 3.11 or newer: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@if ! $(RUN) -c '' 2>/dev/null || [ ! -e $(VENV)/installed ] || [ pyproject.toml -nt $(VENV)/installed ]; then \
	  echo "setting up $(VENV)"; \
	  $(PYTHON) -m venv --clear $(VENV) && \
	  $(RUN) -m pip install --quiet --disable-pip-version-check -e '.[dev]' && touch $(VENV)/installed; \
	fi

match: setup  ## bundle two bots, play one match, write its log and page
	@mkdir -p build
	$(RUN) -m referee match $(CONTEST) $(BOT1) $(BOT2) --seed $(SEED) --log $(LOG)
	$(RUN) -m referee view $(LOG) -o $(PAGE)

# Else make would find that the folder of this name is there, and do nothing.
tests: test

test: setup  ## run all tests
	$(RUN) -m pytest -n 2 --dist loadfile

lint: setup  ## check the formatting
	$(RUN) -m black --check --quiet . || { echo "run: $(RUN) -m black ."; exit 1; }

bundle: setup  ## flatten BOT into one file to paste, MODE native (default), numba or python
	@mkdir -p build
	$(RUN) -m bundler $(BOT) $(if $(MODE),--mode $(MODE)) -o build/$(notdir $(BOT))

replay: setup  ## feed a log's input to its bots again and compare every command
	$(RUN) -m referee replay $(LOG) --player 0
	$(RUN) -m referee replay $(LOG) --player 1

bench: setup  ## measure simulator, searches and start-up
	$(RUN) -m tests.bench

browser: ## install Debian's Chromium for the tests of the page
	apt-get update -qq && apt-get install -y -qq chromium

infexion-report: setup  ## play and count the results of the report on Infexion again, as a page
	$(RUN) -m tests.bench.infexion_report
