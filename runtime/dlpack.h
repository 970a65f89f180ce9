// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dlpack: tensors as numpy, PyTorch and others hand them on (DLPack 1), to shapes and moves and back.
// NULL strides, strides of any sign, byte_offset and lanes are taken as DLPack means them; a type of
// several lanes is one more axis, innermost: float32x4[2, 3] is f32[2, 3, 4].
//
// A program that uses DLPack's own dlpack.h includes that first; else its types are declared here.
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

// The element type, with lanes taken off; RSH_DTYPE_NONE: none of ours. And the way back: false for
// string, which DLPack has not.
rsh_dtype rsh_dtype_of_dlpack(DLDataType type);
bool rsh_dtype_to_dlpack(rsh_dtype type, DLDataType *out);

// Element type and sizes. bad_type: no such type here; rank_limit; bad_dim: a size below 0; null_pointer:
// no shape; overflow: more elements than int64 counts, or places further apart than an address reaches.
rsh_status rsh_dlpack_shape(const DLTensor *tensor, rsh_dtype *type, rsh_shape *shape);

// Where element 0 is. unsupported: in memory of a device; null_pointer: there are elements, but no data.
rsh_status rsh_dlpack_data(const DLTensor *tensor, void **data);

// The tensor's value as moves from its memory, which they call source `source`; what a chain that begins
// with this tensor folds from. `out` needs room for one move of RSH_MAX_RANK axes. Statuses of
// rsh_dlpack_shape.
rsh_status rsh_dlpack_moves(const DLTensor *tensor, int32_t source, rsh_moves *out);

// The moves of a value, which has this type and shape, led to the memory of `tensor`, an output.
// type_mismatch, shape_mismatch: the tensor is another; unsupported: its elements lie on each other;
// too_small: `out` or `work`, both as in rsh_fold.
rsh_status rsh_dlpack_place(const DLTensor *tensor, rsh_dtype type, const rsh_shape *shape,
                            const rsh_moves *in, rsh_moves *out, rsh_moves *work);

// A value at `data`, row-major, as a tensor of the host. `dims` and `strides` have room for its rank;
// without strides the tensor's are NULL. bad_type for string; unknown_size for sizes that are not known.
rsh_status rsh_dlpack_result(rsh_dtype type, const rsh_shape *shape, void *data, int64_t *dims,
                             int64_t *strides, DLTensor *out);

// A value without a copy: where its moves are one affine view of their source, that is of `tensor`, as
// after transpose, slice, expand or flip, `out` is this view. `dims` and `strides` have room for its rank.
// unsupported: only a copy gives this value.
rsh_status rsh_dlpack_view(const DLTensor *tensor, const rsh_shape *shape, const rsh_moves *moves,
                           int64_t *dims, int64_t *strides, DLTensor *out);

#ifdef __cplusplus
}
#endif
#endif
