# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""layers.py RESHAPEC: compares models of one layer with numpy, and prints refusals."""
import math
import subprocess
import sys

import numpy as np

from ir import NAMES, Ir

X = np.arange(24, dtype="f4").reshape(2, 3, 4)
SQUARE = np.arange(64, dtype="f4").reshape(1, 4, 4, 4)
CUBE = SQUARE.reshape(1, 16, 1, 2, 2)


def blocks(x):  # depth to space, blocks first
    n, c, h, w = x.shape
    return x.reshape(n, 2, 2, c // 4, h, w).transpose(0, 3, 4, 1, 5, 2).reshape(n, c // 4, 2 * h, 2 * w)


def depths(x):  # depth to space, depth first
    n, c, h, w = x.shape
    return x.reshape(n, c // 4, 2, 2, h, w).transpose(0, 1, 4, 2, 5, 3).reshape(n, c // 4, 2 * h, 2 * w)


def unblocks(x):  # space to depth, blocks first
    n, c, h, w = x.shape
    return x.reshape(n, c, h // 2, 2, w // 2, 2).transpose(0, 3, 5, 1, 2, 4).reshape(n, 4 * c, h // 2, w // 2)


def undepths(x):  # space to depth, depth first
    n, c, h, w = x.shape
    return x.reshape(n, c, h // 2, 2, w // 2, 2).transpose(0, 1, 3, 5, 2, 4).reshape(n, 4 * c, h // 2, w // 2)


def to_batch(x, blocks, pads):  # of rank 3
    x = np.pad(x, [(0, 0), *pads])
    n, h, w = x.shape
    x = x.reshape(n, h // blocks[0], blocks[0], w // blocks[1], blocks[1]).transpose(2, 4, 0, 1, 3)
    return x.reshape(n * math.prod(blocks), h // blocks[0], w // blocks[1])


def replaced(x, where, by):
    x = x.copy()
    x[where] = by
    return x


def masks(begin="", end="", new="", shrink="", ellipsis=""):
    return dict(begin_mask=begin, end_mask=end, new_axis_mask=new, shrink_axis_mask=shrink, ellipsis_mask=ellipsis)


def gelu(x):
    return x * np.vectorize(lambda n: (1 + math.erf(n / math.sqrt(2))) / 2, otypes="f")(x)


# Name, type, input, other inputs, attributes, the expected result: an array, a list of them, None for an error. `opset`
# is that of the layer, and `open` says that the sizes of the input are not declared.
CASES = [
    ("squeeze", "Squeeze", X[:1, :, :1], [[0, 2]], {}, X[0, :, 0]),
    ("squeeze all", "Squeeze", X[:1, :, :1], [], {}, X[0, :, 0]),
    ("squeeze or not", "Squeeze", X[:1], [[0, 1]], {"allow_axis_skip": "true"}, X[0]),
    ("squeeze one of two", "Squeeze", X[:1], [[0, 1]], {}, X[0]),
    ("squeeze no axis of size 1", "Squeeze", X, [[-1]], {}, X),
    ("squeeze none", "Squeeze", X, [[0]], {"allow_axis_skip": "true"}, X),
    ("squeeze an unknown size or not", "Squeeze", X, [[0]], {"allow_axis_skip": "true", "open": True}, None),
    ("unsqueeze", "Unsqueeze", X, [[1, -1]], {}, X[:, None, :, :, None]),
    ("unsqueeze one", "Unsqueeze", X, [0], {}, X[None]),
    ("transpose", "Transpose", X, [[2, 0, 1]], {}, X.transpose(2, 0, 1)),
    ("transpose back", "Transpose", X, [np.zeros(0, "i8")], {}, X.T),
    ("split", "Split", X, [2], {"num_splits": 2}, np.split(X, 2, 2)),
    ("split 4 in 3", "Split", X, [2], {"num_splits": 3}, [None] * 3),
    ("variadic split", "VariadicSplit", X, [-1, [1, -1]], {}, [X[..., :1], X[..., 1:]]),
    ("slice", "Slice", X, [[3, 0], [-9, 2], [-2, 1], [2, 0]], {}, X[:2, :, 3::-2]),
    ("strided slice", "StridedSlice", X, [[0, 1], [1, 3], [1, 2]], masks("0,0", "1,0"), X[0:, 1:3:2]),
    ("strided back", "StridedSlice", X, [[0, 0], [0, 0], [1, -1]], masks("1,1", "1,1"), X[:, ::-1]),
    ("new axis and shrink", "StridedSlice", X, [[0, -1, 0], [0, 0, 2], [1, 1, 1]],
     masks("0,0,1", "0,0,1", "1,0,0", "0,1,0"), X[None, -1]),
    ("ellipsis", "StridedSlice", X, [[0, 1], [0, 2], [1, 1]], masks("0,0", "0,0", ellipsis="1,0"), X[..., 1:2]),
    ("two ellipses", "StridedSlice", X, [[0, 1], [0, 2], [1, 1]], masks(ellipsis="1,1"), None),
    ("gather", "Gather", X, [[[0, -1]], 1], {}, X[:, [[0, -1]]]),
    ("gather by 72 bytes", "Gather", X, [[3, 0, 1, 2, 3, 3, 2, 1, 0], 2], {}, X[..., [3, 0, 1, 2, 3, 3, 2, 1, 0]]),
    ("gather in batches", "Gather", X, [[[0], [1]], 1], {"batch_dims": 1}, X[[[0], [1]], [[0], [1]]]),
    ("gather along a later axis", "Gather", X, [[[0, 3], [1, -1]], 2], {"batch_dims": 1}, np.stack([X[0][:, [0, 3]], X[1][:, [1, -1]]])),
    ("gather matrices along the last axis", "Gather", SQUARE, [[[[1, 0], [2, 2]]], -1], {"batch_dims": 1}, SQUARE[..., [[1, 0], [2, 2]]]),
    ("gather in no batches", "Gather", X, [[1, 0], 0], {"batch_dims": -1}, X[[1, 0]]),
    ("gather in the last batches", "Gather", X, [[[0], [1]], 1], {"batch_dims": -1}, X[[[0], [1]], [[0], [1]]]),
    ("gather in more batches than axes", "Gather", X, [[[0], [1]], 1], {"batch_dims": 2}, None),
    ("shuffle channels", "ShuffleChannels", SQUARE, [], {"group": 2}, SQUARE[:, [0, 2, 1, 3]]),
    ("shuffle columns of open sizes", "ShuffleChannels", X, [], {"axis": -1, "group": 2, "open": True}, X[..., [0, 2, 1, 3]]),
    ("shuffle columns, not divided", "ShuffleChannels", X[..., :3], [], {"axis": 2, "group": 2, "open": True}, None),
    ("shuffle 3 in 2 groups", "ShuffleChannels", X, [], {"axis": 1, "group": 2}, None),
    ("shuffle axis 3 of 3", "ShuffleChannels", X, [], {"axis": 3}, None),
    ("shuffle in no groups", "ShuffleChannels", X, [], {"group": 0}, None),
    ("space to batch", "SpaceToBatch", X, [[1, 2, 2], [0, 1, 0], [0, 0, 2]], {}, to_batch(X, [2, 2], [(1, 0), (0, 2)])),
    ("space of open sizes to batch", "SpaceToBatch", X, [[1, 2, 2], [0, 1, 0], [0, 0, 2]], {"open": True}, to_batch(X, [2, 2], [(1, 0), (0, 2)])),
    ("space not divided", "SpaceToBatch", X, [[1, 2, 1], [0, 0, 0], [0, 0, 0]], {}, None),
    ("open space not divided", "SpaceToBatch", X, [[1, 2, 1], [0, 0, 0], [0, 0, 0]], {"open": True}, None),
    ("batch to batch", "SpaceToBatch", X, [[2, 1, 1], [0, 0, 0], [0, 0, 0]], {}, None),
    ("blocks of fewer axes", "SpaceToBatch", X, [[1, 2], [0, 0, 0], [0, 0, 0]], {}, None),
    ("batch to space", "BatchToSpace", X, [[1, 2, 1], [0, 1, 0], [0, 2, 1]], {}, X.transpose(1, 0, 2).reshape(1, 6, 4)[:, 1:4, :3]),
    ("open batch to space", "BatchToSpace", X, [[1, 2, 1], [0, 1, 0], [0, 2, 1]], {"open": True}, X.transpose(1, 0, 2).reshape(1, 6, 4)[:, 1:4, :3]),
    ("batch not divided", "BatchToSpace", X, [[1, 2, 2], [0, 0, 0], [0, 0, 0]], {}, None),
    ("scatter rows", "ScatterUpdate", X, [[1], -X[:1], 0], {}, np.stack([X[0], -X[0]])),
    ("scatter columns", "ScatterUpdate", X, [[[3, 0]], -X[:, :, None, 1:3], -1], {}, replaced(X, (..., [3, 0]), -X[..., 1:3])),
    ("scatter one matrix", "ScatterUpdate", X, [2, -X[:, 0], 1], {}, replaced(X, (slice(None), 2), -X[:, 0])),
    ("scatter along axis 3 of 3", "ScatterUpdate", X, [[1], X, 3], {}, None),
    ("scatter along an input", "ScatterUpdate", X, [[1], X, ("i64", [1])], {}, None),
    ("scatter elements", "ScatterElementsUpdate", X, [[[[1]]], X[:1, :1, :1] - 5, 2], {"reduction": "none", "use_init_val": "true"},
     replaced(X, (0, 0, 1), -5)),
    ("scatter a sum", "ScatterElementsUpdate", X, [[[[1]]], X[:1, :1, :1], 2], {"reduction": "sum"}, None),
    ("scatter nd", "ScatterNDUpdate", X, [[[1, 2]], -X[0, 1:2]], {}, replaced(X, (1, 2), -X[0, 1])),
    ("scatter nd sums", "ScatterNDUpdate", X, [[[1, 2]], -X[0, 1:2]], {"reduction": "sum"}, None),
    ("reverse", "Reverse", X, [[0, -1]], {"mode": "index"}, X[::-1, :, ::-1]),
    ("reverse by a mask", "Reverse", X, [[0, 1, 1]], {"mode": "mask"}, None),
    ("pad", "Pad", X, [[0, 1, 0], [0, 0, 2]], {"pad_mode": "constant"}, np.pad(X, [(0, 0), (1, 0), (0, 2)])),
    ("pad edge", "Pad", X, [[1, 0, 0], [0, 0, 1]], {"pad_mode": "edge"}, np.pad(X, [(1, 0), (0, 0), (0, 1)], "edge")),
    ("pad reflect", "Pad", X, [[0, 0, 3], [0, 2, 0]], {"pad_mode": "reflect"},
     np.pad(X, [(0, 0), (0, 2), (3, 0)], "reflect")),
    ("pad symmetric", "Pad", X, [[0, 0, 1], [0, 2, 3]], {"pad_mode": "symmetric"},
     np.pad(X, [(0, 0), (0, 2), (1, 3)], "symmetric")),
    ("pad by what is cut off", "Pad", X, [[0, 2, -3], [0, -3, 2]], {"pad_mode": "reflect"},
     np.pad(X, [(0, 0), (2, 0), (0, 2)], "reflect")[:, :2, 3:]),
    ("pad what is cut off", "Pad", X, [[0, 0, -4], [0, 0, 2]], {"pad_mode": "edge"}, X[:, :, [3, 3]]),
    ("pad cuts off more than all", "Pad", X, [[0, 0, -5], [0, 0, 0]], {"pad_mode": "edge"}, None),
    ("pad by the lowest number", "Pad", X, [[0, 0, -(2**63)], [0, 0, 0]], {"pad_mode": "edge"}, None),
    ("pad reflects more than once", "Pad", X, [[0, 0, 0], [0, 3, 0]], {"pad_mode": "reflect"}, None),
    ("pad mirrors more than once", "Pad", X, [[3, 0, 0], [0, 0, 0]], {"pad_mode": "symmetric"}, None),
    ("pads of unlike lengths", "Pad", X, [[0, 0, 0], [0, 0]], {"pad_mode": "edge"}, None),
    ("pad by another mode", "Pad", X, [[0, 0, 0], [0, 0, 0]], {"pad_mode": "wrap"}, None),
    ("tile", "Tile", X, [[2, 1, 3]], {}, np.tile(X, [2, 1, 3])),
    ("tile the last axes", "Tile", X, [[2]], {}, np.tile(X, [2])),
    ("tile to more axes", "Tile", X, [[2, 1, 1, 2]], {}, np.tile(X, [2, 1, 1, 2])),
    ("tile a scalar", "Tile", X[0, 0, 1], [[2, 3]], {}, np.tile(X[0, 0, 1], [2, 3])),
    ("broadcast", "Broadcast", X[:1, :, :1], [[5, 2, 3, 4]], {"mode": "numpy"},
     np.broadcast_to(X[:1, :, :1], [5, 2, 3, 4])),
    ("broadcast both ways", "Broadcast", X[:1], [[2, 1, 1]], {"mode": "bidirectional"},
     np.broadcast_to(X[:1], [2, 3, 4])),
    ("broadcast to less", "Broadcast", X, [[2, 1, 1]], {"mode": "numpy"}, None),
    ("broadcast explicit", "Broadcast", X[0], [[3, 5, 4], [0, 2]], {"mode": "explicit"},
     np.broadcast_to(X[0][:, None], [3, 5, 4])),
    ("broadcast explicit, as opset 1 is written", "Broadcast", X[0], [[3, 5, 4], [0, 2]], {"mode": "none"},
     np.broadcast_to(X[0][:, None], [3, 5, 4])),
    ("depth to space", "DepthToSpace", SQUARE, [], {"block_size": 2, "mode": "blocks_first"}, blocks(SQUARE)),
    ("depth first", "DepthToSpace", SQUARE, [], {"block_size": 2, "mode": "depth_first"}, depths(SQUARE)),
    ("space to depth", "SpaceToDepth", SQUARE, [], {"block_size": 2, "mode": "blocks_first"}, unblocks(SQUARE)),
    ("space depth first", "SpaceToDepth", SQUARE, [], {"block_size": 2, "mode": "depth_first"}, undepths(SQUARE)),
    ("depth of rank 3", "DepthToSpace", SQUARE[0], [], {"block_size": 2, "mode": "depth_first"},
     SQUARE[0].reshape(4, 2, 2, 4).transpose(0, 1, 3, 2).reshape(4, 2, 8)),
    ("depth of rank 5", "DepthToSpace", CUBE, [], {"block_size": 2, "mode": "blocks_first"},
     CUBE.reshape(1, 2, 2, 2, 2, 1, 2, 2).transpose(0, 4, 5, 1, 6, 2, 7, 3).reshape(1, 2, 2, 4, 4)),
    ("space of rank 5", "SpaceToDepth", CUBE[:, :1].reshape(1, 1, 1, 2, 2).repeat(2, 2), [],
     {"block_size": 2, "mode": "depth_first"},
     CUBE[:, :1].repeat(2, 2).reshape(1, 1, 1, 2, 1, 2, 1, 2).transpose(0, 1, 3, 5, 7, 2, 4, 6).reshape(1, 8, 1, 1, 1)),
    ("space of rank 3", "SpaceToDepth", SQUARE[0], [], {"block_size": 2, "mode": "blocks_first"},
     SQUARE[0].reshape(4, 4, 2, 2).transpose(0, 3, 1, 2).reshape(4, 8, 2)),
    ("depth without elements", "DepthToSpace", X[:, :2, :0], [], {"block_size": 2, "mode": "blocks_first"}, X[:, :1, :0]),
    ("space of no depth", "SpaceToDepth", X[:, :0], [], {"block_size": 2, "mode": "blocks_first"}, X[:, :0, :2]),
    ("depth of rank 2", "DepthToSpace", SQUARE[0, 0], [], {"block_size": 2, "mode": "depth_first"}, None),
    ("blocks that do not fit", "DepthToSpace", X, [], {"block_size": 2, "mode": "depth_first"}, None),
    ("blocks of several sizes", "SpaceToDepth", SQUARE[0], [], {"block_size": 2, "mode": "blocks_first", "open": 1},
     SQUARE[0].reshape(4, 4, 2, 2).transpose(0, 3, 1, 2).reshape(4, 8, 2)),
    ("reverse sequence", "ReverseSequence", X, [[2, 3]], {"batch_axis": 0, "seq_axis": 1},
     np.stack([X[0][[1, 0, 2]], X[1][::-1]])),
    ("reverse along other axes", "ReverseSequence", X, [[1, 3, 2, 4]], {"batch_axis": 2, "seq_axis": 1}, None),
    ("reverse the rows of columns", "ReverseSequence", X, [[1, 3, 2, 3]], {"batch_axis": 2, "seq_axis": 1},
     np.stack([X[:, [0, 1, 2], 0], X[:, [2, 1, 0], 1], X[:, [1, 0, 2], 2], X[:, [2, 1, 0], 3]], 2)),
    ("roll by more shifts than axes", "Roll", X, [[1, 2], [0]], {}, None),
    ("an order of one axis twice", "Transpose", X, [[0, 1, 1]], {}, None),
    ("fewer lengths than batches", "ReverseSequence", X, [[1]], {"seq_axis": 1, "batch_axis": 0}, None),
    ("lengths that do not add up", "VariadicSplit", X, [-1, [1, 2]], {}, [None] * 2),
    ("roll by a list along a scalar", "Roll", X, [[1], 0], {}, None),
    ("roll by a scalar along a list", "Roll", X, [1, [0, 2]], {}, np.roll(X, 1, [0, 2])),
    ("roll", "Roll", X, [[1, -2], [0, 2]], {}, np.roll(X, [1, -2], [0, 2])),
    ("convert", "Convert", X, [], {"destination_type": "i32"}, X.astype("i4")),
    ("convert to f8", "Convert", X, [], {"destination_type": "f8e4m3"}, None),
    ("floor of integers", "Floor", X.astype("i4"), [], {}, X.astype("i4")),
    ("ceiling of integers", "Ceiling", X.astype("u1"), [], {}, X.astype("u1")),
    ("not of booleans", "LogicalNot", X > 9, [], {}, X <= 9),
    ("not of integers", "LogicalNot", X.astype("i8") % 3, [], {}, (X % 3 == 0).astype("i8")),
    ("not of floats", "LogicalNot", X % 3, [], {}, (X % 3 == 0).astype("f4")),
    ("relu", "ReLU", X - 9, [], {}, np.maximum(X - 9, 0)),
    ("elu", "Elu", X - 9, [], {"alpha": "2"}, None),
    ("softmax", "SoftMax", X, [], {"axis": -1}, np.exp(X) / np.exp(X).sum(-1, keepdims=True)),
    ("cumsum", "CumSum", X, [0], {}, None),
    ("squeeze by no axes", "Squeeze", X[:1, :, :1], [np.zeros(0, "i8")], {}, X[0, :, 0]),
    ("reshape without special_zero", "Reshape", X, [[6, 4]], {}, None),
    ("concat of one", "Concat", X, [], {"axis": 0}, X),
    ("concat without an axis", "Concat", X, [], {}, None),
    ("concat along a word", "Concat", X, [], {"axis": "x"}, None),
    ("add of unlike shapes", "Add", X, [[1, 2, 3, 4]], {"auto_broadcast": "pdpd"}, None),
    ("split along two axes", "Split", X, [[1, 2]], {"num_splits": 2}, [None] * 2),
    ("split past the axes", "Split", X, [5], {"num_splits": 2}, [None] * 2),
    ("split before the axes", "Split", X, [-5], {"num_splits": 2}, [None] * 2),
    ("split in no parts", "Split", X, [2], {}, [None] * 2),
    ("split in a word", "Split", X, [2], {"num_splits": "x"}, [None] * 2),
    ("split in 0", "Split", X, [2], {"num_splits": 0}, [None] * 2),
    ("split in 4, with 2 outputs", "Split", X, [2], {"num_splits": 4}, [None] * 2),
    ("split into lengths", "VariadicSplit", X, [-1, [1, 3]], {}, [X[..., :1], X[..., 1:]]),
    ("two lengths of -1", "VariadicSplit", X, [-1, [-1, -1]], {}, [None] * 2),
    ("a length of -2", "VariadicSplit", X, [-1, [-2, 6]], {}, [None] * 2),
    ("too long", "VariadicSplit", X, [-1, [5, -1]], {}, [None] * 2),
    ("too long twice", "VariadicSplit", X, [-1, [5, 5, -1]], {}, [None] * 3),
    ("rest of an unknown size", "VariadicSplit", X, [-1, [1, -1]], {"open": 1}, [X[..., :1], X[..., 1:]]),
    ("too long for any size", "VariadicSplit", X, [-1, [2**62, 2**62, -1]], {"open": 1}, [None] * 3),
    ("lengths along two axes", "VariadicSplit", X, [[0, 1], [1, 3]], {}, [None] * 2),
    ("gather before opset 8", "Gather", X, [[1], 1], {"opset": 7}, X[:, [1]]),
    ("gather below 0 before opset 8", "Gather", X, [[-1], 1], {"opset": 7}, None),
    ("gather along two axes", "Gather", X, [[1], [0, 1]], {}, None),
    ("gather in a word", "Gather", X, [[1], 1], {"batch_dims": "x"}, None),
    ("gather elements", "GatherElements", X, [[[[0, 2, 1, 0]], [[1, 1, 0, 2]]]], {"axis": 1},
     np.take_along_axis(X, np.array([[[0, 2, 1, 0]], [[1, 1, 0, 2]]]), 1)),
    ("gather elements without an axis", "GatherElements", X, [[[[0]]]], {}, None),
    ("gather elements along a word", "GatherElements", X, [[[[0]]]], {"axis": "x"}, None),
    ("gather nd", "GatherND", X, [[[0, 1], [1, 2]]], {}, X[[0, 1], [1, 2]]),
    ("gather nd in batches", "GatherND", X, [[[1], [2]]], {"batch_dims": 1}, X[[0, 1], [1, 2]]),
    ("gather nd of unknown sizes", "GatherND", X, [[[0, 1], [-1, 2]]], {"open": 1}, X[[0, 1], [1, 2]]),
    ("gather elements of unknown sizes", "GatherElements", X, [[[[0, 2, -1, 0]], [[1, 1, 0, 2]]]], {"axis": 1, "open": 1},
     np.take_along_axis(X, np.array([[[0, 2, -1, 0]], [[1, 1, 0, 2]]]), 1)),
    ("gather nd in two before opset 8", "GatherND", X, [[[[1]]]], {"batch_dims": 2, "opset": 5}, None),
    ("gather nd in a word", "GatherND", X, [[[1]]], {"batch_dims": "x"}, None),
    ("pad without a mode", "Pad", X, [[0, 0, 0], [0, 0, 0]], {}, None),
    ("broadcast to a lower rank", "Broadcast", X, [[3, 4]], {"mode": "numpy"}, None),
    ("broadcast in another way", "Broadcast", X, [[2, 3, 4]], {"mode": "pdpd"}, None),
    ("broadcast an unknown size", "Broadcast", X, [[2, 3, 1]], {"mode": "numpy", "open": 1}, None),
    ("broadcast an unknown size of 1", "Broadcast", X[..., :1], [[2, 3, 1]], {"mode": "numpy", "open": 1}, X[..., :1]),
    ("explicit, as it is", "Broadcast", X[0], [[3, 4], [0, 1]], {"mode": "explicit"}, X[0]),
    ("explicit, backwards", "Broadcast", X[0], [[4, 3], [1, 0]], {"mode": "explicit"}, None),
    ("explicit, to less", "Broadcast", X[0], [[2, 5, 4], [0, 2]], {"mode": "explicit"}, None),
    ("explicit, an unknown size", "Broadcast", X[0], [[1, 5, 4], [0, 2]], {"mode": "explicit", "open": 1}, None),
    ("blocks in no order", "DepthToSpace", SQUARE, [], {"block_size": 2}, None),
    ("blocks of a word", "SpaceToDepth", SQUARE, [], {"block_size": "x", "mode": "depth_first"}, None),
    ("reverse along the last axes", "ReverseSequence", X, [[2, 3]], {"batch_axis": -3, "seq_axis": -2},
     np.stack([X[0][[1, 0, 2]], X[1][::-1]])),
    ("reverse batches of a word", "ReverseSequence", X, [[2, 3]], {"batch_axis": "x"}, None),
    ("reverse along a word", "ReverseSequence", X, [[2, 3]], {"seq_axis": "x"}, None),
    ("convert to nothing", "Convert", X, [], {}, None),
    ("convert to f4", "Convert", X, [], {"destination_type": "f4e2m1"}, None),
    ("convert to F8", "Convert", X, [], {"destination_type": "F8E5M2"}, None),
    ("shape of another type", "ShapeOf", X, [], {"output_type": "u8"}, None),
    ("sum without axes", "ReduceSum", X, [np.zeros(0, "i8")], {}, None),
    ("sum", "ReduceSum", X, [[0]], {"keep_dims": "true"}, None),
    ("product of matrices", "MatMul", X, [[[1], [2], [3], [4]]], {}, None),
    ("product of a transposed one", "MatMul", X, [[[1], [2], [3]]], {"transpose_a": "true"}, None),
    ("product by a transposed one", "MatMul", X, [[[1, 2, 3, 4]]], {"transpose_b": "1"}, None),
    ("convolution", "Convolution", SQUARE, [[[[[1]], [[2]], [[3]], [[4]]]]],
     {"strides": "1,1", "pads_begin": "0,0", "pads_end": "0,0", "dilations": "1,1"}, None),
    ("convolution without strides", "Convolution", SQUARE, [[[[[1]], [[2]], [[3]], [[4]]]]], {}, None),
    ("gelu", "Gelu", X / 24, [], {"approximation_mode": "ERF"}, gelu(X / 24)),
    ("gelu in lower case", "Gelu", X / 24, [], {"approximation_mode": "erf"}, gelu(X / 24)),
    ("gelu by tanh", "Gelu", X, [], {"approximation_mode": "TANH"}, None),
    ("swish", "Swish", X / 24, [], {}, X / 24 / (1 + np.exp(-X / 24))),
    ("swish with a beta", "Swish", X, [2], {}, None),
    ("elu of no number", "Elu", X, [], {"alpha": "x"}, None),
    ("softmax along a word", "SoftMax", X, [], {"axis": "x"}, None),
    ("strides of 1", "StridedSlice", X, [[0, 1], [1, 3]], masks("0,0", "0,0"), X[0:1, 1:3]),
    ("shrink", "StridedSlice", X, [[1, 0], [0, 0], [1, 1]], masks("0,1", "0,1", shrink="1,0"), X[1]),
    ("new axis", "StridedSlice", X, [[0], [0], [1]], masks(new="1"), X[None]),
    ("nothing sliced", "StridedSlice", X, [[0], [0], [1]], masks("1", "1"), X),
    ("masks of more indices", "StridedSlice", X, [[1], [0], [1]], masks("0,1", "1,1,1"), X[1:]),
    ("pads of fewer axes than the data", "Pad", X, [[1], [1]], {"pad_mode": "constant"}, None),
    ("an entry past the end", "StridedSlice", X, [[2], [3], [1]], masks(shrink="1"), None),
    ("an entry before the start", "StridedSlice", X, [[0, -4], [1, -3], [1, 1]], masks(shrink="0,1"), None),
    ("a mapping past the target", "Broadcast", X[0, 0], [[4, 3], [2]], {"mode": "explicit"}, None),
    ("scatter against the order of an open axis", "ScatterUpdate", X, [[1, 0], X, 0], {"open": True}, None),
    ("words in capitals", "Reshape", X, [[0, -1]], {"special_zero": "TRUE"}, X.reshape(2, 12)),
    ("a mode in capitals", "DepthToSpace", SQUARE, [], {"block_size": 2, "mode": "DEPTH_FIRST"}, depths(SQUARE)),
    ("pads in capitals", "Pad", X, [[0, 0, 1], [0, 0, 1]], {"pad_mode": "Edge"}, np.pad(X, [(0, 0), (0, 0), (1, 1)], "edge")),
    ("neither true nor false", "Reshape", X, [[0, -1]], {"special_zero": "maybe"}, None),
    ("no letters for a boolean", "Reshape", X, [[6, 4]], {"special_zero": ""}, None),
    ("a number for a boolean", "ReduceMax", X, [[1]], {"keep_dims": "2"}, None),
    ("three inputs", "Reshape", X, [[6, 4], [1]], {"special_zero": "true"}, None),
    ("two outputs", "Reshape", X, [[6, 4]], {"special_zero": "true"}, [None] * 2),
    ("three lengths, two outputs", "VariadicSplit", X, [-1, [1, 1, 2]], {}, [None] * 2),
    ("a mask of 2", "StridedSlice", X, [[0, 1], [1, 3], [1, 1]], masks(begin="0,2"), None),
    ("operands of two shapes", "Add", X, [[1]], {"auto_broadcast": "none"}, None),
    ("fewer strides", "StridedSlice", X, [[0, 1], [1, 3], [1]], masks(), None),
    ("fewer ends", "StridedSlice", X, [[0, 1], [1], [1, 1]], masks(), None),
    ("a word for begin_mask", "StridedSlice", X, [[0], [1], [1]], masks("x"), None),
    ("a word for end_mask", "StridedSlice", X, [[0], [1], [1]], masks(end="x"), None),
    ("a word for new_axis_mask", "StridedSlice", X, [[0], [1], [1]], masks(new="x"), None),
    ("a word for shrink_axis_mask", "StridedSlice", X, [[0], [1], [1]], masks(shrink="x"), None),
    ("a word for ellipsis_mask", "StridedSlice", X, [[0], [1], [1]], masks(ellipsis="x"), None),
    ("two masks of one index", "StridedSlice", X, [[0], [1], [1]], masks(new="1", shrink="1"), X[None]),
    ("three masks of one index", "StridedSlice", X, [[0, 1], [1, 2], [1, 1]], masks(new="1,0", shrink="1,0", ellipsis="1,0"), X[..., 1:2]),
    ("more indices than axes", "StridedSlice", X, [[0] * 4, [1] * 4, [1] * 4], masks(), None),
    ("no bounds", "StridedSlice", X, [], masks(), None),
    ("no ends", "StridedSlice", X, [[0]], masks(), None),
    ("begin_mask of a shrunk axis", "StridedSlice", X, [[1], [2], [1]], masks("1", shrink="1"), X[0]),
    ("a stride of 0", "StridedSlice", X, [[0], [1], [0]], masks(), None),
]


def model(kind, x, others, attributes, expected, path="layer"):
    """`x` and others are arrays, which others than x are constants of; or (type, sizes) of an input."""
    ir = Ir()
    several = isinstance(expected, list)
    outputs = [[] if e is None else list(e.shape) for e in (expected if several else [expected])]
    first = next((e for e in (expected if several else [expected]) if e is not None), x)
    dtype = NAMES[first.dtype.str[1:]]
    attributes = dict(attributes)
    opset, is_open = attributes.pop("opset", 8), attributes.pop("open", False)
    dims = [-1] * x.ndim if is_open else list(x.shape)
    inputs = [ir.parameter("x", dims, NAMES[x.dtype.str[1:]])]
    for i, other in enumerate(others):
        if isinstance(other, tuple):
            inputs.append(ir.parameter(f"i{i}", other[1], other[0]))
        else:
            inputs.append(ir.const(other, getattr(other, "dtype", np.dtype("i8")).str[1:]))
    y = ir.layer(kind, inputs, outputs, dtype, "y", f"opset{opset}", **attributes)
    for value in y if several else [y]:
        ir.result(value)
    ir.write(path)


# The order of a Transpose and the axes of a Roll as inputs of the model.
def inputs_model(kind, x, lists, rank):
    ir = Ir()
    inputs = [ir.parameter("x", list(x.shape))] + [ir.parameter(n, [len(v)], "i64") for n, v in lists.items()]
    ir.result(ir.layer(kind, inputs, [[-1] * rank], "f32", "y", "opset7"))
    ir.write("layer")


def main():
    for kind, lists, expected in (
        ("Transpose", {"order": [2, 0, 1]}, X.transpose(2, 0, 1)),
        ("Roll", {"shifts": [1, -2], "axes": [0, -1]}, np.roll(X, [1, -2], [0, -1])),
        ("StridedSlice", {"begin": [0, 1, 0], "end": [2, 3, 4], "strides": [1, 1, 2]}, X[0:2, 1:3, ::2]),
        ("Tile", {"repeats": [2, 1, 3]}, np.tile(X, [2, 1, 3])),
        ("Unsqueeze", {"axes": [1]}, X[:, None]),
    ):
        inputs_model(kind, X, lists, expected.ndim)
        np.save("x.npy", X)
        for n, v in lists.items():
            np.save(f"{n}.npy", np.array(v, "i8"))
        files = [f"{n}={n}.npy" for n in lists]
        command = [sys.argv[1], "run", "layer.xml", "x=x.npy", "y=y.npy"] + files
        done = subprocess.run(command, capture_output=True, text=True)
        equal = done.returncode == 0 and np.array_equal(np.load("y.npy"), expected)
        print(f"{kind} by inputs: {'equal' if equal else done.stderr.strip() or 'differs'}")

    for name, kind, x, others, attributes, expected in CASES:
        model(kind, x, others, attributes, expected)
        np.save("x.npy", x)
        several = isinstance(expected, list)
        files = [f"y.{i}=y{i}.npy" for i in range(len(expected))] if several else ["y=y0.npy"]
        done = subprocess.run([sys.argv[1], "run", "layer.xml", "x=x.npy"] + files, capture_output=True, text=True)
        if done.returncode == 0:
            for i, wanted in enumerate(expected if several else [expected]):
                got = np.load(f"y{i}.npy")
                assert got.dtype == wanted.dtype, name
                np.testing.assert_allclose(got, wanted, rtol=1e-6)
        print(f"{name}:", done.stderr.strip().split("\n")[0] or "equal")


if __name__ == "__main__":
    main()
