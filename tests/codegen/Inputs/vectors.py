# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints graphs whose elements are looked up, unpacked and packed in vectors: around the lengths of vectors, alone, in
transpositions, between planes and with open sizes. `vectors.py STEP` prints every STEPth of the lengths."""

import sys

STEP = int(sys.argv[1])

WIDTHS = {"u1": 1, "u2": 2, "i2": 2, "u4": 4, "i4": 4, "u8": 8, "i8": 8}
LOOKUPS = [("u1", "u8"), ("u2", "f16"), ("i2", "i8"), ("u4", "u8"), ("u4", "f32"), ("i4", "f16"), ("i4", "i64"), ("u8", "u8"),
           ("i8", "i8"), ("u8", "i16"), ("i8", "f32"), ("u8", "f64"), ("u8", "u4"), ("bool", "u8"), ("bool", "f32")]
CASTS = [("u1", "u8"), ("u1", "f32"), ("u2", "i16"), ("i2", "i32"), ("u4", "u8"), ("i4", "f32"), ("u4", "f16"), ("i4", "i64"),
         ("u8", "u1"), ("u8", "u2"), ("i8", "i4"), ("u8", "u4"), ("f32", "i4"), ("i32", "u4"), ("f16", "u2")]


def entries(source, result):
    """Returns a table with scrambled entries for all numbers of `source`; floats are exact."""
    count = 2 if source == "bool" else 1 << WIDTHS[source]
    if result[0] == "f":
        return [(i * 37 % 61 - 30) / 8 for i in range(count)]
    bits = int(result[1:])
    low = -(1 << (bits - 1)) if result[0] == "i" else 0
    return [low + (i * 40503 + 77) * 2654435761 % (1 << bits) for i in range(count)]


def lengths(*types):
    """Returns lengths to test; those of packed elements fill whole bytes."""
    packed = any(t != "bool" and WIDTHS.get(t, 8) < 8 for t in types)
    return [8, 16, 24, 40, 64, 72, 120, 136, 200] if packed else [1, 15, 16, 17, 63, 64, 65, 80, 127, 130]


for at, (source, result) in enumerate(LOOKUPS):
    table = entries(source, result)
    for n in lengths(source, result)[at % STEP::STEP]:
        print(f"graph l_{source}_{result}_{n}(x: {source}[3, {n}]) -> y {{ y = lookup(x, {table}, {result}) }}")
for at, (source, result) in enumerate(CASTS):
    for n in lengths(source, result)[at % STEP::STEP]:
        print(f"graph c_{source}_{result}_{n}(x: {source}[3, {n}]) -> y {{ y = cast(x, {result}) }}")
for source in ("u8", "i8"):
    table = entries(source, source)
    print(f"graph turned_{source}(x: {source}[67, 81]) -> y {{ y = lookup(x, {table}) |> transpose() }}")
    print(f"graph parted_{source}(x: {source}[5, 77, 3]) -> y {{ y = lookup(x, {table}) |> transpose([2, 0, 1]) }}")
    print(f"graph joined_{source}(x: {source}[4, 131]) -> y {{ y = lookup(x, {table}) |> transpose() }}")
    print(f"graph open_{source}(x: {source}[N]) -> y {{ y = lookup(x, {table}) }}")
    print(f"graph twice_{source}(x: {source}[150]) -> y {{ y = lookup(x, {table}) |> lookup({table}) }}")
