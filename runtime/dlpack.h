// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dlpack: converts tensors of NumPy, PyTorch and others (DLPack 1) to shapes and moves, and back.
// NULL strides, strides of any sign, byte_offset and lanes have DLPack's meaning; a type with several
// lanes gets an additional innermost axis: float32x4[2, 3] is f32[2, 3, 4].
//
// A program that uses DLPack's own dlpack.h must include it first; otherwise its types are declared here.
#ifndef RSH_DLPACK_H
#define RSH_DLPACK_H

#include "runtime/fold.h"

#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  kDLCPU = 1,
  kDLCUDAHost = 3,
  kDLROCMHost = 11,
  kDLCUDAManaged = 13,
} DLDeviceType;

typedef struct DLDevice {
  DLDeviceType device_type;
  int32_t device_id;
} DLDevice;

typedef struct DLDataType {
  uint8_t code, bits;
  uint16_t lanes;
} DLDataType;

typedef struct DLTensor {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides; // in elements; NULL: row-major
  uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

#ifdef __cplusplus
}
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

// The element type without its lanes; RSH_DTYPE_NONE: the runtime has no such type. The other direction
// returns false for strings, which DLPack does not have.
rsh_dtype rsh_dtype_of_dlpack(DLDataType type);
bool rsh_dtype_to_dlpack(rsh_dtype type, DLDataType *out);

// Element type and sizes. bad_type: an unsupported type; rank_limit; bad_dim: a negative size; null_pointer:
// no shape; overflow: element count or address range too large.
rsh_status rsh_dlpack_shape(const DLTensor *tensor, rsh_dtype *type, rsh_shape *shape);

// The address of element 0. unsupported: it is in device memory; null_pointer: there are elements, but no data.
rsh_status rsh_dlpack_data(const DLTensor *tensor, void **data);

// The tensor's value as moves from its memory, numbered `source`; a chain that begins with this tensor is
// folded from them. `out` needs room for one move of RSH_MAX_RANK axes. Statuses as for rsh_dlpack_shape.
rsh_status rsh_dlpack_moves(const DLTensor *tensor, int32_t source, rsh_moves *out);

// Redirects the moves of a value of this type and shape to the memory of `tensor`, an output.
// type_mismatch, shape_mismatch: the tensor differs; unsupported: its elements overlap; too_small: `out` or
// `work`, both as in rsh_fold.
rsh_status rsh_dlpack_place(const DLTensor *tensor, rsh_dtype type, const rsh_shape *shape,
                            const rsh_moves *in, rsh_moves *out, rsh_moves *work);

// Describes a row-major value at `data` as a host tensor. `dims` and `strides` need room for its rank; if
// `strides` is NULL, so are the tensor's. bad_type: strings; unknown_size: sizes are unknown.
rsh_status rsh_dlpack_result(rsh_dtype type, const rsh_shape *shape, void *data, int64_t *dims,
                             int64_t *strides, DLTensor *out);

// A value without a copy: if its moves are one affine view of `tensor`, their source, as after transpose,
// slice, expand or flip, `out` is that view. `dims` and `strides` need room for its rank.
// unsupported: this value needs a copy.
rsh_status rsh_dlpack_view(const DLTensor *tensor, const rsh_shape *shape, const rsh_moves *moves,
                           int64_t *dims, int64_t *strides, DLTensor *out);

#ifdef __cplusplus
}
#endif
#endif
