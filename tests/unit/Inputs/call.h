// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of an operator, read from one line of text, so that a test can be a table:
//
//   transpose f32[2,B] perm=[1,0]        onnx.reshape f16[6] shape=i64:1 opset=13        split f32[6] parts=3 -> 3
//
// Operands are types; arguments are named as in ops.def, and are an integer, a list, "text", or TYPE:RANK
// for a tensor whose values come later. Numbers are sums of products: 2*B+1. `-> N` asks for N results.
#ifndef TESTS_UNIT_CALL_H
#define TESTS_UNIT_CALL_H

#include "runtime/resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALL_OPERANDS = 4, CALL_RESULTS = 8, CALL_ENTRIES = 40 };

typedef struct Call {
  rsh_call call;
  rsh_shape in[CALL_OPERANDS];
  const rsh_shape *in_pointer[CALL_OPERANDS];
  rsh_dtype type[CALL_OPERANDS];
  rsh_num entry[RSH_MAX_ARGS][CALL_ENTRIES];
  char text[RSH_MAX_ARGS][40];
  rsh_symbols symbols;
  rsh_poly poly[200];
  rsh_term term[2000];
  rsh_num symbol[26];
  const char *at; // what is still to be read
} Call;

static void call_stop(const Call *c, const char *what) {
  printf("cannot read %s at: %s\n", what, c->at);
  exit(1);
}

static bool call_take(Call *c, char mark) {
  while (*c->at == ' ')
    c->at++;
  if (*c->at != mark)
    return false;
  c->at++;
  return true;
}

static size_t call_word(const Call *c) {
  return strspn(c->at, "abcdefghijklmnopqrstuvwxyz0123456789_.");
}

static rsh_num call_factor(Call *c) {
  bool is_negative = call_take(c, '-');
  if (*c->at >= 'A' && *c->at <= 'Z') {
    int letter = *c->at++ - 'A';
    rsh_num minus = rsh_int(is_negative ? -1 : 1), value;
    c->call.symbols = &c->symbols;
    if (rsh_is(c->symbol[letter], 0)) {
      if (!rsh_symbol(&c->symbols, &c->symbol[letter]))
        call_stop(c, "another symbol");
      c->symbols.least[c->symbols.symbol_count - 1] = 1; // sizes of these calls are
    }
    if (!rsh_mul(&c->symbols, minus, c->symbol[letter], &value))
      call_stop(c, "a number that fits");
    return value;
  }
  char *end;
  if (*c->at < '0' || *c->at > '9')
    call_stop(c, "a number");
  uint64_t value = strtoull(c->at, &end, 10);
  c->at = end;
  return rsh_int((int64_t)(is_negative ? UINT64_C(0) - value : value));
}

static rsh_num call_number(Call *c) {
  rsh_num sum = rsh_int(0);
  do {
    rsh_num product = call_factor(c);
    while (call_take(c, '*'))
      if (!rsh_mul(&c->symbols, product, call_factor(c), &product))
        call_stop(c, "a product that fits");
    if (!rsh_add(&c->symbols, sum, product, &sum))
      call_stop(c, "a sum that fits");
  } while (call_take(c, '+') || (c->at[0] == '-' && c->at[1] != '>'));
  return sum;
}

// The numbers up to a ']'.
static int32_t call_numbers(Call *c, rsh_num *out, int32_t capacity) {
  int32_t count = 0;
  while (!call_take(c, ']')) {
    if (count == capacity)
      call_stop(c, "fewer numbers");
    out[count++] = call_number(c);
    call_take(c, ',');
  }
  return count;
}

static rsh_dtype call_dtype(Call *c) {
  size_t length = call_word(c);
  rsh_dtype type = rsh_dtype_find(c->at, length);
  if (type == RSH_DTYPE_NONE)
    call_stop(c, "an element type");
  c->at += length;
  return type;
}

static void call_operand(Call *c) {
  if (c->call.in_count == CALL_OPERANDS)
    call_stop(c, "fewer operands");
  rsh_shape *shape = &c->in[c->call.in_count];
  c->in_pointer[c->call.in_count] = shape;
  c->type[c->call.in_count++] = call_dtype(c);
  shape->rank = 0;
  for (int32_t i = 0; i < RSH_MAX_RANK; i++) // nobody may look past the rank
    shape->dim[i] = rsh_int(1000 + c->call.in_count);
  if (!call_take(c, '['))
    return;
  if (call_take(c, '*')) {
    shape->rank = RSH_RANK_UNKNOWN;
    call_take(c, ']');
    return;
  }
  shape->rank = call_numbers(c, shape->dim, RSH_MAX_RANK);
}

// Index of the argument with this name: names are separated by spaces and '|', kinds follow a ':'.
static int call_position(const Call *c, const char *name, size_t length) {
  const char *row = rsh_op_arguments(c->call.op);
  for (int position = 0; *row != '\0'; position++) {
    while (*row != ' ' && *row != '\0') {
      size_t word = strcspn(row, "|: ");
      if (word == length && strncmp(row, name, length) == 0)
        return position;
      row += word;
      row += row[0] == '|' ? 1 : strcspn(row, " ");
    }
    row += strspn(row, " ");
  }
  call_stop(c, "an argument's name");
  return -1;
}

static void call_argument(Call *c) {
  size_t length = call_word(c);
  int position = call_position(c, c->at, length);
  rsh_arg *arg = &c->call.arg[position];
  c->at += length;
  if (!call_take(c, '='))
    call_stop(c, "a '='");
  arg->kind = RSH_ARG_LIST;
  arg->dtype = RSH_I64;
  arg->list = c->entry[position];
  if (call_take(c, '"')) {
    size_t end = strcspn(c->at, "\"");
    memcpy(c->text[position], c->at, end);
    arg->kind = RSH_ARG_TEXT;
    arg->text = c->text[position];
    c->at += end + 1;
  } else if (call_take(c, '[')) {
    for (arg->rank = 1; call_take(c, '['); arg->rank++) // nested: the rank is all that is kept
      arg->list = 0;
    arg->count = call_numbers(c, c->entry[position], CALL_ENTRIES);
    for (int32_t i = 1; i < arg->rank; i++)
      call_take(c, ']');
  } else if (*c->at >= 'a' && *c->at <= 'z') {
    arg->kind = RSH_ARG_TENSOR;
    arg->dtype = call_dtype(c);
    arg->rank = call_take(c, ':') ? (int32_t)call_number(c).n : 1;
    arg->count = -1;
  } else {
    arg->count = 1;
    c->entry[position][0] = call_number(c);
  }
}

static rsh_op call_op(Call *c) {
  size_t length = call_word(c);
  for (int op = 0; op < RSH_OP_COUNT; op++) {
    const char *name = rsh_op_name((rsh_op)op);
    if (strlen(name) == length && strncmp(name, c->at, length) == 0) {
      c->at += length;
      return (rsh_op)op;
    }
  }
  call_stop(c, "an operator");
  return RSH_OP_COUNT;
}

static void call_read(Call *c, const char *text) {
  memset(c, 0, sizeof *c);
  c->symbols.poly = c->poly;
  c->symbols.poly_capacity = (int32_t)(sizeof c->poly / sizeof c->poly[0]);
  c->symbols.term = c->term;
  c->symbols.term_capacity = (int32_t)(sizeof c->term / sizeof c->term[0]);
  c->at = text;
  c->call.in = c->in_pointer;
  c->call.in_type = c->type;
  c->call.op = call_op(c);
  c->call.out_count = 1;
  while (call_take(c, ' ') || *c->at != '\0') {
    size_t length = call_word(c);
    if (c->at[0] == '-' && c->at[1] == '>') {
      c->at += 2;
      call_take(c, ' ');
      c->call.out_count = (int32_t)call_number(c).n;
    } else if (c->at[length] == '=') {
      call_argument(c);
    } else {
      call_operand(c);
    }
  }
}

// The next shape, "[2,B]", of a text that c->at was set to. The same symbols give the same numbers.
static inline void call_shape(Call *c, rsh_shape *out) {
  if (!call_take(c, '['))
    call_stop(c, "a '['");
  out->rank = call_numbers(c, out->dim, RSH_MAX_RANK);
}

#endif
