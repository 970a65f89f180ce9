// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts types and strides of DLPack to the runtime's, with checks.
#include "runtime/dlpack.h"

// ---- element types ----

typedef struct Coded {
  uint8_t code, bits; // DLDataTypeCode and bits of one lane
  uint8_t type;       // rsh_dtype
} Coded;

enum { INT, UINT, FLOAT, BFLOAT = 4, COMPLEX, BOOL }; // kDLInt and so on

// Numbers of float8 and float4 types, from kDLFloat8_e4m3fn on.
enum { E4M3FN = 10, E4M3FNUZ, E5M2, E5M2FNUZ, E8M0, E2M1 = 17 };

static const Coded coded[] = {
    {INT, 2, RSH_I2},          {INT, 4, RSH_I4},
    {INT, 8, RSH_I8},          {INT, 16, RSH_I16},
    {INT, 32, RSH_I32},        {INT, 64, RSH_I64},
    {UINT, 1, RSH_U1},         {UINT, 2, RSH_U2},
    {UINT, 4, RSH_U4},         {UINT, 8, RSH_U8},
    {UINT, 16, RSH_U16},       {UINT, 32, RSH_U32},
    {UINT, 64, RSH_U64},       {FLOAT, 16, RSH_F16},
    {FLOAT, 32, RSH_F32},      {FLOAT, 64, RSH_F64},
    {BFLOAT, 16, RSH_BF16},    {COMPLEX, 64, RSH_C64},
    {COMPLEX, 128, RSH_C128},  {BOOL, 8, RSH_BOOL},
    {E4M3FN, 8, RSH_F8E4M3FN}, {E4M3FNUZ, 8, RSH_F8E4M3FNUZ},
    {E5M2, 8, RSH_F8E5M2},     {E5M2FNUZ, 8, RSH_F8E5M2FNUZ},
    {E8M0, 8, RSH_F8E8M0},     {E2M1, 4, RSH_F4E2M1},
};

enum { CODED = sizeof coded / sizeof *coded };

rsh_dtype rsh_dtype_of_dlpack(DLDataType type) {
  for (int i = 0; i < CODED; i++)
    if (coded[i].code == type.code && coded[i].bits == type.bits)
      return (rsh_dtype)coded[i].type;
  return RSH_DTYPE_NONE;
}

bool rsh_dtype_to_dlpack(rsh_dtype type, DLDataType *out) {
  for (int i = 0; i < CODED; i++) {
    if (coded[i].type == type) {
      out->code = coded[i].code;
      out->bits = coded[i].bits;
      out->lanes = 1;
      return true;
    }
  }
  return false;
}

// ---- tensors in ----

// The strides of all axes of the shape, in elements of one lane; 0 for axes of size 1.
static rsh_status read_strides(const DLTensor *t, const rsh_shape *shape, rsh_num *stride) {
  int64_t dense = 1, lanes = t->dtype.lanes, step;
  for (int32_t i = shape->rank - 1; i >= 0; i--) {
    int64_t size = shape->dim[i].n;
    if (t->strides == 0 || i >= t->ndim)
      step = dense;
    else if (__builtin_mul_overflow(t->strides[i], lanes, &step) && size > 1)
      return RSH_overflow;
    stride[i] = rsh_int(size > 1 ? step : 0);
    if (t->strides == 0 || i >= t->ndim)
      dense *= size; // at most the volume, which was checked
  }
  return RSH_ok;
}

// Checks that the distance of the first and the last byte fits ptrdiff_t.
static rsh_status check_reach(const DLTensor *t, const rsh_shape *shape, const rsh_num *stride) {
  uint64_t reach = 1, bytes = (t->dtype.bits + 7u) / 8, far;
  if (rsh_shape_is_empty(shape))
    return RSH_ok;
  for (int32_t i = 0; i < shape->rank; i++)
    if (!rsh_multiply_magnitudes(rsh_magnitude(stride[i].n), (uint64_t)shape->dim[i].n - 1, &far) ||
        __builtin_add_overflow(reach, far, &reach))
      return RSH_overflow;
  return !rsh_multiply_magnitudes(reach, bytes, &reach) || reach > PTRDIFF_MAX ? RSH_overflow
                                                                               : RSH_ok;
}

// Also the strides of read_strides.
static rsh_status read_tensor(const DLTensor *t, rsh_dtype *type, rsh_shape *shape,
                              rsh_num *stride) {
  bool has_lanes = t->dtype.lanes > 1;
  *type = t->dtype.lanes == 0 ? RSH_DTYPE_NONE : rsh_dtype_of_dlpack(t->dtype);
  if (*type == RSH_DTYPE_NONE)
    return RSH_bad_type;
  if (t->ndim < 0 || t->ndim > RSH_MAX_RANK - has_lanes)
    return RSH_rank_limit;
  if (t->ndim > 0 && t->shape == 0)
    return RSH_null_pointer;
  shape->rank = t->ndim + has_lanes;
  if (has_lanes)
    shape->dim[t->ndim] = rsh_int(t->dtype.lanes);
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->shape[i] < 0)
      return RSH_bad_dim;
    shape->dim[i] = rsh_int(t->shape[i]);
  }
  rsh_num volume;
  rsh_status status = rsh_volume(0, shape, &volume);
  if (status == RSH_ok)
    status = read_strides(t, shape, stride);
  return status == RSH_ok ? check_reach(t, shape, stride) : status;
}

rsh_status rsh_dlpack_shape(const DLTensor *t, rsh_dtype *type, rsh_shape *shape) {
  rsh_num stride[RSH_MAX_RANK];
  return read_tensor(t, type, shape, stride);
}

rsh_status rsh_dlpack_data(const DLTensor *t, void **data) {
  switch ((int)t->device.device_type) {
  case kDLCPU:
  case 3: // kDLCUDAHost and others, which some versions of dlpack.h lack
  case 11:
  case 13:
    break;
  default:
    return RSH_unsupported;
  }
  *data = 0;
  if (t->data != 0) {
    *data = (unsigned char *)t->data + t->byte_offset;
    return RSH_ok;
  }
  for (int32_t i = 0; i < t->ndim; i++)
    if (t->shape[i] == 0)
      return RSH_ok;
  return RSH_null_pointer;
}

rsh_status rsh_dlpack_moves(const DLTensor *t, int32_t source, rsh_moves *out) {
  rsh_shape shape;
  rsh_dtype type;
  rsh_num stride[RSH_MAX_RANK];
  rsh_status status = read_tensor(t, &type, &shape, stride);
  return status == RSH_ok ? rsh_moves_strided(0, out, source, &shape, stride, rsh_int(0)) : status;
}

// ---- tensors out ----

// Whether the strides work like digits, so that elements do not overlap: each is larger than the total reach of all
// smaller ones. (Other strides can also be free of overlap, but no library makes such tensors.)
static bool is_distinct(const rsh_shape *shape, const rsh_num *stride) {
  int64_t reach = 0;
  uint32_t left = 0;
  for (int32_t i = 0; i < shape->rank; i++)
    if (shape->dim[i].n > 1)
      left |= UINT32_C(1) << i;
  while (left != 0) {
    int32_t next = -1;
    int64_t least = 0;
    for (int32_t i = 0; i < shape->rank; i++) {
      int64_t step = stride[i].n < 0 ? -stride[i].n : stride[i].n;
      if ((left >> i & 1) != 0 && (next < 0 || step < least)) {
        next = i;
        least = step;
      }
    }
    if (least <= reach)
      return false;
    reach += least * (shape->dim[next].n - 1);
    left &= ~(UINT32_C(1) << next);
  }
  return true;
}

rsh_status rsh_dlpack_place(const DLTensor *t, rsh_dtype type, const rsh_shape *shape,
                            const rsh_moves *in, rsh_moves *out, rsh_moves *work) {
  rsh_shape there;
  rsh_dtype its_type;
  rsh_num stride[RSH_MAX_RANK];
  rsh_status status = read_tensor(t, &its_type, &there, stride);
  if (status != RSH_ok)
    return status;
  if (its_type != type)
    return RSH_type_mismatch;
  if (!rsh_shape_equal(shape, &there))
    return RSH_shape_mismatch;
  if (rsh_shape_is_empty(&there)) {
    out->count = out->axis_count = 0;
    return RSH_ok;
  }
  if (!is_distinct(&there, stride))
    return RSH_unsupported;
  return rsh_moves_place(0, shape, in, stride, rsh_int(0), out, work);
}

// Fills in everything except data, strides and byte_offset.
static rsh_status describe(const rsh_shape *shape, DLDataType type, int64_t *dims, DLTensor *out) {
  for (int32_t i = 0; i < shape->rank; i++)
    if (!rsh_is_known(shape->dim[i]))
      return RSH_unknown_size;
  for (int32_t i = 0; i < shape->rank; i++)
    dims[i] = shape->dim[i].n;
  out->device.device_type = kDLCPU;
  out->device.device_id = 0;
  out->ndim = shape->rank;
  out->dtype = type;
  out->shape = dims;
  return RSH_ok;
}

// Without elements strides have no meaning: they are 0, so that nothing overflows.
static void dense_strides(const rsh_shape *shape, int64_t *stride) {
  int64_t dense = rsh_shape_is_empty(shape) ? 0 : 1;
  for (int32_t i = shape->rank - 1; i >= 0; i--) {
    stride[i] = dense;
    dense *= shape->dim[i].n;
  }
}

rsh_status rsh_dlpack_result(rsh_dtype type, const rsh_shape *shape, void *data, int64_t *dims,
                             int64_t *strides, DLTensor *out) {
  DLDataType element;
  rsh_num volume;
  if (!rsh_dtype_to_dlpack(type, &element))
    return RSH_bad_type;
  rsh_status status = describe(shape, element, dims, out);
  if (status == RSH_ok)
    status = rsh_volume(0, shape, &volume);
  if (status != RSH_ok)
    return status;
  if (strides != 0)
    dense_strides(shape, strides);
  out->data = data;
  out->strides = strides;
  out->byte_offset = 0;
  return RSH_ok;
}

// The source stride of an axis of `size` whose stride in the value is `dense`: some axis of the move has a
// stride that divides it, and reaches at least as far.
static bool find_stride(const rsh_moves *m, int64_t dense, int64_t size, int64_t *out) {
  for (int32_t k = 0; k < m->axis_count; k++) {
    const rsh_axis *a = &m->axis[m->move[0].first + k];
    if (a->dst.n <= dense && dense % a->dst.n == 0 && size <= a->extent.n / (dense / a->dst.n)) {
      *out = a->src.n * (dense / a->dst.n);
      return true;
    }
  }
  return false;
}

rsh_status rsh_dlpack_view(const DLTensor *t, const rsh_shape *shape, const rsh_moves *moves,
                           int64_t *dims, int64_t *strides, DLTensor *out) {
  DLDataType element = t->dtype;
  element.lanes = 1;
  rsh_status status = describe(shape, element, dims, out);
  if (status != RSH_ok)
    return status;
  dense_strides(shape, strides);
  out->strides = strides;
  out->device = t->device;
  out->data = t->data;
  out->byte_offset = t->byte_offset;
  if (moves->count == 0)
    return RSH_ok;
  const rsh_move *move = &moves->move[0];
  if (moves->count != 1 || rsh_is_fill(move->source) || move->map != 0 ||
      move->src_offset.n * element.bits % 8 != 0)
    return RSH_unsupported;
  for (int32_t i = 0; i < shape->rank; i++)
    if (dims[i] > 1 && !find_stride(moves, strides[i], dims[i], &strides[i]))
      return RSH_unsupported;
  int64_t first = (int64_t)t->byte_offset + move->src_offset.n * element.bits / 8;
  if (first < 0) // with negative strides; byte_offset is unsigned
    out->data = (unsigned char *)t->data + first;
  out->byte_offset = first < 0 ? 0 : (uint64_t)first;
  return RSH_ok;
}
