// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t %{count:300000}
//
// Symbolic resolve, checked against its meaning. Random calls with symbols in sizes and arguments: the result must
// equal that for every binding of numbers to the symbols. It may always answer unknown_size, but other answers must be
// right, and it must answer often enough.
#include "runtime/resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  SYMBOLS = 3,
  POLYS = 4000,
  TERMS = 40000,
  BINDINGS = 6,
  OPERANDS = 3,
  ENTRIES = 5,
  RESULTS = 4
};

typedef struct Drawn {
  rsh_call call;
  rsh_shape in[OPERANDS];
  const rsh_shape *pointer[OPERANDS];
  rsh_num entry[RSH_MAX_ARGS][ENTRIES];
} Drawn;

static rsh_poly polys[POLYS];
static rsh_term terms[TERMS];
static rsh_symbols symbols;
static rsh_num symbol[SYMBOLS];
static const rsh_dtype types[OPERANDS] = {RSH_F32, RSH_F32, RSH_F32};

static uint64_t state = 2024;
static int pick(int count) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)count);
}

static rsh_num checked(bool fits, rsh_num n) {
  if (!fits) {
    printf("the storage for polynomials is full\n");
    exit(1);
  }
  return n;
}

// A size: small, or a product or sum with symbols. At least 1, except for an occasional plain 0.
static rsh_num draw_size(void) {
  static const int64_t small[] = {1, 1, 1, 2, 2, 3, 4, 6, 12, 0};
  rsh_num n = rsh_int(small[pick(10)]);
  int kind = pick(8);
  if (kind >= 4)
    return n;
  n = checked(rsh_mul(&symbols, rsh_int(1 + pick(3)), symbol[pick(SYMBOLS)], &n), n);
  if (kind == 1)
    n = checked(rsh_mul(&symbols, n, symbol[pick(SYMBOLS)], &n), n);
  if (kind == 2)
    n = checked(rsh_add(&symbols, n, rsh_int(pick(3)), &n), n);
  if (kind == 3)
    n = checked(rsh_add(&symbols, n, symbol[pick(SYMBOLS)], &n), n);
  return n;
}

static rsh_num some_of(const rsh_shape *in) {
  return in->rank > 0 ? in->dim[pick(in->rank)] : rsh_int(1);
}

static rsh_num draw_index(const rsh_shape *in) {
  static const int64_t index[] = {0, 0, 1, 2, -1, -2, 5, INT64_MAX, INT64_MIN};
  return pick(4) == 0 ? some_of(in) : rsh_int(index[pick(9)]);
}

static rsh_num *set(Drawn *d, int arg, int rank, int count) {
  d->call.arg[arg] = (rsh_arg){
      .kind = RSH_ARG_LIST, .rank = rank, .count = count, .dtype = RSH_I64, .list = d->entry[arg]};
  return d->entry[arg];
}

static void draw_target(Drawn *d, const rsh_shape *in) {
  int count = pick(ENTRIES);
  rsh_num *entry = set(d, 0, 1, count);
  for (int i = 0; i < count; i++) {
    int kind = pick(8);
    entry[i] = kind == 0   ? rsh_int(-1)
               : kind == 1 ? rsh_int(0)
               : kind < 6  ? some_of(in)
                           : draw_size();
    rsh_num product;
    if (kind == 5 && rsh_mul(&symbols, entry[i], some_of(in), &product))
      entry[i] = product;
    if (kind > 5 && pick(4) == 0)
      entry[i] = checked(rsh_sub(&symbols, entry[i], rsh_int(pick(4)), &entry[i]), entry[i]);
    if (!rsh_is_known(entry[i])) // sizes, also where they are 0 or -1
      d->call.arg[0].sizes |= UINT32_C(1) << i;
  }
}

static void draw_slice(Drawn *d, const rsh_shape *in) {
  int count = in->rank > 0 ? 1 + pick(in->rank) : 0;
  for (int a = 0; a < 2; a++)
    for (int i = 0; i < count; i++)
      set(d, a, 1, count)[i] = draw_index(in);
  for (int i = 0; pick(2) && i < count; i++)
    set(d, 3, 1, count)[i] = rsh_int(pick(2) ? -1 : 2);
  for (int i = 0; i < count && d->call.arg[3].kind == RSH_ARG_LIST; i++)
    if (rsh_is(d->entry[3][i], 0))
      d->entry[3][i] = rsh_int(1);
}

static void draw_split(Drawn *d, const rsh_shape *in) {
  int count = 1 + pick(RESULTS);
  d->call.out_count = count;
  set(d, 0, 0, 1)[0] = rsh_int(0);
  if (pick(2)) {
    set(d, 1, 0, 1)[0] = rsh_int(count);
    return;
  }
  rsh_num left = in->rank > 0 ? in->dim[0] : rsh_int(0);
  for (int i = 0; i < count; i++) {
    rsh_num part = draw_size();
    set(d, 2, 1, count)[i] = i < count - 1 ? part : left;
    checked(rsh_sub(&symbols, left, part, &left), left);
  }
}

static void draw(Drawn *d) {
  static const rsh_op ops[] = {RSH_OP_RESHAPE,
                               RSH_OP_RESHAPE,
                               RSH_OP_OPENVINO_RESHAPE,
                               RSH_OP_OPENVINO_RESHAPE,
                               RSH_OP_FLATTEN,
                               RSH_OP_SQUEEZE,
                               RSH_OP_SLICE,
                               RSH_OP_SLICE,
                               RSH_OP_EXPAND,
                               RSH_OP_CONCAT,
                               RSH_OP_STACK,
                               RSH_OP_SPLIT,
                               RSH_OP_DEPTH_TO_SPACE,
                               RSH_OP_SPACE_TO_DEPTH};
  memset(d, 0, sizeof *d);
  d->call.op = ops[pick(sizeof ops / sizeof ops[0])];
  d->call.symbols = &symbols;
  d->call.in = d->pointer;
  d->call.in_type = types;
  d->call.out_count = 1;
  bool is_many = d->call.op == RSH_OP_CONCAT || d->call.op == RSH_OP_STACK;
  bool is_blocks = d->call.op == RSH_OP_DEPTH_TO_SPACE || d->call.op == RSH_OP_SPACE_TO_DEPTH;
  d->call.in_count = is_many ? 1 + pick(OPERANDS) : 1;
  rsh_shape *in = d->in;
  in->rank = is_blocks ? 4 : pick(4);
  for (int i = 0; i < in->rank; i++)
    in->dim[i] = draw_size();
  for (int k = 0; k < d->call.in_count; k++) {
    d->in[k] = *in;
    if (k > 0 && in->rank > 0 && pick(2))
      d->in[k].dim[pick(2) ? 0 : in->rank - 1] = draw_size();
    d->pointer[k] = &d->in[k];
  }
  int count = in->rank > 0 ? 1 + pick(in->rank) : 0;
  switch (d->call.op) {
  case RSH_OP_RESHAPE:
  case RSH_OP_OPENVINO_RESHAPE:
    draw_target(d, in);
    set(d, 1, 0, 1)[0] = rsh_int(pick(2));
    break;
  case RSH_OP_FLATTEN:
    set(d, 0, 0, 1)[0] = rsh_int(pick(in->rank + 1));
    break;
  case RSH_OP_SQUEEZE:
    for (int i = 0; i < count; i++)
      set(d, 0, 1, count)[i] = rsh_int(i);
    break;
  case RSH_OP_SLICE:
    draw_slice(d, in);
    break;
  case RSH_OP_EXPAND:
    for (int i = 0; i < count; i++)
      set(d, 0, 1, count)[i] = pick(2) ? in->dim[i + in->rank - count] : draw_size();
    break;
  case RSH_OP_SPLIT:
    draw_split(d, in);
    break;
  case RSH_OP_DEPTH_TO_SPACE:
  case RSH_OP_SPACE_TO_DEPTH:
    set(d, 0, 0, 1)[0] = rsh_int(1 + pick(2));
    break;
  default: // concat, stack
    set(d, 0, 0, 1)[0] = rsh_int(0);
    break;
  }
}

// ---- the same call with numbers for the symbols ----

static bool bind(const int64_t *value, rsh_num *n) {
  int64_t known;
  if (!rsh_eval(&symbols, *n, value, &known))
    return false;
  *n = rsh_int(known);
  return true;
}

static bool bind_shape(const int64_t *value, rsh_shape *shape) {
  bool fits = true;
  for (int i = 0; i < shape->rank; i++)
    fits = fits && bind(value, &shape->dim[i]);
  return fits;
}

static bool bind_call(const int64_t *value, const Drawn *from, Drawn *to) {
  bool fits = true;
  *to = *from;
  to->call.in = to->pointer;
  to->call.symbols = 0;
  for (int k = 0; k < to->call.in_count; k++) {
    to->pointer[k] = &to->in[k];
    fits = fits && bind_shape(value, &to->in[k]);
  }
  for (int a = 0; a < RSH_MAX_ARGS; a++) {
    to->call.arg[a].list = to->entry[a];
    for (int i = 0; i < to->call.arg[a].count; i++)
      fits = fits && bind(value, &to->entry[a][i]);
  }
  return fits;
}

static void put(const char *name, int count, const rsh_num *n) {
  printf(" %s[", name);
  for (int i = 0; i < count; i++)
    printf(" %lld", (long long)n[i].n);
  printf(" ]");
}

static void fail(const Drawn *d, rsh_status symbolic, rsh_status known) {
  printf("%s:", rsh_op_name(d->call.op));
  for (int k = 0; k < d->call.in_count; k++)
    put("in", d->in[k].rank, d->in[k].dim);
  for (int a = 0; a < RSH_MAX_ARGS; a++)
    put("arg", d->call.arg[a].count, d->entry[a]);
  printf(": with symbols %s, with these numbers %s\n", rsh_status_name(symbolic),
         rsh_status_name(known));
  exit(1);
}

static void compare(const Drawn *drawn, rsh_status status, const rsh_shape *out,
                    const int64_t *value) {
  static Drawn bound;
  rsh_shape known[RESULTS], want;
  if (!bind_call(value, drawn, &bound))
    return;
  rsh_status due = rsh_resolve(&bound.call, known, 0);
  if (due == RSH_overflow) // it takes numbers to see that
    return;
  if (due != status)
    fail(&bound, status, due);
  for (int k = 0; status == RSH_ok && k < drawn->call.out_count; k++) {
    want = out[k];
    if (!bind_shape(value, &want) || !rsh_shape_equal(&want, &known[k]))
      fail(&bound, status, due);
  }
}

int main(int argc, char **argv) {
  static const rsh_symbols empty = {
      .poly_capacity = POLYS, .term_capacity = TERMS, .poly = polys, .term = terms};
  int rounds = argc > 1 ? atoi(argv[1]) : 10000;
  int answered = 0, refused = 0, unknown = 0;
  for (int round = 0; round < rounds; round++) {
    static Drawn drawn;
    rsh_shape out[RESULTS];
    symbols = empty;
    for (int i = 0; i < SYMBOLS; i++)
      rsh_symbol(&symbols, &symbol[i]);
    for (int i = 0; i < SYMBOLS; i++)
      symbols.least[i] = 1; // as the bindings are
    draw(&drawn);
    rsh_status status = rsh_resolve(&drawn.call, out, 0);
    unknown += status == RSH_unknown_size;
    answered += status == RSH_ok;
    refused += status != RSH_ok && status != RSH_unknown_size;
    for (int b = 0; b < BINDINGS && status != RSH_unknown_size; b++) {
      int64_t value[RSH_MAX_SYMBOLS] = {0};
      for (int i = 0; i < SYMBOLS; i++)
        value[i] = b == 0 ? 1 : 1 + pick(b < 4 ? 4 : 1000);
      compare(&drawn, status, out, value);
    }
  }
  printf("%d answered, %d refused, %d unknown\n", answered, refused, unknown);
  return answered < rounds / 4 || refused == 0;
}
