# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs reshapec on bad texts and checks how it exits.

    bad_text.py RUNS prefixes STEP FILE...   each file, truncated at every STEPth byte
    bad_text.py RUNS flips STEP FILE...      each file, with every STEPth byte replaced in turn
    bad_text.py RESHAPEC made NAME...        a generated text: see MADE

RUNS is the compiler linked with runs.c.

A run passes if `check` and `check --json` exit with 0, or with 1 and a message, within the time limit.
"""

import json
import subprocess
import sys

sys.dont_write_bytecode = True  # no __pycache__ next to the sources

from runs import Runs  # noqa: E402

SECONDS = 60

GOOD = b"graph g(x: f32[2, 3]) -> y: f32[3, 2] { y = transpose(x) }\n"

# Text, and whether it is valid.
MADE = {
    "nul": (GOOD[:20] + b"\0" + GOOD[20:], False),
    "only-nul": (b"\0" * 1000, False),
    "bad-utf8": (GOOD[:40] + b"\xff\xfe\xc0\x80\xed\xa0\x80" + GOOD[40:], False),
    "bad-utf8-in-comment": (b"# \xff\xfe\n" + GOOD, None),
    "long-line": (b"# " + b"x" * 1000000 + b"\n" + GOOD, True),
    "long-name": (GOOD.replace(b"x", b"x" * 1000000), None),
    "long-line-of-statements": (
        b"graph g(x: f32[2]) -> y: f32[2] { " + b"a = identity(x) " * 60000 + b"y = identity(x) }",
        None,
    ),
    "long-number": (b"graph g(x: f32[" + b"9" * 100000 + b"]) -> y { y = flatten(x) }", False),
    "long-string": (
        b'graph g(x: f32[2, 3]) -> y { y = rearrange(x, "' + b"a " * 500000 + b'") }',
        False,
    ),
    "open-brackets": (b"graph g(x: f32[2]) -> y { y = reshape(x, " + b"[" * 100000, False),
    "nested-lists": (
        b"graph g(x: f32[2]) -> y { y = reshape(x, " + b"[" * 100000 + b"]" * 100000 + b") }",
        False,
    ),
    "nested-parens": (
        b"graph g(x: f32[2]) -> y { y = reshape(x, ["
        + b"(" * 100000
        + b"2"
        + b")" * 100000
        + b"]) }",
        False,
    ),
    "nested-minus": (
        b"graph g(x: f32[2]) -> y { y = reshape(x, [" + b"-" * 100000 + b"2]) }",
        None,
    ),
    "nested-calls": (
        b"graph g(x: f32[2]) -> y { y = " + b"identity(" * 100000 + b"x" + b")" * 100000 + b" }",
        False,
    ),
    "long-sum": (b"graph g(x: f32[2]) -> y { y = reshape(x, [" + b"1+" * 100000 + b"1]) }", False),
    "long-pipe": (b"graph g(x: f32[2]) -> y { y = x " + b"|> identity() " * 20000 + b" }", None),
    "long-index": (b"graph g(x: f32[2]) -> y { y = x" + b"[:]" * 20000 + b" }", None),
    "long-list": (b"graph g(x: f32[2]) -> y { y = reshape(x, [" + b"1," * 100000 + b"2]) }", False),
    "many-graphs": (
        b"".join(GOOD.replace(b"graph g", b"graph g%d" % i) for i in range(5000)),
        True,
    ),
    "many-errors": (
        b"graph g(x: f32[2]) -> y {\n" + b"a = nothing(x)\n" * 20000 + b"y = x }\n",
        False,
    ),
    "many-syntax-errors": (
        b"graph g(x: f32[2]) -> y {\n" + b"a = = ;\n" * 20000 + b"y = x }\n",
        False,
    ),
    "crlf": (GOOD.replace(b"{ ", b"{\r\n").replace(b" }", b"\r\n}\r"), True),
    "no-newline": (GOOD.rstrip(), True),
    "unclosed-string": (b'graph g(x: f32[2, 3]) -> y { y = rearrange(x, "a b', False),
    "unclosed-graph": (b"graph g(x: f32[2, 3]) -> y { y = x", False),
    "not-text": (bytes(range(256)) * 64, False),
    "many-inputs": (
        b"graph g("
        + b", ".join(b"x%d: f32[1]" % i for i in range(5000))
        + b") -> y { y = concat("
        + b", ".join(b"x%d" % i for i in range(5000))
        + b", axis=0) }",
        None,
    ),
}


def started(reshapec):
    """Returns a function that starts a program and returns (status, standard output, standard error)."""

    def run(*arguments, text):
        done = subprocess.run(
            [reshapec, *arguments], input=text, capture_output=True, check=False, timeout=SECONDS
        )
        return done.returncode, done.stdout, done.stderr

    return run


def forked(runs):
    """Returns such a function for a program that is linked with runs.c."""

    def run(*arguments, text):
        ended = runs.run(*arguments, text=text)
        return ended.status, ended.out, ended.err

    return run


def faults(run, text, valid=None):
    """Yields what was wrong with the runs of this text, one line each."""
    code, out, err = run("check", "-", text=text)
    if code not in (0, 1):
        yield f"check ends with {code}: {err[-300:]!r}"
        return
    if valid is not None and valid != (code == 0):
        yield f"check ends with {code}: {err[:300]!r}"
    if out:
        yield f"check prints on standard output: {out[:100]!r}"
    if (code == 1) != (b"error: " in err):
        yield f"check ends with {code} and says {err[:300]!r}"
    json_code, json_out, json_err = run("check", "--json", "-", text=text)
    if json_code != code or json_err:
        yield f"check --json ends with {json_code}, check with {code}: {json_err[-300:]!r}"
    try:
        listed = json.loads(json_out)["diagnostics"]
        if (code == 1) != any(d["severity"] == "error" for d in listed):
            yield f"check --json ends with {code} and lists {len(listed)} diagnostics"
    except (ValueError, KeyError) as bad:
        yield f"check --json prints no JSON: {bad}"


def texts(mode, arguments):
    """Yields (name, text, whether it is valid or None) for each case."""
    if mode == "made":
        for name in arguments:
            yield name, *MADE[name]
        return
    step, *paths = arguments
    for path in paths:
        with open(path, "rb") as file:
            whole = file.read()
        for at in range(0, len(whole) + 1, int(step)):
            if mode == "prefixes":
                yield f"{path} cut at {at}", whole[:at], None
            elif at < len(whole):
                yield f"{path} with byte {at} replaced", whole[:at] + b"\x01({"[at % 3 :][
                    :1
                ] + whole[at + 1 :], None


def judge(run, mode, arguments):
    """Prints the failures and returns the exit status."""
    wrong = cases = 0
    for name, text, valid in texts(mode, arguments):
        cases += 1
        try:
            for fault in faults(run, text, valid):
                print(f"{name}: {fault}")
                wrong += 1
        except subprocess.TimeoutExpired:
            print(f"{name}: no end after {SECONDS} s")
            wrong += 1
    print(f"{cases} texts, {wrong} faults")
    return wrong > 0 or cases == 0


def main():
    program, mode, *arguments = sys.argv[1:]
    if mode == "made":
        return judge(started(program), mode, arguments)
    with Runs(program, SECONDS) as runs:
        return judge(forked(runs), mode, arguments)


sys.exit(main())
