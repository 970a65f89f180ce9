// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first half of a program: sizes and targets are read, every node is resolved.
#include "runtime/dlpack.h"
#include "runtime/program_internal.h"

// ---- numbers ----

static int64_t factor(const Program *p, int64_t i) { return i < 0 ? p->size[-1 - i] : p->atom[i]; }

static uint64_t magnitude(int64_t n) { return n < 0 ? 0 - (uint64_t)n : (uint64_t)n; }

// Adds a term to the sum of those above 0, or to that of those below.
static bool add_term(const Program *p, const int64_t **at, uint64_t sum[2]) {
  const int64_t *t = *at;
  uint64_t product = 1, *side;
  bool is_below = t[0] < 0;
  for (int64_t i = 0; i < t[1]; i++) {
    int64_t n = factor(p, t[2 + i]);
    is_below ^= n < 0;
    if (__builtin_mul_overflow(product, magnitude(n), &product))
      return false;
  }
  *at = t + 2 + t[1];
  side = &sum[is_below];
  return !__builtin_mul_overflow(product, magnitude(t[0]), &product) &&
         !__builtin_add_overflow(*side, product, side);
}

// A term that is 0 must not fail for what the others multiply to: sizes of 0 are common.
static bool term_is_zero(const Program *p, const int64_t *t) {
  for (int64_t i = 0; i < t[1]; i++)
    if (factor(p, t[2 + i]) == 0)
      return true;
  return false;
}

// As compiled code does: 2*A - A fits where 2*A, but not twice that, is past 2^63 (codegen/code/code_number.c).
static bool polynomial(const Program *p, const int64_t **at, int64_t terms, int64_t *out) {
  uint64_t sum[2] = {0, 0};
  for (int64_t i = 0; i < terms; i++) {
    if (term_is_zero(p, *at))
      *at += 2 + (*at)[1];
    else if (!add_term(p, at, sum))
      return false;
  }
  *out = (int64_t)(sum[0] - sum[1]);
  return (sum[0] >= sum[1]) == (*out >= 0);
}

bool rsh_program_number(const Program *p, const int64_t **at, int64_t *out) {
  int64_t tag = *(*at)++;
  const int64_t *word = *at;
  switch (tag) {
  case RSH_NUMBER_INT:
    *at += 1;
    *out = word[0];
    return true;
  case RSH_NUMBER_DATA:
    *at += 2;
    *out = p->slot[word[0]].entry[word[1]];
    return true;
  case RSH_NUMBER_NONE:
    *out = -1;
    return true;
  default:
    return polynomial(p, at, tag, out);
  }
}

static void skip_number(const int64_t **at) {
  int64_t tag = *(*at)++;
  if (tag == RSH_NUMBER_INT)
    *at += 1;
  else if (tag == RSH_NUMBER_DATA)
    *at += 2;
  for (int64_t i = 0; i < tag; i++)
    *at += 2 + (*at)[1];
}

// ---- tensors ----

static const DLTensor *tensor_of(const Program *p, int64_t k) {
  int64_t inputs = p->tape[RSH_TAPE_INPUTS];
  const void *t = k < inputs ? p->call->inputs[k] : p->call->outputs[k - inputs];
  return t;
}

static int64_t tensor_count(const Program *p) {
  return p->tape[RSH_TAPE_DLPACK] ? p->tape[RSH_TAPE_INPUTS] + p->tape[RSH_TAPE_OUTPUTS] : 0;
}

// Rank, dims and strides as words: those of a tensor that is row-major are its own.
static rsh_status load_tensor(const DLTensor *t, int64_t *word) {
  if (t == 0 || (t->ndim > 0 && t->shape == 0))
    return RSH_null_pointer;
  if (t->ndim < 0 || t->ndim > RSH_MAX_RANK)
    return RSH_rank_limit;
  word[0] = t->ndim;
  int64_t stride = 1;
  for (int32_t i = t->ndim - 1; i >= 0; i--) {
    int64_t d = t->shape[i];
    word[1 + i] = d;
    if (d < 0)
      return RSH_bad_dim;
    word[1 + RSH_MAX_RANK + i] = t->strides != 0 && d != 1 ? t->strides[i] : stride;
    if (d > 1 && __builtin_mul_overflow(stride, d, &stride))
      return RSH_overflow;
  }
  return RSH_ok;
}

static bool is_tensor_same(const DLTensor *t, const int64_t *word) {
  if (t == 0 || t->ndim != word[0] || (t->ndim > 0 && t->shape == 0))
    return false;
  int64_t stride = 1;
  for (int32_t i = t->ndim - 1; i >= 0; i--) {
    int64_t d = t->shape[i];
    if (d != word[1 + i] ||
        (t->strides != 0 && d != 1 ? t->strides[i] : stride) != word[1 + RSH_MAX_RANK + i])
      return false;
    stride *= d > 1 ? d : 1; // the same as when it was made, when it fitted
  }
  return true;
}

// A type that DLPack has no name for may come as any.
static rsh_status check_tensor_type(const DLTensor *t, rsh_dtype type) {
  DLDataType wanted;
  if (!rsh_dtype_to_dlpack(type, &wanted))
    return RSH_ok;
  bool fits = t->dtype.code == wanted.code && t->dtype.bits == wanted.bits &&
              t->dtype.lanes == wanted.lanes;
  return fits ? RSH_ok : RSH_type_mismatch;
}

static const void *input_data(const Program *p, int64_t input) {
  if (!p->tape[RSH_TAPE_DLPACK])
    return p->call->inputs[input];
  const DLTensor *t = tensor_of(p, input);
  return t->data != 0 ? (const unsigned char *)t->data + t->byte_offset : 0;
}

// ---- parameters ----

static const int64_t *size_words(const Program *p, int64_t i) {
  return p->tape + p->tape[RSH_TAPE_AT_SIZES] + 3 * i;
}

static void set_size(Program *p, int64_t i, int64_t n) {
  p->size[i] = n;
  p->atom[i] = n / size_words(p, i)[0];
}

// Size i, where it is known from the beginning: given, or an axis of a tensor.
static rsh_status load_size(Program *p, int64_t i) {
  int64_t value = size_words(p, i)[1], axis = size_words(p, i)[2], n = 0;
  bool is_of_tensor = p->tape[RSH_TAPE_DLPACK] && value >= 0 && value < p->tape[RSH_TAPE_INPUTS];
  if (value == RSH_SIZE_GIVEN)
    n = p->call->sizes[i];
  if (is_of_tensor) {
    const int64_t *word = p->tensor + value * TENSOR_WORDS;
    if (axis >= word[0])
      return RSH_bad_rank;
    n = word[1 + axis];
  }
  set_size(p, i, n);
  return n < 0 ? RSH_bad_dim : RSH_ok;
}

// As graph_edges() has it (frontend/graph/graph.h).
static rsh_status load_edge(Program *p, int64_t i) {
  const int64_t *word = p->tape + size_words(p, i)[2];
  rsh_edge_kind kind = (rsh_edge_kind)(RSH_SIZE_EDGE - size_words(p, i)[1]);
  int64_t at, size, least;
  if (!rsh_program_number(p, &word, &at) || !rsh_program_number(p, &word, &size) ||
      !rsh_program_number(p, &word, &least))
    return RSH_overflow;
  rsh_status status = rsh_edge(kind, at, size, least, &at);
  set_size(p, i, at);
  return status;
}

// Those among the first `count` sizes.
static rsh_status load_edges(Program *p, int64_t count) {
  rsh_status status = RSH_ok;
  for (int64_t i = 0; i < count && status == RSH_ok; i++)
    if (size_words(p, i)[1] <= RSH_SIZE_EDGE)
      status = load_edge(p, i);
  return status;
}

rsh_status rsh_program_load(Program *p) {
  rsh_status status = RSH_ok;
  for (int64_t k = 0; k < tensor_count(p) && status == RSH_ok; k++) {
    bool is_missing_output = k >= p->tape[RSH_TAPE_INPUTS] && p->call->outputs == 0;
    if (!is_missing_output)
      status = load_tensor(tensor_of(p, k), p->tensor + k * TENSOR_WORDS);
  }
  for (int64_t i = 0; i < p->tape[RSH_TAPE_SIZES] && status == RSH_ok; i++)
    status = load_size(p, i);
  return status;
}

// ---- targets that are data ----

// Element i of packed ones, first in the lowest bits; a stride may lead below 0.
static int64_t packed_integer(const unsigned char *data, int bits, bool is_signed, int64_t i) {
  int64_t at = i * bits, in_byte = at & 7;
  int64_t n = data[(at - in_byte) / 8] >> in_byte & ((1 << bits) - 1);
  return is_signed && n >> (bits - 1) != 0 ? n - (1 << bits) : n;
}

int64_t rsh_target_entry(const void *data, rsh_dtype type, int64_t i) {
  switch (type) {
  case RSH_I2:
    return packed_integer(data, 2, true, i);
  case RSH_U2:
    return packed_integer(data, 2, false, i);
  case RSH_U1:
    return packed_integer(data, 1, false, i);
  case RSH_I4:
    return packed_integer(data, 4, true, i);
  case RSH_U4:
    return packed_integer(data, 4, false, i);
  case RSH_I8:
    return ((const int8_t *)data)[i];
  case RSH_U8:
    return ((const uint8_t *)data)[i];
  case RSH_I16:
    return ((const int16_t *)data)[i];
  case RSH_U16:
    return ((const uint16_t *)data)[i];
  case RSH_I32:
    return ((const int32_t *)data)[i];
  case RSH_U32:
    return ((const uint32_t *)data)[i];
  case RSH_U64: { // what does not fit is more than any product may be
    uint64_t n = ((const uint64_t *)data)[i];
    return n > INT64_MAX ? INT64_MAX : (int64_t)n;
  }
  default:
    return ((const int64_t *)data)[i];
  }
}

// As many entries as any target may have; of a longer one the length says enough.
static int64_t entries_read(int64_t count) { return count < RSH_MAX_RANK ? count : RSH_MAX_RANK; }

// Strides of a target's tensor; DLTensors alone have any.
static int64_t target_stride(const Program *p, int64_t input) {
  const int64_t *word = p->tensor + input * TENSOR_WORDS;
  return p->tape[RSH_TAPE_DLPACK] && word[0] == 1 ? word[1 + RSH_MAX_RANK] : 1;
}

static int64_t entries_of(const rsh_shape *s) {
  if (s->rank == 1)
    return s->dim[0].n;
  return s->rank == 0 ? 1 : 0;
}

static rsh_status read_target(Program *p, int64_t input, ProgramSlot *slot) {
  int64_t stride = target_stride(p, input), count = entries_of(&p->value[input].shape);
  const void *data = input_data(p, input);
  slot->input = (int32_t)input;
  slot->dtype = p->value[input].dtype;
  slot->rank = p->value[input].shape.rank;
  slot->count = count;
  if (count > 0 && data == 0)
    return RSH_null_pointer;
  for (int64_t i = 0; i < entries_read(count); i++)
    slot->entry[i] = rsh_target_entry(data, (rsh_dtype)slot->dtype, i * stride);
  return RSH_ok;
}

static bool is_target_same(const Program *p, const ProgramSlot *slot) {
  int64_t stride = target_stride(p, slot->input);
  const void *data = input_data(p, slot->input);
  if (slot->count > 0 && data == 0)
    return false;
  for (int64_t i = 0; i < entries_read(slot->count); i++)
    if (slot->entry[i] != rsh_target_entry(data, (rsh_dtype)slot->dtype, i * stride))
      return false;
  return true;
}

// The element type of the input or of the result that is tensor k.
static rsh_dtype tensor_type(const Program *p, int64_t k) {
  int64_t inputs = p->tape[RSH_TAPE_INPUTS];
  return (rsh_dtype)p->value[k < inputs ? k : p->output[k - inputs].value].dtype;
}

bool rsh_program_is_same(const Program *p) {
  const int64_t *tape = p->tape;
  for (int64_t k = 0; k < tensor_count(p); k++) {
    const DLTensor *t = tensor_of(p, k);
    if (!is_tensor_same(t, p->tensor + k * TENSOR_WORDS) ||
        check_tensor_type(t, tensor_type(p, k)) != RSH_ok)
      return false;
  }
  for (int64_t i = 0; i < tape[RSH_TAPE_SIZES]; i++)
    if (size_words(p, i)[1] == RSH_SIZE_GIVEN && p->size[i] != p->call->sizes[i])
      return false;
  for (int64_t i = 0; i < tape[RSH_TAPE_SLOTS]; i++)
    if (!is_target_same(p, &p->slot[i]))
      return false;
  return true;
}

// ---- inputs ----

static rsh_status tensor_shape(const Program *p, int64_t k, rsh_dtype type, rsh_shape *out) {
  const int64_t *word = p->tensor + k * TENSOR_WORDS;
  out->rank = (int32_t)word[0];
  for (int32_t i = 0; i < out->rank; i++)
    out->dim[i] = rsh_int(word[1 + i]);
  return check_tensor_type(tensor_of(p, k), type);
}

// The declared dims, which for a tensor have to be its own.
static rsh_status declared_dims(Program *p, const int64_t **at, int64_t rank, bool is_given,
                                rsh_shape *shape) {
  if (is_given && shape->rank != rank)
    return RSH_bad_rank;
  shape->rank = (int32_t)rank;
  for (int32_t i = 0; i < rank; i++) {
    int64_t n;
    if (!rsh_program_number(p, at, &n))
      return RSH_overflow;
    if (is_given && !rsh_is(shape->dim[i], n))
      return RSH_shape_mismatch;
    if (n < 0)
      return RSH_bad_dim;
    shape->dim[i] = rsh_int(n);
  }
  return RSH_ok;
}

static void skip_strides(const int64_t **at, int64_t rank) {
  for (int64_t i = 0; i <= rank; i++)
    skip_number(at);
}

static rsh_status count_elements(ProgramValue *v) {
  rsh_num volume;
  rsh_status status = rsh_volume(0, &v->shape, &volume);
  if (status == RSH_ok)
    v->elements = volume.n;
  return status;
}

static rsh_status load_input(Program *p, const int64_t **at, int64_t k) {
  const int64_t *word = *at;
  int64_t rank = word[1];
  bool is_tensor = p->tape[RSH_TAPE_DLPACK] != 0;
  ProgramValue *v = &p->value[k];
  *at += RSH_TAPE_INPUT_WORDS;
  v->dtype = (int32_t)word[0];
  rsh_status status = load_edges(p, word[4]);
  if (status == RSH_ok && is_tensor)
    status = tensor_shape(p, k, (rsh_dtype)v->dtype, &v->shape);
  if (status == RSH_ok && rank >= 0)
    status = declared_dims(p, at, rank, is_tensor, &v->shape);
  if (status == RSH_ok && word[3] != 0)
    skip_strides(at, rank);
  v->slot = (int32_t)word[2];
  return status == RSH_ok ? count_elements(v) : status;
}

// ---- guards ----

static bool compare(rsh_guard_kind kind, int64_t a, int64_t b) {
  switch (kind) {
  case RSH_GUARD_EQ:
    return a == b;
  case RSH_GUARD_NE:
    return a != b;
  case RSH_GUARD_LT:
    return a < b;
  case RSH_GUARD_LE:
    return a <= b;
  case RSH_GUARD_GT:
    return a > b;
  case RSH_GUARD_GE:
    return a >= b;
  case RSH_GUARD_IN:
    break;
  }
  return false;
}

// As the entry of a compiled graph has it: what does not fit is an overflow, and a divisor below 1 breaks the
// condition.
static rsh_status check_guard(Program *p, const int64_t **at) {
  rsh_guard_kind kind = (rsh_guard_kind)(*at)[1];
  rsh_status status = (rsh_status)(*at)[2], loaded = load_edges(p, (*at)[3]);
  int64_t left, right, divisor;
  *at += 4;
  if (loaded != RSH_ok)
    return loaded;
  bool fits = rsh_program_number(p, at, &left);
  fits = rsh_program_number(p, at, &right) && fits;
  bool has_divisor = (*at)[0] != RSH_NUMBER_INT || (*at)[1] != 0;
  fits = rsh_program_number(p, at, &divisor) && fits;
  int64_t count = *(*at)++;
  const int64_t *choice = *at;
  *at += count;
  if (!fits)
    return RSH_overflow;
  if (has_divisor && divisor < 1)
    return status;
  if (has_divisor)
    left %= divisor;
  bool holds = kind != RSH_GUARD_IN && compare(kind, left, right);
  for (int64_t i = 0; i < count; i++)
    holds = holds || choice[i] == left;
  return holds ? RSH_ok : status;
}

rsh_status rsh_program_ask(Program *p, int64_t node) {
  const int64_t *end = p->tape + p->tape[RSH_TAPE_AT_NODES];
  rsh_status status = RSH_ok;
  while (status == RSH_ok && p->guard < end && *p->guard <= node)
    status = check_guard(p, &p->guard);
  return status;
}

// ---- nodes ----

static const char *const texts[] = {"",    "constant", "edge", "reflect", "wrap",
                                    "DCR", "CRD",      "up",   "down",    "nearest"};

int32_t rsh_tape_text(const char *text) {
  for (int32_t i = 1; i < (int32_t)(sizeof texts / sizeof *texts); i++) {
    const char *a = texts[i], *b = text;
    while (*a != '\0' && *a == *b)
      a++, b++;
    if (*a == *b)
      return i;
  }
  return 0;
}

// The dims of nested lists stand where entries would, as the small integers that they are.
static void read_list_dims(const int64_t **at, rsh_arg *arg, rsh_num **entry) {
  int32_t *dims = (int32_t *)*entry;
  for (int32_t i = 0; i < arg->rank; i++)
    dims[i] = (int32_t) * (*at)++;
  arg->dims = dims;
  *entry += (arg->rank + 3) / 4;
}

// Entries of a list are written from *entry on.
static bool read_list(Program *p, const int64_t **at, rsh_arg *arg, int64_t listed,
                      rsh_num **entry) {
  arg->list = listed > 0 || arg->kind == RSH_ARG_LIST ? *entry : 0;
  for (int64_t i = 0; i < listed; i++) {
    int64_t n;
    if (!rsh_program_number(p, at, &n))
      return false;
    *(*entry)++ = rsh_int(n);
  }
  return true;
}

// A tensor's values, once they are there, are a list.
static void read_slot(const ProgramSlot *slot, rsh_arg *arg, rsh_num **entry) {
  arg->kind = RSH_ARG_LIST;
  arg->rank = slot->rank;
  arg->list = *entry;
  arg->count = (int32_t)(slot->count < INT32_MAX ? slot->count : INT32_MAX);
  for (int64_t i = 0; i < entries_read(slot->count); i++)
    *(*entry)++ = rsh_int(slot->entry[i]);
}

static bool read_argument(Program *p, const int64_t **at, rsh_arg *arg, rsh_num **entry) {
  const int64_t *word = *at;
  arg->kind = (rsh_arg_kind)word[0];
  arg->rank = (int32_t)word[1];
  arg->count = (int32_t)word[2];
  arg->sizes = (uint32_t)word[3];
  arg->dtype = RSH_I64;
  arg->in_parts = false;
  arg->list = 0;
  arg->text = "";
  *at += 5;
  switch (arg->kind) {
  case RSH_ARG_ABSENT:
    return true;
  case RSH_ARG_TEXT:
    arg->text = texts[*(*at)++];
    return true;
  case RSH_ARG_TENSOR:
    read_slot(&p->slot[*(*at)++], arg, entry);
    return true;
  case RSH_ARG_VALUE: // its bits
  case RSH_ARG_LIST:
    break;
  }
  if (arg->rank > 1 || rsh_arg_is_table(arg))
    read_list_dims(at, arg, entry);
  return read_list(p, at, arg, word[4], entry);
}

rsh_status rsh_program_node(Program *p, const int64_t **at, int32_t first, NodeCall *n) {
  const int64_t *word = *at;
  rsh_call *call = &n->call;
  rsh_num *entry = p->entry;
  int64_t arguments = word[4];
  call->op = (rsh_op)word[0];
  call->in_count = (int32_t)word[1];
  call->out_count = (int32_t)word[2];
  call->fill = (int32_t)word[3];
  call->in = p->operand;
  call->in_type = p->operand_type;
  call->symbols = 0;
  call->maps = 0;
  n->in = word + 5;
  n->out = n->in + call->in_count;
  n->first = first;
  *at = n->out + 2 * call->out_count;
  for (int32_t i = 0; i < call->in_count; i++) {
    const ProgramValue *v = &p->value[n->in[i]];
    p->operand[i] = &v->shape;
    p->operand_type[i] = (rsh_dtype)v->dtype;
  }
  for (int32_t i = 0; i < RSH_MAX_ARGS; i++) {
    call->arg[i].kind = RSH_ARG_ABSENT;
    if (i < arguments && !read_argument(p, at, &call->arg[i], &entry))
      return RSH_overflow;
  }
  return RSH_ok;
}

// Sizes of values that have just been resolved, and the edges, which may be made of them.
static rsh_status load_sizes(Program *p, int64_t first, int64_t count) {
  for (int64_t i = 0; i < p->tape[RSH_TAPE_SIZES]; i++) {
    int64_t value = size_words(p, i)[1], axis = size_words(p, i)[2];
    if (value >= first && value < first + count)
      set_size(p, i, p->value[value].shape.dim[axis].n);
  }
  return load_edges(p, p->tape[RSH_TAPE_SIZES]);
}

rsh_status rsh_program_resolve_node(Program *p, NodeCall *n) {
  int32_t first = n->first, count = n->call.out_count;
  bool is_one = count == 1; // its shape is written where it stays
  rsh_status status = rsh_resolve(&n->call, is_one ? &p->value[first].shape : p->result, 0);
  if (status != RSH_ok)
    return status;
  int32_t type = (int32_t)rsh_out_type(&n->call);
  for (int32_t i = 0; i < count; i++) {
    if (!is_one)
      p->value[first + i].shape = p->result[i];
    p->value[first + i].dtype = type;
  }
  return load_sizes(p, first, count);
}

// ---- results ----

// Whether the bytes of its elements fit a pointer difference.
static rsh_status count_bytes(const ProgramValue *v) {
  int64_t bits = rsh_dtype_bits((rsh_dtype)v->dtype), bytes;
  bits = bits == 0 ? 8 * (int64_t)sizeof(void *) : bits;
  if (bits < 8)
    return v->elements / 8 > PTRDIFF_MAX / bits ? RSH_overflow : RSH_ok;
  bool fits = !__builtin_mul_overflow(v->elements, bits / 8, &bytes) && bytes <= PTRDIFF_MAX;
  return fits ? RSH_ok : RSH_overflow;
}

// What the result was declared as, and a tensor that is there for it, have to be what came out.
static rsh_status check_output(Program *p, const int64_t **at, int64_t k) {
  const int64_t *word = *at;
  p->output[k].value = (int32_t)word[0];
  p->output[k].logical = (int32_t)word[1];
  const ProgramValue *v = &p->value[word[0]];
  const rsh_shape *logical = &p->value[word[1]].shape;
  int64_t rank = word[2];
  *at += 4;
  if (rank >= 0 && logical->rank != rank)
    return RSH_shape_mismatch;
  for (int64_t i = 0; i < rank; i++) {
    bool is_declared = **at != RSH_NUMBER_NONE;
    int64_t n;
    if (!rsh_program_number(p, at, &n))
      return RSH_overflow;
    if (is_declared && logical->dim[i].n != n)
      return RSH_shape_mismatch;
  }
  if (word[3] != 0)
    skip_strides(at, v->shape.rank);
  if (!p->tape[RSH_TAPE_DLPACK] || p->call->outputs == 0)
    return RSH_ok;
  rsh_shape given;
  rsh_status status = tensor_shape(p, p->tape[RSH_TAPE_INPUTS] + k, (rsh_dtype)v->dtype, &given);
  if (status == RSH_ok && !rsh_shape_equal(&given, &v->shape))
    status = given.rank != v->shape.rank ? RSH_bad_rank : RSH_shape_mismatch;
  return status;
}

rsh_status rsh_program_resolve_inputs(Program *p) {
  const int64_t *tape = p->tape, *input = tape + tape[RSH_TAPE_AT_INPUTS];
  p->guard = tape + tape[RSH_TAPE_AT_GUARDS];
  rsh_status status = rsh_program_ask(p, -1);
  for (int64_t k = 0; k < tape[RSH_TAPE_INPUTS] && status == RSH_ok; k++)
    status = load_input(p, &input, k);
  for (int64_t k = 0; k < tape[RSH_TAPE_INPUTS] && status == RSH_ok; k++)
    if (p->value[k].slot >= 0)
      status = read_target(p, k, &p->slot[p->value[k].slot]);
  return status == RSH_ok ? load_sizes(p, 0, tape[RSH_TAPE_INPUTS]) : status;
}

rsh_status rsh_program_count_inputs(Program *p) {
  rsh_status status = RSH_ok;
  for (int64_t k = 0; k < p->tape[RSH_TAPE_INPUTS] && status == RSH_ok; k++)
    status = count_bytes(&p->value[k]);
  return status;
}

rsh_status rsh_program_resolve_outputs(Program *p) {
  const int64_t *output = p->tape + p->tape[RSH_TAPE_AT_OUTPUTS];
  rsh_status status = RSH_ok;
  for (int64_t k = 0; k < p->tape[RSH_TAPE_OUTPUTS] && status == RSH_ok; k++)
    status = check_output(p, &output, k);
  for (int64_t k = 0; k < p->tape[RSH_TAPE_OUTPUTS] && status == RSH_ok; k++) {
    ProgramValue *v = &p->value[p->output[k].value];
    status = count_elements(v);
    if (status == RSH_ok)
      status = count_bytes(v);
  }
  return status;
}

rsh_status rsh_program_write_dims(const Program *p) {
  const rsh_program_call *call = p->call;
  if (call->dims == 0 && call->ranks == 0)
    return RSH_ok;
  for (int64_t k = 0; k < p->tape[RSH_TAPE_OUTPUTS]; k++) {
    const rsh_shape *shape = &p->value[p->output[k].logical].shape;
    int64_t *dims = call->dims != 0 ? call->dims[k] : 0;
    for (int32_t i = 0; dims != 0 && i < shape->rank; i++)
      dims[i] = shape->dim[i].n;
    if (call->ranks != 0 && call->ranks[k] != 0)
      *call->ranks[k] = shape->rank;
  }
  return RSH_ok;
}
