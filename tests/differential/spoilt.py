# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts one error into the text of a graph, and says which kinds of error may report it."""

from graphs import Call, Input

PATTERNS = ["a a -> a", "... ... -> ...", "(a b -> a b", "a b... -> a b", "a b -> a", "a -> (a (b c))", "a b = -> a b", "a b -> c d",
            "... -> a", "a (b + b...) -> a", "a b c d e f g h i j -> a", "a + b -> a", "a-b -> a", "a b", ""]
# For an input with the size 6 and an open size: these errors are found once the axes are known.
OF_TWO_AXES = [
    ("bad_pattern", "a b -> a ... b"),
    ("bad_pattern", "6 b -> b"),
    ("bad_pattern", "6 b -> b 6 6"),
    ("bad_pattern", "a b -> (a + b)"),
    ("bad_pattern", "a b -> (a + a) b"),
    ("bad_pattern", "a b -> a, b"),
    ("bad_pattern", "(a + c) b -> a b"),
    ("bad_pattern", "(3 + c) b -> 3 b"),
    ("bad_pattern", "(3 + c) b -> (c + 3) b, c b"),
    ("bad_pattern", "a b -> a b c"),
    ("rank_limit", "a b -> a " + "1 " * 16 + "b"),
    ("overflow", "a b -> a (9223372036854775807 3) b"),
    ("rank_limit", "a b -> (a " + "2 " * 16 + "b)"),
    ("overflow bad_pattern", "(3 9223372036854775807 + b) a -> a b"),
    ("limit", "a b -> (" + "a + " * 16 + "a) (" + "b + " * 16 + "b)"),
]
TOO_MANY = ", ".join(["1"] * 17)
TO_128 = "*".join(["Q_1"] * 128)
PAST = "9223372036854775807"


def dims(graph, more):
    """Appends sizes to those of the last input."""
    each = graph.inputs[-1]
    each.dims, each.storage, each.placed, each.holds = [*each.dims, more], None, False, None


def two_sizes(graph, more):
    """Adds an input of sizes Q_1 and Q_2, and to the last input a size that is computed from them."""
    dims(graph, more)
    graph.inputs.insert(0, Input("q0", "u8", ["Q_1", "Q_2"]))


def condition(graph, text):
    graph.facts = [*graph.facts, text]


def declare(graph, text):
    graph.declared, graph.layouts = {graph.outputs[0]: text}, {}


def another_result(graph, text):
    """Adds a result of type u8[6], declared as `text`."""
    graph.inputs.append(Input("p0", "u8", [6]))
    graph.calls.append(Call("flip", ["p0"], {"axes": [0]}, ["r_"]))
    graph.outputs, graph.declared = [*graph.outputs, "r_"], {**graph.declared, "r_": text}


def first_size(graph):
    return next((s for s in graph.symbols() if s.isupper()), "4")


# Kinds of error, and a change of a graph that causes one of them. The name Q is not declared.
SPOILT = [
    ("unknown_type", lambda g: setattr(g.inputs[-1], "dtype", "u9")),
    ("unknown_name", lambda g: dims(g, "Q + 1")),
    ("unknown_name", lambda g: dims(g, "Q + 1, Q + 2")),
    ("unknown_name", lambda g: dims(g, "1 + Q")),
    ("unknown_name", lambda g: dims(g, "-Q")),
    ("bad_arg", lambda g: dims(g, "3 & 2")),
    ("bad_arg", lambda g: dims(g, "None")),
    ("bad_arg", lambda g: dims(g, "2, *")),
    ("bad_arg", lambda g: dims(g, "1.5")),
    ("bad_arg", lambda g: dims(g, "[1]")),
    ("bad_arg", lambda g: dims(g, g.inputs[0].name + " + 1")),
    ("rank_limit", lambda g: dims(g, TOO_MANY)),
    ("overflow", lambda g: dims(g, f"{PAST}, 3")),
    ("overflow", lambda g: dims(g, f"{PAST} + 1")),
    ("overflow", lambda g: dims(g, f"{PAST}*2")),
    ("overflow", lambda g: dims(g, f"0 - {PAST} - 2")),
    ("overflow", lambda g: dims(g, f"-(0 - {PAST} - 1)")),
    ("overflow", lambda g: two_sizes(g, f"{PAST}*Q_1*2")),
    ("overflow", lambda g: two_sizes(g, f"{PAST}*Q_1 + Q_1")),
    ("overflow", lambda g: two_sizes(g, f"-{PAST}*Q_1 - 2*Q_1")),
    ("overflow", lambda g: two_sizes(g, "(Q_1 + 4294967296*Q_2)*(Q_1 + 4294967296*Q_2)")),
    ("overflow", lambda g: two_sizes(g, "(4294967296*Q_1 + 4294967296*Q_2)*(4294967296*Q_1 + 3)")),
    ("overflow", lambda g: two_sizes(g, f"({TO_128} + 1)*({TO_128} + Q_2)")),
    ("bad_dim", lambda g: dims(g, "3 - 4")),
    ("bad_dim", lambda g: dims(g, "-1")),
    ("not_divisible", lambda g: dims(g, "7/2")),
    ("not_divisible", lambda g: two_sizes(g, "(Q_1 + Q_2)/2")),
    ("not_divisible", lambda g: two_sizes(g, "(Q_1*Q_1 + Q_2)/(Q_1 + 1)")),
    ("not_divisible", lambda g: dims(g, "7//0")),
    ("not_divisible", lambda g: dims(g, "7 % (3 - 3)")),
    ("overflow", lambda g: dims(g, f"(0 - {PAST} - 1)//(0 - 1)")),
    ("unsupported", lambda g: condition(g, f"4 % ({first_size(g)} + 1) == 5 % ({first_size(g)} + 1)")),
    ("bad_arg", lambda g: condition(g, f"{first_size(g)} % 0 == 0")),
    ("bad_arg", lambda g: condition(g, f"{first_size(g)} % (2 - 3) == 0")),
    ("bad_arg guard_failed", lambda g: condition(g, f"1009 in [{first_size(g)}]")),  # a condition may fix a size
    ("unsupported guard_failed", lambda g: condition(g, f"{first_size(g)}//(1 - 3) == 1")),
    ("unknown_name", lambda g: condition(g, "3 in [Q]")),
    ("unknown_name", lambda g: condition(g, "Q >= 1")),
    ("unknown_name", lambda g: condition(g, "1 <= Q")),
    ("bad_arg", lambda g: condition(g, g.inputs[0].name + " >= 1")),
    ("guard_failed", lambda g: condition(g, f"{first_size(g)} < 0")),
    ("guard_failed", lambda g: condition(g, "4 in [3, 5]")),
    ("overflow", lambda g: condition(g, f"{first_size(g)} + {PAST} + {PAST} >= 0")),
    ("limit", lambda g: [g.inputs.append(Input(f"m{k}", "u8", [f"M{k}_{i}" for i in range(9)])) for k in range(4)]),
    ("unsupported", lambda g: two_sizes(g, "(Q_1 - Q_2)//Q_2")),
    ("unknown_name", lambda g: condition(g, "Q % 2 == 0")),
    ("unknown_name", lambda g: condition(g, "4 % Q == 0")),
    ("type_mismatch shape_mismatch", lambda g: declare(g, "u8[7, 1, 9, 1, 9, 1, 11]")),
    ("type_mismatch shape_mismatch", lambda g: declare(g, "u8[1009]")),
    ("type_mismatch shape_mismatch unknown_name", lambda g: declare(g, "u8[Q + 1]")),
    ("shape_mismatch", lambda g: another_result(g, "u8[7]")),
    ("shape_mismatch", lambda g: another_result(g, "u8[?, 6]")),
    ("overflow", lambda g: another_result(g, f"u8[{PAST}*2]")),
    ("type_mismatch", lambda g: another_result(g, "i8[*]")),
    ("type_mismatch", lambda g: declare(g, "i2")),
    ("unknown_type", lambda g: declare(g, "f33[*]")),
]


def spoil(graph, dice):
    """Returns a graph that must be refused, and the kinds of error that may report it; None if none applies."""
    kind, change = dice.choice(SPOILT)
    g = graph.copy()
    if dice.random() < 0.03:
        g.inputs.append(Input("p0", "u8", ["*"]))
        g.calls.append(Call("rearrange", ["p0"], {"pattern": "a b -> b a"}, ["_s"]))
        return g, "unsupported"
    if dice.random() < 0.15:
        g.calls.append(Call("rearrange", [dice.choice(g.inputs).name], {"pattern": dice.choice(PATTERNS)}, ["_s"]))
        return g, "bad_pattern"
    if dice.random() < 0.15:
        kind, pattern = dice.choice(OF_TWO_AXES)
        g.inputs.append(Input("p0", "u8", [6, first_size(g)]))
        g.calls.append(Call("rearrange", ["p0"], {"pattern": pattern}, ["_s"]))
        return g, kind
    change(g)
    if g.facts != graph.facts and not first_size(g).isupper():
        return None  # a condition on numbers only has other errors
    if "u8[1009]" in g.declared.values() and (g.symbols() or any(i.holds for i in g.inputs)):
        return None  # an open size, or one given by data, may be 1009
    if g.declared != graph.declared and any(c.op == "squeeze" and not c.attrs.get("axes") for c in g.calls):
        return None  # which axes of open sizes it removes is known only at run time, and so is the rank
    if kind == "type_mismatch" and "i2" in [i.dtype for i in g.inputs] + [c.attrs.get("dtype") for c in g.calls]:
        return None  # the result may be of that type
    return g, kind
