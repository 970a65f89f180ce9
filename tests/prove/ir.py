# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM's textual IR, as clang -O1 writes it of C without floating point: types, constants, functions.

A type is ("i", bits), ("ptr",), ("array", count, type) or ("struct", [types]). An operand is ("local", name), ("global", name),
("int", n), ("null",), ("undef",), ("zero",), ("list", [(type, operand)]), ("bytes", bytes) or ("gep", ...).
"""

import functools
import itertools
import re

TOKEN = re.compile(r'[%@]"[^"]*"|[%@][-\w.$]+|c"[^"]*"|"[^"]*"|-?\d+|[A-Za-z_][\w.]*|[!#]\S*|\S')
LEADING = re.compile(r"^(  )?(?:(%[-\w.$]+) = )?(.*)$")


class Module:
    def __init__(self, text):
        self.types, self.globals, self.functions = {}, {}, {}
        layout = re.search(r'^target datalayout = "(.*)"', text, re.M)[1].split("-")
        self.big_endian = "E" in layout
        self.align = {1: 1, 8: 1, 16: 2, 32: 4, 64: 4, 128: 16}
        self.pointer = 64
        for part in layout:
            if match := re.fullmatch(r"i(\d+):(\d+)(:\d+)?", part):
                self.align[int(match[1])] = int(match[2]) // 8
            if match := re.fullmatch(r"p:(\d+):(\d+).*", part):
                self.pointer = int(match[1])
        lines = iter(text.splitlines())
        for line in lines:
            if match := re.match(r"(%\S+) = type (.*)", line):
                self.types[match[1]] = match[2]
            elif match := re.match(r"(@\S+) = (.*)", line):
                self.globals[match[1]] = match[2]
            elif line.startswith("define "):
                function = Function(self, line, lines)
                self.functions[function.name] = function

    def size(self, t):
        if t[0] == "i":
            return (t[1] + 7) // 8
        if t[0] == "ptr":
            return self.pointer // 8
        if t[0] == "array":
            return t[1] * self.size(t[2])
        end = self.offset(t, len(t[1]))
        align = self.align_of(t)
        return (end + align - 1) // align * align

    def align_of(self, t):
        if t[0] == "i":
            return self.align[max(8, t[1])]
        if t[0] == "ptr":
            return self.pointer // 8
        if t[0] == "array":
            return self.align_of(t[2])
        return max((self.align_of(part) for part in t[1]), default=1)

    def offset(self, t, index):
        """Of part `index` of a struct; of one past the last: their end."""
        at = 0
        for number, part in enumerate(t[1]):
            align = self.align_of(part)
            at = (at + align - 1) // align * align
            if number == index:
                return at
            at += self.size(part)
        return at

    def parts(self, t):
        """(bytes from the beginning, type) of each."""
        if t[0] == "array":
            return [(i * self.size(t[2]), t[2]) for i in range(t[1])]
        return [(self.offset(t, i), part) for i, part in enumerate(t[1])]


class Reader:
    def __init__(self, module, text):
        self.module, self.tokens, self.at = module, TOKEN.findall(text), 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, *words):
        if self.peek() in words:
            return self.next()
        return None

    def expect(self, word):
        if self.next() != word:
            raise SyntaxError(f"expected {word} before {self.tokens[self.at - 1:self.at + 4]}")

    def type(self):
        word = self.next()
        if word == "ptr":
            return ("ptr",)
        if word == "void":
            return ("void",)
        if word == "[":
            count = int(self.next())
            self.expect("x")
            of = self.type()
            self.expect("]")
            return ("array", count, of)
        if word == "<":  # a vector, which here is only loaded and stored
            count = int(self.next())
            self.expect("x")
            of = self.type()
            self.expect(">")
            return ("array", count, of)
        if word == "{":
            parts = []
            while not self.accept("}"):
                parts.append(self.type())
                self.accept(",")
            return ("struct", parts)
        if word[0] == "%":
            return Reader(self.module, self.module.types[word]).type()
        if word in ("float", "double", "half"):  # in functions that nothing calls
            return (word,)
        if re.fullmatch(r"i\d+", word):
            return ("i", int(word[1:]))
        raise SyntaxError(f"a type that is not known: {word}")

    def attributes(self):
        """Those before an operand; gives the type of byval."""
        by_value = None
        while re.match(r"[A-Za-z_]", self.peek()) and self.peek() not in (
            "true", "false", "null", "undef", "poison", "zeroinitializer", "getelementptr", "inttoptr", "c"
        ) and not self.peek().startswith('c"'):  # fmt: skip
            word = self.next()
            if word == "align" and self.peek() != "(":
                self.next()
            elif self.accept("("):
                if word == "byval":
                    by_value = self.type()
                depth = 0 if word == "byval" and self.accept(")") else 1
                while depth:
                    depth += {"(": 1, ")": -1}.get(self.next(), 0)
        return by_value

    def operand(self):
        word = self.next()
        if word[0] == "%":
            return ("local", word)
        if word[0] == "@":
            return ("global", word)
        if re.fullmatch(r"-?\d+", word):
            return ("int", int(word))
        if word in ("true", "false"):
            return ("int", int(word == "true"))
        if word == "null":
            return ("null",)
        if word in ("undef", "poison"):
            return ("undef",)
        if word == "zeroinitializer":
            return ("zero",)
        if word.startswith('c"'):
            return ("bytes", re.sub(rb"\\([0-9A-F]{2})", lambda m: bytes([int(m[1], 16)]), word[2:-1].encode()))
        if word in "[{<":
            parts = []
            while not self.accept("]", "}", ">"):
                of = self.type()
                parts.append((of, self.operand()))
                self.accept(",")
            return ("list", parts)
        if word == "getelementptr":
            self.flags()
            self.expect("(")
            gep = self.gep()
            self.expect(")")
            return gep
        raise SyntaxError(f"an operand that is not known: {word}")

    def flags(self):
        while self.peek() in ("inbounds", "nuw", "nsw", "nusw", "exact", "disjoint", "nneg", "samesign", "volatile", "inrange"):
            self.next()

    def typed(self):
        of = self.type()
        by_value = self.attributes()
        return of, self.operand(), by_value

    def gep(self):
        of = self.type()
        self.expect(",")
        base = self.typed()[1]
        indices = []
        while self.accept(","):
            indices.append(self.typed()[:2])
        return ("gep", of, base, indices)


class Function:
    def __init__(self, module, head, lines):
        match = re.search(r"(@[-\w.$]+)\((.*)\)", head)
        self.name, self.parameters = match[1], []
        reader = Reader(module, match[2].rsplit(")", 0)[0])
        number = 0
        while reader.peek() and reader.peek() != ")":
            of = reader.type()
            by_value = reader.attributes()
            name = reader.next() if reader.peek().startswith("%") else f"%{number}"
            self.parameters.append((name, of, by_value))
            number += 1
            if not reader.accept(","):
                break
        self.module, self.label = module, "%" + str(number)  # of a first block without one
        self.lines = list(itertools.takewhile(lambda line: not line.startswith("}"), lines))

    @functools.cached_property
    def blocks(self):
        """Instructions by label, the first block first; of a function that is called."""
        blocks, label, text, block = {}, self.label, "", None
        for line in self.lines:
            if match := re.match(r'^"?([-\w.$]+)"?:', line):
                label, block = "%" + match[1], None
                continue
            if not line.strip():
                continue
            if block is None:
                block = blocks[label] = []
            if line.startswith("    ") or line.strip() == "]":  # a switch goes on
                text += " " + line.strip()
                if line.strip().startswith("]"):
                    block[-1] = parse(self.module, text)
                continue
            text = line
            block.append(parse(self.module, line) if not line.strip().startswith("switch") else None)
        return blocks


BINARY = ("add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "and", "or", "xor", "shl", "lshr", "ashr")


def parse(module, line):
    """An instruction: (its result or None, name, what it has)."""
    line = re.split(r", ![a-z]", line)[0]
    _, result, rest = LEADING.match(line).groups()
    r = Reader(module, rest.strip())
    name = r.next()
    if name in ("tail", "musttail", "notail"):
        name = r.next()
    if name in BINARY:
        r.flags()
        of = r.type()
        a = r.operand()
        r.expect(",")
        return result, "binary", (name, of, a, r.operand())
    if name == "icmp":
        r.flags()
        kind, of = r.next(), r.type()
        a = r.operand()
        r.expect(",")
        return result, "icmp", (kind, of, a, r.operand())
    if name in ("zext", "sext", "trunc", "ptrtoint", "inttoptr", "freeze"):
        r.flags()
        of = r.type()
        value = r.operand()
        to = r.type() if r.accept("to") else of
        return result, "convert", (name, of, value, to)
    if name == "select":
        condition = r.typed()[1]
        r.expect(",")
        of, a, _ = r.typed()
        r.expect(",")
        return result, "select", (condition, of, a, r.typed()[1])
    if name == "phi":
        of, ways = r.type(), {}
        while r.accept("["):
            value = r.operand()
            r.expect(",")
            ways[r.next()] = value
            r.expect("]")
            r.accept(",")
        return result, "phi", (of, ways)
    if name == "br":
        if r.accept("label"):
            return result, "jump", r.next()
        condition = r.typed()[1]
        r.expect(","), r.expect("label")
        yes = r.next()
        r.expect(","), r.expect("label")
        return result, "branch", (condition, yes, r.next())
    if name == "switch":
        of, value, _ = r.typed()
        r.expect(","), r.expect("label")
        other, cases = r.next(), []
        r.expect("[")
        while not r.accept("]"):
            case = r.typed()[1][1]
            r.expect(","), r.expect("label")
            cases.append((case, r.next()))
        return result, "switch", (of, value, other, cases)
    if name == "ret":
        of = r.type()
        return result, "return", None if of == ("void",) else (of, r.operand())
    if name == "alloca":
        of = r.type()
        return result, "alloca", of
    if name == "load":
        r.flags()
        of = r.type()
        r.expect(",")
        return result, "load", (of, r.typed()[1])
    if name == "store":
        r.flags()
        of, value, _ = r.typed()
        r.expect(",")
        return result, "store", (of, value, r.typed()[1])
    if name == "getelementptr":
        r.flags()
        return result, "gep", r.gep()
    if name == "extractvalue":
        of, value, _ = r.typed()
        r.expect(",")
        return result, "extract", (of, value, int(r.next()))
    if name == "insertvalue":
        of, value, _ = r.typed()
        r.expect(",")
        part = r.typed()
        r.expect(",")
        return result, "insert", (of, value, part[0], part[1], int(r.next()))
    if name == "unreachable":
        return result, "unreachable", None
    if name == "call":
        while re.fullmatch(r"fastcc|coldcc|ccc|noundef|nonnull|zeroext|signext|noalias|align|range|\d+|nuw|nsw", r.peek() or "-"):
            if r.next() == "range":
                while r.next() != ")":
                    pass
        of = r.type()
        callee = r.operand()
        r.expect("(")
        arguments = []
        while not r.accept(")"):
            if r.peek() == "metadata":
                while r.peek() not in (",", ")"):
                    r.next()
            else:
                arguments.append(r.typed())
            r.accept(",")
        return result, "call", (of, callee, arguments)
    raise SyntaxError(f"an instruction that is not known: {line}")
