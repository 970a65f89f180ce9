// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of a model: types, bytes, and numbers.
#include "frontend/onnx/onnx_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// TensorProto.DataType, in its order, from 1 on.
static const rsh_dtype data_types[] = {
    RSH_DTYPE_NONE, RSH_F32,    RSH_U8,         RSH_I8,   RSH_U16,  RSH_I16,
    RSH_I32,        RSH_I64,    RSH_STRING,     RSH_BOOL, RSH_F16,  RSH_F64,
    RSH_U32,        RSH_U64,    RSH_C64,        RSH_C128, RSH_BF16, RSH_F8E4M3FN,
    RSH_F8E4M3FNUZ, RSH_F8E5M2, RSH_F8E5M2FNUZ, RSH_U4,   RSH_I4,   RSH_F4E2M1,
    RSH_F8E8M0,     RSH_U2,     RSH_I2,
};
enum { DATA_TYPES = sizeof data_types / sizeof *data_types };

rsh_dtype onnx_dtype(int32_t number) {
  return number > 0 && number < DATA_TYPES ? data_types[number] : RSH_DTYPE_NONE;
}

int32_t onnx_dtype_number(rsh_dtype dtype) {
  for (int32_t i = 1; i < DATA_TYPES; i++)
    if (data_types[i] == dtype)
      return i;
  return 0;
}

const char *onnx_dtype_words(Arena *arena, int32_t number) {
  if (number == ONNX_OTHER_TYPE)
    return "this element type is not supported";
  return number == 0 ? "no element type is given"
                     : arena_printf(arena, "element type %" PRId32 " of ONNX is unknown", number);
}

bool onnx_tensor_type(const Onnx__TensorProto *tensor, Arena *arena, rsh_dtype *dtype,
                      rsh_shape *shape, const char **why) {
  *shape = (rsh_shape){0};
  *dtype = onnx_dtype(tensor->data_type);
  if (*dtype == RSH_DTYPE_NONE)
    *why = onnx_dtype_words(arena, tensor->data_type);
  else if (tensor->n_dims > RSH_MAX_RANK)
    *why = arena_printf(arena, "%zu axes; at most %d are supported", tensor->n_dims, RSH_MAX_RANK);
  for (size_t i = 0; !*why && i < tensor->n_dims; i++) {
    if (tensor->dims[i] < 0)
      *why = arena_printf(arena, "size %" PRId64 " is below 0", tensor->dims[i]);
    shape->dim[shape->rank++] = rsh_int(tensor->dims[i]);
  }
  rsh_num volume;
  if (!*why && rsh_volume(NULL, shape, &volume) != RSH_ok)
    *why = overflow_text(arena, NULL, shape);
  return !*why;
}

// ---- Bytes

// Elements stored as fields of a message, one per number: their low bytes.
typedef struct Fields {
  size_t count;
  int bytes; // of an element within a number; packed elements are whole bytes
  uint64_t (*get)(const Onnx__TensorProto *tensor, size_t i);
} Fields;

static uint64_t get_int32(const Onnx__TensorProto *t, size_t i) {
  return (uint32_t)t->int32_data[i];
}
static uint64_t get_int64(const Onnx__TensorProto *t, size_t i) {
  return (uint64_t)t->int64_data[i];
}
static uint64_t get_uint64(const Onnx__TensorProto *t, size_t i) { return t->uint64_data[i]; }
static uint64_t get_float(const Onnx__TensorProto *t, size_t i) {
  uint32_t bits;
  memcpy(&bits, &t->float_data[i], sizeof bits);
  return bits;
}
static uint64_t get_double(const Onnx__TensorProto *t, size_t i) {
  uint64_t bits;
  memcpy(&bits, &t->double_data[i], sizeof bits);
  return bits;
}

// The field that holds a type's elements, according to the comments in the schema.
static Fields fields_of(const Onnx__TensorProto *t, rsh_dtype dtype) {
  int bits = rsh_dtype_bits(dtype);
  switch (dtype) {
  case RSH_F32:
  case RSH_C64:
    return (Fields){t->n_float_data, 4, get_float};
  case RSH_F64:
  case RSH_C128:
    return (Fields){t->n_double_data, 8, get_double};
  case RSH_I64:
    return (Fields){t->n_int64_data, 8, get_int64};
  case RSH_U32:
  case RSH_U64:
    return (Fields){t->n_uint64_data, bits / 8, get_uint64};
  case RSH_BOOL:
  case RSH_I8:
  case RSH_I16:
  case RSH_I32:
  case RSH_U8:
  case RSH_U16:
  case RSH_F16:
  case RSH_BF16:
  case RSH_F8E4M3FN:
  case RSH_F8E4M3FNUZ:
  case RSH_F8E5M2:
  case RSH_F8E5M2FNUZ:
  case RSH_F8E8M0:
  case RSH_I4:
  case RSH_U4:
  case RSH_F4E2M1:
  case RSH_I2:
  case RSH_U2:
  case RSH_U1:
  case RSH_STRING: // refused
  case RSH_DTYPE_NONE:
    break;
  }
  return (Fields){t->n_int32_data, bits < 8 ? 1 : bits / 8, get_int32};
}

static const uint8_t *fields_to_bytes(Arena *arena, const Onnx__TensorProto *tensor, Fields f) {
  uint8_t *bytes = arena_alloc(arena, f.count * (size_t)f.bytes + 1);
  for (size_t i = 0; i < f.count; i++) {
    uint64_t bits = f.get(tensor, i);
    for (int k = 0; k < f.bytes; k++)
      bytes[i * (size_t)f.bytes + (size_t)k] = (uint8_t)(bits >> 8 * k);
  }
  return bytes;
}

const uint8_t *onnx_tensor_bytes(Reader *r, const Onnx__TensorProto *tensor, const char **why) {
  rsh_dtype dtype;
  rsh_shape shape;
  rsh_num volume = rsh_int(0);
  OnnxBytes raw;
  if (!onnx_tensor_type(tensor, r->arena, &dtype, &shape, why))
    return NULL;
  (void)rsh_volume(NULL, &shape, &volume);
  if (dtype == RSH_STRING) {
    *why = "constants of type string are not supported";
    return NULL;
  }
  if (!onnx_raw_data(r->arena, r->file, tensor, &raw, why))
    return NULL;
  bool is_raw = tensor->has_raw_data || raw.size > 0;
  Fields f = fields_of(tensor, dtype);
  uint64_t bits = (uint64_t)rsh_dtype_bits(dtype),
           size = is_raw ? raw.size : f.count * (size_t)f.bytes;
  // Elements of less than a byte are packed.
  bool fits = (uint64_t)volume.n <= UINT64_MAX / 128 && size == ((uint64_t)volume.n * bits + 7) / 8;
  if (!fits) {
    *why = arena_printf(r->arena, "%s needs %" PRId64 " elements but has %" PRIu64 " bytes of data",
                        type_text(r->arena, r->data.graph, dtype, &shape), volume.n, size);
    return NULL;
  }
  static const uint8_t nothing[1] = {0};
  if (size == 0)
    return nothing;
  return is_raw ? raw.data : fields_to_bytes(r->arena, tensor, f);
}

// ---- Numbers

static uint64_t read_bits(const uint8_t *bytes, int64_t i, int bits) {
  uint64_t value = 0;
  for (int k = 0; k < bits / 8; k++)
    value |= (uint64_t)bytes[i * (bits / 8) + k] << 8 * k;
  return value;
}

// An integral value of any type. False: it is not integral, or does not fit 64 bits.
static bool whole(uint64_t bits, rsh_dtype dtype, int64_t *out) {
  int width = rsh_dtype_bits(dtype);
  switch (rsh_dtype_kind_of(dtype)) {
  case RSH_KIND_BOOL:
    *out = bits != 0;
    return true;
  case RSH_KIND_SIGNED: { // the sign is the highest bit
    uint64_t sign = (uint64_t)1 << (width - 1);
    *out = (int64_t)((bits ^ sign) - sign);
    return width >= 8;
  }
  case RSH_KIND_UNSIGNED:
    *out = (int64_t)bits;
    return width >= 8 && bits <= INT64_MAX;
  case RSH_KIND_FLOAT: {
    float single;
    double number;
    uint32_t low = (uint32_t)bits;
    memcpy(&single, &low, sizeof single);
    memcpy(&number, &bits, sizeof number);
    if (dtype == RSH_F32)
      number = (double)single;
    if (width < 32 || !(fabs(number) < 1e15) || number != floor(number) ||
        (number == 0 && signbit(number)))
      return false;
    *out = (int64_t)number;
    return true;
  }
  case RSH_KIND_NONE:
  case RSH_KIND_COMPLEX:
  case RSH_KIND_STRING:
    break;
  }
  return false;
}

// Sizes and indices have 32 or 64 bits, and masks are bool. Large narrower tensors are weights: they would use up the
// budget for known numbers, and be read again in every round of the optimizer.
static int64_t known_limit(rsh_dtype dtype) {
  return dtype == RSH_BOOL || rsh_dtype_bits(dtype) >= 32 ? KNOWN_LIMIT : KNOWN_LIMIT_NARROW;
}

const Numbers *onnx_tensor_known(Reader *r, const Onnx__TensorProto *tensor) {
  const char *why = NULL;
  rsh_dtype dtype;
  rsh_shape shape;
  rsh_num volume;
  int64_t number;
  if (!onnx_tensor_type(tensor, r->arena, &dtype, &shape, &why) || !whole(0, dtype, &number) ||
      rsh_volume(NULL, &shape, &volume) != RSH_ok || volume.n > known_limit(dtype))
    return NULL;
  const uint8_t *bytes = onnx_tensor_bytes(r, tensor, &why);
  int bits = rsh_dtype_bits(dtype);
  if (!bytes)
    return NULL;
  for (int32_t i = 0; i < volume.n; i++) // before allocation: most weights are not integral
    if (!whole(read_bits(bytes, i, bits), dtype, &number))
      return NULL;
  Numbers *known = numbers_new(r, dtype, &shape);
  for (int32_t i = 0; known && i < known->count; i++) {
    (void)whole(read_bits(bytes, i, bits), dtype, &number);
    known->item[i] = rsh_int(number);
  }
  return known;
}

// ---- Values of a graph

Value *constant_new(Reader *r, const Item *item, rsh_dtype dtype, const rsh_shape *shape,
                    const uint8_t *bytes) {
  Value *value = value_new(&r->data, dtype, shape, item->span);
  value->name = item->name;
  value->data = bytes;
  return value;
}

const uint8_t *onnx_numbers_bytes(Arena *arena, const Numbers *known) {
  size_t width = (size_t)rsh_dtype_bits(known->dtype) / 8;
  uint8_t *bytes = arena_alloc(arena, (size_t)known->count * width + 1), element[16];
  for (int32_t i = 0; i < known->count; i++) {
    if (!rsh_is_known(known->item[i]) ||
        !(known->over ? rsh_element_from_double(onnx_fraction(known, i), known->dtype, element)
                      : rsh_element_from_int(known->item[i].n, known->dtype, element)))
      return NULL;
    memcpy(bytes + (size_t)i * width, element, width);
  }
  return bytes;
}

Value *item_value(Reader *r, Item *item, Span span) {
  const char *why = NULL;
  rsh_dtype dtype;
  rsh_shape shape;
  if (item->value || item->is_poisoned)
    return item->value;
  if (item->tensor) {
    const uint8_t *bytes = onnx_tensor_bytes(r, item->tensor, &why);
    if (bytes && onnx_tensor_type(item->tensor, r->arena, &dtype, &shape, &why))
      item->value = constant_new(r, item, dtype, &shape, bytes);
    else
      lower_error(&r->data, item->span, "bad_file", "%s", why);
  } else if (onnx_numbers(item) || item->positions) {
    const Numbers *known = onnx_numbers(item);
    const uint8_t *bytes = known ? onnx_numbers_bytes(r->arena, known) : NULL;
    if (bytes)
      item->value = constant_new(r, item, known->dtype, &known->shape, bytes);
    else
      lower_error(
          &r->data, span, "unsupported",
          "'%s' is computed from sizes known only at run time, which is not supported for data: "
          "sizes declared as numbers would make it a constant",
          item->name);
  }
  item->is_poisoned = !item->value;
  return item->value;
}

bool onnx_is_unread(const Visit *v, size_t input) {
  const Item *item = v->in[input];
  return item && item->tensor && !v->r->file->reads_external &&
         item->tensor->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
}

bool onnx_refuse_unknown(Visit *v, size_t input) {
  const char *why = NULL;
  if (onnx_is_unread(v, input) && !onnx_tensor_bytes(v->r, v->in[input]->tensor, &why))
    return onnx_error(v, "bad_file", "%s: %s", input_label(v, input), why);
  return onnx_error(v, "unsupported", "%s is not known when the model is compiled",
                    input_label(v, input));
}
