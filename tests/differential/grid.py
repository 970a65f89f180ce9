#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every operator at every combination of small sizes, in every tier, and compares it with numpy.

    grid.py --reshapec build/reshapec --work /tmp/grid --seed 1 --each 2

The calls come from the generator of net.py: for each operator of the table, the first calls whose operands are all
inputs, with one to three open sizes. Each call becomes a graph, which is called with all combinations of the sizes 0,
1, 2, 3, 4 and 6. net.py describes the tiers and the comparison.
"""

import itertools
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from net import Case, Net, parser_of  # noqa: E402
from generator import make_alone  # noqa: E402

SIZES = (0, 1, 2, 3, 4, 6)
MOST_SYMBOLS = 3
MOST_TRIED = 5000  # random graphs per operator


def calls_alone(graph):
    """Yields each call whose operands are all inputs as a graph, if it has 1 to MOST_SYMBOLS symbols."""
    inputs = {i.name for i in graph.inputs}
    for call in graph.calls:
        g = graph.copy()
        g.calls = [call]
        g.outputs = [r for r in call.results if not r.startswith("_")]
        g.declared, g.layouts, g.named = {}, {}, {}
        g.inplace = {o: i for o, i in g.inplace.items() if o in g.outputs and i in call.args}
        for each in g.inputs:
            each.placed = False
        if g.outputs and call.args and set(call.args) <= inputs and 1 <= len(g.symbols()) <= MOST_SYMBOLS:
            yield g


def chosen(table, seed, each):
    """Returns (number, graph, seed) for `each` calls of every operator, and the operators with fewer calls."""
    found, missing = [], []
    for op in table:
        made = (make_alone(table, seed, op, n) for n in range(MOST_TRIED))
        alone = ((g, of) for graph, of in filter(None, made) for g in calls_alone(graph) if g.calls[0].op == op)
        some = list(itertools.islice(alone, each))
        found += [(len(found) + k, *pair) for k, pair in enumerate(some)]
        missing += [op] * (len(some) < each)
    return found, missing


def main():
    parser = parser_of(__doc__, compilers="gcc", batch=60, statics=3)
    parser.add_argument("--each", type=int, default=1, help="calls of each operator")
    parser.add_argument("--print", action="store_true", help="only print the calls")
    options = parser.parse_args()
    net = Net(options)
    graphs, missing = chosen(net.table, options.seed, options.each)
    for op in missing:
        print(f"operator '{op}': fewer calls were found")
    if options.print:
        print("".join(g.text(f"g{n}", net.table) for n, g, _ in graphs), end="")
        return 1 if missing else 0
    for first in range(0, len(graphs), options.batch):
        cases = []
        for n, graph, seed in graphs[first : first + options.batch]:
            symbols = graph.symbols()
            grid = [dict(zip(symbols, sizes)) for sizes in itertools.product(SIZES, repeat=len(symbols))]
            cases.append(Case(n, graph, seed, grid))
        net.run(cases)
        for case in cases:
            net.counts["graphs"] += 1
            net.counts["calls"] += len(case.wants)
            net.counts["accepted"] += sum(w.status == "ok" for w in case.wants)
            if case.refused and any(w.status == "ok" and w.kind == "ok" for w in case.wants):
                net.counts["refused"] += 1
                print(f"refused: {case.refused['kind']}: {case.refused['message']}\n{case.texts['symbolic']}")
            if case.findings:
                net.tell(case)
    c = net.counts
    print(f"{c['graphs']} calls, {c['calls']} bindings, {c['accepted']} accepted, {c['refused']} refused, "
          f"{c['wrong']} wrong")
    print("seconds:", ", ".join(f"{k} {v:.1f}" for k, v in net.seconds.most_common()))
    return 1 if c["wrong"] or c["refused"] or missing else 0


if __name__ == "__main__":
    sys.exit(main())
