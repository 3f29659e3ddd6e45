# Warren. Every target sets up what it needs first; `make start` is the only command to a running product.
SHELL := /bin/sh
MAKEFLAGS += --no-print-directory

bin := node_modules/.bin
system_path := $(PATH)
# The project's own Node, whatever the system has.
export PATH := $(CURDIR)/$(bin):$(PATH)

# Under sudo, what is written to the checkout belongs to the person who typed the command.
person := $(if $(SUDO_USER),sudo -u $(SUDO_USER) -H env PATH="$$PATH",)
jest := NODE_OPTIONS='--experimental-vm-modules --disable-warning=ExperimentalWarning' $(bin)/jest

# The key of releases is asked for, unless one of this checkout will do: THROWAWAY_KEY=1.
throwaway = $(if $(THROWAWAY_KEY),--throwaway-key)
# Tests never need the real one.
test containers cluster cluster-up: THROWAWAY_KEY := 1

# End-to-end tests and measurements run a separate Warren, beside one that may be running already.
apart := WARREN_REBOOT_COMMAND=true WARREN_HOME=.warren/apart WARREN_PORT=28080

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z][a-z0-9-]*:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: start
start: install ## Start all of Warren on this machine; Ctrl-C stops it
	@exec node --disable-warning=ExperimentalWarning deploy/local/src/start.ts

.PHONY: stop
stop: install ## Stop a Warren that was started elsewhere
	@node deploy/local/src/stop.ts

.PHONY: install
install: node_modules/.package-lock.json ## Install the packages that package-lock.json names, if they have changed

# npm writes this file last; so it is also the sign that an installation came to its end.
node_modules/.package-lock.json: package-lock.json
	@command -v npm >/dev/null || { echo 'npm is missing: install Node.js 20 or later (https://nodejs.org).' >&2; exit 1; }
	@node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' || { echo "Node.js $$(node --version) is too old: install 20 or later." >&2; exit 1; }
	@$(person) test -w . || { echo "No right to write here: run sudo chown -R $${SUDO_USER:-$$(id -un)} '$(CURDIR)'" >&2; exit 1; }
	@echo '  Installing packages'
	@$(person) env PATH='$(system_path)' npm ci --no-fund --no-audit --loglevel=error
	@touch $@

.PHONY: build
build: install ## Build everything that has changed
	@$(person) node deploy/local/src/build.ts

.PHONY: packages
packages: install release-key-check packages-ready proto ## Make the agent's packages for x64, arm64 and armv7l, signed with WARREN_RELEASE_KEY; THROWAWAY_KEY=1 to try out
	@npm run --silent packages -w @warren/agent -- $(throwaway)

.PHONY: release-key
release-key: install ## Make the key that signs the agent's releases; FILE=path, by default ~/.config/warren/release-key.pem
	@node --disable-warning=ExperimentalWarning agent/packaging/build/key.ts $(if $(FILE),'$(FILE)')

# Before what takes minutes: binutils, Python and the like.
.PHONY: packages-ready
packages-ready: install
	@node --disable-warning=ExperimentalWarning agent/packaging/build/needs.ts

# Before what takes minutes.
.PHONY: release-key-check
release-key-check: install
	@node --disable-warning=ExperimentalWarning agent/packaging/build/key.ts --check $(throwaway)

.PHONY: images
images: release-key-check packages-ready build packages ## Make the container images, signed with WARREN_RELEASE_KEY or THROWAWAY_KEY=1; IMAGES="--prefix registry.example.com/warren --push", see deploy/images/README.md
	@node --disable-warning=ExperimentalWarning deploy/images/src/main.ts $(IMAGES)

.PHONY: backup-image
backup-image: install ## Make the image that the chart backs up with; BACKUP_IMAGE=registry.example.com/warren/backup:1.2.3 POSTGRES_IMAGE=postgres:17
	@tar -c -C deploy/compose backup.sh storage.sh -C ../images/backup Dockerfile direct.sh | \
	  docker build --tag $(or $(BACKUP_IMAGE),warren/backup:$$(node -p "require('./package.json').version")) $(POSTGRES_IMAGE:%=--build-arg POSTGRES_IMAGE=%) -

.PHONY: release
release: release-ready ## Make a release of the last commit in dist/release/VERSION: VERSION=1.2.3, with WARREN_RELEASE_KEY or THROWAWAY_KEY=1, see docs/release.md
	@$(MAKE) clean
	@$(MAKE) build packages
	@node --disable-warning=ExperimentalWarning deploy/release/src/main.ts $(throwaway) '$(VERSION)'

# Before what takes minutes.
.PHONY: release-ready
release-ready: release-key-check packages-ready
	@node --disable-warning=ExperimentalWarning deploy/release/src/main.ts --check '$(VERSION)'
	@node --disable-warning=ExperimentalWarning deploy/release/src/tools.ts

.PHONY: release-check
release-check: install ## Make the release VERSION=1.2.3 again in another clone, and compare it with dist/release/VERSION; takes as long as a release
	@node --disable-warning=ExperimentalWarning deploy/release/src/again.ts '$(VERSION)'

.PHONY: version
version: install ## Write VERSION=1.2.3 into every file that states the version
	@node --disable-warning=ExperimentalWarning deploy/release/src/version/main.ts '$(VERSION)'
	@# The lock file's version changed, and no package that it names.
	@touch node_modules/.package-lock.json

.PHONY: images-pin
images-pin: install ## Pin the images' base to the digest that its tag has now
	@node --disable-warning=ExperimentalWarning deploy/images/src/pin.ts

.PHONY: programs
programs: install ## Install the programs that the tests use, if they are missing: servers, Chromium, Vim
	@node deploy/local/src/programs.ts

.PHONY: test
test: programs build packages jest-web ## Run all tests: unit, integration, end to end
	@$(MAKE) -j2 -k -Onone jest-report e2e-machines e2e-healing e2e-console-1 e2e-console-2 e2e-axe jest-plain; ran=$$?; \
	  node tools/src/summary.ts; sum=$$?; test ! -e test-results/jest-web.failed && exit $$((ran || sum))

# `make -j3 lint typecheck test`, as CI does: what is asked for along with the tests comes before them.
ifneq ($(filter test,$(MAKECMDGOALS)),)
test: $(filter lint typecheck,$(MAKECMDGOALS))
packages-ready: | programs
endif

# Processor time of a part, for the summary.
measured = ran=$$?; times >test-results/$@.times; exit $$ran
lanes := e2e-machines e2e-healing e2e-console-1 e2e-console-2 e2e-axe
# What V8 has compiled of agents and scripts, which tests start by the hundred.
jest-web jest-report jest-plain unit e2e $(lanes): export NODE_COMPILE_CACHE := $(CURDIR)/.warren/compiled

# `--forceExit`: a program that a test has left behind holds the pipes of its worker, and Jest would wait for it for ever.
.PHONY: jest-report
jest-report:
	@$(jest) --ignoreProjects web --forceExit --json --outputFile=test-results/jest.report.json; $(measured)

# The pages need no programs, which take minutes to install. The first part; `test` tells its failures with those of the others.
.PHONY: jest-web
jest-web: build
	@rm -rf test-results && mkdir -p test-results
	@$(jest) --selectProjects web --forceExit --json --outputFile=test-results/jest.web.report.json || touch test-results/jest-web.failed; \
	  times >test-results/$@.times

# Once more on public API of Node alone (ADR 47).
.PHONY: jest-plain
jest-plain:
	@WARREN_FAST_PATH=off $(jest) --forceExit --json --outputFile=test-results/jest.plain.report.json \
	  --testPathPatterns 'tunnels/test/(arrivals|desktop|links|terminal|web/http)\.' 'agent/test/relay\.' 'gateway/test/forward/'; $(measured)

.PHONY: unit
unit: build ## Run the unit and integration tests; JEST='-c services/devices/jest.config.mjs' for one project
	@$(jest) $(JEST)

.PHONY: e2e
e2e: build ## Run the end-to-end tests in Chromium; E2E='--grep terminal' for some
	@$(apart) $(bin)/playwright test -c deploy/e2e $(E2E)

# A copy of the product for each part of the tests. One part beside Jest keeps two processors busy; a second one makes each test slower by half, and
# the whole faster by a twelfth.
e2e-machines: projects := matrix secure machines
e2e-healing: projects := healing replicas
e2e-console-1 e2e-console-2: projects := console
e2e-console-1: shard := --shard=1/2
e2e-console-2: shard := --shard=2/2
e2e-axe: projects := accessibility
# With all services in one process; `make soak` has the others so.
e2e-console-1 e2e-axe: export WARREN_SERVICES := together
.PHONY: $(lanes)
$(lanes):
	@$(apart) WARREN_LANE=$@ $(bin)/playwright test -c deploy/e2e $(projects:%=--project=%) $(shard); $(measured)

.PHONY: dashboards
dashboards: install ## Write the dashboards and alert rules from deploy/observability; RUNBOOKS=https://… is where alerts link to
	@RUNBOOKS='$(RUNBOOKS)' node --disable-warning=ExperimentalWarning deploy/observability/src/main.ts

.PHONY: rules
rules: install ## Test the dashboards and alert rules: promtool, runbooks, queries
	@$(jest) -c deploy/observability/jest.config.mjs

.PHONY: containers
containers: programs build packages ## Test the images with Compose: first path, restarts one by one, backup and restore; needs root
	@WARREN_CONTAINERS=1 WARREN_E2E=none $(bin)/playwright test -c deploy/e2e --project=containers $(E2E)

.PHONY: airgap
airgap: programs ## Install from a release's bundle for machines without internet, with Compose; RELEASE=dist/release/1.2.3; needs root and Docker
	@bundle=$$(ls $(RELEASE)/warren-*-airgap.tar) && WARREN_AIRGAP="$$bundle" WARREN_E2E=none \
	  $(bin)/playwright test -c deploy/e2e --project=airgap $(E2E)

.PHONY: upgrade
upgrade: programs build ## Test the upgrade from a former release and back; FROM=0.1.0, a commit, a tag, or a folder of a release. With root and Docker also its agent's updates
	@from=$$(node --disable-warning=ExperimentalWarning deploy/e2e/stack/former.ts '$(or $(FROM),0.1.0)') && \
	  WARREN_UPGRADE_FROM="$$from" WARREN_FORMER_RELEASE="$$from/.warren/release" $(apart) \
	  $(bin)/playwright test -c deploy/e2e --project=upgrade --project=machines upgrade.spec former.spec $(E2E)

.PHONY: cluster
cluster: programs build packages ## Test the chart in a Kubernetes cluster of two nodes on this machine, compiled from source; CLUSTER='--only drain', see deploy/cluster/README.md; needs root, Docker, Go
	@node --disable-warning=ExperimentalWarning deploy/cluster/src/main.ts run $(CLUSTER)

.PHONY: cluster-up
cluster-up: programs build packages ## Bring that cluster up for work by hand
	@node --disable-warning=ExperimentalWarning deploy/cluster/src/main.ts up

.PHONY: cluster-down
cluster-down: install ## Remove it
	@node --disable-warning=ExperimentalWarning deploy/cluster/src/main.ts down

.PHONY: fresh
fresh: programs build ## Try each command of the README on a Debian machine that has never seen it; needs root, Docker, Go
	@WARREN_FRESH=1 WARREN_E2E=none $(bin)/playwright test -c deploy/e2e --project=fresh $(E2E)

.PHONY: keycloak
keycloak: programs build ## Test sign-in, step-up and logout at Keycloak by SAML and OpenID Connect; the first run downloads it
	@WARREN_KEYCLOAK=1 $(apart) $(bin)/playwright test -c deploy/e2e --project=keycloak $(E2E)

.PHONY: lemonldap
lemonldap: programs build ## The same at LemonLDAP::NG; the first run downloads it; needs root
	@WARREN_LEMONLDAP=1 $(apart) $(bin)/playwright test -c deploy/e2e --project=lemonldap $(E2E)

.PHONY: pooled
pooled: programs ## Test the services behind PgBouncer in transaction mode
	@for service in identity tenancy devices fleet audit; do TEST_POOLER=1 $(jest) -c services/$$service/jest.config.mjs int.spec || exit 1; done

.PHONY: soak
soak: export WARREN_SOAK := 1
soak: programs build packages ## Break everything for longer than the tests do: minutes of cut networks, a thousand broken links, a hundred killed agents, devices that say anything; the tests that are marked @soak; sign-in at other providers
	@WARREN_FLAPS=1000 $(jest) -c agent/jest.config.mjs flapping
	@WARREN_KILLS=100 $(jest) -c agent/jest.config.mjs kept
	@$(jest) -c services/tunnels/jest.config.mjs fuzz
	@$(jest) -c services/audit/jest.config.mjs recording-search
	@$(jest) -c deploy/images/jest.config.mjs restore-broken
	@$(jest) -c deploy/observability/jest.config.mjs promtool
	@$(jest) -c services/fleet/jest.config.mjs remote-write
	@$(jest) -c services/tunnels/jest.config.mjs objectives
	@$(jest) -c services/tenancy/jest.config.mjs access-mails-killed
	@$(apart) $(bin)/playwright test -c deploy/e2e --project=healing --project=replicas $(E2E)
	@$(apart) $(bin)/playwright test -c deploy/e2e --project=machines --grep '(updates|processors).spec' $(E2E)
	@WARREN_SERVICES=together $(apart) $(bin)/playwright test -c deploy/e2e --project=matrix
	@WARREN_SERVICES=together $(apart) $(bin)/playwright test -c deploy/e2e --project=console --shard=2/2
	@WARREN_SERVICES=apart $(apart) $(bin)/playwright test -c deploy/e2e --project=console --shard=1/2
	@WARREN_SERVICES=apart $(apart) $(bin)/playwright test -c deploy/e2e --project=accessibility
	@WARREN_SERVICES=together $(apart) $(bin)/playwright test -c deploy/e2e --project=walk
	@WARREN_SERVICES=together $(apart) $(bin)/playwright test -c deploy/e2e --project=secure --project=machines
	@WARREN_FAST_PATH=off $(jest)
	@$(MAKE) pooled keycloak lemonldap schema E2E= WARREN_SOAK=

.PHONY: schema
schema: programs build ## Hold a hub to its OpenAPI document with Schemathesis, as an Owner and a SuperAdmin; WARREN_SCHEMA_SECONDS=120 for each
	@mkdir -p test-results && $(apart) node --disable-warning=ExperimentalWarning deploy/e2e/schema/main.ts

.PHONY: conformance
conformance: build ## Hold an agent to docs/agent-protocol.md; AGENT='command line', by default this one
	@node --disable-warning=ExperimentalWarning agent/conformance/main.ts $(or $(AGENT),node agent/dist/main.js)

.PHONY: bench
bench: export WARREN_SERVICES ?= apart
bench: build ## Measure beside what people use instead; BENCH='terminal lists --rounds 5' for some, see deploy/bench/README.md
	@$(apart) node --disable-warning=ExperimentalWarning deploy/bench/src/main.ts $(BENCH)

.PHONY: simulate
simulate: build ## Link many simulated agents with a separate hub until Ctrl-C; AGENTS=1000, see deploy/bench/README.md
	@$(apart) node --disable-warning=ExperimentalWarning deploy/bench/src/simulator/main.ts --agents $(or $(AGENTS),1000) $(SIMULATE)

.PHONY: doctor
doctor: install ## Check a running installation by its own environment; DOCTOR=--json, see docs/doctor.md
	@node --disable-warning=ExperimentalWarning deploy/doctor/src/main.ts $(DOCTOR)

.PHONY: bundle
bundle: install ## Collect what support needs of the copy of `make start`, without secrets; BUNDLE='--since 2h', see docs/doctor.md
	@node --disable-warning=ExperimentalWarning --conditions=warren-source deploy/doctor/src/local.ts $(BUNDLE)

.PHONY: lint
lint: proto ## Check format, style, words, imports, what is unused, contracts and migrations
	@$(bin)/oxfmt --list-different
	@$(bin)/nx show projects >/dev/null && $(bin)/oxlint .
	@$(bin)/textlint --format unix '**/*.md'
	@node --disable-warning=ExperimentalWarning tools/src/prose/prose.ts
	@$(bin)/knip --no-progress
	@$(bin)/depcruise --config .dependency-cruiser.mjs --output-type err services agent client web deploy rules transport tools/src
	@cd proto && $(CURDIR)/$(bin)/buf lint
	@node --disable-warning=ExperimentalWarning --conditions=warren-source tools/src/migrations.ts
	@node --disable-warning=ExperimentalWarning deploy/release/src/version/main.ts --check

.PHONY: typecheck
typecheck: proto build ## Check the types of everything, tests too
	@node node_modules/typescript-native/bin/tsc -p tsconfig.tests.json
	@npm run --silent typecheck -w @warren/web

.PHONY: format
format: install ## Format all files
	@$(bin)/oxfmt

.PHONY: chart
chart: programs ## Check the chart: lint, render, Kubernetes' schemas, what it makes and what it refuses
	@$(jest) -c tools/jest.config.mjs chart

.PHONY: chart-docs
chart-docs: install ## Make the chart's schema of values and the table in its README from values.yaml
	@node --disable-warning=ExperimentalWarning tools/src/chart/main.ts

.PHONY: nats-accounts
nats-accounts: build ## Write who may do what on the message bus, from the table in services/platform/src/nats
	@node services/platform/dist/rights/write-accounts.js helm/warren/files/nats-accounts.conf

.PHONY: redis-users
redis-users: build ## Write who may do what in Redis, from the table in services/platform/src/redis
	@node services/platform/dist/rights/write-users.js helm/warren/files/redis-users.conf

.PHONY: proto
proto: install proto/gen/.done ## Generate the code of the messages, if they have changed
	@:

# Folders too, whose time changes with a removed file. The script writes this file last.
proto/gen/.done: package-lock.json package.json $(shell find proto -mindepth 1 \( -name gen -o -name dist -o -name node_modules \) -prune -o -print) | install
	@npm run --silent proto

.PHONY: clean
clean: ## Remove what was built; data and packages stay
	@rm -rf proto/gen */dist services/*/dist deploy/*/dist test-results playwright-report .nx .warren/built.json .warren/compiled .warren/apart .warren/scale
