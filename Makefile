# The two commands of the README are `make demo` and `make test`; the others serve those who build vcap.
PREFIX ?= /usr/local
# the Swift runtime is linked in, so that the installed program needs no toolchain
BUILD  := swift build -c release --static-swift-stdlib
VCAP   := .build/release/vcap
# loaded when codes or faces are detected, a stereo pair is matched or a matte made by a model; by the C++ compiler, because the package manager links the Swift runtime to them
CODES  := .build/release/libvcap-codes.so
FACES  := .build/release/libvcap-faces.so
STEREO := .build/release/libvcap-stereo.so
MATTES := .build/release/libvcap-mattes.so
# tries a model before it is read
CHECK  := .build/release/vcap-check-model
# shows a window in a process of its own
WINDOW := .build/release/vcap-window
SHIM   := $(CXX) -std=c++17 -O2 -fPIC -shared -fvisibility=hidden

.PHONY: all build demo test unit lab fuzz soak sanitize lint docs api bench install uninstall clean

all: build

build:
	scripts/install-deps build
	$(BUILD) --product vcap
	$(SHIM) -o $(CODES) Sources/Detect/Shims/Codes/codes.cpp -lZXing
	$(SHIM) -o $(FACES) -I/usr/include/opencv4 Sources/Detect/Shims/Faces/faces.cpp -lopencv_objdetect -lopencv_dnn -lopencv_imgproc -lopencv_core
	$(SHIM) -o $(STEREO) -I/usr/include/opencv4 Sources/Detect/Shims/Stereo/stereo.cpp -lopencv_calib3d -lopencv_core
	$(CXX) -std=c++17 -O2 -o $(CHECK) Sources/Detect/Shims/CheckModel/main.cpp -ldl
	$(SHIM) -o $(MATTES) -I/usr/include/opencv4 Sources/Detect/Shims/Mattes/mattes.cpp -lopencv_dnn -lopencv_core
	$(CC) -O2 -o $(WINDOW) Sources/Play/Shims/Window/main.c -lSDL2 -lpthread

# Records from the built-in test camera and microphone with one pause and shows what was made.
demo: build
	scripts/demo $(VCAP)

# Everything: the lab's guest kernel, unit tests, and what takes real time. VCAP_SEED=… repeats the part of the sweeps.
test:
	scripts/install-deps build test lab
	scripts/test all

# The fast tests only (under two minutes).
unit:
	scripts/install-deps build test
	scripts/test unit

lab:
	scripts/install-deps build test lab
	scripts/test lab

# Every damaged file of the three suites, of which `make test` tries a part; KEEP=FOLDER keeps what fails,
# KIND=lossy.webp tries one kind.
fuzz:
	scripts/install-deps build test
	VCAP_FUZZ_KEEP=$(KEEP) VCAP_FUZZ_KIND=$(KIND) scripts/test fuzz

# All that `make test` tries a seeded part of: every kill, cut and damaged file, and everything else with it. Takes hours.
soak:
	scripts/install-deps build test lab
	scripts/test soak

# Hostile files and unit tests under the address sanitizer, devices, writers and the recorder under the thread sanitizer.
sanitize:
	scripts/install-deps build test
	scripts/sanitize all

lint:
	swift format lint --strict --recursive --parallel Package.swift Sources Tests
	scripts/check-house

# The library's documentation as a site (.build/docs/site), by the toolchain's DocC; warnings are errors.
docs:
	scripts/install-deps build
	scripts/make-docs

# What of the library's interface breaks users of the last tag, but what docs/api/breaking.txt allows.
api:
	scripts/install-deps build
	scripts/check-api

bench: build
	scripts/install-deps bench
	bench/run

install: build
	install -Dm755 $(VCAP) $(DESTDIR)$(PREFIX)/bin/vcap
	install -Dm644 $(CODES) $(DESTDIR)$(PREFIX)/lib/vcap/libvcap-codes.so
	install -Dm644 $(FACES) $(DESTDIR)$(PREFIX)/lib/vcap/libvcap-faces.so
	install -Dm644 $(STEREO) $(DESTDIR)$(PREFIX)/lib/vcap/libvcap-stereo.so
	install -Dm755 $(CHECK) $(DESTDIR)$(PREFIX)/lib/vcap/vcap-check-model
	install -Dm755 $(WINDOW) $(DESTDIR)$(PREFIX)/lib/vcap/vcap-window
	install -Dm644 $(MATTES) $(DESTDIR)$(PREFIX)/lib/vcap/libvcap-mattes.so
	install -d $(DESTDIR)/lib/udev/rules.d
	install -m644 udev/*.rules $(DESTDIR)/lib/udev/rules.d/
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(VCAP) completions bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/vcap
	$(VCAP) completions zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_vcap
	$(VCAP) completions fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/vcap.fish

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/vcap $(DESTDIR)$(PREFIX)/lib/vcap/libvcap-codes.so $(DESTDIR)$(PREFIX)/lib/vcap/libvcap-faces.so $(DESTDIR)$(PREFIX)/lib/vcap/libvcap-stereo.so $(DESTDIR)$(PREFIX)/lib/vcap/vcap-check-model $(DESTDIR)$(PREFIX)/lib/vcap/libvcap-mattes.so $(DESTDIR)$(PREFIX)/lib/vcap/vcap-window $(patsubst udev/%,$(DESTDIR)/lib/udev/rules.d/%,$(wildcard udev/*.rules))
	rm -f $(DESTDIR)$(PREFIX)/share/bash-completion/completions/vcap $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_vcap $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/vcap.fish

clean:
	rm -rf .build .lab bench/work
