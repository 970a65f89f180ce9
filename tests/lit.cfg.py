# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# lit: what a test is, and the names its RUN lines may use.
# A test is one file with RUN lines: a chain (.rsh), a program (.c) or a script (.test).
# `make test` writes what depends on the build into BUILD/lit.site.cfg.py. To run one test by hand:
#   build/venv/bin/lit -v --param build=build/asan tests/fold/view.rsh
import importlib.util
import os
import subprocess

import lit.formats

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(here)
onnx_node_tests = os.environ.get("ONNX_NODE_TESTS")
onnx_models = os.environ.get("ONNX_MODELS")
build = os.path.join(root, lit_config.params.get("build", "build"))

lit_config.load_config(config, os.path.join(build, "lit.site.cfg.py"))

config.name = "reshapec"
config.test_format = lit.formats.ShTest(execute_external=True)  # bash: tests use ( ), & and fifos
config.test_source_root = here
config.test_exec_root = os.path.join(build, "tests")
config.suffixes = [".rsh", ".test", ".c"]
config.excludes = ["Inputs", "support", "cross", "playground"]  # `make cross` and `make test-playground` name these

# If a test makes thousands of cases, a sanitized build makes a fifth of them: `%{count:500}` is 500, or 100. If a test
# covers all of something, such a build takes one in 17: `%{step}`. It makes a tenth of the random chains, which
# need not contain everything that chains can; of the parts of kernels.c that try tiles it runs one (4: SSE2, 5: AVX2,
# 6: AVX-512).
count = r"\1"
random_chains = "--count 5000 --all"
tile_parts = "4 5 6"
step = "1"
if config.sanitized:
    config.available_features.add("sanitized")
    count = r"$((\1 / 5))"
    random_chains = "--count 1000"
    tile_parts = "4"
    step = "17"
    lit_config.note("sanitized: a tenth of the random chains, a fifth of other random cases, one in 17 of the spoilt files, tiles of one width")

# A hang is a failure. Sanitized code is several times slower.
if not lit_config.maxIndividualTestTime:
    lit_config.maxIndividualTestTime = 900 if config.sanitized else 300

# PyTorch and JAX are large: outside of CI, their tests are left out if they are not installed.
torch_python = os.environ.get("TORCH_PYTHON", "/usr/bin/python3")
has_torch = "import importlib.util, sys; sys.exit(importlib.util.find_spec('torch') is None)"
if not os.environ.get("CI"):
    if subprocess.run([torch_python, "-c", has_torch], check=False).returncode != 0:
        config.excludes.append("torch.test")
        lit_config.note(f"{torch_python} has no PyTorch: python/torch.test is left out")
    if not importlib.util.find_spec("jax"):
        config.excludes.append("jax.test")
        lit_config.note("JAX is not installed: python/jax.test is left out")
    if not importlib.util.find_spec("mypy"):
        config.excludes.append("types.test")
        lit_config.note("mypy is not installed: python/types.test is left out")

config.substitutions += [
    ("%{reshapec}", lit_config.params.get("reshapec", os.path.join(build, "reshapec"))),  # another: tests/verify/mutants.py
    ("%{cc}", config.cc),
    ("%{cxx}", config.cxx),
    ("%{cflags}", config.cflags),  # as our own sources are compiled
    ("%{libs}", config.libs),  # everything but main(), and what it needs
    ("%{python}", os.path.join(root, "build", "venv", "bin", "python")),
    ("%{torch_python}", torch_python),
    ("%{sanitize}", "SANITIZE=1" if config.sanitized else ""),  # what `make` needs to take this build as it is
    ("%{run}", ""),  # goes before a program that was built for the target: for the host, nothing
    ("%{root}", root),
    ("%{onnx_node_tests}", os.path.abspath(onnx_node_tests) if onnx_node_tests else ""),
    ("%{onnx_models}", os.path.abspath(onnx_models) if onnx_models else ""),
    ("%{build}", build),
    ("%{random-chains}", random_chains),
    ("%{tile-parts}", tile_parts),
    ("%{step}", step),
    (r"%\{count:([0-9]+)\}", count),
]

config.environment["PATH"] = config.llvm_bindir + os.pathsep + config.environment["PATH"]
config.environment["LC_ALL"] = "C.UTF-8"
config.environment["OPENBLAS_NUM_THREADS"] = "1"  # numpy starts no threads, a third of the time it takes to load
config.environment["RESHAPEC_CACHE"] = ""  # tests compile: nothing is kept

# abort: else a report ends with status 1, which is the compiler's own for "the input is wrong". The quarantine of freed
# memory is 4 MB, not 256: verify forks hundreds of times, and each fork copies the page tables of all that a process has.
abort = "abort_on_error=1:"
config.environment["ASAN_OPTIONS"] = abort + "detect_leaks=1:quarantine_size_mb=4"
config.environment["UBSAN_OPTIONS"] = abort + "print_stacktrace=1"
