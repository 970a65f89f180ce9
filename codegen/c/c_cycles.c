// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A permutation of one buffer in place as C, as emit_cycles.c makes it: an element at a time.
#include "codegen/c/c_internal.h"

#include <inttypes.h>

// The function that gives the piece which goes to a place, and what it takes after that: numbers that depend on sizes.
typedef struct From {
  const char *name, *arguments, *parameters;
} From;

// A number of it; `name`: of its parameter.
static const char *number(CKernel *k, From *from, rsh_num n, const char *name) {
  Arena *arena = k->file->arena;
  if (rsh_is_known(n))
    return arena_printf(arena, "%" PRId64 "U", n.n);
  from->arguments = arena_printf(arena, "%s, %s", from->arguments, c_number(k, n, false));
  from->parameters = arena_printf(arena, "%s, size_t %s", from->parameters, name);
  return name;
}

static From put_source(CKernel *k, const Cycles *c) {
  CFile *file = k->file;
  From from = {.arguments = "", .parameters = ""};
  CText body = {.arena = file->arena};
  from.name = name_unique(&file->names, arena_printf(file->arena, "%s_from", k->name));
  c_put(&body, "  size_t rest = place;\n  size_t from = %s;\n",
        number(k, &from, c->first, "first"));
  for (int i = 0; i < c->digit_count; i++) {
    const Loop *digit = &c->digit[i];
    bool is_backward = digit->src.n < 0;
    rsh_num stride = {is_backward ? -digit->src.n : digit->src.n, digit->src.poly};
    const char *n = "rest", *weight = "";
    if (!rsh_is(digit->dst, 1)) {
      weight = number(k, &from, digit->dst, arena_printf(file->arena, "weight_%d", i));
      n = arena_printf(file->arena, "(rest / %s)", weight);
    }
    if (!rsh_is(stride, 1))
      n = arena_printf(file->arena, "%s * %s", n,
                       number(k, &from, stride, arena_printf(file->arena, "stride_%d", i)));
    c_put(&body, "  from %c= %s;\n", is_backward ? '-' : '+', n);
    if (i + 1 < c->digit_count)
      c_put(&body, "  rest %%= %s;\n", weight);
  }
  c_put(&file->helpers,
        "\n/* The piece that goes to a place. */\nstatic size_t %s(size_t place%s) {\n%.*s"
        "  return from;\n}\n",
        from.name, from.parameters, body.letter.count, body.letter.item);
  return from;
}

// The element of a piece that is being moved: "y[i + 4U * place]".
static const char *element(CKernel *k, const char *buffer, const CSum *at, rsh_num count,
                           const char *piece) {
  CSum sum = c_sum_copy(k, at);
  c_add(k, &sum, count, piece);
  return arena_printf(k->file->arena, "%s[%s]", buffer, c_sum(k, &sum));
}

static void put_cycle(CKernel *k, const From *from, const char *buffer, rsh_dtype type,
                      const CSum *at, rsh_num count) {
  c_line(k, "%ssaved = %s;", c_element(k->file->arena, type, false),
         element(k, buffer, at, count, "leader"));
  c_line(k, "size_t place = leader;");
  c_line(k, "size_t from = %s(place%s);", from->name, from->arguments);
  c_line(k, "while (from != leader) {");
  c_line(k, "  %s = %s;", element(k, buffer, at, count, "place"),
         element(k, buffer, at, count, "from"));
  c_line(k, "  place = from;");
  c_line(k, "  from = %s(place%s);", from->name, from->arguments);
  c_line(k, "}");
  c_line(k, "%s = saved;", element(k, buffer, at, count, "place"));
}

// Pieces that change places with each other.
static void put_swaps(CKernel *k, const Cycles *c, const char *buffer, rsh_dtype type,
                      const CSum *at) {
  rsh_num count = c_divided(c->piece, c_unit(type));
  CSum place = {0}, from = {0};
  int outside = k->depth;
  c_add(k, &from, c->first, NULL);
  for (int i = 0; i < c->digit_count; i++) {
    const char *index = name_unique(&k->locals, arena_printf(k->file->arena, "digit_%d", i));
    c_line(k, "for (size_t %s = 0; %s < %s; %s++) {", index, index,
           c_number(k, c->digit[i].extent, false), index);
    c_add(k, &place, c->digit[i].dst, index);
    c_add(k, &from, c->digit[i].src, index);
    k->depth++;
  }
  c_line(k, "const size_t place = %s;", c_sum(k, &place));
  c_line(k, "const size_t from = %s;", c_sum(k, &from));
  c_line(k, "if (place < from) {");
  c_line(k, "  %ssaved = %s;", c_element(k->file->arena, type, false),
         element(k, buffer, at, count, "place"));
  c_line(k, "  %s = %s;", element(k, buffer, at, count, "place"),
         element(k, buffer, at, count, "from"));
  c_line(k, "  %s = saved;", element(k, buffer, at, count, "from"));
  c_line(k, "}");
  while (k->depth > outside) {
    k->depth--;
    c_line(k, "}");
  }
}

static void put_cycles(CKernel *k, const Cycles *c, const char *buffer, rsh_dtype type,
                       const CSum *at) {
  rsh_num count = c_divided(c->piece, c_unit(type));
  From from = put_source(k, c);
  if (c->leader) {
    const char *table = c_table(k, c->leader, (int)c->cycles, 1, "leaders");
    c_line(k, "for (size_t cycle = 0; cycle < %" PRId64 "U; cycle++) {", c->cycles);
    k->depth++;
    c_line(k, "const size_t leader = %s[cycle];", table);
    put_cycle(k, &from, buffer, type, at, count);
  } else {
    c_line(k, "for (size_t leader = 0; leader < %s; leader++) {", c_number(k, c->count, false));
    k->depth++;
    c_line(k, "size_t lowest = %s(leader%s);", from.name, from.arguments);
    c_line(k, "while (lowest > leader) {");
    c_line(k, "  lowest = %s(lowest%s);", from.name, from.arguments);
    c_line(k, "}");
    c_line(k, "if (lowest == leader) {");
    k->depth++;
    put_cycle(k, &from, buffer, type, at, count);
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
    c_line(k, "for (size_t %s = 0; %s < %s; %s++) {", index, index,
           c_number(k, c->batch[i].extent, false), index);
    c_add(k, &at, c_divided(c->batch[i].dst, unit), index);
    k->depth++;
  }
  if (!rsh_is(c->piece, unit)) {
    const char *index = name_unique(&k->locals, "part");
    c_line(k, "for (size_t %s = 0; %s < %s; %s++) {", index, index,
           c_number(k, c_divided(c->piece, unit), false), index);
    c_add(k, &at, rsh_int(1), index);
    k->depth++;
  }
  if (c->swaps)
    put_swaps(k, c, buffer, type, &at);
  else
    put_cycles(k, c, buffer, type, &at);
  while (k->depth > outside) {
    k->depth--;
    c_line(k, "}");
  }
}
