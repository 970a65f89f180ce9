# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the JSON of explain-json.test with its meaning, except for the words of `why`."""

import json
import sys

EXPECTED = {
    ("chw", "y"): ("u8", [3, 28, 28], "static", ["x"], 0, 1, [[3, 1], [784, 3]], 2352),
    ("tail", "y"): ("i32", [3, 2], "alias", ["x"], 2, 1, [[6, 1]], 0),
    ("both", "joined"): ("i16", [3, 2], "static", ["a", "b"], 0, 2, None, 12),
    ("both", "flat"): ("i16", [4], "alias", ["a"], 0, 1, [[4, 1]], 0),
    ("one", "y"): ("f64", [], "alias", ["x"], 1, 1, [[1, 1]], 0),
    ("none", "y"): ("f64", [3, 0], "alias", [], 0, 0, None, 0),
    ("flipped", "y"): ("u8", [3], "static", ["x"], 2, 1, [[3, -1]], 3),
}

# For results with several moves: the source and offset of each, and its loops of an extent and two strides, in the
# result and in the source.
NESTS = {
    ("both", "joined"): [{"source": "a", "from": 0, "to": 0, "loops": [[4, 1, 1]]},
                         {"source": "b", "from": 0, "to": 4, "loops": [[2, 1, 1]]}],
}

with open(sys.argv[1], encoding="utf-8") as file:
    root = json.load(file)
assert list(root) == ["graphs"], list(root)
found = {}
for graph in root["graphs"]:
    assert list(graph) == ["name", "symbols", "guards", "machine", "outputs"], graph
    assert list(graph["machine"]) == ["name", "l1", "l2", "last"], graph
    assert graph["symbols"] == [] and graph["guards"] == [], graph
    for o in graph["outputs"]:
        assert set(o) - {"nest", "nests"} == {"name", "dtype", "dims", "tier", "sources", "offset", "moves", "bytes_moved",
                                     "cost", "why"}, o
        written = sum(cost["bytes_written"] for cost in o["cost"])
        assert written == o["bytes_moved"], o
        assert isinstance(o["why"], str) and o["why"], o
        assert o.get("nests") == NESTS.get((graph["name"], o["name"])), o
        found[graph["name"], o["name"]] = (o["dtype"], o["dims"], o["tier"], o["sources"], o["offset"], o["moves"],
                                           o.get("nest"), o["bytes_moved"])
for key in EXPECTED.keys() | found.keys():
    assert found.get(key) == EXPECTED.get(key), f"{key}: {found.get(key)}, not {EXPECTED.get(key)}"
