# `make demo` and `make test` do everything from a bare Debian 12 with Swift: packages, build, run.
PREFIX ?= /usr/local
SWIFT ?= swift
BIN = .build/release/silo-fetch

.PHONY: all demo test release install check sanitize bench clean packages test-packages

all: release

packages:
	@Scripts/install-packages build

test-packages:
	@Scripts/install-packages build test

# With Swift's own libraries inside: the program starts sooner and runs where no Swift is. Its 90,000 relative relocations are packed,
# which the usual linker cannot do: 2 MB less in memory.
RELEASE = --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs

release: packages
	$(SWIFT) build -c release $(RELEASE) --product silo-fetch

demo: test-packages
	$(SWIFT) build --product silo-fetch
	@Scripts/demo

# What is judged by how several connections and processes behave in time: one after the other, when the rest is done.
# Beside hundreds of other tests on two cores it would measure those.
TIMED = FileParallelTests|FileCrashTests|SeasonCrashTests|ServerMatrixTests|ServerFaultTests|RealServerTests|FullDiskTests|SpacePauseTests|TortureTests|ServerLoadTests

test: test-packages
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --disable-xctest --skip '$(TIMED)'
	$(SWIFT) test --skip-build --disable-xctest --no-parallel --filter '$(TIMED)'

check: test-packages
	@Scripts/check

sanitize: test-packages
	@Scripts/sanitize

bench: release
	@Scripts/install-packages bench
	@Benchmarks/run

install: release
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -m 755 -s $(BIN) $(DESTDIR)$(PREFIX)/bin/silo-fetch
	$(BIN) help --man > $(DESTDIR)$(PREFIX)/share/man/man1/silo-fetch.1
	$(BIN) completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/silo-fetch
	$(BIN) completion zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_silo-fetch
	$(BIN) completion fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/silo-fetch.fish

clean:
	$(SWIFT) package clean
