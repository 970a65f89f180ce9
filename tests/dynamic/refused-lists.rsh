# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Lists that cannot be data: of the wrong type, rank or length, of unknown length, or computed.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s -DFILE=%s

# CHECK: [[FILE]]:[[#@LINE+1]]:59: error: 'starts' of 'slice' is a list of integers; this tensor is f32
graph floats(x: f32[4, 6], s: f32[2]) -> y { y = slice(x, s, [3, 4]) }
# CHECK: error: 'starts' of 'slice' is a list of integers; a tensor in its place has one axis
graph two_axes(x: f32[4, 6], s: i64[2, 2]) -> y { y = slice(x, s, [3, 4]) }
# CHECK: error: 'ends' has length 2; 3 is needed
graph lengths(x: f32[4, 6], s: i64[3]) -> y { y = slice(x, s, [3, 4]) }
# CHECK: error: 'pads' has length 2; 4 is needed: all begins, then all ends
graph pads(x: f32[4, 6], s: i64[2]) -> y { y = pad(x, s) }

# CHECK: error: 'repeats' has length 1; 3 is needed{{$}}
graph repeats(x: f32[4, 6, 2], s: i64[1]) -> y { y = tile(x, s) }

# The number of pieces of a result, or of results, must be known at compile time.
# CHECK: error: the length of 'shifts' of 'roll' must be known when compiling; give it a type such as i64[2]
graph shifts(x: f32[4, 6], s: i64[K]) -> y { y = roll(x, s) }
# CHECK: error: the length of 'sizes' of 'split' must be known when compiling; give it a type such as i64[2]
graph parts(x: f32[4, 6], s: i64[K]) -> (y, z) { y, z = split(x, sizes=s) }
# CHECK: error: the length of 'lengths' of 'reverse_sequence' must be known when compiling; give it a type such as i64[2]
graph sequences(x: f32[4, 6], s: i64[*]) -> y { y = reverse_sequence(x, s) }
# CHECK: error: the length of 'pads' of 'pad' must be known when compiling; give it a type such as i64[2]
graph edges(x: f32[4, 6], s: i64[K]) -> y { y = pad(x, s, mode="edge") }
# CHECK: error: the length of 'axes' of 'squeeze' must be known when compiling; give it a type such as i64[2]
graph dropped(x: f32[1, 6], s: i64[K]) -> y { y = squeeze(x, s) }
# CHECK: error: 2 names for 3 results
graph results(x: f32[4, 6], s: i64[3]) -> (y, z) { y, z = split(x, sizes=s) }

# Inputs are read; nothing is computed.
# CHECK: error: the list 'repeats' that is data must be an input of the graph, without a layout, or be made from elements of inputs; this is computed
graph computed(x: f32[4, 6], s: i32[2]) -> y { y = tile(x, cast(s, i64)) }
# CHECK: error: the list 'repeats' that is data must be an input of the graph, without a layout, or be made from elements of inputs; 's' is stored otherwise
graph stored(x: f32[4, 6], s: i64[2] strides [-1]) -> y { y = tile(x, s) }
# CHECK: error: entries of the list 'repeats' must have one element type; that of the first is i32
graph types(x: f32[4, 6], s: i32[2], t: i64) -> y { y = tile(x, [s[0], t]) }
# CHECK: error: an entry of the list 'repeats' is one integer; 's' (i32[2, 2]) is not
graph entries(x: f32[4, 6], s: i32[2, 2]) -> y { y = tile(x, [s, 2]) }
# Strings have no value to fill a border with.
# CHECK: error: there is no value to fill strings with; use mode "edge", "reflect", "symmetric" or "wrap"
graph strings(x: string[4, 6], s: i64[4]) -> y { y = pad(x, s) }
# CHECK: error: there is no value to fill strings with; use mode "edge", "reflect", "symmetric" or "wrap"
graph strings_any(x: string[4, 6], s: i64[K]) -> y { y = pad(x, s) }
# CHECK: error: there is no value to fill strings with
graph strings_centered(x: string[4, 6], s: i64[*]) -> y { y = center_crop_pad(x, s) }

# CHECK: error: the length of 'axes' of 'roll' must be known when compiling; give it a type such as i64[2]
graph rolled(x: f32[4, 6], s: i64[K]) -> y { y = roll(x, 1, axes=s) }
# CHECK: error: the length of 'axes' of 'pad' must be known when compiling; give it a type such as i64[2]
graph wrapped(x: f32[4, 6], s: i64[K]) -> y { y = pad(x, [1, 1], axes=s, mode="wrap") }
# CHECK: error: 'perm' of 'transpose' is a list of integers; this tensor is f32
graph perm(x: f32[4, 6], s: f32[2]) -> y { y = transpose(x, s) }
# CHECK: error: 'perm' has 3 entries
graph short(x: f32[4, 6], s: i64[3]) -> y { y = transpose(x, s) }
