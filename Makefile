# make            this help
# make run        start the app on this machine and print its address
# make class      the same for a class: open to the local network, address and QR code on the start page
# make test       all checks and tests, those in a real browser too
# make check      lint, formatting and types only
# make bench      speed, bytes and memory, each beside its aim
# make weights    rebuild the shipped weights of the real model from their source
#
# PORT=8600         make run, class: this port and no other (default: 8501, or the next free one)
# PYTHON=python3.12 the Python that makes .venv (3.11 or newer)
# ARGS="-k masks"   make test: more options for pytest
#
# Everything is installed into .venv/, again only when a requirements file changes.
# All paths here are relative, so the checkout may lie in a folder with spaces. Works with GNU make 3.81.

SHELL := /bin/sh
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check

export PYTHONUTF8 := 1

# A .venv whose Python does not start (moved, half made, system Python gone) is made anew.
ifneq ($(shell $(PY) -c "import pip" 2>/dev/null && echo works),works)
FRESH := fresh
endif

.PHONY: help run class test check bench weights fresh

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

# Without PORT= Streamlit takes 8501 or the next free port; with PORT= it says so if that one is busy.
# The trap leaves Ctrl-C to the server, which then ends without an error message.
SERVE = trap '' INT; $(PY) -m streamlit run asgi.py $(if $(PORT),--server.port "$(PORT)")

run: $(VENV)/.run
	@$(SERVE) --server.address 127.0.0.1

# Told its own address, Streamlit need not ask the internet for it.
class: $(VENV)/.run
	@address=$$($(PY) -c "from streamlit.net_util import get_internal_ip as own; print(own() or '127.0.0.1')"); \
	$(SERVE) --server.address 0.0.0.0 --browser.serverAddress "$$address"

test: check
	@$(PY) tests/browser/chromium.py >/dev/null
	$(PY) -m pytest -n auto --maxprocesses 4 --dist worksteal $(ARGS)

check: $(VENV)/.dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

bench: $(VENV)/.bench
	@$(PY) tests/browser/chromium.py >/dev/null
	$(PY) -m benchmarks

weights: $(VENV)/.run
	$(PY) training/build_e5.py --kept-ids attention_core/data/e5/kept_ids.txt

# A stamp is written only after its installation has succeeded: an interrupted one is simply done again.

$(VENV)/.made: $(FRESH)
	@set -- $(if $(PYTHON),"$(PYTHON)",python3 python3.14 python3.13 python3.12 python3.11 python); \
	for python in "$$@"; do \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
	  python=; \
	done; \
	if [ -z "$$python" ]; then \
	  echo "Python 3.11 or newer is needed, and none of these is one: $$*." >&2; \
	  for python in "$$@"; do "$$python" --version >&2 2>/dev/null || true; done; \
	  echo "Install one from https://www.python.org or name one: make run PYTHON=/path/to/python3.12" >&2; \
	  exit 1; \
	fi; \
	echo "Making $(VENV) with $$("$$python" --version)"; \
	"$$python" -m venv --clear $(VENV) || { \
	  echo "This Python cannot make a virtual environment; on Debian and Ubuntu: sudo apt-get install python3-venv" >&2; \
	  exit 1; \
	}
	@touch $@

$(VENV)/.run: requirements.txt $(VENV)/.made
	@echo "Installing requirements.txt (the first time this takes a minute)"
	@$(PIP) -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.run
	@echo "Installing requirements-dev.txt"
	@$(PIP) -r requirements-dev.txt
	@touch $@

$(VENV)/.bench: training/requirements.txt $(VENV)/.dev
	@echo "Installing training/requirements.txt"
	@$(PIP) -r training/requirements.txt
	@touch $@
