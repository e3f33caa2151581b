# The commands of the README. Each installs what it needs with apt (tools/bootstrap.sh) and asks
# the network nothing when all is there. Builds go through the presets of CMakePresets.json.
.DEFAULT_GOAL := build
.PHONY: build demo test npm with-node bench format docs install install-links clean help

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
BIN := build/release/carronade
CMAKE_LISTS := CMakeLists.txt CMakePresets.json
NAPI := build/npm/node_modules/node-addon-api/napi.h

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' Makefile

build: ## the binary, build/release/carronade (this is plain `make`)
	@tools/bootstrap.sh build
	@$(MAKE) --no-print-directory build/release/build.ninja
	@cmake --build build/release --target carronade -j $(JOBS)

demo: build ## a ten-second run of load against the bundled server, on loopback
	@tools/demo.sh $(BIN)

test: ## build everything and run every test
	@tools/bootstrap.sh test
	@$(MAKE) --no-print-directory build/release/build.ninja
	@if [ -e $(NAPI) ]; then $(MAKE) --no-print-directory with-node; \
	else echo "test: no Node-API headers here: the package for Node is left out" >&2; fi
	@cmake --build build/release -j $(JOBS)
	@ctest --test-dir build/release --output-on-failure -j $$((2 * $(JOBS)))

npm: ## the package for Node, build/npm/carronade-VERSION.tgz, with all it needs inside
	@tools/bootstrap.sh npm
	@$(MAKE) --no-print-directory with-node
	@cmake --build build/release --target carronade_node carronade -j $(JOBS)
	@tools/pack_npm.sh build/release

# The same build with the addon; it stays so.
with-node: build/release/build.ninja
	@grep -qs '^CARRONADE_NODE:BOOL=ON' build/release/CMakeCache.txt || cmake --preset node

bench: ## the micro-benchmarks, then carronade beside its peers (bench/README.md)
	@tools/bootstrap.sh bench
	@$(MAKE) --no-print-directory build/bench/build.ninja
	@cmake --build build/bench -j $(JOBS)
	@bench/micro
	@bench/compare --carronade build/bench/carronade

format: ## put all C++ into the house's format (clang-format 14)
	@tools/format.sh

docs: build ## print the man page and the compatibility page from the flag table
	@tools/print_docs.sh $(BIN) docs

install: build ## into PREFIX (default /usr/local), below DESTDIR when set
	@cmake --install build/release --prefix $(PREFIX)

install-links: ## links named ab, autocannon, gobench, loadtest, siege, vegeta, wrk … to carronade, in DIR
	@tools/install_links.sh "$(DIR)" $(PREFIX)/bin/carronade $(BIN)

clean: ## remove all builds
	@rm -rf build

build/release/build.ninja: $(CMAKE_LISTS)
	@cmake --preset release
build/bench/build.ninja: $(CMAKE_LISTS)
	@cmake --preset bench
