#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random texts as patterns: the compiler accepts exactly those that einops accepts.

Notation that only this compiler has is left out: numbers above 1 on the left, sizes such as h=2, sums, several tensors,
and names before dots.
"""

import argparse
import random
import sys
import warnings

import einops
import numpy as np
from einops.parsing import ParsedExpression
from patterns import HERE  # noqa: F401  (finds harness)

import harness  # noqa: E402

WORDS = ["a", "b", "c1", "d_2", "_", "_e", "f_", "G", "1", "01", "()", "...", "(", ")", "(a", "b)", "(...)", "( )",
         "a.", "..", ".", "a-", "a1b", "2x", "__", "A_B", "in", "axis", "é", "größe", "名", "a²", "x·y", "·a"]
GOOD = ["a", "b", "c1", "d_2", "G", "A_B", "in", "axis", "é", "größe", "名", "1", "01", "()", "(1)", "..."]
BETWEEN = [" "] * 8 + ["  ", "", "\\t", "\\n"]


def side(dice, words, is_good):
    words = list(words)
    if dice.random() < 0.6:
        dice.shuffle(words)
    if dice.random() < (0.1 if is_good else 0.4):
        words.insert(dice.randrange(len(words) + 1), dice.choice(WORDS))
    if dice.random() < (0.2 if is_good else 0.4) and len(words) > 1:
        at = dice.randrange(len(words) - 1)
        words[at], words[at + 1] = "(" + words[at], words[at + 1] + ")"
    return "".join(w + (" " if is_good else dice.choice(BETWEEN)) for w in words)


def random_text(dice):
    is_good, count = dice.random() < 0.6, dice.choice([0, 1, 2, 2, 3, 3, 4])
    words = dice.sample(GOOD, count) if is_good else [dice.choice(WORDS) for _ in range(count)]
    arrow = "->" if is_good else dice.choice(["->"] * 12 + ["- >", "->->", ">"])
    return side(dice, words, is_good) + dice.choice([" ", ""]) + arrow + dice.choice([" ", ""]) + side(dice, words, is_good)


def is_ours_alone(text):
    """A number above 1 on the left, or a name before dots."""
    left = text.replace("(", " ( ").replace(")", " ) ").split("->")[0].split()
    dotted = text.replace("(", " ").replace(")", " ").replace("->", " ").split()
    return any(w.isdecimal() and int(w) > 1 for w in left) or any(
        len(w) > 3 and w.endswith("...") and w[0].isalpha() for w in dotted)


def rank_of(text):
    """The rank that the left side has in einops, where it has one."""
    try:
        return len(ParsedExpression(text.split("->")[0]).composition)
    except einops.EinopsError:
        return 2


def takes(text, rank):
    x = np.zeros([1] * rank, "u1")
    try:
        einops.repeat(x, text)
    except einops.EinopsError:
        return False
    except ValueError:  # of split("->")
        return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reshapec", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=3000)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    compiler = harness.Compiler(options.reshapec, "cc", options.work)
    dice, cases = random.Random(options.seed), {}
    while len(cases) < options.count:
        text = random_text(dice)
        rank = max(0, rank_of(text) + dice.choice([0, 0, 0, 0, 1, -1]))
        if not is_ours_alone(text):
            cases[text, rank] = takes(text.replace("\\t", "\t").replace("\\n", "\n"), rank)
    texts = [f'graph g{n}(x: f32[{", ".join("1" * rank)}]) -> y {{\n    y = rearrange(x, "{text}")\n}}\n'
             for n, (text, rank) in enumerate(cases)]
    failures = 0
    for (case, right), found in zip(cases.items(), compiler.errors_by_graph("check", texts)):
        if right == bool(found):
            failures += 1
            print(f"{case}: einops {'takes' if right else 'refuses'} it, " + (found[0]["message"] if found else "it is compiled"))
    print(f"{len(cases)} texts, of which einops takes {sum(cases.values())}: {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
