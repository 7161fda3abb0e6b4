# Everything that building, trying, testing and installing Texel takes. `make help` lists the goals.

PREFIX ?= /usr/local
SWIFT ?= swift

# The package traits: `make test TRAITS=default,OpenGL,HTTP` tests all. Traits are flags of every module, so other
# traits have another folder.
TRAITS ?= default
FOLDER = .build$(if $(filter-out default,$(TRAITS)),-traits)

# One set of flags for the program, its tests and all that is built beside them: everything is compiled once. Debug
# information takes a tenth of a build; `make build DEBUG_INFO=dwarf` adds it.
DEBUG_INFO ?= none
FLAGS = -c release -debug-info-format $(DEBUG_INFO) --traits $(TRAITS) --scratch-path $(FOLDER)
ifneq ($(shell uname),Darwin)
# Libraries that the program contains where they have archives: to load them takes a fifth of a start. Their symbols are
# hidden; codecs that are loaded later use the shared ones. `make build ARCHIVED=` loads all of them.
ARCHIVED ?= stdc++ z zopfli deflate:libdeflate isal:libisal jpeg:libjpeg png:libpng lcms2:lcms2 sodium:libsodium \
	seccomp:libseccomp freetype:freetype2 fontconfig:fontconfig
ifneq ($(strip $(ARCHIVED)),)
ARCHIVES = $(CURDIR)/.build/archives
FLAGS += -Xswiftc -Xclang-linker -Xswiftc -L$(ARCHIVES) -Xlinker --exclude-libs=ALL
endif
endif
# Packages of pkg-config whose libraries are those archives.
PACKAGES = $(if $(ARCHIVES),PKG_CONFIG_PATH=$(ARCHIVES)$${PKG_CONFIG_PATH:+:$$PKG_CONFIG_PATH})
# SwiftPM writes the flags of modules in the order of a hash table. With a random seed that order changes, and
# everything is compiled again. Only builds have a fixed seed: in programs and tests a random one finds faults.
BUILD_ENVIRONMENT = TEXEL_OWN_BUILD=1 SWIFT_DETERMINISTIC_HASHING=1 $(PACKAGES)
BUILD = $(BUILD_ENVIRONMENT) $(SWIFT) build $(FLAGS)
PROGRAMS = $(FOLDER)/release
TEXEL = $(PROGRAMS)/texel
MANUAL = $(FOLDER)/manual

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the goals
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-18s %s\n", $$1, $$2 }' Makefile

.PHONY: dependencies
dependencies: ## install missing system libraries
	@Scripts/install-dependencies.sh $(if $(findstring OpenGL,$(TRAITS)),opengl)
	$(if $(ARCHIVES),@Scripts/collect-archives.sh $(ARCHIVES) $(ARCHIVED))

.PHONY: build
build: dependencies ## build the program for release
	$(BUILD) --product texel

.PHONY: demo
demo: build ## resize and compress everything in TestImages into out
	@echo
	@echo "Resized to at most 320×320:"
	@$(TEXEL) resize TestImages -r --width 320 --height 320 -o out/resized --overwrite
	@echo
	@echo "Compressed at quality 75:"
	@$(TEXEL) compress TestImages -r -q 75 -o out/compressed --overwrite

.PHONY: build-tests
build-tests: dependencies
	$(BUILD) --build-tests

# Runs tests that are built: `$(RUN_TESTS) --filter …`.
TEST_OPTIONS = --skip-build $(FLAGS)
RUN_TESTS = TEXEL_OWN_BUILD=1 $(PACKAGES) Scripts/run-tests.sh $(TEST_OPTIONS)
# `make test FILTER=PlannerTests`: a regular expression of tests; all by default, and some again at each CPU level.
FILTER ?=

.PHONY: test
test: build-tests ## build and run all tests; those that depend on the CPU level at each level
	$(RUN_TESTS) $(if $(FILTER),--filter '$(FILTER)')
	$(if $(FILTER),,TEXEL_OWN_BUILD=1 $(PACKAGES) Scripts/test-cpu-levels.sh $(TEXEL) $(TEST_OPTIONS))

# In turn, because the builds must not undo each other.
.PHONY: test-incremental-build
test-incremental-build: build build-tests ## check that builds without changes compile nothing
	Scripts/test-incremental-build.sh env $(BUILD) --product texel
	Scripts/test-incremental-build.sh env $(BUILD) --build-tests
	Scripts/test-incremental-build.sh env $(BUILD) --product texel

# What `test-all` consists of, in this order.
ALL_CHECKS = test test-incremental-build documentation test-cpu-levels test-traits test-allocations test-leaks \
	test-examples test-asan test-tsan test-kills test-bombs test-pages test-spark

.PHONY: test-all
test-all: ## run every check at full length: before a release, and after changing a codec or a kernel
	@for check in $(ALL_CHECKS); do \
		echo "=== $$check" && $(MAKE) --no-print-directory $$check || exit; done

# `make documentation DOCUMENTATION=/a/folder TRAITS=default,OpenGL,HTTP`: where to, and which modules.
DOCUMENTATION ?= out/documentation

.PHONY: documentation
documentation: dependencies ## build the reference into out/documentation; fails on any warning
	$(BUILD)
	Scripts/build-documentation.sh $(PROGRAMS) $(DOCUMENTATION)

.PHONY: test-cpu-levels
test-cpu-levels: build-tests ## run all tests at each CPU level below this machine's best
	TEXEL_OWN_BUILD=1 $(PACKAGES) Scripts/test-cpu-levels.sh --all $(TEXEL) $(TEST_OPTIONS)

# `make stress COUNT=1000000`: how many steps each thread of the stress test takes.
stress: COUNT ?= 2000000

.PHONY: stress
stress: dependencies ## run the frames' tests for minutes under the thread sanitizer
	TEXEL_STRESS_STEPS=$(COUNT) Scripts/test-tsan.sh TexelFramesTests

.PHONY: test-tsan
test-tsan: dependencies ## run the library's tests under the thread sanitizer
	Scripts/test-tsan.sh

.PHONY: test-asan
test-asan: dependencies ## run the tests under the sanitizers of addresses, leaks and undefined behaviour
	Scripts/test-asan.sh

# `make fuzz SECONDS=600 TARGET="png jpeg"`: how long each target runs, and which; all by default.
SECONDS ?= 120
TARGET ?=

.PHONY: fuzz
fuzz: dependencies ## run the fuzz targets in turn and report what they find
	Scripts/fuzz.sh $(SECONDS) $(TARGET)

# Tests of traits that the program does not have, in a build with all traits. Without a graphics card, Mesa draws; the
# servers of HTTP's tests run on this machine.
test-traits: TRAITS = default,OpenGL,HTTP
test-traits: export TEXEL_TESTS = TexelOpenGLTests,TexelHTTPTests,TexelCLITests

.PHONY: test-traits
test-traits: build-tests ## build and test the package traits OpenGL and HTTP
	$(RUN_TESTS) --filter '^TexelOpenGLTests|^TexelHTTPTests|AddressTests'

.PHONY: test-examples
test-examples: dependencies ## build the examples, and drive the thumbnail server with an HTTP client
	Scripts/test-examples.sh

.PHONY: test-spark
test-spark: build ## run the Spark example on this machine, and kill its workers; needs Java and PyPI
	Scripts/test-spark.sh $(abspath $(TEXEL))

# `make test-kills COUNT=1000`: how many batches are killed.
test-kills: COUNT ?= 1000

.PHONY: test-kills
test-kills: build-tests ## kill batches at random moments and check what they leave
	QUIET_LIMIT=86400 TEXEL_KILLS=$(COUNT) TEXEL_PROGRAM=$(abspath $(TEXEL)) \
		$(RUN_TESTS) --filter "KilledBatchTests|KilledCommandTests"

.PHONY: test-pages
test-pages: build ## open galleries and reports in a headless Chromium, and use them
	@Scripts/install-dependencies.sh browser
	Scripts/test-pages.sh $(TEXEL)

.PHONY: test-allocations
test-allocations: dependencies ## check that showing a frame allocates nothing
	$(BUILD) --product FrameAllocationCounter
	Scripts/test-frame-allocations.sh $(PROGRAMS)/FrameAllocationCounter

.PHONY: test-leaks
test-leaks: dependencies ## decode 10,000 files, damaged ones too, and hold their memory to not growing
	$(BUILD) --product DecodeLeakCounter
	$(PROGRAMS)/DecodeLeakCounter TestImages

# `make test-mutants COUNT=40`: how many mutants of each file.
test-mutants: COUNT ?= 4

.PHONY: test-mutants
test-mutants: build ## damage images, and check what is written with other readers
	Scripts/mutants.py $(TEXEL) --count $(COUNT)

.PHONY: test-bombs
test-bombs: build ## check that decompression bombs are refused or stay within their limits
	Scripts/bombs.py $(TEXEL)

# `make soak COUNT=20000`: how many small images; a hundredth as many large ones come with them.
soak: COUNT ?= 200000

.PHONY: soak
soak: build ## process 202,000 images in one worker and check for memory growth
	Scripts/soak.py $(TEXEL) --count $(COUNT)
	Scripts/soak.py $(TEXEL) --count $(COUNT) --isolate

.PHONY: format
format: ## format the Swift sources
	Scripts/format.sh

.PHONY: lint
lint: ## check the format, the directions of modules and folders, and what texts say
	Scripts/format.sh --check
	Scripts/module-graph.py --check >/dev/null
	Scripts/check-texts.py
	cd Benchmarks && python3 -m peers --check

.PHONY: options
options: build ## write the page of all options, docs/options.md
	$(TEXEL) help --reference > docs/options.md

.PHONY: manual
manual: build ## make the man pages and the shell completions
	mkdir -p $(MANUAL)
	$(TEXEL) help --manual > $(MANUAL)/texel.1
	for command in $$($(TEXEL) help --all | sed -n '/^SUBCOMMANDS:/,$$ s/^  \([a-z]*\)  .*/\1/p'); do \
		$(TEXEL) help $$command --manual > $(MANUAL)/texel.$$command.1; \
	done
	$(TEXEL) --generate-completion-script bash > $(MANUAL)/texel.bash
	$(TEXEL) --generate-completion-script zsh > $(MANUAL)/_texel
	$(TEXEL) --generate-completion-script fish > $(MANUAL)/texel.fish

.PHONY: install
install: manual ## put the program, its man pages and completions below PREFIX
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1
	install -s -m 755 $(TEXEL) $(DESTDIR)$(PREFIX)/bin/texel
	install -m 644 $(MANUAL)/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions
	install -d $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -m 644 $(MANUAL)/texel.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/texel
	install -m 644 $(MANUAL)/_texel $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_texel
	install -m 644 $(MANUAL)/texel.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/texel.fish

# Benchmarks are a package of their own, which uses Texel as other packages do: without the flags above.
BENCHMARKS = SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build --package-path Benchmarks -c release
# `make bench JOBS="thumbnail recompress" ROUNDS=5`; all jobs, each as often as it needs, by default.
JOBS ?=
ROUNDS ?=
# `make profile JOB=recompress`.
JOB ?= thumbnail

.PHONY: bench
bench: build ## measure Texel beside its peers, and write the figures into README and docs
	$(BENCHMARKS) --product ResizeTimer
	$(BENCHMARKS) --product OperationTimer
	$(BENCHMARKS) --product DecodeTimer
	cd Benchmarks && python3 -m peers $(JOBS) $(if $(ROUNDS),--rounds $(ROUNDS))

.PHONY: frame-times
frame-times: dependencies ## measure how long frames take to textures: one handed over, eight that play at once
	$(BENCHMARKS) --product FrameTimer
	cd Benchmarks && python3 -m peers.clips
	Benchmarks/.build/release/FrameTimer hand-over
	Benchmarks/.build/release/FrameTimer textures

# `make pipeline-times PHOTOGRAPHS=/a/folder`; by default that of `make bench`.
PHOTOGRAPHS ?= $(shell cd Benchmarks && python3 -m peers.pictures)

.PHONY: pipeline-times
pipeline-times: build ## measure what the image pipeline and batches cost and promise
	$(BENCHMARKS) --product PipelineTimer
	Benchmarks/.build/release/PipelineTimer tiny
	Benchmarks/.build/release/PipelineTimer batch $(PHOTOGRAPHS) $(TEXEL)
	for part in photographs sharing cancelling memory urgency caches; do \
		Benchmarks/.build/release/PipelineTimer $$part $(PHOTOGRAPHS) || exit; done

# `make compression-bytes PICTURES="a.png b.jpg"`; the photographs of `make bench` by default.
PICTURES ?= $(wildcard $(PHOTOGRAPHS)/*)
# What Python has Pillow, NumPy and the peers: that of `make bench-dependencies` where it was run.
PEERS_PYTHON = $(if $(wildcard Benchmarks/.venv/bin/python),.venv/bin/python,python3)

.PHONY: compression-bytes
compression-bytes: build ## compare the bytes of JPEG encoders at equal visual quality
	cd Benchmarks && $(PEERS_PYTHON) -m peers.compression $(abspath $(PICTURES))

.PHONY: format-qualities
format-qualities: build ## compare what --quality means in each format
	cd Benchmarks && $(PEERS_PYTHON) -m peers.qualities $(abspath $(PICTURES))

.PHONY: compression-crops
compression-crops: build ## make a page of crops of the same bytes: out/crops/index.html
	cd Benchmarks && $(PEERS_PYTHON) -m peers.crops ../out/crops $(abspath $(PICTURES))

.PHONY: bench-dependencies
bench-dependencies: ## install the peers: Debian's programs, and Python's libraries below Benchmarks/.venv
	Scripts/install-benchmark-peers.sh

# `make benchmarks FILTER='.*16 MP.*'`: a regular expression of their names.
.PHONY: benchmarks
benchmarks: dependencies ## measure kernels, codecs and routes one by one
	cd Benchmarks && SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) package --disable-sandbox benchmark \
		--filter '$(or $(FILTER),.*)' --no-progress

.PHONY: profile
profile: build ## profile a job with perf
	cd Benchmarks && python3 -m peers.profile $(JOB)

.PHONY: test-images
test-images: dependencies ## make TestImages anew from their generator
	$(SWIFT) run TestImageGenerator TestImages

.PHONY: clean
clean: ## remove what was built
	rm -rf .build .build-*/ out Benchmarks/.build
