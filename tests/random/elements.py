# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the value of every element of a graph: numpy moves element numbers, and a table maps them to values.

    x: u8[2] = 7, 200       numbers 0 1
    y = cast(x, f32)        numbers 2 3     bits 0x40e00000 0x43480000, origin 0 1
    z = pad(y, [1, 0], 3)   numbers 4 2 3   bits of 4: 0x40400000, origin -1

The origin of an element is the number of the input element that it was copied or computed from.
"""

import functools
import random

import numpy as np

import casts
import layouts
from harness import POISON

FILLED = -1  # the origin of fill elements, and of gaps between the elements of a result
NUMBERS = list(casts.TYPES)  # types that cast supports
DTYPES = NUMBERS + ["c64", "c128", "string"]
BITS = {name: casts.SMALL.get(name, 8 * t.itemsize) for name, t in casts.TYPES.items()}
BITS.update({"c64": 64, "c128": 128, "string": 64})


def words(bits, dtype):
    """Returns table entries as words of the elements' size."""
    return bits.astype(casts.bits_type(dtype))


@functools.cache
def pool(dtype):
    """Returns 4096 elements that are likely to show errors: special values, small numbers, and random bits."""
    dice = np.random.default_rng(7)
    any_bits = dice.integers(0, 1 << 64, 2048, dtype="u8")
    small = dice.integers(-160, 160, 1024) / 8
    if not casts.is_float(dtype):
        special = np.array(
            [0, 1, 2, (1 << BITS[dtype] - 1) - 1, 1 << BITS[dtype] - 1, (1 << BITS[dtype]) - 1],
            "u8",
        )
        small = np.rint(small).astype("i8").view("u8")
    else:
        source = small.view("u8")
        small = casts.convert("f64", dtype, source).astype("u8")
        exponent, mantissa = casts.LAYOUT.get(dtype, (BITS[dtype] - 2, 1))
        infinity, sign = ((1 << exponent) - 1) << mantissa, 1 << (exponent + mantissa)
        quiet = infinity | 1 << (mantissa - 1)  # infinity | 1 is a signaling NaN
        special = [
            0,
            1,
            (1 << mantissa) - 1,
            1 << mantissa,
            infinity - 1,
            infinity,
            infinity | 1,
            quiet,
            quiet | 1,
        ]
        special = np.array(special + [v | sign for v in special], "u8")
    return np.concatenate([any_bits, small, special[dice.integers(0, len(special), 1024)]])


def random_bits(dice, dtype, count):
    """Returns elements as words of 64 bits: random bits, or, for half of the tensors, elements of the pool."""
    if dtype in NUMBERS and dice.random() < 0.5:
        chosen = np.frombuffer(dice.randbytes(2 * count), "u2")
        bits = pool(dtype)[chosen & 4095]
    else:
        bits = np.frombuffer(dice.randbytes(8 * count), "u8")
    if dtype == "bool":
        return bits & np.uint64(1)
    return bits & np.uint64((1 << min(BITS[dtype], 64)) - 1)


def constant(text, dtype):
    """Returns the fill value of a pad as a word; for complex types, that of the real part."""
    part = {"c64": "f32", "c128": "f64"}.get(dtype, dtype)
    if text in (None, "true", "false"):
        return int(text == "true")
    if casts.is_float(part):
        bits = np.array([float(text)], "f8").view("u8")
        return int(casts.convert("f64", part, bits, 1, 2)[0])
    return int(text) & ((1 << BITS[part]) - 1)


class Elements:
    """All values of a graph with random inputs, which depend only on the seed."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.values = {}  # {name: element numbers}
        self.dtypes = {}
        self.memory = {}  # {input: element numbers from its lowest address on}
        self.bases = []  # the first number of each input
        self.was_cast = set()
        self.bits = np.zeros(0, "u8")  # by element number
        self.high = np.zeros(0, "u8")  # the upper half of c128
        self.origin = np.zeros(0, "i8")
        self.is_loose = np.zeros(0, bool)  # if the element is a NaN, it may be any NaN
        self.is_open = np.zeros(0, bool)  # made of the bits of such a NaN: may have any bits

    def add(self, bits, origin, high=None, is_loose=False, is_open=False):
        """Adds elements. Returns the number of the first."""
        first = self.bits.size
        more = np.zeros(bits.size, "u8") if high is None else high
        self.bits = np.concatenate([self.bits, bits.astype("u8", copy=False)])
        self.high = np.concatenate([self.high, more])
        self.origin = np.concatenate([self.origin, origin])
        self.is_loose = np.concatenate([self.is_loose, np.broadcast_to(is_loose, bits.shape)])
        self.is_open = np.concatenate([self.is_open, np.broadcast_to(is_open, bits.shape)])
        return first

    def add_input(self, each):
        storage = each.storage or layouts.Storage(self.dice, each.dims, False, plain=True)
        span = storage.span
        bits = random_bits(self.dice, each.dtype, span)
        high = random_bits(self.dice, each.dtype, span) if each.dtype == "c128" else None
        first = self.bits.size
        numbers = np.arange(first, first + span, dtype=np.int64)
        self.add(bits, numbers, high)
        self.bases.append(first)
        self.memory[each.name] = numbers
        self.values[each.name] = storage.load(numbers)
        self.dtypes[each.name] = each.dtype

    def each(self, numbers, function, is_loose):
        """Applies a function to the bits of these elements. Returns the numbers of the new elements."""
        flat = numbers.reshape(-1)
        bits = function(self.bits[flat])
        loose = self.is_loose[flat] | is_loose
        first = self.add(bits, self.origin[flat], None, loose, self.is_open[flat])
        return np.arange(first, first + flat.size, dtype=np.int64).reshape(numbers.shape)

    def cast(self, numbers, dtype, to, saturate=True, round_mode="up"):
        if dtype == to:
            return numbers
        mode = ["up", "down", "nearest"].index(round_mode)
        function = lambda bits: casts.convert(dtype, to, words(bits, dtype), saturate, mode)
        # After casts to another type and back, a NaN may be quiet, or unchanged if the casts were removed.
        loose = bool(self.was_cast)
        self.was_cast.add(to)
        return self.each(numbers, function, loose)

    def step(self, node):
        """Computes the results of a call."""
        dtype = self.dtypes[node.args[0]]
        numbers = self.values[node.args[0]]
        attrs = dict(node.attrs)
        if node.op == "cast":
            dtype, made = attrs["to"], [self.cast(numbers, dtype, **attrs)]
        elif node.op == "bitcast":
            dtype, made = attrs["to"], [numbers]
        else:
            made = node.apply([self.values[a] for a in node.args])
        is_filled = node.op == "pad" and attrs.get("mode", "constant") == "constant"
        if is_filled or node.op == "center_crop_pad":
            word = np.array([constant(attrs.get("value"), dtype)], "u8")
            number = self.add(word, np.array([FILLED], "i8"))
            made = [np.where(made[0] == FILLED, number, made[0])]
        function = attrs.get("act") or (node.op if node.op in casts.EXACT else None)
        if function:
            work = lambda bits: casts.apply(function, dtype, words(bits, dtype))
            made = [self.each(made[0], work, True)]
        for name, array in zip(node.results, made):
            self.values[name], self.dtypes[name] = array, dtype

    # -- elements as bytes in memory --

    def wanted(self, numbers, dtype):
        """Returns the elements in a memory as words, c128 as two halves. A GAP keeps what was there before."""
        is_gap = numbers == layouts.GAP
        if not is_gap.any():
            return self.bits[numbers], self.high[numbers]
        at = np.where(is_gap, 0, numbers)
        poison = np.uint64(int.from_bytes([POISON] * 8, "little"))
        width = BITS[dtype]
        if width < 8:
            poison = poison >> (np.arange(at.size, dtype="u8") * np.uint64(width) & np.uint64(7))
        poison = poison & np.uint64((1 << min(width, 64)) - 1)
        return np.where(is_gap, poison, self.bits[at]), np.where(is_gap, poison, self.high[at])

    def stored(self, numbers, dtype):
        """Returns the bytes of memory with these elements. Unused bits of the last byte are 0."""
        low, high = self.wanted(numbers, dtype)
        width = BITS[dtype]
        if dtype == "c128":
            return np.stack([low, high], axis=1).reshape(-1).view("u1")
        if width >= 8:
            return low.astype(f"u{width // 8}").view("u1")
        low = np.concatenate([low, np.zeros(-low.size % (8 // width), "u8")]).reshape(
            -1, 8 // width
        )
        return (low << np.arange(0, 8, width, dtype="u8")).sum(axis=1).astype("u1")

    def difference(self, numbers, dtype, data):
        """Returns the index in memory of the first wrong element of `data`, or None."""
        want = self.stored(numbers, dtype)
        wrong = data != want
        if dtype in NUMBERS and wrong.any() and self.is_loose.any() and BITS[dtype] >= 8:
            loose = self.is_loose[numbers] & (numbers != layouts.GAP)
            both = [casts.is_nan(dtype, d.view(casts.bits_type(dtype))) for d in (data, want)]
            wrong &= ~np.repeat(loose & both[0] & both[1], BITS[dtype] // 8)
        if wrong.any() and self.is_open.any():
            for i in np.flatnonzero(self.is_open[numbers] & (numbers != layouts.GAP)):
                wrong[i * BITS[dtype] // 8 : -(-(i + 1) * BITS[dtype] // 8)] = False
        return int(np.flatnonzero(wrong)[0] * 8 // BITS[dtype]) if wrong.any() else None
