// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a shift by the width or more would give is not taken: the number of places is cut to less.
#include "codegen/llvm/soft_float.h"

#include "codegen/llvm/bits_build.h"
#include "codegen/llvm/llvm_module.h"

bool soft_is_cast(const Gen *g, rsh_dtype from, rsh_dtype to) {
  if (!rsh_dtype_is_float(from) && !rsh_dtype_is_float(to))
    return false;
  rsh_dtype integer = rsh_dtype_is_float(from) ? to : from;
  int bits = rsh_dtype_is_integer(integer) ? rsh_dtype_bits(integer) : 0;
  bool is_long = bits == 64, is_narrow = to != RSH_F32 && rsh_dtype_is_float(to);
  bool is_double =
      from == RSH_F64 || to == RSH_F64 || to == RSH_F8E8M0 || (is_narrow && bits >= 32);
  return !g->has_single || (is_double && !g->has_double) || (is_long && !g->has_long);
}

// ---- leading zeros ----

// The zeros of the upper half are counted where there is nothing else, and the lower half takes its place:
//
//   00000000 00010110   nothing in 8: +8   00010110 00000000   nothing in 4: no   nothing in 2 ...   11
static LLVMValueRef build_count(Gen *g, LLVMValueRef x) {
  LLVMValueRef n = number(x, 0);
  int width = width_of(x);
  for (int half = width / 2; half > 0; half /= 2) {
    LLVMValueRef is_low = is_equal(g, right(g, x, width - half), 0);
    n = choose(g, is_low, plus(g, n, (uint64_t)half), n);
    x = half > 1 ? choose(g, is_low, left(g, x, half), x) : x;
  }
  return n;
}

static LLVMValueRef count_instruction(Gen *g, LLVMValueRef x) {
  LLVMTypeRef type = LLVMTypeOf(x);
  LLVMValueRef arg[2] = {x, LLVMConstInt(LLVMInt1TypeInContext(g->context), 1, false)};
  unsigned id = LLVMLookupIntrinsicID("llvm.ctlz", 9);
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(g->module, id, &type, 1);
  return LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, arg, 2, "zeros");
}

static LLVMValueRef count_function(Gen *g, LLVMTypeRef type) {
  Subroutine r;
  const char *name = LLVMGetIntTypeWidth(type) == 64 ? "leading-zeros-long" : "leading-zeros";
  if (subroutine_begin(g, name, LLVMFunctionType(type, &type, 1, false), &r)) {
    LLVMValueRef x = LLVMGetParam(r.function, 0);
    LLVMSetValueName2(x, "x", 1);
    subroutine_end(g, &r, build_count(g, x));
  }
  return r.function;
}

// Of a number that is not 0, as a number of 32 bits.
static LLVMValueRef leading_zeros(Gen *g, LLVMValueRef x) {
  LLVMTypeRef type = LLVMTypeOf(x);
  if (width_of(x) > (int)LLVMGetIntTypeWidth(g->word)) {
    LLVMValueRef high = resized(g, right(g, x, 32), 32), is_low = is_equal(g, high, 0);
    LLVMValueRef zeros = leading_zeros(g, choose(g, is_low, resized(g, x, 32), high));
    return choose(g, is_low, plus(g, zeros, 32), zeros);
  }
  if (g->counts_zeros)
    return resized(g, count_instruction(g, x), 32);
  LLVMValueRef function = count_function(g, type);
  return resized(
      g, LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, &x, 1, "zeros"),
      32);
}

static LLVMValueRef minus(Gen *g, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildSub(g->builder, a, b, "difference");
}

// ---- shifts by what is known only at run time, of less than the width ----

// Of two words, as many machines have no instruction for them together: what leaves one, `carry`, enters the other
// (x >> by of 64 bits: high >> by, and high << 32 - by | low >> by), or is all of it where they are 32 or more.
static LLVMValueRef long_shift(Gen *g, LLVMValueRef x, LLVMValueRef by, bool is_left) {
  LLVMOpcode along = is_left ? LLVMShl : LLVMLShr, against = is_left ? LLVMLShr : LLVMShl;
  LLVMValueRef low_word = resized(g, x, 32), high_word = resized(g, right(g, x, 32), 32);
  LLVMValueRef from = is_left ? low_word : high_word, into = is_left ? high_word : low_word;
  LLVMValueRef rest = masked(g, by, 31), zero = number(rest, 0);
  LLVMValueRef back = LLVMBuildXor(g->builder, rest, number(rest, 31), "back"); // 31 - rest
  LLVMValueRef moved = LLVMBuildBinOp(g->builder, along, from, rest, "moved");
  LLVMValueRef carry = LLVMBuildBinOp(g->builder, against, from, number(from, 1), "carry");
  carry = LLVMBuildBinOp(g->builder, against, carry, back, "carry");
  LLVMValueRef stays = LLVMBuildBinOp(g->builder, along, into, rest, "stays");
  LLVMValueRef is_near = is_below(g, by, 32);
  into = choose(g, is_near, LLVMBuildOr(g->builder, stays, carry, "both"), moved);
  from = choose(g, is_near, moved, zero);
  LLVMValueRef high = left(g, resized(g, is_left ? into : from, 64), 32);
  return LLVMBuildOr(g->builder, high, resized(g, is_left ? from : into, 64), "shifted");
}

static LLVMValueRef shifted(Gen *g, LLVMValueRef x, LLVMValueRef by, bool is_left) {
  if (width_of(x) > (int)LLVMGetIntTypeWidth(g->word))
    return long_shift(g, x, by, is_left);
  LLVMOpcode opcode = is_left ? LLVMShl : LLVMLShr;
  return LLVMBuildBinOp(g->builder, opcode, x, resized(g, by, width_of(x)), "shifted");
}
static LLVMValueRef left_by(Gen *g, LLVMValueRef x, LLVMValueRef by) {
  return shifted(g, x, by, true);
}
static LLVMValueRef right_by(Gen *g, LLVMValueRef x, LLVMValueRef by) {
  return shifted(g, x, by, false);
}

// With sign 1 the negative number: all bits turned, and 1.
static LLVMValueRef with_sign(Gen *g, LLVMValueRef magnitude, LLVMValueRef sign) {
  LLVMValueRef turned =
      LLVMBuildXor(g->builder, magnitude, minus(g, number(sign, 0), sign), "turned");
  return LLVMBuildAdd(g->builder, turned, sign, "signed");
}

// ---- floats to integers ----

// f32 5.75 is 2^2 * 1.0111: the mantissa with its hidden bit, 10111 at the top of a word, goes right by 31 - 2.
LLVMValueRef soft_integer(Gen *g, rsh_dtype from, LLVMValueRef bits, rsh_dtype to) {
  rsh_float f = rsh_dtype_float(from);
  int wanted = rsh_dtype_bits(to), out = wanted < 8 ? 32 : wanted, width = wanted == 64 ? 64 : 32;
  bool is_signed = wanted < 8 || rsh_dtype_is_signed(to);
  int m = f.mantissa_bits, size = m + f.exponent_bits, top = (int)low(f.exponent_bits);
  LLVMValueRef x = resized(g, bits, from == RSH_F64 ? 64 : 32), magnitude = masked(g, x, low(size));
  LLVMValueRef sign = resized(g, right(g, x, size), width);
  LLVMValueRef mantissa = m < width ? left(g, resized(g, x, width), width - 1 - m)
                                    : resized(g, right(g, x, m + 1 - width), width);
  // The exponent is all in the upper half of an f64.
  int head_bits = from == RSH_F64 ? m - 32 : m;
  LLVMValueRef head = from == RSH_F64 ? resized(g, right(g, magnitude, 32), 32) : magnitude;
  LLVMValueRef exponent = right(g, head, head_bits);
  LLVMValueRef by = minus(g, number(exponent, (uint64_t)(f.bias + width - 1)), exponent);
  LLVMValueRef n = with(g, mantissa, UINT64_C(1) << (width - 1));
  n = right_by(g, n, masked(g, by, (uint64_t)width - 1));
  n = choose(g, is_below(g, head, (uint64_t)f.bias << head_bits), number(n, 0), n);
  int past = f.bias + out - is_signed; // the least exponent of what is not in the range
  past = f.special == RSH_IEEE && past > top ? top : past;
  if (past <= top) {
    LLVMValueRef most = number(n, low(out - is_signed));
    most = is_signed ? LLVMBuildAdd(g->builder, most, sign, "most") : most;
    n = choose(g, is_below(g, head, (uint64_t)past << head_bits), n, most);
  }
  if (f.special == RSH_IEEE)
    n = choose(g, is_above(g, magnitude, (uint64_t)top << m), number(n, 0), n);
  if (f.special == RSH_ONE_NAN)
    n = choose(g, is_equal(g, magnitude, low(size)), number(n, 0), n);
  n = is_signed ? with_sign(g, n, sign) : choose(g, is_equal(g, sign, 0), n, number(n, 0));
  return resized(g, n, wanted);
}

// ---- integers to floats ----

// An integer as sign, magnitude, and the magnitude with its leading bit at the top: 64 bits of those with so many,
// else 32.
typedef struct Integer {
  LLVMValueRef sign, magnitude, zeros, mantissa;
  int bits; // that the magnitude may have
} Integer;

static Integer integer_apart(Gen *g, rsh_dtype from, LLVMValueRef bits) {
  bool is_signed = rsh_dtype_is_signed(from);
  int width = width_of(bits) == 64 ? 64 : 32;
  LLVMValueRef n = LLVMBuildIntCast2(g->builder, bits, int_type(g, width), is_signed, "integer");
  Integer i = {.sign = number(n, 0), .magnitude = n, .bits = width_of(bits) - is_signed};
  if (is_signed) {
    i.sign = right(g, n, width - 1);
    i.magnitude = with_sign(g, n, i.sign);
  }
  i.zeros = leading_zeros(g, with(g, i.magnitude, 1)); // of 0 what comes out is not taken
  i.mantissa = left_by(g, i.magnitude, i.zeros);
  return i;
}

// The upper bits of a mantissa, with the one above them, rounded; a carry out of them counts for the exponent.
static LLVMValueRef rounded_top(Gen *g, const Integer *i, int m) {
  int width = width_of(i->mantissa);
  LLVMValueRef x = right(g, i->mantissa, width - 1 - m);
  if (i->bits + 1 <= m + 1) // nothing is cut off, of the least number of a signed type either
    return x;
  LLVMValueRef rest = left(g, i->mantissa, m + 1), odd = masked(g, x, 1);
  rest = LLVMBuildAdd(g->builder, rest, odd, "rest"); // half is up where the last bit is odd
  LLVMValueRef up = is_above(g, rest, UINT64_C(1) << (width - 1));
  return LLVMBuildAdd(g->builder, x, LLVMBuildZExt(g->builder, up, LLVMTypeOf(x), "up"), "rounded");
}

SoftNumber soft_of_integer(Gen *g, rsh_dtype from, LLVMValueRef bits, rsh_dtype to) {
  rsh_float f = rsh_dtype_float(to);
  int m = f.mantissa_bits, size = to == RSH_F64 ? 64 : 32;
  Integer i = integer_apart(g, from, bits);
  int width = width_of(i.mantissa);
  LLVMValueRef x = m < width ? resized(g, rounded_top(g, &i, m), size)
                             : left(g, resized(g, i.mantissa, size), m + 1 - width);
  // The leading bit adds 1 to the exponent.
  LLVMValueRef exponent = minus(g, number(i.zeros, (uint64_t)(f.bias - 1 + width - 1)), i.zeros);
  x = LLVMBuildAdd(g->builder, x, left(g, resized(g, exponent, size), m), "number");
  x = choose(g, is_equal(g, i.magnitude, 0), number(x, 0), x);
  return (SoftNumber){x, resized(g, i.sign, size), i.bits > f.bias};
}

LLVMValueRef soft_power_of_integer(Gen *g, rsh_dtype from, LLVMValueRef bits, rsh_cast_rule rule) {
  enum { BIAS = 127, NAN_BITS = 255 };
  Integer i = integer_apart(g, from, bits);
  int width = width_of(i.mantissa);
  LLVMValueRef x = minus(g, number(i.zeros, (uint64_t)(BIAS + width - 1)), i.zeros);
  if (rule.round != RSH_ROUND_DOWN) {
    uint64_t one = UINT64_C(1) << (width - 1);
    LLVMValueRef up =
        is_above(g, i.mantissa, rule.round == RSH_ROUND_UP ? one : (one | one >> 1) - 1);
    x = LLVMBuildAdd(g->builder, x, LLVMBuildZExt(g->builder, up, LLVMTypeOf(x), "up"), "rounded");
  }
  x = choose(g, is_equal(g, i.magnitude, 0), number(x, rule.saturate ? 0 : NAN_BITS), x);
  return resized(g, x, 8);
}

// ---- floats to floats ----

LLVMValueRef soft_normal(Gen *g, LLVMValueRef magnitude, const rsh_float *f, LLVMValueRef *gap) {
  int m = f->mantissa_bits;
  LLVMValueRef zeros = leading_zeros(g, with(g, magnitude, 1)); // of 0 what comes out is not taken
  *gap = plus(g, zeros, 0 - (uint64_t)(width_of(magnitude) - 1 - m));
  *gap = choose(g, is_below(g, magnitude, UINT64_C(1) << m), *gap, number(*gap, 0));
  return left_by(g, magnitude, *gap);
}

LLVMValueRef soft_rebased(Gen *g, LLVMValueRef magnitude, int mantissa, int bias,
                          const rsh_float *f) {
  LLVMValueRef x = plus(g, magnitude, 0 - ((uint64_t)(bias - f->bias) << mantissa));
  if (bias == f->bias)
    return x;
  uint64_t least = (uint64_t)(1 + bias - f->bias), most = (uint64_t)mantissa + 2;
  LLVMValueRef exponent = resized(g, right(g, magnitude, mantissa), 32);
  LLVMValueRef by = minus(g, number(exponent, least), exponent);
  by = choose(g, is_below(g, by, most), by, number(by, most));
  LLVMValueRef all = with(g, masked(g, magnitude, low(mantissa)), UINT64_C(1) << mantissa);
  LLVMValueRef small = right_by(g, all, by), back = left_by(g, small, by);
  LLVMValueRef is_lost = LLVMBuildICmp(g->builder, LLVMIntNE, back, all, "lost");
  small = LLVMBuildOr(g->builder, small,
                      LLVMBuildZExt(g->builder, is_lost, LLVMTypeOf(small), "mark"), "small");
  return choose(g, is_below(g, magnitude, least << mantissa), small, x);
}

// ---- comparisons ----

// The order of numbers as that of integers. Where there is none, *is_number is false.
static LLVMValueRef order_of(Gen *g, LLVMValueRef x, LLVMValueRef *is_number) {
  bool is_double = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMDoubleTypeKind;
  int width = is_double ? 64 : 32, m = rsh_dtype_float(is_double ? RSH_F64 : RSH_F32).mantissa_bits;
  LLVMValueRef bits = cast_bits(g, x, int_type(g, width)),
               magnitude = masked(g, bits, low(width - 1));
  *is_number = is_below(g, magnitude, (low(width - 1 - m) << m) + 1);
  return with_sign(g, magnitude, right(g, bits, width - 1));
}

LLVMValueRef soft_compare(Gen *g, LLVMIntPredicate predicate, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef a_is_number, b_is_number;
  LLVMValueRef one = order_of(g, a, &a_is_number), other = order_of(g, b, &b_is_number);
  LLVMValueRef test = LLVMBuildICmp(g->builder, predicate, one, other, "compared");
  if (!LLVMIsConstant(a_is_number)) // else it is a number
    test = LLVMBuildAnd(g->builder, test, a_is_number, "ordered");
  if (!LLVMIsConstant(b_is_number))
    test = LLVMBuildAnd(g->builder, test, b_is_number, "ordered");
  return test;
}
