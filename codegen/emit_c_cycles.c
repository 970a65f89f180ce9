// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A permutation of one buffer in place as C, as emit_cycles.c makes it: an element at a time.
#include "codegen/emit_c.h"

#include <inttypes.h>

// The function that gives the piece which goes to a place.
static const char *put_source(CKernel *k, const Cycles *c) {
  CFile *file = k->file;
  const char *name = name_unique(&file->names, arena_printf(file->arena, "%s_from", k->name));
  c_put(&file->helpers,
        "\n/* The piece that goes to a place. */\nstatic size_t %s(size_t place) {\n"
        "  size_t rest = place;\n  size_t from = %" PRId64 "U;\n",
        name, c->first);
  for (int i = 0; i < c->digit_count; i++) {
    const Loop *digit = &c->digit[i];
    int64_t stride = digit->src.n < 0 ? -digit->src.n : digit->src.n;
    const char *n = "rest";
    if (digit->dst.n > 1)
      n = arena_printf(file->arena, "(rest / %" PRId64 "U)", digit->dst.n);
    if (stride > 1)
      n = arena_printf(file->arena, "%s * %" PRId64 "U", n, stride);
    c_put(&file->helpers, "  from %c= %s;\n", digit->src.n < 0 ? '-' : '+', n);
    if (i + 1 < c->digit_count)
      c_put(&file->helpers, "  rest %%= %" PRId64 "U;\n", digit->dst.n);
  }
  c_put(&file->helpers, "  return from;\n}\n");
  return name;
}

// The element of a piece that is being moved: "y[i + 4U * place]".
static const char *element(CKernel *k, const char *buffer, const CSum *at, int64_t count,
                           const char *piece) {
  CSum sum = c_sum_copy(k, at);
  c_add(k, &sum, rsh_int(count), piece);
  return arena_printf(k->file->arena, "%s[%s]", buffer, c_sum(k, &sum));
}

static void put_cycle(CKernel *k, const char *from, const char *buffer, rsh_dtype type,
                      const CSum *at, int64_t count) {
  c_line(k, "%ssaved = %s;", c_element(k->file->arena, type, false),
         element(k, buffer, at, count, "leader"));
  c_line(k, "size_t place = leader;");
  c_line(k, "size_t from = %s(place);", from);
  c_line(k, "while (from != leader) {");
  c_line(k, "  %s = %s;", element(k, buffer, at, count, "place"),
         element(k, buffer, at, count, "from"));
  c_line(k, "  place = from;");
  c_line(k, "  from = %s(place);", from);
  c_line(k, "}");
  c_line(k, "%s = saved;", element(k, buffer, at, count, "place"));
}

static void put_cycles(CKernel *k, const Cycles *c, const char *buffer, rsh_dtype type,
                       const CSum *at) {
  int64_t count = c->piece / c_unit(type);
  const char *from = put_source(k, c);
  if (c->leader) {
    const char *table = c_table(k, c->leader, (int)c->cycles, 1, "leaders");
    c_line(k, "for (size_t cycle = 0; cycle < %" PRId64 "U; cycle++) {", c->cycles);
    k->depth++;
    c_line(k, "const size_t leader = %s[cycle];", table);
    put_cycle(k, from, buffer, type, at, count);
  } else {
    c_line(k, "for (size_t leader = 0; leader < %" PRId64 "U; leader++) {", c->count);
    k->depth++;
    c_line(k, "size_t lowest = %s(leader);", from);
    c_line(k, "while (lowest > leader) {");
    c_line(k, "  lowest = %s(lowest);", from);
    c_line(k, "}");
    c_line(k, "if (lowest == leader) {");
    k->depth++;
    put_cycle(k, from, buffer, type, at, count);
    k->depth--;
    c_line(k, "}");
  }
  k->depth--;
  c_line(k, "}");
}

void c_put_cycles(CKernel *k, const Cycles *c, const char *buffer, rsh_dtype type) {
  int64_t unit = c_unit(type), outside = k->depth;
  CSum at = {0};
  for (int i = 0; i < c->batch_count; i++) {
    const char *index = name_unique(&k->locals, arena_printf(k->file->arena, "batch_%d", i));
    c_line(k, "for (size_t %s = 0; %s < %" PRId64 "U; %s++) {", index, index, c->batch[i].extent.n,
           index);
    c_add(k, &at, c_divided(c->batch[i].dst, unit), index);
    k->depth++;
  }
  if (c->piece > unit) {
    const char *index = name_unique(&k->locals, "part");
    c_line(k, "for (size_t %s = 0; %s < %" PRId64 "U; %s++) {", index, index, c->piece / unit,
           index);
    c_add(k, &at, rsh_int(1), index);
    k->depth++;
  }
  put_cycles(k, c, buffer, type, &at);
  while (k->depth > outside) {
    k->depth--;
    c_line(k, "}");
  }
}
