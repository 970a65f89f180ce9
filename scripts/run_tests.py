# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs lit on tests and ends with one line: `N passed, M failed`.

A test counts as passed if it ran and succeeded. Everything else counts as failed: a test that is skipped,
unsupported or expected to fail says nothing about the compiler. A run without tests also fails. In a
sanitized build, tests with `UNSUPPORTED: sanitized` are not counted.
usage: run_tests.py --build BUILD [--jobs N] [--reshapec PROGRAM] TEST...
"""

import argparse
import json
import os
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--build", required=True)
parser.add_argument("--jobs", type=int, default=os.environ.get("JOBS") or os.cpu_count())
parser.add_argument("--reshapec", help="what runs in place of BUILD/reshapec")
parser.add_argument("tests", nargs="+")
args = parser.parse_args()

results = os.path.join(args.build, "tests", "results.json")
os.makedirs(os.path.dirname(results), exist_ok=True)
if os.path.exists(results):
    os.remove(results)

lit = [sys.executable, "-c", "import lit.main; lit.main.main()"]
options = ["-sv", "-j", str(args.jobs), "--param", "build=" + args.build, "--output", results]
if args.reshapec:
    options += ["--param", "reshapec=" + args.reshapec]
status = subprocess.run([*lit, *options, *args.tests], check=False).returncode

tests = []
if os.path.exists(results):
    with open(results, encoding="utf-8") as file:
        tests = json.load(file)["tests"]
passed = failed = 0
for test in tests:
    if test["code"] == "PASS":
        passed += 1
    elif test["code"] == "UNSUPPORTED" and test["output"].endswith("targets: sanitized"):
        print(f"{test['name']}: left out of a sanitized build")
    else:
        failed += 1
        if test["code"] not in ("FAIL", "TIMEOUT", "UNRESOLVED"):  # lit reports these itself
            print(f"{test['name']}: counts as failed: {test['code'].lower()}")
print("slowest:", ", ".join(f"{test['name'].split(' :: ')[-1]} {test['elapsed'] or 0:.0f} s" for test in
                            sorted(tests, key=lambda test: -(test["elapsed"] or 0))[:12]))
if not failed and (status or not passed):
    print(f"lit failed with exit status {status}" if status else "there is no test to run")
    failed = 1
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
