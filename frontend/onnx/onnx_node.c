// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a node into a call of an operator: its inputs and attributes are bound to the operator's arguments by name,
// according to the operator's version (onnx_ops.def).
//
//   Slice(x, starts=[0], ends=[2])   opset 10 and later: known inputs
//   Slice(x), starts=[0], ends=[2]   before: attributes
#include "frontend/onnx/onnx_internal.h"
#include "frontend/text/words.h"
#include "runtime/convert.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Tables

typedef struct Signature {
  const char *op;
  int since;
  const char *inputs, *attributes;
} Signature;

static const Signature signatures[] = {
#define ONNX_OP(op, since, inputs, attributes) {op, since, inputs, attributes},
#define ONNX_ALSO(op, id)
#include "frontend/onnx/onnx_ops.def"
#undef ONNX_OP
#undef ONNX_ALSO
};

// The row for an opset. NULL: the opset is too old for the operator.
static const Signature *signature_of(const char *op, int64_t opset) {
  const Signature *found = NULL;
  bool is_listed = false;
  for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++) {
    const Signature *s = &signatures[i];
    bool is_op = strcmp(s->op, op) == 0;
    is_listed = is_listed || is_op;
    if ((is_op || (!*s->op && !is_listed)) && s->since <= opset)
      found = s;
  }
  return found;
}

// Returns the length of the next word, 0 at the end; sets *word, and advances *at past it.
static size_t next_word(const char **at, const char **word) {
  *at += strspn(*at, " ");
  *word = *at;
  *at += strcspn(*at, " ");
  return (size_t)(*at - *word);
}

// ---- Attributes

static const char *attribute_text(Reader *r, const Onnx__AttributeProto *a) {
  return arena_text(r->arena, (const char *)a->s.data, a->s.len);
}

// "alpha=0.02!": whether the given value, or the default, is allowed by the table.
static bool has_value(Visit *v, const Onnx__AttributeProto *a, const char *value, size_t length) {
  const char *text = arena_text(v->r->arena, value, length);
  bool is_default = text[length - 1] != '!';
  char *end;
  if (strcmp(text, "*") == 0 || (!a && is_default))
    return true;
  if (!a)
    return false;
  float number = strtof(text, &end);
  return end == text ? strcmp(attribute_text(v->r, a), text) == 0 : a->f == number;
}

// Whether a name is one of these words, which may have a value: "axis split=1".
static bool lists(const char *words, const char *name) {
  const char *word;
  while (next_word(&words, &word) > 0) {
    size_t length = strcspn(word, "= ");
    if (strlen(name) == length && strncmp(name, word, length) == 0)
      return true;
  }
  return false;
}

static const char *nearest_attribute(const Visit *v, const Signature *signature, const char *name) {
  enum { MOST = 16 };
  const char *names[MOST], *at = signature->attributes, *word;
  int count = 0;
  while (count < MOST && next_word(&at, &word) > 0)
    names[count++] = arena_text(v->r->arena, word, strcspn(word, "= "));
  const char *nearest = diag_nearest(name, names, count);
  return nearest ? arena_printf(v->r->arena, "; did you mean '%s'?", nearest) : "";
}

// Every attribute must be in the row, and those with a fixed value must have it.
static bool check_attributes(Visit *v, const Signature *signature) {
  const char *at, *word;
  for (size_t i = 0; i < v->node->n_attribute; i++) {
    const char *name = v->node->attribute[i]->name;
    bool is_known = lists(signature->attributes, name);
    if (!is_known && lists(signature->inputs, name))
      return onnx_error(v, "bad_attr",
                        "'%s' of opset %" PRId64 " takes '%s' as an input, not as an attribute",
                        v->op, v->frame->opset, name);
    if (!is_known)
      return onnx_error(v, "bad_attr", "'%s' of opset %" PRId64 " has no attribute '%s'%s", v->op,
                        v->frame->opset, name, nearest_attribute(v, signature, name));
  }
  at = signature->attributes;
  for (size_t n; (n = next_word(&at, &word)) > 0;) {
    size_t length = strcspn(word, "= ");
    if (length == n)
      continue;
    const char *name = arena_text(v->r->arena, word, length);
    const char *value = word + length + 1;
    size_t value_length = n - length - 1;
    if (has_value(v, attribute_of(v, name), value, value_length))
      continue;
    value_length -= value[value_length - 1] == '!';
    return onnx_error(v, "unsupported", "'%s' with '%s' other than %.*s is not supported", v->op,
                      name, (int)value_length, value);
  }
  return true;
}

bool node_has_attributes(Visit *v) {
  const Signature *signature = signature_of(v->op, v->frame->opset);
  return signature && check_attributes(v, signature);
}

const char *layer_refusal(const Visit *v) {
  const Onnx__AttributeProto *a = v->r->file->is_openvino ? attribute_of(v, "why") : NULL;
  return a ? attribute_text(v->r, a) : NULL;
}

// ---- One argument

static void set_list(Visit *v, Binding *b, int arg, const Numbers *known, ParamKind kind) {
  int32_t rank = kind == PARAM_DATA ? 1 : known->shape.rank;
  rsh_arg *to = &b->call.arg[arg];
  *to = (rsh_arg){.kind = RSH_ARG_LIST, .rank = rank, .count = known->count, .dtype = known->dtype};
  to->list = known->item;
  if (rank <= 1)
    return;
  int32_t *dims = ARENA_ARRAY(v->r->arena, int32_t, rank);
  for (int32_t i = 0; i < rank; i++)
    dims[i] = (int32_t)known->shape.dim[i].n;
  to->dims = dims;
}

static bool set_ints(Visit *v, Binding *b, int arg, const int64_t *item, size_t count) {
  if (count > KNOWN_LIMIT)
    return onnx_error(v, "limit", "an attribute has %zu entries; at most %d", count, KNOWN_LIMIT);
  rsh_num *list = ARENA_ARRAY(v->r->arena, rsh_num, count);
  for (size_t i = 0; i < count; i++)
    list[i] = rsh_int(item[i]);
  b->call.arg[arg] = (rsh_arg){
      .kind = RSH_ARG_LIST, .rank = 1, .count = (int32_t)count, .dtype = RSH_I64, .list = list};
  return true;
}

static void set_fill(Visit *v, Lower *l, Binding *b, int arg, const Fill *fill) {
  const char *text = literal_text(v->r->arena, fill);
  binding_value(l, b, arg, fill, text);
}

// The elements of a constant: of an initializer, or of computed numbers. False: an error was reported.
typedef struct Elements {
  rsh_dtype dtype;
  rsh_shape shape;
  int64_t count;
  const uint8_t *bytes;   // packed, or
  const Numbers *numbers; // these
} Elements;

static bool read_elements(Visit *v, const Item *item, size_t input, Elements *e) {
  const char *why = NULL;
  rsh_num volume = rsh_int(0);
  const Numbers *numbers = onnx_numbers(item);
  *e = (Elements){.dtype = RSH_DTYPE_NONE, .numbers = numbers};
  if (item->tensor) {
    e->bytes = onnx_tensor_bytes(v->r, item->tensor, &why);
    if (!e->bytes || !onnx_tensor_type(item->tensor, v->r->arena, &e->dtype, &e->shape, &why))
      return onnx_error(v, "bad_file", "%s: %s", input_label(v, input), why);
  } else if (numbers) {
    e->dtype = numbers->dtype;
    e->shape = numbers->shape;
    e->bytes = numbers->over ? onnx_numbers_bytes(v->r->arena, numbers) : NULL;
  }
  (void)rsh_volume(NULL, &e->shape, &volume);
  e->count = volume.n;
  bool known = item->tensor || numbers;
  for (int64_t i = 0; known && !item->tensor && i < e->count; i++)
    known = rsh_is_known(numbers->item[i]);
  return known || onnx_error(v, "unsupported", "%s must be known when the model is compiled",
                             input_label(v, input));
}

// Since opset 28, a shift by a negative amount shifts out all bits in ONNX; the language rejects it.
static void shift_by_all_bits(const Visit *v, Fill *fill) {
  int bits = rsh_dtype_bits(fill->dtype), top = bits < 8 ? bits - 1 : 7;
  bool is_below_0 = rsh_dtype_is_signed(fill->dtype) && fill->bits[(bits - 1) / 8] >> top & 1;
  if (strcmp(v->op, "BitShift") == 0 && is_below_0)
    (void)rsh_element_from_int(bits, fill->dtype, fill->bits);
}

static bool element_at(Visit *v, size_t input, const Elements *e, int64_t i, Fill *fill) {
  int bits = rsh_dtype_bits(e->dtype), per_byte = bits < 8 ? 8 / bits : 1;
  if (e->bytes && bits < 8)
    fill->bits[0] = (uint8_t)(e->bytes[i / per_byte] >> (i % per_byte * bits) & ((1 << bits) - 1));
  else if (e->bytes)
    memcpy(fill->bits, e->bytes + i * (bits / 8), (size_t)bits / 8);
  if (!e->bytes && !rsh_element_from_int(e->numbers->item[i].n, fill->dtype, fill->bits))
    return onnx_error(v, "type_mismatch", "%s does not fit %s", input_label(v, input),
                      rsh_dtype_name(fill->dtype));
  shift_by_all_bits(v, fill);
  return true;
}

// For blocked quantization, the number of adjacent elements along the axis that share an entry; else 0.
static int64_t block_of(Visit *v, const Binding *b, int32_t *axis) {
  int64_t block = attribute_int(v, "block_size", 0);
  bool has_axis = rsh_axis_index(attribute_int(v, "axis", 1), b->call.in[0]->rank, axis);
  return block > 0 && has_axis ? block : 0;
}

// Binds one entry per element, channel or block.
static bool bind_entries(Visit *v, Lower *l, Binding *b, int arg, size_t input, const Elements *e,
                         rsh_dtype dtype) {
  int32_t *dims = ARENA_ARRAY(v->r->arena, int32_t, e->shape.rank), axis = 0;
  int64_t block = block_of(v, b, &axis), count = 1, inner = 1;
  rsh_num whole = axis < b->call.in[0]->rank ? b->call.in[0]->dim[axis] : rsh_int(0);
  if (block > 0 && !rsh_is_known(whole))
    return onnx_error(v, "unsupported", "blocks along an axis of open size are not supported");
  bool fits = block == 0 || (e->shape.rank == b->call.in[0]->rank &&
                             e->shape.dim[axis].n == (whole.n + block - 1) / block);
  if (!fits)
    return onnx_error(v, "shape_mismatch", "%s does not have an entry for each block of %" PRId64,
                      input_label(v, input), block);
  for (int32_t i = 0; i < e->shape.rank; i++) {
    int64_t size = block > 0 && i == axis ? whole.n : e->shape.dim[i].n;
    inner *= block > 0 && i > axis ? size : 1;
    count = size <= MOST_ENTRIES && count <= MOST_ENTRIES ? count * size : MOST_ENTRIES + 1;
    dims[i] = (int32_t)(size <= MOST_ENTRIES ? size : MOST_ENTRIES);
  }
  if (count > MOST_ENTRIES || count == 0)
    return onnx_error(v, count == 0 ? "unsupported" : "limit",
                      "%s has %s elements; constants have 1 to %d", input_label(v, input),
                      count == 0 ? "no" : "more", MOST_ENTRIES);
  rsh_num *bits = ARENA_ARRAY(v->r->arena, rsh_num, count);
  for (int64_t i = 0; i < count; i++) {
    int64_t from = i;
    if (block > 0) {
      int64_t at = i / inner % whole.n, outer = i / inner / whole.n;
      from = (outer * e->shape.dim[axis].n + at / block) * inner + i % inner;
    }
    Fill fill = {dtype, {0}};
    if (!element_at(v, input, e, from, &fill))
      return false;
    bits[i] = fill_word(&fill);
  }
  binding_table(l, b, arg, &(Table){dtype, (int32_t)count, bits}, dims, e->shape.rank);
  return true;
}

// Binds constants of the operand's type, or the type that the operator requires: one element, or several for
// elementwise functions.
static bool bind_element(Visit *v, Lower *l, Binding *b, int arg, size_t input) {
  Fill fill = {rsh_value_type(&b->call, arg), {0}};
  Elements e;
  if (!read_elements(v, v->in[input], input, &e))
    return false;
  bool is_one =
      e.count == 1 && (!rsh_is_elementwise(b->call.op) || e.shape.rank <= b->call.in[0]->rank ||
                       rsh_table_axis_arg(b->call.op) >= 0);
  if ((e.bytes && e.dtype != fill.dtype) || (!is_one && !rsh_is_elementwise(b->call.op)))
    return onnx_error(v, "type_mismatch", "%s is %s; it must be %s of type %s",
                      input_label(v, input), type_text(v->r->arena, l->graph, e.dtype, &e.shape),
                      rsh_is_elementwise(b->call.op) ? "a constant" : "one element",
                      rsh_dtype_name(fill.dtype));
  if (!is_one)
    return bind_entries(v, l, b, arg, input, &e, fill.dtype);
  if (!element_at(v, input, &e, 0, &fill))
    return false;
  set_fill(v, l, b, arg, &fill);
  return true;
}

static bool bind_type(Visit *v, Binding *b, int arg, const Onnx__AttributeProto *a) {
  int64_t number = a->i;
  if (a->has_s) { // opsets 1 to 5: "FLOAT"
    const ProtobufCEnumValue *named = protobuf_c_enum_descriptor_get_value_by_name(
        &onnx__tensor_proto__data_type__descriptor, attribute_text(v->r, a));
    number = named ? named->value : -1;
  }
  rsh_dtype dtype = number < 0 || number > INT32_MAX ? RSH_DTYPE_NONE : onnx_dtype((int32_t)number);
  if (dtype == RSH_DTYPE_NONE)
    return onnx_error(v, "unknown_type",
                      "attribute '%s': element type %" PRId64 " of ONNX is unknown", a->name,
                      number);
  b->call.arg[arg] = (rsh_arg){.dtype = RSH_I64};
  rsh_num *item = ARENA_NEW(v->r->arena, rsh_num);
  *item = rsh_int((int64_t)dtype);
  b->call.arg[arg] =
      (rsh_arg){.kind = RSH_ARG_LIST, .rank = 0, .count = 1, .dtype = RSH_I64, .list = item};
  return true;
}

// The attribute has the type that ONNX states (onnx_standard.c).
static bool bind_attribute(Visit *v, Lower *l, Binding *b, int arg, ParamKind kind,
                           const Onnx__AttributeProto *a) {
  b->arg[arg].given = true;
  switch (kind) {
  case PARAM_INT:
  case PARAM_BOOL:
    binding_int(l, b, arg, a->i);
    return true;
  case PARAM_TEXT:
    b->call.arg[arg] =
        (rsh_arg){.kind = RSH_ARG_TEXT, .dtype = RSH_I64, .text = attribute_text(v->r, a)};
    return true;
  case PARAM_DTYPE:
    return bind_type(v, b, arg, a);
  case PARAM_INTS:
  case PARAM_DATA:
  case PARAM_TARGET:
    return set_ints(v, b, arg, a->ints, a->n_ints);
  case PARAM_VALUE: {
    Fill fill = {b->call.in_type[0], {0}};
    if (!rsh_element_from_double((double)a->f, fill.dtype, fill.bits) &&
        !(fabsf(a->f) < 1e18f && rsh_element_from_int((int64_t)a->f, fill.dtype, fill.bits)))
      return onnx_error(v, "bad_attr", "attribute '%s' is %g, which does not fit %s", a->name,
                        (double)a->f, rsh_dtype_name(fill.dtype));
    set_fill(v, l, b, arg, &fill);
    return true;
  }
  case PARAM_NAME:
  case PARAM_VALUES:
  case PARAM_INDICES:
    break;
  }
  return onnx_error(v, "bad_attr", "'%s' is an input", a->name);
}

static bool has_open(const Numbers *known) {
  for (int32_t i = 0; i < known->count; i++)
    if (rsh_is_unknown(known->item[i]))
      return true;
  return false;
}

bool node_bind_input(Visit *v, Lower *l, Binding *b, int arg, ParamKind kind, size_t input) {
  Item *item = v->in[input];
  b->arg[arg].given = true;
  if (kind == PARAM_VALUE)
    return bind_element(v, l, b, arg, input);
  if (item->known && !rsh_dtype_is_integer(item->known->dtype))
    return onnx_error(v, "bad_type", "%s is %s; it must be integers", input_label(v, input),
                      type_text(v->r->arena, l->graph, item->known->dtype, &item->known->shape));
  if (item->known && v->r->surveyor && has_open(item->known))
    return onnx_error(v, "unsupported", "%s depends on sizes known only at run time",
                      input_label(v, input));
  if (item->known) {
    set_list(v, b, arg, item->known, kind);
    return true;
  }
  if (kind != PARAM_TARGET && kind != PARAM_DATA)
    return onnx_refuse_unknown(v, input);
  Value *value = item_value(v->r, item, v->span);
  if (!value)
    return false;
  binding_data(l, b, arg, value);
  return true;
}

// ---- Special cases beyond the table

static rsh_dtype item_dtype(const Item *item) {
  return item->value    ? item->value->dtype
         : item->tensor ? onnx_dtype(item->tensor->data_type)
         : item->known  ? item->known->dtype
                        : RSH_DTYPE_NONE;
}

static void give_int(Lower *l, Binding *b, int arg, int64_t n) {
  binding_int(l, b, arg, n);
  b->arg[arg].given = true;
}

// VariadicSplit of OpenVINO: a length of -1 is the rest of the axis. Constants are resolved by openvino_moves.c.
static bool fill_rest(Visit *v, const Lower *l, Binding *b) {
  enum { AXIS, SIZES = 2 };
  rsh_arg *sizes = &b->call.arg[SIZES];
  const rsh_arg *at = &b->call.arg[AXIS];
  const rsh_shape *in = b->call.in[0];
  int32_t axis, open = -1;
  if (!v->r->file->is_openvino || sizes->kind != RSH_ARG_LIST || at->kind != RSH_ARG_LIST ||
      in->rank == RSH_RANK_UNKNOWN || !rsh_axis_index(at->list[0].n, in->rank, &axis))
    return true;
  rsh_num rest = in->dim[axis], *item = ARENA_ARRAY(v->r->arena, rsh_num, sizes->count);
  for (int32_t i = 0; i < sizes->count; i++) {
    item[i] = sizes->list[i];
    if (rsh_is(item[i], -1) && open >= 0)
      return onnx_error(v, "bad_parts", "'VariadicSplit' has lengths of which more than one is -1");
    if (rsh_is(item[i], -1))
      open = i;
    else if (rsh_is_unknown(item[i]) || rsh_is_unknown(rest) ||
             !rsh_sub(l->graph->symbols, rest, item[i], &rest))
      return true;
  }
  if (open < 0)
    return true;
  item[open] = rest;
  sizes->list = item;
  return true;
}

// Each part is an output.
static bool has_all_parts(Visit *v, const Binding *b) {
  enum { PARTS = 1, SIZES };
  const rsh_arg *parts = &b->call.arg[PARTS], *sizes = &b->call.arg[SIZES];
  size_t outputs = v->node->n_output;
  const char *plural = outputs == 1 ? "" : "s";
  if (sizes->kind == RSH_ARG_LIST && (size_t)sizes->count != outputs)
    return onnx_error(v, "bad_parts", "'split' has %d size%s, but the node has %zu output%s",
                      (int)sizes->count, sizes->count == 1 ? "" : "s", outputs, plural);
  if (parts->kind == RSH_ARG_LIST && sizes->kind == RSH_ARG_ABSENT &&
      !rsh_is(parts->list[0], (int64_t)outputs))
    return onnx_error(v, "bad_parts", "'num_outputs' is %" PRId64 ", but the node has %zu output%s",
                      parts->list[0].n, outputs, plural);
  return true;
}

static bool finish(Visit *v, Lower *l, Binding *b, const OpEntry *entry) {
  enum { PAD_MODE = 2 };
  if (b->call.op == RSH_OP_ONNX_RESHAPE)
    binding_int(l, b, param_find(entry, "opset"), v->frame->opset);
  if (b->call.op == RSH_OP_CONCAT && !attribute_of(v, "axis") && v->frame->opset < 4)
    give_int(l, b, param_find(entry, "axis"), 1);
  const rsh_arg *mode = &b->call.arg[PAD_MODE];
  if (strcmp(v->op, "Pad") == 0 && mode->kind == RSH_ARG_TEXT &&
      strcmp(mode->text, "symmetric") == 0)
    return onnx_error(v, "bad_mode",
                      "'Pad' of ONNX has no mode \"symmetric\"; it has \"constant\", \"edge\", "
                      "\"reflect\" and \"wrap\"");
  enum { FLOOR_MOD_OPSET = 28 }; // before it, floats have only C's remainder
  if (b->call.op == RSH_OP_MOD && v->frame->opset < FLOOR_MOD_OPSET &&
      rsh_dtype_float(item_dtype(v->in[0])).special != RSH_NO_FLOAT)
    return onnx_error(v, "unsupported",
                      "'Mod' of %s needs fmod=1 before opset %d; the model has opset %" PRId64,
                      rsh_dtype_name(item_dtype(v->in[0])), FLOOR_MOD_OPSET, v->frame->opset);
  // The operators that they become also take integers.
  bool is_logical = has_word("And Or Xor Not", v->op);
  if (is_logical && b->call.in_type[0] != RSH_BOOL)
    return onnx_error(v, "bad_type", "'%s' takes bool, not %s; 'Bitwise%s' takes integers", v->op,
                      rsh_dtype_name(b->call.in_type[0]), v->op);
  if (strcmp(v->op, "CastLike") == 0) {
    if (!input_of(v, 1))
      return onnx_error(v, "arity", "'CastLike' needs the input 'target_type'");
    give_int(l, b, param_find(entry, "to"), (int64_t)item_dtype(v->in[1]));
  }
  if (strcmp(v->op, "Dropout") == 0 && input_of(v, 2)) {
    const Numbers *training = v->in[2]->known;
    if (onnx_is_unread(v, 2))
      return onnx_refuse_unknown(v, 2);
    if (!training || training->count != 1 || !rsh_is(training->item[0], 0))
      return onnx_error(v, "unsupported", "'Dropout' with training_mode is not supported");
  }
  if (b->call.op == RSH_OP_SPLIT && !(fill_rest(v, l, b) && has_all_parts(v, b)))
    return false;
  if (rsh_op_family(b->call.op) == RSH_FILLS)
    default_value(l, b);
  for (int i = 0; i < entry->param_count; i++)
    if (entry->param[i].required && !b->arg[i].given)
      return onnx_error(v, "arity", "'%s' needs '%s'", b->word,
                        entry->param[i].other ? entry->param[i].other : entry->param[i].name);
  return true;
}

// The axis for entry i of a slice's lists. False: it is unknown or invalid.
static bool slice_axis(const Binding *b, int32_t i, int32_t *axis) {
  const rsh_arg *axes = &b->call.arg[RSH_SLICE_AXES];
  *axis = i;
  if (axes->kind == RSH_ARG_TENSOR)
    return false;
  if (axes->kind == RSH_ARG_LIST && (i >= axes->count || !rsh_is_known(axes->list[i]) ||
                                     !rsh_axis_index(axes->list[i].n, b->call.in[0]->rank, axis)))
    return false;
  return *axis < b->call.in[0]->rank;
}

// The largest size of an axis for which a bound this large means its end; -1: it is an ordinary position.
//   INT_MAX is the end for sizes up to INT_MAX, INT_MIN is before the start for as many
static int64_t reach_of(rsh_num bound) {
  if (!rsh_is_known(bound) || bound.n == INT64_MAX || bound.n == INT64_MIN)
    return -1;
  return bound.n >= INT32_MAX ? bound.n : bound.n <= -INT32_MAX ? -(bound.n + 1) : -1;
}

// In ONNX, slicing to INT_MAX, or backwards to INT_MIN, means "to the end" of an axis of unknown size; exporters also
// use other large numbers. Larger sizes are rejected at run time, so the bound is always the end.
void binding_bound_slices(Lower *l, const Binding *b) {
  for (int arg = RSH_SLICE_STARTS; b->call.op == RSH_OP_SLICE && arg <= RSH_SLICE_ENDS; arg++) {
    const rsh_arg *bounds = &b->call.arg[arg];
    for (int32_t i = 0, axis; bounds->kind == RSH_ARG_LIST && i < bounds->count; i++) {
      int64_t reach = reach_of(bounds->list[i]);
      if (reach < 0 || !slice_axis(b, i, &axis))
        continue;
      rsh_num size = b->call.in[0]->dim[axis];
      if (rsh_is_known(size) || rsh_is_unknown(size))
        continue;
      (void)guard_add(l, (Guard){.kind = WHERE_LE,
                                 .status = RSH_guard_failed,
                                 .left = size,
                                 .right = rsh_int(reach),
                                 .span = b->span});
    }
  }
}

// "paddings" of Pad-1 is "pads" in all other versions.
static int find_argument(const OpEntry *entry, const char *name) {
  return param_find(entry, strcmp(name, "paddings") == 0 ? "pads" : name);
}

// The name of an argument in OpenVINO, if the layer's differs from that in ONNX.
static const char *openvino_argument(rsh_op op, const char *name) {
  static const struct {
    rsh_op op;
    const char *onnx, *openvino;
  } rows[] = {
      {RSH_OP_TRANSPOSE, "perm", "input_order"},
      {RSH_OP_REVERSE_SEQUENCE, "sequence_lens", "seq_lengths"},
      {RSH_OP_SPLIT, "split", "split_lengths"},
      {RSH_OP_SLICE, "starts", "start"},
      {RSH_OP_SLICE, "ends", "stop"},
      {RSH_OP_SLICE, "steps", "step"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].op == op && strcmp(rows[i].onnx, name) == 0)
      return rows[i].openvino;
  return name;
}

// Messages name arguments as the model's author does: 'split' of Split, not 'sizes'.
static void name_arguments(const Visit *v, Binding *b, const OpEntry *entry, const char *words) {
  const char *word;
  for (size_t n; (n = next_word(&words, &word)) > 0;) {
    const char *name =
        arena_text(v->r->arena, word, strcspn(word, " =") < n ? strcspn(word, " =") : n);
    int arg = find_argument(entry, name);
    if (arg >= 0)
      b->arg[arg].name = v->r->file->is_openvino ? openvino_argument(b->call.op, name) : name;
  }
}

static bool bind_inputs(Visit *v, Lower *l, Binding *b, const OpEntry *entry,
                        const Signature *signature) {
  const char *at = signature->inputs, *word;
  size_t input = 0, length;
  if (strcmp(signature->inputs, "...") == 0)
    return true;
  for (; (length = next_word(&at, &word)) > 0; input++) {
    int arg = find_argument(entry, arena_text(v->r->arena, word, length));
    if (input >= (size_t)b->call.in_count && arg >= 0 && input_of(v, input) &&
        !node_bind_input(v, l, b, arg, entry->param[arg].kind, input))
      return false;
  }
  if (v->node->n_input > input)
    return onnx_error(v, "arity", "%zu inputs; '%s' of opset %" PRId64 " has at most %zu",
                      v->node->n_input, v->op, v->frame->opset, input);
  return true;
}

static bool bind_attributes(Visit *v, Lower *l, Binding *b, const OpEntry *entry,
                            const Signature *signature) {
  const char *at = signature->attributes, *word;
  for (size_t n; (n = next_word(&at, &word)) > 0;) {
    if (memchr(word, '=', n))
      continue;
    const char *name = arena_text(v->r->arena, word, n);
    const Onnx__AttributeProto *a = attribute_of(v, name);
    int arg = find_argument(entry, name);
    if (!a || arg < 0)
      continue;
    if (b->arg[arg].given)
      return onnx_error(v, "arity", "'%s' is given twice, as an input and as an attribute", name);
    if (!bind_attribute(v, l, b, arg, entry->param[arg].kind, a))
      return false;
  }
  return true;
}

// ---- Constant operands of elementwise operators

static bool is_constant(const Item *item) {
  const Numbers *numbers = onnx_numbers(item);
  bool known = numbers && numbers->count > 0;
  for (int32_t i = 0; known && i < numbers->count; i++)
    known = rsh_is_known(numbers->item[i]);
  return item->tensor || known;
}

// The operator for the constant on the left. Below 0: there is none. An operator is commutative only if it is listed.
static int with_swapped_operands(rsh_op op, rsh_dtype dtype) {
  static const struct {
    rsh_op op, swapped;
  } rows[] = {
      {RSH_OP_ADD, RSH_OP_ADD},
      {RSH_OP_SUB, RSH_OP_RSUB},
      {RSH_OP_MUL, RSH_OP_MUL},
      {RSH_OP_DIV, RSH_OP_RDIV},
      {RSH_OP_MIN, RSH_OP_MIN},
      {RSH_OP_MAX, RSH_OP_MAX},
      {RSH_OP_BITWISE_AND, RSH_OP_BITWISE_AND},
      {RSH_OP_BITWISE_OR, RSH_OP_BITWISE_OR},
      {RSH_OP_BITWISE_XOR, RSH_OP_BITWISE_XOR},
  };
  if (op == RSH_OP_DIV && !rsh_dtype_is_float(dtype))
    return -1;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].op == op)
      return (int)rows[i].swapped;
  return -1;
}

bool node_arrange_constant(Visit *v, int *op) {
  if (strcmp(v->op, "BitShift") == 0) {
    const Onnx__AttributeProto *a = attribute_of(v, "direction");
    const char *direction = a ? attribute_text(v->r, a) : "";
    if (strcmp(direction, "RIGHT") == 0)
      *op = RSH_OP_SHIFT_RIGHT;
    else if (strcmp(direction, "LEFT") != 0)
      return onnx_error(v, "bad_attr", "attribute 'direction' is '%s'; it must be LEFT or RIGHT",
                        direction);
  }
  if (*op == RSH_OP_MOD && attribute_int(v, "fmod", 0))
    *op = RSH_OP_REM;
  if ((*op == RSH_OP_MIN || *op == RSH_OP_MAX) && v->node->n_input == 1)
    *op = RSH_OP_IDENTITY; // a single tensor
  if ((*op == RSH_OP_MIN || *op == RSH_OP_MAX) && v->node->n_input > 2)
    return onnx_error(v, "unsupported",
                      "'%s' of %zu inputs is not supported: a tensor and a constant are", v->op,
                      v->node->n_input);
  const char *first = rsh_op_arguments((rsh_op)*op);
  bool is_binary =
      strncmp(first, "value:value!", 12) == 0 || strncmp(first, "bits:value!", 11) == 0;
  if (!is_binary || v->node->n_input != 2 || !v->in[0] || !v->in[1])
    return true;
  if (is_constant(v->in[1]))
    return true;
  int swapped =
      is_constant(v->in[0]) ? with_swapped_operands((rsh_op)*op, item_dtype(v->in[0])) : -1;
  if (swapped < 0)
    return onnx_error(v, "unsupported",
                      is_constant(v->in[0])
                          ? "'%s' of a constant by a tensor is not supported"
                          : "'%s' of two tensors does more than move elements; 'reshapec chains' "
                            "finds the operators that only move them",
                      v->op);
  Onnx__NodeProto *node = ARENA_NEW(v->r->arena, Onnx__NodeProto);
  *node = *v->node;
  node->input = ARENA_ARRAY(v->r->arena, char *, 2);
  node->input[0] = v->node->input[1];
  node->input[1] = v->node->input[0];
  v->node = node;
  Item *constant = v->in[0];
  v->in[0] = v->in[1];
  v->in[1] = constant;
  *op = swapped;
  return true;
}

// Returns whether there is one scale per index of an axis.
static bool has_axis(Visit *v) {
  rsh_dtype dtype;
  rsh_shape shape = {0};
  const char *why = NULL;
  const Item *scale = input_of(v, 1);
  if (scale && scale->known)
    shape = scale->known->shape;
  else if (!scale || !scale->tensor ||
           !onnx_tensor_type(scale->tensor, v->r->arena, &dtype, &shape, &why))
    return false;
  return shape.rank == 1 && !rsh_is(shape.dim[0], 1);
}

// Sets the result's element type, which determines how constants are read.
static bool bind_quantized(Visit *v, Lower *l, Binding *b, const OpEntry *entry) {
  bool is_quantize = b->call.op == RSH_OP_QUANTIZE;
  int from = is_quantize ? 2 : 1; // the zero point, or the scale
  const Onnx__AttributeProto *a = attribute_of(v, "output_dtype");
  rsh_dtype dtype = a && a->i != 0              ? onnx_dtype((int32_t)a->i)
                    : input_of(v, (size_t)from) ? item_dtype(v->in[from])
                                                : RSH_U8;
  if (attribute_int(v, "precision", 0) != 0)
    return onnx_error(v, "unsupported", "'%s' with 'precision' other than 0 is not supported",
                      v->op);
  if (dtype == RSH_DTYPE_NONE)
    return onnx_error(v, "unknown_type", "the element type of the result is unknown");
  binding_int(l, b, param_find(entry, "dtype"), (int64_t)dtype);
  if (has_axis(v))
    binding_int(l, b, param_find(entry, "axis"), attribute_int(v, "axis", 1));
  return true;
}

// BitCast of ONNX requires types of equal size.
static bool keeps_size(Visit *v, const Binding *b) {
  rsh_dtype from = b->call.in_type[0], to = rsh_out_type(&b->call);
  return rsh_dtype_bits(from) == rsh_dtype_bits(to) ||
         onnx_error(v, "bad_type",
                    "'%s' does not convert %s to %s: both must have the same size, and be neither "
                    "complex nor string",
                    v->op, rsh_dtype_name(from), rsh_dtype_name(to));
}

// OpenVINO's Pad repeats each element at most once at each end. So at most S - 1 elements of an axis of size S are
// reflected, and S is not 0; in mode symmetric, at most S. False: the pads always exceed this, which is reported.
static bool repeats_once(Visit *v, Lower *l, const rsh_call *call) {
  const rsh_shape *in = call->in[0];
  const rsh_arg *pads = &call->arg[0];
  rsh_pad_mode mode;
  bool is_one = call->op == RSH_OP_PAD && strcmp(v->op, "openvino.Pad") == 0 && !v->r->surveyor &&
                pads->kind == RSH_ARG_LIST && pads->count == 2 * in->rank &&
                rsh_pad_mode_of(call, &mode);
  if (!is_one || (mode != RSH_PAD_REFLECT && mode != RSH_PAD_SYMMETRIC))
    return true;
  for (int32_t i = 0; i < pads->count; i++) {
    Guard guard = {.kind = WHERE_LE, .status = RSH_bad_dim, .span = v->span};
    guard.right = in->dim[i % in->rank];
    if (rsh_is_unknown(guard.right) || rsh_is_unknown(pads->list[i]) ||
        !rsh_add(l->graph->symbols, pads->list[i], rsh_int(mode == RSH_PAD_REFLECT), &guard.left))
      continue;
    if (!guard_add(l, guard))
      return onnx_error(v, "bad_dim",
                        "axis %d of size %s is padded by %s at %s; mode '%s' needs a size of at "
                        "least %s",
                        (int)(i % in->rank), size_label(l, guard.right),
                        size_label(l, pads->list[i]), i < in->rank ? "the beginning" : "the end",
                        mode == RSH_PAD_REFLECT ? "reflect" : "symmetric",
                        size_label(l, guard.left));
  }
  return true;
}

Binding *node_bind(Visit *v, Lower *l, rsh_op op, Value *const *operand, int count) {
  const Signature *signature = signature_of(v->op, v->frame->opset);
  const OpEntry *entry = op_entry(l, op);
  if (!signature) {
    const char *absent = standard_refusal(v->r->arena, v->op, v->frame->opset);
    onnx_error(v, "unsupported", "%s",
               absent ? absent
                      : arena_printf(v->r->arena, "'%s' is not supported in opset %" PRId64, v->op,
                                     v->frame->opset));
    return NULL;
  }
  Binding *b = binding_new(l, op, onnx_op_word(v->op), v->span);
  Span *span = ARENA_ARRAY(v->r->arena, Span, count);
  for (int i = 0; i < count; i++)
    span[i] = v->span;
  binding_operands(l, b, operand, span, count);
  b->arg[0].given = op == RSH_OP_GATHER && count == 2; // an operand replaces the list
  b->call.out_count = (int32_t)v->node->n_output;
  name_arguments(v, b, entry, signature->inputs);
  name_arguments(v, b, entry, signature->attributes);
  bool is_scaled = rsh_op_result(op) == RSH_RESULT_SCALED;
  bool good = check_attributes(v, signature) && (!is_scaled || bind_quantized(v, l, b, entry)) &&
              bind_inputs(v, l, b, entry, signature) &&
              bind_attributes(v, l, b, entry, signature) && finish(v, l, b, entry);
  if (!good || (op == RSH_OP_BITCAST && !keeps_size(v, b)))
    return NULL;
  if (!repeats_once(v, l, &b->call))
    return NULL;
  binding_bound_slices(l, b);
  target_bind(v, l, &b->call);
  return b;
}
