# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shrinks a failing graph as long as it fails in the same way.

All ways to shrink it by one step are tried in batches, smallest first; the first that still fails is shrunk further.
"""

import re

from generator import prune
from graphs import PLAIN_TEXT, names_in

MOST_ROUNDS = 40
SIMPLE = {"mode", "axes", "steps", "value", "allowzero", "style"}


def kind_of(finding):
    """Returns the kind of a failure, without numbers. Tiers that share code count as one."""
    tier, _, what = finding
    tier = "c" if " c by " in " " + tier else tier.split()[0]
    if found := re.search(r"status(?: of \w+:)? (\w+), not (\w+)", what) or re.match(r"(\w+), not (\w+)\n", what):
        return tier, "status", found[1], found[2]
    if tier == "huge":
        return tier, *sorted(set(re.findall(r"': '(\w+)'", what)))
    if tier == "compiler":
        return tier, what[:40]
    return tier, "sizes" if what.startswith("sizes") else "bytes"


def weight(graph, symbols):
    """Returns how large a graph looks to a reader."""
    text = repr([(c.op, c.args, c.attrs) for c in graph.calls])
    dims = [d for i in graph.inputs for d in i.dims]
    return (
        100 * len(graph.calls)
        + 60 * len(graph.inputs)
        + 60 * len(graph.outputs)
        + 40 * len(graph.facts)
        + 30 * (len(graph.declared) + len(graph.stated) + len(graph.named))
        + len(str(graph.declared) + str(graph.stated) + str(graph.named))
        + 25 * sum(isinstance(d, str) for d in dims)
        + 10 * len(dims)
        + 2 * len(text)
        + sum(min(abs(n), 20) for n in symbols.values())
        + sum(len(str(d)) * 3 for d in dims)
        + sum(i.dtype != "u8" for i in graph.inputs) * 15
        + sum((i.storage is not None) + i.placed for i in graph.inputs) * 30
        + 30 * len(graph.layouts)
        + 100 * len({h for c in graph.calls for h in (c.home[:1], c.home[:2]) if h})
        + sum(c.style for c in graph.calls)
    )


def replace_value(graph, old, new):
    for call in graph.calls:
        call.args = [new if a == old else a for a in call.args]
    graph.outputs = list(dict.fromkeys(new if o == old else o for o in graph.outputs))


def smaller_number(n):
    return sorted({0, 1, n // 2 if n > 0 else -(-n // 2), n - 1 if n > 0 else n + 1} - {n}, key=abs) if n not in (0, 1) else [0][: n]


def smaller_entries(value):
    """Yields simpler values of an argument, each with one entry changed."""
    if isinstance(value, (list, tuple)):
        for i, entry in enumerate(value):
            for less in smaller_entries(entry):
                yield [*value[:i], less, *value[i + 1 :]]
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int):
        yield from smaller_number(value)
        if value < 0:
            yield -value if value > -1000 else 0
    elif isinstance(value, str) and names_in(value):
        yield from names_in(value)[:1] if names_in(value)[0] != value else []
        yield 2
        yield 1


def candidates(graph, symbols):
    """Yields (graph, sizes) that may be one step smaller."""
    for i, call in enumerate(graph.calls):
        for result in call.results:
            for arg in dict.fromkeys(call.args):
                g = graph.copy()
                replace_value(g, result, arg)
                yield g, symbols
        if len(call.args) > 1:
            for k in range(len(call.args)):
                g = graph.copy()
                del g.calls[i].args[k]
                yield g, symbols
            for k in range(1, len(call.args)):
                g = graph.copy()
                g.calls[i].args[k] = g.calls[i].args[0]
                yield g, symbols
        for name, value in call.attrs.items():
            if name in ("axes", "axis", "perm") and name in SIMPLE or name in SIMPLE:
                g = graph.copy()
                del g.calls[i].attrs[name]
                yield g, symbols
            if name in ("dtype", "mode", "pattern", "value", "act"):
                continue
            for less in smaller_entries(value):
                g = graph.copy()
                g.calls[i].attrs[name] = less
                yield g, symbols
        if call.style:
            g = graph.copy()
            g.calls[i].style = 0
            yield g, symbols
    for home in {c.home for c in graph.calls if c.home}:
        for shorter in {"", home[:1]} - {home}:
            g = graph.copy()
            for call in g.calls:
                call.home = shorter if call.home == home else call.home
            yield g, symbols
    for k in range(len(graph.outputs) if len(graph.outputs) > 1 else 0):
        g = graph.copy()
        del g.outputs[k]
        yield g, symbols
    for k in range(len(graph.facts)):
        g = graph.copy()
        del g.facts[k]
        yield g, symbols
    for name in graph.layouts:
        g = graph.copy()
        del g.layouts[name]
        yield g, symbols
    for name in graph.declared:
        g = graph.copy()
        del g.declared[name]
        yield g, symbols
    for name in graph.named:
        g = graph.copy()
        del g.named[name]
        yield g, symbols
    for name, kind in graph.stated.items():
        g = graph.copy()
        del g.stated[name]
        yield g, symbols
    for field in ("declared", "stated", "named"):
        for name, kind in getattr(graph, field).items():
            for part in re.findall(r"(?<=[\[ ])[^?\],][^\],]*(?=[\],])", kind):
                g = graph.copy()
                getattr(g, field)[name] = kind.replace(part, "?", 1)
                yield g, symbols
    for k, each in enumerate(graph.inputs):
        if each.holds:
            continue
        if each.placed or each.storage:
            g = graph.copy()
            g.inputs[k].placed, g.inputs[k].storage = False, None
            yield g, symbols
        if each.dtype != "u8":
            g = graph.copy()
            for other in g.inputs:
                other.dtype = "u8" if not other.holds and not other.picks else other.dtype
            yield g, symbols
        if each.name == "s0":
            g = graph.copy()
            del g.inputs[k]
            yield g, symbols
        for i, d in enumerate(each.dims):
            for less in smaller_entries(d):
                g = graph.copy()
                g.inputs[k].dims[i] = less
                yield g, symbols
        for i in range(len(each.dims)):
            g = graph.copy()
            for other in g.inputs:  # remove axis i everywhere
                if len(other.dims) == len(each.dims) and other.name != "s0":
                    del other.dims[i]
            for call in g.calls:
                less_axes(call, i)
            yield g, symbols
    for name, n in symbols.items():
        for less in smaller_number(n) if n < 1000 else []:
            yield graph.copy(), {**symbols, name: less}


def less_axes(call, i):
    """Adapts the arguments that name or count axes when axis i is removed."""
    for name in ("repeats", "perm", "shape", "at"):
        value = call.attrs.get(name)
        if isinstance(value, list) and len(value) > i:
            value = value[:i] + value[i + 1 :]
            call.attrs[name] = [v - 1 if isinstance(v, int) and v > i else v for v in value] if name == "perm" else value
    for name in ("axis", "axes"):
        value = call.attrs.get(name)
        if isinstance(value, int) and value > 0:
            call.attrs[name] = value - 1
        if isinstance(value, list):
            call.attrs[name] = [v - 1 if isinstance(v, int) and v > i else v for v in value]


def entries_of(value):
    if isinstance(value, (list, tuple)):
        return [e for v in value for e in entries_of(v)]
    return names_in(value)


def is_whole(graph):
    """Whether every name that the graph uses is a symbol or an input of it."""
    known = {*graph.symbols(), *(i.name for i in graph.inputs)}
    given = [i.dims for i in graph.inputs] + [i.holds or [] for i in graph.inputs] + [f.split() for f in graph.facts]
    given += [v for c in graph.calls for k, v in c.attrs.items() if k not in PLAIN_TEXT]
    given += [re.findall(r"\[.*\]", kind) for kind in [*graph.declared.values(), *graph.named.values()]]
    known |= {n for kind in graph.types.values() for n in names_in(kind)}
    given += [re.findall(r"\[.*\]", kind) for kind in graph.stated.values()]
    names = set(entries_of(given)) - {"in"}
    return bool(graph.calls and graph.outputs) and names <= known


def shrink(net, case):
    """Returns the smallest case found that fails like one finding of this case."""
    finding = min(case.findings, key=lambda f: ("symbolic dynamic static c tasks".split() + [f[0]]).index(f[0]) if f[0] in "symbolic dynamic static c tasks".split() else 9)
    kind, best = kind_of(finding), case
    symbols = finding[1] or (case.wants[0].symbols if case.wants else {})
    case.findings = [finding]
    for _ in range(MOST_ROUNDS):
        have, tried, seen = weight(best.graph, symbols), [], set()
        for g, sizes in candidates(best.graph, symbols):
            try:
                prune(g)
            except (TypeError, KeyError):
                continue
            if not is_whole(g) or any(o in {i.name for i in g.inputs} for o in g.outputs):
                continue
            key = repr((g.inputs, g.calls, g.outputs, g.facts, g.declared, g.stated, g.named, sizes))
            if key in seen or weight(g, sizes) >= have:
                continue
            seen.add(key)
            tried.append((weight(g, sizes), len(tried), g, sizes))
        tried.sort(key=lambda t: t[:2])
        found = None
        for first in range(0, len(tried), 40):
            cases = []
            for w, k, g, sizes in tried[first : first + 40]:
                try:
                    known = {s: sizes[s] for s in g.symbols()}
                    cases.append(net.case(len(cases), g, case.seed, known, kind[0] == "huge"))
                except (ValueError, TypeError, IndexError, KeyError, AttributeError, NameError, SyntaxError, AssertionError, StopIteration):
                    continue
            net.run_again(cases, kind[0])
            found = next((c for c in cases if any(kind_of(f) == kind for f in c.findings)), None)
            if found:
                break
        if not found:
            break
        found.findings = [f for f in found.findings if kind_of(f) == kind]
        best = found
        symbols = found.findings[0][1] or (found.wants[0].symbols if found.wants else {})
    return best
