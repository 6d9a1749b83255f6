# All of it needs python3 (3.11 or newer) and make, nothing else. PYTHON=python3.12 picks another Python.

PYTHON ?= python3
PORT ?= 8000
HOST ?= 127.0.0.1
WORKERS ?= auto

BIN := .venv/bin
# One stamp per Python version, so that another PYTHON makes the environment anew.
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
STAMP := .venv/.installed-$(VERSION)
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-deps -r

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install run cluster check test screenshots words texts readme-picture soak bench messages schema lock audit clean

help: ## these lines
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(STAMP) ## make .venv with everything in it

$(STAMP): requirements.lock
	@test -n "$(VERSION)" || { echo "make: cannot run '$(PYTHON)': install Python 3.11 or newer, or name one: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: '$(PYTHON)' is Python $(VERSION), and 3.11 is the oldest that will do: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "make: '$(PYTHON)' lacks venv or ensurepip (on Debian and Ubuntu: apt-get install python$(VERSION)-venv)" >&2; exit 1; }
	@echo "Making .venv (Python $(VERSION)) from requirements.lock; half a minute, once."
	@$(PYTHON) -m venv --clear .venv
	@$(PIP) requirements.lock
	@$(BIN)/python -m pip --disable-pip-version-check check
# The project is found from wherever its tools are started, not only from this folder.
	@$(BIN)/python -c 'import os, pathlib, sysconfig; pathlib.Path(sysconfig.get_path("purelib"), "otto_online.pth").write_text(os.getcwd() + "\n")'
	@touch $@

run: export TRIAL ?= 1
run: export SITE_URL ?= http://$(HOST):$(PORT)
run: install ## serve on http://127.0.0.1:8000 with an embedded database; PORT=… another port, VERBOSE=1 every request
	@$(BIN)/python manage.py serve --first migrate --first seed_demo $(HOST):$(PORT)

cluster: install ## the whole production site on this machine: PostgreSQL, Redis, two web, three workers, beat, inbound mail, proxy
	@$(BIN)/python docker/cluster.py

# Bytecode is kept whatever the environment says: without it pytest rewrites all assertions at each start, and
# every process that a test starts compiles the project once more.
check test soak: export PYTHONDONTWRITEBYTECODE :=
# Tests that need no server: the pure packages, and the code as text.
PURE_TESTS := tests/engine tests/pairing tests/clock tests/test_vocabulary.py tests/test_languages.py tests/test_untranslated.py tests/test_texts.py

check: install ## style, types, import contracts and the tests that need no server: under a minute, for every save
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	OTTO_TEST_NO_SERVERS=1 $(BIN)/python -m pytest -m 'not django_db and not slow' $(PURE_TESTS)

test: install ## everything that must hold before a change lands; WORKERS=… other than one for each core
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run
	@$(BIN)/python -m tests.chromium
	$(BIN)/python -m pytest -n $(WORKERS)

# The screenshot of README.md: one page of var/screenshots, its upper part, 800 wide, with a palette of 64 colours.
GAME_PAGE := game, a tile to place
define WRITE_README_PICTURE
@mkdir -p docs/images
@$(BIN)/python -c 'from PIL import Image; \
	page = Image.open("var/screenshots/game--a-tile-to-place-desktop-light.png").convert("RGB"); \
	page = page.crop((0, 0, page.width, min(page.height, 900))); \
	page = page.resize((800, page.height * 800 // page.width), Image.Resampling.LANCZOS); \
	page.quantize(64, dither=Image.Dither.NONE).save("docs/images/game.png", optimize=True)'
endef

screenshots: install ## every page in var/screenshots: English by day and night on phone and desktop, Italian and Dutch on a phone; LANGUAGE=nl these alone
	@$(BIN)/python -m tests.chromium
ifdef LANGUAGE
	SCREENSHOTS=var/screenshots $(BIN)/python -m pytest -n 0 'tests/browser/test_pages_in_languages.py::test_all_pages_fit_on_a_phone[$(LANGUAGE)]'
else
	SCREENSHOTS=var/screenshots $(BIN)/python -m pytest tests/browser/test_every_page.py tests/browser/test_pages_in_languages.py
	$(WRITE_README_PICTURE)
endif
	@echo "See var/screenshots."

words: install ## how many words the twenty most seen screens show; BEFORE=older.json beside an older count
	@$(BIN)/python -m tests.chromium
	$(BIN)/python -m tests.browser.word_counts $(BEFORE)

texts: install ## what the texts of the site break of docs/style.md, by file
	DJANGO_SETTINGS_MODULE=otto_site.settings $(BIN)/python -m tests.text_report

readme-picture: install ## docs/images/game.png alone, from the page of a game
	@$(BIN)/python -m tests.chromium
	SCREENSHOTS=var/screenshots $(BIN)/python -m pytest -n 0 'tests/browser/test_every_page.py::test_a_page[$(GAME_PAGE)]'
	$(WRITE_README_PICTURE)

soak: install ## all tests in their long forms: weeks of play, tournaments of 512, an hour of `make run`, ten times the random examples
	SOAK=1 $(BIN)/python -m pytest

$(STAMP)-bench: $(STAMP) requirements-bench.lock
	@echo "Adding the peers that the benchmarks compare with."
	@$(PIP) requirements-bench.lock
	@touch $@

bench: $(STAMP)-bench ## measure every figure of docs/benchmarks.md
	@set -e; for script in $(sort $(wildcard bench/[a-z]*.py)); do echo "== $$script" >&2; $(BIN)/python $$script; done

# Whoever only runs or tests the site needs no gettext: what it makes is kept beside the code.
ELSEWHERE := --ignore .venv --ignore var
messages: install ## write the catalogues in locale/ anew from the code and compile them; needs the gettext tools
	$(BIN)/python manage.py makemessages --all --add-location file --no-obsolete $(ELSEWHERE) --ignore tests --ignore clients --ignore bench
	$(BIN)/python manage.py compilemessages $(ELSEWHERE)

schema: install ## write the OpenAPI document and what the clients have from it anew from the code, after a change of the API
	$(BIN)/python manage.py openapi

# uv resolves for every Python and platform at once and marks where they differ, which pip freeze cannot.
lock: ## write requirements*.lock anew from pyproject.toml
	@set -eu; tmp=$$(mktemp -d); trap 'rm -rf "$$tmp"' EXIT; \
	$(PYTHON) -m venv "$$tmp"; "$$tmp/bin/python" -m pip --disable-pip-version-check install --quiet uv; \
	compile() { "$$tmp/bin/uv" pip compile --quiet --universal --upgrade --python-version 3.11 --no-annotate --no-header "$$@"; }; \
	compile pyproject.toml --extra test > "$$tmp/all.lock"; \
	"$$tmp/bin/python" -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["bench"], sep="\n")' > "$$tmp/bench.in"; \
	compile "$$tmp/bench.in" --constraints "$$tmp/all.lock" > "$$tmp/bench.lock"; \
	cp "$$tmp/all.lock" requirements.lock; cp "$$tmp/bench.lock" requirements-bench.lock; \
	wc -l requirements.lock requirements-bench.lock

# A package that an index does not know is not taken for a safe one (--strict): then nothing was audited.
audit: ## ask PyPI or OSV for known holes in requirements.lock; needs the network
	@set -u; tmp=$$(mktemp -d); trap 'rm -rf "$$tmp"' EXIT; \
	$(PYTHON) -m venv "$$tmp"; "$$tmp/bin/python" -m pip --disable-pip-version-check install --quiet pip-audit || exit 1; \
	for other in "" "--vulnerability-service osv"; do \
		if "$$tmp/bin/pip-audit" $$other --strict --progress-spinner off --disable-pip --no-deps \
			--requirement requirements.lock --format json --output "$$tmp/found" 2> "$$tmp/why"; then \
			echo "make audit: no hole in requirements.lock is known."; exit 0; \
		elif test -s "$$tmp/found"; then \
			cat "$$tmp/found" "$$tmp/why"; echo "make audit: holes in requirements.lock are known, see above." >&2; exit 1; \
		fi; tail -n 1 "$$tmp/why" >&2; \
	done; echo "make audit: no index of advisories answers for all of requirements.lock: nothing was audited." >&2; exit 2

clean: ## remove .venv and every cache; games in var/ stay
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
