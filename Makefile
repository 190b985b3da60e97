# make demo   a whole host in the browser              make demo ARGS="--terminal"
# make test   checks and all tests, the long ones short  make test WITHOUT=dovecot
# make storm  all tests in full, then kills                make storm KILLS=100
# make check  lint, format, types, import contracts
# make bench  what a mail costs                 make bench ARGS="backlog --mails 500 --rounds 3"
# make letters  every kind of letter to look at, in build/letters
# make run    the daemon, with podium.toml            make run ARGS="--config my.toml"
# make lock   the locks anew, from pyproject.toml     make lock ARGS=--upgrade

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
ARGS ?=
WITHOUT ?=
KILLS ?= 1000
# one process waits for servers, while the others compute; each takes ten seconds to find all tests
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)

.PHONY: demo test storm bench letters check run clean format lock

demo: $(VENV)/.demo
	$(BIN)/podium demo $(ARGS)

run: $(VENV)/.installed
	$(BIN)/podium run $(ARGS)

check: $(VENV)/.developing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --num-workers auto
	$(BIN)/lint-imports

format: $(VENV)/.developing
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# `make test` runs each kind of fault, each server and each journey once. `make storm` runs the full numbers, and what is marked
# `storm` besides: the suite takes half an hour, a thousand kills an hour or more.
# Real tests need real servers and mail programs; Debian has them. Without Debian or root, say so and fail.
PACKAGED := dovecot postfix postgresql nginx programs chromium pgloader valgrind
SERVERS := $(filter-out $(WITHOUT),$(PACKAGED))
LEFT_OUT := $(strip $(filter $(PACKAGED) salmon,$(WITHOUT)))
SPACE := $(subst x,,x x)
PYTEST = $(BIN)/pytest -n $(WORKERS) --dist worksteal $(if $(LEFT_OUT),-m "not ($(subst $(SPACE), or ,$(LEFT_OUT)))") $(ARGS)

# The tests start Python some hundred times: what it compiled is kept, also where the environment says that it is not.
test storm: export PYTHONDONTWRITEBYTECODE :=
# Types are checked by one process; meanwhile another compiles the tests, which each of those that run them would do else.
test: $(VENV)/.developing
	@$(BIN)/pytest --collect-only -q $(ARGS) >/dev/null 2>&1 & { $(MAKE) --no-print-directory check; status=$$?; wait; exit $$status; }
	@sh tests/install-servers $(filter-out pgloader valgrind,$(SERVERS))
	$(PYTEST)

storm: export STORM := 1
storm: check
	@sh tests/install-servers $(SERVERS)
	$(PYTEST)
	$(BIN)/python -m tests.wire.storm --kills $(KILLS)

bench: $(VENV)/.developing
	@sh tests/install-servers $(filter dovecot postgresql valgrind,$(SERVERS))
	$(BIN)/python -m bench $(ARGS)

letters: $(VENV)/.developing
	$(BIN)/python -W ignore -m tests.letters.gallery $(or $(ARGS),build/letters)

$(VENV)/bin/python:
	@sh -c '$(PYTHON) -m venv $(VENV) 2>/dev/null \
	  || { rm -rf $(VENV); apt-get update -qq && apt-get install -y -qq python3-venv && $(PYTHON) -m venv $(VENV); } \
	  || { echo "Python 3.11 or later with its venv module is needed: on Debian, apt-get install python3-venv" >&2; exit 1; }'

# Every file that pip fetches has its hash in a lock. What is only there as source is built by what the first
# lock has. It has a pip, too: that which Python 3.11 brings takes twice as long for all that follows.
PIP := $(BIN)/python -m pip --disable-pip-version-check install -q
LOCKED := $(PIP) --require-hashes --no-build-isolation -r

$(VENV)/.building: $(VENV)/bin/python requirements-build.lock
	$(LOCKED) requirements-build.lock
	touch $@

$(VENV)/.installed: $(VENV)/.building pyproject.toml requirements.lock
	$(LOCKED) requirements.lock
	$(PIP) --no-build-isolation --no-deps -e .
	touch $@

$(VENV)/.demo: $(VENV)/.installed requirements-demo.lock
	$(LOCKED) requirements-demo.lock
	touch $@

# It holds all that the others have. What is imported is compiled then; that is a tenth of it.
$(VENV)/.developing: $(VENV)/.building pyproject.toml requirements-dev.lock tests/letters/axe.lock
	$(LOCKED) requirements-dev.lock -r tests/letters/axe.lock --no-deps --no-compile
	$(PIP) --no-build-isolation --no-deps -e .
	touch $@

# uv writes locks for every Python and processor at once; pip only for its own. What is locked stays, unless with --upgrade.
COMPILE := uv pip compile -q --universal --python-version 3.11 --generate-hashes --custom-compile-command "make lock" $(ARGS)
FROM_ALL := $(COMPILE) -c requirements-dev.lock

lock:
	$(COMPILE) pyproject.toml tests/requirements.txt --all-extras --group build -o requirements-dev.lock
	$(FROM_ALL) pyproject.toml --extra demo -o requirements-demo.lock
	$(FROM_ALL) pyproject.toml --extra postgresql -o requirements.lock
	$(FROM_ALL) --group build -o requirements-build.lock
	$(COMPILE) bench/salmon.txt -o bench/salmon.lock

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
