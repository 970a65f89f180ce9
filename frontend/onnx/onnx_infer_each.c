// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules: elementwise operators, reductions, products, normalizations, recurrent layers.
#include "frontend/onnx/onnx_infer.h"

#include <string.h>

// ---- Elementwise

// Two open sizes: which of them is 1, if any, is unknown.
//   S of the tokens, min(S, 512) of the positions            S
//   S of the queries, either(S, S+P) rows of a bias [-S:]    S
//   q*r, 2*H, with q = 2*H / r                               2*H
static rsh_num broadcast_open(const Infer *f, rsh_num a, rsh_num b) {
  const Lower *l = &f->v->r->data;
  const rsh_symbols *s = l->graph->symbols;
  if (rsh_at_most(s, a, b) && rsh_at_most(s, b, a)) // edges come after the sizes of inputs
    return rsh_atoms_of(s, a) < rsh_atoms_of(s, b) ? a : b;
  return edge_fits_only(l, b, a) ? a : edge_fits_only(l, a, b) ? b : infer_open(f);
}

// One axis of a broadcast. False: the sizes do not fit.
static bool broadcast_dim(const Infer *f, rsh_num *size, rsh_num own) {
  bool is_size = rsh_is_known(*size), is_own = rsh_is_known(own);
  bool is_misfit = is_size && is_own && size->n != own.n && size->n != 1 && own.n != 1;
  if (is_misfit)
    *f->misfit = arena_printf(f->v->r->arena, "sizes %lld and %lld do not broadcast",
                              (long long)size->n, (long long)own.n);
  else if (rsh_is(*size, 1) || (!is_size && is_own && own.n != 1))
    *size = own;
  else if (!is_size && !is_own && !rsh_equal(*size, own))
    *size = broadcast_open(f, *size, own);
  return !is_misfit;
}

static bool broadcast(const Infer *f, rsh_shape *shape, const rsh_shape *with) {
  rsh_shape wide = shape->rank >= with->rank ? *shape : *with;
  const rsh_shape *other = shape->rank >= with->rank ? with : shape;
  for (int32_t k = 0; k < other->rank; k++)
    if (!broadcast_dim(f, &wide.dim[wide.rank - 1 - k], other->dim[other->rank - 1 - k]))
      return false;
  *shape = wide;
  return true;
}

void infer_broadcast(Infer *f) {
  rsh_shape all = {0}, one;
  for (size_t i = 0; i < f->v->node->n_input; i++)
    if (!infer_in(f, i, &one) || !broadcast(f, &all, &one))
      return;
  f->out[0].shape = all;
}

void infer_same(Infer *f) {
  rsh_shape in;
  for (size_t i = 0; i < f->count && infer_in(f, (size_t)f->which, &in); i++)
    f->out[i].shape = in;
}

void infer_scalar(Infer *f) { f->out[0].shape = (rsh_shape){0}; }

void infer_first_and_scalars(Infer *f) {
  infer_same(f);
  for (size_t i = 1; i < f->count; i++)
    f->out[i].shape = (rsh_shape){0};
}

void infer_expand(Infer *f) {
  rsh_shape in, target = {0};
  int32_t rank;
  const Numbers *known = infer_known(f, 1);
  if (!infer_in(f, 0, &in))
    return;
  for (int32_t i = 0; known && i < known->count; i++)
    infer_append(&target, known->item[i]);
  if (known && target.rank != RSH_RANK_UNKNOWN && broadcast(f, &target, &in))
    f->out[0].shape = target;
  else if (!known && infer_length(f, 1, &rank))
    infer_all_open(f, &f->out[0].shape, rank > in.rank ? rank : in.rank);
}

// ---- Reductions

static void reduce_axes(Infer *f, const rsh_shape *in, uint32_t set, bool keeps) {
  rsh_shape out = {0};
  for (int32_t i = 0; i < in->rank; i++) {
    bool is_reduced = set >> i & 1;
    if (!is_reduced || keeps)
      infer_append(&out, is_reduced ? rsh_int(1) : in->dim[i]);
  }
  f->out[0].shape = out;
}

void infer_reduce(Infer *f) {
  rsh_shape in;
  uint32_t set;
  bool given, keeps = attribute_int(f->v, "keepdims", 1) != 0;
  if (!infer_in(f, 0, &in))
    return;
  if (infer_axes(f, 1, "axes", in.rank, &set, &given)) {
    bool is_all = set == 0 && !attribute_int(f->v, "noop_with_empty_axes", 0);
    reduce_axes(f, &in, is_all ? UINT32_MAX : set, keeps);
  } else if (keeps) {
    infer_all_open(f, &f->out[0].shape, in.rank);
  }
}

void infer_arg(Infer *f) {
  rsh_shape in;
  int32_t axis;
  if (infer_in(f, 0, &in) && rsh_axis_index(attribute_int(f->v, "axis", 0), in.rank, &axis))
    reduce_axes(f, &in, UINT32_C(1) << axis, attribute_int(f->v, "keepdims", 1) != 0);
}

// ---- Products

// Applies to the inputs 0 and `which`.
void infer_matmul(Infer *f) {
  rsh_shape left, right;
  if (!infer_ranked(f, 0, 1, RSH_MAX_RANK, &left) ||
      !infer_ranked(f, (size_t)f->which, 1, RSH_MAX_RANK, &right))
    return;
  bool has_rows = left.rank > 1, has_columns = right.rank > 1;
  rsh_num rows = has_rows ? left.dim[left.rank - 2] : rsh_int(1);
  rsh_num columns = right.dim[right.rank - 1];
  left.rank = has_rows ? left.rank - 2 : 0;
  right.rank = has_columns ? right.rank - 2 : 0;
  if (!broadcast(f, &left, &right))
    return;
  if (has_rows)
    infer_append(&left, rows);
  if (has_columns)
    infer_append(&left, columns);
  f->out[0].shape = left;
}

void infer_gemm(Infer *f) {
  rsh_num rows = infer_size(f, 0, attribute_int(f->v, "transA", 0) ? 1 : 0);
  rsh_num columns = infer_size(f, 1, attribute_int(f->v, "transB", 0) ? 0 : 1);
  f->out[0].shape = (rsh_shape){.rank = 2, .dim = {rows, columns}};
}

void infer_det(Infer *f) {
  rsh_shape in;
  if (!infer_ranked(f, 0, 2, RSH_MAX_RANK, &in))
    return;
  in.rank -= 2;
  f->out[0].shape = in;
}

// ---- Einsum: "bij,bjk->bik", with spaces, "..." and an optional result

enum { ELLIPSIS = '.' };

typedef struct Einsum {
  rsh_num size[128]; // for each letter
  int uses[128];     // number of occurrences on the left
  rsh_shape rest;    // the axes of "..."
} Einsum;

// The letters of one term; "..." counts as one. Below 0: it has others, or too many.
static int32_t term_letters(const char **at, char *letter) {
  int32_t count = 0;
  for (; **at && **at != ',' && strncmp(*at, "->", 2) != 0; ++*at) {
    bool is_ellipsis = strncmp(*at, "...", 3) == 0;
    if (**at == ' ')
      continue;
    bool is_second = **at == ELLIPSIS && (!is_ellipsis || memchr(letter, ELLIPSIS, (size_t)count));
    if (count >= RSH_MAX_RANK + 1 || (unsigned char)**at >= 128 || is_second)
      return -1;
    letter[count++] = is_ellipsis ? ELLIPSIS : **at;
    *at += is_ellipsis ? 2 : 0;
  }
  return count;
}

static bool einsum_term(Infer *f, Einsum *e, const char **at, size_t input) {
  char letter[RSH_MAX_RANK + 1];
  rsh_shape in;
  int32_t count = term_letters(at, letter), axis = 0, rest = 0;
  if (count < 0 || !infer_in(f, input, &in))
    return false;
  bool has_rest = memchr(letter, ELLIPSIS, (size_t)count) != NULL;
  rest = in.rank - (count - has_rest);
  if (rest < 0 || (!has_rest && rest > 0))
    return false;
  for (int32_t i = 0; i < count; i++) {
    int l = letter[i];
    if (l == ELLIPSIS) {
      rsh_shape part = {.rank = rest};
      memcpy(part.dim, &in.dim[axis], (size_t)rest * sizeof *part.dim);
      if (!broadcast(f, &e->rest, &part))
        return false;
      axis += rest;
      continue;
    }
    if (e->uses[l]++ == 0)
      e->size[l] = in.dim[axis];
    else if (!broadcast_dim(f, &e->size[l], in.dim[axis]))
      return false;
    axis++;
  }
  return true;
}

void infer_einsum(Infer *f) {
  Einsum *e = ARENA_NEW(f->v->r->arena, Einsum);
  char letter[RSH_MAX_RANK + 1];
  rsh_shape out = {0};
  size_t input = 0;
  const char *at = infer_word(f, "equation");
  for (bool more = true; more; input++) {
    if (!einsum_term(f, e, &at, input))
      return;
    more = *at == ',';
    at += more;
  }
  if (input != f->v->node->n_input)
    return;
  bool has_result = strncmp(at, "->", 2) == 0;
  at += has_result ? 2 : 0;
  int32_t count = has_result ? term_letters(&at, letter) : 0;
  for (int32_t k = 0; !has_result && k < e->rest.rank; k++)
    infer_append(&out, e->rest.dim[k]);
  for (int l = 0; !has_result && l < 128; l++) // letters that occur once, in order
    if (e->uses[l] == 1)
      infer_append(&out, e->size[l]);
  for (int32_t i = 0; i < count; i++) {
    if (letter[i] != ELLIPSIS && e->uses[(int)letter[i]] == 0)
      return;
    for (int32_t k = 0; letter[i] == ELLIPSIS && k < e->rest.rank; k++)
      infer_append(&out, e->rest.dim[k]);
    if (letter[i] != ELLIPSIS)
      infer_append(&out, e->size[(int)letter[i]]);
  }
  if (count >= 0)
    f->out[0].shape = out;
}

// ---- Normalizations

// Mean, variance and the other parameters have one element per channel.
void infer_batch_normalization(Infer *f) {
  rsh_shape in;
  rsh_num channels = infer_same_size(infer_size(f, 0, 1), infer_size(f, 1, 0));
  if (infer_in(f, 0, &in))
    f->out[0].shape = in;
  for (size_t i = 1; i < f->count; i++)
    f->out[i].shape = (rsh_shape){.rank = 1, .dim = {channels}};
}

void infer_layer_normalization(Infer *f) {
  rsh_shape in;
  int32_t axis;
  if (!infer_in(f, 0, &in))
    return;
  f->out[0].shape = in;
  if (!rsh_axis_index(attribute_int(f->v, "axis", -1), in.rank, &axis))
    return;
  for (int32_t i = axis; i < in.rank; i++)
    in.dim[i] = rsh_int(1);
  for (size_t i = 1; i < f->count; i++)
    f->out[i].shape = in;
}

// ---- Recurrent layers: Y, Y_h and, for LSTM, Y_c

void infer_recurrent(Infer *f) {
  rsh_shape in;
  bool is_batchwise = attribute_int(f->v, "layout", 0) != 0;
  bool is_double = strcmp(infer_word(f, "direction"), "bidirectional") == 0;
  rsh_num directions = rsh_int(is_double ? 2 : 1), hidden = infer_size(f, 2, 2);
  if (!infer_ranked(f, 0, 3, 3, &in))
    return;
  rsh_num length = in.dim[is_batchwise ? 1 : 0], batch = in.dim[is_batchwise ? 0 : 1];
  if (attribute_of(f->v, "hidden_size"))
    hidden = rsh_int(attribute_int(f->v, "hidden_size", 0));
  f->out[0].shape = is_batchwise
                        ? (rsh_shape){.rank = 4, .dim = {batch, length, directions, hidden}}
                        : (rsh_shape){.rank = 4, .dim = {length, directions, batch, hidden}};
  for (size_t i = 1; i < f->count; i++)
    f->out[i].shape = is_batchwise ? (rsh_shape){.rank = 3, .dim = {batch, directions, hidden}}
                                   : (rsh_shape){.rank = 3, .dim = {directions, batch, hidden}};
}

// ---- Attention

// Q, K, V with three axes have the heads in the last one.
typedef struct Heads {
  rsh_num batch, heads, length, size;
} Heads;

static bool heads_of(Infer *f, size_t input, const char *count, Heads *out) {
  rsh_shape in;
  int64_t heads = attribute_int(f->v, count, 0);
  if (!infer_in(f, input, &in))
    return false;
  if (in.rank == 4) {
    *out = (Heads){in.dim[0], in.dim[1], in.dim[2], in.dim[3]};
    return true;
  }
  if (in.rank != 3 || heads < 1)
    return false;
  *out = (Heads){in.dim[0], rsh_int(heads), in.dim[1], infer_floor(f, in.dim[2], heads)};
  return true;
}

void infer_attention(Infer *f) {
  Heads q, k, v;
  rsh_shape in;
  if (!infer_in(f, 0, &in) || !heads_of(f, 0, "q_num_heads", &q) ||
      !heads_of(f, 1, "kv_num_heads", &k) || !heads_of(f, 2, "kv_num_heads", &v))
    return;
  rsh_num total = k.length;
  if (infer_has(f, 4))
    total = infer_sum(f, infer_size(f, 4, 2), k.length);
  f->out[0].shape =
      in.rank == 4
          ? (rsh_shape){.rank = 4, .dim = {q.batch, q.heads, q.length, v.size}}
          : (rsh_shape){.rank = 3, .dim = {q.batch, q.length, infer_product(f, q.heads, v.size)}};
  if (f->count > 1)
    f->out[1].shape = (rsh_shape){.rank = 4, .dim = {k.batch, k.heads, total, k.size}};
  if (f->count > 2)
    f->out[2].shape = (rsh_shape){.rank = 4, .dim = {v.batch, v.heads, total, v.size}};
  if (f->count > 3)
    f->out[3].shape = (rsh_shape){.rank = 4, .dim = {q.batch, q.heads, q.length, total}};
}
