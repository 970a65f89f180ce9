// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first half of a program: reads sizes and lists, and resolves every node.
#include "runtime/program_internal.h"

static int64_t *slot_entries(const Program *p, int32_t slot) {
  return p->slot_entry + slot * tape_count(p, RSH_TAPE_SLOT_ROOM);
}

// The bit of an entry in ProgramSlot.large. Entries from 31 on share one.
static uint32_t large_bit(int32_t i) { return UINT32_C(1) << (i < 31 ? i : 31); }

// ---- numbers ----

static int64_t factor(const Program *p, int32_t i) { return i < 0 ? p->size[-1 - i] : p->atom[i]; }

static bool multiply(uint64_t *product, int64_t by) {
  return rsh_multiply_magnitudes(*product, rsh_magnitude(by), product);
}

// Adds a term to the sum of positive terms, or to that of negative ones.
static bool add_term(const Program *p, const int64_t *t, uint64_t sum[2]) {
  uint64_t product = 1, *side;
  int32_t factors = (int32_t)t[1];
  bool is_below = t[0] < 0;
  for (int32_t i = 0; i < factors; i++) {
    int64_t n = factor(p, (int32_t)t[2 + i]);
    is_below ^= n < 0;
    if (!multiply(&product, n))
      return false;
  }
  side = &sum[is_below];
  return multiply(&product, t[0]) && !__builtin_add_overflow(*side, product, side);
}

// A term with a factor 0 must not overflow in the product of the others: sizes of 0 are common.
static bool term_is_zero(const Program *p, const int64_t *t) {
  for (int32_t i = 0; i < (int32_t)t[1]; i++)
    if (factor(p, (int32_t)t[2 + i]) == 0)
      return true;
  return false;
}

// Like compiled code: 2*A - A fits even if 2*A exceeds 2^63, unless it exceeds 2^64 (codegen/code/code_number.c).
static bool polynomial(const Program *p, const int64_t **at, int32_t terms, int64_t *out) {
  uint64_t sum[2] = {0, 0};
  bool fits = true;
  for (int32_t i = 0; i < terms; i++, *at += 2 + (*at)[1])
    fits = fits && (term_is_zero(p, *at) || add_term(p, *at, sum));
  *out = (int64_t)(sum[0] - sum[1]);
  return fits && (sum[0] >= sum[1]) == (*out >= 0);
}

bool rsh_program_number(const Program *p, const int64_t **at, int64_t *out) {
  int32_t tag = (int32_t)*(*at)++;
  const int64_t *word = *at;
  switch (tag) {
  case RSH_NUMBER_INT:
    *at += 1;
    *out = word[0];
    return true;
  case RSH_NUMBER_DATA:
    *at += 2;
    *out = slot_entries(p, (int32_t)word[0])[word[1]];
    return (p->slot[word[0]].large & large_bit((int32_t)word[1])) == 0;
  case RSH_NUMBER_NONE:
    *out = -1;
    return true;
  default:
    return polynomial(p, at, tag, out);
  }
}

// Skips a stride, which is an integer or a polynomial.
static void skip_stride(const int64_t **at) {
  int32_t tag = (int32_t)*(*at)++;
  if (tag == RSH_NUMBER_INT)
    *at += 1;
  for (int32_t i = 0; i < tag; i++)
    *at += 2 + (*at)[1];
}

// ---- parameters ----

void rsh_program_set_size(Program *p, int32_t i, int64_t n) {
  int64_t divisor = rsh_program_size_words(p, i)[0];
  p->size[i] = n;
  p->atom[i] = divisor != 1 ? n / divisor : n;
}

// Loads size i if it is known at entry: a parameter, or an axis of a tensor.
static rsh_status load_size(Program *p, int32_t i) {
  const int64_t *size = rsh_program_size_words(p, i);
  int32_t value = (int32_t)size[1], axis = (int32_t)size[2];
  int64_t n = 0;
  bool is_of_tensor =
      p->call->parts->tensors != 0 && value >= 0 && value < tape_count(p, RSH_TAPE_INPUTS);
  if (value == RSH_SIZE_GIVEN)
    n = p->call->sizes[i];
  if (is_of_tensor) {
    const int64_t *word = p->tensor + value * TENSOR_WORDS;
    if (axis >= word[0])
      return RSH_bad_rank;
    n = word[1 + axis];
  }
  rsh_program_set_size(p, i, n);
  return n < 0 ? RSH_bad_dim : RSH_ok;
}

// Loads the edges among the first `count` sizes.
static rsh_status load_edges(Program *p, int32_t count) {
  const rsh_program_check *edges = p->call->parts->edges;
  return edges != 0 ? edges->check(p, count) : RSH_ok;
}

rsh_status rsh_program_load(Program *p) {
  const rsh_program_tensors *tensors = p->call->parts->tensors;
  rsh_status status = tensors != 0 ? tensors->load(p) : RSH_ok;
  p->next_shape = p->shapes;
  for (int32_t i = 0; i < tape_count(p, RSH_TAPE_SIZES) && status == RSH_ok; i++)
    status = load_size(p, i);
  return status;
}

// ---- targets that are data ----

// The usual type of lists.
typedef struct __attribute__((packed, may_alias)) UsualEntry {
  int64_t n;
} UsualEntry;

int64_t rsh_target_entry(const void *data, rsh_dtype type, int64_t i) {
  if (!RSH_FOR_SIZE && type == RSH_I64)
    return ((const UsualEntry *)data)[i].n;
  int32_t bits = rsh_dtype_bits(type), bytes = bits / 8;
  const unsigned char *at = data;
  uint64_t n = 0;
  if (bits < 8) { // the first in the lowest bits; i may be negative with a stride
    int32_t in_byte = (int32_t)i * bits & 7;
    n = at[(i * bits - in_byte) / 8] >> in_byte;
  } else {
    at += i * bytes;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (int32_t k = 0; k < bytes; k++)
      n = n << 8 | at[k];
#else
    for (int32_t k = bytes - 1; k >= 0; k--)
      n = n << 8 | at[k];
#endif
  }
  if (type == RSH_U64) // a value that does not fit is larger than any valid product
    return n > INT64_MAX ? INT64_MAX : (int64_t)n;
  uint64_t sign = UINT64_C(1) << (bits - 1), ones = sign | (sign - 1);
  n &= ones;
  return (int64_t)(rsh_dtype_is_signed(type) && (n & sign) != 0 ? n | ~ones : n);
}

// The number of entries to read: at most the length of a valid list. A longer list is invalid because of its length.
static int32_t entries_read(const Program *p, int64_t count) {
  int32_t room = tape_count(p, RSH_TAPE_SLOT_ROOM);
  return count < room ? (int32_t)count : room;
}

// The stride of a list's tensor; only a DLTensor has one other than 1.
static int64_t target_stride(const Program *p, int32_t input) {
  const int64_t *word = p->tensor + input * TENSOR_WORDS;
  return p->call->parts->tensors != 0 && word[0] == 1 ? word[1 + RSH_MAX_RANK] : 1;
}

// A u64 from 2^63 on, which as an i64 is negative.
static bool is_large(const ProgramSlot *slot, const void *data, int64_t at) {
  return slot->dtype == RSH_U64 && rsh_target_entry(data, RSH_I64, at) < 0;
}

static int64_t entries_of(const rsh_shape *s) {
  if (s->rank == 1)
    return s->dim[0].n;
  return s->rank == 0 ? 1 : 0;
}

RSH_APART static rsh_status read_target(Program *p, int32_t input, int32_t at) {
  ProgramSlot *slot = &p->slot[at];
  int64_t stride = target_stride(p, input), count = entries_of(p->value[input].shape);
  const void *data = rsh_program_data(p, input);
  slot->input = input;
  slot->dtype = p->value[input].dtype;
  slot->rank = p->value[input].shape->rank;
  slot->count = count;
  if (count > 0 && data == 0)
    return RSH_null_pointer;
  slot->large = 0;
  for (int32_t i = 0; i < entries_read(p, count); i++) {
    slot_entries(p, at)[i] = rsh_target_entry(data, (rsh_dtype)slot->dtype, i * stride);
    if (is_large(slot, data, i * stride))
      slot->large |= large_bit(i);
  }
  return RSH_ok;
}

RSH_APART static bool is_target_same(const Program *p, int32_t at) {
  const ProgramSlot *slot = &p->slot[at];
  int64_t stride = target_stride(p, slot->input);
  const void *data = rsh_program_data(p, slot->input);
  const int64_t *entry = slot_entries(p, at);
  int32_t count = entries_read(p, slot->count);
  if (slot->count > 0 && data == 0)
    return false;
  for (int32_t i = 0; i < count; i++)
    if (entry[i] != rsh_target_entry(data, (rsh_dtype)slot->dtype, i * stride) ||
        is_large(slot, data, i * stride))
      return false;
  return true;
}

bool rsh_program_is_same(const Program *p) {
  const rsh_program_tensors *tensors = p->call->parts->tensors;
  if (tensors != 0 && !tensors->is_same(p))
    return false;
  for (int32_t i = 0; i < tape_count(p, RSH_TAPE_SIZES); i++)
    if (rsh_program_size_words(p, i)[1] == RSH_SIZE_GIVEN && p->size[i] != p->call->sizes[i])
      return false;
  for (int32_t i = 0; i < tape_count(p, RSH_TAPE_SLOTS); i++)
    if (!is_target_same(p, i))
      return false;
  return true;
}

// ---- inputs ----

// The memory of the next shape.
static rsh_shape *open_shape(const Program *p) { return (rsh_shape *)(void *)p->next_shape; }

// Called after a shape is written: the next one follows its dims.
static void close_shape(Program *p, ProgramValue *v) {
  v->shape = open_shape(p);
  p->next_shape += offsetof(rsh_shape, dim) + (size_t)v->shape->rank * sizeof(rsh_num);
}

// The dims of a tensor, whose rank is within the limit.
static void tensor_shape(const Program *p, int32_t k, rsh_shape *out) {
  const int64_t *word = p->tensor + k * TENSOR_WORDS;
  out->rank = (int32_t)word[0];
  for (int32_t i = 0; i < out->rank; i++)
    out->dim[i] = rsh_int(word[1 + i]);
}

// Reads the declared dims; the dims of a tensor must be equal to them. Those that could be negative have guards, which
// hold.
static rsh_status declared_dims(Program *p, const int64_t **at, int32_t rank, bool is_given,
                                rsh_shape *shape) {
  shape->rank = rank;
  for (int32_t i = 0; i < rank; i++) {
    int64_t n;
    if (!rsh_program_number(p, at, &n))
      return RSH_overflow;
    if (is_given && !rsh_is(shape->dim[i], n))
      return RSH_shape_mismatch;
    shape->dim[i] = rsh_int(n);
  }
  return RSH_ok;
}

// Checks type and rank, before the dims.
static rsh_status check_tensor(const Program *p, int32_t k, rsh_dtype type, int32_t rank) {
  rsh_status status = p->call->parts->tensors->check(p, k, type);
  bool is_of_rank = rank < 0 || p->tensor[k * TENSOR_WORDS] == rank;
  return status == RSH_ok && !is_of_rank ? RSH_bad_rank : status;
}

static void skip_strides(const int64_t **at, int32_t rank) {
  for (int32_t i = 0; i <= rank; i++)
    skip_stride(at);
}

static rsh_status count_elements(ProgramValue *v) {
  rsh_num volume;
  rsh_status status = rsh_volume(0, v->shape, &volume);
  if (status == RSH_ok)
    v->elements = volume.n;
  return status;
}

static rsh_status load_input(Program *p, const int64_t **at, int32_t k) {
  const int64_t *word = *at;
  int32_t rank = (int32_t)word[1];
  bool is_tensor = p->call->parts->tensors != 0;
  ProgramValue *v = &p->value[k];
  rsh_shape *shape = open_shape(p);
  *at += RSH_TAPE_INPUT_WORDS;
  v->dtype = (int32_t)word[0];
  rsh_status status = load_edges(p, (int32_t)word[4]);
  if (status == RSH_ok && is_tensor)
    status = check_tensor(p, k, (rsh_dtype)v->dtype, rank);
  if (status == RSH_ok && is_tensor)
    tensor_shape(p, k, shape);
  if (status == RSH_ok && rank >= 0)
    status = declared_dims(p, at, rank, is_tensor, shape);
  if (status == RSH_ok && word[3] != 0)
    skip_strides(at, rank);
  v->slot = (int32_t)word[2];
  if (status != RSH_ok)
    return status;
  close_shape(p, v);
  return count_elements(v);
}

// ---- nodes ----

static const char *const texts[] = {"",    "constant", "edge", "reflect", "symmetric", "wrap",
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

// The dims of nested lists are stored in the room of entries, as int32.
static void read_list_dims(const int64_t **at, rsh_arg *arg, rsh_num **entry) {
  int32_t *dims = (int32_t *)*entry;
  for (int32_t i = 0; i < arg->rank; i++)
    dims[i] = (int32_t)*(*at)++;
  arg->dims = dims;
  *entry += (arg->rank + 3) / 4;
}

// Writes the entries of a list from *entry on.
static bool read_list(Program *p, const int64_t **at, rsh_arg *arg, int32_t listed,
                      rsh_num **entry) {
  arg->list = listed > 0 || arg->kind == RSH_ARG_LIST ? *entry : 0;
  for (int32_t i = 0; i < listed; i++) {
    int64_t n;
    if (!rsh_program_number(p, at, &n))
      return false;
    *(*entry)++ = rsh_int(n);
  }
  return true;
}

// At run time, the values of a tensor are a list. False: an entry does not fit.
RSH_APART static bool read_slot(const Program *p, int32_t at, rsh_arg *arg, rsh_num **entry) {
  const ProgramSlot *slot = &p->slot[at];
  arg->kind = RSH_ARG_LIST;
  arg->rank = slot->rank;
  arg->list = *entry;
  arg->count = (int32_t)(slot->count < INT32_MAX ? slot->count : INT32_MAX);
  for (int32_t i = 0; i < entries_read(p, slot->count); i++)
    *(*entry)++ = rsh_int(slot_entries(p, at)[i]);
  return slot->large == 0;
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
    return read_slot(p, (int32_t)*(*at)++, arg, entry);
  case RSH_ARG_VALUE: // its bits
  case RSH_ARG_LIST:
    break;
  }
  if (arg->rank > 1 || rsh_arg_is_table(arg))
    read_list_dims(at, arg, entry);
  return read_list(p, at, arg, (int32_t)word[4], entry);
}

const rsh_operator *rsh_program_operator(const Program *p, rsh_op op) {
  const rsh_operator *rules = p->call->parts->operators;
  while (rules->op != (int32_t)op)
    rules++;
  return rules;
}

void rsh_program_first_node(Program *p) {
  p->node->next_first = tape_count(p, RSH_TAPE_INPUTS);
  p->node->next = p->tape + p->tape[RSH_TAPE_AT_NODES];
}

rsh_status rsh_program_node(Program *p, NodeCall *n) {
  const int64_t *word = n->next;
  rsh_call *call = &n->call;
  rsh_num *entry = p->entry;
  int32_t arguments = (int32_t)word[4];
  call->op = (rsh_op)word[0];
  n->rules = rsh_program_operator(p, call->op);
  call->in_count = (int32_t)word[1];
  call->out_count = (int32_t)word[2];
  call->fill = (int32_t)word[3];
  call->in = p->operand;
  call->in_type = p->operand_type;
  call->symbols = 0;
  call->maps = 0;
  n->in = word + 5;
  n->out = n->in + call->in_count;
  n->first = n->next_first;
  n->next_first += call->out_count;
  n->result = call->out_count == 1 ? open_shape(p) : p->result;
  n->next = n->out + 2 * call->out_count;
  for (int32_t i = 0; i < call->in_count; i++) {
    const ProgramValue *v = &p->value[n->in[i]];
    p->operand[i] = v->shape;
    p->operand_type[i] = (rsh_dtype)v->dtype;
  }
  for (int32_t i = 0; i < RSH_MAX_ARGS; i++) {
    call->arg[i].kind = RSH_ARG_ABSENT;
    if (i < arguments && !read_argument(p, &n->next, &call->arg[i], &entry))
      return RSH_overflow;
  }
  return RSH_ok;
}

static int64_t size_of_axis(const rsh_shape *shape, int32_t axis) {
  if (axis == RSH_SIZE_RANK)
    return shape->rank;
  return axis < shape->rank ? shape->dim[axis].n : 0;
}

rsh_status rsh_program_load_sizes(Program *p, int32_t first, int32_t count) {
  for (int32_t i = 0; i < tape_count(p, RSH_TAPE_SIZES); i++) {
    const int64_t *size = rsh_program_size_words(p, i);
    int32_t value = (int32_t)size[1], axis = (int32_t)size[2];
    if (value >= first && value < first + count)
      rsh_program_set_size(p, i, size_of_axis(p->value[value].shape, axis));
  }
  return load_edges(p, tape_count(p, RSH_TAPE_SIZES));
}

rsh_status rsh_program_keep_results(Program *p, const NodeCall *n) {
  int32_t first = n->first, count = n->call.out_count;
  int32_t type = (int32_t)rsh_out_type(&n->call);
  for (int32_t i = 0; i < count; i++) {
    if (n->result == p->result)
      rsh_copy_shape(open_shape(p), &n->result[i]);
    close_shape(p, &p->value[first + i]);
    p->value[first + i].dtype = type;
  }
  return rsh_program_load_sizes(p, first, count);
}

// ---- results ----

// Checks that the size of its elements in bytes fits ptrdiff_t.
static rsh_status count_bytes(const ProgramValue *v) {
  int64_t bits = rsh_program_bits((rsh_dtype)v->dtype);
  uint64_t bytes;
  if (bits < 8)
    return v->elements / 8 > PTRDIFF_MAX / bits ? RSH_overflow : RSH_ok;
  bool fits = rsh_multiply_magnitudes((uint64_t)v->elements, (uint64_t)bits / 8, &bytes) &&
              bytes <= PTRDIFF_MAX;
  return fits ? RSH_ok : RSH_overflow;
}

// Checks the caller's tensor for a result.
static rsh_status check_output_tensor(const Program *p, int32_t k, const rsh_shape *shape) {
  int32_t tensor = tape_count(p, RSH_TAPE_INPUTS) + k;
  const int64_t *word = p->tensor + tensor * TENSOR_WORDS;
  rsh_dtype type = (rsh_dtype)p->value[p->output[k].value].dtype;
  rsh_status status = check_tensor(p, tensor, type, shape->rank);
  for (int32_t i = 0; status == RSH_ok && i < shape->rank; i++)
    if (word[1 + i] != shape->dim[i].n)
      status = RSH_shape_mismatch;
  return status;
}

// Checks that the result has its declared shape, and that the caller's tensor for it fits.
static rsh_status check_output(Program *p, const int64_t **at, int32_t k) {
  const int64_t *word = *at;
  p->output[k].value = (int32_t)word[0];
  p->output[k].logical = (int32_t)word[1];
  p->output[k].copied = (int32_t)word[4];
  const rsh_shape *shape = p->value[word[0]].shape, *logical = p->value[word[1]].shape;
  int32_t rank = (int32_t)word[2];
  *at += RSH_TAPE_OUTPUT_WORDS;
  if (rank >= 0 && logical->rank != rank)
    return RSH_shape_mismatch;
  for (int32_t i = 0; i < rank; i++) {
    bool is_declared = **at != RSH_NUMBER_NONE;
    int64_t n;
    if (!rsh_program_number(p, at, &n))
      return RSH_overflow;
    if (is_declared && logical->dim[i].n != n)
      return RSH_shape_mismatch;
  }
  if (word[3] != 0)
    skip_strides(at, shape->rank);
  bool is_tensor = p->call->parts->tensors != 0 && p->call->outputs != 0;
  return is_tensor ? check_output_tensor(p, k, shape) : RSH_ok;
}

rsh_status rsh_program_ask(Program *p, int32_t node) {
  const rsh_program_check *guards = p->call->parts->guards;
  return guards != 0 ? guards->check(p, node) : RSH_ok;
}

rsh_status rsh_program_resolve_inputs(Program *p) {
  const int64_t *tape = p->tape, *input = tape + tape[RSH_TAPE_AT_INPUTS];
  p->guard = tape + tape[RSH_TAPE_AT_GUARDS];
  rsh_status status = rsh_program_ask(p, -1);
  for (int32_t k = 0; k < tape_count(p, RSH_TAPE_INPUTS) && status == RSH_ok; k++)
    status = load_input(p, &input, k);
  for (int32_t k = 0; k < tape_count(p, RSH_TAPE_INPUTS) && status == RSH_ok; k++)
    if (p->value[k].slot >= 0)
      status = read_target(p, k, p->value[k].slot);
  return status;
}

rsh_status rsh_program_count_inputs(Program *p) {
  rsh_status status = RSH_ok;
  for (int32_t k = 0; k < tape_count(p, RSH_TAPE_INPUTS) && status == RSH_ok; k++)
    status = count_bytes(&p->value[k]);
  return status;
}

rsh_status rsh_program_resolve_outputs(Program *p) {
  const int64_t *output = p->tape + p->tape[RSH_TAPE_AT_OUTPUTS];
  rsh_status status = RSH_ok;
  for (int32_t k = 0; k < tape_count(p, RSH_TAPE_OUTPUTS) && status == RSH_ok; k++)
    status = check_output(p, &output, k);
  for (int32_t k = 0; k < tape_count(p, RSH_TAPE_OUTPUTS) && status == RSH_ok; k++) {
    ProgramValue *v = &p->value[p->output[k].value];
    status = count_elements(v);
    if (status == RSH_ok)
      status = count_bytes(v);
  }
  return status;
}

rsh_status rsh_program_write_dims(const Program *p) {
  const rsh_program_call *call = p->call;
  if (call->dims == 0)
    return RSH_ok;
  for (int32_t k = 0; k < tape_count(p, RSH_TAPE_OUTPUTS); k++) {
    const rsh_shape *shape = p->value[p->output[k].logical].shape;
    int64_t *dims = call->dims[k];
    for (int32_t i = 0; dims != 0 && i < shape->rank; i++)
      dims[i] = shape->dim[i].n;
    if (call->ranks != 0 && call->ranks[k] != 0)
      *call->ranks[k] = shape->rank;
  }
  return RSH_ok;
}

rsh_status rsh_program_check_pointers(Program *p) {
  int32_t inputs = tape_count(p, RSH_TAPE_INPUTS), outputs = tape_count(p, RSH_TAPE_OUTPUTS);
  for (int32_t k = 0; k < inputs + outputs; k++) {
    int32_t value = k < inputs ? k : p->output[k - inputs].value;
    if (p->value[value].elements > 0 && rsh_program_data(p, k) == 0)
      return RSH_null_pointer;
  }
  return RSH_ok;
}
