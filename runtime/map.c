// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains of elementwise functions: the operators that are such functions, and the table of chains.
#include "runtime/map.h"

bool rsh_is_elementwise(rsh_op op) { return rsh_op_family(op) == RSH_MAPS; }

bool rsh_is_rowwise(rsh_op op) { return rsh_op_family(op) == RSH_ROWS; }

static bool is_text(const rsh_arg *arg, const char *text) {
  int i = 0;
  while (arg->text[i] == text[i] && text[i] != '\0')
    i++;
  return arg->text[i] == text[i];
}

// The default bound of a clip: the least or the largest element of the type.
static uint64_t end_of_type(rsh_dtype type, bool is_most) {
  rsh_float f = rsh_dtype_float(type);
  int bits = rsh_dtype_bits(type);
  uint64_t all = UINT64_MAX >> (64 - bits), sign = UINT64_C(1) << (bits - 1);
  if (f.special != RSH_NO_FLOAT) { // an infinity
    uint64_t infinity = ((UINT64_C(1) << f.exponent_bits) - 1) << f.mantissa_bits;
    return is_most ? infinity : infinity | sign;
  }
  if (!rsh_dtype_is_signed(type))
    return is_most ? all : 0;
  return is_most ? all ^ sign : sign;
}

// The value of an absent argument. A clip then has no bound. For quantize to f4e2m1 it is -0, whose addition changes no
// number; ONNX adds a zero point only if it is given, and 0 would turn -0 into 0.
static uint64_t absent_constant(const rsh_call *call, const rsh_step *step, int i) {
  enum { F4_MINUS_ZERO = 8 };
  if (call->op == RSH_OP_CLIP && i < 2)
    return end_of_type(step->from, i == 1);
  return call->op == RSH_OP_QUANTIZE && i == 1 && step->to == RSH_F4E2M1 ? F4_MINUS_ZERO : 0;
}

static void take_constants(const rsh_call *call, rsh_step *step) {
  for (int i = 0; i < RSH_CONSTANTS; i++) {
    const rsh_arg *arg = &call->arg[i];
    if (rsh_arg_is_table(arg)) {
      step->constant[i] = arg->table;
      step->tables |= 1u << i;
      step->places = arg->count;
      step->divisor = 1;
    } else if (arg->kind == RSH_ARG_VALUE)
      step->constant[i] = (uint64_t)arg->list[0].n;
    else
      step->constant[i] = absent_constant(call, step, i);
  }
}

// Whether each scale is an f32 number from 2^-63 to 2^63.
static bool is_moderate(const rsh_arg *scale) {
  enum { LEAST = 64, MOST = 190 };
  bool is = scale->kind == RSH_ARG_VALUE && scale->list != 0;
  for (int32_t i = 0; is && i < scale->count; i++) {
    int64_t exponent = scale->list[i].n >> 23 & 0xff;
    is = exponent >= LEAST && exponent <= MOST;
  }
  return is;
}

enum { QUANTIZE_SATURATE = 3 };

bool rsh_step_of_call(const rsh_call *call, rsh_step *step) {
  const rsh_arg *to = &call->arg[0], *saturate = &call->arg[1], *mode = &call->arg[2];
  if (!rsh_is_elementwise(call->op))
    return false;
  step->op = call->op;
  step->from = step->to = call->in_type[0];
  step->rule.saturate = true;
  step->rule.round = RSH_ROUND_UP;
  step->tables = 0;
  step->places = step->divisor = 1;
  step->is_moderate = false;
  step->table = 0;
  step->entries = 0;
  for (int i = 0; i < RSH_CONSTANTS; i++)
    step->constant[i] = 0;
  if (call->op == RSH_OP_QUANTIZE || call->op == RSH_OP_DEQUANTIZE)
    step->is_moderate = is_moderate(&call->arg[0]);
  if (call->op != RSH_OP_CAST) {
    step->to = rsh_out_type(call);
    if (call->op == RSH_OP_LOOKUP && to->count > 1) {
      step->table = to->list;
      step->entries = to->count;
      return true;
    }
    take_constants(call, step);
    if (call->op == RSH_OP_QUANTIZE && call->arg[QUANTIZE_SATURATE].kind == RSH_ARG_LIST)
      step->rule.saturate = !rsh_is(call->arg[QUANTIZE_SATURATE].list[0], 0);
    return true;
  }
  step->to = (rsh_dtype)to->list[0].n;
  if (saturate->kind == RSH_ARG_LIST)
    step->rule.saturate = !rsh_is(saturate->list[0], 0);
  if (mode->kind != RSH_ARG_TEXT || is_text(mode, "up"))
    return true;
  step->rule.round = is_text(mode, "down") ? RSH_ROUND_DOWN : RSH_ROUND_NEAREST;
  return step->rule.round == RSH_ROUND_DOWN || is_text(mode, "nearest");
}

// Bits of precision, and of range: the largest exponent. Both are 0 for float8 and f4e2m1, whose casts saturate.
typedef struct Extent {
  int precision, range;
} Extent;

static Extent extent_of(rsh_dtype type) {
  rsh_float f = rsh_dtype_float(type);
  if (f.special == RSH_IEEE && rsh_dtype_bits(type) > 8)
    return (Extent){f.mantissa_bits + 1, f.bias};
  return (Extent){0, 0};
}

bool rsh_is_lossless(rsh_dtype from, rsh_dtype to) {
  Extent have = extent_of(to), need = extent_of(from);
  if (from == RSH_BOOL)
    return to != RSH_F8E8M0 && (rsh_dtype_is_float(to) || rsh_dtype_is_integer(to));
  if (rsh_dtype_is_integer(from)) {
    int bits = rsh_dtype_bits(from) - rsh_dtype_is_signed(from);
    if (rsh_dtype_is_integer(to)) // a sign is lost in an unsigned type, but its bits are not
      return rsh_dtype_bits(to) >= rsh_dtype_bits(from);
    return bits <= have.precision; // and then within its range
  }
  if (need.precision > 0)
    return need.precision <= have.precision && need.range <= have.range;
  return false; // narrow floats differ in infinities and NaN
}

// Whether a cast from `a` to `b` and then to `c` is the same as one from `a` to `c`.
static bool is_one_cast(rsh_dtype a, rsh_dtype b, rsh_dtype c) {
  bool gains_sign = rsh_dtype_is_signed(a) && rsh_dtype_is_integer(b) && !rsh_dtype_is_signed(b);
  bool loses_top = rsh_dtype_is_integer(a) && !rsh_dtype_is_signed(a) && rsh_dtype_is_signed(b) &&
                   rsh_dtype_bits(a) == rsh_dtype_bits(b);
  if (!rsh_is_lossless(a, b))
    return false;
  if (a == c)
    return true;
  // -1 of i8 is 255 of u8, and 300 of u16 is 255 of u8 through f32 but 44 directly.
  return !gains_sign && !loses_top &&
         (rsh_dtype_is_integer(b) || rsh_dtype_is_float(c) || c == RSH_BOOL);
}

static bool same_constants(const rsh_step *a, const rsh_step *b) {
  for (int i = 0; i < RSH_CONSTANTS; i++)
    if (a->constant[i] != b->constant[i])
      return false;
  for (int32_t i = 0; i < a->entries && i < b->entries; i++)
    if (a->table[i].n != b->table[i].n)
      return false;
  return a->tables == b->tables && a->places == b->places && a->divisor == b->divisor &&
         a->entries == b->entries;
}

bool rsh_same_step(const rsh_step *a, const rsh_step *b) {
  return same_constants(a, b) && a->op == b->op && a->from == b->from && a->to == b->to &&
         a->rule.saturate == b->rule.saturate && a->rule.round == b->rule.round;
}

// Whether `next` is a quantize that inverts the dequantize `last`. The f32 of an integer of up to 16 bits has an error
// of less than half a step, as long as no number is too large or too small for full precision.
static bool undoes(const rsh_step *last, const rsh_step *next) {
  return last->op == RSH_OP_DEQUANTIZE && next->op == RSH_OP_QUANTIZE && last->from == next->to &&
         last->to == RSH_F32 && next->from == RSH_F32 && rsh_dtype_is_integer(next->to) &&
         same_constants(last, next) && next->is_moderate;
}

rsh_status rsh_map_add(rsh_maps *maps, int32_t before, const rsh_step *step, int32_t *out) {
  rsh_step next = *step;
  while (next.op == RSH_OP_CAST && next.from != next.to && before != 0) {
    const rsh_step *last = &maps->map[before].step;
    if (last->op != RSH_OP_CAST || last->to != next.from || // a bitcast came between
        !is_one_cast(last->from, last->to, next.to))
      break;
    next.from = last->from;
    before = maps->map[before].before;
  }
  *out = before;
  if (next.op == RSH_OP_CAST && next.from == next.to)
    return RSH_ok;
  if (before != 0 && undoes(&maps->map[before].step, &next)) {
    int64_t places = rsh_map_places(maps, maps->map[before].before);
    *out = maps->map[before].before;
    if (places == 1 ||
        places == maps->map[before].places) // otherwise table positions keep an unused digit
      return RSH_ok;
  }
  for (int32_t i = before + 1; i < maps->count; i++) { // a chain is added after its beginning
    *out = i;
    if (maps->map[i].before == before && rsh_same_step(&maps->map[i].step, &next))
      return RSH_ok;
  }
  if (maps->count == maps->capacity)
    return RSH_too_small;
  maps->map[maps->count].before = before;
  maps->map[maps->count].step = next;
  int64_t places = rsh_map_places(maps, before);
  maps->map[maps->count].places = next.divisor == places ? places * next.places : places;
  *out = maps->count++;
  return RSH_ok;
}

int32_t rsh_table_axis_arg(rsh_op op) {
  return op == RSH_OP_DEQUANTIZE ? 3 : op == RSH_OP_QUANTIZE || op == RSH_OP_REQUANTIZE ? 4 : -1;
}

int64_t rsh_map_places(const rsh_maps *maps, int32_t map) {
  return map == 0 ? 1 : maps->map[map].places;
}

// The step of `map` that directly follows chain `before`.
static const rsh_map *step_after(const rsh_maps *maps, int32_t map, int32_t before) {
  while (maps->map[map].before != before)
    map = maps->map[map].before;
  return &maps->map[map];
}

rsh_dtype rsh_map_takes(const rsh_maps *maps, int32_t map) {
  return step_after(maps, map, 0)->step.from;
}

rsh_status rsh_map_element(const rsh_maps *maps, int32_t map, const void *from, void *to) {
  uint64_t element[2]; // the result of each step but the last
  for (int32_t done = 0; done != map;) {
    const rsh_map *next = step_after(maps, map, done);
    if (next->step.op != RSH_OP_CAST)
      return RSH_unsupported;
    done = (int32_t)(next - maps->map);
    rsh_status status = rsh_convert(from, next->step.from, done == map ? to : element,
                                    next->step.to, next->step.rule);
    if (status != RSH_ok)
      return status;
    from = element;
  }
  return RSH_ok;
}
