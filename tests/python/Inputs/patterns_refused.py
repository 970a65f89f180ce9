# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Patterns that einops refuses are refused, as a PatternError or a CallError; accepted ones give the same result."""
import itertools

import einops
import numpy as np

import reshapec as rs

CALLS = [
    ("a b c", {}), ("a b c -> a b", {}), ("a b c -> a b c d", {}), ("a b -> b a", {}), ("a b c d -> a b c d", {}),
    ("a a c -> a c", {}), ("a b c -> a a b c", {}), ("a b c -> (a b c", {}), ("a b c -> a b c)", {}), ("a ((b c)) -> a b c", {}),
    ("(a b) c d -> a b c d", {}), ("(a b) c d -> a b c d", {"a": 2}), ("(a b) c d -> a b c d", {"a": 5}), ("(a b) c d -> a b c d", {"a": 2, "b": 2}),
    ("(a b) c d -> a b c d", {"a": 2, "b": 3}), ("a b c -> a b c", {"a": 4}), ("a b c -> a b c", {"d": 4}), ("a b c -> c b a", {"a": 3}),
    ("... c -> c ...", {}), ("... -> ...", {}), ("... a ... -> a ...", {}), ("a b c -> ... a b c", {}), ("a ... -> a", {}), (".. c -> c", {}),
    ("a (... b) -> a ... b", {}), ("a b c ... d -> d c b a ...", {}), ("a b c ... -> a b c ...", {}), ("a b c -> 1 a b c", {}),
    ("a b c -> a b c ()", {}), ("a b c 1 -> a b c", {}), ("a b (c 1) -> a b c", {}), ("a b c -> a 2 b c", {}), ("a b 4 -> a b", {}),
    ("_a b c -> _a b c", {}), ("a_ b c -> a_ b c", {}), ("a_b c d -> d a_b c", {}), ("a' b c -> a' b c", {}), ("a b c -> a b c -> a", {}),
    ("", {}), ("->", {}), ("a b c ->", {}), ("a b c -> a b c d", {"d": 2}), ("a b c -> a b (c d)", {"d": 2}), ("a b c -> a b (c 3)", {}),
    ("a b c -> (d a) b c", {"d": 0}), ("a b c -> (d a) b c", {"d": -1}), ("a b c -> (d a) b c", {"d": 1.5}), ("a b c -> (d a) b c", {"d": "2"}),
    ("a (b1 b2) c -> a b1 b2 c", {"b1": 2, "b2": 2}), ("a b c -> a b c", {"b": 3}), ("a b c -> a b c", {"b": 9}), ("_ b c -> b c", {}),
    ("a\tb c -> c b a", {}), ("a b c\n-> c b a", {}), ("a b c\xa0-> c b a", {}), ("a b... -> a ... b", {}), ("a b ... -> a ...b", {}), ("a b ...->... a b", {}),
    ("a b c -> (a\r b) c", {}), ("a (...) -> a ...", {}), ("a ... b -> (...) a b", {}),
]
SHAPES = [(6, 3, 4), (6, 3, 4, 1), (1,), (6, 3, 4, 2, 5)]


def outcome(library, which, x, pattern, sizes):
    try:
        return np.array(getattr(library, which)(x, pattern, **sizes), order="C"), None
    except (rs.PatternError, rs.CallError) if library is rs else Exception as error:
        return None, error


def main():
    refused = 0
    for which, (pattern, sizes), shape in itertools.product(("rearrange", "repeat"), CALLS, SHAPES):
        x = np.arange(np.prod(shape), dtype="i4").reshape(shape)
        wanted, theirs = outcome(einops, which, x, pattern, sizes)
        got, ours = outcome(rs, which, x, pattern, sizes)
        what = f"{which} of {shape} by {pattern!r} with {sizes}"
        assert (theirs is None) == (ours is None), f"{what}: einops: {theirs or wanted.shape}, here: {ours or got.shape}"
        if ours is None:
            assert got.shape == wanted.shape and (got == wanted).all(), what
        else:
            assert str(ours).strip() and "\n" not in str(ours), what
        refused += ours is not None
    print(f"{refused} of {2 * len(CALLS) * len(SHAPES)} refused by both")


main()
