// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of an operator, read from one line of text, so that a test can be a table:
//
//   transpose f32[2,B] perm=[1,0]        onnx.reshape f16[6] shape=i64:1 opset=13        split f32[6] parts=3 -> 3
//
// Operands are types; arguments are named as in ops.def, and are an integer, a list, "text", or TYPE:RANK
// for a tensor whose values come later. Numbers are sums of products: 2*B+1. `-> N` asks for N results. Also:
//
//   open squeeze f32[?,?1..4]       room for unknown numbers and conditions; ? is any size, ?1..4 one of 1 to 4
//   empty slice f32[B]              the symbols may be 0; in other calls they are at least 1
//   tile f32[2,3] repeats={?,2}     a list that is data, i64 or i32{?,2}; ? is any integer
//   reshape f32[B] shape=[=B-1]     an entry that is a size even if it is 0 or -1
//   add f32[2,3] value=#[7,8,9]     a table of elements by their bits; #7 is one element; #~[7,8,9]: they are gone
#ifndef TESTS_UNIT_CALL_H
#define TESTS_UNIT_CALL_H

#include "runtime/resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  CALL_OPERANDS = 4,
  CALL_RESULTS = 8,
  CALL_ENTRIES = 300,
  CALL_UNKNOWN = 100,
  CALL_CONDITIONS = 6
};

typedef struct Call {
  rsh_call call;
  rsh_shape in[CALL_OPERANDS];
  const rsh_shape *in_pointer[CALL_OPERANDS];
  rsh_dtype type[CALL_OPERANDS];
  rsh_num entry[RSH_MAX_ARGS][CALL_ENTRIES];
  char text[RSH_MAX_ARGS][40];
  int32_t dims[RSH_MAX_ARGS][RSH_MAX_RANK + 1]; // of nested lists and tables
  rsh_symbols symbols;
  rsh_poly poly[200];
  rsh_term term[2000];
  rsh_num symbol[26];
  rsh_interval unknown[CALL_UNKNOWN];
  rsh_condition condition[CALL_CONDITIONS];
  int64_t least_unknown; // of a '?' without bounds
  int64_t least_symbol;
  const char *at; // the rest of the text
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

static int64_t call_integer(Call *c) {
  bool is_negative = call_take(c, '-');
  char *end;
  if (*c->at < '0' || *c->at > '9')
    call_stop(c, "a number");
  uint64_t value = strtoull(c->at, &end, 10);
  c->at = end;
  return (int64_t)(is_negative ? UINT64_C(0) - value : value);
}

static bool call_at(const Call *c, const char *text) {
  return strncmp(c->at, text, strlen(text)) == 0;
}

static bool call_words(Call *c, const char *words) {
  call_take(c, ' ');
  bool is_next = call_at(c, words);
  c->at += is_next ? strlen(words) : 0;
  return is_next;
}

// The bounds after a '?': least..most, either of which may be omitted.
static rsh_interval call_bounds(Call *c) {
  rsh_interval bounds = {c->least_unknown, INT64_MAX};
  if (strchr(",]} +*", *c->at) != 0)
    return bounds;
  if (!call_at(c, ".."))
    bounds.least = call_integer(c);
  if (!call_at(c, ".."))
    call_stop(c, "..");
  c->at += 2;
  if (strchr(",]} +*", *c->at) == 0)
    bounds.most = call_integer(c);
  return bounds;
}

static rsh_num call_factor(Call *c) {
  if (call_take(c, '?')) {
    rsh_interval bounds = call_bounds(c);
    c->call.symbols = &c->symbols;
    return rsh_unknown(&c->symbols, bounds.least, bounds.most);
  }
  bool is_negative = call_take(c, '-');
  if (*c->at >= 'A' && *c->at <= 'Z') {
    int letter = *c->at++ - 'A';
    rsh_num minus = rsh_int(is_negative ? -1 : 1), value;
    c->call.symbols = &c->symbols;
    if (rsh_is(c->symbol[letter], 0)) {
      if (!rsh_symbol(&c->symbols, &c->symbol[letter]))
        call_stop(c, "another symbol");
      c->symbols.least[c->symbols.symbol_count - 1] = c->least_symbol;
    }
    if (!rsh_mul(&c->symbols, minus, c->symbol[letter], &value))
      call_stop(c, "a number that fits");
    return value;
  }
  int64_t value = call_integer(c);
  return rsh_int(is_negative ? (int64_t)(UINT64_C(0) - (uint64_t)value) : value);
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

// The numbers up to an `end`. Sets bit i of `sizes` if number i follows a '='.
static int32_t call_numbers(Call *c, rsh_num *out, int32_t capacity, char end, uint32_t *sizes) {
  int32_t count = 0;
  while (!call_take(c, end)) {
    if (count == capacity)
      call_stop(c, "fewer numbers");
    if (call_take(c, '='))
      *sizes |= UINT32_C(1) << count;
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
  c->least_unknown = 0;
  shape->rank = call_numbers(c, shape->dim, RSH_MAX_RANK, ']', 0);
}

// Index of the argument with this name, and its kind: names are separated by spaces and '|', kinds follow a ':'.
static int call_position(const Call *c, const char *name, size_t length, const char **kind) {
  const char *row = rsh_op_arguments(c->call.op);
  for (int position = 0; *row != '\0'; position++) {
    while (*row != ' ' && *row != '\0') {
      size_t word = strcspn(row, "|: ");
      if (word == length && strncmp(row, name, length) == 0) {
        *kind = row + strcspn(row, ": ") + 1;
        return position;
      }
      row += word;
      row += row[0] == '|' ? 1 : strcspn(row, " ");
    }
    row += strspn(row, " ");
  }
  call_stop(c, "an argument's name");
  return -1;
}

// The numbers of a list whose '[' was taken, in row-major order. The first list of each depth sets all lengths.
static void call_nested(Call *c, int position, int depth) {
  rsh_arg *arg = &c->call.arg[position];
  int32_t length = 0;
  for (; !call_take(c, ']'); length++) {
    if (arg->count == CALL_ENTRIES)
      call_stop(c, "fewer numbers");
    if (call_take(c, '['))
      call_nested(c, position, depth + 1);
    else
      c->entry[position][arg->count++] = call_number(c);
    call_take(c, ',');
  }
  c->dims[position][depth] = length;
  if (arg->rank <= depth)
    arg->rank = depth + 1;
}

// Parses the text after '#'.
static void call_value(Call *c, int position) {
  rsh_arg *arg = &c->call.arg[position];
  arg->kind = RSH_ARG_VALUE;
  if (call_take(c, '~'))
    arg->list = 0;
  if (call_take(c, '[')) {
    call_nested(c, position, 0);
    arg->dims = c->dims[position];
  } else {
    c->entry[position][arg->count++] = call_number(c);
  }
}

// Parses the text after '{'.
static void call_data(Call *c, int position) {
  rsh_arg *arg = &c->call.arg[position];
  arg->kind = RSH_ARG_TENSOR;
  arg->rank = 1;
  arg->count = call_numbers(c, c->entry[position], CALL_ENTRIES, '}', &arg->sizes);
}

static void call_argument(Call *c) {
  const char *kind = "";
  size_t length = call_word(c);
  int position = call_position(c, c->at, length, &kind);
  rsh_arg *arg = &c->call.arg[position];
  c->at += length;
  if (!call_take(c, '='))
    call_stop(c, "a '='");
  arg->kind = RSH_ARG_LIST;
  arg->dtype = RSH_I64;
  arg->list = c->entry[position];
  c->least_unknown = INT64_MIN;
  bool is_word = *c->at >= 'a' && *c->at <= 'z';
  if (call_take(c, '"')) {
    size_t end = strcspn(c->at, "\"");
    memcpy(c->text[position], c->at, end);
    arg->kind = RSH_ARG_TEXT;
    arg->text = c->text[position];
    c->at += end + 1;
  } else if (call_take(c, '#')) {
    call_value(c, position);
  } else if (call_take(c, '{')) {
    call_data(c, position);
  } else if (call_at(c, "[[")) {
    c->at++;
    call_nested(c, position, 0);
    if (strncmp(kind, "indices", 7) == 0 && arg->count > 0)
      arg->dims = c->dims[position];
    else // takes no nested lists: the rank is all that is kept
      arg->list = 0;
  } else if (call_take(c, '[')) {
    arg->rank = 1;
    arg->count = call_numbers(c, c->entry[position], CALL_ENTRIES, ']', &arg->sizes);
  } else if (is_word && strncmp(kind, "dtype", 5) == 0) {
    arg->count = 1;
    c->entry[position][0] = rsh_int(call_dtype(c));
  } else if (is_word) {
    arg->kind = RSH_ARG_TENSOR;
    arg->dtype = call_dtype(c);
    if (call_take(c, '{')) {
      call_data(c, position);
    } else {
      arg->rank = call_take(c, ':') ? (int32_t)call_number(c).n : 1;
      arg->count = -1;
      arg->list = 0;
    }
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

static void call_parse(Call *c, const char *text) {
  c->at = text;
  c->least_symbol = !call_words(c, "empty ");
  if (call_words(c, "open ")) {
    c->call.symbols = &c->symbols;
    c->symbols.unknown = c->unknown;
    c->symbols.unknown_capacity = CALL_UNKNOWN;
    c->symbols.condition = c->condition;
    c->symbols.condition_capacity = CALL_CONDITIONS;
  }
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

static void call_read(Call *c, const char *text) {
  memset(c, 0, sizeof *c);
  c->symbols.poly = c->poly;
  c->symbols.poly_capacity = (int32_t)(sizeof c->poly / sizeof c->poly[0]);
  c->symbols.term = c->term;
  c->symbols.term_capacity = (int32_t)(sizeof c->term / sizeof c->term[0]);
  call_parse(c, text);
}

// A call with the symbols and the storage of another.
static inline void call_read_after(Call *c, const Call *before, const char *text) {
  memset(c, 0, sizeof *c);
  c->symbols = before->symbols;
  memcpy(c->symbol, before->symbol, sizeof c->symbol);
  c->call.symbols = before->call.symbols != 0 ? &c->symbols : 0;
  call_parse(c, text);
}

// The next shape, "[2,B]", of a text that c->at was set to. The same symbols give the same numbers.
static inline void call_shape(Call *c, rsh_shape *out) {
  if (!call_take(c, '['))
    call_stop(c, "a '['");
  out->rank = call_numbers(c, out->dim, RSH_MAX_RANK, ']', 0);
}

#endif
