// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of any rank: the program's own DLTensor, from the words of a call (requests.h).
#ifndef DRIVER_GUEST_TENSOR_H
#define DRIVER_GUEST_TENSOR_H

#include "driver/verify/guest/requests.h"
#include "runtime/dlpack.h"

static inline void *guest_pointer(uint64_t word) { return (void *)(uintptr_t)word; }

// Each field by itself: an initializer may become a call of memset, which the program does not have.
static inline DLTensor guest_tensor(const uint64_t *word) {
  DLTensor tensor;
  tensor.data = guest_pointer(word[TENSOR_DATA]);
  tensor.device.device_type = kDLCPU;
  tensor.device.device_id = 0;
  tensor.ndim = (int32_t)word[TENSOR_RANK];
  tensor.dtype.code = (uint8_t)word[TENSOR_CODE];
  tensor.dtype.bits = (uint8_t)word[TENSOR_BITS];
  tensor.dtype.lanes = (uint16_t)word[TENSOR_LANES];
  tensor.shape = guest_pointer(word[TENSOR_SHAPE]);
  tensor.strides = guest_pointer(word[TENSOR_STRIDES]);
  tensor.byte_offset = word[TENSOR_OFFSET];
  return tensor;
}

#endif
