# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executes LLVM IR with values that are numbers or terms of Z3, on every path that some input takes.

A path is run from the start and follows a list of decisions; at a new one the solver says which sides have inputs. So
loops end if no input continues, and there is no bound that could be too low: a path of more than LONGEST instructions
is an error. Each path shares the solver's scopes with the one before it, up to the decision where they part.

Products and quotients of two terms are functions of which little is known at first. If a counterexample needs a wrong
value of one, the solver gets that value, and then the operation; without a counterexample there is none with the real
ones either. An input that breaks a property is run once more with numbers alone, so only real failures are reported.
"""

import z3

from ir import Reader

LONGEST = 200000
EXACT_AFTER = 8  # values of products that are told one by one


class Broken(Exception):
    """A path on which something does not hold."""


class Unable(Exception):
    """What cannot be shown either way."""


class Dead(Exception):
    """A path that no input takes."""


class Pointer:
    __slots__ = ("to", "at")

    def __init__(self, to, at):
        self.to, self.at = to, at  # a name or number of an object, None: NULL; bytes from its beginning


def is_term(value):
    return isinstance(value, z3.ExprRef)


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) else value


class Counts:
    def __init__(self):
        self.paths = self.queries = 0


class Execution:
    """All paths of `harness`, or with `inputs` the one that these take."""

    def __init__(self, module, inputs=None, timeout=1200):
        self.module, self.given = module, inputs
        self.solver = z3.SolverFor("QF_UFBV")
        self.solver.set("timeout", timeout * 1000)
        self.counts, self.prefix, self.lemmas, self.exact = Counts(), [], [], False
        self.found = None  # inputs of a counterexample
        self.why = None

    # ---- paths ----

    def run(self):
        """True: all that is to be proved holds on all paths. Else found has inputs, and why says what they break."""
        while True:
            self.begin()
            try:
                self.counts.paths += 1
                self.call("@harness", [])
            except Dead:
                pass
            except Broken as broken:
                self.why = str(broken)
                if self.given is not None:
                    return False
                if self.find():
                    return False
            if self.given is not None:
                return True
            while self.decisions and not self.decisions[-1][1]:
                self.decisions.pop()
                self.solver.pop()
            if not self.decisions:
                return True
            self.solver.pop()
            taken, _, value = self.decisions.pop()
            self.prefix = [*self.decisions, (not taken, False, value)]

    def begin(self):
        self.position, self.steps, self.decisions = 0, 0, []
        self.objects, self.next_object, self.fresh, self.products, self.rests = {}, 0, 0, {}, set()
        self.inputs = []

    def is_new(self):
        """Whether what follows is not yet known from the path before."""
        return self.position >= len(self.prefix)

    def check(self, *more):
        self.counts.queries += 1
        result = self.solver.check(*more)
        if result == z3.unknown:
            raise Unable("the solver gives up: " + self.solver.reason_unknown())
        return result == z3.sat

    def add(self, fact):
        if self.given is None and self.is_new():
            self.solver.add(fact)

    def decide(self, condition, value=None):
        """Which side of a condition this path takes."""
        condition = z3.simplify(condition) if is_term(condition) else bool(condition)
        if not is_term(condition) or z3.is_true(condition) or z3.is_false(condition):
            return z3.is_true(condition) if is_term(condition) else condition
        if not self.is_new():
            entry = self.prefix[self.position]
            self.position += 1
            self.decisions.append(entry)
            if self.is_new():
                self.solver.push()
                self.solver.add(condition if entry[0] else z3.Not(condition))
                for lemma in self.lemmas:
                    self.solver.add(lemma)
            return entry[0]
        can_be, can_be_not = self.check(condition), self.check(z3.Not(condition))
        if not can_be and not can_be_not:
            raise Dead
        self.decisions.append((can_be, can_be and can_be_not, value))
        self.prefix = list(self.decisions)
        self.position += 1
        self.solver.push()
        self.solver.add(condition if can_be else z3.Not(condition))
        return can_be

    def number(self, value):
        """One of the numbers that a term can be; other paths take the others."""
        while is_term(value):
            if self.is_new():
                if not self.check():
                    raise Dead
                n = self.solver.model().eval(value, model_completion=True).as_long()
            else:
                n = self.prefix[self.position][2]
            if self.decide(value == n, n):
                return n
        return value

    # ---- what is to be shown ----

    def prove(self, holds):
        if not is_term(holds):
            if not holds:
                raise Broken("a property does not hold")
            return
        if not self.is_new():
            return
        if self.find(z3.Not(holds)):
            raise Broken("a property does not hold")
        self.solver.add(holds)

    def find(self, *more):
        """Whether there are inputs for this path with which more is the case."""
        while self.found is None and self.check(*more):
            self.found = self.inputs_of(self.solver.model())
        return self.found is not None

    def inputs_of(self, model):
        """Those of a model, if it has the real products; else these are told, and it is None."""
        lemmas = []
        for (name, bits, a, b), parts in self.products.items():
            x, y = (model.eval(t, model_completion=True).as_long() for t in (a, b))
            for part, value in zip(parts, real(name, bits, x, y)):
                value = bool(value) if z3.is_bool(part) and value is not None else value
                if value is not None and not matches(model.eval(part, model_completion=True), value):
                    lemmas.append(z3.Implies(z3.And(a == x, b == y), part == value))
                    if len(self.lemmas) >= EXACT_AFTER:
                        lemmas += define(name, bits, a, b, parts)
        if not lemmas:
            return {name: number_of(model.eval(t, model_completion=True)) for name, t, _ in self.inputs}
        for lemma in lemmas:
            self.lemmas.append(lemma)
            self.solver.add(lemma)
        return None

    # ---- memory ----

    def new_object(self, size, name=None):
        self.next_object += 1
        name = name or self.next_object
        self.objects[name] = [None] * size
        return Pointer(name, 0)

    def bytes_of(self, pointer, size):
        if pointer.to is None:
            raise Broken("NULL is read or written")
        if pointer.to == "nothing":
            raise Broken("what was never set is used as an address")
        if pointer.to not in self.objects:
            self.open_global(pointer.to)
        at, cells = self.number(pointer.at), self.objects[pointer.to]
        at = signed(at, self.module.pointer)
        if at < 0 or at + size > len(cells):
            raise Broken(f"{size} bytes at {at} of an object of {len(cells)}")
        return cells, at

    def open_global(self, name):
        text = self.module.globals[name]
        text = text[text.index(" constant ") + 10 if " constant " in text else text.index(" global ") + 8 :]
        reader = Reader(self.module, text)
        of = reader.type()
        value = reader.operand()
        pointer = self.new_object(self.module.size(of), name)
        self.fill(pointer, of, value)

    def fill(self, pointer, of, value):
        if of[0] in ("i", "ptr"):
            self.store(pointer, of, self.operand(None, of, value))
        elif value[0] == "bytes":
            for i, byte in enumerate(value[1]):
                self.store(Pointer(pointer.to, pointer.at + i), ("i", 8), byte)
        elif value[0] == "zero":
            for i in range(self.module.size(of)):
                self.store(Pointer(pointer.to, pointer.at + i), ("i", 8), 0)
        elif value[0] == "list":
            for (by, part), (_, operand) in zip(self.module.parts(of), value[1]):
                self.fill(Pointer(pointer.to, pointer.at + by), part, operand)

    def store(self, pointer, of, value):
        if of[0] in ("struct", "array"):
            for (by, part), v in zip(self.module.parts(of), value):
                self.store(self.moved(pointer, by), part, v)
            return
        size = self.module.size(of)
        cells, at = self.bytes_of(pointer, size)
        if of == ("i", 1):
            value = z3.If(value, z3.BitVecVal(1, 8), z3.BitVecVal(0, 8)) if is_term(value) else value
        for k in range(size):
            cells[at + k] = (value, k, size)

    def load(self, pointer, of):
        if of[0] in ("struct", "array"):
            return [self.load(self.moved(pointer, by), part) for by, part in self.module.parts(of)]
        size = self.module.size(of)
        cells, at = self.bytes_of(pointer, size)
        parts = cells[at : at + size]
        first = parts[0]
        if first is not None and first[2] == size and all(
            p is not None and p[0] is first[0] and p[1] == k and p[2] == size for k, p in enumerate(parts)
        ):  # fmt: skip
            value = first[0]
        elif of[0] == "ptr":
            if any(p is not None and p[0] != 0 for p in parts):
                raise Broken("a pointer is read that was not written as one")
            value = Pointer(None if parts[0] else "nothing", 0)
        else:
            value = self.joined(parts, size)
            for k in range(size):
                cells[at + k] = (value, k, size)
        if of == ("i", 1):
            return value != 0 if is_term(value) else value & 1
        return value

    def joined(self, parts, size):
        parts = [self.byte(p) for p in parts]
        if not self.module.big_endian:
            parts.reverse()
        if all(isinstance(p, int) for p in parts):
            return int.from_bytes(bytes(parts), "big")
        parts = [z3.BitVecVal(p, 8) if isinstance(p, int) else p for p in parts]
        return z3.simplify(z3.Concat(*parts)) if size > 1 else parts[0]

    def byte(self, part):
        if part is None:
            return self.any("unset", 8)
        value, k, size = part
        if isinstance(value, Pointer):
            raise Unable("a byte of a pointer is read")
        low = 8 * (size - 1 - k if self.module.big_endian else k)
        return z3.Extract(low + 7, low, value) if is_term(value) else value >> low & 255

    def moved(self, pointer, by):
        at = pointer.at + by
        return Pointer(pointer.to, at if is_term(at) else at % (1 << self.module.pointer))

    # ---- values ----

    def any(self, name, bits):
        self.fresh += 1
        name = f"{name}{self.fresh}"
        if self.given is not None:
            return self.given.get(name, 0)
        term = z3.BitVec(name, bits) if bits > 1 else z3.Bool(name)
        self.inputs.append((name, term, bits))
        return term

    def operand(self, frame, of, value):
        kind = value[0]
        if kind == "local":
            return frame[value[1]]
        if kind == "int":
            return value[1] % (1 << of[1])
        if kind == "global":
            return Pointer(value[1], 0)
        if kind == "null":
            return Pointer(None, 0)
        if kind == "zero":
            return [self.operand(frame, part, value) for _, part in self.module.parts(of)] if of[0] in ("struct", "array") else 0
        if kind == "list":
            return [self.operand(frame, part, v) for part, v in value[1]]
        if kind == "gep":
            return self.element(frame, value)
        if of[0] == "ptr":
            return Pointer(None, 0)
        if of[0] in ("struct", "array"):
            return [self.operand(frame, part, value) for _, part in self.module.parts(of)]
        return self.any("undefined", of[1])

    def element(self, frame, gep):
        _, of, base, indices = gep
        pointer = self.operand(frame, ("ptr",), base)
        for number, (index_type, index) in enumerate(indices):
            index = self.operand(frame, index_type, index)
            if number > 0 and of[0] == "struct":
                by, of = self.module.offset(of, index), of[1][index]
            else:
                of = of[2] if number > 0 else of
                size, bits = self.module.size(of), self.module.pointer
                if is_term(index):
                    index = z3.SignExt(bits - index_type[1], index) if bits > index_type[1] else z3.Extract(bits - 1, 0, index)
                    by = index * size
                else:
                    by = signed(index, index_type[1]) * size
            pointer = self.moved(pointer, by)
        return pointer

    def terms(self, bits, *values):
        return [v if is_term(v) else z3.BitVecVal(v, bits) for v in values]

    def product(self, name, bits, a, b):
        """What mul, a division or a remainder gives, and for mul whether it overflows, with a sign and without."""
        a, b = (z3.simplify(v) if is_term(v) else v for v in (a, b))  # machines of 32 bits hand on halves
        a, b = (v.as_long() if z3.is_bv_value(v) else v for v in (a, b))
        if not is_term(a) and not is_term(b):
            return real(name, bits, a, b)
        if name == "mul" and not (is_term(a) and is_term(b)):
            return multiple(bits, a, b) if is_term(a) else multiple(bits, b, a)
        a, b = self.terms(bits, a, b)
        if name == "mul" and (a.hash() > b.hash() or a.hash() == b.hash() and a.sexpr() > b.sexpr()):
            a, b = b, a  # in the same order on each path, which the numbers that Z3 gives its terms are not
        key = (name, bits, a, b)
        if name in ("urem", "srem"):  # as compilers do it that find no instruction for it
            quotient = self.product(name[0] + "div", bits, a, b)[0]
            rest = a - self.product("mul", bits, quotient, b)[0]
            if key not in self.rests:
                self.rests.add(key)
                for fact in facts(name, bits, a, b, [rest]):
                    self.add(fact)
            return [rest]
        if key not in self.products:
            sort = z3.BitVecSort(bits)
            parts = [z3.Function(f"{name}{bits}", sort, sort, sort)(a, b)]
            if name == "mul":
                for kind in ("signed", "unsigned"):
                    parts.append(z3.Function(f"over{bits}_{kind}", sort, sort, z3.BoolSort())(a, b))
            self.products[key] = parts
            for fact in facts(name, bits, a, b, parts):
                self.add(fact)
            if name in ("sdiv", "udiv"):  # compilers take one for the other where there are no signs
                other = self.product({"sdiv": "udiv", "udiv": "sdiv"}[name], bits, a, b)
                self.add(z3.Implies(z3.And(a >= 0, b > 0), parts[0] == other[0]))
                self.undo(bits, a, b, parts[0])
        return self.products[key]

    def undo(self, bits, a, b, quotient):
        """A product of numbers above 0 divided by one of them is the other."""
        for (name, of, *factors), (product, over, _) in [(k, p) for k, p in self.products.items() if k[0] == "mul"]:
            for factor, other in (factors, factors[::-1]):
                if of == bits and product.eq(a) and factor.eq(b):
                    self.add(z3.Implies(z3.And(factor > 0, other > 0, z3.Not(over)), quotient == other))

    def binary(self, name, bits, a, b):
        if bits == 1:
            return self.binary_bool(name, a, b)
        if name in ("mul", "udiv", "sdiv", "urem", "srem"):
            is_power = is_term(a) and not is_term(b) and b > 0 and b & (b - 1) == 0
            if not is_power or name in ("sdiv", "srem") and b > 1:
                return self.product(name, bits, a, b)[0]
            by = b.bit_length() - 1
            name, b = {"mul": ("shl", by), "udiv": ("lshr", by), "sdiv": ("lshr", 0), "urem": ("and", b - 1), "srem": ("and", 0)}[name]
        if not is_term(a) and not is_term(b):
            x, y = signed(a, bits), signed(b, bits)
            if name in ("shl", "lshr", "ashr") and b >= bits:
                return self.any("undefined", bits)
            value = {"add": lambda: a + b, "sub": lambda: a - b, "and": lambda: a & b, "or": lambda: a | b, "xor": lambda: a ^ b,
                     "shl": lambda: a << b, "lshr": lambda: a >> b, "ashr": lambda: x >> y}[name]()  # fmt: skip
            return value % (1 << bits)
        a, b = self.terms(bits, a, b)
        return {"add": lambda: a + b, "sub": lambda: a - b, "and": lambda: a & b, "or": lambda: a | b, "xor": lambda: a ^ b,
                "shl": lambda: a << b, "lshr": lambda: z3.LShR(a, b), "ashr": lambda: a >> b}[name]()  # fmt: skip

    def binary_bool(self, name, a, b):
        if name in ("add", "sub"):
            name = "xor"
        if not is_term(a) and not is_term(b):
            return {"and": a & b, "or": a | b, "xor": a ^ b}[name]
        a, b = (v if is_term(v) else z3.BoolVal(bool(v)) for v in (a, b))
        return z3.simplify({"and": z3.And, "or": z3.Or, "xor": z3.Xor}[name](a, b))

    def compare(self, kind, of, a, b):
        if of[0] == "ptr":
            if kind not in ("eq", "ne") and a.to != b.to:
                raise Broken("addresses of two objects are compared")
            if a.to != b.to:
                return int(kind == "ne")
            of, a, b = ("i", self.module.pointer), a.at, b.at
        bits = of[1]
        if not is_term(a) and not is_term(b):
            if kind[0] == "s":
                a, b = signed(a, bits), signed(b, bits)
            return int({"eq": a == b, "ne": a != b, "gt": a > b, "ge": a >= b, "lt": a < b, "le": a <= b}[kind[-2:]])
        if bits == 1:
            a, b = (v if is_term(v) else z3.BoolVal(bool(v)) for v in (a, b))
            return {"eq": a == b, "ne": z3.Xor(a, b), "ult": z3.And(z3.Not(a), b), "ugt": z3.And(a, z3.Not(b))}[kind]
        a, b = self.terms(bits, a, b)
        return {"eq": lambda: a == b, "ne": lambda: a != b, "sgt": lambda: a > b, "sge": lambda: a >= b, "slt": lambda: a < b,
                "sle": lambda: a <= b, "ugt": lambda: z3.UGT(a, b), "uge": lambda: z3.UGE(a, b), "ult": lambda: z3.ULT(a, b),
                "ule": lambda: z3.ULE(a, b)}[kind]()  # fmt: skip

    def select(self, condition, of, a, b):
        if not is_term(condition):
            return a if condition else b
        if of[0] != "i" or isinstance(a, (Pointer, list)):
            return a if self.decide(condition) else b
        if of[1] == 1:
            a, b = (v if is_term(v) else z3.BoolVal(bool(v)) for v in (a, b))
            return z3.simplify(z3.If(condition, a, b))
        return z3.If(condition, *self.terms(of[1], a, b))

    def convert(self, name, of, value, to):
        if name in ("ptrtoint", "inttoptr"):
            raise Unable("an address is used as a number")
        if name == "freeze" or of == to:
            return value
        if is_term(value):
            if of[1] == 1:
                ones = z3.BitVecVal(1 if name == "zext" else -1, to[1])
                return z3.If(value, ones, z3.BitVecVal(0, to[1]))
            if name == "trunc":
                return z3.Extract(to[1] - 1, 0, value) if to[1] > 1 else z3.Extract(0, 0, value) == 1
            return (z3.ZeroExt if name == "zext" else z3.SignExt)(to[1] - of[1], value)
        return (signed(value, of[1]) if name == "sext" else value) % (1 << to[1])

    # ---- functions ----

    def call(self, name, arguments):
        if name not in self.module.functions:
            return self.call_outside(name, arguments)
        function, frame = self.module.functions[name], {}
        for (local, of, by_value), value in zip(function.parameters, arguments):
            if by_value:
                copy = self.new_object(self.module.size(by_value))
                self.copy(copy, value, self.module.size(by_value))
                value = copy
            frame[local] = value
        before, label = None, next(iter(function.blocks))
        while True:
            block = function.blocks[label]
            ways = [(i[0], self.operand(frame, i[2][0], i[2][1][before])) for i in block if i[1] == "phi"]
            frame.update(ways)
            for result, kind, what in block[len(ways) :]:
                self.steps += 1
                if self.steps > LONGEST:
                    raise Unable(f"a path is longer than {LONGEST} instructions")
                if kind == "jump":
                    before, label = label, what
                elif kind == "branch":
                    goes = self.decide(self.operand(frame, ("i", 1), what[0]))
                    before, label = label, what[1] if goes else what[2]
                elif kind == "switch":
                    value, to = self.operand(frame, what[0], what[1]), what[2]
                    for case, target in what[3]:
                        if self.decide(self.compare("eq", what[0], value, case % (1 << what[0][1]))):
                            to = target
                            break
                    before, label = label, to
                elif kind == "return":
                    return self.operand(frame, *what) if what else None
                elif kind == "unreachable":
                    raise Broken("what cannot be reached is reached")
                else:
                    value = getattr(self, "do_" + kind)(frame, what)
                    if result:
                        frame[result] = value

    def do_binary(self, frame, what):
        name, of, a, b = what
        return self.binary(name, of[1], self.operand(frame, of, a), self.operand(frame, of, b))

    def do_icmp(self, frame, what):
        kind, of, a, b = what
        return self.compare(kind, of, self.operand(frame, of, a), self.operand(frame, of, b))

    def do_convert(self, frame, what):
        name, of, value, to = what
        return self.convert(name, of, self.operand(frame, of, value), to)

    def do_select(self, frame, what):
        condition, of, a, b = what
        return self.select(self.operand(frame, ("i", 1), condition), of, self.operand(frame, of, a), self.operand(frame, of, b))

    def do_alloca(self, _, of):
        return self.new_object(self.module.size(of))

    def do_load(self, frame, what):
        return self.load(self.operand(frame, ("ptr",), what[1]), what[0])

    def do_store(self, frame, what):
        self.store(self.operand(frame, ("ptr",), what[2]), what[0], self.operand(frame, what[0], what[1]))

    def do_gep(self, frame, what):
        return self.element(frame, what)

    def do_extract(self, frame, what):
        return self.operand(frame, what[0], what[1])[what[2]]

    def do_insert(self, frame, what):
        parts = list(self.operand(frame, what[0], what[1]))
        parts[what[4]] = self.operand(frame, what[2], what[3])
        return parts

    def do_call(self, frame, what):
        _, callee, arguments = what
        values = [self.operand(frame, of, value) for of, value, _ in arguments]
        name = callee[1] if callee[0] == "global" else self.operand(frame, ("ptr",), callee).to
        if name not in self.module.functions:  # which look at bits, too
            values = [(of[1] if of[0] == "i" else 0, v) for (of, *_), v in zip(arguments, values)]
        return self.call(name, values)

    def copy(self, to, source, size):
        if size == 0:
            return
        cells, at = self.bytes_of(source, size)
        parts = cells[at : at + size]
        cells, at = self.bytes_of(to, size)
        cells[at : at + size] = parts

    def call_outside(self, name, arguments):
        """A function without a body: of prove.h, or LLVM's own."""
        values = [v for _, v in arguments]
        bits = arguments[0][0] if arguments else 0
        if name in ("@any_int64", "@any_int32", "@any_byte"):
            bits = {"@any_int64": 64, "@any_int32": 32, "@any_byte": 8}[name]
            return self.any(f"i{bits}_", bits)
        if name == "@any_choice": # a path for each
            chosen = self.call_outside("@any_byte", [])
            self.call_outside("@assume", [(1, self.compare("ult", ("i", 8), chosen, values[0] & 255))])
            return self.number(chosen)
        if name == "@assume":
            if not is_term(values[0]):
                if not values[0]:
                    raise Dead
            elif self.is_new():
                self.solver.add(values[0])
                if not self.check():
                    raise Dead
            return None
        if name == "@prove":
            return self.prove(values[0])
        if name in ("@llvm.ubsantrap", "@llvm.trap"):
            raise Broken("C does not define what is done")
        if name.startswith("@llvm.lifetime") or name in ("@llvm.assume",) or name.startswith("@llvm.experimental.noalias"):
            return None
        if name.startswith("@llvm.memcpy") or name.startswith("@llvm.memmove"):
            return self.copy(values[0], values[1], self.number(values[2]))
        if name.startswith("@llvm.memset"):
            for i in range(self.number(values[2])):
                self.store(self.moved(values[0], i), ("i", 8), values[1])
            return None
        if match := name.startswith("@llvm.") and name[6:].split(".")[0]:
            if match in ("smin", "smax", "umin", "umax"):
                takes = self.compare(match[0] + ("lt" if match[1:] == "min" else "gt"), ("i", bits), *values)
                return self.select(takes, ("i", bits), *values)
            if match == "abs":
                below = self.compare("slt", ("i", bits), values[0], 0)
                return self.select(below, ("i", bits), self.binary("sub", bits, 0, values[0]), values[0])
            if match in ("sadd", "ssub", "uadd", "usub"):
                return self.with_overflow(match, bits, *values)
            if match in ("smul", "umul"):
                parts = self.product("mul", bits, *values)
                return [parts[0], parts[1 if match == "smul" else 2]]
            if match in ("fshl", "fshr"):
                return self.funnel(match, bits, *values)
            if match == "bswap":
                return self.swapped(bits, values[0])
            if match == "expect":
                return values[0]
        raise Unable(f"{name} is called, which has no body")

    def with_overflow(self, name, bits, a, b):
        value = self.binary(name[1:], bits, a, b)
        if not is_term(a) and not is_term(b):
            x, y = (signed(a, bits), signed(b, bits)) if name[0] == "s" else (a, b)
            real_value = x + y if name[1:] == "add" else x - y
            low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if name[0] == "s" else (0, (1 << bits) - 1)
            return [value, int(not low <= real_value <= high)]
        a, b = self.terms(bits, a, b)
        if name[0] == "u":
            return [value, z3.ULT(value, a) if name == "uadd" else z3.ULT(a, b)]
        return [value, ((a ^ value) & (b ^ value) if name == "sadd" else (a ^ b) & (a ^ value)) < 0]

    def funnel(self, name, bits, a, b, by):
        by = self.number(by) % bits
        if name == "fshr":
            by = bits - by
        high, low = self.terms(bits, a, b)
        wide = z3.simplify(z3.Extract(2 * bits - 1, bits, z3.Concat(high, low) << by))
        return wide.as_long() if z3.is_bv_value(wide) else wide

    def swapped(self, bits, value):
        if not is_term(value):
            return int.from_bytes(value.to_bytes(bits // 8, "big"), "little")
        return z3.Concat(*(z3.Extract(i + 7, i, value) for i in range(0, bits, 8)))


# ---- products and quotients ----


def real(name, bits, a, b):
    """The values of an operation on two numbers; None where it has none."""
    x, y = signed(a, bits), signed(b, bits)
    if name == "mul":
        return [a * b % (1 << bits), int(not -(1 << bits - 1) <= x * y < 1 << bits - 1), int(a * b >= 1 << bits)]
    if b == 0:
        return [None]
    quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return [{"udiv": a // b, "urem": a % b, "sdiv": quotient, "srem": x - quotient * y}[name] % (1 << bits)]


def multiple(bits, a, n):
    """As product does it of a number, whose quotients say when the product of a term is too much."""
    by, most, least = signed(n, bits), (1 << bits - 1) - 1, -(1 << bits - 1)
    if by in (0, 1):
        return [a if by else 0, 0, 0]
    ends = [-(-least // by), most // by] if by > 0 else [-(-most // by), min(least // by, most)]
    return [a * n, z3.Or(a < ends[0], a > ends[1]), z3.UGT(a, ((1 << bits) - 1) // n)]


def number_of(term):
    return int(z3.is_true(term)) if z3.is_bool(term) else term.as_long()


def matches(term, value):
    return z3.is_true(term) == bool(value) if z3.is_bool(term) else term.as_long() == value


def define(name, bits, a, b, parts):
    """All that the operation is."""
    if name == "mul":
        wide = [z3.SignExt(bits, a) * z3.SignExt(bits, b), z3.ZeroExt(bits, a) * z3.ZeroExt(bits, b)]
        return [parts[0] == a * b, parts[1] == (wide[0] != z3.SignExt(bits, parts[0])),
                parts[2] == (z3.Extract(2 * bits - 1, bits, wide[1]) != 0)]  # fmt: skip
    value = z3.UDiv(a, b) if name == "udiv" else a / b
    return [z3.Implies(b != 0, parts[0] == value)]


def facts(name, bits, a, b, parts):
    """What is known of each at once."""
    value = parts[0]
    if name == "mul":
        for x, y in ((a, b), (b, a)):
            yield z3.Implies(x == 0, z3.And(value == 0, z3.Not(parts[1]), z3.Not(parts[2])))
            yield z3.Implies(x == 1, z3.And(value == y, z3.Not(parts[1]), z3.Not(parts[2])))
        yield z3.Implies(z3.And(a > 0, b > 0, z3.Not(parts[1])), z3.And(value >= a, value >= b))
        yield z3.Implies(z3.And(a >= 0, b >= 0, parts[2]), parts[1])
        yield z3.Implies(z3.And(a >= 0, b >= 0, z3.Not(parts[2])), parts[1] == (value < 0))
    elif name == "udiv":
        yield z3.Implies(z3.And(a == b, b != 0), value == 1)
        yield z3.ULE(value, a)
        yield z3.Implies(z3.ULT(a, b), value == 0)
        yield z3.Implies(z3.UGT(b, 1), z3.ULE(value, z3.LShR(a, 1)))
        yield z3.Implies(b == 1, value == a)
    elif name == "urem":
        yield z3.Implies(b != 0, z3.ULT(value, b))
        yield z3.ULE(value, a)
        yield z3.Implies(z3.ULT(a, b), value == a)
    elif name == "sdiv":
        yield z3.Implies(z3.And(a == b, b != 0), value == 1)
        yield z3.Implies(z3.And(a >= 0, b > 0), z3.And(value >= 0, value <= a))
        yield z3.Implies(b == 1, value == a)
        yield z3.Implies(z3.And(a >= b, b > 0), value >= 1)
    elif name == "srem":
        yield z3.Implies(z3.And(a >= 0, b > 0), z3.And(value >= 0, value < b, value <= a))
        yield z3.Implies(z3.And(a >= 0, b > a), value == a)
        yield z3.Implies(b == 1, value == 0)
