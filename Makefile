# `make run` and `make test` do all the set-up on a fresh machine, and are quick when nothing changed.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: run test check dist check-wheel lock clean help

help:
	@echo "make run    set up, index the sample library, open the page"
	@echo "make test   set up, lint, check types, run all tests"
	@echo "make check  lint and types only"
	@echo "make dist   build the wheel, the same bytes every time"
	@echo "make check-wheel  build it, and try it in a clean environment"
	@echo "make lock   write requirements.lock from the present environment"

# The environment: exactly what the lock file pins, then citewell itself.
$(READY): requirements.lock pyproject.toml
	@echo "Setting up $(VENV): 2.3 GB, some minutes the first time"
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --progress-bar off -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

# The encoder is needed to index anything; the answer model comes while the page is already open.
run: $(READY)
	$(BIN)/citewell models fetch encoder
	@echo "Reading the sample library: a minute the first time"
	$(BIN)/citewell add --sample
	$(BIN)/citewell serve --fetch

# The real parts for the tests: a very small model, a small encoder, a browser.
test: $(READY)
	$(BIN)/citewell models fetch smollm2-135m all-minilm-l6-v2
	@command -v chromium >/dev/null || { \
	  echo "Installing Chromium for the page tests"; \
	  SUDO=$$([ "$$(id -u)" = 0 ] || command -v sudo); \
	  $$SUDO apt-get -qq update && $$SUDO apt-get -qq install -y chromium >/dev/null; }
	$(MAKE) --no-print-directory check
	$(BIN)/python -m pytest

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Built from an export of the last commit: nothing that lies about gets in, and the dates inside are
# that commit's, so that anyone who builds it has the same bytes.
dist: $(READY)
	rm -rf build dist
	mkdir -p build/source
	git archive HEAD | tar -x -C build/source
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) \
	  $(BIN)/python -m build --wheel --no-isolation --outdir dist build/source >/dev/null
	@cd dist && sha256sum *.whl

check-wheel: dist
	$(BIN)/python -m pytest tests/test_packaging.py

lock: $(READY)
	$(BIN)/python -m pip list --format=freeze --exclude-editable | sed "s/+cpu$$//" > requirements.lock

clean:
	rm -rf $(VENV) build dist *.egg-info
