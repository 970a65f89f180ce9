// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Triangles of matrices whose sizes only the call knows. A matrix is sheared, so that its diagonals become columns:
// with its rows reversed, each begins one element after the row before. Columns are replaced by zeros, and it is
// sheared back.
//
//   a b c      d e f . .      0 0 f . .      0 b c
//   d e f      . a b c .      . 0 b c .      0 0 f      Trilu, upper=1, k=1
//
// The shear is a reshape: rows of 6 elements become rows of 5, without the last 2 elements.
#include "frontend/onnx/onnx_internal.h"

typedef struct Matrix {
  rsh_shape outer; // without the last two axes
  rsh_num rows, columns, width, count, padded_width, padded_count;
} Matrix;

static bool find_sizes(rsh_symbols *s, const rsh_shape *shape, Matrix *m) {
  m->outer = *shape;
  m->outer.rank -= 2;
  m->rows = shape->dim[m->outer.rank];
  m->columns = shape->dim[m->outer.rank + 1];
  return rsh_add(s, m->rows, m->columns, &m->width) &&
         rsh_add(s, m->width, rsh_int(1), &m->padded_width) &&
         rsh_mul(s, m->rows, m->width, &m->count) &&
         rsh_mul(s, m->rows, m->padded_width, &m->padded_count);
}

static Value *as_list(Visit *v, Value *x, const Matrix *m, rsh_num count) {
  rsh_shape shape = m->outer;
  shape.dim[shape.rank++] = count;
  return step_shape(v, x, &shape);
}

static Value *as_rows(Visit *v, Value *x, const Matrix *m, rsh_num width) {
  rsh_shape shape = m->outer;
  shape.dim[shape.rank++] = m->rows;
  shape.dim[shape.rank++] = width;
  return step_shape(v, x, &shape);
}

static Value *shear(Visit *v, Value *x, const Matrix *m) {
  const rsh_num zero = rsh_int(0);
  int32_t axis = m->outer.rank;
  rsh_num more;
  if (!rsh_add(symbols_of(v), m->rows, rsh_int(1), &more))
    return NULL;
  x = step_pad(v, step_flip(v, x, axis), axis + 1, zero, more, NULL);
  x = step_slice(v, as_list(v, x, m, m->padded_count), zero, m->count, axis);
  return as_rows(v, x, m, m->width);
}

static Value *shear_back(Visit *v, Value *x, const Matrix *m) {
  const rsh_num zero = rsh_int(0);
  int32_t axis = m->outer.rank;
  x = step_pad(v, as_list(v, x, m, m->count), axis, zero, m->rows, NULL);
  x = step_slice(v, as_rows(v, x, m, m->padded_width), zero, m->columns, axis + 1);
  return step_flip(v, x, axis);
}

// The sheared column of the first diagonal that is kept (upper), or is not (lower). Rows are reversed, so that of k = 0
// is the last one of the first column.
static bool find_column(const Visit *v, const Matrix *m, rsh_num k, bool is_upper, rsh_num *out) {
  rsh_symbols *s = symbols_of(v);
  rsh_num low[2] = {rsh_int(0)}, high[2] = {m->width};
  return rsh_add(s, m->rows, rsh_int(-is_upper), &low[1]) && rsh_add(s, low[1], k, &low[1]) &&
         sizes_extreme(v, 1, low, &high[1]) && sizes_extreme(v, -1, high, out);
}

// Finds the sizes and the column of diagonal k. False: an error was reported.
static bool measure(Visit *v, const Value *x, rsh_num k, bool is_upper, Matrix *m,
                    rsh_num *column) {
  return (find_sizes(symbols_of(v), &x->shape, m) && find_column(v, m, k, is_upper, column)) ||
         onnx_error(v, "limit", "'%s' of too many sizes known only at run time", v->op);
}

Value *diagonals_triangle(Visit *v, Value *x, rsh_num k, bool is_upper) {
  const rsh_num zero = rsh_int(0);
  int32_t axis = x->shape.rank - 1;
  rsh_num column, rest;
  Matrix m;
  if (!measure(v, x, k, is_upper, &m, &column) || !rsh_sub(symbols_of(v), m.width, column, &rest))
    return NULL;
  x = shear(v, x, &m);
  x = is_upper ? step_pad(v, step_slice(v, x, column, m.width, axis), axis, column, zero, NULL)
               : step_pad(v, step_slice(v, x, zero, column, axis), axis, zero, rest, NULL);
  return shear_back(v, x, &m);
}

Value *diagonals_join(Visit *v, Value *above, Value *below, rsh_num k) {
  int32_t axis = above ? above->shape.rank - 1 : 0;
  rsh_num column;
  Matrix m;
  if (!above || !below || !measure(v, above, k, true, &m, &column))
    return NULL;
  above = step_slice(v, shear(v, above, &m), column, m.width, axis);
  below = step_slice(v, shear(v, below, &m), rsh_int(0), column, axis);
  return shear_back(v, step_join(v, below, above, axis), &m);
}
