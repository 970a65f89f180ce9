# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds reshapec; needs GNU make 4.3 or newer. `make help` lists the targets and the variables.
# All built files are in $(BUILD). Sources are found by their folder: a new file needs no line here.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
# What recipes compile is not kept in the user's folder (docs/python.md).
export RESHAPEC_CACHE :=

# ---- Variables: `make CC=clang-19 BUILD=build/clang` ---------------------------------------------
##   CC           C compiler: gcc (default) or clang
##   LLVM         0: without LLVM, a compiler that emits only C; give it a BUILD of its own
##   LLVM_CONFIG  the LLVM to build with, 19 or newer: llvm-config-19 (default)
##   LLVM_STATIC  empty: link LLVM's shared library, as packages of distributions do
##   BUILD        folder of all built files: build (default)
##   SANITIZE     1: AddressSanitizer and UndefinedBehaviorSanitizer, thread: ThreadSanitizer, memory: MemorySanitizer (clang); give it a BUILD of its own
##   CFLAGS       optimization and debug flags: -O2 -g (default), -O1 -g1 with SANITIZE
##   COUNTERS     flags that instrument sources for coverage: none (default); set by `make coverage`
##   PIC          flags for position-independent code of the runtime library: -fPIC (default); none for firmware
##   SYMBOLS      0: the runtime library without symbolic sizes (-DRSH_ONLY_KNOWN): half the stack, for firmware
##   WERROR       0: warnings are not errors
##   TESTS        test folders or files for `make test`: tests (default)
##   ONNX_NODE_TESTS  folder of further ONNX node tests for `make test`: none (default)
##   ONNX_MODELS  folder of models whose chains `make test` compares with ONNX: none (default)
##   ENGINE       of `make fuzz`: libfuzzer (default) or afl, which is AFL++
##   TIME, ONLY   of `make fuzz`: seconds for each target, 60 (default), and the targets: all (default); ONLY of `make prove` and `make reliability`, too
##   CHECKERS     of `make static-analysis`: gcc clang cppcheck tidy (default)
##   SEED, COUNT  of `make soak`: the clock, and 100000 (default); COUNT of `make stress` and `make tsan`: 10000
##   BENCH        of `make bench`: --table ttc57, --table sizes, --threads 2, --only REGEX: none (default)
##   NEWLIB       of `make bench-firmware`: the folder of newlib for Arm, and PICOLIBC for RISC-V: those that gcc finds (default)
##   HPTT         of `make bench`: the folder of HPTT, which is compared too: none (default)
##   PREFIX       where `make install` installs: /usr/local (default); DESTDIR is put before it
##   LIBDIR       where it installs libraries: PREFIX/lib (default)
##   V            1: print whole commands
ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin CXX),default)
CXX := $(subst gcc,g++,$(subst clang,clang++,$(CC)))
endif
ifeq ($(origin AR),default)
AR := ar
endif
LLVM ?= 1
LLVM_CONFIG ?= llvm-config-19
PKG_CONFIG ?= pkg-config
PYTHON ?= python3
BUILD ?= build
SANITIZE ?= 0
CFLAGS ?= $(if $(filter 1 thread memory,$(SANITIZE)),-O1 -g1,-O2 -g)
COUNTERS ?=
PIC ?= -fPIC
SYMBOLS ?= 1
WERROR ?= 1
TESTS ?= tests
SEED := $(or $(SEED),$(shell date +%s))
COUNT ?= 100000
ENGINE ?= libfuzzer
TIME ?= 60
ONLY ?=
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
STRIPPED :=
V ?= 0

# ---- Flags ---------------------------------------------------------------------------------------
# Other tools are asked when a recipe needs the answer, and once: `make help` and `make deps` must
# work where nothing is installed yet.
comma := ,
once = $(eval $1 := $$(shell $2))$($1)
LLVM_CFLAGS = $(if $(no_llvm),,$(call once,LLVM_CFLAGS,$(LLVM_CONFIG) --includedir | sed 's/^/-isystem /'))
LLVM_SHARED = $(if $(no_llvm),,$(call once,LLVM_SHARED,$(LLVM_CONFIG) --link-shared --ldflags --libs | xargs))
# Loading and relocating libLLVM.so takes 13 ms of a process, more than a kernel takes to compile; so the
# compiler holds the parts that it uses, where the archives are installed; and libstdc++, which 6,000 addresses
# in LLVM's tables would else be looked up in (4 ms). No part of LLVM that is linked calls libxml2, which alone loads
# 30 MB of ICU (1.5 ms).
LLVM_PARTS := core analysis bitwriter passes orcjit \
  $(shell sed -n 's/^RSH_FAMILY(\(.*\)).*/\L\1/p' codegen/llvm/families.def)
LLVM_STATIC = $(if $(no_llvm),,$(call once,LLVM_STATIC,$(LLVM_CONFIG) --link-static --ldflags --libs --system-libs \
  $(LLVM_PARTS) 2> /dev/null | xargs | sed 's/ -lxml2//'))
# LLVM starts when it is needed.
LLVM_LATE = $(if $(LLVM_STATIC),-Wl$(comma)-T$(comma)codegen/llvm/constructors.ld)
LLVM_BINDIR = $(call once,LLVM_BINDIR,$(LLVM_CONFIG) --bindir)
JANSSON_CFLAGS = $(call once,JANSSON_CFLAGS,$(PKG_CONFIG) --cflags jansson)
JANSSON_LIBS = $(call once,JANSSON_LIBS,$(PKG_CONFIG) --libs jansson)
EDIT_CFLAGS = $(call once,EDIT_CFLAGS,$(PKG_CONFIG) --cflags libedit)
EDIT_LIBS = $(call once,EDIT_LIBS,$(PKG_CONFIG) --libs libedit)
PROTOBUF_CFLAGS = $(call once,PROTOBUF_CFLAGS,$(PKG_CONFIG) --cflags libprotobuf-c)
PROTOBUF_LIBS = $(call once,PROTOBUF_LIBS,$(PKG_CONFIG) --libs libprotobuf-c)
EXPAT_CFLAGS = $(call once,EXPAT_CFLAGS,$(PKG_CONFIG) --cflags expat)
EXPAT_LIBS = $(call once,EXPAT_LIBS,$(PKG_CONFIG) --libs expat)
ZLIB_LIBS = $(call once,ZLIB_LIBS,$(PKG_CONFIG) --libs zlib)

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
  $(if $(filter 1,$(WERROR)),-Werror)
sanitized := $(filter 1,$(SANITIZE))
no_llvm := $(filter 0,$(LLVM))
SANITIZERS := $(if $(sanitized),-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=all \
  -fno-omit-frame-pointer)$(if $(filter thread,$(SANITIZE)),-fsanitize=thread)$(if $(filter memory,$(SANITIZE)),-fsanitize=memory \
  -fsanitize-memory-track-origins -fno-sanitize-recover=all -fno-omit-frame-pointer)

INCLUDES = -I. -I$(BUILD)
C_FLAGS = -std=c11 $(CFLAGS) $(WARNINGS) $(INCLUDES)
# The same objects make the compiler and the library.
HOSTED = $(C_FLAGS) $(SANITIZERS) -fPIC -D_POSIX_C_SOURCE=200809L $(LLVM_CFLAGS) $(JANSSON_CFLAGS) \
  $(PROTOBUF_CFLAGS) $(EXPAT_CFLAGS) $(EDIT_CFLAGS)
# The runtime calls no function of libc, also not where a compiler would turn a loop into memcpy or guard the stack.
RUNTIME = $(C_FLAGS) $(COUNTERS) -ffreestanding -fno-stack-protector $(if $(findstring clang,$(CC)),,-fno-tree-loop-distribute-patterns)
# That which emitted code links with: for any program, so without the sanitizers' libraries, and with what
# compilers call on their own (runtime/calls.h).
FREESTANDING = $(RUNTIME) $(PIC) -ffunction-sections -fdata-sections -include runtime/calls.h $(if $(filter 0,$(SYMBOLS)),-DRSH_ONLY_KNOWN) \
  $(if $(sanitized),-fsanitize=undefined -fsanitize-undefined-trap-on-error)
OTHER_LIBS = $(JANSSON_LIBS) $(PROTOBUF_LIBS) $(EXPAT_LIBS) $(EDIT_LIBS) $(ZLIB_LIBS) -lm -ldl -pthread
STDCXX := $(if $(no_llvm),,-lstdc++)
LIBSTDCXX := -Wl,-Bstatic -lstdc++ -Wl,-Bdynamic -static-libgcc
LIBS = $(if $(LLVM_STATIC),-no-pie -Wl$(comma)--gc-sections $(LLVM_LATE) $(LLVM_STATIC) $(LIBSTDCXX),$(LLVM_SHARED) $(STDCXX)) $(OTHER_LIBS)
# Programs of tests that call nothing of LLVM do not load it either, which takes longer than most of them run.
TEST_LIBS = $(LDFLAGS) -Wl$(comma)--as-needed $(LLVM_SHARED) $(STDCXX) $(OTHER_LIBS)
# Of the library: LLVM within it too, where its archives are installed, and seen by nobody.
SHARED_LIBS = $(if $(sanitized),,-Wl$(comma)-z$(comma)defs) -Wl$(comma)--version-script=$(BUILD)/lib/exports.map -Wl$(comma)--gc-sections$(comma)--as-needed \
  $(if $(LLVM_STATIC),$(LLVM_LATE) $(LLVM_STATIC) $(LIBSTDCXX),$(LLVM_SHARED)) $(JANSSON_LIBS) $(PROTOBUF_LIBS) $(EXPAT_LIBS) -lm

VERSION = $(call once,VERSION,sed -n 's/^.define RESHAPEC_VERSION "\(.*\)"/\1/p' include/reshapec.h)

# ---- Sources and what becomes of them ------------------------------------------------------------
# The program that calls code of other machines: the compiler holds its text, and compiles it for them.
GUEST := $(addprefix driver/verify/guest/,start.h requests.h board.h guest.c)
GUEST_TENSOR := $(addprefix driver/verify/guest/,requests.h tensor.h)
GENERATED := $(BUILD)/grammar/reshape.tab.c $(BUILD)/grammar/reshape.lex.c \
  $(BUILD)/frontend/onnx/onnx.pb-c.c
LAYERS := $(shell sed '/^\#/d' scripts/layers.txt)
# One of two layers is behind codegen/machine/backend.h; no other file knows which.
BACKENDS := codegen/llvm codegen/no_llvm
BACKEND := codegen/$(if $(no_llvm),no_llvm,llvm)
SHARED_SOURCES := $(wildcard $(patsubst %,%/*.c,$(filter-out $(BACKENDS),$(LAYERS))))
SOURCES := $(SHARED_SOURCES) $(wildcard $(BACKEND)/*.c)
objects_of = $(patsubst %.c,$(BUILD)/%.o,$1 $(wildcard $2/*.c)) $(GENERATED:.c=.o)
OBJECTS := $(call objects_of,$(SHARED_SOURCES),$(BACKEND))
NO_LLVM_OBJECTS := $(call objects_of,$(SHARED_SOURCES),codegen/no_llvm)
LIBRARY_OBJECTS := $(filter-out $(BUILD)/driver/main.o,$(OBJECTS))
# Without the command line: what include/reshapec.h is made of.
NOT_LIBRARY := $(addprefix driver/,main% base/% verify/% script/% lsp/% commands/%) codegen/llvm/memory%
API_OBJECTS := $(filter-out $(addprefix $(BUILD)/,$(NOT_LIBRARY)),$(OBJECTS))
RUNTIME_SOURCES := $(filter-out $(if $(filter 0,$(SYMBOLS)),$(wildcard runtime/poly*.c) runtime/unknown.c),$(filter runtime/%,$(SOURCES)))
RUNTIME_OBJECTS := $(RUNTIME_SOURCES:%.c=$(BUILD)/freestanding/%.o)

Q := $(if $(filter 1,$(V)),,@)
archive = @echo "  AR    $@"; rm -f $@; $(AR) rcsD $@ $(filter %.o,$^)

all: $(BUILD)/reshapec $(BUILD)/librsh_runtime.a ## build the compiler and the runtime library (the default)

link_program = $(CC) $(HOSTED) $(LDFLAGS) $(OBJECTS) $(LIBS)
$(BUILD)/reshapec: $(OBJECTS) $(BUILD)/sources
	@echo "  LINK  $@"
	$(Q)$(link_program) -o $@

# What this build is made of, for the key of kept code (library/stamp.c).
CONTENT := $(sort $(foreach layer,$(LAYERS),$(wildcard $(addprefix $(layer)/*.,c h y l def proto))) include/reshapec.h)
$(BUILD)/library/stamp.o: $(CONTENT)
$(BUILD)/library/stamp.o: private HOSTED += -DRESHAPEC_SOURCES='"$(shell cat $(CONTENT) | sha256sum | cut -d ' ' -f 1)"'

# The same objects, but for what LLVM does: `make LLVM=0` beside the whole compiler, for tests.
$(BUILD)/no-llvm/reshapec: $(NO_LLVM_OBJECTS) $(BUILD)/sources
	@mkdir -p $(@D); echo "  LINK  $@"
	$(Q)$(CC) $(HOSTED) $(LDFLAGS) $(NO_LLVM_OBJECTS) $(OTHER_LIBS) -o $@

# What programs link with. Its own names stay inside: only reshapec_* are seen.
library: $(BUILD)/lib/libreshapec.so $(BUILD)/lib/libreshapec.a ## build the compiler as a library, shared and static

$(BUILD)/lib/exports.map:
	@mkdir -p $(@D); echo '{ global: reshapec_*; PyInit_*; local: *; };' > $@

link_library = $(CC) $(HOSTED) -shared -Wl,-soname,libreshapec.so.0 $(LDFLAGS) $(API_OBJECTS) $(SHARED_LIBS)
$(BUILD)/lib/libreshapec.so: $(API_OBJECTS) $(BUILD)/sources $(BUILD)/lib/exports.map
	@echo "  LINK  $@"
	$(Q)$(link_library) -o $@

$(BUILD)/lib/libreshapec.a: $(API_OBJECTS) $(BUILD)/sources
	@echo "  AR    $@"; mkdir -p $(@D); rm -f $@
	$(Q)ld -r $(API_OBJECTS) -o $(@D)/reshapec.o
	$(Q)objcopy --wildcard --keep-global-symbol='reshapec_*' $(@D)/reshapec.o
	$(Q)$(AR) rcsD $@ $(@D)/reshapec.o; rm $(@D)/reshapec.o

# The package for Python: its texts, the extension, and the library, which the extension finds beside it. Type slots of
# Python keep functions as void *, which -Wpedantic does not like.
PACKAGE_RPATH ?= -Wl,-rpath,'$$ORIGIN'
PACKAGE := $(patsubst python/%,$(BUILD)/python/%,$(wildcard python/reshapec/*.*))
PYTHON_INCLUDE = $(call once,PYTHON_INCLUDE,$(PYTHON) -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
PACKAGE += $(addprefix $(BUILD)/python/reshapec/,_core.abi3.so bin/reshapec bin/librsh_runtime.a)
python: $(PACKAGE) ## build the package for Python in BUILD/python, for use without a wheel

$(BUILD)/python/reshapec/%: python/reshapec/%
	@mkdir -p $(@D); cp $< $@

$(BUILD)/python/reshapec/bin/%: $(BUILD)/%
	@mkdir -p $(@D); ln -f $< $@

$(BUILD)/python/reshapec/libreshapec.so.0: $(BUILD)/lib/libreshapec.so
	@mkdir -p $(@D); ln -f $< $@

EXTENSION := $(wildcard python/*.c)
$(BUILD)/python/reshapec/_core.abi3.so: $(EXTENSION) python/core.h include/reshapec.h $(BUILD)/python/reshapec/libreshapec.so.0 $(BUILD)/flags
	$(compile)
	$(Q)$(CC) $(filter-out -Wpedantic,$(C_FLAGS)) -D_POSIX_C_SOURCE=200809L -isystem $(PYTHON_INCLUDE) -fPIC -shared \
	  -fvisibility=hidden -pthread $(LDFLAGS) $(PACKAGE_RPATH) $(EXTENSION) $(BUILD)/python/reshapec/libreshapec.so.0 -o $@

# auditwheel takes the libraries along that a plain system does not have, under names of their own.
wheel: python $(BUILD)/wheel-venv/ready ## build BUILD/dist/*.whl, and try it in an environment without a compiler
	@rm -rf $(BUILD)/wheel $(BUILD)/dist && mkdir -p $(BUILD)/wheel/reshapec
	$(Q)cp -rL $(BUILD)/python/reshapec/*.* $(BUILD)/python/reshapec/bin $(BUILD)/wheel/reshapec
	$(Q)strip $(BUILD)/wheel/reshapec/*.so* $(BUILD)/wheel/reshapec/bin/reshapec
	$(Q)cp python/pyproject.toml python/setup.py python/README.md include/reshapec.h LICENSE $(BUILD)/wheel
	$(Q)cd $(BUILD)/wheel && PATH="$(CURDIR)/$(BUILD)/wheel-venv/bin:$$PATH" && \
	  python -m pip wheel --quiet --no-deps --no-build-isolation --disable-pip-version-check -w plain . && \
	  auditwheel -v repair -w ../dist plain/*.whl > log 2>&1 || { cat log; exit 1; }
	@ls -sh $(BUILD)/dist
	$(Q)$(PYTHON) -m venv --clear $(BUILD)/wheel-try
	$(Q)$(BUILD)/wheel-try/bin/python -m pip install --quiet --disable-pip-version-check $(BUILD)/dist/*.whl
	$(Q)cd $(BUILD)/wheel-try && PATH= bin/python $(CURDIR)/tests/python/Inputs/page.py $(CURDIR)/docs/python.md
	$(Q)cd $(BUILD)/wheel-try && PATH= bin/reshapec explain $(CURDIR)/bench/dynamic.rsh > /dev/null && PATH= bin/reshapec --version

$(BUILD)/wheel-venv/ready: python/requirements.txt
	@echo "  VENV  $(@D)"
	$(Q)$(PYTHON) -m venv --clear $(@D)
	$(Q)$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

$(BUILD)/librsh_runtime.a: $(RUNTIME_OBJECTS) $(BUILD)/sources
	$(archive)

runtime: $(BUILD)/librsh_runtime.a ## build only the runtime library, for the machine of CC

# Everything but main(), for the tests of single functions.
$(BUILD)/libreshapec.a: $(LIBRARY_OBJECTS) $(BUILD)/sources
	$(archive)

compile = @mkdir -p $(@D); echo "  CC    $<"

$(BUILD)/freestanding/%.o: %.c $(BUILD)/flags
	$(compile)
	$(Q)$(CC) $(FREESTANDING) -MMD -MP -c $< -o $@

# The runtime inside the compiler is freestanding as well, but may be sanitized.
$(BUILD)/runtime/%.o: runtime/%.c $(BUILD)/flags
	$(compile)
	$(Q)$(CC) $(RUNTIME) $(SANITIZERS) -fPIC -MMD -MP -c $< -o $@

$(BUILD)/%.o: %.c $(BUILD)/flags | $(GENERATED)
	$(compile)
	$(Q)$(CC) $(HOSTED) $(COUNTERS) -MMD -MP -c $< -o $@

$(BUILD)/%.o: $(BUILD)/%.c $(BUILD)/flags | $(GENERATED)
	$(compile)
	$(Q)$(CC) $(HOSTED) $(COUNTERS) -MMD -MP -c $< -o $@

$(BUILD)/%.tab.c $(BUILD)/%.tab.h: %.y
	@mkdir -p $(@D); echo "  BISON $<"
	$(Q)bison -Wall -Werror --header=$(BUILD)/$*.tab.h -o $(BUILD)/$*.tab.c $<

$(BUILD)/%.lex.c $(BUILD)/%.lex.h: %.l
	@mkdir -p $(@D); echo "  FLEX  $<"
	$(Q)flex --header-file=$(BUILD)/$*.lex.h -o $(BUILD)/$*.lex.c $<

# The schema of ONNX, where libonnx-dev puts it.
ONNX_SCHEMA ?= /usr/include/onnx/onnx.proto
$(BUILD)/frontend/onnx/onnx.pb-c.c: $(ONNX_SCHEMA)
	@mkdir -p $(@D); echo "  PROTO $<"
	$(Q)protoc-c --proto_path=$(<D) --c_out=$(@D) $<

# Lines of a text as strings of C.
quoted := -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n",/'
$(BUILD)/driver/verify/guest_text.inc: $(GUEST)
	@mkdir -p $(@D); echo "  TEXT  driver/verify/guest"
	$(Q)cat $(GUEST) | sed -e '/^#include "/d' $(quoted) > $@
# The declarations of DLPack that tensor.h needs.
$(BUILD)/driver/verify/guest_tensor_text.inc: $(GUEST_TENSOR) runtime/dlpack.h
	@mkdir -p $(@D); echo "  TEXT  driver/verify/guest/tensor.h"
	$(Q)sed -n '/^typedef enum {/,/^} DLTensor;/p' runtime/dlpack.h | \
	  cat driver/verify/guest/requests.h - driver/verify/guest/tensor.h | sed -e '/^#include "/d' $(quoted) > $@
$(BUILD)/driver/verify/guest_build.o: $(BUILD)/driver/verify/guest_text.inc $(BUILD)/driver/verify/guest_tensor_text.inc

# Declarations that C repeats: of a header, without its own includes and what C++ asks for.
$(BUILD)/codegen/c/program_call.inc: runtime/program_call.h
	@mkdir -p $(@D); echo "  TEXT  $<"
	$(Q)sed -e '1,/^#include <stdint/d' -e '/^#ifdef __cplusplus/,/^#endif/d' -e '/^#/d' \
	  -e 's|^\( *\)// \(.*\)|\1/* \2 */|' -e 's|; *// \(.*\)|; /* \1 */|' $(quoted) $< > $@
$(BUILD)/codegen/c/c_dynamic.o: $(BUILD)/codegen/c/program_call.inc

# Without this, make takes generated sources for intermediate files and deletes them.
.SECONDARY: $(GENERATED)

-include $(sort $(OBJECTS:.o=.d) $(NO_LLVM_OBJECTS:.o=.d)) $(RUNTIME_OBJECTS:.o=.d)

# Stamps: a file that is written only when its text changes, so what depends on it is made again then.
stamp = @mkdir -p $(@D); printf '%s\n' $1 > $@.new; \
  if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(BUILD)/flags: FORCE
	$(call stamp,'$(CC) $(HOSTED) $(FREESTANDING)' "$$($(CC) --version)")
$(BUILD)/sources: FORCE
	$(call stamp,'$(SOURCES) $(LDFLAGS) $(LIBS) $(SHARED_LIBS)')
FORCE:

# ---- The playground ------------------------------------------------------------------------------
# The library for WebAssembly: without LLVM, without what needs other libraries, which playground/left_out.c stands for, and
# without what writes files or is wasi-libc's. 8 MB of stack, as programs have on Linux.
WASM_CC ?= clang-19
WASM_SOURCES := $(filter-out $(NOT_LIBRARY) frontend/onnx/% frontend/text/sarif.c frontend/text/diag_json.c \
  frontend/data/output.c frontend/data/temporary.c library/explain_json.c library/number.c runtime/calls%,$(SHARED_SOURCES)) \
  $(wildcard codegen/no_llvm/*.c playground/*.c)
WASM_OBJECTS := $(WASM_SOURCES:%.c=$(BUILD)/wasm/%.o) $(patsubst $(BUILD)/%.c,$(BUILD)/wasm/%.o,$(filter $(BUILD)/grammar/%,$(GENERATED)))
WASM_CFLAGS ?= -O2
WASM = --target=wasm32-wasi -std=c11 $(WASM_CFLAGS) $(WARNINGS) -Wno-gnu-statement-expression-from-macro-expansion \
  $(INCLUDES) -isystem playground/wasi -D_POSIX_C_SOURCE=200809L -D_WASI_EMULATED_MMAN
PLAYGROUND := $(BUILD)/playground
PLAYGROUND_FILES := $(addprefix $(PLAYGROUND)/,index.html playground.js playground.css reshapec.wasm third-party.txt)

playground: ## build the page that compiles while you type, in BUILD/playground
	@scripts/deps.sh packages-playground.apt
	@$(MAKE) --no-print-directory $(PLAYGROUND_FILES)
	@du -b $(PLAYGROUND)/* && echo "$$(tar -cf - -C $(PLAYGROUND) . | gzip -9 | wc -c) bytes compressed"

$(BUILD)/wasm/flags: FORCE
	$(call stamp,'$(WASM_CC) $(WASM) $(WASM_SOURCES)' "$$($(WASM_CC) --version)")

$(BUILD)/wasm/%.o: %.c $(BUILD)/wasm/flags | $(GENERATED)
	$(compile)
	$(Q)$(WASM_CC) $(WASM) -MMD -MP -c $< -o $@

$(BUILD)/wasm/%.o: $(BUILD)/%.c $(BUILD)/wasm/flags | $(GENERATED)
	$(compile)
	$(Q)$(WASM_CC) $(WASM) -MMD -MP -c $< -o $@
$(BUILD)/wasm/codegen/c/c_dynamic.o: $(BUILD)/codegen/c/program_call.inc

$(PLAYGROUND)/reshapec.wasm: $(WASM_OBJECTS)
	@mkdir -p $(@D); echo "  LINK  $@"
	$(Q)$(WASM_CC) $(WASM) -mexec-model=reactor -Wl,--gc-sections,--strip-all,--stack-first,-z,stack-size=8388608 \
	  -Wl,--max-memory=1073741824 $(WASM_OBJECTS) -lwasi-emulated-mman -o $@

# The recipes of the cookbook are what the page has to choose from.
$(PLAYGROUND)/index.html: playground/index.html docs/cookbook.md codegen/machine/targets.def scripts/playground.py
	@mkdir -p $(@D); echo "  HTML  $@"
	$(Q)$(PYTHON) scripts/playground.py $< docs/cookbook.md codegen/machine/targets.def > $@

$(PLAYGROUND)/third-party.txt: scripts/notices.sh
	@mkdir -p $(@D); echo "  TEXT  $@"
	$(Q)$< "The playground" wasi-libc libclang-rt-19-dev-wasm32 uthash-dev > $@

$(PLAYGROUND)/%: playground/%
	@mkdir -p $(@D); cp $< $@

-include $(WASM_OBJECTS:.o=.d)

# ---- Trying it out -------------------------------------------------------------------------------
# What these need is installed first, so the rest is left to a second make that finds it.
quickstart: deps ## install missing packages, build, and compare two examples with NumPy
	@$(MAKE) --no-print-directory quickstart-tools
	@BUILD="$(BUILD)" CC="$(CC)" PYTHON="$(VENV)/bin/python" sh examples/quickstart.sh

test: deps ## build, then run the tests; the last line counts them
	@$(MAKE) --no-print-directory test-tools
	@$(VENV)/bin/python scripts/run_tests.py --build "$(BUILD)" $(TESTS)

cross: deps ## run kernels for other machines under emulators, and compare with this machine's
	@scripts/deps.sh packages-cross.apt packages-playground.apt
	@$(MAKE) --no-print-directory test-tools $(PLAYGROUND_FILES)
	@$(VENV)/bin/python scripts/run_tests.py --build "$(BUILD)" tests/cross

test-playground: deps ## type into the playground in a browser, and check what it shows
	@scripts/deps.sh packages-playground.apt packages-browser.apt
	@$(MAKE) --no-print-directory test-tools $(PLAYGROUND_FILES)
	@$(VENV)/bin/python scripts/run_tests.py --build "$(BUILD)" tests/playground
	@cat $(BUILD)/tests/playground.log

# Python is for tests and the data of examples. One environment serves all build folders.
VENV := build/venv
quickstart-tools: all $(VENV)/ready
test-tools: all $(BUILD)/no-llvm/reshapec $(if $(sanitized),,library python) $(BUILD)/libreshapec.a $(BUILD)/lit.site.cfg.py $(VENV)/ready

# Verifies a file, and shows the last line of what is said.
verified = $(BUILD)/reshapec verify $1 > $(BUILD)/soak/proved.txt; status=$$?; \
  tail -n 1 $(BUILD)/soak/proved.txt; [ $$status = 0 ]

# What programs that compare random inputs are given.
soaking = --reshapec $(BUILD)/reshapec --cc "$(CC)" --work $(BUILD)/soak

soak: test-tools ## compare COUNT random chains from SEED on, and symbolic ones, with numpy, models with onnxruntime and OpenVINO, patterns with einops; optimize random models; verify all models' chains; make allocations and system calls fail, and interrupt commands
	@scripts/deps.sh packages-cross.apt
	@echo "seed $(SEED)"
	@$(VENV)/bin/python tests/random/random_chains.py $(soaking) --seed $(SEED) --count $(COUNT) --optimize 10
	@$(VENV)/bin/python tests/corpus/symbolic.py $(soaking) --statuses runtime/statuses.def --seed $(SEED) --count 1000
	@$(VENV)/bin/python tests/random/random_chains.py $(soaking) --seed $(SEED) --count $(COUNT) \
	  --optimize 10000 --option=--emit=c
	@$(VENV)/bin/python tests/corpus/corpus.py $(soaking) --run-every 0 --bindings --option=--emit=c
	@$(VENV)/bin/python -B tests/model/Inputs/optimize.py random $(BUILD)/reshapec $(BUILD)/soak $(SEED) 1000
	@$(VENV)/bin/python -B tests/einops/patterns.py $(soaking)/einops --seed $(SEED) --count $$(($(COUNT) / 10)) --c
	@$(VENV)/bin/python -B tests/einops/notation.py --reshapec $(BUILD)/reshapec \
	  --work $(BUILD)/soak/einops --seed $(SEED) --count $$(($(COUNT) / 5))
	@for swarm in "" "--swarm wide" "--swarm long"; do $(VENV)/bin/python tests/differential/net.py $(soaking)/net \
	  --seed $(SEED) --count $(COUNT) --batch 250 $$swarm || exit 1; done
	@for swarm in "" "--swarm wide" "--swarm dense"; do $(VENV)/bin/python tests/differential/net.py --folded --cflags "$(HOSTED)" \
	  --libs "$(BUILD)/libreshapec.a $(TEST_LIBS)" $(soaking)/net --seed $(SEED) \
	  --count $$(($(COUNT) * 5)) --batch 250 $$swarm || exit 1; done
	@$(VENV)/bin/python tests/differential/verified.py $(soaking)/verified --seed $(SEED) --count $$(($(COUNT) / 10))
	@$(VENV)/bin/python tests/differential/verified.py --reshapec $(BUILD)/reshapec --cores \
	  --work $(BUILD)/soak/verified --seed $(SEED) --count $$(($(COUNT) / 10))
	@$(VENV)/bin/python tests/differential/grid.py $(soaking)/grid --seed $(SEED) --each 20
	@$(VENV)/bin/python tests/differential/breaking.py $(soaking)/breaking --seed $(SEED) --calls $$(($(COUNT) / 10))
	@$(VENV)/bin/python -B tests/differential/models.py $(soaking)/models --seed $(SEED) --count $$(($(COUNT) / 10))
	@$(VENV)/bin/python -B tests/differential/models.py $(soaking)/models --seed $(SEED) --count $$(($(COUNT) / 10)) --swarm
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r tests/requirements-soak.txt
	@$(VENV)/bin/python -B tests/openvino/random_models.py --reshapec $(BUILD)/reshapec \
	  --work $(BUILD)/soak/openvino --seed $(SEED) --count $$(($(COUNT) / 10))
	@$(VENV)/bin/python tests/corpus/corpus.py --print --bindings > $(BUILD)/soak/corpus.rsh
	@$(VENV)/bin/python tests/codegen/Inputs/vectors.py 1 > $(BUILD)/soak/vectors.rsh
	@for cpu in native x86-64-v3 x86-64-v2; do $(call verified,$(BUILD)/soak/vectors.rsh -mcpu=$$cpu) || exit 1; done
	@$(VENV)/bin/python tests/codegen/Inputs/symbolic.py $(BUILD)/reshapec $(CC) $(BUILD)/soak/symbolic -O0
	@$(VENV)/bin/python tests/codegen/Inputs/symbolic_large.py $(BUILD)/reshapec "$(CC)" $(BUILD)/soak/symbolic -mcpu=native -O3
	@$(BUILD)/reshapec $(BUILD)/soak/corpus.rsh --target=thumbv7em-none-eabi -mcpu=cortex-m4 --max-stack=127 \
	  -o $(BUILD)/soak/corpus.o --report=text | head -n 1
	@$(call verified,$(BUILD)/soak/corpus.rsh)
	@PYTHONPATH=$(BUILD)/python $(VENV)/bin/python -B tests/python/Inputs/random_calls.py --seed $(SEED) --count $$(($(COUNT) / 10))
	@cd $(BUILD)/soak && PATH="$(LLVM_BINDIR):$$PATH" sh $(CURDIR)/tests/target/Inputs/all_machines.sh \
	  $(abspath $(BUILD))/reshapec corpus.rsh
	@$(CC) -O1 -shared -fPIC tests/driver/Inputs/refuse.c -o $(BUILD)/soak/refuse.so
	@$(VENV)/bin/python -B tests/driver/Inputs/out_of_memory.py $(BUILD)/reshapec $(BUILD)/soak/refuse.so $(BUILD)/soak/refusals \
	  --seed $(SEED) --share $$(($(COUNT) / 50))
	@$(CC) -O1 tests/driver/Inputs/fault.c -o $(BUILD)/soak/fault
	@$(VENV)/bin/python -B tests/driver/Inputs/faults.py $(BUILD)/reshapec $(BUILD)/soak/fault $(BUILD)/soak/faults \
	  --seed $(SEED) --share $$(($(COUNT) / 20))
	@$(VENV)/bin/python -B tests/driver/Inputs/interrupts.py $(BUILD)/reshapec $(BUILD)/soak/fault $(BUILD)/soak/interrupts \
	  --seed $(SEED) --share $$(($(COUNT) / 400))
	@$(VENV)/bin/python -B tests/driver/Inputs/places.py $(BUILD)/reshapec $(BUILD)/soak/places
	@$(VENV)/bin/python -B tests/onnx/arithmetic.py $(BUILD)/reshapec "$(CC)" $(BUILD)/soak/arithmetic runtime/arithmetic.def
	@mkdir -p $(BUILD)/soak/requantize && $(VENV)/bin/python -B tests/cast/requantize.py $(abspath $(BUILD))/reshapec "$(CC)" \
	  $(BUILD)/soak/requantize 1000000
	@$(VENV)/bin/python tests/onnx/node_tests.py --print --reshapec $(BUILD)/reshapec \
	  --work $(BUILD)/soak > $(BUILD)/soak/node_tests.rsh
	@$(call verified,$(BUILD)/soak/node_tests.rsh)
	@$(call verified,--emit=c $(BUILD)/soak/corpus.rsh)
	@for file in $$(grep -l '^graph ' examples/*/*.rsh); do $(call verified,$$file) || exit 1; done
	@for machine in -mcpu=x86-64 -mcpu=x86-64-v3 -mcpu=native --target=aarch64-linux-gnu; do \
	  $(VENV)/bin/python tests/codegen/Inputs/tile_extents.py $(BUILD)/reshapec $(BUILD)/soak 1 $$machine || exit 1; done
	@$(MAKE) test BUILD=$(BUILD)/asan SANITIZE=1

# Compiles a program of tests/unit, and runs it with the arguments that follow its name.
enumerated = $(CC) $(HOSTED) tests/unit/$(firstword $1).c -o $(BUILD)/enumerated $(BUILD)/libreshapec.a $(TEST_LIBS) && \
  echo "$1" && $(BUILD)/enumerated $(wordlist 2,9,$1)
enumerations: $(BUILD)/libreshapec.a ## compare shape rules and folds with second implementations: all small ones, and COUNT random chains from SEED on
	@$(call enumerated,resolve-reshape 1)
	@$(call enumerated,resolve-rules)
	@$(call enumerated,fold-every)
	@$(call enumerated,fold $(COUNT) $(SEED))

mutants: test-tools ## insert faults into the compiler, and count those that verify finds
	@$(VENV)/bin/python tests/verify/mutants.py --cc "$(CC)" --build $(BUILD) --work $(BUILD)/mutants \
	  --cflags "$(HOSTED)" --libs "$(BUILD)/libreshapec.a $(TEST_LIBS)"

stress: $(BUILD)/libreshapec.a ## compile and run 10000 graphs, or COUNT, on 32 threads through the library, and as many broken sources
	@mkdir -p $(BUILD)/stress
	$(Q)for name in threads tasks broken-texts; do \
	  $(CC) $(HOSTED) tests/library/$$name.c -o $(BUILD)/stress/$$name $(BUILD)/libreshapec.a $(TEST_LIBS) || exit 1; done
	@$(BUILD)/stress/threads $(COUNT)
	@$(BUILD)/stress/tasks
	@$(BUILD)/stress/broken-texts $(COUNT) $(BROKEN)
	@echo "$(COUNT) graphs and $(COUNT) broken texts: good"
stress tsan: COUNT := 10000
BROKEN := $(wildcard examples/*/*.rsh tests/lower/*.rsh)

# Of a build of its own. LLVM is not instrumented, but its locks are seen.
tsan: ## the same under ThreadSanitizer
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/tsan SANITIZE=thread COUNT=$(COUNT) stress

# What proofs, fuzzers, MemorySanitizer and counts of conditions need.
CLANG ?= clang-19

# Of a build of its own, without LLVM. MemorySanitizer takes what a library writes for uninitialized unless that library is
# built for it, too. So the tests are those that call only the C library, whose functions it knows.
MSAN_TESTS := $(filter-out tests/unit/named-edges.c,$(wildcard tests/unit/*.c)) \
  $(addprefix tests/fuzz/,fold.c format.c npy.c resolve.c)
msan: $(VENV)/ready ## run tests of the runtime, and of readers of text and .npy files, under MemorySanitizer, or TESTS
	@scripts/deps.sh packages-ci.apt
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/msan CC="$(CLANG)" LLVM=0 SANITIZE=memory msan-tests

msan-tests: $(BUILD)/libreshapec.a $(BUILD)/lit.site.cfg.py
	@$(VENV)/bin/python scripts/run_tests.py --build "$(BUILD)" $(if $(filter tests,$(TESTS)),$(MSAN_TESTS),$(TESTS))

prove: $(VENV)/ready ## prove arithmetic and shape rules of runtime/ for all inputs with Z3, or those of ONLY; and that each proof finds faults
	@scripts/deps.sh packages-ci.apt
	@$(VENV)/bin/python -B tests/prove/prove.py --clang "$(CLANG)" --work $(BUILD)/prove --only "$(ONLY)"

# Of builds of their own, whose objects tell the engine what they reach.
FUZZ := $(BUILD)/fuzz$(if $(filter afl,$(ENGINE)),-afl)
REACHED := -fsanitize$(if $(filter afl,$(ENGINE)),-coverage=trace-pc-guard,=fuzzer-no-link)
fuzz: $(VENV)/ready ## fuzz each reader, or those of ONLY, with ENGINE for TIME seconds
	@scripts/deps.sh packages-ci.apt $(if $(filter afl,$(ENGINE)),packages-fuzz.apt)
	@$(MAKE) --no-print-directory BUILD=$(FUZZ) CC="$(CLANG)" SANITIZE=1 CFLAGS="-O1 -g1 $(REACHED)" fuzz-targets

fuzz-targets: $(BUILD)/libreshapec.a
	@$(VENV)/bin/python -B tests/fuzz/fuzz.py --cc "$(CC)" --flags "$(HOSTED)" --libs "$(BUILD)/libreshapec.a $(TEST_LIBS)" \
	  --work $(BUILD)/work --time "$(TIME)" --engine "$(ENGINE)" --only "$(ONLY)"

# Of a build of its own, which is not optimized.
coverage-net: ## run COUNT random graphs, and models, and list the lines and branches of the code of open sizes that they reach
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/coverage-net CFLAGS="-O0 -g --coverage" LDFLAGS=--coverage test-tools
	@$(VENV)/bin/python tests/differential/coverage.py --build $(BUILD)/coverage-net --work $(BUILD)/coverage-net/net \
	  --cc "$(CC)" --seed $(SEED) --count $(COUNT)

# Of a build of its own. Whatever tests link may have parts that count, so their compiler adds what counting needs. It is
# one word, so a script.
COVERAGE := $(BUILD)/coverage
COUNTING = $(abspath $(COVERAGE))/counting
coverage: ## run tests, or TESTS, and list the lines, branches and conditions that they do not reach, without a stated reason
	@scripts/deps.sh packages-ci.apt
	@mkdir -p $(COUNTING) && for name in clang clang++; do \
	  printf '#!/bin/sh\nexec %s -Qunused-arguments "$$@" -Wl,-u,__llvm_profile_runtime -x none %s\n' "$$(echo $(CLANG) | sed s/clang/$$name/)" \
	    "$$($(CLANG) -print-file-name=libclang_rt.profile-$$(uname -m).a)" > $(COUNTING)/$$name && chmod +x $(COUNTING)/$$name; done
	@$(MAKE) --no-print-directory BUILD=$(COVERAGE) CC="$(COUNTING)/clang" CFLAGS="-O1 -g1" \
	  COUNTERS="-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc" test-tools
	@rm -rf $(COVERAGE)/profiles
	@$(VENV)/bin/python -B tests/coverage/coverage.py --build $(COVERAGE) --llvm "$(LLVM_BINDIR)" --tests $(filter-out tests,$(TESTS))

# The compiler without LLVM, whose own memory valgrind would mostly look at. What is found is in the files of log/.
MEMCHECK := $(BUILD)/memcheck
MEMCHECK_TESTS := $(addprefix tests/,grammar fmt frontend shape fold lower layout script)
memcheck: test-tools ## run tests of parsing, shapes and scripts with the compiler under valgrind
	@scripts/deps.sh packages-ci.apt
	@rm -rf $(MEMCHECK) && mkdir -p $(MEMCHECK)/log
	@printf '#!/bin/sh\nexec valgrind -q --error-exitcode=99 --log-file="%s/%%p-$$(date +%%N)" %s "$$@"\n' \
	  '$(abspath $(MEMCHECK))/log' '$(abspath $(BUILD))/no-llvm/reshapec' > $(MEMCHECK)/reshapec && chmod +x $(MEMCHECK)/reshapec
	@$(VENV)/bin/python scripts/run_tests.py --build "$(BUILD)" --reshapec $(abspath $(MEMCHECK))/reshapec \
	  $(if $(filter tests,$(TESTS)),$(MEMCHECK_TESTS),$(TESTS)) > $(MEMCHECK)/tests.log; tail -n 1 $(MEMCHECK)/tests.log
	@runs=$$(ls $(MEMCHECK)/log | wc -l); found=$$(find $(MEMCHECK)/log -type f -size +0 | wc -l); \
	  echo "$$runs runs, $$found with findings in $(MEMCHECK)/log"; [ "$$runs" != 0 ] && [ "$$found" = 0 ]

# Each output is as new as its object, so what has not changed is not analyzed again. gcc looks at code that is not optimized:
# of other code it reports what inlining made.
ANALYSIS := $(BUILD)/static-analysis
CHECKERS ?= gcc clang cppcheck tidy
ANALYZED := $(sort $(SHARED_SOURCES) $(wildcard codegen/llvm/*.c codegen/no_llvm/*.c) python/core.c)
analyzed = $(foreach checker,$(CHECKERS),$(ANALYZED:%.c=$(ANALYSIS)/%.$(checker)))
static-analysis: ## run gcc's analyzer, clang-tidy and cppcheck, or those of CHECKERS; scripts/deviations.txt lists accepted findings
	@scripts/deps.sh packages-ci.apt
	@$(MAKE) -s --no-print-directory $(analyzed)
	@$(PYTHON) -B scripts/static_analysis.py --deviations scripts/deviations.txt $(if $(filter 4,$(words $(CHECKERS))),,--part) $(analyzed)

analyze = @mkdir -p $(@D); echo "  CHECK $(@:$(ANALYSIS)/%=%)"
ANALYZED_FLAGS = $(HOSTED) -Wno-error
$(BUILD)/python/core.o $(ANALYSIS)/python/core.%: HOSTED += -Wno-pedantic -isystem $(PYTHON_INCLUDE)
$(ANALYSIS)/%.gcc: $(BUILD)/%.o
	$(analyze)
	$(Q)gcc -fanalyzer $(ANALYZED_FLAGS) -O0 -S -o /dev/null $*.c > $@ 2>&1

tidy = $(Q)clang-tidy-19 --quiet --checks='-*,$1' $*.c -- $(ANALYZED_FLAGS) > $@ 2> $@.log || { cat $@ $@.log; exit 1; }
$(ANALYSIS)/%.clang: $(BUILD)/%.o
	$(analyze)
	$(call tidy,clang-analyzer-*)

$(ANALYSIS)/%.tidy: $(BUILD)/%.o
	$(analyze)
	$(call tidy,bugprone-*$(comma)cert-*)

$(ANALYSIS)/%.cppcheck: $(BUILD)/%.o
	$(analyze)
	$(Q)cppcheck --quiet --std=c11 --enable=warning,performance,portability $(filter -I% -D%,$(ANALYZED_FLAGS)) --include=scripts/cppcheck.h \
	  --template='{file}:{line}:{column}: {severity}: {message} [{id}]' $*.c > $@ 2>&1

-include $(ANALYZED:%.c=$(BUILD)/%.d)

reliability: ## run the commands of docs/reliability.md, with TIME and COUNT, and print the result and time of each
	+@$(PYTHON) -B scripts/reliability.py --make "$(MAKE)" --work $(BUILD)/reliability --only "$(ONLY)"

accuracy: test-tools ## measure the errors of element-wise functions, and write docs/activations.md
	@mkdir -p $(BUILD)/accuracy && cd $(BUILD)/accuracy && $(CURDIR)/$(VENV)/bin/python \
	  $(CURDIR)/tests/cast/activations.py $(abspath $(BUILD))/reshapec $(CURDIR)/runtime/activations.def \
	  $(CURDIR)/docs/activations.md --write

errors-page: all ## write docs/errors.md from the compiler's table of errors
	@$(PYTHON) scripts/errors_page.py $(BUILD)/reshapec docs/errors.md --write

pictures: test-tools ## draw the pictures of the documentation
	@scripts/pictures.sh $(BUILD)/reshapec $(VENV)/bin/python docs/pictures

site: $(BUILD)/site-venv/ready ## write the manual as HTML to BUILD/site
	@$(BUILD)/site-venv/bin/python scripts/site.py . $(BUILD)/site

$(BUILD)/site-venv/ready: docs/requirements.txt
	@echo "  VENV  $(@D)"
	$(Q)$(PYTHON) -m venv --clear $(@D)
	$(Q)$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

layers: ## check that folders include lower ones only
	@scripts/layers.sh

bench: all quickstart-tools bench-runtime ## measure kernels against memcpy, the runtime library and other libraries
	@BUILD="$(BUILD)" CC="$(CC)" CXX="$(CXX)" HPTT="$(HPTT)" PYTHON="$(VENV)/bin/python" sh bench/run.sh $(BENCH)

bench-firmware: all ## measure kernels for small cores against handwritten C, and write their tables in docs/
	@scripts/deps.sh packages-cross.apt
	@$(PYTHON) bench/firmware.py --reshapec $(BUILD)/reshapec --work $(BUILD)/bench/firmware --check \
	  $(if $(NEWLIB),--newlib "$(NEWLIB)") $(if $(PICOLIBC),--picolibc "$(PICOLIBC)") --write docs

bench-compile: all ## measure how long compiling takes, and its memory
	@$(PYTHON) bench/compile.py --reshapec $(BUILD)/reshapec --cc "$(CC)" --work $(BUILD)/bench

bench-scale: all $(VENV)/ready ## measure how time and memory of the compiler grow with its inputs
	@$(VENV)/bin/python -B bench/scale.py --reshapec $(BUILD)/reshapec --work $(BUILD)/bench/scale

bench-repack: all ## repack a safetensors file of 2 GiB by a script, against cp
	@$(PYTHON) bench/repack.py --reshapec $(BUILD)/reshapec --work $(BUILD)/bench/repack

bench-runtime: all ## measure the time of resolving and folding, and what the dynamic tier adds
	@mkdir -p $(BUILD)/bench
	$(Q)$(BUILD)/reshapec bench/dynamic.rsh -o $(BUILD)/bench/dynamic.o --header $(BUILD)/bench/dynamic.h
	$(Q)$(CC) $(C_FLAGS) -D_POSIX_C_SOURCE=200809L bench/runtime.c $(BUILD)/bench/dynamic.o \
	  $(BUILD)/librsh_runtime.a -o $(BUILD)/bench/runtime
	@$(BUILD)/bench/runtime

deps: ## install the packages in packages.apt that are missing
	@LLVM_CONFIG="$(if $(no_llvm),none,$(LLVM_CONFIG))" scripts/deps.sh packages.apt

$(VENV)/ready: tests/requirements.txt $(if $(CI),tests/requirements-ci.txt)
	@echo "  VENV  $(VENV)"
	$(Q)$(PYTHON) -m venv --clear $(VENV)
	$(Q)$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check $(^:%=-r %)
	@touch $@

# What tests/lit.cfg.py cannot know by itself. Tests run in other folders, so paths are absolute here.
$(BUILD)/lit.site.cfg.py: INCLUDES = -I$(CURDIR) -I$(abspath $(BUILD))
$(BUILD)/lit.site.cfg.py: FORCE
	$(call stamp,'config.cc = "$(CC)"' 'config.cxx = "$(CXX)"' 'config.cflags = "$(HOSTED)$(if $(COUNTERS), $(COUNTERS))"' \
	  'config.libs = "$(abspath $(BUILD)/libreshapec.a) $(TEST_LIBS)"' \
	  'config.llvm_bindir = "$(LLVM_BINDIR)"' 'config.sanitized = $(if $(filter 1 memory,$(SANITIZE)),True,False)')

# ---- Housekeeping --------------------------------------------------------------------------------
CLANG_FORMAT ?= clang-format-19

format: $(BUILD)/reshapec ## format all C files with clang-format, and all .rsh files
	@command -v $(CLANG_FORMAT) > /dev/null || \
	  { echo "$(CLANG_FORMAT) is missing: install the package clang-format-19" >&2; exit 2; }
	git ls-files -z --cached --others --exclude-standard '*.c' '*.h' | xargs -0 $(CLANG_FORMAT) -i
	scripts/rsh_files.sh | xargs $(BUILD)/reshapec fmt

# What is installed: `make tarball` has another compiler, and no library.
COMPILER := $(BUILD)/reshapec
WITH_LIBRARY := $(if $(sanitized),,1)
# Paths may have spaces, so they are quoted and no make function takes them apart.
ROOT = "$(DESTDIR)$(PREFIX)"
LIBRARIES = "$(DESTDIR)$(LIBDIR)"
SHARE = "$(DESTDIR)$(PREFIX)/share"
PRIVATE = $(if $(LLVM_STATIC),$(LLVM_STATIC) -lstdc++,$(LLVM_SHARED)) $(JANSSON_LIBS) $(PROTOBUF_LIBS) $(EXPAT_LIBS) -lm
filled = sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(subst $(PREFIX)/,$${prefix}/,$(LIBDIR))|' -e 's|@VERSION@|$(VERSION)|' -e 's|@PRIVATE@|$(PRIVATE)|' \
  -e "s|@UP@|$$(realpath -m --relative-to="$(LIBDIR)/cmake/reshapec" "$(PREFIX)")|"

define install_library
$(filled) library/reshapec.pc.in > $(LIBRARIES)/pkgconfig/reshapec.pc
install -D -m 644 -t $(ROOT)/include include/reshapec.h
install -D -m 644 -t $(LIBRARIES) $(BUILD)/lib/libreshapec.a
install -D -m 755 $(STRIPPED) $(BUILD)/lib/libreshapec.so $(LIBRARIES)/libreshapec.so.0
ln -sf libreshapec.so.0 $(LIBRARIES)/libreshapec.so
mkdir -p $(LIBRARIES)/cmake/reshapec
for file in reshapecConfig.cmake reshapecConfigVersion.cmake; do \
  $(filled) library/$$file.in > $(LIBRARIES)/cmake/reshapec/$$file || exit 1; done
endef

# What holds LLVM holds parts of the C++ library too; what links its shared library holds neither.
llvm_major = $(call once,llvm_major,$(LLVM_CONFIG) --version | cut -d . -f 1)
llvm_packages = "llvm-$(llvm_major)-dev libllvm$(llvm_major)" "libstdc++-14-dev libstdc++-13-dev libstdc++-12-dev libstdc++6"

HELD = $(if $(LLVM_STATIC),$(llvm_packages)) libonnx-dev uthash-dev

# Of the runtime's headers, those that its public one includes.
install: all $(if $(WITH_LIBRARY),library) ## install under PREFIX
	install -D -m 755 $(STRIPPED) $(COMPILER) $(ROOT)/bin/reshapec
	install -D -m 644 -t $(LIBRARIES) $(BUILD)/librsh_runtime.a
	install -D -m 644 -t $(ROOT)/include/reshapec/runtime \
	  $$($(CC) -I. -MM runtime/rsh_runtime.h | tr -s ' \\' '\n' | grep ^runtime/)
	mkdir -p $(LIBRARIES)/pkgconfig $(SHARE)/man/man1 $(SHARE)/doc/reshapec $(SHARE)/bash-completion/completions \
	  $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	$(filled) runtime/rsh_runtime.pc.in > $(LIBRARIES)/pkgconfig/rsh_runtime.pc
	$(if $(WITH_LIBRARY),$(install_library))
	sed 's|^\(.TH RESHAPEC 1 "" "reshapec\)"|\1 $(VERSION)"|' docs/reshapec.1 > $(SHARE)/man/man1/reshapec.1
	install -m 644 -t $(SHARE)/doc/reshapec LICENSE README.md CHANGELOG.md
	find editors -type f -exec install -D -m 644 '{}' $(SHARE)/reshapec/'{}' ';'
	scripts/notices.sh reshapec $(HELD) > $(SHARE)/doc/reshapec/third-party.txt
	$(BUILD)/reshapec --completions=bash > $(SHARE)/bash-completion/completions/reshapec
	$(BUILD)/reshapec --completions=zsh > $(SHARE)/zsh/site-functions/_reshapec
	$(BUILD)/reshapec --completions=fish > $(SHARE)/fish/vendor_completions.d/reshapec.fish

install-strip: STRIPPED = -s
install-strip: install ## the same without symbols for debuggers

# What an installation into an empty folder makes is removed where it would be, and folders that only it has. That make is
# told not to build (-o): it is done, and others may be using it.
uninstall: all $(if $(WITH_LIBRARY),library) ## remove what `make install` with the same PREFIX and LIBDIR installed
	@stage=$$(mktemp -d) && trap 'rm -rf "$$stage"' EXIT && \
	$(MAKE) --no-print-directory -o all -o library install DESTDIR="$$stage" > /dev/null && cd "$$stage" && \
	find . ! -type d | sed 's|^.||' | while read -r file; do rm -f "$(DESTDIR)$$file"; done && \
	find . -depth -type d -path '*reshapec*' | sed 's|^.||' | while read -r folder; do \
	  if [ -d "$(DESTDIR)$$folder" ]; then rmdir --ignore-fail-on-non-empty "$(DESTDIR)$$folder"; fi; done

# From an export of what is committed: nothing that lies about comes in, and what this make was told stays out.
DEB := $(BUILD)/deb
deb: ## build Debian packages of the last commit in BUILD/deb, and check them with lintian
	@scripts/deps.sh packages.apt packages-debian.apt
	@rm -rf $(DEB) && mkdir -p $(DEB)/reshapec
	$(Q)git archive HEAD | tar -x -C $(DEB)/reshapec
	$(Q)cd $(DEB)/reshapec && env -u MAKEFLAGS -u MAKEOVERRIDES dpkg-buildpackage -us -uc -b -j$$(nproc) > ../log 2>&1 || \
	  { tail -n 40 ../log; exit 1; }
	$(Q)cd $(DEB) && lintian --fail-on error,warning --display-info *.changes && ls -sh *.deb

# ---- The tarball, and what is in what is built --------------------------------------------------
# One file that calls no other, not even libc. LLVM names z3, which it does not use and which has no archive.
STATIC_LIBS = -static -Wl,--gc-sections,--no-warnings $(LLVM_LATE) $(filter-out %/libz3.so,$(LLVM_STATIC)) \
  $(call once,STATIC_OTHERS,$(PKG_CONFIG) --static --libs jansson libprotobuf-c expat libedit zlib) $(STDCXX) -lm
EPOCH := $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2> /dev/null || echo 0))

$(BUILD)/static/reshapec: $(OBJECTS) $(BUILD)/sources
	@mkdir -p $(@D); echo "  LINK  $@"
	$(Q)$(if $(no_llvm)$(LLVM_STATIC),,echo "no archives of LLVM are installed, so no static program can be linked" >&2; exit 2)
	$(Q)$(CC) $(HOSTED) $(LDFLAGS) $(OBJECTS) $(STATIC_LIBS) -Wl,-Map=$@.map -o $@

spdx = $(PYTHON) -B scripts/sbom.py --version $(VERSION) --epoch $(EPOCH) --held "libonnx-dev uthash-dev"
TARBALL := $(BUILD)/tarball
tarball_name = reshapec-$(VERSION)-$(call once,machine,$(CC) -dumpmachine | cut -d- -f1)-linux
tarball: all $(BUILD)/static/reshapec ## pack a static compiler, the runtime library and their files in BUILD/tarball
	@rm -rf $(TARBALL) && mkdir -p $(TARBALL)
	$(Q)$(MAKE) --no-print-directory -o all install DESTDIR="$(abspath $(TARBALL))" PREFIX="/$(tarball_name)" STRIPPED=-s \
	  COMPILER=$(BUILD)/static/reshapec WITH_LIBRARY= \
	  HELD="$$($(PYTHON) -B scripts/linked.py $(BUILD)/static/reshapec $(BUILD)/static/reshapec.map | cut -d ' ' -f 1 | xargs) libonnx-dev uthash-dev" > $(TARBALL)/log
	$(Q)strip -Dg $(TARBALL)/$(tarball_name)/lib/librsh_runtime.a
	$(Q)sed -i 's|^prefix=.*|prefix=$${pcfiledir}/../..|' $(TARBALL)/$(tarball_name)/lib/pkgconfig/rsh_runtime.pc
	$(Q)$(spdx) --tree $(TARBALL)/$(tarball_name) --linked bin/reshapec $(BUILD)/static/reshapec.map > $(TARBALL)/reshapec.spdx.json
	$(Q)mv $(TARBALL)/reshapec.spdx.json $(TARBALL)/$(tarball_name)/share/doc/reshapec
	$(Q)scripts/pack.sh $(TARBALL)/$(tarball_name) $(TARBALL)/$(tarball_name).tar.xz $(EPOCH)
	$(Q)cd $(TARBALL) && mkdir try && tar -xJf $(tarball_name).tar.xz -C try && cd try && \
	  echo 'graph turned(x: u8[N, 3]) -> y { y = transpose(x) }' > turned.rsh && \
	  env -i $(tarball_name)/bin/reshapec -fverify turned.rsh -o turned.o --header turned.h
	@cd $(TARBALL) && sha256sum *.tar.xz && du -b *.tar.xz

# What `make install` installs. The linker is asked again, for its map.
SBOM := $(BUILD)/sbom
sbom: all library ## write an SPDX document of what `make install` installs, BUILD/sbom/reshapec.spdx.json
	@rm -rf $(SBOM) && mkdir -p $(SBOM)
	$(Q)$(MAKE) --no-print-directory -o all -o library install DESTDIR="$(abspath $(SBOM))" PREFIX=/tree > $(SBOM)/log
	$(Q)$(link_program) -Wl,-Map=$(SBOM)/reshapec.map -o $(SBOM)/reshapec
	$(Q)$(link_library) -Wl,-Map=$(SBOM)/library.map -o $(SBOM)/libreshapec.so.0
	$(Q)$(spdx) --tree $(SBOM)/tree --linked bin/reshapec $(SBOM)/reshapec.map --linked lib/libreshapec.so.0 $(SBOM)/library.map > $(SBOM)/reshapec.spdx.json
	@rm $(SBOM)/*.map $(SBOM)/reshapec $(SBOM)/libreshapec.so.0; du -b $(SBOM)/reshapec.spdx.json

clean: ## remove everything that was built
	rm -rf $(BUILD)

help: ## print this
	@echo "Targets:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' Makefile | awk -F'|' '{printf "%-19s%s\n", $$1, $$2}'
	@echo "Variables:"
	@sed -n 's/^##   /  /p' Makefile

.PHONY: all enumerations static-analysis reliability memcheck runtime library python wheel playground test-playground quickstart quickstart-tools test test-tools cross soak stress tsan msan msan-tests prove fuzz fuzz-targets coverage coverage-net accuracy errors-page pictures site layers bench bench-firmware bench-compile bench-scale bench-repack bench-runtime deps format install install-strip uninstall deb tarball sbom clean help FORCE
