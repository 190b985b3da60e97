# make demo   a whole host on this machine            make demo ARGS="--headless champ-cards"
# make test   checks and all tests                    make test WITHOUT=dovecot
# make check  lint, format, types, import contracts
# make bench  what a mail costs                 make bench ARGS="backlog --mails 500 --rounds 3"
# make run    the daemon, with podium.toml            make run ARGS="--config my.toml"

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
ARGS ?=
WITHOUT ?=
# many tests wait for servers: more of them than cores
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || echo 2) \* 2)
LOCK := requirements.lock

.PHONY: demo test bench check run clean format

demo: $(VENV)/.installed
	$(BIN)/podium demo $(ARGS)

run: $(VENV)/.installed
	$(BIN)/podium run $(ARGS)

check: $(VENV)/.developing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.developing
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Real tests need real servers and mail programs; Debian has them. Without Debian or root, say so and fail.
SERVERS := $(filter-out $(WITHOUT),dovecot postfix postgresql programs)
LEFT_OUT := $(strip $(filter dovecot postfix postgresql programs,$(WITHOUT)))
SPACE := $(subst x,,x x)

test: check
	@sh tests/install-servers $(SERVERS)
	$(BIN)/pytest -n $(WORKERS) --dist worksteal $(if $(LEFT_OUT),-m "not ($(subst $(SPACE), or ,$(LEFT_OUT)))") $(ARGS)

bench: $(VENV)/.developing
	@sh tests/install-servers $(filter-out postfix programs,$(SERVERS))
	$(BIN)/python -m bench $(ARGS)

$(VENV)/bin/python:
	@sh -c '$(PYTHON) -m venv $(VENV) 2>/dev/null \
	  || { rm -rf $(VENV); apt-get update -qq && apt-get install -y -qq python3-venv && $(PYTHON) -m venv $(VENV); } \
	  || { echo "Python 3.11 or later with its venv module is needed: on Debian, apt-get install python3-venv" >&2; exit 1; }'

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml $(LOCK)
	$(BIN)/python -m pip install -q --disable-pip-version-check -c $(LOCK) -e .
	touch $@

$(VENV)/.developing: $(VENV)/.installed
	$(BIN)/python -m pip install -q --disable-pip-version-check -c $(LOCK) -r tests/requirements.txt
	touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
