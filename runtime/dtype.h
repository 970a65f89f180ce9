// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types, from dtypes.def. Moves depend only on their width.
#ifndef RSH_DTYPE_H
#define RSH_DTYPE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rsh_dtype {
#define RSH_DTYPE(id, name, bits, since, ctype) RSH_##id,
#include "runtime/dtypes.def"
#undef RSH_DTYPE
  RSH_DTYPE_COUNT,
  RSH_DTYPE_NONE = RSH_DTYPE_COUNT // no type given
} rsh_dtype;

const char *rsh_dtype_name(rsh_dtype type);  // "f32"; "none" for RSH_DTYPE_NONE
const char *rsh_dtype_ctype(rsh_dtype type); // "float"
int rsh_dtype_bits(
    rsh_dtype type); // 32; 0 for string: its handle is as wide as a pointer of the target
int rsh_dtype_onnx_since(rsh_dtype type); // first opset whose Reshape takes it; 0: none
rsh_dtype rsh_dtype_find(const char *name, size_t length); // RSH_DTYPE_NONE when there is none

#ifdef __cplusplus
}
#endif
#endif
